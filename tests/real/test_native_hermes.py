"""The real Hermes goes on with what redline wrote: what it sends is the judge."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from redline.agents.hermes.encoding import handoff
from redline.agents.hermes.source import HermesSource
from redline.agents.opening import open_session, recognise
from redline.compaction.plan import Action, Pins
from redline.model import Agent, PartType, SessionInfo
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.native.draft import Draft, Work
from redline.targets.native.native import NativeSession
from redline.targets.receipts import Receipts
from tests.agents.hermes.made_up import SESSION, Made, call, count
from tests.real.agents import RealAgent, real_agent
from tests.real.api import StandIn
from tests.targets.native.making import possible, review_of, whole_work, work

pytestmark = pytest.mark.real

Sent = tuple[
    str, str, tuple[str, ...], str
]  # role, text, the ids of its calls, the call it answers
PROMPTS = ("And now?", "And then, at last?", "And after that?")
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


@pytest.fixture
def hermes(tmp_path: Path, api: StandIn) -> RealAgent:
    real = real_agent(Agent.HERMES, tmp_path, api)
    config = real.home / ".hermes/config.yaml"
    config.write_text(config.read_text() + "  supports_vision: true\n")
    return real


def conversation(real: RealAgent) -> Path:
    """A database of Hermes' own schema as far as it matters, with parallel calls, a cleared result,
    thinking, a picture and a text that was sent otherwise than it is shown."""
    path = real.home / ".hermes/state.db"
    made = Made(path)
    made.session(title="Rounding", cwd=str(real.work), model="fake-1")
    made.row("user", "Fix rounding in src/ledger.py, never touch the tests")
    made.row(
        "assistant",
        "I look at both.",
        reasoning_content="Two files.",
        tool_calls=[call("read_file", "c1", path="a.py"), call("read_file", "c2", path="b.py")],
    )
    made.result("read_file", "c1", "def round_it(): ...\n" * 40)
    made.result("read_file", "c2", "assert round_it() == 2\n" * 40)
    made.row("assistant", "It rounds twice.")
    made.row("user", "Then mend it", api_content="Then mend it\n\n(sent with a note)")
    made.call("terminal", "c3", command="sed -i s/a/b/ a.py")
    made.result("terminal", "c3", "[terminal] ran `sed -i s/a/b/ a.py` -> exit 0, 1 lines output")
    made.row("assistant", "Mended.", finish_reason="stop")
    made.row("user", [{"type": "text", "text": "Does it look like this?"}, PICTURE])
    made.row("assistant", "Yes, just so.")
    made.row("user", "Run the tests")
    made.call("terminal", "c4", command="pytest")
    made.result("terminal", "c4", "4 passed")
    made.row("assistant", "All 4 pass.")
    return made.close()


def placed(real: RealAgent, source: Path) -> Path:
    path = real.home / ".hermes/state.db"
    shutil.copyfile(source, path)
    return path


def at(path: Path, id: str = SESSION) -> SessionInfo:  # noqa: A002
    return recognise(path, id)


def now(task: Work) -> Work:
    return replace(task, now=datetime.now(UTC))


def kept(real: RealAgent) -> Places:
    return places({"REDLINE_HOME": str(real.home / "redline")})


def published(real: RealAgent, task: Work) -> tuple[Draft, str]:
    """The draft and the receipt of what was written."""
    target = NativeSession(now(task))
    change = target.preview()
    receipt = commit(
        (change,),
        session=task.session.info,
        places=kept(real),
        now=datetime.now(UTC),
        environment=real.environment,
    )
    assert target.draft is not None
    return target.draft, receipt.id


def expected(draft: Draft, task: Work) -> Iterator[Sent]:
    """What the plan says is in the context, one message at a time."""
    source = task.session.source
    assert isinstance(source, HermesSource)
    summary = handoff(task.summary) if task.summary else ""
    for number, stays in enumerate(draft.stays):
        if summary and number == task.plan.summary_at:
            yield "?", summary, (), ""
        row = source.row(stays.parts[0].part.origin.record)
        texts, calls, answered = [], [], ""
        for left in stays.parts:
            body = task.session.text(left.part) if left.body is None else left.body
            if left.part.type is PartType.TOOL_CALL:
                calls.append(left.part.call_id or "")
            elif left.part.type is PartType.IMAGE and left.body is None:
                texts.append("[image]")
            elif left.part.type in (PartType.TEXT, PartType.TOOL_RESULT, PartType.IMAGE):
                texts.append(body)
            if left.part.type is PartType.TOOL_RESULT:
                answered = left.part.call_id or ""
        # What one role says twice is joined, and then sent as it is shown.
        roles = [source.row(m.parts[0].part.origin.record)["role"] for m in draft.stays]
        joined = row["role"] in (*roles[max(0, number - 1) : number], *roles[number + 1 :][:1])
        sent = row.get("api_content") if stays.whole and not joined else None
        yield str(row["role"]), sent or "".join(texts), tuple(calls), answered
    if summary and (task.plan.summary_at or 0) >= len(draft.stays):
        yield "?", summary, (), ""


def found(body: dict[str, Any]) -> list[Sent]:
    told: list[Sent] = []
    for message in body["messages"]:
        if message["role"] == "system":
            continue
        calls = tuple(one["id"] for one in message.get("tool_calls") or ())
        text = said(message.get("content"))
        told.append((message["role"], text, calls, message.get("tool_call_id") or ""))
    return told


def said(content: object) -> str:
    if isinstance(content, list):
        return "".join(b["text"] if b["type"] == "text" else "[image]" for b in content)
    return str(content or "")


def words(sent: Iterable[Sent]) -> list[str]:
    """Everything that is said, in order, in one piece: Hermes joins what one role says twice."""
    return [word for _, text, _, _ in sent for word in text.split()]


def resumes(real: RealAgent, draft: Draft, task: Work, *, times: int = 1) -> None:
    """Its first request is the conversation: summary and kept messages, in order, and nothing else;
    roles take turns and every call has its result. So is that of each prompt to a new process."""
    wanted = list(expected(draft, task))
    said_since: list[str] = []
    for prompt in PROMPTS[:times]:
        first = len(real.api.requests)
        real.run("chat", "-Q", "-q", prompt, *draft.argv[-2:])
        sent = found(real.api.requests[first])
        said_since += prompt.split()
        assert sent[-1][0] == "user"
        assert sent[-1][1].endswith(prompt)
        assert words(sent) == [*words(wanted), *said_since]
        said_since += real.api.answer.split()
        assert [c for m in sent for c in m[2]] == [c for m in wanted for c in m[2]]
        assert [m[3] for m in sent if m[3]] == [m[3] for m in wanted if m[3]]
        _takes_turns(sent)


def _takes_turns(sent: list[Sent]) -> None:
    for above, below in pairwise(sent):
        pictured = "[image]" in above[1] + below[1]  # which Hermes itself does not join
        assert above[0] != below[0] or above[0] == "tool" or pictured
    waiting: set[str] = set()
    for _, _, calls, answered in sent:
        if answered:
            waiting.remove(answered)
        else:
            assert not waiting
            waiting = set(calls)
    assert not waiting


CUT = Pins(cut="8")
PLANS = [
    ("redline", CUT, False),
    ("redline", CUT, True),
    ("hermes-legacy", Pins(cut="12"), True),
    ("codex", None, False),
    ("clear", Pins(actions={"3": Action.CLEAR}), True),
]


@pytest.mark.parametrize(("strategy", "pins", "in_place"), PLANS)
def test_it_resumes_what_was_compacted(
    hermes: RealAgent, strategy: str, pins: Pins | None, in_place: bool
) -> None:
    path = conversation(hermes)
    review = review_of(at(path), strategy, tail=200, pins=pins)
    task = work(review, hermes.environment, in_place=in_place)
    assert task.plan.changes
    draft, _ = published(hermes, task)
    assert (draft.id == SESSION) is in_place
    resumes(hermes, draft, task)


def test_it_resumes_a_plan_of_single_parts(hermes: RealAgent) -> None:
    path = conversation(hermes)
    wanted = [
        (1, 0, Action.DROP),
        (2, None, Action.CLEAR),
        (3, 0, Action.SHORTEN),
        (9, 1, Action.CLEAR),
        (13, None, Action.CLEAR),
    ]
    task = work(possible(at(path), "clear", wanted), hermes.environment)
    draft, _ = published(hermes, task)
    resumes(hermes, draft, task)


def test_a_second_prompt_works_and_its_own_compression_of_it_too(hermes: RealAgent) -> None:
    config = hermes.home / ".hermes/config.yaml"
    config.write_text(config.read_text().replace("200000", "64000"))
    path = conversation(hermes)
    task = work(review_of(at(path), pins=CUT), hermes.environment)
    draft, _ = published(hermes, task)
    resumes(hermes, draft, task)
    first = len(hermes.api.requests)
    hermes.run("chat", "-Q", "-q", "one " * 25_000, *draft.argv[-2:])
    second = said_in(hermes.api.requests[first])
    assert "And now? Understood. Done. one" in second
    hermes.api.answer = "## Goal\nRounding, told anew"
    for _ in range(3):
        hermes.run("chat", "-Q", "-q", "more " * 22_000, *draft.argv[-2:])
    asked = [said_in(body) for body in hermes.api.requests[first + 1 :]]
    assert any("Create a structured" in text or "PREVIOUS SUMMARY" in text for text in asked)
    told = next(text for text in asked if "PREVIOUS SUMMARY" in text)
    assert "never touch the tests" in told  # the handoff is what it goes on from
    for heading in ("## Historical Task Snapshot", "## Completed Actions", "## Relevant Files"):
        assert told.count(heading) == 2  # in the summary, and in the structure it is to have
    session = open_session(at(path, draft.id))
    assert session.compactions
    first = len(hermes.api.requests)
    hermes.run("chat", "-Q", "-q", "What is left?", *draft.argv[-2:])
    last = said_in(hermes.api.requests[-1])
    assert "Rounding, told anew" in last
    assert last.endswith("What is left?")


def said_in(body: dict[str, Any]) -> str:
    return " ".join(words(found(body)))


def test_both_sessions_are_listed_and_the_old_one_is_as_it_was(hermes: RealAgent) -> None:
    path = conversation(hermes)
    hermes.run("sessions", "list")  # brings the schema up to date
    before = rows(path, SESSION)
    task = work(review_of(at(path), pins=CUT), hermes.environment)
    draft, receipt = published(hermes, task)
    listed = hermes.run("sessions", "list")
    assert draft.id in listed
    assert SESSION in listed
    assert "Rounding #2" in listed
    assert rows(path, SESSION) == before
    resumes(hermes, draft, task)
    assert rows(path, SESSION) == before
    result = Receipts(kept(hermes)).undo(receipt, environment=hermes.environment)
    assert not result.complete  # it goes on by now
    assert rows(path, draft.id)


_LINEAGE = """
import json, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
new, old = sys.argv[2], sys.argv[3]
print(json.dumps({
    "root": db.get_conversation_root(new),
    "by name": db.resolve_session_by_title("Rounding"),
    "next name": db.get_next_title_in_lineage("Rounding"),
    "new resumes": db.resolve_resume_session_id(new),
    "old resumes": db.resolve_resume_session_id(old),
    "replaced by": db.get_compression_tip(old),
}))
"""


def test_it_stands_in_the_lineage_of_the_old_one_and_both_can_be_resumed(hermes: RealAgent) -> None:
    path = conversation(hermes)
    hermes.run("sessions", "list")
    before = rows(path, SESSION)
    draft, _ = published(hermes, work(review_of(at(path), pins=CUT), hermes.environment))
    done = subprocess.run(
        [hermes.folder / "hermes/bin/python", "-c", _LINEAGE, path, draft.id, SESSION],
        capture_output=True,
        env=hermes.environment,
        check=True,
    )
    assert json.loads(done.stdout) == {
        "root": SESSION,
        "by name": draft.id,
        "next name": "Rounding #3",
        "new resumes": draft.id,
        "old resumes": SESSION,
        "replaced by": SESSION,
    }
    first = len(hermes.api.requests)
    hermes.run("chat", "-Q", "-q", "And now?", "--resume", "Rounding")
    assert "the newest message of the user" in " ".join(said_in(hermes.api.requests[first]).split())
    assert rows(path, SESSION) == before


def test_what_was_compacted_in_its_place_comes_back(hermes: RealAgent) -> None:
    path = conversation(hermes)
    hermes.run("sessions", "list")
    before = rows(path, SESSION)
    task = work(review_of(at(path), pins=CUT), hermes.environment, in_place=True)
    _, receipt = published(hermes, task)
    assert rows(path, SESSION) != before
    assert Receipts(kept(hermes)).undo(receipt, environment=hermes.environment).complete
    assert rows(path, SESSION) == before
    first = len(hermes.api.requests)
    hermes.run("chat", "-Q", "-q", "And now?", "--resume", SESSION)
    assert "Fix rounding" in said_in(hermes.api.requests[first])


def rows(path: Path, id: str) -> list[tuple[Any, ...]]:  # noqa: A002
    with closing(sqlite3.connect(path)) as connection:
        return [
            *connection.execute("SELECT * FROM sessions WHERE id = ?", (id,)),
            *connection.execute("SELECT * FROM messages WHERE session_id = ? ORDER BY id", (id,)),
        ]


def test_what_was_before_its_own_compaction_comes_back(
    hermes: RealAgent, real_sessions: Path
) -> None:
    path = placed(hermes, real_sessions / "hermes/state.db")
    session = open_session(at(path), before=1)
    assert len(session.context) > 100
    task = whole_work(session, hermes.environment)
    draft, _ = published(hermes, task)
    resumes(hermes, draft, task)


REAL = ("20260528_101500_a1b2c3", "20260529_103000_0a9b8c", "20260531_140000_cafe03")


@pytest.mark.parametrize("id", REAL)
@pytest.mark.parametrize(("strategy", "in_place"), [("redline", True), ("hermes", False)])
def test_real_sessions_are_resumed(
    hermes: RealAgent,
    real_sessions: Path,
    id: str,  # noqa: A002
    strategy: str,
    in_place: bool,
) -> None:
    path = placed(hermes, real_sessions / "hermes/state.db")
    review = review_of(at(path, id), strategy, tail=3000)
    if not review.plan.changes:
        pytest.skip("the plan keeps everything")
    task = work(review, hermes.environment, in_place=in_place)
    draft, _ = published(hermes, task)
    resumes(hermes, draft, task, times=3)


_JUDGE = """
import json, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
told, shown = db.get_resume_conversations(sys.argv[2])
for table in ("messages_fts", "messages_fts_trigram"):
    db._conn.execute(f"INSERT INTO {table}({table}, rank) VALUES('integrity-check', 1)")
print(json.dumps({
    "loaded": [[m["role"], m["content"]] for m in told],
    "counted": db.get_session(sys.argv[2])["message_count"],
    "found": [hit["id"] for hit in db.search_messages(sys.argv[3], limit=50)],
    "resolved": db.resolve_resume_session_id(sys.argv[2]),
    "whole": [row[0] for row in db._conn.execute("PRAGMA integrity_check")],
}))
"""


@pytest.mark.parametrize("in_place", [False, True])
def test_its_own_store_loads_finds_and_checks_it(
    hermes: RealAgent, real_sessions: Path, in_place: bool
) -> None:
    path = placed(hermes, real_sessions / "hermes/state.db")
    before = count(path, "messages")
    review = review_of(at(path), "redline", tail=3000)
    task = work(review, hermes.environment, in_place=in_place)
    draft, _ = published(hermes, task)
    done = subprocess.run(
        [hermes.folder / "hermes/bin/python", "-c", _JUDGE, path, draft.id, "ledger"],
        capture_output=True,
        env=hermes.environment,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["resolved"] == draft.id
    assert told["whole"] == ["ok"]
    assert told["counted"] == len(told["loaded"]) == count(path, "messages") - before
    assert [w for _, t in told["loaded"] for w in str(t or "").split()] == words(
        expected(draft, task)
    )
    gone = {m.id for m in task.session.context} - {s.message.id for s in draft.stays}
    assert gone
    archived = [number for number in told["found"] if number <= before]
    assert archived
