"""A block as a target: one stretch of a file that is written, the rest of it as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from redline.agents.claude_code.instructions import RULES
from redline.errors import RedlineError
from redline.fences import open_fence
from redline.files import changed_meanwhile
from redline.places import Places
from redline.targets.block import NAME, OWN, body, find, remove
from redline.targets.by_hand import taken_out
from redline.targets.loaded_files import Reader, also_in, notices
from redline.targets.made_here import MadeHere, made_here
from redline.targets.memory_files import Place, name_file, place_for
from redline.targets.target import RULES_BLOCK, Change
from redline.text import one_line

_SHOWN = 60  # characters of a line in a message


class Made(NamedTuple):
    """A file as it would become, and what a person should know of that."""

    after: bytes
    warnings: Sequence[str] = ()


class BlockTarget:
    """Writes one block between markers; everything else in the file stays byte for byte.

    What stands in it is made by `_made`, which a kind of block gives. `reader` is the agent that
    is to read it: what that would cut, or no longer read, is said. With `places` a file that the
    receipts there show to be redline's own goes with the last block in it.
    """

    SHARED = True  # whether it is for all agents that read the file

    def __init__(
        self,
        name: str,
        label: str,
        *,
        to: Path,
        block: str,
        reader: Reader | None,
        places: Places | None = None,
    ) -> None:
        if not NAME.fullmatch(block):
            raise RedlineError(
                f"{block!r} cannot be the id of a block", "use letters, digits, - and _"
            )
        self.name = f"{name}:{to}"
        self.to = to
        self.block = block
        self._label = label
        self._reader = reader
        self._places = places

    def preview(self) -> Change:
        """The file as it would become. Raises RedlineError where it cannot be told which text is
        the block, where the block may not be as it would become, or where no file can be."""
        place = place_for(self.to, self.block, shared=self.SHARED)
        try:
            made = self._made(place.before)
            about = self._about(place)
        except RedlineError as error:
            name_file(error, place.path)
            raise
        before = b"" if place.before is None and not made.after else place.before
        told = (*place.notes, *made.warnings, *about)
        if self._reader is not None and made.after != before:
            told = (*told, *notices(self._reader, place.path, made.after))
        if self._reader is not None and not place.twice:
            told = (*told, *also_in(self._reader, place.path, made.after, self.block))

        def again(now: bytes | None) -> bytes:
            if body(now, self.block) != body(place.before, self.block):
                raise changed_meanwhile(place.path)
            return self._made(now).after

        ours = self._ours(place)
        change = Change(
            target=self.name,
            label=f"{self._label} in {place.path.name}",
            after=made.after,
            before=before,
            path=place.path,
            named=self.to,
            warnings=told,
            kind=RULES_BLOCK,
            block=self.block,
            folders=_is_rules_folder(place.path.parent),
            again=again,
            goes=ours is not None,
            made_with=ours.folders if ours is not None else (),
        )
        return _with_its_end(change)

    def _ours(self, place: Place) -> MadeHere | None:
        """The receipt that made the file, where redline did and nothing but blocks is in it."""
        if self._places is None or place.before is None:
            return None
        rest = place.before
        for block in (self.block, *OWN):
            rest = remove(rest, block)
        return None if rest.strip() else made_here(place.path, place.before, self._places)

    def _made(self, before: bytes | None) -> Made:
        """The file with the block as it should be."""
        raise NotImplementedError

    def _about(self, place: Place) -> list[str]:
        """What a person should know of the file as it is."""
        if place.before is None:
            return []
        warnings = []
        found = find(place.before, self.block).spans
        if len(found) > 1:
            warnings.append(f"the block stands in the file {len(found)} times: one stays")
        if not found and (line := open_fence(place.before)):
            warnings.append(f"the code fence in line {line} is never closed: the block comes in it")
        return warnings


class WithoutBlock(BlockTarget):
    """Takes the block `block` out of a file."""

    def __init__(
        self, *, to: Path, block: str, label: str = "block", places: Places | None = None
    ) -> None:
        super().__init__(label, label, to=to, block=block, reader=None, places=places)

    def _made(self, before: bytes | None) -> Made:
        after, by_hand = taken_out(before or b"", self.block)
        return Made(after, left_by_hand(by_hand))


def left_by_hand(lines: Sequence[str]) -> list[str]:
    """That these lines of a block that goes are a person's, and stay."""
    return [
        f"“{one_line(line, _SHOWN)}” in the block was written by hand: it stays where the block was"
        for line in lines
    ]


def joined(changes: Sequence[Change]) -> tuple[Change, ...]:
    """`changes`, those that write different blocks of one file as one change of it, which is taken
    back as one as well."""
    found: dict[Path | None, list[Change]] = {}
    for change in changes:
        alone = change.again is None or change.block is None or change.path is None
        key = Path(f"\0{len(found)}") if alone else change.path
        found.setdefault(key, []).append(change)
    return tuple(_join(group) for group in found.values())


def _join(group: Sequence[Change]) -> Change:
    first, *others = [change for change in group if not change.empty] or group[:1]
    if not others:
        return first
    blocks = dict.fromkeys(change.block or "" for change in (first, *others))
    again_of = [change.again for change in (first, *others)]

    def again(now: bytes | None) -> bytes:
        for one in again_of:
            assert one is not None
            now = one(now)
        return now or b""

    joint = replace(
        first,
        target="+".join(change.target for change in (first, *others)),
        label=", ".join(change.label for change in (first, *others)),
        after=again(first.before),
        warnings=tuple(
            dict.fromkeys(warning for each in (first, *others) for warning in each.warnings)
        ),
        block=",".join(blocks),
        again=again,
    )
    return _with_its_end(joint)


def _with_its_end(change: Change) -> Change:
    """`change`, of a file that would be left empty with what becomes of it."""
    left = change.after.strip() if change.goes else change.after
    if change.path is None or left or change.empty:
        return change
    name = change.path.name
    end = (
        f"nothing else is in {name}, and redline has made it: the file goes too"
        if change.goes
        else f"nothing else is in {name}, but the receipts do not show that redline alone wrote "
        "it: it stays, empty"
    )
    return replace(change, warnings=(*change.warnings, end))


def _is_rules_folder(folder: Path) -> bool:
    """Whether it is a folder of rules of Claude Code, which is made where it is missing."""
    parts = folder.parts
    return any(parts[at : at + 2] == RULES.parts for at in range(len(parts)))
