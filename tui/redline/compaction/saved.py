"""Plans as JSON: for programs to read, and to be taken up again by `--plan`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from redline.compaction.effect import estimate_kept, layers, plan_tokens
from redline.compaction.layers import layers_of, remembered
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.scoring import WEIGHTS
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.window import Window
from redline.errors import RedlineError
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Session

SCHEMA = 1
FIRST_KEPT = "first_kept_entry"  # details of `pi`: its own cut, which may be a metadata entry
FIRST_KEPT_INDEX = "first_kept_index"


def dump_plan(
    plan: Plan,
    window: Window,
    pins: Pins | None = None,
    settings: StrategySettings | None = None,
    facts: Facts | None = None,
    ledger: Ledger | None = None,
) -> dict[str, Any]:
    """The JSON of `plan` (`commands.md`), with what is needed to take it up again: `session`,
    `pins`, `first_kept` and `chosen` (the settings a person chose, not the defaults).

    Every message says its `layer`, and by `memory` whether something of it goes to the long-term
    memory; that stays false without `facts` and `ledger`. `layers` are the three with their counts
    (of the memory: items) and tokens."""
    facts, ledger = facts or Facts(), ledger or Ledger()
    memory = remembered(plan.outline, facts, ledger)
    where = layers_of(plan, memory)
    pins = plan.pins if pins is None else pins
    messages = plan.outline.messages
    tokens = plan_tokens(plan, window)
    staying = plan.staying
    result: list[dict[str, object]] = [{"message": messages[i].id} for i in staying]
    if plan.summary_at is not None:
        result.insert(plan.summary_at, {"summary": True})
    info = window.session.info
    return {
        "schema": SCHEMA,
        "strategy": plan.strategy,
        "settings": dict(plan.settings),
        "session": {
            "agent": info.agent.value,
            "id": info.id,
            "messages": len(messages),
            "leaf": window.session.asked_leaf,
            "before": window.session.before,
        },
        "cut": _cut(plan),
        "messages": [
            {**_message(plan, window, i), "layer": where[i].value, "memory": i in memory}
            for i in range(len(messages))
        ],
        "result": result,
        "tokens": asdict(tokens),
        "layers": [
            {"name": layer.name, "count": layer.count, "tokens": layer.tokens}
            for layer in layers(plan, window, facts, ledger)
        ],
        "estimate": {
            "before": sum(plan.estimates),
            "kept": estimate_kept(plan, window),
        },
        "warnings": list(plan.warnings),
        "details": dict(plan.details),
        "pins": {
            "cut": pins.cut,
            "actions": {name: action.value for name, action in pins.actions.items()},
            "parts": [
                {"message": name, "part": place, "action": action.value}
                for (name, place), action in pins.parts.items()
            ],
        },
        "first_kept": plan.cut.message if plan.cut else None,
        "chosen": _chosen(settings or StrategySettings()),
    }


def _chosen(settings: StrategySettings) -> dict[str, object]:
    """What a person chose; what the agents' own configurations say is no part of it."""
    found = {each.name: getattr(settings, each.name) for each in fields(settings)}
    del found["own"]
    return {name: value for name, value in found.items() if value is not None}


def _cut(plan: Plan) -> dict[str, object] | None:
    """The cut; None where something before it stays, and where nothing is cut."""
    if plan.cut is None or not plan.one_tail:
        return None
    return {
        "message": plan.details.get(FIRST_KEPT, plan.cut.message),
        "index": plan.details.get(FIRST_KEPT_INDEX, plan.cut.index),
        "splits_turn": plan.cut.splits_turn,
    }


def _message(plan: Plan, window: Window, index: int) -> dict[str, object]:
    message = plan.outline.messages[index]
    return {
        "id": message.id,
        "index": index,
        "role": message.role.value,
        "tokens": window.tokens[index],
        "estimate": plan.estimates[index],
        "action": plan.actions[index].value,
        "reason": plan.reasons[index],
        "pinned": index in plan.pinned,
        "parts": [
            {
                "type": part.type.value,
                "kind": part.kind.value,
                "action": plan.action_of(index, place).value,
            }
            for place, part in enumerate(message.parts)
        ],
    }


@dataclass(frozen=True, slots=True)
class Fit:
    """How a saved plan fits a session as it is now: messages that came since, and ids it names
    that are not in the context any more."""

    grown: int
    unknown: tuple[str, ...]


def fit(data: object, session: Session) -> Fit:
    """How a saved plan fits `session`. Raises RedlineError where it is no plan, or one of another
    session or of another view of it."""
    plan = _plan(data)
    saved = _mapping(plan, "session")
    if saved.get("id") != session.info.id or saved.get("agent") != session.info.agent.value:
        raise RedlineError(
            f"this plan was made for session {saved.get('id')}, not for {session.info.id}",
            "make a new one with `redline plan SESSION -o PLAN`",
        )
    made_on, asked = view_of(plan), (session.asked_leaf, session.before)
    if made_on != asked:
        raise RedlineError(
            f"this plan was made on {_view_words(*made_on)}, not on {_view_words(*asked)}",
            f"ask for that with {_view_flags(*made_on)}, or make a new plan",
        )
    pins = _pins(plan)
    named = [*pins.actions, *(name for name, _ in pins.parts), *([pins.cut] if pins.cut else [])]
    known = {message.id for message in session.context}
    count = saved.get("messages")
    before = count if isinstance(count, int) else 0
    return Fit(
        grown=max(0, len(session.context) - before),
        unknown=tuple(name for name in dict.fromkeys(named) if name not in known),
    )


def view_of(data: object) -> tuple[str | None, int | None]:
    """The leaf, and the number of the compaction before which a saved plan was made; both None for
    the live branch as it is. Raises RedlineError where it is no plan."""
    saved = _mapping(_plan(data), "session")
    leaf, before = saved.get("leaf"), saved.get("before")
    if leaf is not None and not isinstance(leaf, str):
        raise _wrong("session.leaf", "an id")
    if before is not None and (not isinstance(before, int) or isinstance(before, bool)):
        raise _wrong("session.before", "a number")
    return leaf, before


def _view_words(leaf: str | None, before: int | None) -> str:
    words = "the live branch" if leaf is None else f"the branch that ends in {leaf}"
    return words if before is None else f"{words} before compaction {before}"


def _view_flags(leaf: str | None, before: int | None) -> str:
    flags = ([] if leaf is None else [f"--leaf {leaf}"]) + (
        [] if before is None else [f"--before {before}"]
    )
    return " ".join(flags) or "neither --leaf nor --before"


def load_pins(data: object, session: Session | None = None) -> tuple[str, StrategySettings, Pins]:
    """Strategy, settings and pins of a saved plan, so that it is proposed as it was saved: its cut
    is pinned, and messages that came since are in the tail.

    Raises RedlineError where `data` is no saved plan, and with `session` where the plan belongs to
    another one or names messages that are not in its context any more.
    """
    plan = _plan(data)
    pins = _pins(plan)
    if session is not None:
        found = fit(plan, session)
        if found.unknown:
            raise RedlineError(
                f"the plan names messages that are not in the context any more: "
                f"{', '.join(found.unknown[:5])}",
                "the session was compacted or rewound since; make a new plan",
            )
    strategy = plan["strategy"]
    return strategy, _settings(plan), pins


def is_plan(data: object) -> bool:
    """Whether `data` is a saved plan, of whichever session."""
    try:
        _plan(data)
    except RedlineError:
        return False
    return True


def _wrong(place: str, expected: str) -> RedlineError:
    return RedlineError(
        f"this is no saved plan: {place} is not {expected}",
        "plans are saved with `redline plan SESSION -o PLAN`",
    )


def _plan(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _wrong("the file", "an object")
    if data.get("schema") != SCHEMA:
        raise _wrong("schema", str(SCHEMA))
    if not isinstance(data.get("strategy"), str):
        raise _wrong("strategy", "a name")
    return data


def _mapping(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    if not isinstance(found, dict):
        raise _wrong(name, "an object")
    return found


def _settings(plan: Mapping[str, Any]) -> StrategySettings:
    """What the plan was made with: the settings the strategy says it used."""
    used = _mapping(plan, "settings")
    known: dict[str, int] = {}
    for name in ("tail_tokens", "keep_results", "clear_from", "turns"):
        value = used.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise _wrong(f"settings.{name}", "a number of 0 or more")
        known[name] = value
    weights = {name: _share(used, f"weight_{name}") for name in WEIGHTS}
    return StrategySettings(
        tail_tokens=known.get("tail_tokens"),
        keep_results=known.get("keep_results"),
        clear_from=known.get("clear_from"),
        turns=known.get("turns"),
        score=_share(used, "score"),
        weights={name: value for name, value in weights.items() if value is not None} or None,
    )


def _share(used: Mapping[str, Any], name: str) -> float | None:
    value = used.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _wrong(f"settings.{name}", "a number from 0 to 1")
    return float(value)


def _pins(plan: Mapping[str, Any]) -> Pins:
    saved = _mapping(plan, "pins")
    actions = {
        name: _action(value, f"pins.actions.{name}")
        for name, value in _mapping(saved, "actions").items()
    }
    parts: dict[tuple[str, int], Action] = {}
    listed = saved.get("parts")
    if not isinstance(listed, list):
        raise _wrong("pins.parts", "a list")
    for item in listed:
        match item:
            case {"message": str(name), "part": int(place), "action": action} if place is not True:
                parts[name, place] = _action(action, "pins.parts")
            case _:
                raise _wrong("pins.parts", "a list of message, part and action")
    cut = saved.get("cut") or plan.get("first_kept")
    if cut is not None and not isinstance(cut, str):
        raise _wrong("pins.cut", "the id of a message")
    return Pins(cut=cut, actions=actions, parts=parts)


def _action(value: object, place: str) -> Action:
    if not isinstance(value, str) or value not in frozenset(Action):
        raise _wrong(place, f"one of {', '.join(Action)}")
    return Action(value)
