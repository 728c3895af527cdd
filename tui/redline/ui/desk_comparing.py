"""From the desk to the strategies side by side, and back with one of them."""

from __future__ import annotations

from collections.abc import Callable

from redline.review import Review
from redline.ui.desk_compactions import DeskCompactions


class DeskComparing(DeskCompactions):
    """The part of the desk that compares its plan with others."""

    def change(self, step: Callable[[Review], Review], *, otherwise: str = "") -> bool:
        raise NotImplementedError

    def action_compare(self) -> None:
        """The comparison; a strategy that is taken there becomes the plan, and can be undone."""
        from redline.ui.compare import CompareScreen

        def back(name: str | None) -> None:
            if name is not None and name != self.review.strategy:
                self.change(lambda review: review.use_strategy(name))

        counted = self.redline.counted(self.review)
        self.app.push_screen(CompareScreen(self.review, counted, self.up_to_date), back)
