"""The memory files that Claude Code reads on start (checked with 2.1.197).

Managed, then the user's, then from below the file system's root down to the working folder, in each
folder CLAUDE.md, .claude/CLAUDE.md, .claude/rules and CLAUDE.local.md. A file comes before what it
imports, each file once. A rules file whose frontmatter names `paths` is read with such files only.
Of a main repository around the worktree that it works in only CLAUDE.local.md is read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from redline.agents.claude_code.excluding import excluded
from redline.agents.claude_code.finding import config_folder
from redline.agents.instructions import (
    Instructions,
    Shelf,
    main_repository,
    repository,
    upwards,
)
from redline.fences import BOM, outside_fences

DEPTH = 5  # a file, and four imports from one to the next
RULES = Path(".claude", "rules")
_MANAGED = "managed"

# The endings of files that are read; one without an ending is.
_TEXTS = """
    md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts
    py pyi pyw rb erb rake go rs java kt kts scala c cpp cc cxx h hpp hxx cs swift sh bash zsh fish
    ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte astro ejs hbs
    pug jade php pl pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for
    cmake make makefile gradle sbt rst adoc asciidoc org tex latex lock log diff patch
"""
_ENDINGS = frozenset(_TEXTS.split())
_IMPORT = re.compile(rb"(?:^|\s)@((?:[^\s\\]|\\ )+)")
_NAME = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]")
_SPAN = re.compile(rb"(`+)[^`]+\1(?!`)")
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_TOP_COMMENT = re.compile(r"(?ms)^ {0,3}<!--.*?-->[ \t]*\n?")
_FRONT = re.compile(r"---\s*\n(.*?)---\s*\n?", re.S)


def imports(data: bytes) -> Iterator[str]:
    """The paths that a memory file imports, as they are written, in order."""
    if b"<!--" in data:
        data = _COMMENT.sub(b"", data)
    for line in outside_fences(data):
        for found in _IMPORT.findall(_SPAN.sub(b"`", line)):
            name = found.decode(errors="replace").replace("\\ ", " ").partition("#")[0]
            if name and _NAME.match(name) and "\0" not in name:
                yield name


def paths_of(data: bytes) -> tuple[str, ...]:
    """The `paths` of a rules file: what it is read with; none where it is read always."""
    front = _FRONT.match(_decoded(data))
    if front is None:
        return ()
    import yaml

    try:
        found = yaml.safe_load(front.group(1))
    except (ValueError, RecursionError, yaml.YAMLError):
        return ()
    stated = found.get("paths") if isinstance(found, dict) else None
    words = re.split(r",(?![^{]*\})", stated) if isinstance(stated, str) else stated
    listed = [str(word).strip().removesuffix("/**") for word in words or () if str(word).strip()]
    return () if all(word == "**" for word in listed) else tuple(listed)


def instructions(
    project: Path, environment: Mapping[str, str] | None, shelf: Shelf
) -> tuple[Instructions, ...]:
    """The memory files for the folder `project`, in order."""
    env = os.environ if environment is None else environment
    if env.get("CLAUDE_CODE_DISABLE_CLAUDE_MDS"):
        return ()
    outside = _outside_allowed(project, environment)
    walk = _Walk(project, env.get("HOME", ""), shelf, outside, excluded(project, environment))
    managed = _managed()
    walk.take(managed / "CLAUDE.md", _MANAGED, anywhere=False)
    walk.rules(managed / RULES, f"{_MANAGED} rules", anywhere=False)
    if (own := config_folder(environment)) is not None:
        walk.take(own / "CLAUDE.md", "yours, everywhere", anywhere=True)
        walk.rules(own / "rules", "your rules, everywhere", anywhere=True)
    above = _around(project, shelf)
    for folder in upwards(project):
        if folder == folder.parent:
            continue
        where = "project" if folder == project else f"of {folder}"
        if folder not in above:
            walk.take(folder / "CLAUDE.md", where)
            walk.take(folder / ".claude" / "CLAUDE.md", where)
            walk.rules(folder / RULES, f"rules, {where}")
        walk.take(folder / "CLAUDE.local.md", f"{where}, not checked in")
    return tuple(walk.found)


def _around(project: Path, shelf: Shelf) -> tuple[Path, ...]:
    """The folders of a main repository around the worktree that `project` lies in."""
    worktree = repository(project)
    main = main_repository(worktree, shelf) if worktree is not None else None
    if worktree is None or main is None:
        return ()
    return tuple(folder for folder in worktree.parents if folder.is_relative_to(main))


@dataclass(slots=True)
class _Walk:
    """What was found so far; `seen` are the paths and what links among them lead to."""

    project: Path
    home: str
    shelf: Shelf
    outside: bool
    excluded: re.Pattern[str] | None
    found: list[Instructions] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def take(
        self, path: Path, why: str, *, anywhere: bool | None = None, depth: int = 0
    ) -> Instructions | None:
        """Takes in one file and what it imports; `anywhere` is whether that may lie outside."""
        name, real = os.path.normpath(path), os.path.realpath(path)
        if depth >= DEPTH or name in self.seen or real in self.seen:
            return None
        if path.suffix and path.suffix[1:].lower() not in _ENDINGS:
            return None
        if self._left_out(name, why):
            return None
        data = self.shelf.read(path)
        if data is None:
            return None
        self.seen |= {name, real}
        whole = _decoded(data)
        text = _TOP_COMMENT.sub("", _FRONT.sub("", whole, count=1))
        if not text.strip():
            return None
        taken = Instructions(path, len(data), why, text.strip())
        self.found.append(taken)
        for imported in imports(data):
            target = self._resolved(imported, path.parent)
            if (self.outside if anywhere is None else anywhere) or self._inside(target):
                self.take(target, f"imported by {path.name}", anywhere=anywhere, depth=depth + 1)
        return taken

    def rules(
        self,
        folder: Path,
        why: str,
        *,
        anywhere: bool | None = None,
        looked: set[str] | None = None,
    ) -> None:
        """Takes in the rules files of a folder and the folders in it, each folder once."""
        looked = set() if looked is None else looked
        real = os.path.realpath(folder)
        if real in looked:
            return
        looked.add(real)
        for path in self.shelf.below(folder):
            if os.path.isdir(path):
                self.rules(path, why, anywhere=anywhere, looked=looked)
            elif path.name.endswith(".md"):
                self._rule(path, why, anywhere)

    def _rule(self, path: Path, why: str, anywhere: bool | None) -> None:
        data = self.shelf.read(path)
        bound = paths_of(data) if data is not None else ()
        if data is None or not bound:
            self.take(path, why, anywhere=anywhere)
        elif str(path) not in self.seen and not self._left_out(str(path), why):
            self.seen.add(str(path))
            only = f"{why}, only with {', '.join(bound)}"
            self.found.append(Instructions(path, len(data), only, cut_at=0, only_with=bound))

    def _left_out(self, name: str, why: str) -> bool:
        """Whether the user has it left out; what an organisation lays down stays."""
        if self.excluded is None or why.startswith(_MANAGED):
            return False
        return self.excluded.match(name) is not None

    def _resolved(self, name: str, folder: Path) -> Path:
        if name.startswith("~/") and self.home:
            return Path(os.path.normpath(Path(self.home, name[2:])))
        return Path(os.path.normpath(folder / name))

    def _inside(self, path: Path) -> bool:
        return path.is_relative_to(self.project)


def _decoded(data: bytes) -> str:
    return data.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")


def _managed() -> Path:
    """Where an organisation lays its own files."""
    match sys.platform:
        case "darwin":
            return Path("/Library/Application Support/ClaudeCode")
        case "win32":
            return Path("C:/Program Files/ClaudeCode")
        case _:
            return Path("/etc/claude-code")


def _outside_allowed(project: Path, environment: Mapping[str, str] | None) -> bool:
    """Whether the user has let the project's files import what lies outside of it."""
    folder = config_folder(environment)
    if folder is None:
        return False
    env = os.environ if environment is None else environment
    file = (
        folder / ".claude.json" if env.get("CLAUDE_CONFIG_DIR") else folder.parent / ".claude.json"
    )
    try:
        told: Any = orjson.loads(file.read_bytes())
    except (OSError, ValueError):
        return False
    projects = told.get("projects") if isinstance(told, dict) else None
    of_it = projects.get(str(project)) if isinstance(projects, dict) else None
    return isinstance(of_it, dict) and of_it.get("hasClaudeMdExternalIncludesApproved") is True
