"""The real Codex goes on with what redline wrote: what it sends is the judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.codex.encoding import SUMMARY_MARK
from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from tests.agents.codex.files import line
from tests.agents.codex.rolling import call, output, user
from tests.agents.codex.threads import DIALECTS, conversation, everything
from tests.real.agents import RealAgent, place_codex
from tests.real.codex_runs import (
    LONG,
    SMALL,
    STRATEGIES,
    _whole,
    _work,
    goes_on,
    placed,
    published,
    resumes,
    third_prompt,
)
from tests.targets.native.making import possible, review_of

pytestmark = pytest.mark.real


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
