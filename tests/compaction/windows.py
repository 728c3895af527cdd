"""Windows over sessions in memory, and generated sessions for the property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from redline.compaction.outline import Outline, outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.measure import category_of
from redline.context.window import Category, Source, Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Kind, PartType, Role, Session
from tests.sessions_in_memory import (
    Draft,
    Piece,
    call,
    image,
    injected,
    reply,
    result,
    session,
    summary,
    thinking,
    together,
    user,
)

OVERHEAD = 700


def window_of(opened: Session, *, limit: int | None = 200_000) -> Window:
    """A window that counts a token for every character (at least one a part)."""
    parts = tuple(tuple(max(1, part.chars) for part in m.parts) for m in opened.context)
    tokens = tuple(map(sum, parts))
    categories = dict.fromkeys(Category, 0)
    categories[Category.SYSTEM] = OVERHEAD
    for message, weights in zip(opened.context, parts, strict=True):
        for part, weight in zip(message.parts, weights, strict=True):
            categories[category_of(part)] += weight
    threshold = None if limit is None else limit - 33_000
    return Window(
        session=opened,
        limit=limit,
        limit_source="test",
        threshold=threshold,
        threshold_source="test",
        billed=None,
        used=OVERHEAD + sum(tokens),
        source=Source.ESTIMATED,
        overhead=OVERHEAD,
        tokens=tokens,
        parts=parts,
        categories=categories,
    )


def propose(
    window: Window,
    name: str = "redline",
    *,
    pins: Pins | None = None,
    ledger: Ledger | None = None,
    **settings: Any,
) -> Plan:
    """The plan of strategy `name`."""
    return strategy(name).propose(
        window,
        outline(window.session.context),
        Facts(),
        ledger or Ledger(),
        StrategySettings(**settings),
        pins or Pins(),
    )


def shape(*drafts: Draft) -> Outline:
    return outline(session(*drafts).context)


def opaque() -> Draft:
    piece = Piece(PartType.OPAQUE, Kind.REPLY, "x" * 40, "reasoning")
    return Draft(Role.ASSISTANT, (piece,))


_IDS = st.sampled_from(["a", "b", "c", "d", "e"])
_WORDS = st.integers(1, 60).map(lambda n: "w" * n)
_CALL = st.builds(lambda i, w: call("Bash", {"command": w}, call_id=i), _IDS, _WORDS)
_RESULT = st.builds(
    lambda i, n: result("r" * n, call_id=i), _IDS, st.sampled_from([1, 30, 2500, 9000])
)
_PICTURE = st.builds(lambda i: image(call_id=i), _IDS)
_SPOKEN = st.one_of(_WORDS.map(reply), _WORDS.map(thinking), st.builds(opaque), _CALL, _CALL, _CALL)
_HEARD = st.one_of(
    _WORDS.map(user),
    _WORDS.map(injected),
    _RESULT,
    _RESULT,
    _RESULT,
    _PICTURE,
    st.builds(lambda: image()),
)
_MESSAGE = st.one_of(
    st.lists(_SPOKEN, min_size=1, max_size=4).map(lambda found: together(*found)),
    st.lists(_HEARD, min_size=1, max_size=3).map(lambda found: together(*found)),
    _WORDS.map(summary),
)

sessions = st.lists(_MESSAGE, min_size=1, max_size=14).map(lambda drafts: session(*drafts))
"""Sessions with parallel and interleaved calls, duplicate ids, orphans, open calls, opaque parts,
images, and prompts beside results."""


@st.composite
def pinned(draw: st.DrawFn, opened: Session) -> Pins:
    """A few pins on messages and parts that are there."""
    context = opened.context
    ids = st.sampled_from([message.id for message in context])
    places = st.sampled_from([(m.id, j) for m in context for j in range(len(m.parts))])
    return Pins(
        cut=draw(st.none() | ids),
        actions=draw(st.dictionaries(ids, st.sampled_from(Action), max_size=3)),
        parts=draw(st.dictionaries(places, st.sampled_from(Action), max_size=2)),
    )
