"""Inputs that a provider refuses as too large."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.handoff.writers.asking import Prompt
from redline.handoff.writers.failure import Failure, FailureKind, WriterFailure
from redline.handoff.writers.prompted import PromptWriter
from redline.handoff.writers.too_large import smaller_window, told_maximum
from tests.handoff.writers.tasks import GOOD, Echo, task_of, written
from tests.handoff.writers.test_prompted import long_session

_PER_TOKEN = 3  # characters, as the provider counts; the asker believes 4


def refusing(maximum: int, *, tells: bool) -> Echo:
    """A provider with a window of `maximum` tokens of its own count, that some say of and some
    do not, behind an asker that believes in one of 200,000."""

    def answer(prompt: Prompt) -> str:
        counted = len(prompt.whole) // _PER_TOKEN
        if counted > maximum:
            most, had = (maximum, counted) if tells else (None, None)
            failure = Failure(FailureKind.TOO_LARGE, "too large", most=most, counted=had)
            raise WriterFailure(failure)
        return GOOD

    return Echo(answer, window=200_000)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("prompt is too long: 213,455 tokens > 200000 maximum", (200_000, 213_455)),
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed "
            "(1048576).",
            (1_048_576, 1_200_000),
        ),
        (
            "This model's maximum context length is 8192 tokens. However, your messages resulted "
            "in 9000 tokens.",
            (8_192, 9_000),
        ),
        (
            "This model's maximum context length is 32768 tokens. However, you requested 40960 "
            "tokens (32960 in the messages, 8000 in the completion).",
            (32_768, 40_960),
        ),
        (
            'the request exceeds the available context size","type":"exceed_context_size_error",'
            '"n_prompt_tokens":5021,"n_ctx":4096',
            (4_096, 5_021),
        ),
        ("the request exceeds the available context size (4096 tokens)", (4_096, None)),
        ("input is too long for requested model", (None, None)),
        ("", (None, None)),
    ],
)
def test_the_maximum_is_read_from_what_providers_say(
    said: str, told: tuple[int | None, int | None]
) -> None:
    assert told_maximum(said) == told


@pytest.mark.parametrize("maximum", [4_000, 8_000, 12_000])
def test_where_the_maximum_is_told_the_second_try_fits(maximum: int) -> None:
    asker = refusing(maximum, tells=True)
    made, _ = written(task_of(long_session(40)), PromptWriter("echo", asker))
    assert made.complete
    refused = [p for p in asker.prompts if len(p.whole) // _PER_TOKEN > maximum]
    assert len(refused) == 1


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("maximum", [10, 2_000, 4_000, 9_000])
def test_no_input_is_sent_a_second_time(maximum: int, *, tells: bool) -> None:
    asker = refusing(maximum, tells=tells)
    written(task_of(long_session(40)), PromptWriter("echo", asker))
    texts = [prompt.text for prompt in asker.prompts]
    assert len(texts) == len(set(texts))
    sizes = [len(p.whole) for p in asker.prompts if len(p.whole) // _PER_TOKEN > maximum]
    assert all(later < 0.9 * earlier for earlier, later in pairwise(sizes))


def test_what_was_found_out_of_the_window_holds_for_the_next_try() -> None:
    asker = refusing(8_000, tells=True)
    writer = PromptWriter("echo", asker)
    for _ in range(2):
        made, _ = written(task_of(long_session(40)), writer)
        assert made.complete
    refused = [p for p in asker.prompts if len(p.whole) // _PER_TOKEN > 8_000]
    assert len(refused) == 1


@given(
    st.integers(1, 10**6),
    st.integers(2, 10**6),
    st.none() | st.integers(0, 10**9),
    st.none() | st.integers(0, 10**9),
)
def test_the_next_window_is_smaller_than_what_was_sent(
    window: int, sent: int, most: int | None, counted: int | None
) -> None:
    assert smaller_window(window, sent, most, counted) < sent
