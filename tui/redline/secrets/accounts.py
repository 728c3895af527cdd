"""The account that a password belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from redline.secrets.span import Span

_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_NEAR = 400  # characters
_IN_ADDRESS = re.compile(r"://\S*$")
_ACCOUNT = re.compile(
    r"\b(?:user(?:name)?|login|account|e-?mail)\b|用户|账号|登录|邮箱", re.IGNORECASE
)


def accounts(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Mail addresses on the line of a password, or on the line above or below it where that line
    speaks of an account; no further away than a few hundred characters."""
    done = 0
    for start, end, kind in sorted(spans):
        if kind != "password":
            continue
        low, high = max(start - _NEAR, done), min(end + _NEAR, len(text))
        first = max(text.rfind("\n", low, start) + 1, low)
        last = text.find("\n", end, high)
        last = high if last < 0 else last
        above = max(text.rfind("\n", low, max(first - 1, low)) + 1, low)
        below = text.find("\n", last + 1, high)
        below = high if below < 0 else below
        for begin, stop in ((first, last), (above, first), (last, below)):
            if begin < stop and (begin == first or _ACCOUNT.search(text, begin, stop)):
                for match in _MAIL.finditer(text, begin, stop):
                    if not _IN_ADDRESS.search(text[max(0, match.start() - 80) : match.start()]):
                        yield Span(*match.span(), "account")
        done = max(done, last)
