"""What stands around the summary in a handoff file: that what is quoted is data, where the work
stands in git, and how an agent is started with the file.

It is of the moment the file was written, so it is no part of the handoff: `parse` leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redline.handoff.layout import (
    BRIEF,
    PREFACE,
    REPOSITORY,
    REPOSITORY_LEAD,
    STARTING,
    STARTING_LEAD,
    TITLE,
)

_TRANSCRIPT = re.compile(r"(?m)^## Transcript[ \t]*$")
_BRIEF = re.compile(rf"{TITLE} \(schema [^)\n]*{BRIEF}\)[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Frame:
    """`repository` is told in lines of Markdown, `git` the same as JSON; `starts` are commands for
    a shell. What is empty is left out. `preface` says that a brief handoff has one too."""

    repository: tuple[str, ...] = ()
    git: Mapping[str, object] | None = None
    starts: tuple[str, ...] = ()
    preface: bool = False


NO_FRAME = Frame()


def framed(text: str, frame: Frame) -> str:
    """`text` (a handoff as Markdown) with `frame`: before the place of the originals, so that the
    rules stay its start and its end."""
    if frame.preface and (head := _BRIEF.match(text)):
        text = f"{head.group()}> {PREFACE[1]}\n{text[head.end() :]}"
    blocks: list[str] = []
    if frame.repository:
        lines = [f"- {line}" if line[:1] != " " else line for line in frame.repository]
        blocks.append(_section(REPOSITORY, REPOSITORY_LEAD, lines))
    if frame.starts:
        blocks.append(_section(STARTING, STARTING_LEAD, [f"    {line}" for line in frame.starts]))
    if not blocks:
        return text
    found = list(_TRANSCRIPT.finditer(text))
    if not found:
        return "\n\n".join([text.rstrip("\n"), *blocks]) + "\n"
    place = found[-1].start()
    return text[:place] + "\n\n".join(blocks) + "\n\n" + text[place:]


def is_framing(title: str, body: Sequence[str]) -> bool:
    """Whether a section is one that `framed` put in."""
    lead = {REPOSITORY: REPOSITORY_LEAD, STARTING: STARTING_LEAD}.get(title)
    return lead is not None and lead in (line.strip() for line in body)


def _section(title: str, lead: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {title}", "", lead, "", *lines])
