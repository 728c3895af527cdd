"""What tells that a session is in use, in words for people.

`SessionInfo.live_by` names the mark that an agent itself leaves (see `Finder.live`); programs get
it as it is.
"""

from __future__ import annotations

_SAID = {
    "registry": "its agent lists it as open",
    "lock": "its agent has it locked",
    "lease": "its agent is in a turn of it",
    "a recent change": "it changed in the last two minutes",
}
_SHORT = {"registry": "open", "lock": "open", "lease": "in a turn", "a recent change": "recent"}


def live_reason(live_by: str) -> str:
    """What `live_by` stands for, as part of a sentence."""
    return _SAID.get(live_by, f"there is {live_by}")


def live_word(live_by: str) -> str:
    """The same in a word or two."""
    return _SHORT.get(live_by, live_by)
