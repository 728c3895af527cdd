"""Which branch a person means who gives an id, or only the start of one."""

from __future__ import annotations

from collections.abc import Iterable

from redline.errors import RedlineError

_LISTED = 8


def whole_id(name: str, ids: Iterable[str], ends: Iterable[str] = ()) -> str | None:
    """The one of `ids` that `name` is, or that it is the start of; None where it is neither.

    Where it starts several, the one of them that is among `ends`, the ends of branches. Raises
    RedlineError with those that it fits where that leaves more than one.
    """
    fits = dict.fromkeys(one for one in ids if one.startswith(name))
    if name in fits:
        return name
    if len(fits) > 1:
        fits = dict.fromkeys(one for one in ends if one in fits) or fits
    if len(fits) > 1:
        listed = [f"  {one}" for one in list(fits)[:_LISTED]]
        if len(fits) > _LISTED:
            listed.append(f"  and {len(fits) - _LISTED} more")
        raise RedlineError(
            f"{name!r} is the start of {len(fits)} ids", "\n".join(["give more of one:", *listed])
        )
    return next(iter(fits), None)
