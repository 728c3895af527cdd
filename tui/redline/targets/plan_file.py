"""A plan as a file, for `--plan` to take up again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redline.compaction.saved import is_plan
from redline.errors import RedlineError
from redline.files import read_if_there, write_atomic
from redline.targets.originals import spare_original
from redline.text import json_text


def save_plan(path: Path, data: Mapping[str, Any]) -> Path:
    """Saves `data` (what `dump_plan` gives) at `path`, over nothing but an earlier plan.

    Raises RedlineError where another file is in the way, or it cannot be written.
    """
    spare_original(path)
    before = read_if_there(path)
    if before is not None and not _holds_plan(before):
        raise RedlineError(f"{path} is there already and is no saved plan", "choose another name")
    return write_atomic(path, (json_text(data, indent=1) + "\n").encode(), expected=before)


def _holds_plan(before: bytes) -> bool:
    try:
        return is_plan(json.loads(before))
    except (ValueError, RecursionError):
        return False
