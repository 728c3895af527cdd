"""The strategies against Hermes itself, where it is installed: what it prunes, which messages it
takes out, and every line it writes must be the same.

0.19 is `$REDLINE_AGENTS/hermes`; 0.22 is compared too where its package lies unpacked in
`$REDLINE_AGENTS/hermes-0.22` (it runs in the environment of the other).
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from redline.agents.hermes.reader import open_session as open_hermes
from redline.agents.opening import open_session
from redline.compaction.plan import STAYING, Plan
from redline.compaction.strategies.hermes_measured import measured
from redline.compaction.strategies.hermes_messages import SUMMARY_MARK, given
from redline.errors import RedlineError
from redline.model import Session
from tests.compaction.strategies.hermes_talk import SUMMARY, Talk
from tests.compaction.windows import propose, window_of

_JUDGE = Path(__file__).with_name("hermes_judge.py")
_WINDOWS = (16_000, 64_000, 128_000, 1_000_000)
_REMOVED = "(tool call removed)"  # what is left of a message that was a call without a result
_AGAIN = "[STILL IN PROGRESS"  # how 0.22 says a request again

Ask = Callable[[Mapping[str, Any]], dict[str, Any]]


@pytest.fixture(scope="module", params=["hermes-legacy", "hermes"])
def judged(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Ask]]:
    """A strategy's name, and what answers as its Hermes does."""
    agents = Path(os.environ.get("REDLINE_AGENTS") or "/nowhere")
    python, newer = agents / "hermes" / "bin" / "python", agents / "hermes-0.22"
    if not python.exists() or (request.param == "hermes" and not newer.is_dir()):
        pytest.skip("REDLINE_AGENTS names no folder with this Hermes in it")
    home = str(tmp_path_factory.mktemp("home"))
    environment = {"HOME": home, "HERMES_HOME": home, "PATH": os.environ["PATH"]}
    if request.param == "hermes":
        environment["PYTHONPATH"] = str(newer)
    with subprocess.Popen(
        [python, _JUDGE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as process:
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def ask(case: Mapping[str, Any]) -> dict[str, Any]:
            asked.write(json.dumps(case) + "\n")
            asked.flush()
            found: dict[str, Any] = json.loads(answers.readline())
            return found

        yield request.param, ask
        asked.close()


def messages_of(session: Session) -> list[dict[str, Any]]:
    """The context for Hermes. A summary of another agent begins as one of its own."""
    found = []
    for message in session.context:
        for told in given(session, message):
            body = dict(told.body)
            content = body["content"]
            if body.pop(SUMMARY_MARK, None) and isinstance(content, str):
                body["content"] = SUMMARY + content[len(SUMMARY) :]
            found.append(body)
    return found


def compare(
    session: Session, name: str, ask: Ask, case: Mapping[str, Any], *, pairs: bool = True
) -> None:
    """That the plan is what Hermes answers. Without `pairs` which messages stay is not compared:
    a plan keeps no call without its results."""
    answer = ask(case)
    window = window_of(session, limit=case["window"])
    plan = propose(window, name, tail_tokens=case.get("tail"))
    details = plan.details
    assert (answer["threshold"], answer["tail"], answer["rows"]) == (
        details["threshold_tokens"],
        details["tail_token_budget"],
        details["rows"],
    )
    assert answer["compacted"] is not bool(details.get("nothing_to_compact"))
    if not answer["compacted"]:
        return
    assert (answer["pruned"], answer["start"], answer["end"]) == (
        details["pruned"],
        details["compress_start"],
        details["compress_end"],
    )
    _compare_lines(session, plan, answer)
    if pairs:
        _compare_rows(session, plan, answer)


def _compare_lines(session: Session, plan: Plan, answer: Mapping[str, Any]) -> None:
    rows = measured(session).rows
    later = {number: text for number, text, _ in answer["left"] if isinstance(text, str)}
    for key, line in answer["lines"].items():
        row = rows[int(key)]
        stands = [plan.stand_ins.get((row.message, j)) for j in row.places]
        if isinstance(line, str):
            assert line in stands or later.get(int(key)) in stands
        else:
            words = [block["text"] for block in line if block["type"] == "text"]
            assert all(stand in words for stand in stands if stand)


def _compare_rows(session: Session, plan: Plan, answer: Mapping[str, Any]) -> None:
    rows = measured(session).rows
    mine = []
    for i, row in enumerate(rows):
        acts = [plan.action_of(row.message, j) for j in row.places] or [plan.actions[row.message]]
        if any(act in STAYING for act in acts):
            mine.append(i)
    theirs = [
        number
        for number, text, _ in answer["left"]
        if number is not None
        and not (isinstance(text, str) and (text == _REMOVED or text.startswith(_AGAIN)))
        and (number in mine or plan.reasons[rows[number].message] != "a call without a result")
    ]
    assert mine == theirs


@pytest.mark.real
@pytest.mark.parametrize("file", ["state.db", "state_v31.db"])
def test_sessions_of_hermes_are_compacted_as_by_hermes(
    real_sessions: Path, tmp_path: Path, judged: tuple[str, Ask], file: str
) -> None:
    name, ask = judged
    path = real_sessions / "hermes" / file
    own = (file == "state.db") == (name == "hermes-legacy")  # its own schema
    if own:
        shutil.copyfile(path, tmp_path / file)
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        ids = [found for (found,) in database.execute("SELECT id FROM sessions")]
    assert len(ids) == 9
    for session_id in ids:
        session = open_hermes(path, id=session_id)
        stored = {"database": str(tmp_path / file)} if own else {"messages": messages_of(session)}
        for window in _WINDOWS:
            compare(session, name, ask, {**stored, "session": session_id, "window": window})


@pytest.mark.real
def test_sessions_of_the_other_agents_are_compacted_as_by_hermes(
    real_sessions: Path, judged: tuple[str, Ask]
) -> None:
    name, ask = judged
    compared = 0
    for agent in ("claude_code", "codex", "pi"):
        for path in sorted((real_sessions / agent).rglob("*.jsonl")):
            try:
                session = open_session(path)
            except RedlineError:
                continue
            messages = messages_of(session)
            for window in _WINDOWS[::2]:
                compare(session, name, ask, {"messages": messages, "window": window})
                compared += 1
    assert compared > 30


@pytest.mark.real
@pytest.mark.parametrize("seed", range(40))
def test_made_up_conversations_are_compacted_as_by_hermes(
    judged: tuple[str, Ask], seed: int
) -> None:
    name, ask = judged
    session = Talk(seed).session()
    messages = messages_of(session)
    for window, tail in ((32_000, None), (128_000, None), (200_000, 100 * (seed % 60))):
        case = {"messages": messages, "window": window, "tail": tail}
        compare(session, name, ask, case, pairs=False)
