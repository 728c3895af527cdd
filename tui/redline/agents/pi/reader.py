"""Reads the sessions of pi: v1, v2 and v3 files, by the rules of pi 1.6.0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from redline.agents.bodies import FileBodies
from redline.agents.growing import State
from redline.agents.orphans import orphans
from redline.agents.pi import wire
from redline.agents.pi.entries import (
    COMPACTION,
    Entry,
    EntryFile,
    content_chars,
    values_of,
)
from redline.agents.pi.fields import text_of, time_of
from redline.agents.pi.messages import BASH, bash_text, message_of, origin_of
from redline.agents.pi.reading import Made, Reading
from redline.agents.pi.scanning import info_of, scan
from redline.agents.pi.tree import (
    Given,
    PathEntry,
    Walk,
    given,
    leaf_of,
    loader_walk,
    path_entries,
    side_branches,
    walk,
)
from redline.agents.token_count import token_count
from redline.model import (
    Block,
    CompactionKind,
    Counts,
    Damage,
    DamageKind,
    Message,
    Part,
    PastCompaction,
    Session,
)

__all__ = ["PathEntry", "PiSource", "open_session", "scan"]


class PiSource:
    """Fetches what a pi session leaves on disk."""

    def __init__(
        self,
        file: EntryFile,
        live: Walk,
        loader: Walk,
        context: Given,
        again: Callable[[Session], Session],
    ) -> None:
        self.path = file.path
        self.file = file
        self._again = again
        self._live = live
        self._loader = loader
        self._context = context
        self._numbered = {entry.number: entry for entry in live.entries}
        self._bodies = FileBodies()

    def text(self, part: Part) -> str:
        """The whole body of `part`, see `SessionSource.text`."""
        if part.wire == BASH:
            value = self._bodies.value(part)
            return bash_text(value) if isinstance(value, dict) else ""
        return self._bodies.text(part)

    def value(self, part: Part) -> object:
        """The decoded body of `part`."""
        return self._bodies.value(part)

    def record(self, number: int) -> Mapping[str, Any]:
        """The decoded record of line `number` on the live path, {} where there is none."""
        entry = self._numbered.get(number)
        if entry is None:
            return {}
        value = self._bodies.record(origin_of(self.path, entry))
        return value if isinstance(value, dict) else {}

    def reopen(self, session: Session) -> Session:
        """See `redline.agents.opening.reopen`."""
        return self._again(session)

    @property
    def branch(self) -> tuple[Entry, ...]:
        """Every entry of the live path in order, metadata included."""
        return self._live.entries

    @property
    def given(self) -> Given:
        """The entries that give the context its messages, one each and in their order."""
        return self._context

    def prompts(self) -> Iterator[Message]:
        """The messages of `history` that hold a person's words."""
        return self._messages(entry for entry in self._live.entries if entry.prompts)

    def history(self) -> Iterator[Message]:
        """Every message of the live path in order, as it was written (no context edits), with
        the summaries of past compactions in their places."""
        return self._messages(entry for entry in self._live.entries if entry.role is not None)

    def _messages(self, entries: Iterable[Entry]) -> Iterator[Message]:
        for entry, value in values_of(self.path, entries):
            seam = entry.position in self._live.seams
            yield message_of(self.path, entry, value, seam=seam)

    def resume(self) -> Iterator[Block]:
        """What pi would send, block by block (see `wire`)."""
        selected = given(self._loader.entries)
        return wire.resume(
            (entry, value, edit[1] if edit else None)
            for entry, value, edit in _with_edits(self.path, selected)
        )

    def path_entries(self) -> tuple[PathEntry, ...]:
        """The live path as pi numbers its branch: (index, id, type, role, record, chars) of every
        entry in order, metadata included."""
        edited: dict[str, int | None] = {}
        edits = list(self._context.edits.items())
        for (target, entry), (_, value) in zip(
            edits, values_of(self.path, [entry for _, entry in edits]), strict=True
        ):
            replacement = value.get("replacement")
            content = replacement.get("content") if isinstance(replacement, dict) else None
            edited[target] = None if entry.omits else content_chars(content)
        return path_entries(self._live.entries, edited)


def _with_edits(
    path: Path, selected: Given
) -> Iterator[tuple[Entry, Mapping[str, Any], tuple[Entry, Mapping[str, Any]] | None]]:
    """The entries of a context with their records and the newest edits of them."""
    edits = list(selected.edits.values())
    values = {entry.position: value for entry, value in values_of(path, edits)}
    for entry, value in values_of(path, selected.entries):
        edit = selected.edits.get(entry.id)
        yield entry, value, (edit, values[edit.position]) if edit is not None else None


def open_session(path: Path, *, leaf: str | None = None, before: int | None = None) -> Session:
    """The session of the pi file `path`.

    `leaf` names the entry its path ends in (the last of the file where None), `before` N gives the
    context as it was before compaction N of that path (from 1). Ids of v1 files are `line:N`: pi
    gives them random ones when it migrates the file. Raises RedlineError where the file cannot be
    read or is no pi session, or where `leaf` or `before` name nothing.
    """
    reading = Reading(Path(path))
    with reading.lock:
        file, state = reading.now()
        return _opened(reading, file, state, leaf, before)


def _opened(
    reading: Reading, file: EntryFile, state: State, leaf: str | None, before: int | None
) -> Session:
    path, damage = reading.path, file.damage
    end = leaf_of(file.entries, leaf, before)
    live = walk(file.entries, end, damage)
    loader = loader_walk(file.entries, end) if not file.refused else Walk(())
    context = given(live.entries)
    found = {entry.position for entry in given(loader.entries).entries}
    _check_first_kept(live, damage)
    messages = _context_messages(reading, live, context, found)
    damage.extend(orphans(messages))
    resumed = sum(1 for entry in context.entries if entry.position in found)
    damage.sort(key=lambda finding: finding.record)

    def again(session: Session) -> Session:
        with reading.lock:
            now, other = reading.now()
            return session if other == state else _opened(reading, now, other, leaf, before)

    return Session(
        info=info_of(file, live),
        context=messages,
        source=PiSource(file, live, loader, context, again),
        compactions=_past_compactions(path, live),
        side_branches=side_branches(file.entries, live),
        damage=tuple(damage),
        counts=_counts(file, live),
        leaf=end.id if end else None,
        version=f"v{file.version}" if file.header else None,
        resume_messages=resumed,
        resume_lost=len(messages) - resumed,
    )


def _context_messages(
    reading: Reading, live: Walk, context: Given, found: Set[int]
) -> tuple[Message, ...]:
    """The messages of a context; `found` are the entries pi's own loader gives the model. One that
    was built before and would be the same now is not read again."""
    kept = {entry.position for entry in context.kept}
    seams = _seams(live, context.entries, found)
    known: dict[Made, Message] = {}
    missing: list[Entry] = []
    made_of = {}
    for entry in context.entries:
        trusted, seam = entry.position not in kept, entry.position in seams
        made = made_of[entry.position] = (entry, context.edits.get(entry.id), trusted, seam)
        if made in reading.messages:
            known[made] = reading.messages[made]
        else:
            missing.append(entry)
    for entry, value, edit in _with_edits(reading.path, replace(context, entries=tuple(missing))):
        made = made_of[entry.position]
        _, _, trusted, seam = made
        known[made] = message_of(reading.path, entry, value, edit, trusted=trusted, seam=seam)
    reading.messages = known
    return tuple(known[made_of[entry.position]] for entry in context.entries)


def _seams(live: Walk, entries: Sequence[Entry], found: Set[int]) -> frozenset[int]:
    """Positions of the messages of a context whose loader does not see what is above: the first
    after each place where the path was healed, and the first it finds after one it does not."""
    given_positions = {entry.position for entry in entries}
    seams: set[int] = set()
    pending = False
    for entry in live.entries if live.seams else ():
        pending = pending or entry.position in live.seams
        if pending and entry.position in given_positions:
            seams.add(entry.position)
            pending = False
    for above, entry in pairwise(entries):
        if entry.position in found and above.position not in found:
            seams.add(entry.position)
    return frozenset(seams)


def _check_first_kept(live: Walk, damage: list[Damage]) -> None:
    for at, entry in enumerate(live.entries):
        if entry.type == COMPACTION and given(live.entries[: at + 1]).lost_kept:
            named = entry.first_kept or "(none)"
            detail = f"first kept entry {named} is not on the path: nothing is kept"
            damage.append(Damage(entry.number, DamageKind.MISSING, detail))


def _past_compactions(path: Path, live: Walk) -> tuple[PastCompaction, ...]:
    entries = live.entries
    places = [at for at, entry in enumerate(entries) if entry.type == COMPACTION]
    found = []
    for (entry, value), at in zip(
        values_of(path, [entries[at] for at in places]), places, strict=True
    ):
        end = next((later for later in places if later > at), len(entries))
        billed = next((e.billed for e in entries[at + 1 : end] if e.billed), None)
        kept = given(entries[: at + 1]).kept
        found.append(
            PastCompaction(
                entry.id,
                CompactionKind.PARTIAL if kept else CompactionKind.FULL,
                entry.number,
                trigger="extension" if value.get("fromHook") is True else None,
                time=time_of(value),
                tokens_before=token_count(value.get("tokensBefore")),
                tokens_after=billed,
                reported_after=token_count(value.get("estimatedTokensAfter")),
                messages_before=sum(1 for e in entries[:at] if e.role is not None),
                summary=message_of(path, entry, value) if text_of(value.get("summary")) else None,
                preserved=tuple(kept_entry.id for kept_entry in kept),
            )
        )
    return tuple(found)


def _counts(file: EntryFile, live: Walk) -> Counts:
    return Counts(
        records=file.records,
        messages=sum(1 for entry in live.entries if entry.role is not None),
        prompts=sum(entry.prompts for entry in live.entries),
        turns=sum(1 for entry in live.entries if entry.prompts),
        tool_pairs=len((file.calls & file.results) - {""}),
        unknown=file.unknown,
    )
