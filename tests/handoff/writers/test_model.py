"""Models over HTTP: both streaming forms, and every way in which they fail."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from redline.handoff.writers.cooldown import Cooldowns
from redline.handoff.writers.failure import Cancelled, FailureKind
from redline.handoff.writers.model import ModelAsker
from redline.handoff.writers.prompted import PromptWriter
from redline.handoff.writers.registry import writer_of
from redline.handoff.writers.writer import Spent, Step, Words
from redline.handoff.writers.writing import Care, Remark, Written, write
from redline.model import Session
from redline.settings import Settings
from tests.handoff.writers.provider import (
    Answer,
    Provider,
    breaks_after,
    fails,
    fails_inside,
    hangs_after,
    provider,
    resets_after,
    says,
    sends,
)
from tests.handoff.writers.tasks import GOOD, shop, task_of, written
from tests.handoff.writers.test_prompted import long_session

pytestmark = pytest.mark.usefixtures("_models")

MODELS = ("openai/test-model", "anthropic/claude-sonnet-4-5")
NAMES = (
    *("refused-key", "forbidden", "unknown-model", "long-wait", "limited", "failing"),
    *("overloaded", "overloaded-inside", "breaking", "empty", "refusing", "filtered"),
    *("chatting", "rambling", "cut-off", "missing", "too-long", "login-page", "unpaid"),
    "malformed",
)
PART = GOOD[: GOOD.index("## Decisions")]


def settings(server: Provider) -> Settings:
    return Settings(writer_base_url=f"{server.url}/v1", writer_timeout=20)


def ask(model: str, *answers: Answer, about: Session | None = None) -> tuple[Written, Provider]:
    with provider(*answers) as server:
        writer = writer_of(model, settings(server), {"OPENAI_API_KEY": "k-1"})
        made, _ = written(task_of(about or shop()), writer, Care(pause=lambda _seconds: None))
        return made, server


def kinds(made: Written) -> list[FailureKind]:
    return [remark.failure.kind for remark in made.remarks if remark.failure]


@pytest.mark.parametrize("model", MODELS)
def test_what_a_model_writes_is_in_the_handoff_and_its_tokens_are_counted(model: str) -> None:
    made, server = ask(model, says(GOOD))
    assert made.complete
    assert made.handoff.goal == "Make the export of invoices survive a restart of the worker."
    assert made.handoff.next_plan == ("Split exports over two gigabytes.",)
    assert made.handoff.decisions[0].reason == "a torn file costs one job only"
    assert made.spent.input_tokens == 1234
    assert made.spent.counted
    assert made.remarks == ()
    assert len(server.requests) == 1


@pytest.mark.parametrize("model", MODELS)
def test_a_request_is_one_text_with_roles_and_never_a_chat_to_continue(model: str) -> None:
    _, server = ask(model, says(GOOD))
    (request,) = server.requests
    roles = [message["role"] for message in request.body["messages"]]
    assert roles in (["system", "user"], ["user"])
    assert request.body["stream"] is True
    assert "User: Make the export" in request.prompt
    assert request.prompt.rstrip().endswith("end it after the last next step.")


def test_each_form_gets_its_path_and_its_key() -> None:
    with provider(says(GOOD)) as server:
        keys = {"OPENAI_API_KEY": "k-open", "ANTHROPIC_API_KEY": "k-anth", "MINE": "k-mine"}
        for model in MODELS:
            written(task_of(shop()), writer_of(model, settings(server), keys))
        own = Settings(writer_base_url=f"{server.url}/v1", writer_key_env="MINE")
        written(task_of(shop()), writer_of("local-model", own, keys))
    paths = [request.path for request in server.requests]
    assert paths == ["/v1/chat/completions", "/v1/messages", "/v1/chat/completions"]
    assert server.requests[0].headers["authorization"] == "Bearer k-open"
    assert server.requests[1].headers["x-api-key"] == "k-anth"
    assert server.requests[2].headers["authorization"] == "Bearer k-mine"


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("answer", "kind", "said", "requests"),
    [
        (fails(401, "bad key"), FailureKind.KEY_REFUSED, "writer_key_env", 1),
        (fails(403, "not yours"), FailureKind.KEY_REFUSED, "not yours", 1),
        (fails(404, "no such thing"), FailureKind.NO_MODEL, "name of the model", 1),
        (fails(429, "slow down", Retry_After="7000"), FailureKind.RATE_LIMIT, "3600 seconds", 1),
        (fails(429, "slow down"), FailureKind.RATE_LIMIT, "slow down", 1),
        (fails(500, "oops"), FailureKind.SERVER, "oops", 2),
        (fails(529, "Overloaded"), FailureKind.OVERLOADED, "overloaded", 1),
        (fails_inside(PART, "overloaded_error", "Overloaded"), FailureKind.OVERLOADED, "", 1),
        (breaks_after(PART), FailureKind.INTERRUPTED, "broke in the middle", 2),
        (says(""), FailureKind.EMPTY, "was empty", 2),
        (says("I'm sorry, I can't help with that."), FailureKind.REFUSED, "refused", 2),
        (says(PART, "content_filter"), FailureKind.REFUSED, "refused", 2),
        (says("Sure! Shall I split the export?"), FailureKind.ANSWERED, "conversation", 2),
        (says("lorem ipsum dolor " * 40), FailureKind.UNREADABLE, "none of the sections", 2),
        (says(PART, "length"), FailureKind.CUT_OFF, "cut off", 2),
        (says(PART), FailureKind.MISSING, "Next steps", 2),
        (says(GOOD + "- and more\n" * 2_000), FailureKind.TOO_LONG, "longer than", 2),
        (sends(b"<html>log in</html>", "text/html"), FailureKind.EMPTY, "writer_base_url", 2),
        (fails(402, "no money left"), FailureKind.REQUEST, "no money left", 1),
        (fails(400, "bad parameter"), FailureKind.REQUEST, "bad parameter", 1),
    ],
    ids=NAMES,
)
def test_each_failure_is_told_in_plain_words_and_the_handoff_is_whole(
    model: str, answer: Answer, kind: FailureKind, said: str, requests: int
) -> None:
    made, server = ask(model, answer)
    assert not made.complete
    assert kinds(made)[-1] is kind
    assert said in made.remarks[-1].text
    assert "Exception" not in made.remarks[-1].text
    assert len(server.requests) == requests
    assert made.handoff.goal
    assert len(made.handoff.user_words) == 2
    assert any("1a2b3c4" in item for item in made.handoff.done)


def test_bytes_that_are_no_stream_are_an_error_or_nothing() -> None:
    for model in MODELS:
        made, _ = ask(model, sends(b"\x00\xff\xfe{garbage\n\ndata: {no json\n\n"))
        assert not made.complete
        assert kinds(made)[-1] in (FailureKind.INTERRUPTED, FailureKind.EMPTY, FailureKind.SERVER)


def test_a_connection_that_breaks_inside_a_chunk_is_an_interruption() -> None:
    made, server = ask(MODELS[0], resets_after(PART))
    assert kinds(made) == [FailureKind.INTERRUPTED] * 2
    assert len(server.requests) == 2


@pytest.mark.parametrize("model", MODELS)
def test_a_refused_connection_says_where_it_was_tried(model: str) -> None:
    with provider(says(GOOD)) as server:
        gone = settings(server)
    made, _ = written(task_of(shop()), writer_of(model, gone, {}))
    assert kinds(made) == [FailureKind.NO_CONNECTION]
    assert "127.0.0.1" in made.remarks[0].text
    assert "connection refused" in made.remarks[0].text


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("text", ["", PART])
def test_silence_is_a_timeout_and_the_connection_is_closed(model: str, text: str) -> None:
    with provider(hangs_after(text)) as server:
        writer = writer_of(model, settings(server), {})
        assert isinstance(writer, PromptWriter)
        assert isinstance(writer.asker, ModelAsker)
        writer.asker = replace(writer.asker, timeout=0.2)
        made, _ = written(task_of(shop()), writer)
        assert kinds(made) == [FailureKind.TIMEOUT]
        assert "writer_timeout" in made.remarks[0].text
        assert server.gone.wait(5)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("text", ["", PART])
def test_a_person_ends_it_while_it_connects_and_between_two_pieces(model: str, text: str) -> None:
    with provider(hangs_after(text)) as server:
        seen = threading.Event()

        def told(piece: object) -> None:
            if isinstance(piece, Words):
                seen.set()

        def cancelled() -> bool:
            return seen.is_set() if text else server.asked.is_set()

        writer = writer_of(model, settings(server), {})
        with pytest.raises(Cancelled) as ended:
            write(task_of(shop()), writer, cancelled=cancelled, told=told)
        assert ended.value.status == 130
        assert text.startswith(ended.value.text)
        assert bool(ended.value.text) == bool(text)
        assert server.gone.wait(5)


def test_an_answer_that_never_ends_is_stopped() -> None:
    def endless() -> Answer:
        return says("x" * 60_000 for _ in range(2_000))

    made, server = ask(MODELS[0], endless(), endless())
    assert FailureKind.TOO_LONG in kinds(made)
    assert "400,000 characters" in made.remarks[0].text
    assert server.gone.is_set()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("size", [6_000_000])
def test_no_more_is_read_of_a_server_than_an_answer_can_need(model: str, size: int) -> None:
    made, _ = ask(model, sends(b"data: " + b"x" * size))
    assert kinds(made)[-1] is FailureKind.TOO_LONG
    made, _ = ask(model, fails(500, "oops " * (size // 5)))
    assert kinds(made)[-1] is FailureKind.SERVER
    assert len(made.remarks[-1].text) < 500


@pytest.mark.parametrize("model", MODELS)
def test_a_key_does_not_follow_a_redirect(model: str) -> None:
    with provider(says(GOOD)) as other:
        elsewhere = fails(307, "moved", Location=f"{other.url}/v1/chat/completions")
        made, _ = ask(model, elsewhere)
    assert kinds(made) == [FailureKind.NO_CONNECTION]
    assert "not followed" in made.remarks[0].text
    assert not other.requests


def test_a_short_wait_that_a_provider_asks_for_is_waited_for() -> None:
    made, server = ask(MODELS[1], fails(429, "slow down", Retry_After="0"), says(GOOD))
    assert made.complete
    assert kinds(made) == [FailureKind.RATE_LIMIT]
    assert len(server.requests) == 2


def test_a_long_wait_holds_also_for_the_next_time(tmp_path: Path) -> None:
    with provider(fails(429, "slow down", Retry_After="90"), says(GOOD)) as server:
        writer = writer_of(MODELS[0], settings(server), {})
        care = Care(Cooldowns(tmp_path))
        first, _ = written(task_of(shop()), writer, care)
        second, _ = written(task_of(shop()), writer, care)
    assert kinds(first) == [FailureKind.RATE_LIMIT]
    assert kinds(second) == [FailureKind.RESTING]
    assert len(server.requests) == 1


@pytest.mark.parametrize("model", MODELS)
def test_a_second_answer_is_asked_for_with_what_was_wrong_and_an_example(model: str) -> None:
    made, server = ask(model, says("Sure! Let me do that for you."), says(GOOD))
    assert made.complete
    assert made.remarks[0].anew
    again = server.requests[1].prompt
    assert "it went on with the conversation" in again
    assert "Sure! Let me do that for you." in again
    assert again.endswith(GOOD)


def test_an_input_that_is_too_large_is_read_in_parts() -> None:
    too_large = fails(400, "prompt is too long: 300000 tokens > 200000 maximum")
    made, server = ask(MODELS[1], too_large, too_large, says(GOOD), about=long_session(40))
    assert made.complete
    assert len(server.requests) > 2
    sizes = [len(str(request)) for request in server.requests[:3]]
    assert sizes == sorted(set(sizes), reverse=True)


def test_without_a_key_nobody_is_asked() -> None:
    for settings_, named in (
        (Settings(), "$ANTHROPIC_API_KEY"),
        (Settings(writer_key_env="MINE"), "$MINE"),
    ):
        made, told = written(task_of(shop()), writer_of(MODELS[1], settings_, {"MINE": " "}))
        assert kinds(made) == [FailureKind.NO_KEY]
        assert named in made.remarks[0].text
        assert not any(isinstance(piece, Words) for piece in told)


def test_a_model_of_nobody_is_no_model() -> None:
    made, _ = written(task_of(shop()), writer_of("nonsense", Settings(), {}))
    assert kinds(made) == [FailureKind.NO_MODEL]
    assert "provider/model" in made.remarks[0].text


def test_progress_tells_steps_and_tokens() -> None:
    with provider(says(GOOD)) as server:
        _, told = written(task_of(shop()), writer_of(MODELS[0], settings(server), {}))
    assert [piece.what for piece in told if isinstance(piece, Step)]
    figures = [piece for piece in told if isinstance(piece, Spent)]
    assert figures[-1] == Spent(1234, figures[-1].output_tokens, counted=True)
    assert not figures[0].counted
    assert "".join(piece.text for piece in told if isinstance(piece, Words)) == GOOD


def test_control_characters_and_markup_of_a_server_reach_nobody() -> None:
    hostile = GOOD.replace("two gigabytes", "\x1b]0;x\x07two\u202e\U000e0041 [red]gigabytes\x00")
    made, _ = ask(MODELS[0], says(hostile))
    assert made.complete
    assert made.handoff.next_plan == ("Split exports over two [red]gigabytes.",)
    made, _ = ask(MODELS[0], fails(401, "bad \x1b[31mkey\u202e sk-ant-REDACTED"))
    remark = made.remarks[0]
    assert isinstance(remark, Remark)
    assert "\x1b" not in remark.text
    assert "abcdefghijkl" not in remark.text


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    for answer in (says(GOOD), fails(500, "oops"), breaks_after(PART)):
        ask(MODELS[0], answer)
    ask("nonsense/model", says(GOOD))
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_the_cancel_of_a_wait_is_at_once() -> None:
    waiting = threading.Event()

    def told(piece: object) -> None:
        if isinstance(piece, Step) and piece.what.startswith("waiting 2"):
            waiting.set()

    with provider(fails(429, "slow", Retry_After="25")) as server:
        writer = writer_of(MODELS[0], settings(server), {})
        with pytest.raises(Cancelled):
            write(
                task_of(shop()),
                writer,
                cancelled=waiting.is_set,
                told=told,
                care=Care(pause=lambda _seconds: None),
            )
