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


def broken_words(session: Session) -> str:
    """What a resume would lose of `session`, and the way out; "" where nothing, and for what was
    there before a compaction: that is not what would be resumed."""
    if not session.resume_lost or session.before is not None:
        return ""
    return (
        f"The chain of this session is broken: its agent would find {session.resume_messages} of "
        f"{len(session.context)} messages on resume, {session.resume_lost} would be lost. Here all "
        "of them are shown; `redline restore SESSION --repair` writes a copy that keeps them."
    )


def view_title(title: str, view: str) -> str:
    """A session's title with its view in front, so that it is seen where the line is short."""
    return f"[{view}] {title}" if view else title
