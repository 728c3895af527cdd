"""Keys and tokens that show by their form, found by Kingfisher's rules.

Kingfisher (MongoDB, Apache 2.0, in Rust) is kept by its makers: it knows close to 500 forms, reads
a text once at hundreds of megabytes a second and never takes a git commit, a uuid or a path. It
only reads here: nothing is validated or sent anywhere. Building its rules takes about a quarter of
a second, the first time ever two or three seconds, so they are built for the first text that holds
a run of characters which somebody may have drawn at random, and kept compiled in redline's cache.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.places import places
from redline.secrets.span import Span

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner

_RUN = re.compile(r"[A-Za-z0-9_-]{16,}+")
_PLAIN_RUN = re.compile(r"[0-9a-fA-F-]++|[A-Z_-]++|[a-z_-]++")  # hashes, uuids, words
_DIGIT_BESIDE_LETTER = re.compile(r"(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]")
_CASE_CHANGE = re.compile(r"(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]")
_BOTH_CASES = re.compile(r"(?=.*[a-z]).*[A-Z]")
_LONGEST_LOOK = 256  # characters of a run that are looked at; one drawn at random shows in them
# Names of an account, and whole addresses, of which `named` takes the password alone.
_NO_SECRET = re.compile(r"-id(?:\.\d)?$|generic-credential-uri$")
_KINDS = (
    ("private-key", "private key"),
    ("password", "password"),
    ("passphrase", "password"),
    ("auth-user", "password"),
    ("connection-string", "connection string"),
    ("sensitive-url", "connection string"),
    ("access-key", "access key"),
    ("key", "api key"),
    ("secret", "api key"),
)
_AROUND = b",;!?()[]{}<>*|" + bytes(range(0x80, 0x100))
_LOOSE = bytes.maketrans(_AROUND, b" " * len(_AROUND))
_building = threading.Lock()
_wanted = threading.Event()


def known_forms(text: str) -> Iterator[Span]:
    """The keys and tokens in `text`, in the order they stand."""
    if not _is_wanted() and not worth_building_for(text):
        return
    # Private keys have rules of their own, which take cut-off ones too and are quicker at it.
    data = text.encode("utf-8", "replace").replace(b"PRIVATE KEY", b"private_key")
    findings = {*_found(data), *_found(_loosened(data))}
    if len(data) == len(text):
        yield from (Span(*found) for found in sorted(findings))
        return
    at, character = 0, 0  # the same place, in bytes and in characters
    for start, end, kind in sorted(findings):
        first = character + len(data[at:start].decode("utf-8", "ignore"))
        at, character = start, first
        yield Span(first, first + len(data[start:end].decode("utf-8", "ignore")), kind)


def _found(data: bytes) -> Iterator[tuple[int, int, str]]:
    for finding in _scanner().scan(data):
        if finding.visible and not _NO_SECRET.search(finding.rule_id):
            place = finding.location
            yield place["start_offset"], place["end_offset"], _kind(finding.rule_id)


def _loosened(data: bytes) -> bytes:
    """`data` with white space where a sentence may touch a key. The rules are made for settings
    and code: most want a space, a quote or a line's end behind it."""
    loose = data.translate(_LOOSE)
    for escape in (b"\\n", b"\\r", b"\\t"):  # of text in JSON
        loose = loose.replace(escape, b"  ")
    for end in (b" ", b"\n"):
        loose = loose.replace(b"." + end, b" " + end).replace(b":" + end, b" " + end)
    return loose[:-1] + b" " if loose.endswith((b".", b":")) else loose


def make_ready() -> None:
    """Builds the rules, so that no later text has to wait for them. Any thread may call."""
    _scanner()


def get_ready() -> None:
    """The same on another core: the library works outside of Python's lock. From now on every text
    is searched, and waits for the rules: what is found in it is no matter of which core was
    quicker."""
    if not _is_wanted():
        _wanted.set()
        threading.Thread(target=_make_ready).start()


def _make_ready() -> None:
    with suppress(Exception):  # it goes wrong again, and is told, where the rules are used
        make_ready()


def worth_building_for(text: str) -> bool:
    """Whether `text` holds a run of characters that may have been drawn at random."""
    return any(map(_looks_drawn, _RUN.finditer(text)))


def _looks_drawn(match: re.Match[str]) -> bool:
    """Whether a run of characters may have been drawn at random: digits and letters, or capitals
    and small letters, alternate more than they do in names."""
    run = match.group()[:_LONGEST_LOOK]
    if _PLAIN_RUN.fullmatch(run):
        return False
    beside = sum(1 for _ in _DIGIT_BESIDE_LETTER.finditer(run))
    if beside >= 4 or (beside >= 1 and _BOTH_CASES.search(run)):
        return True
    return sum(1 for _ in _CASE_CHANGE.finditer(run)) >= 0.4 * len(run)


def _is_wanted() -> bool:
    """Whether the rules are built, or are being built."""
    return _wanted.is_set() or _build.cache_info().currsize > 0


def _scanner() -> Scanner:
    with _building:
        return _build()


@functools.cache
def _build() -> Scanner:
    from kingfisher_sdk import Rules, Scanner

    try:
        cache = places().cache / "secret-forms"
    except RedlineError:  # no home folder: built anew each time
        return Scanner(Rules(cache=False))
    return Scanner(Rules(cache_dir=cache))


def _kind(rule: str) -> str:
    """The kind that a rule of the library finds, in this program's words."""
    for part, kind in _KINDS:
        if part in rule:
            return kind
    return "token"
