"""The window of a model and where an agent compacts in it, with who told each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """An agent's figures for one model or session, in tokens.

    `window` is what the agent works with, None for a model that it does not know. `threshold` is
    where it compacts by itself: None where it does not, or that cannot be told. The sources say in
    a word or two where a figure is from.
    """

    window: int | None
    window_source: str
    threshold: int | None
    threshold_source: str

    @property
    def reserve(self) -> int | None:
        """What it holds back of the window before it compacts."""
        if self.window is None or self.threshold is None:
            return None
        return max(0, self.window - self.threshold)
