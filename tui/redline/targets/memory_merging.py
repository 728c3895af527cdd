"""What a handoff adds to a memory file: items joined by their text, newer values in the place of
those they supersede, what is done out of the next steps. What redline does not know stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from redline.facts.fact import Facts
from redline.handoff.finished import finished_steps, without_mark
from redline.handoff.handoff import Handoff
from redline.handoff.json_form import dump, shortened
from redline.handoff.schema import REQUIRED
from redline.ledger.asked import values_apart
from redline.targets.badly_written_json import Number, Value

VERSION = "1.0"
SUPERSEDES = "supersedes"
_TEXT_KEYS = (
    "content",
    "text",
    "message",
    "path",
    "name",
    "title",
    "step",
    "task",
    "rule",
    "decision",
    "description",
    "error",
)
_LISTS = ("blocked", "open_questions", "rejected", "findings")
_ANCHORS = ("commits", "issues", "urls")  # which commands were run is the session's own affair
_OVER = ("done", "completed", "complete", "finished", "closed", "resolved")
_TICKED = re.compile(r"\s*(?:[-*+]\s+)?(?:\[[xX]\]|✅|☑)\s*")
_BULLET = re.compile(r"\s*(?:[-*+]\s+)?(?:\[[ xX]\]\s+|✅\s*|☑\s*)?")
_PREVIOUS = 4_000  # characters of former states
_NEAR = 200  # items back that a statement is compared with

Object = dict[str, Value]


def merged(
    memory: Mapping[str, Value],
    handoff: Handoff,
    *,
    facts: Facts | None = None,
    retired: Collection[str] = (),
) -> Object:
    """`memory` with what `handoff` says. `facts` of the session show which of its next steps are
    done, `retired` are the ids and texts of rules that hold no more.

    Doing it again changes nothing. No item of either side is lost: what is superseded stands beside
    what took its place, a former goal with the earlier ones, a former state in `previous`.
    """
    new: dict[str, Any] = json.loads(dump(handoff))
    made: Object = dict(memory)
    version = made.get("version")
    if not isinstance(version, str):
        of_number = version.text if isinstance(version, Number) else VERSION
        made = {"version": of_number, **{k: v for k, v in made.items() if k != "version"}}
        if version is not None and not isinstance(version, Number):
            made.setdefault("version (2)", version)
    for key in REQUIRED:
        made.setdefault(key, None)
    _goal(made, new)
    _state(made, new)
    _steps(made, new, handoff, facts)
    made["decisions"] = _stated(_items(made.get("decisions")), new["decisions"], "content")
    rules = [
        rule for rule in _items(made.get("constraints")) if not _is_retired(rule, retired, new)
    ]
    made["constraints"] = _stated(rules, new["constraints"], "text")
    _files(made, new)
    made["errors"] = _errors(_items(made.get("errors")), new["errors"])
    for key in _LISTS:
        if new[key] or key in made:
            made[key] = united(_items(made.get(key)), new[key])
    _anchors(made, new)
    return made


def text_of(item: Value) -> str:
    """What an item says, on one line and without a bullet; items that say the same are one."""
    if isinstance(item, str):
        return " ".join(_BULLET.sub("", item, count=1).split())
    if isinstance(item, dict):
        for key in _TEXT_KEYS:
            value = item.get(key)
            if isinstance(value, str) and value.strip():
                return " ".join(value.split())
    return plain(item)


def plain(value: Value) -> str:
    """A value as one line of text."""
    if isinstance(value, str):
        return value
    if isinstance(value, Number):
        return value.text

    def number(inner: object) -> str:
        assert isinstance(inner, Number)
        return inner.text

    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=number)


def united(old: Sequence[Value], new: Iterable[Value]) -> list[Value]:
    """`old` as it is, then what only `new` says."""
    made = list(old)
    known = {text_of(item) for item in old}
    for item in new:
        if text_of(item) not in known:
            known.add(text_of(item))
            made.append(item)
    return made


def _items(value: Value) -> list[Value]:
    """A value as the list that it should have been."""
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list) else [value]


def _said(value: Value) -> str:
    """A value as the text that it should have been."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(str(item) for item in value)
    return "" if value in (None, [], {}) else plain(value)


def _goal(made: Object, new: Mapping[str, Any]) -> None:
    before = _said(made.get("goal"))
    full = made.get("goal_in_full")
    if isinstance(full, str) and shortened(full) == before:
        before = full
    now = new.get("goal_in_full") or new["goal"]
    earlier = united(_items(made.get("earlier_goals")), new["earlier_goals"])
    if now and before and text_of(now) != text_of(before):
        earlier = united(earlier, [before])
    made["goal"] = new["goal"] or shortened(before)
    whole = now or before
    if whole != made["goal"]:
        made["goal_in_full"] = whole
    elif "goal_in_full" in made:
        del made["goal_in_full"]
    earlier = [goal for goal in earlier if text_of(goal) != text_of(whole)]
    if earlier or "earlier_goals" in made:
        made["earlier_goals"] = earlier


def _state(made: Object, new: Mapping[str, Any]) -> None:
    before, now = _said(made.get("current_state")), new["current_state"]
    former = _said(made.get("previous"))
    if before and now and before != now:
        pieces = [before, new["previous"], former]
        whole = "\n\n".join(dict.fromkeys(piece for piece in pieces if piece))
        made["previous"] = whole if len(whole) <= _PREVIOUS else whole[: _PREVIOUS - 6] + " [...]"
    elif former or new["previous"]:
        made["previous"] = former or new["previous"]
    made["current_state"] = now or before


def _steps(made: Object, new: Mapping[str, Any], handoff: Handoff, facts: Facts | None) -> None:
    """What is done, and what comes next: the handoff's steps first, then those it does not know."""
    done = united(_items(made.get("done")), new["done"])
    marked = {text_of(step) for step in new["next_plan"] if without_mark(step) != step}
    coming = [without_mark(step) for step in new["next_plan"] if text_of(step) not in marked]
    over = {text_of(item) for item in done} - {text_of(step) for step in coming}
    over |= {text_of(without_mark(step)) for step in new["next_plan"] if text_of(step) in marked}
    done = united(
        done, [without_mark(step) for step in new["next_plan"] if text_of(step) in marked]
    )
    left = [item for item in _items(made.get("next_plan")) if item not in coming]
    if facts is not None:
        texts = tuple(text_of(item) for item in left[:_NEAR])
        shown = finished_steps(Handoff(done=handoff.done, next_plan=texts), facts)
        over |= {texts[one.index] for one in shown} - {text_of(step) for step in coming}
    gone: list[Value] = []
    open_steps: list[Value] = []
    for item in left:
        (gone if _is_over(item) or text_of(item) in over else open_steps).append(item)
    made["done"] = _moved(done, gone)
    made["next_plan"] = _coming(coming, open_steps)


def _coming(steps: Sequence[str], left: Sequence[Value]) -> list[Value]:
    """The next steps: those of the handoff, where the memory says more of one as it says it."""
    richer: dict[str, Value] = {}
    for item in left:
        if isinstance(item, dict):
            richer.setdefault(text_of(item), item)
    made = [richer.get(text_of(step), step) for step in steps]
    known, taken = {text_of(item) for item in made}, set(map(id, made))
    return [
        *made,
        *(
            item
            for item in left
            if id(item) not in taken and (isinstance(item, dict) or text_of(item) not in known)
        ),
    ]


def _moved(done: Sequence[Value], gone: Sequence[Value]) -> list[Value]:
    """What is done with the steps that are; one that says more than its text takes its place."""
    made = list(done)
    known = set(map(repr, made))
    places: dict[str, list[int]] = {}
    for at, item in enumerate(made):
        places.setdefault(text_of(item), []).append(at)
    for item in gone:
        same = places.setdefault(text_of(item), [])
        if repr(item) in known or (same and not isinstance(item, dict)):
            continue
        known.add(repr(item))
        told = next((at for at in same if isinstance(made[at], str)), None)
        if told is not None:
            made[told] = item
        else:
            same.append(len(made))
            made.append(item)
    return made


def misshapen(memory: Mapping[str, Value]) -> list[str]:
    """What has another type than the schema says, and is brought into it."""
    wrong = [
        key
        for key in ("goal", "current_state")
        if memory.get(key) is not None and not isinstance(memory[key], str)
    ]
    wrong += [
        key
        for key in ("done", "decisions", "constraints", "errors", "next_plan")
        if memory.get(key) is not None and not isinstance(memory[key], list)
    ]
    for key in ("decisions", "constraints", "errors"):
        value = memory.get(key)
        if isinstance(value, list) and any(isinstance(item, str) for item in value):
            wrong.append(f"texts for objects in {key}")
    if memory.get("files") is not None and not isinstance(memory["files"], dict):
        wrong.append("files")
    return wrong


def _is_over(step: Value) -> bool:
    """Whether a next step itself says that it is done."""
    if isinstance(step, str):
        return _TICKED.match(step) is not None
    if isinstance(step, dict):
        status = step.get("status", step.get("state"))
        said = isinstance(status, str) and status.strip().lower() in _OVER
        return said or step.get("done") is True or step.get("completed") is True
    return False


def _stated(old: Sequence[Value], new: Sequence[Object], body: str) -> list[Value]:
    """Decisions or rules: joined by their text; a newer one that says an older one again with
    another value stands in its place."""
    made: list[Value] = [{body: item} if isinstance(item, str) else item for item in old]
    texts = [text_of(item) for item in made]
    for item in new:
        said = text_of(item)
        if said in texts:
            place = texts.index(said)
            made[place] = _both(made[place], item)
            continue
        near = range(len(made))[-_NEAR:]
        older = next((at for at in range(len(made)) if _is_named(made[at], item)), None)
        if older is None:
            older = next((at for at in near if _takes_place(item, made[at], texts[at], said)), None)
        if older is None:
            made.append(item)
            texts.append(said)
            continue
        later = _later(made[older], item)
        made[older] = _over_older(*((made[older], item) if later else (item, made[older])))
        texts[older] = text_of(made[older])
    return made


def _is_named(other: Value, item: Object) -> bool:
    """Whether both are one rule, whose words a person changed."""
    return isinstance(other, dict) and bool(item.get("id")) and other.get("id") == item["id"]


def _takes_place(item: Object, other: Value, before: str, said: str) -> bool:
    if not isinstance(other, dict) or (
        other.get("confirmed") is True and not item.get("confirmed")
    ):
        return False
    return any(values_apart(before, said) or ())


def _later(one: Value, other: Object) -> bool:
    """Whether `one` was decided after `other`, as far as both say when."""
    first = one.get("time") if isinstance(one, dict) else None
    second = other.get("time")
    return isinstance(first, str) and isinstance(second, str) and first > second != ""


def _over_older(newer: Value, older: Value) -> Value:
    """`newer` with what `older` was, and what of it nobody here knows."""
    assert isinstance(newer, dict)
    theirs = ("id", "message", "time", "reason", "scope", "confirmed", SUPERSEDES, *_TEXT_KEYS)
    more: Object = {}
    if isinstance(older, dict):
        more = {key: value for key, value in older.items() if key not in theirs}
    return {**more, **newer, SUPERSEDES: text_of(older)}


def _both(old: Value, new: Object) -> Object:
    """One item that both sides have: what the newer knows, and all else of the older."""
    if not isinstance(old, dict):
        return new
    return {**old, **{k: v for k, v in new.items() if v not in ("", None) or k not in old}}


def _is_retired(rule: Value, retired: Collection[str], new: Mapping[str, Any]) -> bool:
    if not retired or text_of(rule) in {text_of(one) for one in new["constraints"]}:
        return False
    named = rule.get("id") if isinstance(rule, dict) else None
    said = {" ".join(one.split()) for one in retired}
    return text_of(rule) in said or (isinstance(named, str) and named in retired)


def _files(made: Object, new: Mapping[str, Any]) -> None:
    there = made.get("files")
    group: Object = dict(there) if isinstance(there, dict) else {"changed": _items(there)}
    changed = united(_items(group.get("changed")), new["files"]["changed"])
    known = {text_of(path) for path in changed}
    referenced = united(_items(group.get("referenced")), new["files"]["referenced"])
    group["changed"] = changed
    group["referenced"] = [
        path for path in referenced if text_of(path) not in known or isinstance(path, dict)
    ]
    made["files"] = group


def _anchors(made: Object, new: Mapping[str, Any]) -> None:
    there = made.get("anchors")
    if there is None and not any(new["anchors"][key] for key in _ANCHORS):
        return
    group: Object = dict(there) if isinstance(there, dict) else {}
    if not isinstance(there, dict) and there is not None:
        group["issues"] = _items(there)
    for key in _ANCHORS:
        if new["anchors"][key] or key in group:
            group[key] = united(_items(group.get(key)), new["anchors"][key])
    made["anchors"] = group


def _errors(old: Sequence[Value], new: Sequence[Object]) -> list[Value]:
    """Open ones first. One that came again after it was resolved is open again."""
    made: list[Value] = [{"message": item} if isinstance(item, str) else item for item in old]
    places: dict[str, list[int]] = {}
    for at, there in enumerate(made):
        places.setdefault(text_of(there), []).append(at)
    for item in new:
        if same := places.get(text_of(item)):
            for at in same:
                made[at] = _error(made[at], item)
        else:
            places[text_of(item)] = [len(made)]
            made.append(item)
    return sorted(made, key=_is_resolved)


def _error(there: Value, item: Object) -> Object:
    before = there.get("resolution") if isinstance(there, dict) else None
    both = _both(there, item)
    if before and not item.get("resolution") and isinstance(there, dict) and _later(item, there):
        return {**both, "resolution": "", "earlier_resolution": before}
    return both


def _is_resolved(error: Value) -> bool:
    return isinstance(error, dict) and error.get("resolution") not in (None, "", False)


def bounded(memory: Object, fits: Callable[[Object], bool]) -> tuple[Object, dict[str, int]]:
    """`memory` with the oldest of its lists left out until it fits, and how many of each."""
    made, gone = dict(memory), dict[str, int]()
    for key in ("done", "findings", "errors", "earlier_goals", "rejected"):
        items = made.get(key)
        while isinstance(items, list) and items and not fits(made):
            drop = [item for item in items if key != "errors" or _is_resolved(item)]
            count = (len(drop) + 1) // 2
            if not count:
                break
            going = set(map(id, drop[:count]))
            items = [item for item in items if id(item) not in going]
            gone[key] = gone.get(key, 0) + count
            made[key] = items
    return made, gone
