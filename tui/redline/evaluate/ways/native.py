"""An agent's own compaction as it is known to lose: by rates that were measured on real ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from redline.evaluate.filler import Work
from redline.evaluate.ways.assumptions import Rates
from redline.evaluate.ways.context import Context, Entry
from redline.evaluate.ways.script import Told

_HASH = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_PATH = re.compile(r"\w/\w|/\w+/|\w\.[a-z]{2,4}\b")


def survives(thing: Told, rates: Rates, *, at_best: bool, chance: float) -> bool:
    """Whether a summary keeps `thing`; `chance` is drawn from 0 to 1."""
    if at_best and not thing.path:
        return chance >= rates.words_dropped_at_best
    if thing.is_rule:
        return chance >= rates.rule_dropped
    said = " ".join(member for token in thing.statement.must for member in token)
    if _HASH.search(said):
        return chance < rates.hash_kept
    return chance < (rates.path_kept if _PATH.search(said) else rates.value_kept)


def compact(
    context: Context, things: Sequence[Told], rates: Rates, *, seed: int, round_number: int,
    at_best: bool,
) -> int:  # fmt: skip
    """Replaces the messages by a summary of usual length with what survives in it, the last reply
    with what came after, and the files the agent reads again. Gives the tokens of the summary."""
    kept = [
        thing
        for thing in things
        if context.has(thing)
        and survives(
            thing,
            rates,
            at_best=at_best,
            chance=Random(f"native {seed}/{round_number}/{thing.name}").random(),
        )
    ]
    random = Random(f"summary {seed}/{round_number}")
    work = Work(random, "en", f"summary{round_number}")
    lines = [f"- {thing.statement.text}" for thing in kept]
    room = max(0, rates.summary_characters - sum(map(len, lines)))
    text = "\n".join(
        [
            "This session is being continued from a previous conversation.",
            *lines,
            work.code(room),
        ]
    )
    summary = context.entry({"role": "user", "content": text}, looked=kept)
    tail = _last_reply(context.entries)
    again: list[Entry] = []
    seen: set[str] = {entry.reads for entry in tail}
    for entry in reversed(context.entries):
        if entry.reads and entry.reads not in seen and len(again) < rates.files_again:
            seen.add(entry.reads)
            if entry.tokens <= rates.file_again_tokens:
                again.append(_again(context, things, entry))
    context.entries = [summary, *tail, *again]
    return summary.tokens


def _last_reply(entries: list[Entry]) -> list[Entry]:
    for at in range(len(entries) - 1, -1, -1):
        if entries[at].item["role"] == "assistant":
            return entries[at:]
    return []


def _again(context: Context, things: Sequence[Told], entry: Entry) -> Entry:
    """A file that the agent puts in again of itself, as text."""
    text = f"<system-reminder>\n{entry.reads}:\n{entry.text}\n</system-reminder>"
    looked = [thing for thing in things if thing.name in entry.holds]
    return context.entry({"role": "user", "content": text}, looked=looked, reads=entry.reads)
