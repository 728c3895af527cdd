"""Where a handoff can go from the commit screen, each with what it would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.model import Agent
from redline.text import one_line
from redline.ui.commit_files import file_offers
from redline.ui.offer import Offer, guarded, offer_of, told
from redline.ui.onward import Onward, from_handoff

if TYPE_CHECKING:
    from redline.review import Review
    from redline.targets.native.draft import Draft, Work
    from redline.ui.surroundings import Surroundings


def offers(
    review: Review,
    place: Surroundings,
    write: Callable[[str], object],
    print_later: Callable[[str], object],
) -> tuple[Offer, ...]:
    """All targets for `review`. Slow: reads files. `write` writes to the terminal, `print_later`
    takes what is for standard output until the screens are left."""
    return tuple(_offers(review, place, write, print_later))


def _offers(
    review: Review,
    place: Surroundings,
    write: Callable[[str], object],
    print_later: Callable[[str], object],
) -> Iterator[Offer]:
    from redline.handoff.document import as_markdown
    from redline.targets.handoff_file import HandoffFile
    from redline.targets.handoff_frame import Framing
    from redline.targets.streams import Clipboard, StandardOutput

    info = review.session.info
    framing = Framing.of(info, place.environment)

    def text_at(path: Path | None) -> str:
        frame = framing.frames(path)[0]
        return as_markdown(review.text, review.session, review.plan, frame)

    text = text_at(None)
    file = HandoffFile(
        text_at,
        session=info,
        places=place.places,
        folder=place.settings.handoffs,
        now=place.now(),
        environment=place.environment,
    )
    written = offer_of("handoff file", "", file, ticked=True)
    if written.change is not None and written.change.path is not None:
        beside = file.previews()[1:]
        written = replace(written, beside=beside, onward=from_handoff(info, written.change.path))
    yield written
    yield from guarded("project files", lambda: file_offers(review, place))
    yield from guarded("session", lambda: _sessions(review, place))
    clipboard = Clipboard(text, environment=place.environment, write=write, native=place.copy)
    yield offer_of("clipboard", "to paste", clipboard, put=clipboard.put)
    output = StandardOutput(text, write=print_later)

    def put() -> str:
        output.put()
        return "printed when redline ends"

    yield offer_of("standard output", "at the end", output, put=put)


def _sessions(review: Review, place: Surroundings) -> Iterator[Offer]:
    """The session in its agent's own form: a new one, and itself where its agent can do that."""
    info = review.session.info
    if info.agent is Agent.MESSAGES:
        return
    yield _session(review, place, "new session", in_place=False)
    if info.agent in _IN_PLACE:
        yield _session(review, place, "this session", in_place=True)


_IN_PLACE = (Agent.PI, Agent.HERMES)


def _session(review: Review, place: Surroundings, name: str, *, in_place: bool) -> Offer:
    from redline.targets.native.heavy import frees_nothing
    from redline.targets.native.native import NativeSession, work_of

    target = NativeSession(
        work_of(
            review.session,
            review.plan,
            review.text,
            now=place.now(),
            environment=place.environment,
            in_place=in_place,
            window=review.window,
        )
    )
    try:
        change = target.preview()
    except RedlineError as error:
        return Offer(name, "not possible", None, (), told(error))
    draft = target.draft
    assert draft is not None
    if said := frees_nothing(_holds(review, target.work, place), review.window.used):
        change = replace(change, warnings=(said, *change.warnings))
    about = f"{len(draft.stays):,} kept"
    return Offer(
        name, about, change, _contents(draft, target.work), onward=Onward(draft.argv, draft.folder)
    )


def _holds(review: Review, work: Work, place: Surroundings) -> int:
    """Tokens of what the agent will have in its context."""
    from redline.context.weighing import weigh

    summary = work.summary
    weight = weigh(summary, review.session, place.settings, place.environment) if summary else 0
    return review.tokens().after_without_summary + weight


def _contents(draft: Draft, work: Work) -> tuple[str, ...]:
    """What the agent will have in its context, in order."""
    which = "" if draft.in_place else f" as {draft.id}"
    lines = [f"{draft.agent.value} will go on{which} with", ""]
    for number, stays in enumerate(draft.stays):
        if work.summary and number == (work.plan.summary_at or 0):
            lines += _summary(work)
        mark = " " if stays.whole else "~"
        head = one_line(stays.message.head, 200)
        lines.append(f"{mark} {stays.index + 1:>5}  {stays.message.role.value:<10} {head}".rstrip())
    if work.summary and (work.plan.summary_at or 0) >= len(draft.stays):
        lines += _summary(work)
    return tuple(lines)


def _summary(work: Work) -> list[str]:
    return [f"+ {line}" for line in ("summary", *work.summary.splitlines())]
