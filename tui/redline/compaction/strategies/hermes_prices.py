"""What a message weighs by Hermes' own estimates (`_estimate_msg_budget_tokens`, 0.19 and 0.22).

0.19 takes four characters a token, 0.22 four bytes, and a whole token for each character of
Chinese, Japanese or Korean. The whole call is priced, as Python writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from redline.compaction.strategies.hermes_messages import ASSISTANT, IMAGES, USER

OVERHEAD = 10  # tokens of a message's role and keys
_IMAGE_LEGACY, _IMAGE_LEAN = 1_600, 1_500  # tokens; 0.22 learns the second from what it is billed
_LONG_ARGUMENTS, _LONG_ARGUMENT = 500, 200  # characters; 0.19 cuts such inputs
_CUT = "...[truncated]"
_ALWAYS = ("codex_reasoning_items", "codex_message_items")
_THINKING = ("reasoning", "reasoning_content")
_DETAILS = "reasoning_details"
_DENSE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]"
)


def dense_tokens(text: str) -> int:
    """0.22's estimate of a text."""
    if text.isascii():
        return (len(text) + 3) // 4
    rest = _DENSE.sub("", text)
    return len(text) - len(rest) + (len(rest.encode("utf-8", "replace")) + 3) // 4


def made_calls(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    calls = body.get("tool_calls")
    return (call for call in calls or () if isinstance(call, dict))


def texts_in(content: object) -> Iterator[str]:
    """The texts in a content."""
    if isinstance(content, str):
        yield content
    for item in content if isinstance(content, list) else ():
        text = item.get("text") if isinstance(item, dict) else item
        if isinstance(text, str):
            yield text


def listed(content: object) -> tuple[int, int]:
    """Pictures, and characters beside them, of a content that is a list; 0 and 0 of any other."""
    images = words = 0
    for item in content if isinstance(content, list) else ():
        if isinstance(item, dict) and item.get("type") in IMAGES:
            images += 1
        elif isinstance(item, dict):
            text = item.get("text")
            words += len(text) if isinstance(text, str) else 0
        else:
            words += len(str(item))
    return images, words


def _content_chars(content: object, image: int) -> int:
    if isinstance(content, list):
        images, words = listed(content)
        return words + images * image * 4
    return len(content) if isinstance(content, str) else len(str(content or ""))


def legacy_price(body: Mapping[str, Any]) -> int:
    tokens = _content_chars(body.get("content") or "", _IMAGE_LEGACY) // 4 + OVERHEAD
    tokens += sum(len(str(call)) // 4 for call in made_calls(body))
    return tokens + sum(_serialised(body.get(key)) // 4 for key in (*_THINKING, _DETAILS, *_ALWAYS))


def shortened_price(body: Mapping[str, Any], price: int) -> int | None:
    """0.19's price once long inputs are cut, None where there are none."""
    saved, cut = 0, False
    for call in made_calls(body):
        function = call.get("function")
        arguments = function.get("arguments") if isinstance(function, dict) else None
        if not isinstance(arguments, str) or len(arguments) <= _LONG_ARGUMENTS:
            continue
        left = _cut_arguments(arguments)
        if left != arguments:
            cut = True
            shorter = {**call, "function": {**call["function"], "arguments": left}}
            saved += len(str(call)) // 4 - len(str(shorter)) // 4
    return price - saved if cut else None


def _cut_arguments(arguments: str) -> str:
    try:
        return json.dumps(_cut(json.loads(arguments)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return value[:_LONG_ARGUMENT] + _CUT if len(value) > _LONG_ARGUMENT else value
    if isinstance(value, dict):
        return {key: _cut(inner) for key, inner in value.items()}
    return [_cut(inner) for inner in value] if isinstance(value, list) else value


def lean_price(body: Mapping[str, Any]) -> tuple[int, int]:
    """0.22's price without thinking, and that of thinking. What only the provider can read is
    never priced."""
    sent = body.get("api_content") if body.get("role") in (USER, ASSISTANT) else None
    content = sent if isinstance(sent, str) and sent else body.get("content") or ""
    if isinstance(content, str):
        tokens = dense_tokens(content) + OVERHEAD
    else:
        tokens = _content_chars(content, _IMAGE_LEAN) // 4 + OVERHEAD
    tokens += sum(dense_tokens(str(call)) for call in made_calls(body))
    tokens += sum(_serialised(_opened(body.get(key))) // 4 for key in _ALWAYS)
    content_thoughts = body.get("reasoning_content")
    doubled = isinstance(content_thoughts, str) and bool(content_thoughts.strip())
    thinking = _serialised(content_thoughts) // 4
    if not doubled:
        thinking += _serialised(body.get("reasoning")) // 4
    if not (body.get("reasoning") or content_thoughts):
        thinking += _detail_chars(body.get(_DETAILS)) // 4
    return tokens, thinking


def _opened(items: object) -> object:
    """Reasoning items with what is encrypted taken out."""
    if not isinstance(items, list):
        return items
    return [
        {key: "" if key == "encrypted_content" else value for key, value in item.items()}
        if isinstance(item, dict)
        else item
        for item in items
    ]


def _detail_chars(details: object) -> int:
    if isinstance(details, str):
        return len(details)
    chars = 0
    for part in details if isinstance(details, list) else [details]:
        if isinstance(part, str):
            chars += len(part)
        elif isinstance(part, dict):
            told = (part.get(key) for key in ("thinking", "text", "summary"))
            chars += sum(len(text) for text in told if isinstance(text, str))
    return chars


def _serialised(value: object) -> int:
    if value is None or isinstance(value, str):
        return len(value or "")
    try:
        return len(json.dumps(value, ensure_ascii=False, sort_keys=True, default=str))
    except (TypeError, ValueError, RecursionError):
        return len(str(value))
