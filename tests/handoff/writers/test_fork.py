"""A fork of the session in its own agent: a stand-in here, the real agents where they are."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.facts.extract import extract
from redline.handoff.writers.failure import FailureKind, WriterFailure
from redline.handoff.writers.fork import ForkWriter
from redline.handoff.writers.fork_streams import claude_code, codex, pi, told
from redline.handoff.writers.writer import Correction, Piece, Spent, Task, Words
from redline.ledger.rule import Ledger
from redline.model import Agent, Gauge, PartType, Session
from tests.real.agents import RealAgent, place_claude_code, place_codex, place_pi, real_agent
from tests.real.api import stand_in
from tests.sessions_in_memory import reply, session, user

Lines = list[dict[str, Any]]
ANSWER = "## Goal\nRound the totals\n"
CLAUDE_CODE: Lines = [
    {"type": "system", "subtype": "init", "tools": ["Bash"]},
    {"type": "stream_event", "event": {"type": "message_start"}},
    {
        "type": "stream_event",
        "event": {
            "type": "content_block_delta",
            "delta": {"type": "thinking_delta", "thinking": "hm"},
        },
    },
    *(
        {
            "type": "stream_event",
            "event": {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}},
        }
        for text in (ANSWER[:9], ANSWER[9:])
    ),
    {"type": "assistant", "message": {"content": [{"type": "text", "text": ANSWER}]}},
    {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": ANSWER,
        "usage": {
            "input_tokens": 3,
            "cache_read_input_tokens": 150_000,
            "cache_creation_input_tokens": 400,
            "output_tokens": 900,
        },
    },
]
CODEX: Lines = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"type": "error", "message": "unknown model"}},
    {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": ANSWER}},
    {"type": "turn.completed", "usage": {"input_tokens": 7_000_000, "output_tokens": 36_000}},
]
PI: Lines = [
    {"type": "session", "id": "s"},
    {
        "type": "message_update",
        "assistantMessageEvent": {"type": "thinking_delta", "delta": "hm"},
    },
    {"type": "message_update", "assistantMessageEvent": {"type": "text_delta", "delta": ANSWER}},
    {
        "type": "message_end",
        "message": {
            "role": "assistant",
            "stopReason": "stop",
            "usage": {"input": 100, "cacheRead": 50, "cacheWrite": 0, "output": 9},
        },
    },
]


def never() -> bool:
    return False


def words(pieces: Iterator[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Words))


def task(of: Session, **more: Any) -> Task:
    return Task(of, None, extract(of), Ledger(), **more)


def forked(agent: Agent, folder: Path) -> Session:
    made = session(user("Round the totals"), reply("Done."), agent=agent)
    return replace(made, info=replace(made.info, project=str(folder), path=folder / "s.jsonl"))


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str, Lines, int], Mapping[str, str]]:
    """An environment in which the agent called `name` writes down how it was run and prints."""

    def made(name: str, lines: Lines, status: int = 0) -> Mapping[str, str]:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        file = folder / name
        text = "\n".join(map(json.dumps, lines))
        file.write_text(
            f"#!{sys.executable}\n"
            "import json, os, sys\n"
            "run = {'argv': sys.argv[1:], 'given': sys.stdin.read(), 'folder': os.getcwd()}\n"
            f"json.dump(run, open({str(tmp_path / 'run.json')!r}, 'w'))\n"
            f"print({text!r})\n"
            f"sys.exit({status})\n"
        )
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return {"PATH": str(folder)}

    return made


@pytest.mark.parametrize(("lines", "read"), [(CLAUDE_CODE, claude_code), (CODEX, codex), (PI, pi)])
def test_only_the_answer_of_what_an_agent_prints_is_taken(lines: Lines, read: Any) -> None:
    printed = "\n".join(["no JSON", "[1]", *map(json.dumps, lines)])
    for size in (1, 7, len(printed)):
        pieces = [printed[at : at + size] for at in range(0, len(printed), size)]
        assert words(told(pieces, read)) == ANSWER


def test_the_tokens_of_a_fork_are_those_the_agent_counted() -> None:
    found = [p for p in told(map(_line, CLAUDE_CODE), claude_code) if isinstance(p, Spent)]
    assert found == [Spent(150_403, 900, counted=True)]
    found = [p for p in told(map(_line, PI), pi) if isinstance(p, Spent)]
    assert found == [Spent(150, 9, counted=True)]


def _line(event: dict[str, Any]) -> str:
    return json.dumps(event) + "\n"


@pytest.mark.parametrize(
    ("event", "read", "kind"),
    [
        ({"type": "result", "subtype": "error_max_turns"}, claude_code, FailureKind.ANSWERED),
        (
            {"type": "result", "is_error": True, "result": "Credit balance is too low"},
            claude_code,
            FailureKind.PROGRAM,
        ),
        ({"type": "turn.failed", "error": {"message": "no"}}, codex, FailureKind.PROGRAM),
        (
            {"type": "message_end", "message": {"role": "assistant", "stopReason": "error"}},
            pi,
            FailureKind.PROGRAM,
        ),
        (
            {"type": "message_end", "message": {"role": "assistant", "stopReason": "toolUse"}},
            pi,
            FailureKind.ANSWERED,
        ),
    ],
)
def test_a_fork_that_gives_no_answer_is_a_failure(
    event: dict[str, Any], read: Any, kind: FailureKind
) -> None:
    with pytest.raises(WriterFailure) as raised:
        list(told([_line(event)], read))
    assert raised.value.failure.kind is kind


def test_what_an_agent_says_of_its_failure_brings_no_secret_and_no_escape() -> None:
    event = {"type": "turn.failed", "error": {"message": "\x1b[2J key sk-ant-api03-abcdefgh12345"}}
    with pytest.raises(WriterFailure) as raised:
        list(told([_line(event)], codex))
    assert "abcdefgh" not in raised.value.failure.message
    assert "\x1b" not in raised.value.failure.message


@pytest.mark.parametrize(
    ("agent", "name", "lines", "wanted"),
    [
        (
            Agent.CLAUDE_CODE,
            "claude",
            CLAUDE_CODE,
            ("--fork-session", "--no-session-persistence", "--max-turns"),
        ),
        (Agent.CODEX, "codex", CODEX, ("--ephemeral", "read-only", "fork")),
        (Agent.PI, "pi", PI, ("--no-tools", "--fork", "--session-dir")),
    ],
)
def test_a_fork_runs_in_the_folder_of_its_session_and_leaves_nothing(
    program: Any, tmp_path: Path, agent: Agent, name: str, lines: Lines, wanted: tuple[str, ...]
) -> None:
    environment = program(name, lines)
    made = forked(agent, tmp_path)
    focus = task(made, focus="the rounding", correction=Correction("no heading", "Sure!"))
    assert words(ForkWriter(environment).pieces(focus, never)) == ANSWER
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["folder"] == str(tmp_path)
    assert set(wanted) <= set(run["argv"])
    named = str(tmp_path / "s.jsonl") if agent is Agent.PI else made.info.id
    assert named in run["argv"]
    for part in ("## Goal", "the rounding", "no heading"):
        assert part in run["given"]
    if agent is Agent.PI:
        assert not Path(run["argv"][run["argv"].index("--session-dir") + 1]).exists()


def test_a_session_that_cannot_be_forked_says_why(tmp_path: Path) -> None:
    made = forked(Agent.CODEX, tmp_path)
    cases = {
        "no fork": replace(made, info=replace(made.info, agent=Agent.HERMES)),
        "not this view": replace(made, before=1),
        "compact the fork": replace(made, gauge=Gauge(active=9, trigger=9)),
        "not there any more": replace(made, info=replace(made.info, project="/nowhere/at/all")),
        "there is no program codex": made,
    }
    for why, of in cases.items():
        with pytest.raises(WriterFailure, match=why):
            list(ForkWriter({"PATH": str(tmp_path)}).pieces(task(of), never))


# -- the real agents -------------------------------------------------------------------------------


@pytest.mark.real
@pytest.mark.parametrize("agent", [Agent.CLAUDE_CODE, Agent.CODEX, Agent.PI])
def test_the_real_agent_writes_from_a_fork_and_the_session_stays(
    agent: Agent, real_sessions: Path, tmp_path: Path
) -> None:
    with stand_in() as api:
        api.answer = ANSWER
        real = real_agent(agent, tmp_path, api)
        made = _placed(real, real_sessions)
        before = _files(tmp_path)
        answer = words(ForkWriter(real.environment).pieces(task(made), never))
        assert answer == ANSWER
        (request,) = api.conversations
        sent = json.dumps(request, ensure_ascii=False)
        assert "another agent goes on with the work" in sent
        last = next(p for m in reversed(made.context) for p in m.parts if p.type is PartType.TEXT)
        assert json.dumps(made.text(last)[:60], ensure_ascii=False)[1:-1] in sent
        assert _sessions(_files(tmp_path)) == _sessions(before)


@pytest.mark.real
@pytest.mark.parametrize(
    ("agent", "tool", "given"),
    [
        (Agent.CLAUDE_CODE, "Bash", {"command": "touch touched"}),
        (Agent.CLAUDE_CODE, "Write", {"file_path": "touched", "content": "x"}),
        (Agent.PI, "bash", {"command": "touch touched"}),
    ],
)
def test_a_fork_of_a_real_agent_can_change_nothing(
    agent: Agent, tool: str, given: dict[str, Any], real_sessions: Path, tmp_path: Path
) -> None:
    with stand_in() as api:
        real = real_agent(agent, tmp_path, api)
        allowed = {"permissions": {"allow": ["Bash", "Write"]}}
        settings = real.home / ".claude/settings.json"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps(allowed))
        made = _placed(real, real_sessions)
        api.tool = tool, {**given, "file_path": str(real.work / "touched")}
        with suppress(WriterFailure):
            list(ForkWriter(real.environment).pieces(task(made), never))
        assert api.conversations
        assert not (real.work / "touched").exists()


def _placed(real: RealAgent, sessions: Path) -> Session:
    match real.agent:
        case Agent.CLAUDE_CODE:
            source = sessions / "claude_code" / "compacted_by_2.1.197_manual.jsonl"
            path = place_claude_code(real, source, open_session(source).info.id)
        case Agent.CODEX:
            source = sessions / "codex" / "compacted_by_0.171.0_local.jsonl"
            path = place_codex(real, source, open_session(source).info.id, "2026-02-23")
        case _:
            path = place_pi(real, sessions / "pi" / "large-session.v3-migrated.jsonl")
    made = open_session(path)
    return replace(made, info=replace(made.info, project=str(real.work)))


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _sessions(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name.endswith(".jsonl")}
