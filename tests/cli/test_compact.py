"""`redline compact`: the session in its agent's own form, written and taken back."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.model import Kind, Session
from tests.cli.conftest import Run


def _files(scratch: Path) -> dict[Path, tuple[bytes, int]]:
    """Every session of the scratch folder, with its time of change."""
    found = scratch.rglob("*.jsonl")
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


def _said(session: Session) -> list[str]:
    return [session.text(part) for message in session.context for part in message.parts]


def _summary(session: Session) -> str:
    (told,) = (
        session.text(part)
        for message in session.context
        for part in message.parts
        if part.kind is Kind.SUMMARY
    )
    return told


def test_the_command_that_resumes_it_is_all_that_is_printed(
    run: Run, shop: str, scratch: Path
) -> None:
    before = _files(scratch)
    done = run("compact", shop)
    assert done.status == 0
    (path,) = _files(scratch).keys() - before.keys()
    folder, command = done.out.strip().split(" && ")
    assert shlex.split(command) == ["claude", "--resume", path.stem]
    assert folder == f"cd {run('inspect', shop, '--json').json['session']['project']}"
    assert {path: held for path, held in _files(scratch).items() if path in before} == before


def test_undo_takes_the_new_session_away_and_redo_brings_it_back(
    run: Run, shop: str, scratch: Path
) -> None:
    before = _files(scratch)
    run("compact", shop)
    after = {path: data for path, (data, _) in _files(scratch).items()}
    undone = run("undo", "--json").json
    assert _files(scratch) == before
    assert run("undo", undone["receipt"]).status == 0
    assert {path: data for path, (data, _) in _files(scratch).items()} == after


def test_a_session_that_was_gone_on_with_is_not_taken_away(
    run: Run, shop: str, scratch: Path
) -> None:
    path = Path(run("compact", shop, "--json").json["path"])
    with path.open("ab") as file:
        file.write(b'{"type":"mode","mode":"normal"}\n')
    grown = path.read_bytes()
    assert run("undo").status == 1
    assert path.read_bytes() == grown


def test_a_dry_run_writes_nothing_and_says_what_would_be(
    run: Run, shop: str, scratch: Path
) -> None:
    before = _files(scratch)
    done = run("compact", shop, "--dry-run")
    assert done.status == 0
    assert "claude --resume" in done.out
    assert "nothing was written" in done.out
    assert _files(scratch) == before
    assert run("receipts", "--json").json["receipts"] == []


def test_json_tells_where_it_is_and_how_it_is_resumed(run: Run, shop: str) -> None:
    told = run("compact", shop, "--json").json
    session = open_session(Path(told["path"]))
    assert told["schema"] == 1
    assert told["session"] == session.info.id
    assert told["argv"] == ["claude", "--resume", told["session"]]
    assert told["receipt"]
    assert told["summary"] is True
    assert told["messages"]["kept"] + told["messages"]["in_part"] + 1 == len(session.context)
    assert told["tokens"]["after"] < told["tokens"]["before"]


def test_the_plan_of_the_command_line_is_what_is_written(
    run: Run, shop: str, tmp_path: Path
) -> None:
    saved = tmp_path / "plan.json"
    plan = run("plan", shop, "--strategy", "pi", "--tail", "3k", "--json").json
    assert run("plan", shop, "--strategy", "pi", "--tail", "3k", "-o", str(saved)).status == 0
    told = run("compact", shop, "--plan", str(saved), "--json").json
    kept = [row["id"] for row in plan["messages"] if row["action"] == "keep"]
    assert told["messages"]["kept"] == len(kept)
    original = {message.id: message for message in open_session(_source(run, shop)).context}
    texts = [text for text in _said(open_session(Path(told["path"])))[1:] if text]
    source = open_session(_source(run, shop))
    wanted = [source.text(part) for name in kept for part in original[name].parts]
    assert texts == [text for text in wanted if text]


def _source(run: Run, shop: str) -> Path:
    return Path(run("inspect", shop, "--json").json["session"]["path"])


def test_an_edited_handoff_is_the_summary(run: Run, shop: str, tmp_path: Path) -> None:
    edited = tmp_path / "mine.md"
    run("handoff", shop, "-o", str(edited))
    edited.write_text(edited.read_text() + "\n## My own notes\n\nThe quokka knows the way.\n")
    told = run("compact", shop, "--handoff", str(edited), "--json").json
    assert "The quokka knows the way." in _summary(open_session(Path(told["path"])))


def test_the_rules_stand_in_the_summary_word_for_word(run: Run, shop: str) -> None:
    run("rules", shop, "add", "Never push on a Friday")
    told = run("compact", shop, "--json").json
    assert "Never push on a Friday" in _summary(open_session(Path(told["path"])))


RULE = "Never push on a Friday"


def _without_rules(text: str) -> str:
    """A handoff whose sections of rules were cut out."""
    blocks = text.split("\n## ")
    return "\n## ".join(block for block in blocks if RULE not in block)


def test_a_handoff_that_lost_the_rules_gets_them_back_and_that_is_told(
    run: Run, shop: str, tmp_path: Path
) -> None:
    run("rules", shop, "add", RULE)
    cut = tmp_path / "cut.md"
    run("handoff", shop, "-o", str(cut))
    cut.write_text(_without_rules(cut.read_text()))
    assert RULE not in cut.read_text()
    said = run("compact", shop, "--handoff", str(cut), "--dry-run").err
    assert f"a confirmed rule that the handoff lacks was put in: {RULE}" in said
    told = run("compact", shop, "--handoff", str(cut), "--json").json
    assert told["rules_missing"] == [RULE]
    assert any(RULE in warning for warning in told["warnings"])
    assert RULE in _summary(open_session(Path(told["path"])))
    told = run("compact", shop, "--handoff", str(cut), "--without-rules", "--json").json
    assert any(f"is left out: {RULE}" in warning for warning in told["warnings"])
    assert RULE not in _summary(open_session(Path(told["path"])))


def test_a_whole_handoff_lacks_no_rule_and_is_taken_as_it_is(
    run: Run, shop: str, tmp_path: Path
) -> None:
    run("rules", shop, "add", RULE)
    whole = tmp_path / "whole.md"
    run("handoff", shop, "-o", str(whole))
    told = run("compact", shop, "--handoff", str(whole), "--dry-run", "--json").json
    assert told["rules_missing"] == []
    assert told["warnings"] == run("compact", shop, "--dry-run", "--json").json["warnings"]


@pytest.mark.parametrize("name", ["mine.md", "mine.json"])
def test_what_a_handoff_lost_besides_rules_is_told(
    run: Run, shop: str, tmp_path: Path, name: str
) -> None:
    thin = tmp_path / name
    goal = "Round the totals."
    thin.write_text(json.dumps({"goal": goal}) if ".json" in name else f"## Goal\n\n{goal}\n")
    said = run("compact", shop, "--handoff", str(thin), "--dry-run").err
    assert "neither the handoff nor what stays holds all" in said
    assert "user words" in said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.md", b"", "is empty"),
        ("blank.md", b" \n\n\t\n", "is empty"),
        ("notes.md", b"# Shopping\n\nmilk, eggs\n", "is no handoff"),
        ("title.md", b"# Handoff (schema 1.0)\n", "is no handoff"),
        ("noise.md", bytes(range(256)) * 20, "is no handoff"),
        ("other.json", b'{"milk": 2}', "is no handoff"),
        ("list.json", b"[]", "a handoff is a JSON object"),
    ],
)
def test_a_file_that_is_no_handoff_is_refused(
    run: Run, shop: str, scratch: Path, name: str, content: bytes, said: str
) -> None:
    file = scratch / name
    file.write_bytes(content)
    before = _files(scratch)
    done = run("compact", shop, "--handoff", str(file))
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert _files(scratch) == before


def test_a_text_that_is_no_handoff_is_the_summary_where_that_is_asked_for(
    run: Run, shop: str, tmp_path: Path
) -> None:
    run("rules", shop, "add", RULE)
    free = tmp_path / "free.md"
    free.write_text("The quokka knows the way.\n")
    told = run("compact", shop, "--handoff", str(free), "--force", "--json").json
    summary = _summary(open_session(Path(told["path"])))
    assert "The quokka knows the way." in summary
    assert RULE in summary
    assert any("is no handoff" in warning for warning in told["warnings"])


def test_no_secret_stands_in_the_summary(run: Run, shop: str, tmp_path: Path) -> None:
    edited = tmp_path / "mine.md"
    key = "sk-ant-api03-" + "Ab3d" * 20
    edited.write_text(f"# Handoff\n\n## State\n\nThe key is {key}.\n")
    told = run("compact", shop, "--handoff", str(edited), "--json").json
    data = Path(told["path"]).read_text()
    assert key not in data
    assert "[redacted: " in data


def test_nothing_to_compact_is_a_no(run: Run, shop: str, scratch: Path) -> None:
    before = _files(scratch)
    done = run("compact", shop, "--strategy", "pi", "--tail", "900k")
    assert done.status == 1
    assert "nothing to compact" in done.err
    assert _files(scratch) == before


def test_a_plan_that_leaves_nothing_is_refused(run: Run, shop: str, scratch: Path) -> None:
    before = _files(scratch)
    done = run("compact", shop, "--strategy", "fresh")
    assert done.status == 2
    assert "write a handoff file" in done.err
    assert _files(scratch) == before


def test_in_place_is_refused_for_claude_code(run: Run, shop: str, scratch: Path) -> None:
    before = _files(scratch)
    assert run("compact", shop, "--in-place").status == 2
    assert _files(scratch) == before


def test_a_live_session_is_compacted_beside_and_told_where_it_was_taken(
    run: Run, shop: str, scratch: Path
) -> None:
    source = _source(run, shop)
    source.touch()
    before = source.read_bytes()
    told = run("compact", shop, "--json").json
    assert any(f"taken at message {told['taken_at']}" in said for said in told["warnings"])
    assert source.read_bytes() == before


def test_what_is_retold_nowhere_is_warned_of(run: Run, shop: str) -> None:
    first = run("plan", shop, "--json").json["messages"][2]["id"]
    done = run("compact", shop, "--strategy", "clear", "--summarise", first, "--dry-run")
    assert "no summary into the context" in done.err


@pytest.mark.parametrize("strategy", ["redline", "hermes", "clear", "scored"])
def test_what_is_written_is_listed_and_can_be_compacted_again(
    run: Run, shop: str, strategy: str
) -> None:
    told = run("compact", shop, "--strategy", strategy, "--json").json
    listed = [info["id"] for info in run("sessions", "--json").json["sessions"]]
    assert told["session"] in listed
    assert run("inspect", told["session"], "--json").json["resume"]["lost"] == 0
    again = run("compact", told["session"], "--strategy", "codex", "--json").json
    assert json.dumps(again["messages"])


def test_restore_gives_the_context_of_before_the_compaction(run: Run, shop: str) -> None:
    told = run("restore", shop, "--before", "1", "--json").json
    wanted = open_session(_source(run, shop), before=1)
    assert _said(open_session(Path(told["path"]))) == _said(wanted)
    assert told["summary"] is False
    assert told["messages"] == {
        "before": len(wanted.context),
        "kept": len(wanted.context),
        "in_part": 0,
    }


def test_restore_takes_the_last_compaction_by_default(run: Run, shop: str) -> None:
    first = run("restore", shop, "--json", "--dry-run").json
    again = run("restore", shop, "--before", "1", "--json", "--dry-run").json
    assert first["messages"] == again["messages"]


def test_restore_refuses_a_compaction_that_is_not_there(run: Run, shop: str) -> None:
    done = run("restore", shop, "--before", "7")
    assert done.status == 2
    assert "there is no compaction 7" in done.err


def test_nothing_to_restore_and_nothing_to_repair_are_a_no(run: Run, shop: str) -> None:
    sessions = run("sessions", "--json").json["sessions"]
    whole = next(info["id"] for info in sessions if "Postgres" in info["title"])
    assert run("restore", whole).status == 1
    assert run("restore", shop, "--repair").status == 1
    assert run("restore", shop, "--repair", "--before", "1").status == 2


def test_a_broken_session_is_repaired(run: Run, shop: str) -> None:
    source = _source(run, shop)
    lines = source.read_text().splitlines()
    at = next(
        i for i in range(len(lines) - 8, 0, -1) if '"type":"user"' in lines[i].replace(" ", "")
    )
    broken = json.loads(lines[at])
    broken["parentUuid"] = "nobody"
    broken["timestamp"] = "2027-01-01T00:00:00.000Z"
    lines[at] = json.dumps(broken)
    source.write_text("\n".join(lines) + "\n")
    assert run("inspect", shop, "--json").json["resume"]["lost"] > 0
    told = run("restore", shop, "--repair", "--json").json
    repaired = open_session(Path(told["path"]))
    assert repaired.resume_lost == 0
    assert _said(repaired) == _said(open_session(source))


@pytest.mark.parametrize("command", [("restore", "--before", "1"), ("compact",)])
def test_what_its_agent_would_compact_again_at_once_is_warned_of_with_its_sizes(
    run: Run, shop: str, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    first, *more = command
    assert "at once" not in run(first, shop, *more, "--dry-run").err
    monkeypatch.setenv("REDLINE_LIMITS", "*=5000")
    done = run(first, shop, *more, "--dry-run")
    assert "more than the 5,000 of the window" in done.err
    warnings = run(first, shop, *more, "--dry-run", "--json").json["warnings"]
    assert [one for one in warnings if "more than the 5,000 of the window" in one]
