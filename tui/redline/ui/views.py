"""How a view of a session is told: the live one needs no words."""

from __future__ import annotations

from redline.model import Session


def view_words(session: Session, kin: str = "") -> str:
    """`before compaction 2`, `leaf 3a7d0f2e`, `subagent Explore`; "" for the live branch. `kin` is
    what a session is to the one it was opened from."""
    words = [kin] if kin else []
    if session.asked_leaf is not None and not kin:
        words.append(f"leaf {session.asked_leaf[:8]}")
    if session.before is not None:
        words.append(f"before compaction {session.before}")
    return ", ".join(words)


def view_title(title: str, view: str) -> str:
    """A session's title with its view in front, so that it is seen where the line is short."""
    return f"[{view}] {title}" if view else title
