"""Verdicts on identifiers: paths, commits, error lines, references, commands.

An identifier is found as a whole or not at all: `a.py` is not in `data.py`, `#12` not in
`#123`. Where only its name, its digits or the length of a commit's id differ, the verdict says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from redline.handoff.audit import Verdict
from redline.handoff.cue_words import (
    GONE_BEFORE,
    GONE_BEHIND,
    NOT_DONE_BEFORE,
    NOT_DONE_BEHIND,
)
from redline.handoff.survival import Index, Place, needle, spellings
from redline.handoff.verdicts import MISSING, Finding

_LEFT = re.compile(r"[\w/.~@#\\-]")  # what a longer path or reference would go on with
_RIGHT = re.compile(r"[\w/\\~-]|[.?#:=&%+@][\w/]")
_HEX = re.compile(r"[0-9a-f]{7,40}(?!\w)")
_SHORT = 4  # words
_NEAR = 120  # characters beside an identifier that are asked whether they deny it
_ENOUGH = 40  # characters of an error line that make it the same one


def _whole(index: Index, text: str, *, apart: bool = False) -> Iterable[Place]:
    """Places where no character goes on with the identifier on either side, in one block unless it
    has several lines itself (`apart`)."""
    for place in index.words(text):
        if not apart and not index.in_one_block(place):
            continue
        before = index.flat[max(0, place.start - 1) : place.start]
        after = index.flat[place.end : place.end + 2]
        goes_on = _RIGHT.match(after) and not re.match(r":\d", after)
        if not (before and _LEFT.match(before)) and not goes_on:
            yield place


def _said(
    index: Index, places: Iterable[Place], before: re.Pattern[str], behind: re.Pattern[str]
) -> Finding | None:
    """Word for word at the first of `places` whose line does not deny it (`before` and `behind` it
    say what denies); changed where all do. None where there is no place."""
    worse: Finding | None = None
    for place in places:
        ahead, after = index.before(place)[-_NEAR:].lower(), index.after(place)[:_NEAR].lower()
        if not before.search(ahead) and not behind.match(after):
            return _at(index, place, Verdict.VERBATIM)
        worse = worse or _at(index, place, Verdict.CHANGED)
    return worse


def _at(index: Index, place: Place, verdict: Verdict) -> Finding:
    return Finding(verdict, index.lines[place.line], index.wheres[place.line])


def path_places(index: Index, path: str) -> Iterable[Place]:
    """Where the path stands word for word."""
    wanted = needle(path)
    for form in dict.fromkeys((*spellings(path), wanted.removeprefix("./"), "./" + wanted)):
        yield from _whole(index, form)


def path_verdict(index: Index, path: str, others: Sequence[str]) -> Finding:
    """Word for word by the path the agent used; reworded where only the end of it is named and
    no other of the session's files (`others`) ends like that."""
    if found := _said(index, path_places(index, path), NOT_DONE_BEFORE, NOT_DONE_BEHIND):
        return found
    wanted = needle(path)
    steps = [step for step in wanted.split("/") if step]
    for start in range(1, len(steps)):
        end = "/".join(steps[start:])
        place = next(iter(_whole(index, end)), None)
        if place is None:
            continue
        same = sum(1 for other in set(others) if other == end or other.endswith("/" + end))
        if same <= 1:
            return _at(index, place, Verdict.REWORDED)
    return MISSING


def commit_places(index: Index, sha: str) -> Iterable[Place]:
    """Where the id of a git commit stands as it was printed."""
    return index.words_in_any_case(sha.strip().lower())


def commit_verdict(index: Index, sha: str) -> Finding:
    """Word for word by the id as printed; reworded where a longer or shorter form of it stands
    there: git prints as many digits as tell its commits apart."""
    wanted = sha.strip().lower()
    if not wanted:
        return MISSING
    if found := _said(index, commit_places(index, sha), NOT_DONE_BEFORE, NOT_DONE_BEHIND):
        return found
    flat, start = index.folded, wanted[:7]
    at = flat.find(start)
    while at >= 0:
        digits = _HEX.match(flat, at)
        if digits and not (at and flat[at - 1].isalnum()):
            whole = digits.group()
            if whole.startswith(wanted) or wanted.startswith(whole):
                return _line(index, at, Verdict.REWORDED)
        at = flat.find(start, at + 1)
    return MISSING


def error_places(index: Index, line: str) -> Iterable[Place]:
    """Where an error line stands whole."""
    alone = _alone(needle(line))
    apart = "\n" in line.strip()
    for form in spellings(line):
        for place in index.clauses(form) if alone else index.words(form):
            if apart or index.in_one_block(place):
                yield place


def _alone(line: str) -> bool:
    """Whether the line is so short that it must stand alone, or it is chance."""
    return len(line.split()) < _SHORT


def error_verdict(index: Index, line: str) -> Finding:
    """Word for word by the whole line; reworded where it is cut off, changed where a number or
    another value in it differs."""
    if found := _said(index, error_places(index, line), GONE_BEFORE, GONE_BEHIND):
        return found
    wanted = needle(line)
    if len(wanted) > _ENOUGH:
        start = wanted[: max(_ENOUGH, len(wanted) * 2 // 3)].rpartition(" ")[0] or wanted[:_ENOUGH]
        for place in index.words(start):
            return _at(index, place, _cut_off(index, place, wanted))
    if re.search(r"\d", wanted) and not _alone(wanted):
        parts = [re.escape(part) for part in re.split(r"\d+", wanted)]
        if len("".join(parts)) >= 12 and max(map(len, parts)) >= 6:
            longest = max(re.split(r"\d+", wanted), key=len)
            pattern = re.compile(r"(?<!\w)" + r"\d+".join(parts) + r"(?!\w)")
            for place in index.runs(longest):
                if pattern.search(index.lines[place.line]):
                    return _at(index, place, Verdict.CHANGED)
    return MISSING


def _cut_off(index: Index, place: Place, wanted: str) -> Verdict:
    """Whether the line ends where the start of `wanted` does, or goes on differently."""
    rest = index.after(place)
    missing = wanted[place.end - place.start :].lstrip()
    common = 0
    for one, other in zip(rest, missing, strict=False):
        if one != other:
            break
        common += 1
    if rest[common:].strip(" '\"") == "" and re.match(r"[\w.]", missing[common:]):
        return Verdict.CHANGED  # an identifier that seems to end where it does not
    return Verdict.REWORDED if not rest[common:].strip(" .…'\"") else Verdict.CHANGED


def token_places(index: Index, text: str) -> Iterable[Place]:
    """Where a reference, a URL or a command stands whole, ended on both sides."""
    wanted = needle(text).rstrip("/") if "://" in text else needle(text)
    alone = len(wanted) < 12 and " " not in wanted and not re.search(r"[#\d/]", wanted)
    for form in dict.fromkeys((wanted, *spellings(text))):
        for place in _whole(index, form, apart="\n" in text.strip()):
            if not alone or index.is_clause(place):
                yield place
    if "://" in text:
        yield from _whole(index, wanted + "/")


def token_verdict(index: Index, text: str) -> Finding:
    """For references, URLs and commands: the whole of it or nothing."""
    for place in token_places(index, text):
        return _at(index, place, Verdict.VERBATIM)
    return MISSING


def _line(index: Index, offset: int, verdict: Verdict) -> Finding:
    number = index.line_at(offset)
    return Finding(verdict, index.lines[number], index.wheres[number])
