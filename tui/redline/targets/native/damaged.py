"""Whether a session is too damaged to be changed in its place.

Nobody knows what a record says that cannot be read, and what was built on it: the original stays as
it is, and a new session is written beside it.
"""

from __future__ import annotations

from redline.model import Agent, DamageKind, Session
from redline.text import counted, one_line

# What an agent reads as it is: a record of a newer version, a result whose call was left out.
_HARMLESS = frozenset({DamageKind.UNKNOWN, DamageKind.ORPHAN})
_LONGEST = 120  # characters of a finding


def why_damaged(session: Session) -> str:
    """What is wrong with the records of `session`, in a clause; "" where nothing is that matters.

    Of Hermes a session that is missing is one it came from, which is another's rows.
    """
    harmless = set(_HARMLESS)
    if session.info.agent is Agent.HERMES:
        harmless.add(DamageKind.MISSING)
    found = [one for one in session.damage if one.kind not in harmless]
    if not found:
        return ""
    first = found[0]
    detail = f"record {first.record}: {first.kind.value.replace('_', ' ')}, {first.detail}"
    more = f", and {counted(len(found) - 1, 'other fault')}" if len(found) > 1 else ""
    return f"it is damaged ({one_line(detail, _LONGEST)}{more})"
