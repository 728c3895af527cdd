"""A long prompt quoted by its two ends, with where the whole of it is.

The one place that knows the form: the writer quotes with `quoted`, the audit takes a quote for
what it stands for with `quoted_ends`.
"""

from __future__ import annotations

import re

LONGEST = 400  # tokens of a prompt that is quoted whole (an estimate, see `tokens`)
_HEAD, _TAIL = 900, 450  # bytes of the two ends, a little less where a line or word ends
_LEAST_HEAD, _LEAST_TAIL = 300, 120  # characters of an end that stands for the whole
_PROBE = 32  # characters by which an end is found
_BREAKS = re.compile(r"\n|(?<=[.!?。！？])\s*|\s+")

# `N characters left out; whole in message ID [of FILE]`
MARK = re.compile(
    r"\[\.\.\. ([\d,]+) characters left out; whole in message ([^\s\]]+)"
    r"(?: of ([^\]\n]+?))? \.\.\.\]"
)


def tokens(text: str) -> int:
    """About how many tokens `text` has: bytes / 4."""
    return len(text.encode("utf-8", "surrogatepass")) // 4


def quoted(text: str, message: str) -> str:
    """`text` (without secrets), whole up to LONGEST tokens; else its two ends around a mark that
    names the message the whole stands in. The same text always gives the same quote."""
    if tokens(text) <= LONGEST or not message:
        return text
    head = _end(text, _HEAD)
    tail = _end(text[::-1], _TAIL)[::-1]
    left = len(text) - len(head) - len(tail)
    if left <= 200:
        return text
    return f"{head.rstrip()}\n{_mark(left, message)}\n{tail.lstrip()}"


def placed(text: str, file: str) -> str:
    """A quote as it stands in a handoff of another session: it names the `file` as well."""
    return MARK.sub(lambda found: found[0] if found[3] else _mark(found[1], found[2], file), text)


def quoted_ends(flat: str, text: str, message: str) -> tuple[int, int] | None:
    """Where a quote of `text`, which stands in `message`, is in `flat` (both texts with white
    space made one): its start and end. None where there is none with the two ends of `text`."""
    for found in MARK.finditer(flat):
        if found[2] != message:
            continue
        before, after = flat[: found.start()].rstrip(), flat[found.end() :].lstrip()
        at = text.find(before[-_PROBE:])
        head = text[: at + _PROBE]
        start = text.rfind(after[:_PROBE])
        tail = text[start:]
        if (
            at >= 0
            and _LEAST_HEAD <= len(head) < start
            and len(tail) >= _LEAST_TAIL
            and before.endswith(head)
            and after.startswith(tail)
        ):
            end = len(flat) - len(flat[found.end() :].lstrip()) + len(tail)
            return len(before) - len(head), end
    return None


def _mark(left: int | str, message: str, file: str = "") -> str:
    count = left if isinstance(left, str) else f"{left:,}"
    of = f" of {file.replace(']', ')')}" if file else ""
    return f"[... {count} characters left out; whole in message {message}{of} ...]"


def _end(text: str, size: int) -> str:
    """The start of `text` in at most `size` bytes, up to the end of a line, sentence or word in its
    last third."""
    cut, best = text[:size], 0
    while (long := len(cut.encode("utf-8", "surrogatepass"))) > size:
        cut = cut[: len(cut) * size // long]
    for found in _BREAKS.finditer(cut, len(cut) * 2 // 3):
        if found.end() < len(cut) and (cut[found.end() - 1] in "\n" or not best):
            best = found.end()
    return cut[:best] if best else cut
