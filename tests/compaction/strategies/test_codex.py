"""What stays of a session where Codex compacts by itself. Figures without another source are those
of Codex 0.171, run on the same rollout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.codex.reader import open_session
from redline.agents.codex.shortening import shorten_prompt, token_count
from redline.agents.own import OwnSetting
from redline.compaction.plan import STAYING, Action, Pins, Plan
from redline.model import Agent, Kind, PartType, Session
from tests.agents.codex.files import JSON, item, said
from tests.agents.codex.rolling import (
    PREFIX,
    call,
    compacted,
    image,
    message,
    opened,
    output,
    user,
)
from tests.compaction.windows import propose, sessions, window_of
from tests.sessions_in_memory import image as picture
from tests.sessions_in_memory import injected as put_in
from tests.sessions_in_memory import ran, reply, result, session, together
from tests.sessions_in_memory import summary as retold
from tests.sessions_in_memory import user as asked

BEGIN = (
    said("developer", "<permissions instructions>x</permissions instructions>"),
    user("<environment_context>e</environment_context>"),
)


def planned(folder: Path, *records: JSON, name: str = "codex", **settings: Any) -> Plan:
    return propose(window_of(opened(folder, *BEGIN, *records)), name, **settings)


def staying(plan: Plan, opened_session: Session) -> list[list[str]]:
    """What stays of each message, as Codex would write it where it is shortened."""
    return [kept(plan, opened_session, i) for i in plan.staying]


def kept(plan: Plan, opened_session: Session, index: int) -> list[str]:
    found = []
    for j, part in enumerate(opened_session.context[index].parts):
        action = plan.action_of(index, j)
        if action is Action.SHORTEN:
            text = opened_session.text(part)
            start, _mark, end = shorten_prompt(text, plan.left[index, j] // 4)
            found.append(start + end)
        elif action is Action.KEEP:
            found.append(opened_session.text(part) or part.type.value)
    return found


def agent(text: str) -> JSON:
    content = [{"type": "input_text", "text": text}]
    return item("agent_message", author="/root/a", recipient="/root", content=content)


def lengths(plan: Plan) -> list[int]:
    """The characters that stay of each message; in these windows a token is one."""
    found = []
    for i in plan.staying:
        chars = 0
        for j, part in enumerate(plan.outline.messages[i].parts):
            action = plan.action_of(i, j)
            if action in STAYING:
                chars += plan.left[i, j] if action is Action.SHORTEN else part.chars
        found.append(chars)
    return found


def test_the_prompt_at_the_edge_loses_its_middle_and_older_ones_go(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        user("A" * 30_000),
        said("assistant", "ra"),
        user("é" * 30_000),
        said("assistant", "rb"),
        call("c1"),
        output("c1"),
        user("C" * 50_000),
        said("assistant", "rc"),
        user("D" * 11),
    )
    assert lengths(plan) == [2 * 7_497, 50_000, 11]
    assert plan.actions[2] is Action.SUMMARISE
    assert plan.actions[4] is Action.SHORTEN
    assert plan.details["shortened_to"] == 7_497
    assert plan.details["retained_tokens"] == 20_000
    assert plan.summary_at == 3
    assert plan.cut is None


@pytest.mark.parametrize(
    ("last", "first"),
    [(80_000, None), (79_996, 4), (79_000, 400)],  # 400 bytes are 100 tokens
)
def test_the_budget_is_20_000_tokens_of_four_bytes(
    tmp_path: Path, last: int, first: int | None
) -> None:
    plan = planned(tmp_path, user("a" * 400), said("assistant", "R"), user("d" * last))
    assert lengths(plan) == [*([first] if first else []), last]


def test_the_texts_of_a_prompt_are_cut_as_one(tmp_path: Path) -> None:
    parts = ("a" * 100_000, "b" * 100_000, image(), "c" * 100_000)
    plan = planned(tmp_path, user("one"), user(*parts), said("assistant", "R"), user("d" * 1_000))
    assert plan.parts[3, 1] is Action.SUMMARISE
    assert plan.parts[3, 2] is Action.DROP
    assert (plan.left[3, 0], plan.left[3, 3]) == (39_500, 39_500)
    assert plan.staying == (3, 5)
    assert any("an image of your prompts" in warning for warning in plan.warnings)


def test_whole_texts_stay_whole_where_the_middle_goes_within_one_of_them(tmp_path: Path) -> None:
    plan = planned(tmp_path, user("a" * 4_000, "b" * 90_000, "c" * 4_000))
    assert plan.actions[2] is Action.SHORTEN
    assert [plan.action_of(2, j) for j in range(3)] == [Action.KEEP, Action.SHORTEN, Action.KEEP]
    assert plan.left == {(2, 1): 72_000}


def test_the_last_prompt_is_told_of_where_it_is_shortened(tmp_path: Path) -> None:
    plan = planned(tmp_path, user("a" * 400), said("assistant", "R"), user("d" * 400_001))
    assert lengths(plan) == [80_000]
    assert any("the last prompt loses its middle" in warning for warning in plan.warnings)


def test_whole_characters_stay_at_the_edge(tmp_path: Path) -> None:
    session = opened(tmp_path, user("😀" * 30_000), user("ddd"))
    plan = propose(window_of(session), "codex")
    assert lengths(plan) == [2 * 9_999, 3]


def test_images_and_their_labels_go_and_the_words_stay(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("see", image()),
        user(image()),
        user("<image name=[Image #1]>", image(), "</image>", "labelled"),
        user("last"),
    )
    plan = propose(window_of(session), "codex")
    assert staying(plan, session) == [["see"], ["labelled"], ["last"]]
    assert plan.actions[1] is Action.DROP  # Codex leaves an empty message


def test_what_codex_takes_for_a_prompt_stays_whoever_wrote_it(tmp_path: Path) -> None:
    texts = [
        "<user_instructions>ui</user_instructions>",
        "<user_action>ua</user_action>",
        "# Context from my IDE setup:\n- a\n\n## My request for Codex:\ndo it",
        "<realtime_delegation>rd</realtime_delegation>",
    ]
    gone = [
        '<hook_prompt hook_run_id="h">hp</hook_prompt>',
        "<user_shell_command>ls</user_shell_command>",
        "  <environment_context>q</environment_context> \n",
        f"{PREFIX}old summary",
    ]
    session = opened(tmp_path, *map(user, [*texts, *gone]), user("x", "<skill>y</skill>"))
    plan = propose(window_of(session), "codex")
    assert ["".join(found) for found in staying(plan, session)] == texts
    assert plan.actions[7] is Action.SUMMARISE


def test_a_summary_is_asked_for_even_where_all_stays(tmp_path: Path) -> None:
    assert planned(tmp_path, user("one"), user("two")).summary_at == 2


def test_messages_of_other_agents_have_a_budget_of_their_own(tmp_path: Path) -> None:
    """The summary stands before the first of them, whether that stays or not."""
    plan = planned(
        tmp_path,
        user("zero" * 100),
        agent("z" * 400),
        agent("A" * 36_000),
        agent("B" * 36_000),
        agent("too long" * 10_000),
        agent("C" * 36_000),
        user("three"),
    )
    assert lengths(plan) == [400, 400, 36_000, 36_000, 5]
    assert plan.summary_at == 1
    assert plan.details["instructions_before"] == plan.outline.messages[8].id


def test_a_second_compaction_starts_from_what_the_first_one_left(tmp_path: Path) -> None:
    summary = f"{PREFIX}S"
    first = [message("user", "one" * 4_000), message("user", "two" * 9_000)]
    plan = planned(
        tmp_path,
        user("one" * 4_000),
        user("two" * 9_000),
        compacted(summary, [*first, message("user", summary)]),
        user("FOURTH " * 8_000),
        said("assistant", "R"),
        user("FIFTH"),
    )
    assert lengths(plan) == [4 * (20_000 - 14_000 - 2), 56_000, 5]
    assert plan.reasons[2] == "the agent's previous summary"


@pytest.mark.parametrize("tail", [0, 1, 30, 10**6])
def test_another_budget_can_be_asked_for(tmp_path: Path, tail: int) -> None:
    plan = planned(tmp_path, user("é" * 100), user("b" * 100), tail_tokens=tail)
    expected = {0: [], 1: [4], 30: [10, 100], 10**6: [100, 100]}
    assert lengths(plan) == expected[tail]
    assert plan.settings == {"tail_tokens": tail}


def test_a_session_of_another_agent_keeps_a_persons_words_only() -> None:
    session_of_claude = session(
        retold("what was"),
        together(put_in("reminder"), asked("one"), picture()),
        *ran("ls", "a" * 5_000, call_id="a"),
        reply("done"),
        together(result("lost", call_id="z"), asked("two")),
    )
    plan = propose(window_of(session_of_claude), "codex")
    assert staying(plan, session_of_claude) == [["one"], ["two"]]
    assert plan.actions[0] is Action.SUMMARISE
    assert plan.summary_at == 2


def test_a_pinned_cut_keeps_what_follows_it(tmp_path: Path) -> None:
    session = opened(tmp_path, user("one"), said("assistant", "A"), user("two" * 40_000, image()))
    window = window_of(session)
    plan = propose(window, "codex", pins=Pins(cut=session.context[1].id))
    assert plan.actions == (Action.SUMMARISE, Action.KEEP, Action.KEEP)
    assert not plan.parts
    assert not plan.left
    assert plan.one_tail
    assert "shortened" not in plan.details


def test_a_window_without_a_limit_and_an_empty_one_are_planned() -> None:
    for name in ("codex", "codex-remote", "codex-remote-v1"):
        plan = propose(window_of(session(asked("one"), reply("R")), limit=None), name)
        assert plan.staying[0] == 0
        assert propose(window_of(session(), limit=None), name).summary_at is None


def test_a_switched_on_token_budget_is_told(tmp_path: Path) -> None:
    own = {Agent.CODEX: {"features.token_budget": OwnSetting(True, "config.toml")}}
    plan = planned(tmp_path, user("one"), own=own)
    assert any("without a summary" in warning for warning in plan.warnings)


@given(sessions, st.sampled_from([0, 1, 10, 100, 20_000]))
def test_the_prompts_that_stay_keep_within_the_budget(drawn: Session, budget: int) -> None:
    """Told again: from the newest on, whole but for the last one, and none is left out between."""
    plan = propose(window_of(drawn), "codex", tail_tokens=budget)
    spent, over = 0, False
    for i in range(len(drawn.context) - 1, -1, -1):
        words = [(j, p) for j, p in enumerate(drawn.context[i].parts) if is_said(p)]
        stays = [j for j, _ in words if plan.action_of(i, j) in STAYING]
        if drawn.context[i].role.value != "user" or not words:
            assert not stays
            continue
        tokens = token_count("".join(drawn.text(p) for _, p in words))
        if over or spent >= budget:
            assert not stays
        elif spent + tokens > budget:
            over = True
        else:
            assert len(stays) == len(words)
            assert not any((i, j) in plan.left for j, _ in words)
        spent += tokens
    assert sum(plan.left.values()) <= 4 * budget


def is_said(part: Any) -> bool:
    return part.kind is Kind.PROMPT and part.type is PartType.TEXT


@pytest.mark.real
@pytest.mark.parametrize(
    ("file", "retained"),
    [("compacted_by_0.171.0_local.jsonl", 10), ("kvsankar_compaction_synthetic.jsonl", 3)],
)
def test_it_keeps_what_codex_kept(real_sessions: Path, file: str, retained: int) -> None:
    path = real_sessions / "codex" / file
    (past,) = open_session(path).compactions
    before = open_session(path, before=1)
    plan = propose(window_of(before), "codex")
    assert tuple(before.context[i].id for i in plan.staying) == past.preserved
    assert len(past.preserved) == retained == plan.summary_at
    assert Action.SHORTEN not in plan.actions


def test_within_a_turn_the_prompt_that_is_worked_on_stays_and_the_open_call_goes(
    tmp_path: Path,
) -> None:
    plan = planned(
        tmp_path,
        user("one"),
        said("assistant", "R1"),
        user("two"),
        call("c1"),
        output("c1", "hi"),
        call("c2"),
    )
    assert [plan.outline.messages[i].head for i in plan.staying] == ["one", "two"]
    assert plan.details["instructions_before"] == plan.outline.messages[plan.staying[-1]].id
    assert plan.summary_at == 2
    assert plan.actions[0] is plan.actions[1] is Action.DROP
    assert not plan.warnings
