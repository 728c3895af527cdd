"""What a token of the counter weighs for a model: starting factors by family and kind of text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

_SAMPLE = 2_000  # characters that decide the kind of a text
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]")
_PROSE = re.compile(r"[A-Za-z]{2,}")
_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)")
_UNBROKEN = 400  # characters without white space that no prose and no code has


class TextKind(StrEnum):
    """The kinds of text whose tokens weigh differently."""

    CODE = "code"
    ENGLISH = "english"
    CHINESE = "chinese"
    JSON = "json"
    UNBROKEN = "unbroken"  # base64, hex, minified


@dataclass(frozen=True, slots=True)
class Family:
    """How the models of a family weigh what is counted.

    `factors` multiply o200k tokens. `call` are the tokens around a tool call's input, `message`
    those around a message that is no reply, `image` those of one image. `spread` is how far the
    factors of a session may lie from these, as one standard deviation of their ratio.
    """

    name: str
    factors: Mapping[TextKind, float]
    call: float
    message: float
    image: float
    spread: float


def _factors(
    code: float, english: float, chinese: float, json: float, unbroken: float
) -> Mapping[TextKind, float]:
    return {
        TextKind.CODE: code,
        TextKind.ENGLISH: english,
        TextKind.CHINESE: chinese,
        TextKind.JSON: json,
        TextKind.UNBROKEN: unbroken,
    }


# Factors over o200k: architecture.md, "Measuring the window"; unbroken runs by A36 of faults.md
# (1.03 million tokens for 1,046,118 characters of base64). Call and message: least squares over
# the real sessions of Claude Code 1.0 to 2.1, see benchmarks/calibration.py.
CLAUDE = Family("claude", _factors(1.26, 1.19, 1.40, 1.28, 1.42), 50, 15, 1_500, 0.08)
CLAUDE_4_7 = Family("claude-4.7", _factors(1.64, 1.58, 1.40, 1.61, 1.60), 60, 15, 1_500, 0.10)
OPENAI = Family("openai", _factors(1.0, 1.0, 1.0, 1.0, 1.0), 12, 5, 1_100, 0.03)
OTHER = Family("other", _factors(1.08, 1.05, 1.05, 1.08, 1.10), 25, 8, 1_200, 0.15)


def family(model: str | None) -> Family:
    """The family of a model by its name, whatever provider's prefix it carries."""
    name = (model or "").lower()
    if "claude" in name:
        match = _VERSION.search(name)
        if match is None:
            return CLAUDE
        version = (int(match[1]), int(match[2] or 0))
        return CLAUDE_4_7 if version >= (4, 7) else CLAUDE
    bare = name.rsplit("/", 1)[-1]
    if re.match(r"gpt|o[1-9]|codex|chatgpt", bare):
        return OPENAI
    return OTHER


def text_kind(text: str) -> TextKind:
    """What a text mostly is, from its start and middle."""
    sample = text[:_SAMPLE]
    if len(text) > 2 * _SAMPLE:
        middle = len(text) // 2
        sample += text[middle : middle + _SAMPLE // 2]
    if not sample.isascii() and len(_CJK.findall(sample)) * 5 > len(sample):
        return TextKind.CHINESE
    words = sample.split()
    if max(map(len, words), default=0) >= _UNBROKEN:
        return TextKind.UNBROKEN
    if sample.lstrip()[:1] in ("{", "[") and sample.count('"') * 25 > len(sample):
        return TextKind.JSON
    letters = sum(map(len, _PROSE.findall(sample)))
    solid = sum(map(len, words))
    return TextKind.ENGLISH if letters * 100 >= solid * 88 else TextKind.CODE
