from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from redline.agents.claude_code.reader import open_session
from redline.context.apportion import apportion
from redline.context.billed import billed_input
from redline.context.measure import measure
from redline.context.tokenizer import tokenizer
from redline.context.window import Category, Source, Window
from redline.errors import RedlineError
from redline.model import (
    CompactionKind,
    PartState,
    PartType,
    PastCompaction,
    Session,
    SessionSource,
    Usage,
)
from redline.settings import Settings
from tests.sessions_in_memory import (
    Draft,
    call,
    image,
    injected,
    ran,
    reply,
    result,
    session,
    summary,
    thinking,
    together,
    user,
)

MODEL = "claude-opus-4-6"


def measured(opened: Session, settings: Settings | None = None) -> Window:
    window = measure(opened, settings or Settings(), {})
    assert window.overhead + sum(window.tokens) == window.used == sum(window.categories.values())
    assert tuple(map(sum, window.parts)) == window.tokens
    assert [len(p) for p in window.parts] == [len(m.parts) for m in opened.context]
    assert window.overhead >= 0
    assert min(window.tokens, default=0) >= 0
    return window


def answered(text: str, billed: int, output: int | None = None) -> Draft:
    return reply(text, usage=Usage(input=1, cache_read=billed - 1, output=output), model=MODEL)


def test_what_is_used_is_the_whole_input_side_not_its_uncached_rest() -> None:
    # A05: input 1, cache_read 90000, cache_creation 2000
    usage = Usage(input=1, cache_read=90_000, cache_write=2_000, output=4)

    window = measured(session(user("go"), reply("done", usage=usage, model=MODEL)))

    assert window.billed == 92_001
    assert window.source is Source.MEASURED
    assert 92_001 < window.used < 92_020


def test_after_a_compaction_the_size_before_it_is_forgotten() -> None:
    # A07: 236k before, 12000 reported after, no request since
    told = summary("The user wants the totals fixed.")
    boundary = PastCompaction(
        "b", CompactionKind.FULL, 2, tokens_before=236_000, reported_after=12_000
    )
    opened = session(user("go"), answered("done", 236_000), told, context_from=2)
    summarised = replace(boundary, summary=opened.context[0])

    window = measured(replace(opened, compactions=(summarised,)))
    assert (window.billed, window.used, window.source) == (None, 12_000, Source.ESTIMATED)

    unreported = measured(replace(opened, compactions=(replace(boundary, reported_after=None),)))
    assert unreported.used < 100


def test_usage_comes_first_and_only_what_came_after_it_is_estimated() -> None:
    # B30: last response 100k in total, then two results of about 1k
    text = "def total(rows):\n    return sum(row.price for row in rows)\n" * 55
    window = measured(
        session(
            user("go"),
            thinking("Let me think about the totals. " * 900),
            together(
                answered("I look.", 99_500, 500),
                call("Read", {"file": "a.py"}, call_id="a"),
                call("Read", {"file": "b.py"}, call_id="b"),
            ),
            result(text, call_id="a"),
            result(text, call_id="b"),
        )
    )

    assert window.billed == 99_500
    assert window.used == pytest.approx(102_000, rel=0.005)


@pytest.mark.parametrize("where", [None, "call-1"])
def test_an_image_weighs_the_same_however_many_bytes_it_has(where: str | None) -> None:
    # A35: once 100 KiB, once 5 MiB of base64
    weights = []
    for characters in (100 << 10, 5 << 20):
        opened = session(user("look"), image(call_id=where))
        message = opened.context[1]
        fat = replace(message.parts[0], chars=characters)
        context = (opened.context[0], replace(message, parts=(fat,)))
        weights.append(measured(replace(opened, context=context)).tokens[1])

    assert weights[0] == weights[1]
    assert 1_000 <= weights[0] <= 5_000


def test_the_weight_of_an_image_can_be_set() -> None:
    opened = session(user("look"), image())

    light, heavy = (measured(opened, Settings(image_tokens=n)).tokens[1] for n in (1_000, 2_000))

    assert heavy - light == 1_000


def test_base64_text_weighs_about_one_token_a_character_for_claude() -> None:
    # A36
    import base64
    import random

    text = base64.b64encode(random.Random(1).randbytes(150_000)).decode()

    window = measured(session(user("x"), *ran("cat key", text, call_id="a"), model=MODEL))

    assert window.used == pytest.approx(len(text), rel=0.1)


@pytest.mark.parametrize(
    "usage",
    [
        Usage(),
        Usage(input=0, cache_read=0, cache_write=0, output=0),
        Usage(input=None, cache_read=-5, output=None),
    ],
)
def test_a_usage_that_says_nothing_is_no_measure(usage: Usage) -> None:
    # A47
    window = measured(session(user("go"), reply("done", usage=usage, model=MODEL)))

    assert (window.billed, window.source) == (None, Source.ESTIMATED)


def test_a_field_below_zero_is_unknown_and_takes_nothing_away() -> None:
    # A47: {"input_tokens": 120, "output_tokens": null, "cache_read_input_tokens": -5}
    usage = Usage(input=120, cache_read=-5)

    assert measured(session(user("go"), reply("ok", usage=usage, model=MODEL))).billed == 120


def test_system_share_is_what_the_first_request_weighed_beyond_its_messages() -> None:
    prompt = "Fix the rounding in order totals. " * 30
    window = measured(
        session(injected("Be brief."), user(prompt), answered("Yes.", 21_000), user("go on"))
    )

    counted = tokenizer().count(prompt)
    assert window.tokens[1] == pytest.approx(counted * 1.19, abs=20)
    assert window.overhead == pytest.approx(21_000 - window.tokens[0] - window.tokens[1], abs=1)
    assert window.categories[Category.SYSTEM] == window.overhead + window.tokens[0]
    assert window.categories[Category.USER] == window.tokens[1] + window.tokens[3]


def test_messages_between_two_requests_weigh_what_was_billed_for_them() -> None:
    text = "line of output\n" * 400
    window = measured(
        session(
            user("go"),
            together(answered("I run it.", 20_000), call("Bash", {"command": "x"}, call_id="a")),
            result(text, call_id="a"),
            answered("Done.", 22_345),
        )
    )

    assert window.overhead + sum(window.tokens[:1]) == 20_000
    assert sum(window.tokens[1:3]) == 2_345
    assert window.billed == 22_345


def test_results_cleared_without_a_word_make_no_message_negative() -> None:
    text = "line of output\n" * 4_000
    window = measured(
        session(
            user("go"),
            together(answered("a", 20_000), call("Bash", {"command": "x"}, call_id="a")),
            result(text, call_id="a"),
            answered("b", 40_000),
            user("and now?"),
            answered("c", 24_000),
            user("go on"),
            answered("d", 5_000),
        )
    )

    assert window.billed == 5_000
    assert window.overhead == 5_000


def test_text_that_is_not_on_disk_counts_as_system() -> None:
    window = measured(
        session(user("go"), answered("ok", 20_000), user("and?"), answered("yes", 45_000))
    )

    assert sum(window.tokens[:3]) < 300
    assert window.overhead > 44_000


def test_a_cleared_result_weighs_as_much_as_its_placeholder() -> None:
    text = "line of output\n" * 2_000
    live, cleared = (
        measured(session(user("x"), result(text, call_id="a", state=state), model=MODEL)).tokens[1]
        for state in (PartState.LIVE, PartState.CLEARED)
    )

    assert live > 2_000
    assert 5 <= cleared <= 40


def test_output_that_the_texts_do_not_explain_is_thinking_that_is_not_stored() -> None:
    window = measured(
        session(user("go"), together(answered("Short.", 9_000, 800), thinking("")), model=MODEL)
    )

    assert window.used == 9_800
    assert window.parts[1][1] > 750
    assert window.categories[Category.THINKING] == window.parts[1][1]


def test_a_placeholder_of_a_stream_is_not_taken_for_the_output() -> None:
    words = "The rounding happens twice, once in totals and once in the invoice. " * 20
    window = measured(session(user("go"), answered(words, 9_000, 1)))

    assert window.used > 9_250


def test_calls_and_results_are_the_tool_share_and_a_summary_its_own() -> None:
    window = measured(
        session(summary("What was done."), user("go"), *ran("ls", "a\nb", call_id="a"))
    )

    assert window.categories[Category.TOOL] == window.tokens[2] + window.tokens[3]
    assert window.categories[Category.SUMMARY] == window.tokens[0]
    assert window.categories[Category.ASSISTANT] == 0


def test_an_empty_session_weighs_nothing() -> None:
    window = measured(session())

    assert (window.used, window.billed, window.tokens) == (0, None, ())


def test_a_model_counts_with_the_tokenizer_set_for_it() -> None:
    opened = session(user("规则" * 400), model="glm-4.6")

    ranks = measured(opened).tokens[0]
    estimate = measured(opened, Settings(tokenizers={"glm-*": "estimate"})).tokens[0]

    assert ranks != estimate


def test_a_file_that_changed_is_an_error_not_a_guess() -> None:
    class Gone:
        def text(self, part: object) -> str:
            raise RedlineError("the file has changed")

    opened = session(user("go"))
    source: SessionSource = Gone()  # type: ignore[assignment]

    with pytest.raises(RedlineError):
        measure(replace(opened, source=source), Settings(), {})


counts = st.none() | st.integers(-10, 2_000_000)
usages = st.none() | st.builds(Usage, counts, counts, counts, counts)
texts = st.text(max_size=60) | st.sampled_from(["word " * 300, "规则" * 200, '{"a": 1}' * 50])
replies = st.builds(
    lambda text, usage, model: reply(text, usage=usage, model=model),
    texts,
    usages,
    st.sampled_from([MODEL, "claude-opus-4-8", "gpt-5", None]),
)
drafts = st.one_of(
    st.builds(user, texts),
    replies,
    st.builds(lambda one, text: together(one, thinking(text)), replies, texts),
    st.builds(injected, texts),
    st.builds(summary, texts),
    st.just(image()),
    st.builds(lambda text: call("Bash", {"command": text}, call_id="a"), texts),
    st.builds(
        lambda text, state: result(text, call_id="a", state=state),
        texts,
        st.sampled_from(list(PartState)),
    ),
)


@hypothesis_settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(drafts, max_size=14))
def test_categories_and_messages_add_up_to_what_is_used(messages: list[Draft]) -> None:
    window = measured(session(*messages))

    billed = [n for n in map(billed_input, window.session.context) if n is not None]
    assert window.billed == (billed[-1] if billed else None)
    assert window.used >= (window.billed or 0)


@given(st.lists(st.floats(0, 1e6, allow_nan=False), max_size=40), st.integers(0, 10_000_000))
def test_whole_shares_add_up_and_lie_within_one_of_their_proportion(
    values: list[float], total: int
) -> None:
    shares = apportion(values, total)

    size = sum(values)
    if size > 0:
        assert sum(shares) == total
        for value, share in zip(values, shares, strict=True):
            assert abs(share - value / size * total) < 1.01
    else:
        assert shares == [0] * len(values)


@pytest.mark.real
def test_every_real_session_adds_up_to_what_it_was_billed(real_sessions: Path) -> None:
    folder = real_sessions / "claude_code"
    paths = [p for p in sorted(folder.rglob("*.jsonl")) if "subagents" not in p.parts]
    assert len(paths) > 9

    for path in paths:
        opened = open_session(path)
        window = measured(opened)
        if window.billed is not None:
            assert window.source is Source.MEASURED, path
            assert window.categories[Category.TOOL] > 0 or path.stem == "example-annotated"
            assert all(
                tokens > 0
                for message, parts in zip(opened.context, window.parts, strict=True)
                for part, tokens in zip(message.parts, parts, strict=True)
                if part.chars > 40 and part.type is not PartType.OPAQUE
            ), path
