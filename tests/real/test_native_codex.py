"""The real Codex goes on with what redline wrote: what it sends is the judge."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from redline.agents.codex.encoding import SUMMARY_MARK
from redline.agents.codex.parts import message_of
from redline.agents.codex.source import RolloutSource
from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.context.measure import measure
from redline.model import Agent, Part, PartType, Pointer, Session
from redline.places import places
from redline.review import Review
from redline.settings import Settings
from redline.targets.commit import commit
from redline.targets.native.draft import Draft, Work
from redline.targets.native.native import NativeSession
from redline.targets.native.staying import Left
from tests.agents.codex.files import JSON, PARENT, line, meta, rollout_file, write
from tests.agents.codex.heads import REFUSED, TAKEN
from tests.agents.codex.rolling import call, output, user
from tests.agents.codex.threads import DIALECTS, conversation, everything, in_dialect
from tests.real.agents import RealAgent, place_codex, real_agent
from tests.real.api import StandIn, stand_in
from tests.targets.native.making import NOW, possible, review_of, whole_work, work

pytestmark = pytest.mark.real

Sent = list[tuple[str, str | None, str]]  # type, call, text
STRATEGIES = ("redline", "codex", "codex-remote", "pi", "clear", "scored", "hermes", "claude-code")
PROMPTS = ("And what now?", "And then, at last?", "And after that?")
LONG = "All of it. " * 9_000
SMALL = ("-c", "model_auto_compact_token_limit=20000")


@pytest.fixture
def api() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running


@pytest.fixture
def codex(tmp_path: Path, api: StandIn) -> RealAgent:
    return real_agent(Agent.CODEX, tmp_path, api)


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


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_it_resumes_what_was_compacted(codex: RealAgent, strategy: str) -> None:
    path = placed(codex, everything())
    before = path.read_bytes(), path.stat().st_mtime_ns
    task = _work(review_of(path, strategy), codex.environment)
    draft = published(codex, task)
    assert draft.argv == ("codex", "resume", draft.id)
    resumes(codex, draft, task)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_takes_what_came_of_every_dialect(codex: RealAgent, dialect: str) -> None:
    path = placed(codex, conversation(), dialect)
    pins = Pins(cut=third_prompt(path))
    task = _work(review_of(path, pins=pins), codex.environment)
    assert task.summary
    resumes(codex, published(codex, task), task)


def test_the_summary_stands_between_what_stays(codex: RealAgent) -> None:
    path = placed(codex, conversation())
    first = next(one.id for one in open_session(path).context if one.prompts)
    pins = Pins(cut=third_prompt(path), actions={first: Action.KEEP})
    review = review_of(path, "hermes", pins=pins)
    assert review.plan.summary_at
    task = _work(review, codex.environment)
    resumes(codex, published(codex, task), task)


def test_it_resumes_a_plan_of_single_parts(codex: RealAgent) -> None:
    path = placed(codex, everything())
    wanted: list[tuple[int, int | None, Action]] = [
        (index, part, action)
        for index, message in enumerate(open_session(path).context)
        for part, action in zip(
            (None, *range(len(message.parts))),
            (Action.CLEAR, Action.SHORTEN, Action.DROP, Action.CLEAR),
            strict=False,
        )
    ]
    task = _work(possible(path, "clear", wanted), codex.environment)
    resumes(codex, published(codex, task), task)


def test_it_goes_on_and_compacts_by_itself_later(codex: RealAgent) -> None:
    path = placed(codex, conversation())
    task = _work(review_of(path, pins=Pins(cut=third_prompt(path))), codex.environment)
    draft = published(codex, task)
    resumes(codex, draft, task)
    prompts = [one.head for one in open_session(draft.path).context if one.prompts]
    assert prompts == ["Then mend it", "And what now?"]
    codex.api.answer = LONG
    (second,) = goes_on(codex, draft, "And then?")
    told = json.dumps(second)
    assert "And what now?" in told
    assert "Understood. Done." in told
    goes_on(codex, draft, "Go on")  # its size is billed only now
    codex.api.answer = "It is all mended."
    requests = goes_on(codex, draft, "What is left?", *SMALL)
    assert len(requests) == 2
    asked, after = map(json.dumps, requests)
    assert SUMMARY_MARK in asked
    assert task.summary.splitlines()[0] in asked
    assert after.count(SUMMARY_MARK) == 1  # its own summary has taken the place of ours
    assert "It is all mended." in after
    assert "Then mend it" in after
    assert "Mended." not in after
    session = open_session(draft.path)
    assert len(session.compactions) == 2
    assert session.resume_lost == 0


def test_instructions_that_stay_are_not_sent_twice(codex: RealAgent) -> None:
    codex.run("exec", "--skip-git-repo-check", "Hello")
    (path,) = codex.home.joinpath(".codex/sessions").rglob("*.jsonl")
    task = _whole(open_session(path), codex.environment)
    draft = published(codex, task)
    (request,) = goes_on(codex, draft, "And what now?")
    texts = [block["text"] for item in request for block in item.get("content") or ()]
    assert sum(one.startswith("<environment_context>") for one in texts) == 1
    assert sum("<permissions instructions>" in one for one in texts) == 1


def test_what_was_before_its_own_compaction_comes_back(codex: RealAgent) -> None:
    path = placed(codex, conversation())
    thread = open_session(path).info.id
    codex.api.answer = LONG
    for prompt in ("How far is it?", "And now?"):
        codex.run("exec", "--skip-git-repo-check", "resume", thread, prompt)
    codex.api.answer = "In short: the login."
    codex.run("exec", "--skip-git-repo-check", *SMALL, "resume", thread, "Go on")
    assert len(codex.api.requests) == 4
    assert len(open_session(path).compactions) == 1
    task = _whole(open_session(path, before=1), codex.environment)
    draft = published(codex, task)
    codex.api.answer = LONG
    resumes(codex, draft, task)
    codex.api.answer = "In short: again."
    requests = goes_on(codex, draft, "What is left?", *SMALL)
    assert len(requests) == 2
    assert "In short: again." in json.dumps(requests[1])


def test_an_encrypted_summary_goes_along_to_what_came_after_it(codex: RealAgent) -> None:
    sealed = {"type": "compaction", "encrypted_content": "gAAAfirst"}
    mine = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Mine"}]}
    again = {"type": "compaction", "encrypted_content": "gAAAsecond"}
    path = placed(
        codex,
        [
            *conversation(),
            line("compacted", {"message": "", "replacement_history": [mine, sealed]}),
            user("Now the docs"),
            call("c8"),
            output("c8", "written"),
            line("compacted", {"message": "", "replacement_history": [mine, again]}),
            user("Go on"),
        ],
    )
    for before, seals in ((1, []), (2, ["gAAAfirst"]), (None, ["gAAAsecond"])):
        task = _whole(open_session(path, before=before), codex.environment)
        draft = published(codex, task)
        resumes(codex, draft, task)
        kept = [one for one in draft.data.decode().split('"') if one.startswith("gAAA")]
        assert [one for one in kept if one in ("gAAAfirst", "gAAAsecond")] == seals


def test_a_flat_rollout_that_it_refuses_is_repaired(codex: RealAgent) -> None:
    path = placed(codex, conversation(), "flat")
    session = open_session(path)
    assert session.resume_lost
    task = _whole(session, codex.environment)
    resumes(codex, published(codex, task), task)


@pytest.mark.parametrize("name", [*TAKEN, *REFUSED])
def test_it_refuses_by_the_first_record_what_redline_says(codex: RealAgent, name: str) -> None:
    records = [*(TAKEN.get(name) or REFUSED[name]), user("KEPT")]
    path = write(rollout_file(codex.home / ".codex"), *records)
    try:
        codex.run("exec", "--skip-git-repo-check", "resume", PARENT, "Go on")
    except AssertionError:
        assert name in REFUSED
    else:
        assert name in TAKEN
        assert "KEPT" in json.dumps(codex.api.requests[-1]["input"])
        return
    task = _whole(open_session(path), codex.environment)
    resumes(codex, published(codex, task), task)


def test_a_real_excerpt_that_it_refuses_is_repaired(codex: RealAgent, real_sessions: Path) -> None:
    source = real_sessions / "codex/sipcode_excerpt_paginated_compacted-head.jsonl"
    session = open_session(source)
    assert session.resume_lost == len(session.context)
    path = place_codex(codex, source, session.info.id, "2026-01-01")
    with pytest.raises(AssertionError, match="does not start with session metadata"):
        codex.run("exec", "--skip-git-repo-check", "resume", session.info.id, "Go on")
    task = _whole(open_session(path), codex.environment)
    resumes(codex, published(codex, task), task, times=3)


def test_what_is_warned_of_as_too_large_is_compacted_at_once(
    codex: RealAgent, real_sessions: Path
) -> None:
    source = real_sessions / "codex/acidicsoil_old_flat_2025-09-10.jsonl"
    session = open_session(source)
    window = measure(session, replace(Settings(), tokenizer="estimate"), {})
    task = replace(_whole(session, codex.environment), window=window)
    draft = published(codex, task)
    assert any("compacts it at once" in one for one in NativeSession(task).preview().warnings)
    codex.api.answer = "In short: a viewer."
    first = goes_on(codex, draft, "And what now?")
    second = goes_on(codex, draft, "Go on")
    assert len(first) + len(second) > 2
    assert len(open_session(draft.path).compactions) == 2


def test_resume_last_finds_it(codex: RealAgent) -> None:
    path = placed(codex, conversation())
    task = _work(review_of(path, pins=Pins(cut=third_prompt(path))), codex.environment)
    published(codex, task)
    before = len(codex.api.requests)
    codex.run("exec", "--skip-git-repo-check", "resume", "--last", "And what now?")
    (request,) = codex.api.requests[before:]
    assert SUMMARY_MARK in json.dumps(request["input"])


def test_it_is_found_though_the_index_does_not_know_it(codex: RealAgent) -> None:
    path = placed(codex, conversation())
    codex.run("exec", "--skip-git-repo-check", "resume", open_session(path).info.id, "Go on")
    index = {one: one.read_bytes() for one in codex.home.rglob("*.sqlite*")}
    assert index
    task = _work(review_of(path), codex.environment)
    draft = published(codex, task)
    assert {one: one.read_bytes() for one in codex.home.rglob("*.sqlite*")} == index
    resumes(codex, draft, task)


def test_a_draft_is_nothing_to_the_agent(codex: RealAgent) -> None:
    path = placed(codex, conversation())
    target = NativeSession(_work(review_of(path), codex.environment))
    target.preview()
    assert target.draft is not None
    (path.parent / ".redline-new-abc.tmp").write_bytes(target.draft.data)
    with pytest.raises(AssertionError, match="no rollout found"):
        codex.run("exec", "--skip-git-repo-check", "resume", target.draft.id, "And what now?")


def test_another_provider_than_the_configured_one_is_named_in_the_command(
    codex: RealAgent,
) -> None:
    config = codex.home / ".codex/config.toml"
    told = config.read_text()
    config.write_text(told.replace("[model_providers.fake]", "[model_providers.other]", 1))
    other = told[told.index("[model_providers.fake]") :].partition("[analytics]")[0]
    config.write_text(f"{config.read_text()}\n{other}")
    config.write_text(
        config.read_text().replace('model_provider = "fake"', 'model_provider = "other"')
    )
    path = placed(codex, conversation())
    task = _work(review_of(path), codex.environment)
    draft = published(codex, task)
    assert draft.argv[3:] == ("-c", 'model_provider="fake"')
    resumes(codex, draft, task)


def test_what_no_loader_would_take_does_not_take_all_others_with_it(codex: RealAgent) -> None:
    odd: list[JSON] = [
        {"type": "message", "role": "user", "content": [{"type": "text", "text": "typed"}, {}, 5]},
        {"type": "message", "role": "assistant", "phase": "odd", "status": 5, "content": []},
        {"type": "message", "role": 5, "content": [{"type": "input_text", "text": "gone"}]},
        {"type": "reasoning", "encrypted_content": "x", "summary": [{"text": "s"}, 5]},
        {"type": "function_call", "arguments": {"b": 1, "a": "\x00"}, "call_id": "d1"},
        {"type": "function_call_output", "call_id": "d1", "output": {"content": "said", "ok": 1}},
        {"type": "custom_tool_call", "input": "x", "call_id": "d2", "status": 7, "namespace": 1},
        {"type": "custom_tool_call_output", "call_id": "d2", "output": ["a", {"text": "b"}, 5]},
        {"type": "local_shell_call", "call_id": "d3", "status": "odd", "action": {"cmd": "ls"}},
        {"type": "function_call_output", "call_id": "d3", "output": "listed"},
        {"type": "tool_search_call", "call_id": "d4", "arguments": {"n": [[[1]]]}},
        {"type": "tool_search_output", "call_id": "d4", "tools": [5]},
        {"type": "web_search_call", "status": 5, "action": {"query": "x"}},
        {"type": "web_search_call", "action": {"type": "search", "query": 5}},
        {"type": "agent_message", "content": [{"text": "hello"}, {"image_url": "x"}]},
        {"type": "image_generation_call", "result": "iVBORw0KGgo="},
        {"type": "image_generation_call", "result": None},
        {"type": "compaction", "encrypted_content": None},
        {"type": "compaction_summary", "encrypted_content": "gAAAold"},
        {"type": "context_compaction", "encrypted_content": "gAAActx"},
    ]
    records = [line("response_item", one) for one in odd]
    path = write(
        rollout_file(codex.home / ".codex"),
        meta(cwd=str(codex.work), git={"branch": 5}, base_instructions={"text": None}),
        user("Go"),
        *records,
        user("On"),
    )
    task = _whole(open_session(path), codex.environment)
    draft = published(codex, task)
    assert draft.left_out
    lost = set(draft.left_out)
    (request,) = goes_on(codex, draft, "And what now?")
    found, _own = sent(request)
    for said in ("typed", "said", "a\nb", "listed", "hello", "On", "gAAAold", "gAAActx", "x"):
        assert said in [one[2] for one in found], said
    assert len([one for one in found if one[0] == "tool_call"]) == 4
    assert len(lost) <= 2


REAL = (
    ("kvsankar_real_session-01_cli0.135", "2026-06-05"),
    ("madshn_rollout-2026-02-23T12-40-23-019c8a4c-ed82-79a1-aa28-7738fc5ab61a", "2026-02-23"),
    ("madshn_rollout-2026-02-23T12-54-34-019c8a59-e9dd-71f0-9ae3-4079fe9726a9", "2026-02-23"),
    ("madshn_rollout-2026-02-23T13-19-38-019c8a70-dda7-7f33-98ea-f30553347322", "2026-02-23"),
    ("compacted_by_0.171.0_local", "2026-02-23"),
    ("acidicsoil_old_flat_2025-09-10", "2025-09-10"),
)


@pytest.mark.parametrize(("name", "day"), REAL)
@pytest.mark.parametrize("strategy", ["redline", "codex", "clear"])
def test_real_rollouts_are_resumed(
    codex: RealAgent, real_sessions: Path, name: str, day: str, strategy: str
) -> None:
    source = real_sessions / f"codex/{name}.jsonl"
    path = place_codex(codex, source, open_session(source).info.id, day)
    for before in (None, *range(1, len(open_session(path).compactions) + 1)):
        task = _work(review_of(path, strategy, before=before), codex.environment)
        draft = published(codex, task)
        full = len(draft.data) > 1_000_000  # the stand-in bills bytes: it compacts after an answer
        resumes(codex, draft, task, times=1 if full else 3)
