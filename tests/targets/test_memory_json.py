from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.errors import RedlineError
from redline.handoff.handoff import Constraint, Decision, Handoff, UserWords
from redline.ledger.rule import Rule, RuleFamily, RuleState
from redline.model import Agent, SessionInfo
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.memory_json import LARGEST, MemoryJson, memory_file
from redline.targets.receipts import Receipts
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, 30, tzinfo=UTC)
NEW = Handoff(goal="Fix the total", done=("told",), next_plan=("then",))


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".agent" / "memory.json"


def laid(file: Path, text: str | bytes) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def write(target: MemoryJson, home: Places) -> None:
    commit(target.previews(), session="s1", places=home, now=NOW)


def test_a_missing_memory_is_made_and_undone_with_its_folder(file: Path, home: Places) -> None:
    write(MemoryJson(NEW, to=file), home)
    text = file.read_text()
    assert text.startswith('{\n  "version": "1.0",\n  "goal": "Fix the total",\n')
    assert text.endswith("}\n")
    assert json.loads(text)["next_plan"] == ["then"]
    Receipts(home).undo(now=NOW)
    assert not file.parent.exists()


def test_a_memory_that_says_it_already_is_not_touched(file: Path, home: Places) -> None:
    write(MemoryJson(NEW, to=file), home)
    assert MemoryJson(NEW, to=file).preview().empty
    file.write_text(json.dumps(json.loads(file.read_text()), indent=7) + "\n\n")
    assert MemoryJson(NEW, to=file).preview().empty


def test_what_did_not_change_stands_as_it_stood(file: Path) -> None:
    text = (
        '{\r\n\t"mine": {"pi": 3.140, "tags": ["a", "b"],\t"e": "\\u00e9"},\r\n'
        '\t"next_plan": ["mine"],\r\n\t"n": 1e3\r\n}'
    )
    after = MemoryJson(NEW, to=laid(file, text)).preview().after.decode()
    assert '\r\n\t"mine": {"pi": 3.140, "tags": ["a", "b"],\t"e": "\\u00e9"},\r\n' in after
    assert '"n": 1e3' in after
    assert "\n" not in after.replace("\r\n", "")
    assert after.endswith("}")
    assert json.loads(after)["next_plan"] == ["then", "mine"]


def test_a_file_on_one_line_stays_on_one_line(file: Path) -> None:
    after = MemoryJson(NEW, to=laid(file, '{"a": 1}\n')).preview().after.decode()
    assert after.startswith('{"version": "1.0", "a": 1, ')
    assert after.count("\n") == 1


def test_a_badly_written_memory_is_mended_with_a_notice_and_comes_back_byte_for_byte(
    file: Path, home: Places
) -> None:
    broken = b"\xef\xbb\xbf```json\n{'done': ['caf\xe9',], // so far\n 'mine': NaN"
    target = MemoryJson(NEW, to=laid(file, broken))
    (warning,) = target.preview().warnings
    assert warning.startswith(f"{file} is mended: ")
    assert "single quotes" in warning
    write(target, home)
    data = json.loads(file.read_text())
    assert data["done"] == ["café", "told"]
    assert data["mine"] == "NaN"
    assert [path.name for path in file.parent.iterdir()] == ["memory.json"]
    Receipts(home).undo(now=NOW)
    assert file.read_bytes() == broken


def test_the_broken_original_lies_beside_it_where_that_is_asked(file: Path, home: Places) -> None:
    write(MemoryJson(NEW, to=laid(file, "{'a': 1}"), keep_original=True), home)
    (beside,) = [path for path in file.parent.iterdir() if path != file]
    assert beside.read_text() == "{'a': 1}"
    assert len(MemoryJson(NEW, to=file, keep_original=True).previews()) == 1


def test_a_memory_without_any_json_is_kept_under_notes(file: Path, tmp_path: Path) -> None:
    change = MemoryJson(NEW, to=laid(file, "# What I know\n\n- tabs\n")).preview()
    assert json.loads(change.after)["notes"] == ["# What I know\n\n- tabs"]
    assert change.warnings
    for name, data in (("notes.md", b"# Mine"), ("a.json", b"\0\1\2")):
        other = tmp_path / name
        other.write_bytes(data)
        with pytest.raises(RedlineError, match="no JSON"):
            MemoryJson(NEW, to=other).preview()


def test_two_writers_at_once_lose_nothing(file: Path, home: Places) -> None:
    laid(file, '{"mine": 1}')
    first = MemoryJson(Handoff(done=("first",)), to=file).previews()
    second = MemoryJson(Handoff(done=("second",)), to=file).previews()
    commit(first, session="s1", places=home, now=NOW)
    agents = json.loads(file.read_text())
    file.write_text(json.dumps({**agents, "done": [*agents["done"], "by the agent"]}))
    commit(second, session="s2", places=home, now=NOW)
    assert json.loads(file.read_text())["done"] == ["first", "by the agent", "second"]
    result = Receipts(home).undo(now=NOW)
    assert [done.outcome for done in result.files] == [Outcome.RESTORED]
    assert json.loads(file.read_text())["done"] == ["first", "by the agent"]


def test_secrets_are_taken_out_of_what_is_added_and_told_of_what_is_there(file: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    new = Handoff(decisions=(Decision(f"use {secret}"),), current_state=f"token {secret}")
    change = MemoryJson(new, to=laid(file, json.dumps({"mine": f"key {secret}"}))).preview()
    assert change.after.decode().count(secret) == 1
    assert any("2 x" in warning and "taken out" in warning for warning in change.warnings)
    assert any("already" in warning for warning in change.warnings)


def test_what_a_session_alone_needs_is_not_remembered(file: Path) -> None:
    new = Handoff(
        goal="g",
        user_words=(UserWords("my own words"),),
        sources={"/done/0": ("m1",)},
        extra={"from": "elsewhere"},
        transcript="/s.jsonl",
    )
    data = json.loads(MemoryJson(new, to=file).preview().after)
    assert not {"user_words", "sources", "from", "transcript", "plan"} & set(data)


def test_hidden_characters_are_written_as_escapes(file: Path) -> None:
    after = MemoryJson(Handoff(done=("a\u202eb\x1b",)), to=file).preview().after
    assert b"a\\u202eb\\u001b" in after
    assert json.loads(after)["done"] == ["a\u202eb\x1b"]


def test_half_a_character_in_it_stays_one(file: Path) -> None:
    after = MemoryJson(NEW, to=laid(file, '{"done": ["\\ud83d"]}')).preview().after
    assert json.loads(after)["done"] == ["\ud83d", "told"]


def test_it_stays_small_enough_to_be_read(file: Path) -> None:
    many = Handoff(done=tuple(f"step {number} {'x' * 90}" for number in range(5_000)))
    change = MemoryJson(many, to=file).preview()
    assert len(change.after) <= LARGEST
    assert any("of done left out" in warning for warning in change.warnings)
    assert json.loads(change.after)["done"][-1].startswith("step 4999 ")
    laid(file, json.dumps({"mine": "x" * LARGEST}))
    with pytest.raises(RedlineError, match="would have more than"):
        MemoryJson(NEW, to=file).preview()
    laid(file, b"{" + b" " * 2_000_000)
    with pytest.raises(RedlineError, match="so large"):
        MemoryJson(NEW, to=file).preview()


def test_a_link_that_leads_out_of_the_project_is_not_followed(file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    outside = tmp_path.parent / "outside.json"
    outside.write_text("{}")
    file.symlink_to(outside)
    with pytest.raises(RedlineError, match="outside of the project"):
        MemoryJson(NEW, to=file, inside=tmp_path).preview()
    assert any("leads to" in one for one in MemoryJson(NEW, to=file).preview().warnings)


def test_a_rule_that_was_taken_back_leaves_the_memory(file: Path, home: Places) -> None:
    write(MemoryJson(Handoff(constraints=(Constraint("Tabs", "r", True),)), to=file), home)
    gone = Rule("r", "Tabs", RuleFamily.PREFER, RuleState.REVOKED)
    write(MemoryJson(NEW, to=file, ended=[gone]), home)
    assert json.loads(file.read_text())["constraints"] == []


def test_the_memory_lies_in_the_sessions_project(tmp_path: Path) -> None:
    info = SessionInfo(Agent.PI, "s", Path("/s.jsonl"), project=str(tmp_path))
    assert memory_file(info) == tmp_path / ".agent" / "memory.json"
    for project, word in ((None, "folder"), ("/nowhere/at all", "not on this machine")):
        with pytest.raises(RedlineError, match=word):
            memory_file(SessionInfo(Agent.PI, "s", Path("/s.jsonl"), project=project))


def _redact(text: str) -> tuple[str, Mapping[str, int]]:
    return text, {}


@given(
    st.dictionaries(st.sampled_from(["a", "done", "b"]), st.lists(st.text(), max_size=3)),
    st.sampled_from([None, 1, 4, "\t"]),
    st.lists(st.text(), max_size=3).map(tuple),
)
def test_whatever_it_holds_what_is_written_is_json_and_says_it(
    tmp_path_factory: pytest.TempPathFactory,
    memory: dict[str, list[str]],
    indent: int | str | None,
    done: tuple[str, ...],
) -> None:
    file = tmp_path_factory.mktemp("memory") / "memory.json"
    file.write_text(json.dumps(memory, indent=indent), encoding="utf-8")
    target = MemoryJson(Handoff(done=done), to=file, redact=_redact)
    data = json.loads(target.preview().after)
    assert {key: data[key] for key in memory if key != "done"} == {
        key: value for key, value in memory.items() if key != "done"
    }
    assert data["done"][: len(memory.get("done", []))] == memory.get("done", [])
    file.write_bytes(target.preview().after)
    assert target.preview().empty
