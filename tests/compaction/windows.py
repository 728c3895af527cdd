"""Windows over sessions in memory, and generated sessions for the property tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from redline.compaction.outline import Outline, outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.window import Category, Source, Window, category_of
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


def _parallel(chance: Random, name: str) -> Iterator[Draft]:
    """Several calls in a reply, their results in one message or in some, in any order."""
    ids = [f"{name}{n}" for n in range(chance.randint(2, 5))]
    yield together(thinking("hm"), *(call("Read", {"file_path": i}, call_id=i) for i in ids))
    chance.shuffle(ids)
    answers = [result("r" * chance.choice([5, 400, 9_000]), call_id=i, tool="Read") for i in ids]
    if chance.random() < 0.5:
        yield together(*answers)
    else:
        yield from answers


def _missing(chance: Random, name: str) -> Iterator[Draft]:
    """Calls without a result and results without a call, between calls that have theirs."""
    yield call("Bash", {"command": name}, call_id=name)
    if chance.random() < 0.5:
        yield result("r" * 300, call_id=chance.choice([name, f"lost {name}"]), tool="Bash")
    if chance.random() < 0.5:
        yield reply("on")


def _nested(chance: Random, name: str) -> Iterator[Draft]:
    """Summaries of earlier compactions, alone, before results, and inside a pair."""
    yield summary(f"so far {name}")
    yield call("Bash", {}, call_id=name)
    if chance.random() < 0.3:
        yield together(summary("again"), user("typed"))
    yield result("r" * 900, call_id=name, tool="Bash")


def _talk(chance: Random, name: str) -> Iterator[Draft]:
    yield user(f"ask {name}")
    for n in range(chance.randint(0, 3)):
        yield call("Bash", {}, call_id=f"{name}-{n}")
        yield result("r" * chance.choice([20, 3_000]), call_id=f"{name}-{n}", tool="Bash")
    yield reply(f"did {name}")


def _only_output(chance: Random, name: str) -> Iterator[Draft]:
    yield result("r" * chance.choice([20, 3_000]), call_id=name, tool="Bash")


def _no_prompt(chance: Random, name: str) -> Iterator[Draft]:
    yield injected("<reminder>")
    yield call("Bash", {}, call_id=name)
    yield result("r" * chance.choice([20, 3_000]), call_id=name, tool="Bash")


_Step = Callable[[Random, str], Iterator[Draft]]
SHAPES: dict[str, tuple[_Step, ...]] = {
    "talk": (_talk,),
    "parallel calls": (_talk, _parallel),
    "missing results": (_talk, _missing),
    "nested compactions": (_talk, _nested, _parallel),
    "one giant turn": (_no_prompt, _parallel),
    "only tool output": (_only_output,),
    "no prompt at all": (_no_prompt, _missing),
    "all of it": (_talk, _parallel, _missing, _nested, _only_output, _no_prompt),
}


def shaped(shape: str, size: int, seed: int) -> Session:
    """A session of `size` messages, the same for the same arguments."""
    chance = Random(seed)
    drafts: list[Draft] = [user("do it all")] if shape == "one giant turn" else []
    while len(drafts) < size:
        drafts += chance.choice(SHAPES[shape])(chance, f"c{len(drafts)}")
    return session(*drafts[:size])


long_sessions = st.builds(
    shaped,
    st.sampled_from(sorted(SHAPES)),
    st.one_of(st.integers(1, 60), st.sampled_from([200, 700, 2_000])),
    st.integers(0, 10**6),
)
"""Sessions of 1 to 2,000 messages of each shape."""


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
