"""What a line of a rollout is, told from its first bytes, so that it need not be decoded."""

from __future__ import annotations

import re

# As Codex writes it (serde): the time, the ordinal, the type, and the payload's own type first.
_HEAD = re.compile(
    rb'\{"timestamp":"[^"\\]{0,40}",(?:"ordinal":\d{1,20},)?"type":"(\w{1,60})",'
    rb'"payload":\{(?:"type":"(\w{1,60})")?'
)
_ENDS = (b"}\n", b"}\r\n")
_ANOTHER = b'{"timestamp":"'


def whole(line: bytes) -> bool:
    """Whether a line that begins as a record is that record and nothing else."""
    return line.endswith(_ENDS) and line.find(_ANOTHER, 1) < 0


def peek(line: bytes) -> tuple[str, str] | None:
    """The type of a whole record and that of its payload ("" where it does not come first).

    None where the line is torn, glued to another or written by another hand: decode it then.
    """
    found = _HEAD.match(line)
    if found is None or not whole(line):
        return None
    return found[1].decode(), (found[2] or b"").decode()
