"""A person's pins, applied to what a strategy proposes.

A pin acts on a whole group: a call, its results, and whatever calls tie to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from redline.compaction.cuts import legal_cut
from redline.compaction.outline import Outline, Place
from redline.compaction.plan import STAYING, Action, Pins, action_for, possible
from redline.errors import RedlineError
from redline.model import Message, PartType

PINNED = "pinned"


def pinned_cut(outline: Outline, pins: Pins, warnings: list[str]) -> int | None:
    """The index the pinned cut leads to, None where no cut is pinned.

    A cut inside a group moves up to the next legal place, and `warnings` gets a line that says so.
    """
    if pins.cut is None:
        return None
    _require_known(outline, [pins.cut])
    asked = outline.index[pins.cut]
    found = legal_cut(outline, asked)
    if found is not None and found != asked:
        moved = "up" if found < asked else "down"
        warnings.append(
            f"the cut at {pins.cut} would part a call from its results: "
            f"it moved {moved} to {outline.messages[found].id}"
        )
    return found


def apply_pins(
    outline: Outline,
    pins: Pins,
    actions: list[Action],
    reasons: list[str],
    parts: dict[Place, Action],
) -> set[int]:
    """Changes the columns as `pins` say and gives the indexes of the messages they act on.

    Raises RedlineError where a pin names no message or part, asks for what a message does not
    hold, or contradicts another pin of the same group.
    """
    _require_known(outline, [*pins.actions, *(name for name, _ in pins.parts)])
    pinned: set[int] = set()
    wanted: dict[int, dict[int, Action]] = {}
    for name, action in pins.actions.items():
        index = outline.index[name]
        wanted.setdefault(outline.group[index], {})[index] = action
    for root, asked in wanted.items():
        for member, action in _group_actions(outline, root, asked).items():
            actions[member], reasons[member] = action, PINNED
            pinned.add(member)
            for place in range(len(outline.messages[member].parts)):
                parts.pop((member, place), None)
    if pins.parts:
        pinned |= _apply_part_pins(outline, pins, actions, parts)
    return pinned


def _require_known(outline: Outline, names: Iterable[str]) -> None:
    unknown = [name for name in dict.fromkeys(names) if name not in outline.index]
    if unknown:
        raise RedlineError(
            f"no message of the context has the id {', '.join(unknown)}",
            "`redline show SESSION --json` lists the ids; the session may have been compacted",
        )


def _group_actions(outline: Outline, root: int, asked: Mapping[int, Action]) -> dict[int, Action]:
    """What each member of a group gets, where `asked` are the pins on some of them."""
    messages, members = outline.messages, outline.members[root]
    if len({action in STAYING for action in asked.values()}) > 1:
        said = ", ".join(f"{messages[i].id}: {action}" for i, action in asked.items())
        raise RedlineError(
            f"these messages belong to one call and its results, but are pinned apart ({said})",
            "they stay or go together: pin one of them only",
        )
    stays = next(iter(asked.values())) in STAYING
    found = dict.fromkeys(members, Action.KEEP if stays else Action.SUMMARISE)
    grouped = len(members) > 1
    for index, action in asked.items():  # a pin on one member reaches those that are not pinned
        reached = (index, *(member for member in members if member not in asked))
        fitting = [i for i in reached if _fits(action, messages[i], grouped=grouped)]
        if not fitting:
            raise RedlineError(
                f"message {messages[index].id} holds nothing to {action}", _WHAT.get(action, "")
            )
        for member in fitting:
            found[member] = action
    return found


_WHAT = {
    Action.CLEAR: "only tool results and images are cleared",
    Action.SHORTEN: "only texts and tool results are shortened",
    Action.QUOTE: "only the user's own words are quoted",
}


def _fits(action: Action, message: Message, *, grouped: bool) -> bool:
    if action is Action.SHORTEN and grouped:  # the results, not the words around the call
        return any(part.type is PartType.TOOL_RESULT for part in message.parts)
    if action in _WHAT:
        return any(possible(action, part) for part in message.parts)
    return True


def _apply_part_pins(
    outline: Outline, pins: Pins, actions: list[Action], parts: dict[Place, Action]
) -> set[int]:
    call_of = {place: call for call, places in outline.results.items() for place in places}
    asked: dict[Place, Action] = {}
    for (name, place), action in pins.parts.items():
        index = outline.index[name]
        message = outline.messages[index]
        if not 0 <= place < len(message.parts):
            raise RedlineError(
                f"message {name} has no part {place}", f"it has {len(message.parts)}, from 0"
            )
        targets: tuple[Place, ...] = ((index, place),)
        if action in (Action.CLEAR, Action.SHORTEN) and (index, place) in outline.results:
            targets = outline.results[index, place]
        fitting = [t for t in targets if possible(action, outline.messages[t[0]].parts[t[1]])]
        if not fitting:
            raise RedlineError(
                f"part {place} of message {name} is nothing to {action}", _WHAT.get(action, "")
            )
        for target in fitting:
            asked[target] = action
    stays: dict[Place, bool] = {}
    for spot, action in asked.items():
        call = call_of.get(spot, spot)
        if stays.setdefault(call, action in STAYING) != (action in STAYING):
            raise RedlineError(
                f"message {outline.messages[spot[0]].id}: a call and its result are pinned apart",
                "they stay or go together",
            )
    parts.update(asked)
    touched = {index for index, _ in asked}
    for call, stay in stays.items():
        for spot in (call, *outline.results.get(call, ())):
            body = outline.messages[spot[0]].parts[spot[1]]
            now = parts.get(spot, action_for(actions[spot[0]], body))
            if (now in STAYING) != stay:
                parts[spot] = Action.KEEP if stay else Action.SUMMARISE
                touched.add(spot[0])
    return touched
