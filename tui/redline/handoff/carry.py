"""What a person wrote into a handoff, carried over when it is written anew."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADING = re.compile(r"(?m)^## .*$")


@dataclass(frozen=True, slots=True)
class Carried:
    """`text` is the new handoff with the person's sections in it; `conflicts` names the sections
    that both the person and the writer changed: the person's stands, the writer's is left out."""

    text: str
    conflicts: tuple[str, ...] = ()


def sections(text: str) -> dict[str, str]:
    """The sections of a Markdown text by their heading line, in order; "" is what stands before.

    A heading that comes twice keeps both bodies, joined under the first.
    """
    found: dict[str, str] = {}
    heading, at = "", 0
    for match in _HEADING.finditer(text):
        found[heading] = found.get(heading, "") + text[at : match.start()]
        heading, at = match.group().rstrip(), match.end()
    found[heading] = found.get(heading, "") + text[at:]
    return found


def carry_over(written: str, edited: str, again: str) -> Carried:
    """`again` with every section of `edited` that differs from `written`.

    `written` is what the writer gave before, `edited` what the person made of it, `again` what the
    writer gives now. A section the person added or removed stays added or removed.
    """
    if edited == written:
        return Carried(again)
    before, mine, now = sections(written), sections(edited), sections(again)
    conflicts: list[str] = []
    result: dict[str, str] = {}
    for heading, body in now.items():
        if heading not in mine and heading in before:
            continue
        if heading in mine and mine[heading] != before.get(heading):
            if body != before.get(heading) and body != mine[heading]:
                conflicts.append(heading.removeprefix("## ") or "the start")
            body = mine[heading]
        result[heading] = body
    added = [heading for heading in mine if heading not in result and heading not in before]
    dropped = [
        heading
        for heading in mine
        if heading in before and heading not in now and mine[heading] != before[heading]
    ]
    order = list(result)
    for heading in (*added, *dropped):
        places = list(mine)
        earlier = [name for name in places[: places.index(heading)] if name in order]
        order.insert(order.index(earlier[-1]) + 1 if earlier else len(order), heading)
        result[heading] = mine[heading]
    blocks = [heading + result[heading] for heading in order]
    ended = [block if block.endswith("\n") else f"{block}\n" for block in blocks[:-1]]
    return Carried("".join([*ended, *blocks[-1:]]), tuple(conflicts))
