"""The only place that knows litellm: one streamed request to a model, and its end at any time."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from redline.handoff.writers.asking import POLL_SECONDS, Prompt
from redline.handoff.writers.failure import (
    OUTPUT_CHARS,
    Cancelled,
    Failure,
    FailureKind,
    WriterFailure,
    late,
    overlong,
)
from redline.handoff.writers.keys import provider_of
from redline.handoff.writers.provider_failure import failure_of, finished_by
from redline.handoff.writers.writer import Spent, Words

# Read by litellm when it is imported (1.84 to 1.110): its table of models comes from the package
# and not from the network, a `.env` in the working folder is not loaded, and nothing is logged.
SWITCHES = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOG": "ERROR",
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
_WARNING = r"(?:litellm|pydantic|openai|httpx)(?:\.|$)"  # they would be printed over the screen
_SPOKEN_TO_ITSELF = ("anthropic", "gemini")
_TOTAL = 10  # times the timeout that a whole answer may take, however steadily it comes
_loading, _starting = threading.Lock(), threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `timeout` is how many seconds may pass with nothing new; `output` bounds the
    answer in tokens, None where the model's own limit does. `key` is never shown."""

    model: str
    prompt: Prompt
    timeout: float
    base_url: str | None = None
    key: str | None = None
    output: int | None = None

    def __repr__(self) -> str:
        return f"Call({self.model!r})"


def stream(call: Call, cancelled: Callable[[], bool]) -> Iterator[Words | Spent]:
    """The answer to `call` as it comes, from a loop in a thread of its own, so that it can be ended
    while litellm is loaded, while it connects, and between two pieces."""
    arrived: queue.Queue[Words | Spent | None] = queue.Queue()
    stop = threading.Event()

    async def work() -> None:
        try:
            async with asyncio.timeout(call.timeout * _TOTAL):
                async for piece in _pieces(call, stop):
                    arrived.put(piece)
        except TimeoutError as error:
            raise WriterFailure(late(call.timeout)) from error
        finally:
            arrived.put(None)

    running = _started(work())
    try:
        while True:
            if cancelled():
                raise Cancelled
            try:
                piece = arrived.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            if piece is None:
                break
            yield piece
        running.result()
    finally:
        stop.set()
        running.cancel()


async def _pieces(call: Call, stop: threading.Event) -> AsyncIterator[Words | Spent]:
    litellm = loaded()
    if stop.is_set():
        return
    response: Any = None
    came, finish = 0, None
    try:
        response = await asyncio.wait_for(litellm.acompletion(**_request(call)), call.timeout)
        chunks = response.__aiter__()
        while True:
            try:
                chunk = await asyncio.wait_for(anext(chunks), call.timeout)
            except StopAsyncIteration:
                break
            text, reason, spent = _read(chunk)
            finish = reason or finish
            came += len(text)
            if came > OUTPUT_CHARS:
                raise WriterFailure(overlong())
            if text:
                yield Words(text)
            if spent is not None:
                yield spent
    except (WriterFailure, TimeoutError, asyncio.CancelledError):
        raise
    except Exception as error:
        raise WriterFailure(failure_of(error, call.model, call.base_url)) from error
    finally:
        if response is not None:
            await response.aclose()
    if (fault := finished_by(finish)) is not None:
        raise WriterFailure(fault)


def _request(call: Call) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": call.model,
        "messages": [
            {"role": "system", "content": call.prompt.system},
            {"role": "user", "content": call.prompt.text},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "num_retries": 0,
        "max_retries": 0,
        "timeout": call.timeout + 5,  # ours comes first
    }
    if (handler := _handler(call.model)) is not None:
        request["client"] = handler
    more = {"api_base": call.base_url, "api_key": call.key, "max_tokens": call.output}
    request |= {name: value for name, value in more.items() if value is not None}
    return request


def _handler(model: str) -> Any:
    """The bounded client for the providers that litellm speaks to itself; for all that are spoken
    to in OpenAI's form it takes `aclient_session`."""
    if provider_of(model) not in _SPOKEN_TO_ITSELF:
        return None
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    handler = AsyncHTTPHandler()
    handler.client = loaded().aclient_session
    return handler


def _read(chunk: Any) -> tuple[str, str | None, Spent | None]:
    """Text, finish reason and tokens of one chunk; each of them may be missing or malformed."""
    text, reason, spent = "", None, None
    choices = getattr(chunk, "choices", None) or []
    if choices:
        content = getattr(getattr(choices[0], "delta", None), "content", None)
        text = content if isinstance(content, str) else ""
        finish = getattr(choices[0], "finish_reason", None)
        reason = finish if isinstance(finish, str) else None
    usage = getattr(chunk, "usage", None)
    counts = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
    if all(isinstance(count, int) and 0 <= count < 10**9 for count in counts):
        spent = Spent(int(counts[0] or 0), int(counts[1] or 0), counted=True)
    return text, reason, spent


def loaded() -> Any:
    """litellm, silent and offline but for the requests it is asked for. Takes seconds at first."""
    with _loading:
        os.environ.update(SWITCHES)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import litellm
        except ImportError as error:
            raise WriterFailure(
                Failure(
                    FailureKind.NO_MODEL,
                    f"litellm cannot be loaded: {error}",
                    "install it again, or use a command as the writer",
                )
            ) from error
        warnings.filterwarnings("ignore", module=_WARNING)
        # What is ended while litellm begins a request leaves its inner steps behind.
        warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate = False
            logger.setLevel(logging.CRITICAL + 1)
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        litellm.turn_off_message_logging = True
        litellm.disable_streaming_logging = True
        litellm.disable_aiohttp_transport = True
        litellm.drop_params = True
        if litellm.aclient_session is None:
            from redline.handoff.writers.bounded import Bounded

            litellm.aclient_session = Bounded()
        return litellm


def _started(work: Coroutine[Any, Any, None]) -> Future[None]:
    global _loop
    with _starting:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="writer", daemon=True).start()
    return asyncio.run_coroutine_threadsafe(work, _loop)
