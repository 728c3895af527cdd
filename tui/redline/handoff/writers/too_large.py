"""How large an input may be, as a provider's error tells it."""

from __future__ import annotations

import re

_NUMBER = r"(\d{1,3}(?:[,_]\d{3}){1,3}|\d{3,9})"
_UP_TO = r"[^\d\n]{0,60}?"
# (what it says, the group of the maximum, the group of what was counted), in words of Anthropic,
# Google, OpenAI, vLLM, llama.cpp, Mistral and Bedrock.
_SAID: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), most, counted)
    for pattern, most, counted in (
        (rf"{_NUMBER} tokens > {_NUMBER}", 2, 1),
        (rf"token count \(?{_NUMBER}\)? exceeds{_UP_TO}{_NUMBER}", 2, 1),
        (
            rf"maximum (?:context|input|prompt) (?:length|size|tokens){_UP_TO}{_NUMBER}"
            rf"(?:.{{0,80}}?(?:resulted in|requested|has|contains) (?:about )?{_NUMBER})?",
            1,
            2,
        ),
        (rf"\"?n_prompt_tokens\"?\s*:\s*{_NUMBER}.{{0,40}}\"?n_ctx\"?\s*:\s*{_NUMBER}", 2, 1),
        (rf"\"?n_ctx\"?\s*:\s*{_NUMBER}", 1, 0),
        (rf"{_NUMBER} tokens\)? exceeds{_UP_TO}{_NUMBER}", 2, 1),
        (rf"context (?:window|size|length|limit){_UP_TO}{_NUMBER}", 1, 0),
        (rf"(?:maximum|at most|limit) (?:of|is|allowed|number of tokens){_UP_TO}{_NUMBER}", 1, 0),
    )
)


def told_maximum(text: str) -> tuple[int | None, int | None]:
    """The tokens that an input may have, and those that the refused one had, by `text`; None for
    what it does not tell."""
    for pattern, most, counted in _SAID:
        if found := pattern.search(text):
            size = _number(found[counted]) if counted and found[counted] else None
            return _number(found[most]), size
    return None, None


def _number(text: str) -> int:
    return int(text.replace(",", "").replace("_", ""))


def smaller_window(window: int, sent: int, most: int | None, counted: int | None) -> int:
    """The window to go on with after an input of `sent` tokens, by our count, was refused. `most`
    and `counted` are as the provider counts. Always below `sent`, so that what is sent next is
    another text."""
    if most and counted and counted > most:
        return min(window, most * sent // counted)
    if most and most < sent:
        return min(window, most)
    return min(window, sent) // 2
