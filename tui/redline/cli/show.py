"""`redline show`: the context or the history as text, one message whole, or what a resume finds."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, console, print_json
from redline.cli.workplace import workplace
from redline.errors import RedlineError
from redline.model import PartState, PartType
from redline.text import one_line, printable

if TYPE_CHECKING:
    from redline.model import Block, Message, Session


def run(options: argparse.Namespace) -> int:
    place = workplace()
    session = place.opened(options)
    if options.resume:
        blocks: Iterable[Block] = session.source.resume()
        if options.json:
            print_json({"schema": SCHEMA, "blocks": [block_json(block) for block in blocks]})
        else:
            for block in blocks:
                heading = f"{block.role} {block.type} {block.id or ''}"
                console().print(one_line(heading), style="bold")
                console().print(block.text + "\n")
        return 0
    messages: Iterable[Message] = session.context
    if options.message:
        messages = (_message(session, options.message),)
    elif options.history:
        messages = session.source.history()
    sent = {message.id for message in session.context}
    if options.json:
        shown = [block_json(block) for block in context_blocks(session, messages)]
        print_json({"schema": SCHEMA, "blocks": shown})
    else:
        for message in messages:
            _print(session, message, "" if message.id in sent else "  not in the context")
    return 0


def context_blocks(session: Session, messages: Iterable[Message]) -> Iterator[Block]:
    """The parts of `messages` in the order they would be sent, with the agent's own words."""
    from redline.model import Block

    for message in messages:
        for part in message.parts:
            if part.type is PartType.IMAGE and part.call_id:
                continue  # it lies inside its tool result
            yield Block(
                message.role.value,
                part.wire,
                part.call_id,
                session.text(part),
                message.id,
                part.origin.record,
            )


def block_json(block: Block) -> dict[str, Any]:
    """One block in the form of the golden files."""
    text = printable(block.text)
    digest = hashlib.sha1(text.rstrip().encode(), usedforsecurity=False).hexdigest()
    return {
        "role": block.role,
        "type": block.type,
        "id": block.id,
        "chars": len(text.rstrip()),
        "sha1": digest,
        "text": text,
        "message": block.message,
        "record": block.record,
    }


def _message(session: Session, name: str) -> Message:
    """The message called `name`, of the context or of the history. Raises RedlineError."""
    near: dict[str, Message] = {}
    for message in session.context:
        if message.id == name:
            return message
        if message.id.startswith(name):
            near[message.id] = message
    for message in session.source.history():
        if message.id == name:
            return message
        if message.id.startswith(name):
            near.setdefault(message.id, message)
    if len(near) == 1:
        return next(iter(near.values()))
    if near:
        raise RedlineError(f"{name!r} fits {len(near)} messages", "give more of the id")
    raise RedlineError(
        f"there is no message {name!r}", "`redline show SESSION --history` lists the ids"
    )


def _print(session: Session, message: Message, remark: str) -> None:
    out = console()
    out.print(f"{message.role.value}  {one_line(message.id)}{remark}", style="bold")
    for part in message.parts:
        label = part.kind.value + (f" {part.tool}" if part.tool else "")
        if part.state is PartState.CLEARED:
            label += " (cleared by the agent)"
        out.print(f"[{one_line(label)}]", style="dim")
        body = session.text(part)
        if part.type is PartType.IMAGE:
            body = (
                "(image)" if part.pixels is None else f"(image {part.pixels[0]}x{part.pixels[1]})"
            )
        out.print(body)
    out.print("")
