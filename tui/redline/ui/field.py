"""Fields of one line."""

from __future__ import annotations

from textual.events import Key
from textual.widgets import Input

from redline.ui.keys_in_order import act_in_order
from redline.ui.untrusted import plain


class Field(Input):
    """A field that takes text only: what a terminal would act on is taken in as what it shows."""

    async def on_key(self, event: Key) -> None:
        await act_in_order(self, event)

    def validate_value(self, value: str) -> str:
        return plain(value).replace("\n", " ")
