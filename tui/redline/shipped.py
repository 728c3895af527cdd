"""Files that come with redline: themes and sample sessions."""

from __future__ import annotations

from pathlib import Path


def shipped(name: str) -> Path:
    """The folder `name` of the installed package, or of the source tree when run from there."""
    package = Path(__file__).parent
    installed = package / name
    return installed if installed.is_dir() else package.parents[1] / name
