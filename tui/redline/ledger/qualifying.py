"""What in a sentence tells of which of several things of a kind it speaks."""

from __future__ import annotations

from collections.abc import Iterator

from redline.ledger import sketch_words as plain
from redline.ledger.claim_tokens import concept
from redline.ledger.placing import BEHIND
from redline.ledger.sketch import Sketch, Word
from redline.patterns import lazy

_PART = lazy(r"[a-z]+")
_MARKS = "`\"'"
_OF = frozenset(("for", "of", "under", "about"))
_DETERMINING = frozenset("the a an our my your their this that every each all".split())  # noqa: SIM905
_NO_KIND = frozenset(
    """
    the a an our my your their his her its it this that these those each every all any no
    some per in on at to for with by from under over is are was were be been as and or not
    now new old only just also then than into about up out via has have had get gets got
    need needs must should can may will would do does did we i you they he she us me them
    more most less max min two three use uses using used set sets put make makes raise bump
    lower move moved moves run runs keep keeps ask want wants like prefer write please
    renamed rename changed change switched switch whole entire current default actual one
    there here so but because since before after when if support allow allows limit limited
    required require requires oldest newest lowest highest smallest
    largest latest earliest fastest slowest started start starts owner
    """.split()  # noqa: SIM905
)


def telling(one: Sketch) -> Iterator[tuple[str, Word]]:
    """Every word with what stands right before it, which tells what kind of it is meant."""
    ends = {word.end: word for word in one.words}
    for word in one.words:
        before = one.clean[: word.start]
        if word.text[0] >= "\u3400":
            if word.start in ends and ends[word.start].text[0] >= "\u3400":
                yield ends[word.start].key, word
            continue
        if word.start - 1 in ends:
            if ends[word.start - 1].key not in _NO_KIND:
                yield ends[word.start - 1].key, word
            continue
        if not before.endswith((" ", "-")):
            continue
        said = before.rstrip(" -").rpartition(" ")[2].lower().strip(_MARKS)
        if said.isascii() and said.isalpha() and said not in _NO_KIND and said not in plain.SOFT:
            yield concept(said), word


def telling_behind(one: Sketch, word: Word) -> Iterator[str]:
    """The word that leads up to `word`, and "" where it tells of what the thing is."""
    for before in reversed(one.clean[: word.start].lower().split()[-3:]):
        if before in BEHIND:
            yield f"{before} "
            if before in _OF:
                yield ""
            return
        if before not in _DETERMINING and not before.isalpha():
            return


def parts_of(value: Word) -> frozenset[str]:
    """The words in a value that is a path or a name."""
    if value.amount is not None:
        return frozenset()
    found = frozenset(concept(part) for part in _PART.findall(value.text.lower()))
    return found - {value.key}
