"""All that a session says, to compare two readings of it."""

from __future__ import annotations

from dataclasses import fields, replace

from redline.model import Session


def told(session: Session) -> dict[str, object]:
    """All that `session` says."""
    said: dict[str, object] = {
        each.name: getattr(session, each.name)
        for each in fields(session)
        if each.name not in ("source", "info")
    }
    # The time of the file itself stands in where no record has one.
    said["info"] = replace(session.info, updated=None)
    said["history"] = list(session.source.history())
    said["resume"] = list(session.source.resume())
    said["texts"] = [session.text(part) for message in session.context for part in message.parts]
    return said
