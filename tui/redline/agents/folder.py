"""What is in a folder that an agent keeps."""

from __future__ import annotations

import os
from pathlib import Path


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in `folder` by name, links last, so that what they lead to is met first; nothing
    where it is no folder or cannot be read."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: (entry.is_symlink(), entry.name))
    except OSError:
        return []
