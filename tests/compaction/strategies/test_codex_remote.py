"""What stays in the clear beside a sealed summary. Figures without another source are those of
Codex 0.171, run on the same rollout with a provider called OpenAI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.codex.reader import open_session
from redline.compaction.plan import STAYING, Action, Plan
from redline.model import Kind, PartType, Session
from tests.agents.codex.files import JSON, line, said
from tests.agents.codex.rolling import (
    PREFIX,
    call,
    compacted,
    image,
    message,
    opened,
    output,
    sealed,
    user,
)
from tests.compaction.strategies.test_codex import agent, lengths, planned
from tests.compaction.test_strategies import check
from tests.compaction.windows import propose, sessions, window_of
from tests.sessions_in_memory import ran, reply, session, together
from tests.sessions_in_memory import summary as retold
from tests.sessions_in_memory import user as asked

HOOK = '<hook_prompt hook_run_id="h">{}</hook_prompt>'


def remote(folder: Path, *records: JSON) -> Plan:
    return planned(folder, *records, name="codex-remote")


def answer(text: str, phase: str) -> JSON:
    return line("response_item", message("assistant", text) | {"phase": phase})


def test_the_budget_is_64_000_tokens_and_the_text_at_the_edge_loses_its_middle(
    tmp_path: Path,
) -> None:
    records = (user("a" * 400_000), said("assistant", "R"), user("d" * 80_000), user("eee"))
    plan = remote(tmp_path, *records)
    assert lengths(plan) == [4 * 43_999, 80_000, 3]
    assert plan.details["sealed"] is True
    assert plan.summary_at == 3


def test_each_text_is_counted_by_itself_and_an_image_is_1_844_tokens(tmp_path: Path) -> None:
    parts = ("a" * 100_000, "b" * 100_000, image(), "c" * 100_000)
    plan = remote(tmp_path, user("one"), user(*parts), user("d" * 1_000))
    assert plan.left == {(3, 0): 4 * 11_906}
    assert [plan.action_of(3, j) for j in range(4)] == [
        Action.SHORTEN,
        Action.KEEP,
        Action.KEEP,
        Action.KEEP,
    ]
    assert plan.staying == (3, 4)


@pytest.mark.parametrize(
    ("parts", "stays"),
    [
        (("t" * 40, image()), []),
        (("t" * 40, image(), "v" * 4_000), [2]),
        ((image(), "v" * 4_000, "w" * 4_000), [2]),
    ],
)
def test_an_image_that_does_not_fit_ends_what_stays(
    tmp_path: Path, parts: tuple[Any, ...], stays: list[int]
) -> None:
    plan = remote(tmp_path, user("zero"), user(*parts), user("d" * 252_000))
    assert [j for j in range(len(parts)) if plan.action_of(3, j) in STAYING] == stays
    assert plan.actions[2] is Action.SUMMARISE


def test_an_empty_text_is_one_token(tmp_path: Path) -> None:
    plan = remote(tmp_path, user("a" * 400), user(""), user("d" * 255_996))
    assert lengths(plan) == [0, 255_996]
    plan = remote(tmp_path, user("a" * 400), user("d" * 255_996))
    assert lengths(plan) == [4, 255_996]


def test_labels_of_images_stay_and_are_counted(tmp_path: Path) -> None:
    labelled = user("<image name=[Image #1]>", image(), "</image>", "t")
    plan = remote(tmp_path, user("zero" * 2_000), labelled, user("d" * 248_000))
    assert plan.details["shortened_to"] == 147
    assert plan.actions[3] is Action.KEEP
    assert not [place for place in plan.parts if place[0] == 3]


def test_a_hooks_words_and_a_summary_in_the_clear_stay_like_prompts(tmp_path: Path) -> None:
    hook, past = user(HOOK.format("h" * 3_960)), f"{PREFIX}S"
    plan = remote(tmp_path, user("zero" * 2_000), hook, user("d" * 250_000))
    assert plan.details["shortened_to"] == 499
    plan = remote(
        tmp_path,
        user("one"),
        compacted(past, [message("user", "one"), message("user", past)]),
        user("two"),
    )
    assert plan.staying == (0, 1, 2)


def test_a_sealed_summary_goes_into_the_next_one(tmp_path: Path) -> None:
    item = {"type": "compaction", "encrypted_content": "gAAA"}
    plan = remote(tmp_path, compacted("", [message("user", "one"), item]), user("two"))
    assert plan.actions == (Action.KEEP, Action.SUMMARISE, Action.KEEP)
    assert plan.details["sealed"] is True


def test_messages_of_other_agents_stay_within_a_budget_of_their_own(tmp_path: Path) -> None:
    several = [agent(letter * 36_000) for letter in "ABCDEFGHI"]
    plan = remote(tmp_path, user("zero"), agent("z" * 400), *several, user("three"))
    assert lengths(plan) == [4, 400, *[36_000] * 7, 5]
    assert plan.summary_at == 1


@given(sessions, st.sampled_from([0, 1, 10, 2_000, 64_000]))
def test_what_stays_in_the_clear_keeps_within_the_budget(drawn: Session, budget: int) -> None:
    plan = propose(window_of(drawn), "codex-remote", tail_tokens=budget)
    tokens = plan.details["retained_tokens"]
    assert isinstance(tokens, int)
    assert tokens <= budget
    for i in plan.staying:
        for j, part in enumerate(drawn.context[i].parts):
            if plan.action_of(i, j) in STAYING:
                assert part.kind in (Kind.PROMPT, Kind.SUMMARY)
                assert drawn.context[i].role.value == "user"


def test_the_first_form_keeps_prompts_and_the_replies_that_ended_turns(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        user("one", image()),
        answer("I look.", "commentary"),
        call("c1"),
        output("c1"),
        sealed(),
        answer("Found it.", "final_answer"),
        user("two"),
        answer("I try.", "commentary"),
        user("stop, three"),
        answer("So.", "commentary"),
        name="codex-remote-v1",
    )
    kept = {plan.outline.messages[i].head for i in plan.staying}
    assert kept == {"one", "Found it.", "two", "stop, three"}
    (reply_at,) = (i for i in plan.staying if plan.outline.messages[i].head == "Found it.")
    stays = [plan.action_of(reply_at, j) in STAYING for j in range(2)]
    types = [part.type for part in plan.outline.messages[reply_at].parts]
    assert dict(zip(types, stays, strict=True)) == {PartType.OPAQUE: False, PartType.TEXT: True}
    assert plan.settings == {}


def test_where_no_phase_is_told_the_last_words_of_a_turn_ended_it() -> None:
    memory = session(
        retold("what was"),
        asked("one"),
        together(reply("I look."), *ran("ls", call_id="a")[:1]),
        ran("ls", call_id="a")[1],
        reply("Done."),
        asked("two"),
        together(reply("Now"), ran("pwd", call_id="b")[0]),
        ran("pwd", call_id="b")[1],
    )
    plan = propose(window_of(memory), "codex-remote-v1")
    assert [memory.context[i].head for i in plan.staying] == ["one", "Done.", "two"]


@pytest.mark.real
def test_the_first_form_keeps_what_the_server_sent_back(real_sessions: Path) -> None:
    """The file's texts are redacted: instructions and environment lost the marks that Codex knows
    them by, and those it put in anew read like the old ones. Prompts and replies are compared."""
    (path,) = real_sessions.joinpath("codex").glob("madshn*T12-54-34*.jsonl")
    (past,) = open_session(path).compactions
    before = open_session(path, before=1)
    plan = propose(window_of(before), "codex-remote-v1")
    said = {
        m.id for m in before.context if any(p.kind in (Kind.PROMPT, Kind.REPLY) for p in m.parts)
    }
    kept = [before.context[i].id for i in plan.staying if before.context[i].id in said]
    assert kept == [ident for ident in past.preserved if ident in said]
    assert len(kept) == 34
    assert plan.summary_at == len(plan.staying)


_TEXTS = st.sampled_from(
    ["", "w" * 30, "界" * 700, "x" * 9_000, "<image>", "</image>", f"{PREFIX}S", "\ud800é"]
)
_BLOCKS = st.one_of(
    _TEXTS,
    st.builds(image),
    st.sampled_from([{"type": "input_image", "image_url": None, "detail": "original"}, {}]),
)
_ITEMS = st.one_of(
    st.lists(_BLOCKS, max_size=4).map(lambda blocks: user(*blocks)),
    st.lists(_TEXTS, min_size=1, max_size=2).map(lambda texts: user(HOOK.format(texts[0]))),
    _TEXTS.map(lambda text: said("assistant", text)),
    _TEXTS.map(lambda text: answer(text, "final_answer")),
    _TEXTS.map(agent),
    st.sampled_from(["a", "b"]).map(call),
    st.sampled_from(["a", "b"]).map(output),
    st.builds(sealed),
    st.lists(_TEXTS, max_size=2).map(
        lambda texts: compacted("", [message("user", *texts), {"type": "compaction"}])
    ),
    st.just(user("# Context from my IDE setup:\n\n## My request for Codex:\ndo it")),
)


@given(
    st.lists(_ITEMS, max_size=9),
    st.sampled_from(["codex", "codex-remote", "codex-remote-v1"]),
    st.sampled_from([0, 3, 700, 64_000]),
)
def test_a_plan_on_any_rollout_holds_its_invariants(
    tmp_path_factory: pytest.TempPathFactory, records: list[JSON], name: str, budget: int
) -> None:
    window = window_of(opened(tmp_path_factory.getbasetemp() / "rollouts", *records))
    plan = propose(window, name, tail_tokens=budget)
    check(plan, window)
    again = propose(window, name, tail_tokens=budget)
    assert (again.actions, again.parts, again.left) == (plan.actions, plan.parts, plan.left)
    assert plan.summary_at is None or plan.summary_at <= len(plan.staying)
