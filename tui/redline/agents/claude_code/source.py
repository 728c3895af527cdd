"""Fetches bodies, the whole history and the loader's view of one session file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.agents.bodies import FileBodies
from redline.agents.claude_code.billing import billed
from redline.agents.claude_code.chain import TALK
from redline.agents.claude_code.messages import build
from redline.agents.claude_code.node import Mark, Node
from redline.agents.claude_code.resume import resume_blocks
from redline.agents.records import decode
from redline.agents.requests import Requests
from redline.errors import RedlineError
from redline.model import Billed, Block, Message, Part, Session

if TYPE_CHECKING:
    from redline.agents.claude_code.folding import Folding


@contextmanager
def record_reader(path: Path) -> Iterator[Callable[[Node], dict[str, Any]]]:
    """A function that decodes the record of a node; the file is open inside the block only.

    Raises RedlineError where the file is gone or has changed since it was read.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
    with file:

        def record_of(node: Node) -> dict[str, Any]:
            file.seek(node.start)
            try:
                value = decode(file.read(node.end - node.start))
            except ValueError:
                value = None
            if not isinstance(value, dict) or not _is_of(node, value):
                raise RedlineError(
                    f"{path}, record {node.number}: the file has changed since it was opened",
                    "open the session again",
                )
            return value

        yield record_of


def _is_of(node: Node, value: dict[str, Any]) -> bool:
    """Whether `value` is still the record that `node` was read from, with something to send."""
    if value.get("type") != node.type:
        return False
    if not node.marks & Mark.NAMELESS and value.get("uuid") != node.uuid:
        return False
    if node.type in TALK and node.marks & Mark.SENT:
        message = value.get("message")
        return isinstance(message, dict) and isinstance(message.get("content"), str | list)
    return True


class ClaudeCodeSource:
    """`SessionSource` of a Claude Code session."""

    def __init__(
        self,
        path: Path,
        history: list[Node],
        seams: frozenset[str],
        cleared: frozenset[str],
        resume: list[Node],
        again: Callable[[Session], Session],
        whole: Callable[[list[Node]], list[Node]],
        requests: Requests | None,
        folded: Folding | None,
    ) -> None:
        self._path = path
        self._again = again
        self._whole = whole
        self._history = history
        self._seams = seams
        self._cleared = cleared
        self._resume = resume
        self._bodies = FileBodies()
        self._requests, self._billed = requests, len(requests) if requests is not None else 0
        self._far = list(folded.prompts) if folded is not None else None

    def text(self, part: Part) -> str:
        return self._bodies.text(part)

    def value(self, part: Part) -> object:
        return self._bodies.value(part)

    def reopen(self, session: Session) -> Session:
        """See `redline.agents.opening.reopen`."""
        return self._again(session)

    def billed(self) -> Iterator[Billed]:
        """See `redline.agents.billing.Bills`."""
        if self._requests is None:
            return billed(self._path)
        return billed(self._path, self._requests.first(self._billed))

    def prompts(self) -> Iterator[Message]:
        """The messages of `history` that hold a person's words."""
        said = [*(self._far or ()), *(node for node in self._history if node.prompts)]
        with self._bodies.held_open(self._path), record_reader(self._path) as record_of:
            yield from build(said, record_of, self._path, seams=self._seams, cleared=self._cleared)

    def history(self) -> Iterator[Message]:
        history = self._history if self._far is None else self._whole(self._history)
        with self._bodies.held_open(self._path), record_reader(self._path) as record_of:
            yield from build(
                history,
                record_of,
                self._path,
                seams=self._seams,
                cleared=self._cleared,
            )

    def resume(self) -> Iterator[Block]:
        with record_reader(self._path) as record_of:
            yield from resume_blocks(self._resume, record_of)
