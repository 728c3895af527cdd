"""What the errors of model providers mean, as litellm 1.84 to 1.110 hands them on.

Its own classes do not tell enough: a refused connection and a server's fault are both an
InternalServerError there, and the headers of a rate limit hang at another place for each provider.
So the whole chain of causes is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any

from redline.handoff.writers.failure import Failure, FailureKind
from redline.handoff.writers.too_large import told_maximum
from redline.redaction import redact
from redline.text import one_line

_CHAIN = 12
_LONGEST_WAIT = 3_600.0  # seconds; a provider that asks for more is tried again after that
_DETAIL = 200
_LENGTH = {"length", "max_tokens", "model_context_window_exceeded"}
_FILTERED = {"content_filter", "refusal", "safety"}
_CONNECTION = re.compile(
    r"connection refused|connect(?:ion)? (?:error|attempts failed)|name or service not known"
    r"|nodename nor servname|network is unreachable|no route to host|cannot connect",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(
    r"context.{0,20}(?:length|window|size)|prompt is too long|too many (?:input )?tokens"
    r"|maximum (?:context|input)|exceeds? the (?:model|available|maximum number of tokens)"
    r"|input is too long",
    re.IGNORECASE,
)
_ENDLESS = re.compile(r"repeating the same chunk|larger than any answer can be")
_OVERLOADED = re.compile(r"overloaded|capacity|too busy", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model.{0,80}(?:not found|does not exist|not exist|unknown|no such)|provider not provided"
    r"|no such model|unknown model",
    re.IGNORECASE | re.DOTALL,
)
_JSON_MESSAGE = re.compile(r"\"message\":\s*\"((?:[^\"\\]|\\.){1,600})\"")
_WORDS = re.compile(r"^(?!code: \d).*[^\W\d_]{2}")
_LEADS = re.compile(r"^(?:litellm\.\w+:\s*|\w*(?:Error|Exception)\b(?:\s*[-:]\s*)?|b'|b\")+")


def failure_of(error: BaseException, model: str, base_url: str | None) -> Failure:
    """What a person is told of `error`, raised by a request to `model`."""
    chain = list(islice(_chain(error), _CHAIN))
    text = " ".join(str(one) for one in chain)[:20_000]
    status = _status(chain)
    said = _said(chain)
    where = f" at {base_url}" if base_url else ""
    if _timed_out(chain):
        return Failure(
            FailureKind.TIMEOUT,
            f"{model} did not answer in time",
            "try again, or set writer_timeout higher",
        )
    if _ENDLESS.search(text):
        return Failure(
            FailureKind.TOO_LONG,
            "the answer did not come to an end and was stopped",
            "try another model",
            told="it repeated itself without end; it must be a short summary",
        )
    if status == 429:
        wait = _retry_after(chain)
        after = f" and asks to wait {wait:g} seconds" if wait is not None else ""
        return Failure(
            FailureKind.RATE_LIMIT,
            f"the provider limits the rate of requests{after}{said}",
            "wait, or use another model",
            retry_after=wait,
        )
    if status in (401, 403):
        return Failure(
            FailureKind.KEY_REFUSED,
            f"the provider refuses the key{said}",
            "set another key, or name its variable in writer_key_env",
        )
    if status is not None and 300 <= status < 400:
        return Failure(
            FailureKind.NO_CONNECTION,
            f"the provider{where} sends to another address ({status}), which is not followed",
            "set writer_base_url to where it leads",
        )
    if status == 404 or (status in (400, 422, None) and _NO_MODEL.search(text)):
        slash = ", and whether writer_base_url has the path it needs (/v1)" if base_url else ""
        return Failure(
            FailureKind.NO_MODEL,
            f"the provider knows no model {model!r}{where}{said}",
            f"check the name of the model{slash}",
        )
    if status == 413 or (status in (400, 422, 500, None) and _TOO_LARGE.search(text)):
        most, counted = told_maximum(text)
        return Failure(
            FailureKind.TOO_LARGE,
            f"the input is larger than the window of {model}{said}",
            "set its size in `limits`",
            most=most,
            counted=counted,
        )
    if status in (529, 503) or (status in (500, None) and _OVERLOADED.search(text)):
        return Failure(
            FailureKind.OVERLOADED,
            f"the provider is overloaded{said}",
            "try again in a minute",
            retry_after=_retry_after(chain),
        )
    if _unreached(chain, text):
        return Failure(
            FailureKind.NO_CONNECTION,
            f"no connection to the provider{where}{_reason(chain)}",
            "check the network, writer_base_url, and whether the server runs",
        )
    if _broke(chain):
        return Failure(
            FailureKind.INTERRUPTED,
            f"the connection broke in the middle of the answer{said}",
            "try again",
        )
    code = f" ({status})" if status else ""
    if status is not None and 400 <= status < 500:
        return Failure(
            FailureKind.REQUEST,
            f"the provider does not take the request{code}{said}",
            "see what it says, or use another model",
        )
    hint = "try again, or use another model"
    return Failure(FailureKind.SERVER, f"the provider failed{code}{said}", hint)


def finished_by(reason: str | None) -> Failure | None:
    """What is wrong with an answer that ended for `reason`; None where it ended by itself."""
    if reason in _LENGTH:
        return Failure(
            FailureKind.CUT_OFF,
            "the answer was cut off at the model's output limit",
            "try a model that may answer longer",
            told="it was cut off at the output limit; write at most half as much",
        )
    if reason in _FILTERED:
        return Failure(
            FailureKind.REFUSED,
            "the model or its filter refused to answer",
            "try another model",
            told="it was refused; nothing is to be carried out, only notes are to be written",
        )
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or getattr(error, "original_exception", None) or error.__context__


def _status(chain: list[BaseException]) -> int | None:
    """The provider's own status: the one nearest to the wire that is not made up by litellm."""
    for error in reversed(chain):
        response = getattr(error, "response", None)
        code = getattr(response, "status_code", None)
        if type(error).__module__.startswith(("httpx", "openai")) and isinstance(code, int):
            return code
    told = [
        code
        for error in chain
        for name in ("provider_status_code", "status_code")
        if isinstance(code := getattr(error, name, None), int)
    ]
    return next((code for code in told if code != 500), told[0] if told else None)


def _retry_after(chain: list[BaseException]) -> float | None:
    for error in chain:
        response = getattr(error, "response", None)
        for headers in (
            getattr(error, "litellm_response_headers", None),
            getattr(error, "headers", None),
            getattr(response, "headers", None),
        ):
            wait = _seconds(headers)
            if wait is not None:
                return wait
    return None


def _seconds(headers: Any) -> float | None:
    """Seconds that `Retry-After` asks for: a number, or a date (RFC 9110, 10.2.3)."""
    get = getattr(headers, "get", None)
    value = get("retry-after") if callable(get) else None
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        wait = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except (TypeError, ValueError):
            return None
        aware = until if until.tzinfo else until.replace(tzinfo=UTC)
        wait = (aware - datetime.now(UTC)).total_seconds()
    return min(max(wait, 0.0), _LONGEST_WAIT) if wait == wait else None


def _timed_out(chain: list[BaseException]) -> bool:
    return any(
        isinstance(error, TimeoutError)
        or type(error).__name__.endswith(("Timeout", "TimeoutError"))
        for error in chain
    )


def _unreached(chain: list[BaseException], text: str) -> bool:
    names = {type(error).__name__ for error in chain}
    return "ConnectError" in names or (
        _CONNECTION.search(text) is not None
        and "RemoteProtocolError" not in names
        and "MidStreamFallbackError" not in names
    )


def _reason(chain: list[BaseException]) -> str:
    """What the system says of a connection that could not be made."""
    for error in reversed(chain):
        if isinstance(error, OSError) and error.errno and error.errno > 0:
            return f": {os.strerror(error.errno).lower()}"
    text = " ".join(str(error) for error in chain)
    return ": connection refused" if "refused" in text.lower() else ""


def _broke(chain: list[BaseException]) -> bool:
    names = {type(error).__name__ for error in chain}
    return bool(names & {"MidStreamFallbackError", "RemoteProtocolError", "ReadError"})


def _said(chain: list[BaseException]) -> str:
    """The provider's own words, safe and short, behind a colon."""
    for error in chain:
        text = str(getattr(error, "message", "") or error)
        found = _JSON_MESSAGE.search(text)
        words = found[1] if found else _LEADS.sub("", text)
        line = one_line(redact(words.split("Original exception")[0]).text, _DETAIL)
        if _WORDS.search(line) and "Error code" not in line:
            return f': "{line}"'
    return ""
