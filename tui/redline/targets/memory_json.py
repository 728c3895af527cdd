"""`.agent/memory.json`: what a project's agents know, kept by them and by redline together."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from redline.errors import RedlineError
from redline.facts.fact import Facts
from redline.files import expanded, read_if_there, real_path, sha256
from redline.handoff.handoff import Handoff
from redline.handoff.json_form import dump, load
from redline.ledger.rule import Rule
from redline.model import SessionInfo
from redline.redaction import listed, redact
from redline.targets.badly_written_json import Number, Read, Value, read
from redline.targets.memory_files import name_file, refuse_git
from redline.targets.memory_merging import Object, bounded, merged, misshapen
from redline.targets.memory_notices import notices
from redline.targets.originals import spare_original
from redline.targets.secrets import Redact, taken_out, without_secrets
from redline.targets.target import Change
from redline.text import counted, json_text

NAME = Path(".agent") / "memory.json"
LARGEST = 262_144  # bytes; agents read it whole
_READ = 1_048_576  # bytes that are read; more was written by no agent for itself
_INDENT = re.compile(r"\n([ \t]+)\S")
_ESCAPED = re.compile(r"\\u(?!00[01])[0-9a-fA-F]{4}")
_LONE = re.compile("[\ud800-\udfff]")


def memory_file(info: SessionInfo) -> Path:
    """The memory of the session's project. Raises RedlineError where it is in no folder here."""
    if not info.project or not os.path.isabs(info.project):
        raise RedlineError(
            "the session does not say which folder it belongs to", "name the file with --to"
        )
    if not os.path.isdir(info.project):
        raise RedlineError(
            f"the session's project {info.project} is not on this machine",
            "name the file with --to",
        )
    return Path(info.project) / NAME


class MemoryJson:
    """Merges `handoff` into the memory at `to`, which is made where it is missing.

    `facts` are those of `merged`, `ended` the rules that hold no more. What cannot be read as JSON
    is mended, with a warning that says how; the original is in the receipt, and with
    `keep_original` beside the file too. Secrets are taken out of what is added.
    """

    def __init__(
        self,
        handoff: Handoff,
        *,
        to: Path,
        facts: Facts | None = None,
        ended: Iterable[Rule] = (),
        keep_original: bool = False,
        inside: Path | None = None,
        redact: Redact | None = None,
    ) -> None:
        self.name = "memory"
        self._handoff, self._found = _without_secrets(handoff, redact or without_secrets)
        self._to = to
        self._facts = facts
        self._retired = tuple(name for rule in ended for name in (rule.id, rule.text))
        self._keep_original = keep_original
        self._inside = inside

    def preview(self) -> Change:
        """The file as it would become. Raises RedlineError where it is no memory, or may not be
        written."""
        return self.previews()[0]

    def previews(self) -> tuple[Change, ...]:
        """The file, and where it was asked for and something is mended, its original."""
        named = expanded(self._to).absolute()
        path = real_path(named)
        if self._inside is not None and not path.is_relative_to(real_path(self._inside)):
            raise RedlineError(
                f"{named} leads to {path}, outside of the project", "name the file with --to"
            )
        refuse_git(named, path)
        spare_original(path)
        before = read_if_there(path)
        after, warnings = self._after(path, before)
        if path != named:
            warnings.append(f"{named} leads to {path}, which is written")
        change = Change(
            target=self.name,
            label="memory",
            after=after,
            before=before,
            path=path,
            named=named,
            warnings=(*taken_out(self._found), *warnings),
            folders=True,
            again=lambda data: self._after(path, data)[0],
        )
        was = _read(path, before)
        if not self._keep_original or was is None or not was.mended or before is None:
            return (change,)
        return change, _original(path, before)

    def _after(self, path: Path, before: bytes | None) -> tuple[bytes, list[str]]:
        was = _read(path, before)
        if was is None:
            return self._new()
        warnings = [f"{path} is mended: {', '.join(was.mended)}"] if was.mended else []
        if wrong := misshapen(was.value):
            warnings.append(f"brought into the schema's form: {', '.join(wrong)}")
        if already := listed(redact(was.text).found):
            warnings.append(f"{already} in what is there already, which stays")
        made = merged(was.value, self._handoff, facts=self._facts, retired=self._retired)
        warnings += notices(was.value, made)
        made, gone = bounded(made, lambda one: len(_dumped(one, was).encode()) <= LARGEST)
        warnings += [
            f"{counted(count, 'item')} of {key} left out, the oldest: the file is full"
            for key, count in gone.items()
        ]
        text = _dumped(made, was)
        if len(text.encode()) > max(LARGEST, len(before or b"")):
            raise RedlineError(
                f"{path} would have more than {LARGEST:,} bytes, and agents read it whole",
                "take out of it by hand what is no longer needed",
                status=1,
            )
        if not was.mended and made == was.value and before is not None:
            return before, warnings
        return text.encode(), warnings

    def _new(self) -> tuple[bytes, list[str]]:
        made, gone = bounded(
            merged({}, self._handoff, facts=self._facts), lambda one: len(_fresh(one)) <= LARGEST
        )
        return _fresh(made), [f"{counted(n, 'item')} of {key} left out" for key, n in gone.items()]


def _read(path: Path, data: bytes | None) -> Read | None:
    """What the file holds; None where there is none or nothing in it. Raises RedlineError where it
    is no memory."""
    if data is None or not data.strip():
        return None
    if len(data) > _READ:
        raise RedlineError(
            f"{path} has {len(data):,} bytes, more than {_READ:,}: no agent's memory is so large",
            "name another file with --to",
        )
    try:
        found = read(data)
    except RedlineError as error:
        name_file(error, path)
        raise
    if found is not None:
        return found
    if path.suffix != ".json" or b"\0" in data:
        raise RedlineError(f"{path} holds no JSON", "name another file with --to")
    text = data.decode("utf-8", "replace")
    return Read({"notes": [text.strip()]}, text, mended=("no JSON, kept under notes",))


def _original(path: Path, data: bytes) -> Change:
    name = f"{path.name}.original-{sha256(data)[:8]}"
    place = path.with_name(name)
    return Change(
        target="memory",
        label="memory as it was",
        after=data,
        before=read_if_there(place),
        path=place,
        named=place,
        mode=0o600,
    )


def _without_secrets(handoff: Handoff, redact: Redact) -> tuple[Handoff, Mapping[str, int]]:
    """`handoff` without secrets, and how many marks of each kind stand in it."""
    found: dict[str, int] = {}

    def clean(value: object) -> object:
        if isinstance(value, str):
            text, marks = redact(value)
            for kind, count in marks.items():
                found[kind] = found.get(kind, 0) + count
            return text
        if isinstance(value, list):
            return [clean(item) for item in value]
        if isinstance(value, dict):
            return {key: clean(inner) for key, inner in value.items()}
        return value

    bare = replace(handoff, extra={}, sources={}, user_words=(), notes=())
    return load(json.dumps(clean(json.loads(dump(bare))))), found


def _fresh(value: Object) -> bytes:
    return (_Writer("  ", "\n").text(value) + "\n").encode()


def _dumped(made: Object, was: Read) -> str:
    """`made` in the form of the file it was read from; values that did not change as they stood."""
    found = _INDENT.search(was.text)
    one_line = "\n" not in was.text.strip()
    escaped = bool(_ESCAPED.search(was.text)) and was.text.isascii()
    newline = "\r\n" if "\r\n" in was.text else "\n"
    indent = None if one_line and not was.mended else found[1] if found else "  "
    writer = _Writer(indent, newline, escaped=escaped)
    kept = {
        key: was.text[slice(*span)]
        for key, span in was.spans.items()
        if key in made and made[key] == was.value.get(key)
    }
    end = was.text[len(was.text.rstrip()) :] if not was.mended else newline
    return writer.text(made, kept) + end


class _Writer:
    """JSON with an indent (None: on one line), numbers as they are written, and escapes for what a
    terminal acts on or nobody sees."""

    def __init__(self, indent: str | None, newline: str, *, escaped: bool = False) -> None:
        self._indent = indent
        self._newline = newline
        self._escaped = escaped

    def text(self, value: Value, kept: Mapping[str, str] | None = None, depth: int = 0) -> str:
        """`value`; of its members those in `kept` as they stand there."""
        if isinstance(value, dict):
            members = [
                f"{self._string(key)}: "
                + (kept[key] if kept and key in kept else self.text(inner, None, depth + 1))
                for key, inner in value.items()
            ]
            return self._around("{", members, "}", depth)
        if isinstance(value, list):
            return self._around("[", [self.text(one, None, depth + 1) for one in value], "]", depth)
        if isinstance(value, Number):
            return value.text
        return self._string(value) if isinstance(value, str) else json.dumps(value)

    def _around(self, start: str, items: list[str], end: str, depth: int) -> str:
        if not items:
            return start + end
        if self._indent is None:
            return start + ", ".join(items) + end
        inner = self._newline + self._indent * (depth + 1)
        return start + inner + f",{inner}".join(items) + self._newline + self._indent * depth + end

    def _string(self, text: str) -> str:
        if self._escaped or _LONE.search(text):
            return json.dumps(text)
        return json_text(text, None)
