"""Sessions of every shape that planning must hold for, made from a number: the same one gives the
same session.

Small ones with everything in any order are `windows.sessions`; these have a form, and any size.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from redline.model import CompactionKind, PartType, PastCompaction, Session
from tests.sessions_in_memory import (
    Draft,
    call,
    image,
    injected,
    reply,
    result,
    session,
    summary,
    thinking,
    together,
    user,
)

Chance = random.Random
_SAID = (
    "Please go on.",
    "Never touch src/legacy.",
    "Let's use integers for money.",
    "Fix the failing test in tests/test_totals.py, see #12.",
    "继续",
)
_TOOLS = ("Bash", "Read", "Edit", "Write", "apply_patch", "mcp__files__write_file")


def _input(chance: Chance) -> tuple[str, dict[str, object]]:
    tool = chance.choice(_TOOLS)
    if tool == "Bash":
        return tool, {"command": chance.choice(("pytest -q", "git diff", "ls", "cat a.py"))}
    return tool, {"file_path": f"src/{chance.randrange(20)}.py", "content": "x = 1\n" * 3}


def _body(chance: Chance) -> str:
    return chance.choice(
        (
            "",
            "ok",
            "Exit code 1\nE   assert 1 == 2",
            "def total(order):\n    ...\n" * 40,
            "r" * 9_000,
        )
    )


def _calls(chance: Chance, start: int, count: int, answered: Callable[[int], bool]) -> list[Draft]:
    """One message with `count` calls, then their results: in one message, or in several, out of
    order; those that are not `answered` have none."""
    asked = [call(*_input(chance), call_id=f"c{start}-{place}") for place in range(max(1, count))]
    heard = [
        result(_body(chance), call_id=f"c{start}-{place}", error=chance.random() < 0.2)
        for place in range(max(1, count))
        if answered(place)
    ]
    if chance.random() < 0.2 and heard:
        heard.append(image(call_id=f"c{start}-0"))
    chance.shuffle(heard)
    made = [together(*asked)] if chance.random() < 0.7 else asked
    if heard and chance.random() < 0.5:
        return [*made, together(*heard)]
    return [*made, *heard]


def _talk(chance: Chance) -> Draft:
    return chance.choice(
        (
            reply("done, as asked: decided to round once at the end"),
            thinking("hm " * 30),
            together(thinking("t" * 50), reply("I will look.")),
        )
    )


def _mixed(chance: Chance, number: int) -> list[Draft]:
    if chance.random() < 0.1:
        return [user(chance.choice(_SAID))]
    if chance.random() < 0.1:
        return [chance.choice((injected("<env>"), image(), together(user("see"), image())))]
    if chance.random() < 0.3:
        return [_talk(chance)]
    return _calls(chance, number, chance.choice((1, 1, 1, 3)), lambda _: True)


def _parallel(chance: Chance, number: int) -> list[Draft]:
    if chance.random() < 0.1:
        return [user(chance.choice(_SAID))]
    return _calls(chance, number, chance.randrange(2, 7), lambda _: True)


def _missing(chance: Chance, number: int) -> list[Draft]:
    if chance.random() < 0.2:
        return [user(chance.choice(_SAID))]
    if chance.random() < 0.1:
        return [result("nobody asked", call_id=f"lost{number}")]
    return _calls(chance, number, 2, lambda _: chance.random() < 0.6)


def _nested(chance: Chance, number: int) -> list[Draft]:
    if number % 9 == 0:
        old = summary(f"## Goal\nTotals.\n## Next Steps\n- step {number}\n")
        return [chance.choice((old, together(old, user("and go on")), together(old, reply("ok"))))]
    return _mixed(chance, number)


def _unprompted(chance: Chance, number: int) -> list[Draft]:
    return [_talk(chance)] if chance.random() < 0.3 else _calls(chance, number, 1, lambda _: True)


def _output(chance: Chance, number: int) -> list[Draft]:
    if number == 0 or chance.random() < 0.5:
        return _calls(chance, number, 1, lambda _: True)
    return [result("r" * chance.randrange(4_000), call_id=f"lost{number}")]


SHAPES: dict[str, Callable[[Chance, int], list[Draft]]] = {
    "everything mixed": _mixed,
    "parallel calls": _parallel,
    "missing results": _missing,
    "nested compactions": _nested,
    "one giant turn": _unprompted,
    "only tool output": _output,
    "no prompt at all": _unprompted,
}


def made(shape: str, size: int, number: int) -> Session:
    """A session of `shape` with `size` messages."""
    chance = Chance(f"{shape} {number}")
    drafts: list[Draft] = [user("Make totals exact.")] if shape == "one giant turn" else []
    step = 0
    while len(drafts) < size:
        drafts += SHAPES[shape](chance, step)
        step += 1
    opened = session(*drafts[:size])
    if shape != "nested compactions":
        return opened
    holds = [m for m in opened.context if any(part.kind.value == "summary" for part in m.parts)]
    past = tuple(
        PastCompaction(f"k{place}", CompactionKind.FULL, place, "auto", summary=message)
        for place, message in enumerate(holds, start=1)
    )
    if past and chance.random() < 0.3:  # the last one is sealed
        last = holds[-1]
        parts = tuple(
            replace(part, type=PartType.OPAQUE) if part.kind.value == "summary" else part
            for part in last.parts
        )
        sealed = next(part for part in parts if part.type is PartType.OPAQUE)
        context = tuple(replace(m, parts=parts) if m is last else m for m in opened.context)
        past = (*past[:-1], replace(past[-1], summary=None, sealed=sealed))
        opened = replace(opened, context=context)
    return replace(opened, compactions=past)
