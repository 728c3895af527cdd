"""Fields of one line."""

from __future__ import annotations

from textual.widgets import Input

from redline.ui.untrusted import plain


class Field(Input):
    """A field that takes text only: what a terminal would act on is taken in as what it shows."""

    def validate_value(self, value: str) -> str:
        return plain(value).replace("\n", " ")
