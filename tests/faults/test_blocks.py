"""A block in somebody's file of instructions: written once, updated in place, nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.block_target import BlockTarget
from redline.targets.commit import commit
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import CompactInstructions, State, StateBlock
from tests.faults.conftest import project_of
from tests.faults.dialects import AGENTS, CLAUDE_CODE, Dialect
from tests.faults.surfaces import Commands

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
RULES = [("r1", "Never touch src/legacy"), ("r2", "Answer in English")]
BEGIN, END = "<!-- redline:rules:begin id={} -->", "<!-- redline:rules:end id={} -->"
NAMES = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", ".claude/rules/a.md"]


def block(id: str, *lines: str, newline: str = "\n") -> str:  # noqa: A002
    return newline.join([BEGIN.format(id), *lines, END.format(id), ""])


@pytest.fixture
def kept(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "redline")})


@pytest.fixture
def write(kept: Places) -> Callable[[BlockTarget], str]:
    def writing(target: BlockTarget) -> str:
        return commit([target.preview()], session="s", places=kept, now=NOW).state

    return writing


def rules_in(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.startswith("- ")]


@pytest.mark.parametrize("removing", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        f"{END.format('project')}\nmine\n{BEGIN.format('project')}\n",
        f"{BEGIN.format('project')}\nmine\n",
        f"mine\n{END.format('project')}\n",
        f"{BEGIN.format('project')}\n{block('project', '- x')}",
        f"{block('project', '- x')}{END.format('project')}\n",
        block("project", "- x").replace("begin", "begn"),
        block("project", "- x").replace("rules:end", "rules:ende"),
        "\ufeff" + END.format("project") + "\r\n" + BEGIN.format("project") + "\r\n",
    ],
)
def test_markers_that_do_not_pair_up_are_refused(tmp_path: Path, text: str, removing: bool) -> None:
    """C02: END before START, and every other way in which nobody knows what is ours."""
    path = tmp_path / "AGENTS.md"
    path.write_bytes(text.encode())
    with pytest.raises(RedlineError, match=r"line \d"):
        RulesBlock([] if removing else RULES, to=path).preview()
    assert path.read_bytes() == text.encode()


def test_the_command_tells_such_markers_and_leaves_the_file(shop: Path, commands: Commands) -> None:
    """C02."""
    text = f"{END.format('project')}\nmine\n{BEGIN.format('project')}\n"
    (shop / "CLAUDE.md").write_text(text)
    for words in ((), ("--remove",), ("--dry-run",)):
        status, _, err = commands.run("promote", "last", *words)
        assert status == 2
        assert "line 1" in err
        assert (shop / "CLAUDE.md").read_text() == text


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_several_complete_blocks_become_one(
    tmp_path: Path, write: Callable[[BlockTarget], str], times: int, newline: str
) -> None:
    """C03: none of the rules in them is lost, and removing takes all."""
    parts = []
    for number in range(times):
        parts.append(block("project", f"- rule {number}", newline=newline))
        parts.append(f"mine {number}{newline}")
    path = tmp_path / "AGENTS.md"
    whole = f"# Top{newline}".join(["", *parts])
    path.write_bytes(whole.encode())
    target = RulesBlock(RULES, to=path)
    assert any(f"{times} times" in warning for warning in target.preview().warnings)
    write(target)
    text = path.read_bytes().decode()
    assert text.count("redline:rules:begin") == 1
    assert rules_in(path)[: times + 2] == [
        *(f"- rule {number}" for number in range(times)),
        "- Never touch src/legacy",
        "- Answer in English",
    ]
    for number in range(times):
        assert f"mine {number}{newline}" in text
    path.write_bytes(whole.encode())
    write(RulesBlock([], to=path))
    assert "redline" not in path.read_text()
    assert "rule " not in path.read_text()
    assert "mine 0" in path.read_text()


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<!-- redline:rules:begin v1 -->", "<!-- redline:rules:end v1 -->"),
        ("<!-- redline:rules:begin id=project v=1 -->", "<!-- redline:rules:end -->"),
        ("<!-- redline:rules:start -->", "<!-- redline:rules:end -->"),
        ("<!-- REDLINE:BEGIN -->", "<!-- REDLINE:END -->"),
        ("<!--redline:begin id=project-->", "<!--redline:end id=project-->"),
        ("   <!-- redline:rules:begin 2.1 id=project x=y -->  ", "<!-- redline:rules:end -->\t"),
    ],
)
def test_a_block_of_another_form_is_replaced_in_its_place(
    tmp_path: Path, write: Callable[[BlockTarget], str], begin: str, end: str
) -> None:
    """C06: v1 and v2."""
    path = tmp_path / "AGENTS.md"
    path.write_text(f"top\n{begin}\n- Old rule\n{end}\nend\n")
    write(RulesBlock(RULES, to=path, retired=["r0"]))
    text = path.read_text()
    assert text.lower().count(":begin") == 1
    assert text.startswith("top\n<!-- redline:rules:begin id=project")
    assert text.endswith("-->\nend\n")
    assert rules_in(path) == ["- Old rule", "- Never touch src/legacy", "- Answer in English"]
    path.write_text(f"top\n{begin}\n- Old rule\n{end}\nend\n")
    write(RulesBlock([], to=path))
    assert path.read_text() == "top\nend\n"


def test_what_else_is_written_has_an_id_and_a_heading_of_its_own(
    tmp_path: Path, write: Callable[[BlockTarget], str]
) -> None:
    """C07: two features that write to one file."""
    path = tmp_path / "CLAUDE.md"
    path.write_text("# Shop\n\n## Rules of this project\n\nBe kind.\n\n## Compact instructions\n")
    state = State("Fix it", "Half done", ("Test it", "Push it"), "s1", NOW)
    targets = [
        RulesBlock(RULES, to=path),
        RulesBlock([("r9", "Be brief")], to=path, block="other"),
        StateBlock(state, to=path),
        CompactInstructions(to=path),
    ]
    for target in (*targets, *targets[::-1]):
        write(target)
    text = path.read_text()
    headings = [line.lower() for line in text.splitlines() if line.startswith("#")]
    assert len(headings) == len(set(headings)) == 7
    assert text.count("- Never touch src/legacy") == text.count("- Be brief") == 1
    for target in targets:
        assert target.preview().empty
    # What one says, another does not say again, nor with another value unnoticed.
    again = RulesBlock([("r3", "Be brief"), ("r4", "Use port 5433 for staging")], to=path)
    assert any("r3 is not repeated" in warning for warning in again.preview().warnings)
    write(again)
    assert path.read_text().count("- Be brief") == 1
    other = RulesBlock([("r5", "Use port 5434 for staging")], to=path, block="third")
    assert any("5433" in warning and "5434" in warning for warning in other.preview().warnings)


def test_the_flags_of_promote_write_side_by_side(shop: Path, commands: Commands) -> None:
    """C07: also when they are asked for at once, and undone at once."""
    path = shop / "CLAUDE.md"
    path.write_text("# Shop\n")
    assert commands.run("promote", "last")[0] == 0
    with_rules = path.read_text()
    assert commands.run("promote", "last", "--state", "--compact-instructions")[0] == 0
    text = path.read_text()
    assert text.startswith(with_rules)
    assert text.count(":begin") == 3
    assert commands.run("undo")[0] == 0
    assert path.read_text() == with_rules
    undone = commands.json("receipts")["receipts"][0]["id"]
    assert commands.run("undo", undone)[0] == 0
    assert path.read_text() == text
    words = ("--state", "--compact-instructions", "--remove")
    assert commands.run("promote", "last", *words)[0] == 0
    assert path.read_text() == with_rules


@pytest.mark.parametrize(
    ("one", "other"), [("app", "app2"), ("app2", "app"), ("a.b", "axb"), ("app", "APP")]
)
def test_ids_are_compared_whole(
    tmp_path: Path, write: Callable[[BlockTarget], str], one: str, other: str
) -> None:
    """C08."""
    path = tmp_path / "AGENTS.md"
    path.write_text("mine\n")
    write(RulesBlock([("r1", "Be kind")], to=path, block=one))
    write(RulesBlock([("r2", "Be brief")], to=path, block=other))
    write(RulesBlock([("r3", "Be quick")], to=path, block=one, retired=["r1"]))
    assert sorted(rules_in(path)) == ["- Be brief", "- Be quick"]
    write(RulesBlock([], to=path, block=one))
    assert rules_in(path) == ["- Be brief"]
    write(RulesBlock([], to=path, block=other))
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize("words", [(), ("--state",), ("--compact-instructions",), ("--remove",)])
@pytest.mark.parametrize("start", [b"", b"# Shop\n", b"# Shop", b"\xef\xbb\xbfa\r\nb\r\n", b"\n\n"])
def test_the_second_run_changes_no_byte_and_no_time(
    shop: Path, commands: Commands, words: tuple[str, ...], start: bytes
) -> None:
    """C10."""
    path = shop / "CLAUDE.md"
    path.write_bytes(start)
    assert commands.run("promote", "last", *words)[0] == 0
    once = path.read_bytes()
    os.utime(path, (1, 1))
    for _ in range(2):
        status, _, err = commands.run("promote", "last", *words)
        assert status == 0
        assert "already" in err
    assert (path.read_bytes(), path.stat().st_mtime) == (once, 1)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("id", ["project", "state", "compact-instructions"])
def test_a_bom_hides_no_marker(
    tmp_path: Path,
    write: Callable[[BlockTarget], str],
    newline: str,
    id: str,  # noqa: A002
) -> None:
    """C12."""
    path = tmp_path / "CLAUDE.md"
    before = "\ufeff" + block(id, "- old", newline=newline) + f"mine{newline}"
    path.write_bytes(before.encode())
    state = State("Fix it", "", (), "s", NOW)
    made: dict[str, BlockTarget] = {
        "project": RulesBlock(RULES, to=path),
        "state": StateBlock(state, to=path),
        "compact-instructions": CompactInstructions(to=path),
    }
    write(made[id])
    data = path.read_bytes().decode()
    assert data.startswith("\ufeff<!-- redline:")
    assert data.count("\ufeff") == data.count(":begin") == 1
    assert data.endswith(f"-->{newline}mine{newline}")
    assert data.count("\n") == data.count(newline)


@pytest.mark.parametrize(
    "how",
    [
        "link",
        "link back",
        "import",
        "import of nothing yet",
        "import among text",
        "import of an import",
        ".claude",
    ],
)
def test_one_file_under_two_names_gets_one_block(tmp_path: Path, kept: Places, how: str) -> None:
    """C14: and it is said where."""
    claude, agents = tmp_path / "CLAUDE.md", tmp_path / "AGENTS.md"
    agents.write_text("# Ours\n")
    match how:
        case "link":
            claude.symlink_to("AGENTS.md")
        case "link back":
            agents.unlink()
            claude.write_text("# Ours\n")
            agents.symlink_to("CLAUDE.md")
        case "import":
            claude.write_text("@AGENTS.md\n")
        case "import of nothing yet":
            agents.unlink()
            claude.write_text("# Mine\n\n@AGENTS.md\n")
        case "import among text":
            claude.write_text("# Mine\n\nAll of @AGENTS.md holds here as well.\n")
        case "import of an import":
            (tmp_path / "docs").mkdir()
            (tmp_path / "docs/all.md").write_text("- @../AGENTS.md\n")
            claude.write_text("# Mine\n@docs/all.md\n")
        case _:
            (tmp_path / ".claude").mkdir()
            claude = tmp_path / ".claude" / "CLAUDE.md"
            claude.write_text("@../AGENTS.md\n")
    changes = [RulesBlock(RULES, to=path).preview() for path in (claude, agents)]
    commit(changes, session="s", places=kept, now=NOW)
    texts = [path.read_text() for path in {claude.resolve(), agents.resolve()}]
    assert sum(text.count("- Never touch src/legacy") for text in texts) == 1
    real = agents.resolve()
    assert "- Never touch src/legacy" in real.read_text()
    told = [*changes[0].warnings, *changes[1].warnings]
    assert any(real.name in warning for warning in told)
    assert all(RulesBlock(RULES, to=path).preview().empty for path in (claude, agents))


@pytest.mark.parametrize("words", [(), ("--state",), ("--remove",)])
def test_a_write_through_a_link_touches_the_block_only(
    shop: Path, commands: Commands, words: tuple[str, ...]
) -> None:
    """C15: 1,488 lines stay, the link stays, the real file is named, a copy is kept."""
    text = "".join(f"line {number}\n" for number in range(1_488))
    (shop / "AGENTS.md").write_text(text + "\n" + block("project", "- old"))
    os.chmod(shop / "AGENTS.md", 0o640)
    (shop / "CLAUDE.md").symlink_to("AGENTS.md")
    status, out, err = commands.run("promote", "last", *words)
    assert status == 0
    assert str((shop / "AGENTS.md").resolve()) in out + err
    assert (shop / "CLAUDE.md").is_symlink()
    assert (shop / "AGENTS.md").read_text().startswith(text)
    assert (shop / "AGENTS.md").stat().st_mode & 0o777 == 0o640
    assert commands.run("undo")[0] == 0
    assert (shop / "AGENTS.md").read_text() == text + "\n" + block("project", "- old")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("target", ["missing.md", "no/such/folder.md", "loop"])
def test_a_link_to_nothing_is_told_and_kept(
    shop: Path, commands: Commands, name: str, target: str
) -> None:
    """C16."""
    path = shop / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path.name if target == "loop" else target)
    for words in ((), ("--state",), ("--dry-run",)):
        status, _, err = commands.run("promote", "last", "--to", name, *words)
        assert status == 2
        assert path.name in err
        assert "link" in err
        assert "Traceback" not in err
    assert os.readlink(path) == (path.name if target == "loop" else target)


def test_two_processes_write_different_blocks_and_lose_none(tmp_path: Path, kept: Places) -> None:
    """C19: 20 rounds, both there each time."""
    path = tmp_path / "AGENTS.md"
    path.write_text("# Mine\n")
    for number in range(20):
        children = []
        for name in ("one", "two"):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    rules = [("r", f"rule {name} {number}")]
                    target = RulesBlock(rules, to=path, block=name, redact=lambda text: (text, {}))
                    commit([target.preview()], session=name, places=kept, now=NOW)
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
        text = path.read_text()
        assert text.startswith("# Mine\n")
        assert sorted(rules_in(path)) == [f"- rule one {number}", f"- rule two {number}"]
        assert text.count(":begin") == text.count(":end") == 2


@pytest.mark.parametrize("agent", AGENTS, ids=lambda one: one.name)
def test_a_first_write_keeps_a_long_file_and_a_copy_of_it(
    home: Path, tmp_path: Path, commands: Commands, agent: Dialect
) -> None:
    """C20: 570 lines of somebody's own; it is shown first, and the copy is named."""
    folder = project_of(agent, home, tmp_path, commands)
    name = "CLAUDE.md" if agent is CLAUDE_CODE else "AGENTS.md"
    own = "".join(f"- own rule {number}\n" for number in range(570))
    (folder / name).write_text(own)
    status, shown, _ = commands.run("promote", "last", "--dry-run")
    assert status == 0
    assert not [line for line in shown.splitlines() if line.startswith("-") and line[1:2] != "-"]
    assert (folder / name).read_text() == own
    status, _, err = commands.run("promote", "last")
    assert status == 0
    assert (folder / name).read_text().startswith(own)
    receipt = commands.json("receipts")["receipts"][0]["id"]
    kept_at = tmp_path / "redline" / "state" / "receipts" / receipt
    assert str(kept_at) in err
    assert kept_at.is_dir()
    assert commands.run("undo")[0] == 0
    assert (folder / name).read_text() == own


@pytest.mark.parametrize(
    ("words", "setting", "allowed"),
    [
        (("handoff", "last", "--format", "mkd"), "", "md"),
        (("handoff", "last", "--strategy", "redlin"), "", "redline"),
        (("plan", "last", "-o", "plan.json"), "strategy: managed-section\n", "redline"),
        (("compact", "last"), "strategy: managed-section\n", "redline"),
        (("promote", "last"), "tokenizer: managed-section\n", "o200k"),
        (("promote", "last"), "mode: managed-section\n", "no setting"),
        (("promote", "last", "--mode", "managed-section"), "", "unrecognized"),
        (("rules", "last", "confrm", "--all"), "", "confirm"),
    ],
)
def test_a_mistyped_value_writes_nothing(
    shop: Path, commands: Commands, words: tuple[str, ...], setting: str, allowed: str
) -> None:
    """C23: the allowed ones are named."""
    (shop / "CLAUDE.md").write_text("# Mine\n")
    if setting:
        (shop / ".redline.yaml").write_text(setting)
    status, _, err = commands.run(*words)
    assert status == 2
    assert allowed in err
    assert (shop / "CLAUDE.md").read_text() == "# Mine\n"
    assert not (shop / "plan.json").exists()
    assert not list(shop.parent.glob("redline/data/handoffs/*/*"))
