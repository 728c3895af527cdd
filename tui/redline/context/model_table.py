"""What litellm's table says of models, read from its file; litellm itself is not imported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_FILE = "model_prices_and_context_window_backup.json"
_DATE = re.compile(r"[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$")
_BEDROCK = re.compile(r"-v\d+(?::\d+)?$")
_REGION = re.compile(r"^(?:us|eu|apac|global|jp|au)\.")
_VENDOR = re.compile(r"^(?:anthropic|openai|google|meta|mistral|deepseek|qwen)\.")


def window_of(model: str, table: Mapping[str, Any] | None = None) -> int | None:
    """The most input tokens `model` takes, None where no entry or more than one answer fits.

    Prefixes of providers, dates and `[1m]` in the name are looked through. `table` is litellm's
    own where None.
    """
    entries = _table() if table is None else table
    names = list(dict.fromkeys(_spellings(model)))
    for name in names:
        if found := _input_tokens(entries.get(name)):
            return found
    wanted = set(names)
    answers = {
        found
        for key, entry in entries.items()
        if "/" in key
        and key.rsplit("/", 1)[-1].lower() in wanted
        and (found := _input_tokens(entry))
    }
    return answers.pop() if len(answers) == 1 else None


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
def _table() -> Mapping[str, Any]:
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
