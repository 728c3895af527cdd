"""Rules that the rest of a file says are told and not written again."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.targets.block import BlockRule, put
from redline.targets.rules_block import MOST, RulesBlock, TooManyRules
from redline.targets.said_already import LARGEST, said_already

RULE = ("r1", "Never touch src/legacy.")


def says(text: str, rule: str = RULE[1]) -> bool:
    found = said_already(text.encode(), "project", [("r1", rule)])
    return "r1" in found and found["r1"].same


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("- Never touch src/legacy.\n", RULE[1]),
        ("* never touch  `src/legacy`!\n", RULE[1]),
        ("Be brief. Never touch\nsrc/legacy. Be kind.\n", RULE[1]),
        ("\ufeff1. Never touch src/legacy\r\n", RULE[1]),
        ("The staging DB is on port 5433.\n", "staging database is on port 5433"),
        ("- The deadline is Friday.\n", "the deadline is friday"),
    ],
)
def test_the_same_in_other_words_is_said_already(text: str, rule: str) -> None:
    assert says(text, rule)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- Never touch src/legacy2.\n",
        "- Never touch src/legacy and src/old without asking me.\n",
        "```\nNever touch src/legacy.\n```\n",
        "> Never touch src/legacy.\n",
        "<!-- Never touch src/legacy. -->\n",
        "<!--\nNever touch src/legacy.\n-->\n",
        "- Always touch src/legacy.\n",
        "- It is not so that you must never touch src/legacy.\n",
        "Touch src/legacy.\n",
    ],
)
def test_other_things_and_what_is_hidden_or_quoted_say_nothing(text: str) -> None:
    assert not says(text)


def test_the_block_itself_says_nothing_another_does() -> None:
    block = put(b"# Shop\n", "project", [BlockRule(*RULE)])
    assert said_already(block, "project", [RULE]) == {}
    other = put(b"# Shop\n", "other", [BlockRule(*RULE)])
    assert said_already(other, "project", [RULE])["r1"].said.line == 8


def test_another_value_is_told_and_does_not_stop_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("# Shop\n\nThe staging DB is on port 5432.\n")
    change = RulesBlock([("r1", "The staging DB is on port 5433.")], to=path).preview()
    quoted = "The staging DB is on port 5432."
    written = f"- The staging DB is on port 5433. (replaces “{quoted}” of this file)"
    assert written in change.after.decode().splitlines()
    assert change.after.startswith(path.read_bytes())
    (warning,) = change.warnings
    for part in ("line 3", "“5432”", "“5433”", "stays as it is", "replaces"):
        assert part in warning
    path.write_bytes(change.after)
    assert RulesBlock([("r1", "The staging DB is on port 5433.")], to=path).preview().empty
    # Another session's write keeps it so, and it goes with the line that it replaces.
    path.write_bytes(RulesBlock([("r2", "Be brief")], to=path).preview().after)
    assert written in path.read_text().splitlines()
    path.write_text(path.read_text().replace("The staging DB is on port 5432.\n", "", 1))
    after = RulesBlock([("r2", "Be brief")], to=path).preview().after.decode()
    assert "- The staging DB is on port 5433." in after.splitlines()


def test_a_secret_or_an_import_of_the_line_that_is_replaced_is_not_quoted(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "a1B2" * 20
    path = tmp_path / "AGENTS.md"
    path.write_text(f"The port for @docs/x.md and {key} is 5432.\n")
    rule = f"The port for @docs/x.md and {key} is 5433."
    after = RulesBlock([("r1", rule)], to=path).preview().after.decode()
    assert after.count(key) == 1
    assert after.count(" @docs/x.md") == 1


PAIRS = Path(__file__).parent / "said_already.txt"


def _pairs() -> list[tuple[str, str, str]]:
    found, kind = [], ""
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            kind = line[2:]
        elif line and not line.startswith("#"):
            said, rule = line.split(" | ")
            found.append((kind, said, rule))
    return found


@pytest.mark.parametrize(("kind", "said", "rule"), _pairs())
def test_what_a_file_says_of_a_rule_is_told_as_it_is(kind: str, said: str, rule: str) -> None:
    found = said_already(f"- {said}\n".encode(), "project", [("r1", rule)]).get("r1")
    told = "different" if found is None else "same" if found.same else "value"
    told = "opposite" if found and found.opposed else told
    assert told == kind.removesuffix(", told as different") or kind.endswith(f"told as {told}")


def test_a_rule_that_somebody_wrote_down_by_hand_leaves_the_block(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    rules = [RULE, ("r2", "Answer in English")]
    path.write_bytes(RulesBlock(rules, to=path).preview().after)
    path.write_bytes(b"# Mine\n\n- never touch `src/legacy`\n\n" + path.read_bytes())
    change = RulesBlock(rules, to=path).preview()
    assert change.after.count(b"src/legacy") == 1
    assert b"- Answer in English" in change.after
    assert any("r1 is not repeated: line 3" in warning for warning in change.warnings)
    path.write_bytes(change.after)
    assert RulesBlock(rules, to=path).preview().empty


def test_a_rule_of_another_session_that_is_said_anew_is_not_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    first = RulesBlock([("r1", "The staging DB is on port 5433.")], to=path).preview()
    path.write_bytes(first.after)
    again = RulesBlock([("r7", "staging database is on port 5433")], to=path).preview()
    assert again.after.count(b"\n- ") == 1
    moved = RulesBlock([("r8", "The staging DB is on port 5434.")], to=path).preview()
    assert moved.after.count(b"\n- ") == 2
    assert any("r1" in one and "r8" in one and "5434" in one for one in moved.warnings)


def test_too_many_rules_name_the_oldest_and_retiring_them_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    old = [(f"old{n}", f"Old rule of file number{n}.py") for n in range(15)]
    new = [(f"new{n}", f"New rule of file number{n}.ts") for n in range(8)]
    path.write_bytes(RulesBlock(old, to=path).preview().after)
    with pytest.raises(TooManyRules, match="23 rules") as caught:
        RulesBlock(new, to=path).preview()
    assert [rule.id for rule in caught.value.oldest] == ["old0", "old1", "old2"]
    for part in ("old0 “Old rule of file number0.py”", "in the block the longest"):
        assert part in caught.value.message
    assert "--retire old0 old1 old2" in caught.value.hint
    path.write_bytes(RulesBlock(new, to=path, without=["old0", "old1", "old2"]).preview().after)
    assert path.read_text().count("\n- ") == MOST
    # They stay out until somebody names them.
    change = RulesBlock([*old[:1], *new], to=path).preview()
    assert change.empty
    assert any("old0 was retired" in warning for warning in change.warnings)
    path.write_bytes(RulesBlock([], to=path, retired=["new0"]).preview().after)
    back = RulesBlock(old[:1], to=path, insist=["old0"]).preview()
    assert b"Old rule of file number0.py" in back.after
    assert b"without=old1,old2" in back.after


def test_rules_of_one_session_are_proposed_by_their_age(tmp_path: Path) -> None:
    rules = [(f"r{n}", f"rule of file number{n}.py") for n in range(MOST + 2)]
    with pytest.raises(RedlineError) as caught:
        RulesBlock(rules, to=tmp_path / "AGENTS.md").preview()
    assert "--retire r0 r1" in caught.value.hint
    assert "stated the longest ago" in caught.value.message


def test_a_block_that_an_editor_wrapped_keeps_its_rules_whole(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    data = RulesBlock([("r1", "Never touch src/legacy"), ("r2", "Be brief")], to=path)
    text = (
        data.preview().after.decode().replace("touch src", "touch\n  src").replace("- Be", "* Be")
    )
    path.write_text(text)
    change = RulesBlock([("r3", "Answer in English")], to=path).preview()
    lines = [line for line in change.after.decode().splitlines() if line.startswith("- ")]
    assert lines == ["- Never touch src/legacy", "- Be brief", "- Answer in English"]
    assert b"rules=r1,r2,r3" in change.after


def test_what_somebody_wrote_into_the_block_goes_with_a_word_or_stays(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    text = RulesBlock([("r1", "Be brief")], to=path).preview().after.decode()
    path.write_text(text.replace("- Be brief", "- Mine\n- Be brief\n\nA note of mine."))
    change = RulesBlock([("r1", "Be brief")], to=path).preview()
    assert b"- Mine" in change.after
    assert any("A note of mine." in warning for warning in change.warnings)
    assert b"rules=-,r1" in change.after
    path.write_bytes(change.after)
    gone = RulesBlock([], to=path, retired=["r1"]).preview()
    assert b"- Mine" in gone.after
    assert b"Be brief" not in gone.after


def test_a_huge_file_is_written_without_being_searched(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"x" * (LARGEST * 3) + b"\r\n" + b" " * LARGEST + b"# \r\n")
    change = RulesBlock([RULE], to=path).preview()
    assert change.after.startswith(path.read_bytes())
    assert change.after.endswith(b"-->\r\n")


def test_a_file_with_other_names_is_told(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"mine")
    assert RulesBlock([RULE], to=path).preview().warnings == ()
    (tmp_path / "CLAUDE.md").hardlink_to(path)
    change = RulesBlock([RULE], to=path).preview()
    assert any("2 names" in warning for warning in change.warnings)
