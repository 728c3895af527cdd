"""`redline handoff --fit`: the whole file in so many tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import note
from redline.cli.writing import OFFLINE, written_with

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.handoff.budget import Budget
    from redline.handoff.document import Kept
    from redline.handoff.fitted_file import FittedFile
    from redline.handoff.framing import Frame
    from redline.handoff.writers.writing import Written
    from redline.review import Review
    from redline.targets.handoff_frame import Framing


def document(
    review: Review,
    form: str,
    frame: Frame,
    kept: Sequence[Kept] | None = None,
    left_out: int = 0,
    text: str | None = None,
) -> str:
    """The handoff of `review` (or `text` for it) as a file: with what the plan keeps word for
    word, or as much as `kept` holds of it."""
    from redline.handoff.document import as_json, as_markdown

    text = review.text if text is None else text
    session, plan = review.session, review.plan
    if form == "json":
        return as_json(text, session, plan, review.handoff, frame, kept, left_out)
    return as_markdown(text, session, plan, frame, kept, left_out)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A file that fits: the review its summary is of, how that was written, and what makes the file
    for a path."""

    file: FittedFile
    review: Review
    written: Written | None
    text: Callable[[Path | None], str]

    def told(self, tokens: int, taken: int) -> dict[str, object]:
        """What it takes and what had to go, said on standard error, and as JSON."""
        note(f"redline: the file takes {taken:,} of {tokens:,} tokens")
        for line in self.file.gone:
            note(f"redline: {line}")
        return {"tokens": taken, "limit": tokens, "gone": list(self.file.gone)}


def fitted(
    tokens: int,
    writer: str,
    form: str,
    place: Workplace,
    review: Review,
    framing: Framing,
    path: Path | None,
) -> Fitted:
    """The file of `review` in `tokens`. Raises RedlineError with the least size where it cannot
    be."""
    from redline.handoff.budget import Size, Unit, budget_of
    from redline.handoff.document import kept_parts
    from redline.handoff.fitted_file import fitted_file

    offline = review.by_budget()
    usual = offline(None)
    made: list[tuple[Review, Written | None]] = [(usual, None)]
    frames = framing.frames(path)

    def write(budget: Budget) -> str:
        if writer.strip() != OFFLINE:
            made.append(written_with(writer, place, review, budget))
        else:
            made.append((usual if budget.holds(usual.text) else offline(budget), None))
        return made[-1][0].text

    def build(summary: str, frame: Frame, kept: Sequence[Kept], left_out: int) -> str:
        return document(made[-1][0], form, frame, kept, left_out, summary)

    used = review.window.used
    found = fitted_file(
        budget_of(
            Size(tokens, Unit.TOKENS), review.session, place.settings, place.environment, used=used
        ),
        build=build,
        write=write,
        usual=usual.text,
        frames=frames,
        kept=kept_parts(review.session, review.plan),
    )
    level = frames.index(found.frame)

    def text(at: Path | None) -> str:
        return build(found.summary, framing.frames(at)[level], found.kept, found.left_out)

    return Fitted(found, *made[-1], text)
