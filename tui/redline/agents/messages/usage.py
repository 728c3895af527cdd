"""What a reply was billed, in the words of any of the three dialects."""

from __future__ import annotations

from typing import Any

from redline.agents.claude_code.usage import read_usage as read_anthropic
from redline.agents.token_count import token_count
from redline.model import Usage


def read_usage(value: Any) -> Usage | None:
    """The usage of a reply, None where `value` says nothing usable.

    OpenAI counts cached tokens into the input, Anthropic beside it.
    """
    if not isinstance(value, dict):
        return None
    chat = "prompt_tokens" in value or "completion_tokens" in value
    names = ("prompt_tokens", "completion_tokens") if chat else ("input_tokens", "output_tokens")
    details = value.get(f"{names[0]}_details")
    if not chat and not isinstance(details, dict) and "total_tokens" not in value:
        return read_anthropic(value)
    sent, output = (token_count(value.get(name)) for name in names)
    cached = token_count(details.get("cached_tokens")) if isinstance(details, dict) else None
    if sent is None and output is None:
        return None
    if sent is None or cached is None:
        return Usage(sent, None, None, output)
    cached = min(cached, sent)
    return Usage(sent - cached, cached, None, output)
