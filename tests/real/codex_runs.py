"""How the real Codex is asked to go on, and what it must send then."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import uuid4

from redline.agents.codex.encoding import SUMMARY_MARK
from redline.agents.codex.parts import message_of
from redline.agents.codex.source import RolloutSource
from redline.agents.opening import open_session
from redline.model import Part, PartType, Pointer, Session
from redline.places import places
from redline.review import Review
from redline.targets.commit import commit
from redline.targets.native.draft import Draft, Work
from redline.targets.native.native import NativeSession
from redline.targets.native.staying import Left
from tests.agents.codex.files import JSON
from tests.agents.codex.threads import in_dialect
from tests.real.agents import RealAgent
from tests.targets.native.making import NOW, whole_work, work

Sent = list[tuple[str, str | None, str]]  # type, call, text
STRATEGIES = ("redline", "codex", "codex-remote", "pi", "clear", "scored", "hermes", "claude-code")
PROMPTS = ("And what now?", "And then, at last?", "And after that?")
LONG = "All of it. " * 9_000
SMALL = ("-c", "model_auto_compact_token_limit=20000")


def placed(codex: RealAgent, records: list[JSON], dialect: str = "legacy") -> Path:
    """A rollout of the work folder, in the home that the agent looks in."""
    told = {"cwd": str(codex.work), "model_provider": "fake"}
    return in_dialect(dialect, codex.home / ".codex", records, **told)


def _work(review: Review, environment: Mapping[str, str]) -> Work:
    return replace(work(review, environment), new_id=_random_id)


def _whole(session: Session, environment: Mapping[str, str]) -> Work:
    return replace(whole_work(session, environment), new_id=_random_id)


def _random_id() -> str:
    return str(uuid4())


def published(codex: RealAgent, task: Work) -> Draft:
    """The session of `task`, written as a commit writes it."""
    target = NativeSession(task)
    change = target.preview()
    where = places({"REDLINE_HOME": str(codex.home / "redline")})
    commit((change,), session=task.session.info, places=where, now=NOW)
    assert target.draft is not None
    return target.draft


def goes_on(codex: RealAgent, draft: Draft, prompt: str, *flags: str) -> list[list[JSON]]:
    """What is sent for a prompt to the resumed session, request by request."""
    before = len(codex.api.requests)
    assert draft.argv[:2] == ("codex", "resume")
    codex.run("exec", "--skip-git-repo-check", *flags, *draft.argv[1:], prompt)
    return [request["input"] for request in codex.api.requests[before:]]


def expected(draft: Draft, task: Work) -> Sent:
    """What the request must hold, by the plan: what stays in the order that Codex has it in, the
    summary at its place."""
    session, plan = task.session, task.plan
    stays = {
        (one.index, left.part.index): left
        for one in draft.stays
        for left in one.parts
        if left.body != ""
    }
    numbers = {index: number for number, index in enumerate(plan.staying)}
    order = [place for place in window_of(session) if place in stays]
    at = plan.summary_at if task.summary else None
    head = [place for place in order if at is not None and numbers[place[0]] < at]
    tail = [place for place in order if place not in head]
    found = _told(session, [stays[place] for place in head])
    if at is not None:
        found.append(("text", None, f"{SUMMARY_MARK}\n{task.summary}"))
    return found + _told(session, [stays[place] for place in tail])


def _told(session: Session, lefts: list[Left]) -> Sent:
    """Parts as they are sent: a text that redline reads as several is one where all of it stays."""
    found: Sent = []
    spans = Counter(_text_of(part) for one in session.context for part in one.parts)
    for text, group in groupby(lefts, key=lambda left: _text_of(left.part)):
        own = list(group)
        told = [_part(session, left) for left in own]
        if len(own) == spans[text] and all(left.body is None for left in own):
            told = [(*told[0][:2], "".join(one[2] for one in told))]
        found += told
    return found


def _text_of(part: Part) -> tuple[int, Pointer]:
    return part.origin.start, part.origin.pointer


def window_of(session: Session) -> list[tuple[int, int]]:
    """The parts of the context as (message, part), in the order that their items are sent in."""
    assert isinstance(session.source, RolloutSource)
    by_place = {
        (part.origin.path, part.origin.start, part.origin.pointer, part.origin.span): (
            index,
            part.index,
        )
        for index, message in enumerate(session.context)
        for part in message.parts
    }
    origins = [part.origin for item in session.source.window() for part in message_of([item]).parts]
    return [by_place[one.path, one.start, one.pointer, one.span] for one in origins]


def _part(session: Session, left: Left) -> tuple[str, str | None, str]:
    part = left.part
    if left.body is not None:
        named = "text" if part.type is PartType.IMAGE else part.type.value
        return (named, part.call_id, left.body)
    if part.type is PartType.IMAGE:
        return ("image", part.call_id, "")
    return (part.type.value, part.call_id, session.text(part))


def sent(items: list[JSON]) -> tuple[Sent, list[JSON]]:
    """What a request holds, part by part, and the items that Codex put in itself: those have an
    id, which nothing has that redline wrote."""
    own = [item for item in items if "id" in item]
    return [part for item in items if "id" not in item for part in _parts(item)], own


def _parts(item: JSON) -> Sent:
    kind, ident = item["type"], item.get("call_id")
    if kind in ("message", "agent_message"):
        return [_block(block, None) for block in item["content"]]
    if kind == "reasoning":
        said = [*item["summary"], *(item.get("content") or [])]
        found: Sent = [("thinking", None, block["text"]) for block in said]
        seal = item.get("encrypted_content")
        return [*found, ("opaque", None, seal)] if seal else found
    if kind in ("function_call", "custom_tool_call", "tool_search_call", "local_shell_call"):
        given = item.get("arguments", item.get("input", item.get("action")))
        return [("tool_call", ident, given if isinstance(given, str) else _json(given))]
    if kind.endswith("_output"):
        body = item.get("output", item.get("tools"))
        blocks = body if isinstance(body, list) else [{"text": body}]
        blocks = [block for block in blocks if isinstance(block, dict)]
        text = "\n".join(str(block["text"]) for block in blocks if "text" in block)
        images = [_block(block, ident) for block in blocks if block.get("type") == "input_image"]
        return [("tool_result" if ident else "text", ident, text), *images]
    if kind == "web_search_call":
        return [("text", None, _json(item["action"]) if "action" in item else "")]
    if kind == "image_generation_call":
        return [("image", None, "")]
    return [("opaque", None, item["encrypted_content"])]


def _block(block: JSON, ident: str | None) -> tuple[str, str | None, str]:
    if block["type"] == "input_image":
        return ("image", ident, "")
    if block["type"] == "encrypted_content":
        return ("opaque", None, block["encrypted_content"])
    return ("text", None, block["text"])


def _json(value: Any) -> str:
    """A call's input as redline tells it, without what Codex adds to a command."""
    bare = {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value
    return json.dumps(bare, sort_keys=True, ensure_ascii=False)


def resumes(codex: RealAgent, draft: Draft, task: Work, *, times: int = 1) -> list[JSON]:
    """The agent's first and only request is the conversation: the summary, what stays, the prompt;
    and so is that of each prompt to a new process. Gives what Codex put in itself at last."""
    own: list[JSON] = []
    for prompt in PROMPTS[:times]:
        (request,) = goes_on(codex, draft, prompt)
        found, own = sent(request)
        added = list(draft.added)
        found = [one for one in found if one[2] not in added]
        assert found == expected(draft, task)
        calls = sorted(one[1] or "" for one in found if one[0] == "tool_call")
        results = sorted(one[1] or "" for one in found if one[0] == "tool_result")
        assert calls == results
        assert own[-1]["content"][0]["text"] == prompt
        said = [one["content"][0]["text"] for one in own if one.get("role") != "developer"]
        earlier = PROMPTS[: PROMPTS.index(prompt)]
        rest = [one for one in said[:-1] if one not in (*earlier, codex.api.answer)]
        assert len(rest) <= 1  # the environment
        assert [one for one in said if one in earlier] == list(earlier)
    return own


def third_prompt(path: Path) -> str:
    return [one.id for one in open_session(path).context if one.prompts][2]
