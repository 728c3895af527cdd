"""What is told of an opened session beside its messages: title, model, times, prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any

from redline.agents.claude_code.node import Node
from redline.agents.claude_code.scan import LAST_RECORDS, id_of, prompt_of, title_of
from redline.agents.claude_code.skeleton import Skeleton
from redline.errors import RedlineError
from redline.model import Agent, SessionInfo

RecordOf = Callable[[Node], dict[str, Any]]


def about(skeleton: Skeleton, record_of: RecordOf, billed: int | None) -> SessionInfo:
    """What a list shows of the session (see `scan`), of the whole file; also where a list would not
    show it. `billed` are the tokens of the last real request."""
    path = skeleton.path
    if not skeleton.nodes:
        return SessionInfo(agent=Agent.CLAUDE_CODE, id=path.stem, path=path)
    try:
        status = path.stat()
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
    folded = skeleton.folded
    far = sorted(folded.prompts, key=lambda node: node.number) if folded else []
    first = next(_prompts(chain(far, skeleton.nodes), record_of), "")
    last = next(_prompts(chain(reversed(skeleton.nodes), reversed(far)), record_of), "")
    return SessionInfo(
        agent=Agent.CLAUDE_CODE,
        id=id_of(path, skeleton.session_id),
        path=path,
        project=skeleton.cwd,
        title=title_of(skeleton.titles, skeleton.legacy_titles, _last(skeleton), first),
        model=skeleton.model,
        started=(folded and folded.started) or _time(iter(skeleton.nodes)),
        updated=_time(reversed(skeleton.nodes)) or datetime.fromtimestamp(status.st_mtime, UTC),
        size=status.st_size,
        first_prompt=first,
        last_prompt=last,
        billed=billed,
    )


def _prompts(nodes: Iterator[Node], record_of: RecordOf) -> Iterator[str]:
    """The human's words in the records of `nodes`."""
    for node in nodes:
        if node.prompts and not node.sidechain and (said := prompt_of(record_of(node))):
            yield said


def _time(nodes: Iterator[Node]) -> datetime | None:
    return next((time for node in nodes if (time := node.when)), None)


def _last(skeleton: Skeleton) -> list[str]:
    """The uuids of the last turn, the last one first."""
    found: list[str] = []
    for node in islice(reversed(skeleton.nodes), LAST_RECORDS):
        found.append(node.uuid)
        if node.prompts and not node.sidechain:
            break
    return found
