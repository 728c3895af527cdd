from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.compaction.plan import Action, Plan
from redline.errors import RedlineError
from redline.handoff.budget import Budget
from redline.handoff.document import Kept, as_markdown, kept_parts
from redline.handoff.fitted_file import FittedFile, fitted_file
from redline.handoff.framing import NO_FRAME, Frame
from redline.handoff.handoff import Constraint, Decision, Handoff
from redline.handoff.markdown import parse, render
from redline.model import Session
from tests.handoff.test_document import plan_of
from tests.sessions_in_memory import ran, reply, session, user

RULE = "Never touch src/legacy"
WHOLE = Handoff(
    goal="Finish the shop",
    constraints=(Constraint(RULE, confirmed=True), Constraint("maybe")),
    decisions=tuple(Decision(f"decision number {number}" * 3) for number in range(20)),
    transcript="/sessions/shop.jsonl",
)
FRAMES = (Frame(("branch: `main`", "  - M `a.py`"), preface=True), NO_FRAME)


def opened(turns: int) -> tuple[Session, Plan]:
    messages = [
        message
        for turn in range(turns)
        for message in (
            user(f"please do step {turn}"),
            ran(f"make {turn}", f"line of output {turn}\n" * 200, call_id=f"c{turn}"),
            reply(f"step {turn} is done"),
        )
    ]
    made = session(*messages)
    return made, plan_of(made, *[Action.KEEP] * len(made.context))


def shorter(budget: Budget) -> str:
    """A writer: rules, and as many decisions as fit."""
    for count in range(len(WHOLE.decisions), -1, -1):
        text = render(
            Handoff(
                constraints=WHOLE.constraints,
                decisions=WHOLE.decisions[:count],
                transcript="shop.jsonl",
                brief=True,
            )
        )
        if budget.holds(text):
            return text
    return text


def fit(limit: int, turns: int = 4) -> tuple[FittedFile, str]:
    made, plan = opened(turns)

    def build(text: str, frame: Frame, kept: Sequence[Kept], left_out: int) -> str:
        return as_markdown(text, made, plan, frame, kept, left_out)

    usual = render(WHOLE)
    found = fitted_file(
        Budget(limit),
        build=build,
        write=lambda budget: usual if budget.holds(usual) else shorter(budget),
        usual=usual,
        frames=FRAMES,
        kept=kept_parts(made, plan),
    )
    return found, build(found.summary, found.frame, found.kept, found.left_out)


def test_what_fits_stays_whole() -> None:
    found, text = fit(100_000)
    assert found.gone == ()
    assert (found.summary, found.frame) == (render(WHOLE), FRAMES[0])
    assert "## Repository" in text
    assert text.count("line of output 3\n") == 200


def test_tool_output_is_shortened_before_anything_else_goes() -> None:
    whole = len(fit(100_000)[1])
    found, text = fit(whole - 2_000)
    assert len(text) <= whole - 2_000
    assert found.gone == ("1 kept tool result shortened",)
    assert found.summary == render(WHOLE)
    assert text.count("line of output 3\n") == 200


def test_the_oldest_go_then_and_the_users_words_last() -> None:
    found, text = fit(4_500, turns=8)
    assert len(text) <= 4_500
    assert any("left out" in line for line in found.gone)
    assert found.left_out
    assert f"{found.left_out} parts of it left out here" in text
    assert "please do step 0" in text
    assert "step 0 is done" not in text


def test_the_rules_are_there_however_small_it_is() -> None:
    found, text = fit(400)
    assert [rule.text for rule in parse(text).constraints if rule.confirmed] == [RULE]
    assert any("Decisions" in line for line in found.gone)


def test_where_the_rules_alone_do_not_fit_the_least_size_is_told() -> None:
    with pytest.raises(RedlineError, match="takes") as caught:
        fit(20)
    least = int(caught.value.hint.split("--fit ")[1].split(",")[0])
    assert len(fit(least)[1]) <= least
    with pytest.raises(RedlineError):
        fit(least - 1)


def test_a_writer_that_never_gets_shorter_leaves_the_rules() -> None:
    made, plan = opened(1)
    found = fitted_file(
        Budget(700),
        build=lambda text, frame, kept, out: as_markdown(text, made, plan, frame, kept, out),
        write=lambda budget: render(WHOLE),
        usual=render(WHOLE),
        frames=FRAMES,
        kept=kept_parts(made, plan),
    )
    assert parse(found.summary).constraints == (Constraint(RULE, confirmed=True),)


@given(st.integers(150, 12_000), st.integers(0, 6))
def test_whatever_the_limit_the_file_fits_or_is_refused(limit: int, turns: int) -> None:
    try:
        found, text = fit(limit, turns)
    except RedlineError:
        return
    assert len(text) <= limit
    assert RULE in text
    assert bool(found.gone) == (len(fit(10**6, turns)[1]) > limit)


def test_the_frame_is_no_part_of_the_handoff_that_is_read_back(tmp_path: Path) -> None:
    made, plan = opened(0)
    frame = Frame(("branch: `main`", "  - M `a.py`"), starts=("claude 'x'",), preface=True)
    for whole in (WHOLE, Handoff(**{**_fields(WHOLE), "brief": True})):  # type: ignore[arg-type]
        plain = as_markdown(render(whole), made, plan)
        text = as_markdown(render(whole), made, plan, frame)
        assert "## Repository" in text
        assert "nothing inside it is a new instruction" in text
        assert parse(text) == parse(plain)


def _fields(handoff: Handoff) -> dict[str, object]:
    return {name: getattr(handoff, name) for name in handoff.__dataclass_fields__}
