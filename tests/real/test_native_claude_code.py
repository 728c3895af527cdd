"""The real Claude Code goes on with what redline wrote: what it sends is the judge."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.encoding import IMAGE_CLEARED
from redline.agents.claude_code.placing import folder_name
from redline.agents.claude_code.reader import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Agent, CompactionKind, Part, PartType, Session
from redline.targets.commit import commit
from redline.targets.native.draft import Draft, Work
from redline.targets.native.native import NativeSession
from tests.agents.claude_code.writing import (
    call,
    image,
    reply,
    result,
    text,
    thinking,
    usage,
    user,
)
from tests.real.agents import RealAgent, real_agent
from tests.real.api import StandIn
from tests.targets.native.making import NOW, possible, review_of, whole_work, work

pytestmark = pytest.mark.real

Sent = list[tuple[str, str | None, str]]  # kind of block, call, text
OLD = "11111111-2222-4333-8444-555555555555"
ADDED = ("Continue from where you left off.", "No response requested.")
REMINDER = "<system-reminder>"
NO_SEARCH = "[Tool references removed - tool search not enabled]"
PROMPTS = ("And now?", "And then, at last?", "And after that?")
WIRE = {PartType.TOOL_CALL: "tool_use", PartType.TEXT: "text", PartType.IMAGE: "image"}


@pytest.fixture
def claude(tmp_path: Path, api: StandIn) -> RealAgent:
    return real_agent(Agent.CLAUDE_CODE, tmp_path, api)


def conversation() -> list[Any]:
    """A session near its limit: parallel calls, images, an error, a call that was interrupted."""
    shown = [{"type": "text", "text": "a plot"}, image()]
    much = usage(190_000)
    return [
        user("u1", None, "Fix the login, and never touch src/legacy", at=1),
        reply("a1", "u1", "m1", text("I look at it."), usage=much, at=2),
        reply("a2", "a1", "m1", call("t1", command="cat login.py"), usage=much, at=3),
        user("r1", "a2", [result("t1", "def login(): pass\n" * 600)], at=4),
        reply("a3", "a2", "m1", call("t2", command="cat logout.py"), usage=much, at=5),
        user("r2", "a3", [result("t2", shown)], at=6),
        reply("a4", "r2", "m2", text("Both are empty."), usage=much, at=7),
        user("u2", "a4", [text("This is what it should look like"), image()], at=8),
        reply("a5", "u2", "m3", call("t3", command="pytest"), usage=much, at=9),
        user("r3", "a5", [result("t3", "1 failed", is_error=True)], at=10),
        reply("a6", "r3", "m4", text("One test fails."), usage=much, at=11),
        user("u3", "a6", "Then mend it", at=12),
        reply("a7", "u3", "m5", thinking("easy"), usage=much, at=13),
        reply("a8", "a7", "m5", text("Mended."), usage=much, at=13),
    ]


def placed(claude: RealAgent, records: list[Any]) -> Path:
    """A session of the work folder, where the agent looks for it."""
    slug = "".join(one if one.isascii() and one.isalnum() else "-" for one in str(claude.work))
    path = claude.home / ".claude/projects" / slug / f"{OLD}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {**line, "cwd": str(claude.work), "sessionId": OLD} if "cwd" in line else line
        for line in records
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def copied(claude: RealAgent, source: Path) -> Path:
    """A real session file, as if it had been made in the work folder."""
    records = []
    for line in source.read_text("utf-8", "replace").split("\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        records.append(value)
    return placed(claude, [one for one in records if isinstance(one, dict)])


def published(claude: RealAgent, task: Work) -> Draft:
    """The session of `task`, written as a commit writes it."""
    from redline.places import places

    target = NativeSession(task)
    change = target.preview()
    assert not any("is not there" in warning for warning in change.warnings)
    where = places({"REDLINE_HOME": str(claude.home / "redline")})
    commit((change,), session=task.session.info, places=where, now=NOW)
    assert target.draft is not None
    return target.draft


def expected(session: Session, draft: Draft, task: Work) -> Sent:
    """What the request must hold: the summary, and what stays, in order."""
    found: Sent = []
    at = task.plan.summary_at if task.summary else None
    for number, message in enumerate(draft.stays):
        if number == at:
            found.append(("text", None, task.summary))
        for left in message.parts:
            part = left.part
            if part.type in (PartType.THINKING, PartType.OPAQUE) or left.body == "":
                continue
            if not part.wire.startswith("attachment/"):
                body = session.text(part) if left.body is None else left.body
                found.append(_expected(part, body, replaced=left.body is not None))
    if at is not None and at >= len(draft.stays):
        found.append(("text", None, task.summary))
    return _joined(found)


def _expected(part: Part, body: str, *, replaced: bool) -> tuple[str, str | None, str]:
    kind = WIRE.get(part.type, part.type.value)
    if part.type is PartType.IMAGE:
        return ("text", None, body) if replaced else ("image", None, "")
    return (kind, part.call_id if kind != "text" else None, body)


def sent(body: dict[str, Any], known: Sent, prompts: set[str]) -> Sent:
    """The blocks of a request, without what the agent adds by itself."""
    texts = "\n".join(said for kind, _, said in known if kind == "text")
    found: Sent = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks if message["role"] != "system" else ():
            kind = block["type"]
            if kind in ("thinking", "redacted_thinking"):
                continue
            found += _sent(block, kind)
    return _joined([one for one in found if not _is_added(one, texts, prompts)])


def _sent(block: dict[str, Any], kind: str) -> Sent:
    if kind == "tool_use":
        said = json.dumps(block["input"], sort_keys=True, ensure_ascii=False)
        return [(kind, block["id"], said)]
    if kind == "tool_result":
        content = block.get("content") or ""
        items = [{"type": "text", "text": content}] if isinstance(content, str) else content
        said = "\n".join(item["text"] for item in items if item["type"] == "text")
        said = "" if said == NO_SEARCH else said
        images: Sent = [("image", None, "") for item in items if item["type"] == "image"]
        return [(kind, block["tool_use_id"], said), *images]
    return [(kind, None, block.get("text", ""))]


def _is_added(one: tuple[str, str | None, str], texts: str, prompts: set[str]) -> bool:
    kind, _, said = one
    said = said.strip()
    if kind != "text" or said in texts.splitlines():
        return False
    if said.startswith(REMINDER):
        return said not in texts
    return said in prompts or said in ADDED


def _joined(blocks: Sent) -> Sent:
    """Neighbouring texts as one (the agent joins them), without blank lines (it leaves out blocks
    of nothing else) and without the opening before a summary."""
    found: Sent = []
    for kind, ident, said in blocks:
        if kind == "text" and said.startswith("This session is being continued"):
            said = said.partition("\n\nSummary:\n")[2]
        said = "\n".join(filter(None, (line.rstrip() for line in said.splitlines())))
        if kind == "text" and not said:
            continue
        if kind == "text" and found and found[-1][0] == "text":
            found[-1] = ("text", None, f"{found[-1][2]}\n{said}")
        else:
            found.append((kind, ident, said))
    return found


def resumes(claude: RealAgent, draft: Draft, task: Work) -> None:
    """The agent's first request is the conversation: the summary, what stays, and the prompt. So is
    that of each later prompt, which a new process reads from what this one has written."""
    wanted = expected(task.session, draft, task)
    for number, prompt in enumerate(PROMPTS):
        before = len(claude.api.requests)
        claude.run("-p", "--resume", draft.id, prompt)
        first = claude.api.requests[before]
        assert prompt in json.dumps(first["messages"][-2:])
        assert sent(first, wanted, {*PROMPTS, claude.api.answer}) == wanted
        said = json.dumps(first["messages"])
        assert all(earlier in said for earlier in PROMPTS[:number])
    calls = [one[1] for one in wanted if one[0] == "tool_use"]
    assert sorted(calls, key=str) == sorted(
        (one[1] for one in wanted if one[0] == "tool_result"), key=str
    )


CUT = Pins(cut="u3")
HEAD = Pins(cut="u3", actions={"u1": Action.KEEP})
PLANS = (
    ("redline", CUT),
    ("redline", HEAD),
    ("claude-code", None),
    ("hermes", CUT),
    ("clear", Pins(actions={"r1": Action.CLEAR})),
    ("codex", None),
)


@pytest.mark.parametrize(("strategy", "pins"), PLANS)
def test_it_resumes_what_was_compacted(claude: RealAgent, strategy: str, pins: Pins | None) -> None:
    path = placed(claude, conversation())
    before = path.read_bytes(), path.stat().st_mtime_ns
    task = work(review_of(path, strategy, pins=pins), claude.environment)
    assert task.plan.changes
    draft = published(claude, task)
    resumes(claude, draft, task)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_it_resumes_a_plan_of_single_parts(claude: RealAgent) -> None:
    path = placed(claude, conversation())
    wanted = [
        (0, None, Action.KEEP),
        (1, None, Action.CLEAR),
        (2, 0, Action.SHORTEN),
        (5, 1, Action.CLEAR),
        (7, 0, Action.CLEAR),
        (9, None, Action.DROP),
    ]
    task = work(possible(path, "clear", wanted), claude.environment)
    draft = published(claude, task)
    assert IMAGE_CLEARED.encode() in draft.data
    resumes(claude, draft, task)


def test_it_goes_on_and_compacts_by_itself_later(claude: RealAgent) -> None:
    path = placed(claude, conversation())
    task = work(review_of(path, pins=CUT), claude.environment)
    draft = published(claude, task)
    resumes(claude, draft, task)
    claude.api.answer = "<summary>1. Primary Request and Intent: the login</summary>"
    count = len(claude.api.requests)
    claude.run("-p", "--resume", draft.id, "And then?")
    second = claude.api.requests[count]
    said = json.dumps(second["messages"])
    assert "And now?" in said
    assert "And then?" in said
    assert "Understood. Done." in said
    claude.run("-p", "--resume", draft.id, "/compact the login only")
    session = open_session(draft.path)
    assert len(session.compactions) == 2
    assert session.compactions[-1].kind is not CompactionKind.MICRO
    assert session.compactions[-1].trigger == "manual"
    count = len(claude.api.requests)
    claude.run("-p", "--resume", draft.id, "What is left?")
    after = json.dumps(claude.api.requests[count]["messages"])
    assert "Primary Request and Intent: the login" in after
    assert "Then mend it" not in after


def test_it_is_found_in_its_own_folder_only(claude: RealAgent) -> None:
    path = placed(claude, conversation())
    draft = published(claude, work(review_of(path, pins=CUT), claude.environment))
    assert draft.folder == claude.work
    assert draft.argv[1:] == ("--resume", draft.id)


@pytest.mark.parametrize(
    "name", ["a.b_c d/\u00e9/\U0001f600x", f"{'x' * 90}/{'ü' * 100}/y", "e\u0301"]
)
def test_the_folder_of_sessions_has_the_name_that_the_agent_gives_it(
    claude: RealAgent, name: str
) -> None:
    inside = replace(claude, work=claude.work / name)
    inside.work.mkdir(parents=True)
    inside.run("-p", "Hello")
    (found,) = claude.home.glob(".claude/projects/*")
    assert folder_name(str(inside.work)) == found.name


def test_a_draft_is_nothing_to_the_agent(claude: RealAgent, api: StandIn) -> None:
    """Until it is published the agent finds none of it: temporary files are no sessions."""
    path = placed(claude, conversation())
    task = work(review_of(path, pins=CUT), claude.environment)
    target = NativeSession(task)
    target.preview()
    assert target.draft is not None
    (path.parent / ".redline-new-abc.tmp").write_bytes(target.draft.data)
    with pytest.raises(AssertionError, match="No conversation found"):
        claude.run("-p", "--resume", target.draft.id, "And now?")
    claude.run("-p", "--continue", "And now?")
    assert "Fix the login" in json.dumps(api.requests[-1]["messages"])


def test_a_session_that_goes_on_is_left_alone_and_what_it_says_later_is_told(
    claude: RealAgent,
) -> None:
    path = placed(claude, conversation())
    task = work(review_of(path, pins=CUT), claude.environment)
    claude.run("-p", "--resume", OLD, "One thing more")
    grown = path.read_bytes()
    target = NativeSession(task)
    warnings = target.preview().warnings
    assert any("taken at message a7" in said and "came after it" in said for said in warnings)
    draft = published(claude, task)
    resumes(claude, draft, task)
    assert path.read_bytes() == grown


def test_what_was_before_a_compaction_comes_back(claude: RealAgent) -> None:
    path = placed(claude, conversation())
    claude.api.answer = "<summary>1. Primary Request and Intent: the login</summary>"
    claude.run("-p", "--resume", OLD, "/compact")
    claude.api.answer = "Understood. Done."
    session = open_session(path, before=1)
    task = whole_work(session, claude.environment)
    draft = published(claude, task)
    resumes(claude, draft, task)
    claude.run("-p", "--resume", draft.id, "And then?")


def test_a_repaired_session_loses_nothing(claude: RealAgent, real_sessions: Path) -> None:
    path = copied(claude, real_sessions / "claude_code/entire_38346dbf_dangling.jsonl")
    task = whole_work(open_session(path), claude.environment)
    draft = published(claude, task)
    resumes(claude, draft, task)


NAMES = (
    "ccl_03eb5929_progress",
    "ccl_ef958aa1_2_1_114/ef958aa1-0e93-49f0-bb71-150f63befcd1",
    "ccl_fe869ecb_old",
    "compacted_by_2.1.197_manual",
    "entire_25730c66_micro",
    "entire_26dcd551_image",
    "entire_38346dbf_dangling",
    "entire_5ac45bc3_glued",
    "entire_6860e231_cjk",
    "entire_cd95adda_3auto",
    "example-annotated",
    "spotter_fa812bfe_auto/fa812bfe-b295-4cca-9c2f-fdf01028cb46",
    "spotter_short",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("strategy", ["redline", "codex", "clear"])
def test_real_sessions_are_resumed(
    claude: RealAgent, real_sessions: Path, name: str, strategy: str
) -> None:
    path = copied(claude, real_sessions / f"claude_code/{name}.jsonl")
    task = work(review_of(path, strategy), claude.environment)
    if not task.plan.changes:
        pytest.skip("the plan keeps everything")
    try:
        draft = published(claude, task)
    except RedlineError as error:
        pytest.fail(error.message)
    resumes(claude, draft, task)
