"""JSON as agents write it: read tolerantly, with what had to be mended for it.

Taken are comments, trailing and missing commas, single quotes, names without quotes, words of
Python and JavaScript, new lines and quotes inside of strings, keys that come twice, several values
one after the other, a Markdown fence or prose around it, and a file that was cut off. No text of a
value is lost: what is no value of JSON becomes a string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from redline.errors import RedlineError

Value: TypeAlias = "dict[str, Value] | list[Value] | str | bool | Number | None"

_DEEPEST = 100  # levels; more is no memory
_MOST_JOINED = 500  # names that come twice, in all
_SPACE = re.compile(r"[\s\ufeff]+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,:\]}]|\Z)", re.ASCII)
_WORD = re.compile(r"[^\s,:\[\]{}\"][^,:\[\]{}\"\n]*")
_NAME = re.compile(r"[^\s,:=\[\]{}\"][^,:=\[\]{}\"\n]*")
_LITERAL = re.compile(r"(?:true|false|null)(?=[\s,:\]}]|\Z)")
_FENCE = re.compile(r"```[\w-]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]+')
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ENDS = re.compile(r"\s*(?:[,:\]}\"]|//|/\*|#|\Z)")
_NAME_ENDS = re.compile(r"\s*(?:[,:=\]}\"]|//|/\*|#|\Z)")
_NEXT_LINE = re.compile(r"\"[^\"\n]*\"[ \t]*[:,]|[\]}]")  # what only follows an ended string
_MEMBER = re.compile(r"\s*,?\s*[\"'][^\"'\n]*[\"']\s*:")
_WORDS: dict[str, Value] = {
    "True": True,
    "False": False,
    "None": None,
    "undefined": None,
    "TRUE": True,
    "FALSE": False,
    "NULL": None,
}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: 1.10 stays so, and no digit is lost."""

    text: str


@dataclass(slots=True)
class Read:
    """`value` is an object. `spans` say where the values of its keys stand in `text`, of those
    that can be taken as they are; `mended` says what was wrong, nothing where it is good JSON."""

    value: dict[str, Value]
    text: str = ""
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    mended: tuple[str, ...] = ()


def read(data: bytes) -> Read | None:
    """The object that `data` holds; None where there is no trace of one. Raises RedlineError where
    it is nested too deeply to be one that somebody meant."""
    reader = _Reader(*_decoded(data))
    return reader.document()


def joined(
    earlier: Value, later: Value, elsewhere: Callable[[Value], None] = lambda _: None
) -> Value:
    """Two values of one name as one: lists and objects hold what both hold. Of two others the later
    stands, and the earlier goes `elsewhere`."""
    if earlier == later or earlier is None:
        return later
    if later is None:
        return earlier
    if isinstance(earlier, dict) and isinstance(later, dict):
        made = dict(earlier)
        for key, value in later.items():
            put(made, key, value)
        return made
    if isinstance(earlier, list) or isinstance(later, list):
        first = earlier if isinstance(earlier, list) else [earlier]
        second = later if isinstance(later, list) else [later]
        known = set(map(repr, first))
        return [*first, *(item for item in second if repr(item) not in known)]
    elsewhere(earlier)
    return later


def put(into: dict[str, Value], key: str, value: Value) -> bool:
    """Puts `value` in, joined with what is there; whether something was."""
    if key not in into:
        into[key] = value
        return False

    def elsewhere(earlier: Value) -> None:
        number = 2
        while into.get(f"{key} ({number})", earlier) != earlier:
            number += 1
        into[f"{key} ({number})"] = earlier

    into[key] = joined(into[key], value, elsewhere)
    return True


def _decoded(data: bytes) -> tuple[str, list[str]]:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace"), ["it was in UTF-16"]
    mended = []
    if data.startswith(b"\xef\xbb\xbf"):
        data, mended = data[3:], ["a byte order mark at its start"]
    try:
        return data.decode(), mended
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        wrong = re.compile("[\udc80-\udcff]")
        text = wrong.sub(lambda found: chr(ord(found.group()) - 0xDC00), text)
        return text, [*mended, "bytes that are no UTF-8, taken for Latin-1"]


class _Reader:
    def __init__(self, text: str, mended: list[str]) -> None:
        self.text = text
        self.at = 0
        self.mended = dict.fromkeys(mended)
        self.joined = 0
        self.open: list[str] = []
        self.spans: dict[str, tuple[int, int]] = {}

    def document(self) -> Read | None:
        start = re.search(r"[{\[]", self.text)
        if start is None:
            return None
        before = self.text[: start.start()]
        if _FENCE.sub("", before).strip():
            self.mend("text around the JSON")
        elif before.strip():
            self.mend("a Markdown fence around it")
        self.at = start.start()
        value: dict[str, Value] = {}
        for number, found in enumerate(self._values()):
            if number == 1:
                self.mend("several values one after the other")
            if number:
                self.spans = {}
            for key, inner in _members(found):
                self._put(value, key, inner)
            if not isinstance(found, dict):
                self.mend("a list where an object belongs")
                self.spans = {}
        return Read(value, self.text, self.spans if not self.mended else {}, tuple(self.mended))

    def _put(self, into: dict[str, Value], key: str, value: Value) -> bool:
        """As `put`; raises RedlineError where nobody can have meant so many of one name."""
        twice = put(into, key, value)
        self.joined += twice
        if self.joined > _MOST_JOINED:
            raise RedlineError(
                f"the JSON has more than {_MOST_JOINED} names twice",
                "mend it by hand, or name another file with --to",
            )
        return twice

    def mend(self, what: str) -> None:
        self.mended[what] = None

    def _values(self) -> Iterator[Value]:
        """The top values, the members of one whose end came too early as another."""
        yield self.value()
        while self.at < len(self.text):
            if _MEMBER.match(self.text, self.at):
                self.mend("an end that came too early")
                self.skip()
                if self.here(","):
                    self.at += 1
                yield self.members()
                continue
            start = re.compile(r"[{\[]").search(self.text, self.at)
            between = self.text[self.at : start.start() if start else len(self.text)]
            self.at = start.start() if start else len(self.text)
            if between.strip():
                bare = _FENCE.sub("", between).strip(" \t\r\n,;")
                self.mend("text around the JSON" if bare else "a Markdown fence around it")
            if start:
                yield self.value()

    # -- values ------------------------------------------------------------------------------------

    def value(self) -> Value:
        self.skip()
        character = self.text[self.at : self.at + 1]
        match character:
            case "{":
                return self._nested("{", self.members)
            case "[":
                return self._nested("[", self._items)
            case '"':
                return self._string()
            case "'":
                return self._quoted()
            case _:
                return self._word()

    def _nested(self, kind: str, read_it: Callable[[], Value]) -> Value:
        if len(self.open) >= _DEEPEST:
            raise RedlineError(
                f"the JSON is nested deeper than {_DEEPEST} levels",
                "mend it by hand, or name another file with --to",
            )
        self.at += 1
        self.open.append(kind)
        value = read_it()
        self.open.pop()
        return value

    def members(self) -> dict[str, Value]:
        """The members of an object, up to its end."""
        made: dict[str, Value] = {}
        comma = True
        top = len(self.open) == 1
        while self._more("}", "]", "[", comma, bool(made)):
            key = self._key()
            self.skip()
            if self.here(":") or self.here("="):
                if self.here("="):
                    self.mend("= in place of :")
                self.at += 1
                self.skip()
                start = self.at
                value = None if self._at_end() else self.value()
            else:
                self.mend("a name without a value")
                start, value = self.at, None
            if self._put(made, key, value):
                self.mend("a name that comes twice")
            if top:
                self.spans[key] = (start, self.at)
            comma = self._comma()
        return made

    def _items(self) -> list[Value]:
        made: list[Value] = []
        comma = True
        while self._more("]", "}", "{", comma, bool(made)):
            made.append(self.value())
            comma = self._comma()
        return made

    def _more(self, own: str, other: str, outer: str, comma: bool, some: bool) -> bool:
        """Whether another member or item comes; takes the end where it is there."""
        while True:
            self.skip()
            if self.at >= len(self.text):
                self.mend("it was cut off")
                return False
            if self.here(own):
                if comma and some:
                    self.mend("a comma before an end")
                self.at += 1
                return False
            if self.here(other):
                self.mend("ends that do not fit")
                if outer in self.open[:-1]:
                    return False  # of what is around it
                self.at += 1
                continue
            if self.here(",") or self.here(":"):
                self.mend("a comma too many")
                self.at += 1
                continue
            if not comma:
                self.mend("a comma that is missing")
            return True

    def _comma(self) -> bool:
        self.skip()
        if not self.here(","):
            return False
        self.at += 1
        return True

    def _at_end(self) -> bool:
        if self.at >= len(self.text) or self.text[self.at] in ",]}":
            self.mend("a name without a value")
            return True
        return False

    def _key(self) -> str:
        if self.here('"'):
            return self._string(_NAME_ENDS)
        value = self._quoted(_NAME_ENDS) if self.here("'") else self._word(bare=True)
        self.mend("a name without double quotes")
        return value if isinstance(value, str) else "null"

    def _word(self, *, bare: bool = False) -> Value:
        if not bare and (found := _LITERAL.match(self.text, self.at)):
            self.at = found.end()
            return {"true": True, "false": False, "null": None}[found.group()]
        if not bare and (found := _NUMBER.match(self.text, self.at)):
            self.at = found.end()
            return Number(found.group())
        found = (_NAME if bare else _WORD).match(self.text, self.at)
        if found is None:
            character = self.text[self.at : self.at + 1]
            self.at += 1
            self.mend("a character that does not belong there")
            if character in "{[":
                self.at -= 1
                return self._text_of_nested()
            return character
        self.at = found.end()
        word = found.group().rstrip()
        if not bare and word in _WORDS:
            self.mend("words of another language")
            return _WORDS[word]
        if not bare:
            self.mend("a value without quotes")
        return word

    def _text_of_nested(self) -> str:
        """An object or a list in the place of a name, as the text it is."""
        start = self.at
        self.value()
        return self.text[start : self.at]

    # -- strings -----------------------------------------------------------------------------------

    def _string(self, ends: re.Pattern[str] = _ENDS) -> str:
        pieces: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            if found := _PLAIN.match(self.text, self.at):
                pieces.append(found.group())
                self.at = found.end()
                continue
            character = self.text[self.at]
            self.at += 1
            if character == "\\":
                pieces.append(self._escape())
            elif character == '"':
                if ends.match(self.text, self.at) or "\n" in self._gap():
                    return "".join(pieces)
                self.mend("a quote inside a string")
                pieces.append(character)
            elif character == "\n":
                blank = self._gap()
                self.at += len(blank)
                if _NEXT_LINE.match(self.text, self.at):
                    self.mend("a string without its end")
                    return "".join(pieces).rstrip().removesuffix(",")
                self.mend("a new line or control character inside a string")
                pieces += (character, blank)
            else:
                self.mend("a new line or control character inside a string")
                pieces.append(character)
        self.mend("it was cut off")
        return "".join(pieces)

    def _gap(self) -> str:
        found = _SPACE.match(self.text, self.at)
        return found.group() if found else ""

    def _escape(self) -> str:
        mark = self.text[self.at : self.at + 1]
        self.at += 1
        if mark in _ESCAPES and mark:
            return _ESCAPES[mark]
        if mark == "u" and (found := _HEX.match(self.text, self.at)):
            self.at = found.end()
            unit = int(found.group(), 16)
            low = self.text[self.at : self.at + 6]
            if 0xD800 <= unit < 0xDC00 and re.fullmatch(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}", low):
                self.at += 6
                return chr(0x10000 + ((unit - 0xD800) << 10) + int(low[2:], 16) - 0xDC00)
            return chr(unit)
        self.mend("a backslash that stands for nothing")
        return "\\" + mark

    def _quoted(self, ends: re.Pattern[str] = _ENDS) -> str:
        """A string in single quotes; one inside of a word is no end."""
        self.mend("single quotes")
        pieces: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            character = self.text[self.at]
            self.at += 1
            if character == "\\":
                if self.here("'"):
                    pieces.append("'")
                    self.at += 1
                else:
                    pieces.append(self._escape())
            elif character == "'" and (ends.match(self.text, self.at) or "\n" in self._gap()):
                return "".join(pieces)
            else:
                pieces.append(character)
        self.mend("it was cut off")
        return "".join(pieces)

    # -- between -----------------------------------------------------------------------------------

    def here(self, character: str) -> bool:
        return self.text.startswith(character, self.at)

    def skip(self) -> None:
        """Over white space and comments."""
        while True:
            if found := _SPACE.match(self.text, self.at):
                if found.group().strip(" \t\r\n"):
                    self.mend("white space of another kind")
                self.at = found.end()
            elif found := _COMMENT.match(self.text, self.at):
                self.mend("comments")
                self.at = found.end()
            else:
                return


def _members(found: Value) -> Iterator[tuple[str, Value]]:
    """The members of a top value; what stands in a list without a name is `items`."""
    if isinstance(found, dict):
        yield from found.items()
    elif isinstance(found, list):
        unnamed: list[Value] = []
        for item in found:
            if isinstance(item, dict):
                yield from item.items()
            else:
                unnamed.append(item)
        if unnamed:
            yield "items", unnamed
