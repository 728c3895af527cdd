"""What the real Codex takes, refuses and finds of what redline wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.codex.encoding import SUMMARY_MARK
from redline.agents.opening import open_session
from redline.compaction.plan import Pins
from redline.context.measure import measure
from redline.settings import Settings
from redline.targets.native.native import NativeSession
from tests.agents.codex.files import JSON, PARENT, line, meta, rollout_file, write
from tests.agents.codex.heads import REFUSED, TAKEN
from tests.agents.codex.rolling import user
from tests.agents.codex.threads import conversation
from tests.real.agents import RealAgent, place_codex
from tests.real.codex_runs import (
    _whole,
    _work,
    goes_on,
    placed,
    published,
    resumes,
    sent,
    third_prompt,
)
from tests.targets.native.making import review_of

pytestmark = pytest.mark.real


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
