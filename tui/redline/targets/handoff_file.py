"""The handoff as a file: in the data folder, or where a person wants it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from redline.errors import RedlineError
from redline.files import expanded, read_if_there, real_path, sha256
from redline.model import SessionInfo
from redline.places import Places
from redline.targets.git_ignoring import IgnoreLine, Standing, standing
from redline.targets.git_program import has_repository
from redline.targets.originals import spare_original
from redline.targets.secrets import Redact, taken_out, without_secrets
from redline.targets.target import Change
from redline.text import hidden_characters, printable

_UNFIT = re.compile(r"[^\w.-]+")
_LONGEST = 60  # bytes of a part of a name; file systems take 255 in all
_OWN = re.compile(r"\d{8}-\d{6}-.+\.(?:md|json)").fullmatch
_NO_PROJECT = "no-project"


class HandoffFile:
    """Writes `text` (Markdown or JSON as `form` says; or what makes it for a path) with mode 0600.

    Without `to` the file is `<folder>/<project>/<time>-<session>.<form>`, where `folder` is the
    handoffs folder of `places`: outside the repository, and never a file that is there already.
    With `to` it is that file; one that redline did not write for this session is only replaced
    with `replace`. In a git repository, by the git that `environment` has (it stands for the
    process's own), the file is kept out of git by a change of its own, and refused where git
    tracks it, with `replace` too.
    """

    def __init__(
        self,
        text: str | Callable[[Path], str],
        *,
        session: SessionInfo,
        places: Places,
        now: datetime,
        folder: Path | None = None,
        to: Path | None = None,
        form: str = "md",
        replace: bool = False,
        redact: Redact | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if form not in ("md", "json"):
            raise RedlineError(f"there is no form {form!r} of a handoff", "it is md or json")
        self.name = "handoff"
        self._given = text
        self._session = session
        self._places = places
        self._now = now
        self._folder = folder
        self._to = to
        self._form = form
        self._replace = replace
        self._redact = redact
        self._environment = os.environ if environment is None else environment

    def preview(self) -> Change:
        """The file as it would become. Raises RedlineError where a file is in the way, or git
        tracks it."""
        return self.previews()[0]

    def previews(self) -> tuple[Change, ...]:
        """The file, and where it lies in a repository the line that keeps it out of git."""
        named, text, warnings = self._text()
        data = printable(text).encode()
        path = real_path(named)
        spare_original(path)
        before = read_if_there(path)
        found = standing(path, self._environment)
        if found and found.tracked:
            raise RedlineError(
                f"git tracks {path}: the next git commit would hold the handoff",
                "choose another name",
                status=1,
            )
        if self._to is not None:
            warnings += self._in_the_way(path, before, data)
            if path != named:
                warnings.append(f"{named} leads to {path}, which is written")
        beside = self._kept_out(found, warnings) if found else ()
        if found is None and has_repository(path.parent):
            warnings.append(f"git does not say whether it takes {path} in: keep it out yourself")
        return (self._change(data, before, path, named, warnings), *beside)

    def place(self) -> Path:
        """Where a text that is not there yet would be written."""
        if self._to is not None:
            return expanded(self._to).absolute()
        return next(path for path in self._own_places() if not os.path.lexists(path))

    def _change(
        self,
        data: bytes,
        before: bytes | None,
        path: Path,
        named: Path,
        warnings: list[str],
    ) -> Change:
        return Change(
            target=self.name,
            label="handoff",
            after=data,
            before=before,
            path=path,
            named=named,
            mode=0o600,
            warnings=tuple(warnings),
            folders=self._to is None,
        )

    def _text(self) -> tuple[Path, str, list[str]]:
        """Where it is written, what, and what has to be said of that. A name of this session's own:
        the same content of the same second is the same file."""
        places = [self.place()] if self._to is not None else self._own_places()
        for path in places:
            text, warnings = self._clean(self._text_at(path))
            if self._to is None:
                there = read_if_there(path)
                if there is not None and there != printable(text).encode():
                    continue
            return path, text, warnings
        raise AssertionError("names do not end")

    def _text_at(self, path: Path) -> str:
        return self._given if isinstance(self._given, str) else self._given(path)

    def _clean(self, given: str) -> tuple[str, list[str]]:
        text, found = (self._redact or without_secrets)(given)
        warnings = taken_out(found)
        if hidden := hidden_characters(text):
            warnings.append(f"{hidden} characters in it show nothing but are read by a model")
        return text, warnings

    def _own_places(self) -> Iterator[Path]:
        """The names a handoff of this session and second can have."""
        folder = (self._folder or self._places.handoffs) / project_folder(self._session.project)
        time = self._now.astimezone(UTC).strftime("%Y%m%d-%H%M%S")
        stem = f"{time}-{_fit(self._session.id)}"
        yield folder / f"{stem}.{self._form}"
        for number in count(2):
            yield folder / f"{stem}-{number}.{self._form}"

    def _kept_out(self, found: Standing, warnings: list[str]) -> tuple[Change, ...]:
        """What keeps the file out of git."""
        if self._to is None:
            warnings.append(
                f"the folder of handoffs lies in the repository {found.root}; name another one "
                "in the setting `handoffs`"
            )
        if found.ignored:
            return ()
        try:
            line = IgnoreLine(found).preview()
        except RedlineError as error:
            warnings.append(f"{error.message}: keep it out of git yourself")
            return ()
        warnings.append(
            f"it lies in the repository {found.root}: a line in {line.path} keeps git off"
        )
        return (line,)

    def _in_the_way(self, path: Path, before: bytes | None, data: bytes) -> list[str]:
        if before is None or before == data:
            return []
        from redline.targets.receipts import Receipts

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


def latest_handoff(folder: Path, project: str | None) -> Path | None:
    """The newest handoff of `project` in the folder of handoffs; never another project's, and none
    of sessions that name no project."""
    if not project:
        return None
    try:
        names = [path for path in (folder / project_folder(project)).iterdir() if _OWN(path.name)]
    except OSError:
        return None
    return max(names, key=_age, default=None)


def _age(path: Path) -> tuple[str, int]:
    try:
        return path.name[:15], path.stat().st_mtime_ns
    except OSError:
        return "", 0


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
