"""A handoff that the command line names."""

from __future__ import annotations

from pathlib import Path

from redline.errors import RedlineError


def handoff_text(path: Path) -> str:
    """The handoff in the file at `path` as Markdown, whichever form it is in. Raises RedlineError
    where there is no such file, or it cannot be read."""
    from redline.files import read_if_there

    data = read_if_there(path)
    if data is None:
        raise RedlineError(f"there is no handoff {path}")
    text = data.decode("utf-8", "replace")
    if path.suffix == ".json":
        from redline.handoff.json_form import load
        from redline.handoff.markdown import render

        return render(load(text))
    return text
