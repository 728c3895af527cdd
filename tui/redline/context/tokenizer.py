"""Counts tokens offline, behind one small protocol.

The ranks of o200k_base and cl100k_base lie inside litellm; they are read from there without
importing it, and nothing is ever downloaded. Where they are missing, an estimator counts and says
so by its name.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b, sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import tiktoken

DEFAULT = "o200k_base"
ESTIMATE = "estimate"

_LETTER_RUN = 4_000  # characters without white space that are encoded at once
_SPACE_RUN = 1_000  # o200k panics on a million spaces
_SLICE = 1_000_000  # characters encoded at once, which bounds the memory of their tokens
CACHED = 40_000  # counts, about 5 MB
_LONG_SPACE = re.compile(rf"\s{{{_SPACE_RUN},}}")
_LONG_RUN = re.compile(rf"(?<!\S)\S{{{_LETTER_RUN},}}|(?<!\s)\s{{{_SPACE_RUN},}}")
_ESTIMATED_RUN = re.compile(r"(?<!\S)[\x21-\x7e]{200,}")


class Tokenizer(Protocol):
    """Counts the tokens of a text. `name` says how: an encoding, or `estimate`."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """Tokens of `text`, at least 0; any string is taken, lone surrogates too."""
        ...

    def count_all(self, texts: Iterable[str]) -> list[int]:
        """Tokens of each of `texts`."""
        ...


@dataclass(frozen=True, slots=True)
class _Encoding:
    """A public encoding: its file's name and SHA-256, and how it cuts a text into words.

    Source of both constants: the encodings published with tiktoken 0.12.
    """

    file: str
    digest: str
    pattern: str


_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_LEAD = r"[^\r\n\p{L}\p{N}]?"
ENCODINGS: Mapping[str, _Encoding] = {
    "o200k_base": _Encoding(
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        rf"{_LEAD}{_UPPER}*{_LOWER}+{_CONTRACTION}?|{_LEAD}{_UPPER}+{_LOWER}*{_CONTRACTION}?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "cl100k_base": _Encoding(
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
}

_AT_ONCE = 10_000  # ranks
_lock = Lock()
LOADED: dict[tuple[str, str], Tokenizer] = {}


def tokenizer(name: str = DEFAULT, environment: Mapping[str, str] | None = None) -> Tokenizer:
    """The tokenizer called `name`; the estimator where its ranks are not on this machine.

    Made once for the whole process. `environment` may name further folders with ranks, as tiktoken
    does (`TIKTOKEN_CACHE_DIR`).
    """
    folder = _folder(environment or {})
    with _lock:
        if (name, folder) not in LOADED:
            LOADED[name, folder] = make(name, environment or {})
        return LOADED[name, folder]


def make(name: str, environment: Mapping[str, str]) -> Tokenizer:
    """A new tokenizer called `name`; see `tokenizer`."""
    folder = _folder(environment)
    encoding = _encoding(name, folder) if name in ENCODINGS else None
    return RankTokenizer(name, encoding) if encoding else Estimator()


def lend(name: str, environment: Mapping[str, str], made: Tokenizer) -> None:
    """`tokenizer` gives `made` under this name from now on, which may count in another process."""
    with _lock:
        LOADED[name, _folder(environment)] = made


def _folder(environment: Mapping[str, str]) -> str:
    return environment.get("TIKTOKEN_CACHE_DIR", "")


class Estimator:
    """Counts without ranks: bytes / 4, or characters / 3.2 for what looks like JSON, and one token
    a character in long unbroken runs such as base64."""

    name = ESTIMATE

    def count(self, text: str) -> int:
        run = sum(len(match[0]) for match in _ESTIMATED_RUN.finditer(text))
        size = len(text.encode("utf-8", "surrogatepass")) - run
        estimate = size / 4
        if text[:200].lstrip()[:1] in ("{", "["):
            estimate = max(estimate, (len(text) - run) / 3.2)
        return run + round(estimate)

    def count_all(self, texts: Iterable[str]) -> list[int]:
        return [self.count(text) for text in texts]


class RankTokenizer:
    """Counts with an encoding's ranks; counts are kept by content hash."""

    def __init__(self, name: str, encoding: tiktoken.Encoding) -> None:
        self.name = name
        self._encoding = encoding
        self.counts: dict[bytes, int] = {}
        self._lock = Lock()

    def count(self, text: str) -> int:
        if not text:
            return 0
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self.counts.get(key)
        if known is not None:
            return known
        total = sum(self._encode(piece) for piece in pieces(text))
        with self._lock:
            if len(self.counts) >= CACHED:
                for old in list(self.counts)[: CACHED // 2]:
                    del self.counts[old]
            self.counts[key] = total
        return total

    def count_all(self, texts: Iterable[str]) -> list[int]:
        return [self.count(text) for text in texts]

    def _encode(self, text: str) -> int:
        try:
            return len(self._encoding.encode_ordinary(text))
        except BaseException as error:
            # A panic of the Rust side is no Exception; it must not end the program.
            if type(error).__name__ != "PanicException":
                raise
            return Estimator().count(text)


def pieces(text: str) -> Iterator[str]:
    """`text` in pieces that are safe to encode: no long unbroken runs, no huge slices."""
    if len(text) < _SPACE_RUN:
        yield text
        return
    if not _LONG_SPACE.search(text) and max(map(len, text.split()), default=0) < _LETTER_RUN:
        yield from _slices(text, _SLICE)
        return
    at = 0
    for match in _LONG_RUN.finditer(text):
        yield from _slices(text[at : match.start()], _SLICE)
        yield from _slices(match[0], _SPACE_RUN)
        at = match.end()
    yield from _slices(text[at:], _SLICE)


def _slices(text: str, size: int) -> Iterator[str]:
    for at in range(0, len(text), size):
        yield text[at : at + size]


def _encoding(name: str, folder: str) -> tiktoken.Encoding | None:
    """The encoding made from the first file of ranks that is whole, None where there is none."""
    wanted = ENCODINGS[name]
    for path in _places(wanted.file, folder):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if sha256(data).hexdigest() != wanted.digest:
            continue
        ranks = _ranks(data)
        if ranks is None:
            continue
        import tiktoken

        return tiktoken.Encoding(
            name, pat_str=wanted.pattern, mergeable_ranks=ranks, special_tokens={}
        )
    return None


def _places(file: str, folder: str) -> Iterator[Path]:
    if folder:
        yield Path(folder) / file
    # Finding a package's place does not import it; importing litellm takes seconds.
    spec = find_spec("litellm")
    if spec and spec.origin:
        yield Path(spec.origin).parent / "litellm_core_utils" / "tokenizers" / file


def _ranks(data: bytes) -> dict[bytes, int] | None:
    """The ranks of a file of lines `base64 rank`. None where it is not such a file.

    The ranks of o200k_base count up line by line, which saves reading 200,000 numbers.
    """
    fields = data.split()
    words, numbers = fields[::2], fields[1::2]
    try:
        ordered = numbers[-1] == b"%d" % (len(words) - 1)
        ranks = range(len(words)) if ordered else list(map(int, numbers))
        made: dict[bytes, int] = {}
        for at in range(0, len(words), _AT_ONCE):  # all at once would hold up the screen's thread
            piece = slice(at, at + _AT_ONCE)
            made.update(zip(map(a2b_base64, words[piece]), ranks[piece], strict=True))
        return made
    except (ValueError, IndexError, Base64Error):
        return None
