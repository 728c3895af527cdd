"""What litellm's table says of models, read from its file; litellm itself is not imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

_FILE = "model_prices_and_context_window_backup.json"
_DATE = re.compile(r"[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$")
_BEDROCK = re.compile(r"-v\d+(?::\d+)?$")
_REGION = re.compile(r"^(?:us|eu|apac|global|jp|au)\.")
_VENDOR = re.compile(r"^(?:anthropic|openai|google|meta|mistral|deepseek|qwen)\.")

Answer = TypeVar("Answer")


def window_of(model: str, table: Mapping[str, Any] | None = None) -> int | None:
    """The most input tokens `model` takes, None where no entry or more than one answer fits."""
    return answer(model, _input_tokens, table)


def answer(
    model: str, read: Callable[[object], Answer | None], table: Mapping[str, Any] | None = None
) -> Answer | None:
    """What `read` finds in the entry of `model`; None where there is none, or where those that
    may be meant differ.

    Prefixes of providers, dates and `[1m]` in the name are looked through, and in the names of the
    table as well, where none is spelt so. `table` is litellm's own where None.
    """
    entries = bundled() if table is None else table
    names = list(dict.fromkeys(_spellings(model)))
    for name in names:
        if (found := read(entries.get(name))) is not None:
            return found
    bare = _own_bare_names() if table is None else _bare_names(table)
    for name in names:
        answers = {
            found for key in bare.get(name, ()) if (found := read(entries.get(key))) is not None
        }
        if answers:
            return answers.pop() if len(answers) == 1 else None
    return None


def _bare_names(table: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    """The keys of `table` by each name that is meant by them. Those of single regions are left
    out: their prices are higher."""
    found: dict[str, list[str]] = {}
    for key in table:
        if not _REGION.match(key):
            for name in dict.fromkeys(_spellings(key)):
                found.setdefault(name, []).append(key)
    return found


@cache
def _own_bare_names() -> Mapping[str, Sequence[str]]:
    return _bare_names(bundled())


def _input_tokens(entry: object) -> int | None:
    value = entry.get("max_input_tokens") if isinstance(entry, dict) else None
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        return None
    return value


def _spellings(model: str) -> Iterator[str]:
    """`model` as it stands, then ever barer forms of it."""
    name = model.strip().lower()
    for bare in (name, re.sub(r"\[[^\]]*\]$", "", name)):
        for step in (bare, bare.rsplit("/", 1)[-1]):
            yield step
            step = _VENDOR.sub("", _REGION.sub("", step))
            yield step
            step = _BEDROCK.sub("", step)
            yield step
            yield _DATE.sub("", step)


@cache
def bundled() -> Mapping[str, Any]:
    """litellm's bundled table; empty where litellm is not installed."""
    spec = find_spec("litellm")
    if not spec or not spec.origin:
        return {}
    import orjson

    try:
        found = orjson.loads((Path(spec.origin).parent / _FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
