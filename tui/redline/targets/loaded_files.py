"""The files of instructions that an agent loads for a folder, and what a write changes in that."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.agents.claude_code.large_files import characters, too_large
from redline.agents.instructions import Instructions, Shelf, instruction_files
from redline.errors import RedlineError
from redline.files import read_if_there
from redline.model import Agent
from redline.targets.block import find


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file as it is read: `bytes` of the whole file, `tokens` of what is read of it (an
    estimate), `why` it is read, and the byte at which the agent cuts it: None where it reads all,
    0 where it reads nothing of it, or only with certain files."""

    path: Path
    bytes: int
    tokens: int
    why: str
    cut_at: int | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Who is to read a written file: an agent in a folder, by `environment`, with `model`."""

    agent: Agent
    project: Path
    environment: Mapping[str, str] | None = None
    model: str | None = None


def loaded_files(
    agent: Agent,
    project: Path | str | None,
    environment: Mapping[str, str] | None = None,
    *,
    written: Mapping[Path, bytes] | None = None,
    model: str | None = None,
) -> tuple[Loaded, ...]:
    """What `agent` loads on start in `project`, in its order. `written` are files as they would be,
    by their real paths; tokens are weighed for `model`. Nothing for a project that is not here."""
    if not project or not os.path.isabs(project) or not os.path.isdir(project):
        return ()
    from redline.context.families import family, text_kind
    from redline.context.tokenizer import tokenizer

    counter = tokenizer(environment=os.environ if environment is None else environment)
    factors = family(model).factors
    return tuple(
        Loaded(
            one.path,
            one.size,
            round(counter.count(one.text) * factors[text_kind(one.text)]) if one.text else 0,
            one.why,
            one.cut_at,
        )
        for one in instruction_files(agent, Path(project), environment, Shelf(written or {}))
    )


def notices(reader: Reader, path: Path, after: bytes) -> tuple[str, ...]:
    """What a person should know before `path` (the real file) holds `after`: that the agent would
    not read it, would cut it, would stop to read another one, or warns of its size."""
    return tuple(_notices(reader, path, after))


def also_in(reader: Reader, path: Path, after: bytes, block: str) -> tuple[str, ...]:
    """What a person should know where `path` is to hold `after` with the block of this id, and the
    agent reads another file with it as well."""
    if not os.path.isdir(reader.project) or not find(after, block).spans:
        return ()
    now = _by_place(reader, {path: after})
    return tuple(
        f"{one.path} has this block already, and {reader.agent.value} reads both: "
        f"`--to {one.path} --remove` takes it out there"
        for place, one in now.items()
        if path in now and place != path and _holds(place, block)
    )


def _holds(path: Path, block: str) -> bool:
    try:
        return bool(find(read_if_there(path) or b"", block).spans)
    except RedlineError:  # its markers do not pair up
        return False


def _notices(reader: Reader, path: Path, after: bytes) -> Iterator[str]:
    if not os.path.isdir(reader.project):
        return
    name = reader.agent.value
    before = _by_place(reader, {})
    now = _by_place(reader, {path: after})
    if path not in now and after.strip():
        yield f"{name} does not read {path} in {reader.project}"
    for place, one in before.items():
        if place not in now and place != path:
            yield f"{name} would no longer read {one.path}, which it reads now"
    mine = now.get(path)
    if mine is not None and mine.only_with:
        yield f"{name} reads {path} only with {', '.join(mine.only_with)}"
    for place, one in now.items():
        if one.cut_at is None or one.only_with:
            continue
        lost = one.size - one.cut_at
        newly = place not in before or before[place].cut_at != one.cut_at
        if newly or place == path:
            yield _cut(name, one, lost, sum(each.size for each in now.values()))
    if reader.agent is Agent.CLAUDE_CODE and mine is not None:
        yield from _size(reader, path, characters(mine.text))


def _size(reader: Reader, path: Path, length: int) -> Iterator[str]:
    from redline.agents.claude_code.limits import limits

    told = limits(reader.model, project=reader.project, environment=reader.environment)
    most = too_large(reader.model, told.window)
    if length > most:
        whose = f" with {reader.model}" if reader.model else ""
        yield (
            f"{path} has {length:,} characters: Claude Code warns of files of more than {most:,} "
            f"characters{whose}; split it, and import the parts with @path"
        )


def _cut(name: str, one: Instructions, lost: int, whole: int) -> str:
    if one.cut_at == 0:
        return f"{name} reads nothing of {one.path}: the files before it fill what it reads"
    return (
        f"{name} cuts {one.path} at byte {one.cut_at:,}: {lost:,} bytes are behind that, "
        f"{whole:,} bytes of instructions in all"
    )


def _by_place(reader: Reader, written: Mapping[Path, bytes]) -> dict[Path, Instructions]:
    """The files by where they really lie: a link is the file it leads to."""
    found = instruction_files(reader.agent, reader.project, reader.environment, Shelf(written))
    return {Path(os.path.realpath(one.path)): one for one in found}
