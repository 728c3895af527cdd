"""Lengths as JavaScript gives them: what pi's estimator counts."""

from __future__ import annotations

import math
import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
_SHORT = re.compile('["\\\\\b\t\n\f\r]')  # written as two characters
_LONG = re.compile("[\x00-\x07\x0b\x0e-\x1f]")  # written as \\u00XX
_EXACT = 2**53  # above it an integer is not what it says


def string_length(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def json_length(value: object) -> int:
    """The length of `JSON.stringify(value)` in UTF-16 units, for a value that was read from JSON.

    Numbers as JavaScript reads and writes them, nothing escaped but quotes, backslashes, control
    characters and lone surrogates, no spaces.
    """
    total = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            total += _quoted_length(item)
        elif item is None or item is True:
            total += 4
        elif item is False:
            total += 5
        elif isinstance(item, int | float):
            total += len(number_text(item))
        elif isinstance(item, list | tuple):
            total += 2 + max(0, len(item) - 1)
            waiting.extend(item)
        elif isinstance(item, dict):
            total += 2 + max(0, len(item) - 1) + len(item)
            waiting.extend(item)
            waiting.extend(item.values())
    return total


def _quoted_length(text: str) -> int:
    total = 2 + string_length(text)
    total += len(_SHORT.findall(text)) + 5 * len(_LONG.findall(text))
    if not text.isascii() and _SURROGATE.search(text):
        total += 5 * len(_LONE.findall(text))
    return total


def number_text(number: float) -> str:
    """`number` as JSON.stringify writes it."""
    if isinstance(number, int) and abs(number) <= _EXACT:
        return str(number)
    try:
        number = float(number)
    except OverflowError:
        return "null"
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0)  # where the point stands in whole + fraction
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    size = len(digits)
    if size <= point <= 21:
        return sign + digits + "0" * (point - size)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if size > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"
