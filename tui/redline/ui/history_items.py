"""What the history says in lists: its contents, and what a past compaction left."""

from __future__ import annotations

from collections.abc import Iterator

from redline.facts.compacted import Rebuilt, unread
from redline.facts.contents import (
    Boundary,
    BranchSummary,
    Contents,
    FailedResult,
    Fork,
    Kept,
    Started,
    Turn,
)
from redline.model import CompactionKind, PastCompaction
from redline.text import counted
from redline.ui.items import Item
from redline.ui.marks import CROSS, OUT, short

_PROMPTS_SHOWN = 200


def contents_items(contents: Contents) -> Iterator[Item]:
    """One entry a turn, a compaction, an error, a side branch and a subagent, in their order. The
    key of each is what it is."""
    ordered = [(turn.place, 1, _turn(turn)) for turn in contents.turns]
    ordered += [(boundary.place, 0, _boundary(boundary)) for boundary in contents.compactions]
    for error in contents.errors:
        item = Item(error.line or error.call, mark=CROSS, style="bad", key=error)
        ordered.append((error.place, 2, item))
    for summary in contents.summaries:
        item = Item(summary.head, mark="<", word="left", style="faint", key=summary)
        ordered.append((summary.place, 2, item))
    for started in contents.subagents:
        place = contents.messages if started.place is None else started.place
        ordered.append((place, 3, _subagent(started)))
    for fork in contents.branches:
        at_start = -1 if fork.branch.fork is None else contents.messages
        ordered.append((at_start if fork.place is None else fork.place, 4, _fork(fork)))
    ordered.sort(key=lambda entry: entry[:2])
    return (item for _, _, item in ordered)


def _turn(turn: Turn) -> Item:
    tokens = ("" if turn.billed else "~") + short(turn.tokens)
    return Item(
        turn.head,
        mark=" " if turn.sent else OUT,
        word=str(turn.number),
        right=tokens,
        style="" if turn.sent else "faint",
        whole=True,
        key=turn,
    )


def _boundary(boundary: Boundary) -> Item:
    past = boundary.past
    return Item(
        f"compaction {boundary.number}, {past.kind.value}",
        mark="=",
        right=change_of(past),
        style="good",
        whole=True,
        key=boundary,
    )


def _subagent(started: Started) -> Item:
    agent = started.subagent
    return Item(
        agent.description or agent.kind or agent.id, mark="&", word="sub", style="warn", key=started
    )


def _fork(fork: Fork) -> Item:
    return Item(
        fork.branch.head or fork.branch.leaf,
        mark="/",
        word="side",
        right=str(fork.branch.records),
        style="warn",
        key=fork,
    )


def place_of(key: object) -> int | None:
    """The place in the history that an entry of the contents is about."""
    match key:
        case Turn() | Boundary() | FailedResult() | BranchSummary() | Fork() | Started():
            return key.place
        case _:
            return None


def change_of(past: PastCompaction) -> str:
    """`167k>51k`: tokens before and after, `?` where nothing tells them."""
    after = past.tokens_after if past.tokens_after is not None else past.reported_after
    before = "?" if past.tokens_before is None else short(past.tokens_before)
    return f"{before}>{'?' if after is None else short(after)}"


def words_of(past: PastCompaction) -> str:
    """What a compaction did, in a few words."""
    if past.kind is CompactionKind.MICRO:
        return f"{counted(len(past.cleared), 'result')} cleared"
    trigger = past.trigger or "unknown trigger"
    return f"{trigger}, {counted(past.messages_before, 'message')} before"


def told_of(
    past: PastCompaction,
    summary: str,
    kept: tuple[Kept, ...] = (),
    again: Rebuilt | None = None,
) -> list[tuple[str, str]]:
    """A past compaction whole: headings with the text beneath each. `kept` tells which messages it
    kept, `again` what the records before it hold, where its summary cannot be read."""
    when = f", {past.time.astimezone():%Y-%m-%d %H:%M}" if past.time else ""
    told = [(f"{past.kind.value}, {change_of(past)} tokens", f"{words_of(past)}{when}")]
    if summary:
        told.append((f"summary, {len(summary):,} characters", summary))
    elif reason := unread(past):
        told.append(("summary", reason))
    if again is not None:
        shown = [head for _, head in again.prompts[-_PROMPTS_SHOWN:]]
        figures = f"{counted(again.messages, 'message')}, {counted(again.calls, 'call')}, "
        prompts = f"{counted(len(again.prompts), 'prompt')} of yours:"
        told.append(("the records before it hold", "\n".join([figures + prompts, *shown])))
    if kept:
        heads = [f"{'yours  ' if one.prompt else '       '}{one.head}" for one in kept]
        title = f"kept word for word: {counted(len(kept), 'message')}, "
        yours = sum(one.prompt for one in kept)
        told.append((f"{title}{yours} of them yours", "\n".join(heads)))
    elif past.preserved:
        told.append((f"kept word for word: {counted(len(past.preserved), 'message')}", ""))
    return told
