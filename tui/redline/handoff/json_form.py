"""The handoff as JSON, by `schema.json`.

A rule is an object, so that one that is not confirmed is told from one that binds. What another
program left out, mistyped or added is taken as far as it can be understood; the rest is kept in
`extra` under its JSON pointer and written again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from redline.errors import RedlineError, kind_in_words
from redline.handoff.handoff import (
    GOAL_LIMIT,
    Anchors,
    Constraint,
    Decision,
    Failure,
    Files,
    Handoff,
    Note,
    UserWords,
)

_T = TypeVar("_T")
_IN_FULL = "goal_in_full"
_TEXT_KEYS = ("text", "content", "message", "path", "name", "title")


def dump(handoff: Handoff) -> str:
    """`handoff` as JSON with an indent of two and a final new line."""
    values = asdict(handoff)
    extra = values.pop("extra")
    if not handoff.notes:
        del values["notes"]
    if not handoff.brief:
        del values["brief"]
    if not handoff.reasons:
        del values["reasons"]
    if len(handoff.goal) > GOAL_LIMIT:
        values["goal"] = shortened(handoff.goal)
        values[_IN_FULL] = handoff.goal
    for key, value in extra.items():
        place = _follow(values, key)
        if place is not None and isinstance(value, Mapping):
            place.update({name: kept for name, kept in value.items() if name not in place})
        else:
            values.setdefault(key, value)
    return json.dumps(values, indent=2, ensure_ascii=False, default=list) + "\n"


def load(text: str) -> Handoff:
    """The handoff that `text` says. Raises RedlineError where it is no JSON object."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", "nested too deeply")
        raise RedlineError(
            f"this is no JSON: {reason}", "give a handoff as redline or its schema writes it"
        ) from error
    if not isinstance(value, dict):
        raise RedlineError(f"a handoff is a JSON object, this is {kind_in_words(value)}")
    return _Loader(value).handoff()


def shortened(goal: str) -> str:
    """`goal` in at most GOAL_LIMIT characters."""
    return goal if len(goal) <= GOAL_LIMIT else goal[: GOAL_LIMIT - 3].rstrip() + "..."


def _follow(values: dict[str, Any], pointer: str) -> dict[str, Any] | None:
    """The object that a JSON pointer leads to, None where it leads to none."""
    place: Any = values
    if not pointer.startswith("/"):
        return None
    for step in pointer[1:].split("/"):
        if isinstance(place, dict) and step in place:
            place = place[step]
        elif isinstance(place, list | tuple) and step.isdecimal() and int(step) < len(place):
            place = place[int(step)]
        else:
            return None
    return place if isinstance(place, dict) else None


class _Loader:
    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.extra: dict[str, object] = {}

    def handoff(self) -> Handoff:
        known = {field.name for field in fields(Handoff)} - {"extra"}
        self.extra = {
            key: value for key, value in self.value.items() if key not in known | {_IN_FULL}
        }
        goal = self._text(self.value, "goal", "")
        whole = self.value.get(_IN_FULL)
        if isinstance(whole, str) and (shortened(whole) == goal or not goal):
            goal = whole
        elif whole is not None:
            self.extra[_IN_FULL] = whole
        return Handoff(
            version=self._text(self.value, "version", "", Handoff().version),
            goal=goal,
            earlier_goals=self._list(self.value, "earlier_goals", ""),
            constraints=self._records("constraints", Constraint, "text"),
            current_state=self._text(self.value, "current_state", ""),
            done=self._list(self.value, "done", ""),
            next_plan=self._list(self.value, "next_plan", ""),
            blocked=self._list(self.value, "blocked", ""),
            open_questions=self._list(self.value, "open_questions", ""),
            decisions=self._records("decisions", Decision, "content"),
            rejected=self._list(self.value, "rejected", ""),
            findings=self._list(self.value, "findings", ""),
            files=self._group("files", Files, "changed"),
            reasons=self._reasons(),
            errors=self._records("errors", Failure, "message"),
            user_words=self._records("user_words", UserWords, "text"),
            anchors=self._group("anchors", Anchors, "issues"),
            plan=self._list(self.value, "plan", ""),
            skills=self._list(self.value, "skills", ""),
            previous=self._text(self.value, "previous", ""),
            transcript=self._text(self.value, "transcript", ""),
            focus=self._text(self.value, "focus", ""),
            sources=self._sources(),
            notes=self._notes(),
            brief=self._flag("brief"),
            extra=self.extra,
        )

    def _keep(self, pointer: str, value: object) -> None:
        if value is not None:
            self.extra[pointer] = value

    def _text(self, place: dict[str, Any], key: str, at: str, default: str = "") -> str:
        value = place.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return "\n".join(value)
        self._keep(f"{at}/{key}", value)
        return default

    def _list(self, place: dict[str, Any], key: str, at: str) -> tuple[str, ...]:
        value = place.get(key)
        if isinstance(value, str):
            return (value,) if value else ()
        if not isinstance(value, list):
            self._keep(f"{at}/{key}", value)
            return ()
        found: list[str] = []
        for number, item in enumerate(value):
            if isinstance(item, str):
                found.append(item)
                continue
            if isinstance(item, dict):
                text = next((item[k] for k in _TEXT_KEYS if isinstance(item.get(k), str)), None)
                if text is not None:
                    found.append(text)
            self._keep(f"{at}/{key}/{number}", item)
        return tuple(found)

    def _records(self, key: str, cls: type[_T], body: str) -> tuple[_T, ...]:
        value = self.value.get(key)
        if isinstance(value, str | dict):
            value = [value]
        if not isinstance(value, list):
            self._keep(f"/{key}", value)
            return ()
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        found: list[_T] = []
        for number, item in enumerate(value):
            if isinstance(item, str):
                found.append(cls(**{body: item}))
                continue
            if not isinstance(item, dict):
                self._keep(f"/{key}/{number}", item)
                continue
            at = f"/{key}/{len(found)}"
            text = next((item[k] for k in (body, *_TEXT_KEYS) if isinstance(item.get(k), str)), "")
            values: dict[str, Any] = {body: text}
            other: dict[str, object] = {}
            for name, inner in item.items():
                if name in names and isinstance(inner, bool if name == "confirmed" else str):
                    values[name] = inner
                elif inner is not None:
                    other[name] = inner
            self._keep(at, other or None)
            found.append(cls(**values))
        return tuple(found)

    def _group(self, key: str, cls: type[_T], plain: str) -> _T:
        value = self.value.get(key)
        if isinstance(value, list):
            value = {plain: value}
        if not isinstance(value, dict):
            self._keep(f"/{key}", value)
            return cls()
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        other = {name: inner for name, inner in value.items() if name not in names}
        self._keep(f"/{key}", other or None)
        return cls(**{name: self._list(value, name, f"/{key}") for name in names})

    def _reasons(self) -> dict[str, str]:
        value = self.value.get("reasons")
        if not isinstance(value, dict):
            self._keep("/reasons", value)
            return {}
        for path, reason in value.items():
            if not isinstance(reason, str):
                self._keep(f"/reasons/{path}", reason)
        return {path: reason for path, reason in value.items() if isinstance(reason, str)}

    def _flag(self, key: str) -> bool:
        value = self.value.get(key)
        if not isinstance(value, bool):
            self._keep(f"/{key}", value)
        return value is True

    def _sources(self) -> dict[str, tuple[str, ...]]:
        value = self.value.get("sources")
        if not isinstance(value, dict):
            self._keep("/sources", value)
            return {}
        found: dict[str, tuple[str, ...]] = {}
        for pointer, ids in value.items():
            if isinstance(ids, list) and all(isinstance(item, str) for item in ids):
                found[pointer] = tuple(ids)
            else:
                self._keep(f"/sources/{pointer}", ids)
        return found

    def _notes(self) -> tuple[Note, ...]:
        value = self.value.get("notes")
        if not isinstance(value, list):
            self._keep("/notes", value)
            return ()
        found: list[Note] = []
        for number, item in enumerate(value):
            if isinstance(item, str):
                found.append(Note(item))
            elif (
                isinstance(item, dict)
                and isinstance(item.get("text"), str)
                and isinstance(item.get("after", ""), str)
                and type(item.get("at", 0)) is int
            ):
                found.append(Note(item["text"], item.get("after", ""), item.get("at", 0)))
            else:
                self._keep(f"/notes/{number}", item)
        return tuple(found)
