"""The handoff as a file: in the data folder, or where a person wants it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from redline.errors import RedlineError
from redline.files import expanded, read_if_there, real_path, sha256
from redline.model import SessionInfo
from redline.places import Places
from redline.targets.originals import spare_original
from redline.targets.receipts import Receipts
from redline.targets.secrets import Redact, taken_out, without_secrets
from redline.targets.target import Change
from redline.text import hidden_characters, printable

_UNFIT = re.compile(r"[^\w.-]+")
_LONGEST = 60  # bytes of a part of a name; file systems take 255 in all
_NO_PROJECT = "no-project"


class HandoffFile:
    """Writes `text` (Markdown or JSON as `form` says) with mode 0600.

    Without `to` the file is `<folder>/<project>/<time>-<session>.<form>`, where `folder` is the
    handoffs folder of `places`: outside the repository, and never a file that is there already.
    With `to` it is that file; one that redline did not write for this session is only replaced
    with `replace`.
    """

    def __init__(
        self,
        text: str,
        *,
        session: SessionInfo,
        places: Places,
        now: datetime,
        folder: Path | None = None,
        to: Path | None = None,
        form: str = "md",
        replace: bool = False,
        redact: Redact | None = None,
    ) -> None:
        if form not in ("md", "json"):
            raise RedlineError(f"there is no form {form!r} of a handoff", "it is md or json")
        self.name = "handoff"
        self._text = text
        self._session = session
        self._places = places
        self._now = now
        self._folder = folder
        self._to = to
        self._form = form
        self._replace = replace
        self._redact = redact

    def preview(self) -> Change:
        """The file as it would become. Raises RedlineError where a file is in the way."""
        text, warnings = self._clean()
        data = printable(text).encode()
        named = self._own_place(data) if self._to is None else expanded(self._to).absolute()
        path = real_path(named)
        spare_original(path)
        before = read_if_there(path)
        if self._to is not None:
            warnings += self._in_the_way(path, before, data)
            if path != named:
                warnings.append(f"{named} leads to {path}, which is written")
        return Change(
            target=self.name,
            label="handoff",
            after=data,
            before=before,
            path=path,
            named=named,
            mode=0o600 if before is None else None,
            warnings=tuple(warnings),
            folders=self._to is None,
        )

    def _clean(self) -> tuple[str, list[str]]:
        text, found = (self._redact or without_secrets)(self._text)
        warnings = taken_out(found)
        if hidden := hidden_characters(text):
            warnings.append(f"{hidden} characters in it show nothing but are read by a model")
        return text, warnings

    def _own_place(self, data: bytes) -> Path:
        """A name of this session's own; the same content of the same second is the same file."""
        folder = (self._folder or self._places.handoffs) / project_folder(self._session.project)
        time = self._now.astimezone(UTC).strftime("%Y%m%d-%H%M%S")
        stem = f"{time}-{_fit(self._session.id)}"
        number = 1
        while True:
            name = f"{stem}.{self._form}" if number == 1 else f"{stem}-{number}.{self._form}"
            there = read_if_there(folder / name)
            if there is None or there == data:
                return folder / name
            number += 1

    def _in_the_way(self, path: Path, before: bytes | None, data: bytes) -> list[str]:
        if before is None or before == data:
            return []
        receipt = Receipts(self._places).wrote(path, before)
        if receipt and receipt.session == self._session.id:
            return [f"{path} holds an earlier handoff of this session: it is replaced"]
        whose = f"the handoff of session {receipt.session}" if receipt else "not from redline"
        if not self._replace:
            raise RedlineError(
                f"{path} is there already and {whose}",
                "choose another name, or replace it with --replace",
                status=1,
            )
        return [f"{path} is {whose}: it is replaced, undo brings it back"]


def project_folder(project: str | None) -> str:
    """The name of a project's folder: its own name, and a mark that two of one name differ in."""
    return _fit(Path(project).name or "root", project) if project else _NO_PROJECT


def _fit(name: str, whole: str | None = None) -> str:
    """`name` as a part of a file name; with a hash of `whole` or where it had to be changed."""
    text = _UNFIT.sub("-", printable(name)).strip(".-")
    short = text.encode()[:_LONGEST].decode(errors="ignore")
    if whole is None and short == name:
        return short
    mark = sha256((whole or name).encode(errors="surrogatepass"))[:6]
    return f"{short}-{mark}" if short else mark
