"""Where a summary of Hermes stands in a text, and what of the text is not the summary.

A summary is a row of its own, or is merged into the first row of the tail: behind that row's own
content, which a header then marks as old (0.19), or in front of it (0.22).
"""

from __future__ import annotations

from collections.abc import Iterator

from redline.model import Kind

# The wordings since the first: each starts the whole of a summary (0.13 to 0.22).
PREFIXES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
PRIOR = "[PRIOR CONTEXT — for reference only; not a new message]"
BELOW = "[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]"
END = "--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---"
_END_START = "--- END OF CONTEXT SUMMARY"

Span = tuple[Kind | None, int, int]  # None: what the row says beside the summary


def is_summary(text: str) -> bool:
    """Whether `text` is, or holds, a summary that Hermes wrote."""
    _, below, after = text.partition(BELOW)
    return (after if below else text).lstrip().startswith(PREFIXES)


def summary_spans(text: str, *, carrier: bool = False) -> list[Span] | None:
    """`text` taken apart, None where it holds no summary. `carrier` says that its row claims to.

    The blank characters between go with the summary.
    """
    if not text.strip():
        return None
    if text.strip() == PRIOR:  # of content that is a list: the rest stands in the blocks after it
        return [(Kind.INJECTED, 0, len(text))]
    return list(_behind(text)) or (list(_in_front(text)) if carrier or is_summary(text) else None)


def _behind(text: str) -> Iterator[Span]:
    """A summary behind what the row said."""
    border = text.find(BELOW)
    if border < 0 or not text[border + len(BELOW) :].lstrip().startswith(PREFIXES):
        return
    header, start = 0, len(text) - len(text.lstrip())
    if text.startswith(PRIOR, start):
        header = start + len(PRIOR)
        header += text.startswith("\n", header)
        yield Kind.INJECTED, 0, header
    end = border
    while end > header and text[end - 1] == "\n" and border - end < 2:
        end -= 1
    if text[header:end].strip():
        yield None, header, end
    else:
        end = header
    yield Kind.SUMMARY, end, len(text)


def _in_front(text: str) -> Iterator[Span]:
    """A summary alone, or in front of what the row says."""
    border = text.find(_END_START)
    end = len(text)
    if border >= 0:
        line = text.find("---", border + len(_END_START))
        end = line + 3 if line >= 0 else end
    rest = text[end:]
    if not rest.strip():
        yield Kind.SUMMARY, 0, len(text)
        return
    end += len(rest) - len(rest.lstrip("\n"))
    yield Kind.SUMMARY, 0, end
    yield None, end, len(text)
