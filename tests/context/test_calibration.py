from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.context.calibration import (
    NOTHING,
    Added,
    Amounts,
    Calibration,
    Group,
    Growth,
    calibrate,
    is_final,
    starting,
    weighed,
)
from redline.context.families import CLAUDE, CLAUDE_4_7, OPENAI, OTHER, TextKind, family, text_kind


def amounts(
    reply: float = 0, calls: float = 0, result: float = 0, other: float = 0, message: float = 0
) -> Amounts:
    return (reply, calls, result, other, message, 0.0)


def grown(factors: Amounts, *each: Amounts, output: int | None = None) -> Growth:
    tokens = sum(f * n for one in each for f, n in zip(factors, one, strict=True))
    return Growth(tuple(Added(one, output) for one in each), round(tokens))


SIZES = (200, 3_000, 150, 900, 40, 5_000, 700, 1_200)


def test_every_amount_is_weighed_by_the_factor_of_its_own_group() -> None:
    factors = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5)
    assert weighed(factors, (1, 2, 3, 4, 5, 6)) == 654_321


def test_without_samples_the_starting_factors_hold() -> None:
    assert calibrate([], CLAUDE) == starting(CLAUDE)
    assert starting(CLAUDE).factors[Group.IMAGE] == 1_500


def test_a_session_that_weighs_more_pulls_its_factors_up() -> None:
    truth = (1.15, 70.0, 1.1, 1.0, 15.0, 0.0)
    samples = [
        grown(truth, amounts(reply=reply, calls=1), amounts(result=size, message=1))
        for reply, size in zip(SIZES[::-1] * 5, SIZES * 5, strict=True)
    ]

    fitted = calibrate(samples, CLAUDE)

    assert fitted.samples == 40
    assert fitted.factors[Group.RESULT] == pytest.approx(1.1, abs=0.03)
    assert fitted.factors[Group.OTHER] == 1.0
    for size in (500, 4_000):
        added = Added(amounts(reply=size / 3, calls=1, result=size, message=1))
        expected = sum(f * n for f, n in zip(truth, added.amounts, strict=True))
        assert fitted.tokens(added) == pytest.approx(expected, rel=0.03)


def test_one_sample_hardly_moves_the_factors() -> None:
    sample = grown((1.0, 50.0, 1.5, 1.0, 15.0, 0.0), amounts(result=60, message=1))

    assert calibrate([sample], CLAUDE).factors[Group.RESULT] == pytest.approx(1.0, abs=0.05)


def test_results_cleared_without_a_word_do_not_spoil_the_factors() -> None:
    truth = (1.0, 50.0, 1.0, 1.0, 15.0, 0.0)
    good = [grown(truth, amounts(result=size, message=1)) for size in SIZES]
    silent = Growth((Added(amounts(result=400, message=1)),), -13_638)
    hidden = Growth((Added(amounts(result=400, message=1)),), 17_000)

    assert calibrate([*good, silent, hidden], CLAUDE).factors == pytest.approx(
        calibrate(good, CLAUDE).factors, abs=0.01
    )


def test_a_final_output_is_the_weight_of_its_reply() -> None:
    calibration = starting(CLAUDE)
    reply = amounts(reply=100, calls=1)

    assert calibration.tokens(Added(reply, 600)) == 600  # thinking that is not stored
    assert calibration.tokens(Added(reply, 120)) == 120
    assert calibration.tokens(Added(reply, 25)) == 150  # a placeholder of the stream
    assert calibration.tokens(Added(reply, None)) == 150


def test_an_output_that_is_a_placeholder_is_not_final() -> None:
    assert not is_final(1, 0.5)
    assert not is_final(None, 10)
    assert is_final(31, 0)


def test_an_image_weight_set_by_hand_is_not_moved() -> None:
    sample = Growth((Added((0, 0, 0, 0, 1, 1)),), 1_900)

    assert calibrate([sample], CLAUDE, 1_200).factors[Group.IMAGE] == pytest.approx(1_200, abs=1)
    assert calibrate([sample] * 9, CLAUDE).factors[Group.IMAGE] > 1_600


numbers = st.floats(0, 1e7, allow_nan=False)
added = st.builds(
    Added,
    st.tuples(numbers, numbers, numbers, numbers, numbers, numbers),
    st.none() | st.integers(-5, 10**7),
)


@given(st.lists(st.builds(Growth, st.tuples(added) | st.just(()), st.integers(-(10**7), 10**7))))
def test_whatever_is_learnt_no_message_weighs_less_than_nothing(samples: list[Growth]) -> None:
    fitted = calibrate(samples, OTHER)

    assert all(factor >= 0 for factor in fitted.factors)
    assert fitted.tokens(Added(NOTHING)) == 0
    assert fitted.estimate(Added((1, 1, 1, 1, 1, 1))) >= 0


def test_factors_are_those_of_the_model_family() -> None:
    for name in ("claude-opus-4-5-20251101", "claude-sonnet-4-20250514", "claude-3-5-haiku"):
        assert family(name) is CLAUDE, name
    for name in (
        "claude-opus-4-7",
        "claude-opus-4-8[1m]",
        "claude-opus-5",
        "us.anthropic.claude-opus-4-7-v1:0",
        "anthropic/claude-sonnet-4.8",
        "claude-sonnet-5-20260801",
    ):
        assert family(name) is CLAUDE_4_7, name
    assert family("openrouter/openai/gpt-5.1-codex") is OPENAI
    assert family("o3") is OPENAI
    for unknown in (None, "", "glm-4.6", "oracle"):
        assert family(unknown) is OTHER, unknown


def test_kinds_of_text_are_told_apart() -> None:
    prose = "I'll start with the totals, because rounding happens twice in that module. " * 5
    code = "     1→def total(rows):\n     2→    return sum(r.price * r.qty for r in rows)\n" * 5
    assert text_kind(prose) is TextKind.ENGLISH
    assert text_kind(code) is TextKind.CODE
    assert text_kind("不要修改 src/legacy 下的任何文件,先跑测试。" * 3) is TextKind.CHINESE
    assert text_kind('{"file_path": "/a/b.py", "old": "x", "new": "y"}') is TextKind.JSON
    assert text_kind("QUJD" * 1_000) is TextKind.UNBROKEN
    assert text_kind("") is TextKind.ENGLISH


def test_calibration_says_how_many_samples_it_rests_on() -> None:
    assert Calibration(NOTHING).samples == 0
