"""Which items of a rollout are one reply, and which count of tokens bills it."""

from __future__ import annotations

from redline.agents.codex.item import Item, Reply
from redline.agents.codex.usage import Count, Counter
from redline.model import Usage


class Replies:
    """Follows the replies of the model through a rollout.

    Codex writes the count of a request behind the items it answered with, the builds of 2025 before
    them: which of the two holds is told in each turn by what comes first. All items up to the next
    count are one reply, though results may stand between them. Where no count was ever written, a
    result ends the reply.
    """

    def __init__(self) -> None:
        self.counter = Counter()
        self._open: Reply | None = None
        self._answered = False
        self._ahead: bool | None = None
        self._pending: Usage | None = None

    def take(self, item: Item, model: str | None) -> bool:
        """An item of the model's; gives whether a new reply begins with it."""
        if self._open is not None and self._answered and not self.counter.seen:
            self.close()
        self._answered = False
        begins = self._open is None
        if self._open is None:
            self._open = Reply(item.ident, self._pending, model)
            if self._ahead is None:
                self._ahead = self._pending is not None
            self._pending = None
        item.reply = self._open
        return begins

    def result(self) -> None:
        """A result stands here."""
        self._answered = True

    def close(self) -> None:
        """The reply ends here."""
        self._open, self._answered = None, False

    def start(self) -> None:
        """A turn starts here."""
        self.close()
        self._ahead = self._pending = None

    def count(self, info: object) -> tuple[Count | None, Reply | None]:
        """A count of tokens, None where it tells nothing new, and the reply that it bills."""
        count = self.counter.take(info)
        if count is None or count.usage is None:
            return count, None
        reply = self._open
        if reply is not None and (reply.usage is not None or self._ahead is True):
            reply = None
        if reply is not None:
            reply.usage, self._ahead = count.usage, False
        elif self._ahead is not False:
            self._pending, self._ahead = count.usage, True
        self.close()
        return count, reply
