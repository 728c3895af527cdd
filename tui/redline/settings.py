"""The settings: what they are, where each value comes from, and what is wrong with them.

Read in this order, later wins: the user's `config.yaml`, `.redline.yaml` in the project,
environment variables `REDLINE_*`, flags of a command.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from redline.amounts import tokens_of
from redline.errors import RedlineError, kind_in_words
from redline.files import read_if_there
from redline.money import Rates
from redline.places import Places

if TYPE_CHECKING:
    import yaml

PROJECT_FILE = ".redline.yaml"
PREFIX = "REDLINE_"
DEFAULT_ORIGIN = "default"
_LARGEST = 65_536  # bytes of a settings file; YAML of a megabyte takes ten seconds
_Item = TypeVar("_Item")
_OTHER_VARIABLES = frozenset({"REDLINE_HOME", "REDLINE_REAL_SESSIONS", "REDLINE_INSIDE_WRITER"})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default. `origins` tells for each name where its value comes from:
    `default`, `path:line`, `$REDLINE_NAME` or `--flag`.

    `tail_tokens` is the budget of the tail, None the strategy's own. `trigger_share` is the part of
    the window, and `trigger_calls` the number of tool calls, from which a compaction is advised.
    `limits` and `tokenizers` map patterns of model names (`claude-*`, case does not count) to a
    window in tokens and to a tokenizer; `tokenizer` is for all other models. `prices` maps patterns
    to what a token costs. `image_tokens` is the weight of one image, None the model family's.
    `writer` is `offline`, `command: PROGRAM ARGS`, or litellm's name of a model; `writer_base_url`
    None is the provider's own address, `writer_key_env` None the provider's own variable, and
    `writer_timeout` the seconds that may pass with nothing new from it.
    `editor` None means $VISUAL or $EDITOR, `handoffs` None the data folder.
    """

    strategy: str = "redline"
    tail_tokens: int | None = None
    weights: Mapping[str, float] | None = None
    score: float | None = None
    turns: int | None = None
    trigger_share: float = 0.75
    trigger_calls: int = 15
    limits: Mapping[str, int] = field(default_factory=dict)
    tokenizer: str = "o200k_base"
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    image_tokens: int | None = None
    prices: Mapping[str, Rates] = field(default_factory=dict)
    writer: str = "offline"
    writer_base_url: str | None = None
    writer_key_env: str | None = None
    writer_timeout: int = 120
    theme: str = "redline-dark"
    editor: str | None = None
    keymap: Mapping[str, str] = field(default_factory=dict)
    handoffs: Path | None = None
    origins: Mapping[str, str] = field(default_factory=dict)

    def limit(self, model: str | None) -> int | None:
        """The window set for `model` in tokens; the longest pattern that fits decides."""
        return _best(self.limits, model)

    def price(self, model: str | None) -> Rates | None:
        """The prices set for `model`."""
        return _best(self.prices, model)

    def tokenizer_of(self, model: str | None) -> str:
        """The name of the tokenizer for `model`."""
        return _best(self.tokenizers, model) or self.tokenizer

    def origin(self, name: str) -> str:
        return self.origins.get(name, DEFAULT_ORIGIN)

    def values(self) -> dict[str, object]:
        """Each setting by name, in the order it is documented in."""
        return {name: getattr(self, name) for name in KEYS}


def _best(table: Mapping[str, _Item], model: str | None) -> _Item | None:
    """The value of the longest pattern that fits; `[1m]` in a pattern is meant literally."""
    name = (model or "").lower()
    fits = [p for p in table if fnmatchcase(name, p.lower().replace("[", "[[]"))]
    return table[max(fits, key=len)] if fits else None


class _Wrong(Exception):
    """A value is not what its key takes; the text says what was expected."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: what it takes, in words, and how a value is read.

    `own` settings name programs, keys or folders; a project's file may not set them, because a
    project can come from anybody. Of one that is not `shown` a wrong value is not told again: it
    may be a key that was put in the wrong place.
    """

    expected: str
    read: Callable[[object, Path], object]
    own: bool = False
    shown: bool = True


def _text(value: object, _folder: Path) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    raise _Wrong


def _tokens(value: object, _folder: Path) -> int:
    """A count of tokens: 20000, "20000", "20k" or "1m"."""
    if isinstance(value, str):
        value = tokens_of(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 10**9:
        return value
    raise _Wrong


def _fraction(value: object, _folder: Path) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError as error:
            raise _Wrong from error
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise _Wrong


def _part(value: object, folder: Path) -> float:
    found = _fraction(value, folder)
    if found == 0:
        raise _Wrong
    return found


def _weights(value: object, folder: Path) -> dict[str, object]:
    found = _table(_fraction)(value, folder)
    if not found or not found.keys() <= set(WEIGHED):
        raise _Wrong
    return found


def _count(value: object, _folder: Path) -> int:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**6:
        return value
    raise _Wrong


def _address(value: object, folder: Path) -> str:
    """An address of a server. A password in it would be shown, so there is none in it."""
    found = urlsplit(_text(value, folder))
    try:
        port_fits = found.port is None or found.port > 0
    except ValueError as error:
        raise _Wrong from error
    if found.scheme not in ("http", "https") or not found.hostname or not port_fits:
        raise _Wrong
    if found.username or found.password or found.query or found.fragment:
        raise _Wrong
    return found.geturl().rstrip("/")


def _variable(value: object, folder: Path) -> str:
    found = _text(value, folder).removeprefix("$")
    if not found.isascii() or not found.isidentifier() or found != found.upper():
        raise _Wrong
    return found


def _one_of(*choices: str) -> Callable[[object, Path], str]:
    def read(value: object, _folder: Path) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise _Wrong

    return read


def _table(
    item: Callable[[object, Path], object],
) -> Callable[[object, Path], dict[str, object]]:
    """A mapping of names to items; in an environment variable or flag `name=item,name=item`."""

    def read(value: object, folder: Path) -> dict[str, object]:
        if isinstance(value, str):
            pairs = [pair.partition("=") for pair in value.split(",") if pair.strip()]
            if not all(sign for _, sign, _ in pairs):
                raise _Wrong
            value = {name.strip(): text.strip() for name, _, text in pairs}
        if not isinstance(value, dict):
            raise _Wrong
        if not all(isinstance(name, str) and name for name in value):
            raise _Wrong
        return {name: item(inner, folder) for name, inner in value.items()}

    return read


def _folder(value: object, folder: Path) -> Path:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise _Wrong
    try:
        path = Path(value).expanduser()
    except RuntimeError as error:  # no home folder
        raise _Wrong from error
    return path if path.is_absolute() else folder / path


WEIGHED = ("rule", "error", "change", "pin")
_PRICE_NAMES = ("input", "output", "cache_read", "cache_write", "cache_write_1h")
_MILLION = 1_000_000


def _rates(value: object, _folder: Path) -> Rates:
    """Dollars a million tokens: a table of `_PRICE_NAMES`, or as text `3/15/0.3/3.75/6`."""
    if isinstance(value, str):
        amounts = value.split("/")
        if len(amounts) > len(_PRICE_NAMES):
            raise _Wrong
        value = dict(zip(_PRICE_NAMES, amounts, strict=False))
    if not isinstance(value, dict) or not {"input", "output"} <= value.keys() <= {*_PRICE_NAMES}:
        raise _Wrong
    return Rates(**{name: _dollars(amount) / _MILLION for name, amount in value.items()})


def _dollars(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _Wrong
    try:
        amount = float(value)
    except (ValueError, OverflowError) as error:
        raise _Wrong from error
    if not 0 <= amount < _MILLION:
        raise _Wrong
    return amount


TOKENIZERS = ("o200k_base", "cl100k_base", "estimate")
_TOKENS = "a number of tokens above 0, like 20000 or 20k"
_TOKENIZERS = f"one of {', '.join(TOKENIZERS)}"
KEYS: Mapping[str, Key] = {
    "strategy": Key("the name of a strategy", _text),
    "tail_tokens": Key(_TOKENS, _tokens),
    "weights": Key(f"a table from {', '.join(WEIGHED)} to a number from 0 to 1", _weights),
    "score": Key("a number from 0 to 1", _fraction),
    "turns": Key("a number of turns above 0", _count),
    "trigger_share": Key("a number above 0 and up to 1", _part),
    "trigger_calls": Key("a number of tool calls above 0", _count),
    "limits": Key(f"a table from model name to {_TOKENS}", _table(_tokens)),
    "tokenizer": Key(_TOKENIZERS, _one_of(*TOKENIZERS)),
    "tokenizers": Key(f"a table from model name to {_TOKENIZERS}", _table(_one_of(*TOKENIZERS))),
    "image_tokens": Key(_TOKENS, _tokens),
    "prices": Key(
        "a table from model name to dollars a million tokens: input, output and, where they have "
        "prices of their own, cache_read, cache_write, cache_write_1h",
        _table(_rates),
    ),
    "writer": Key("offline, `command: PROGRAM ARGS`, or the name of a model", _text, own=True),
    "writer_base_url": Key(
        "an address, like http://127.0.0.1:11434/v1", _address, own=True, shown=False
    ),
    "writer_key_env": Key("the name of a variable, like MY_KEY", _variable, own=True, shown=False),
    "writer_timeout": Key("a number of seconds above 0", _count, own=True),
    "theme": Key("the name of a theme", _text),
    "editor": Key("a command", _text, own=True),
    "keymap": Key("a table from action to keys", _table(_text), own=True),
    "handoffs": Key("a folder", _folder, own=True),
}


def load_settings(
    places: Places,
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """The settings for `project`, each with its origin. A flag that is None was not given.

    Raises RedlineError that names file and line, key and what was expected.
    """
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    own, theirs = places.settings, find_project_file(project)
    for path in (own, theirs):
        if path is None:
            continue
        for name, (value, line) in _read_file(path).items():
            where = f"{path}:{line}"
            if path is theirs and name in KEYS and KEYS[name].own:
                raise RedlineError(
                    f"{where}: {name} cannot be set in a project's file",
                    f"set it in {own}",
                )
            values[name], origins[name] = _value(name, value, where, path.parent), where
    for variable, text in (environment or {}).items():
        named = _named_by(variable)
        if named is not None and text:
            where = f"${variable}"
            values[named], origins[named] = _value(named, text, where, Path.cwd()), where
    for flag, given in (flags or {}).items():
        if given is not None:
            where = f"--{flag.replace('_', '-')}"
            values[flag], origins[flag] = _value(flag, given, where, Path.cwd()), where
    return Settings(**values, origins=origins)  # type: ignore[arg-type]  # read by KEYS


def find_project_file(project: Path | None) -> Path | None:
    """`.redline.yaml` in `project` or its nearest parent up to the root of its git repository."""
    if project is None:
        return None
    folders = [project, *project.parents]
    root = next((at for at, folder in enumerate(folders) if os.path.exists(folder / ".git")), 0)
    for folder in folders[: root + 1]:
        if os.path.isfile(folder / PROJECT_FILE):
            return folder / PROJECT_FILE
    return None


def _named_by(variable: str) -> str | None:
    """The setting an environment variable names; misspelt ones are reported, others ignored."""
    if not variable.startswith(PREFIX) or variable in _OTHER_VARIABLES:
        return None
    name = variable.removeprefix(PREFIX).lower()
    if name in KEYS:
        return name
    if get_close_matches(name, KEYS, 1, 0.85):
        raise _unknown(f"${variable}", name)
    return None


def _value(name: str, value: object, where: str, folder: Path) -> object:
    key = KEYS.get(name)
    if key is None:
        raise _unknown(where, name)
    try:
        return key.read(value, folder)
    except _Wrong as error:
        plain = isinstance(value, str | int | float) and key.shown
        found = repr(value)[:60] if plain else _kind(value)
        hint = ""
        choices = get_close_matches(str(value), TOKENIZERS, 1) if "tokenizer" in name else []
        if isinstance(value, str) and choices:
            hint = f"did you mean {choices[0]}?"
        raise RedlineError(f"{where}: {name} takes {key.expected}, not {found}", hint) from error


def _kind(value: object) -> str:
    match value:
        case dict():
            return "a table"
        case str():
            return "what it holds"
        case date():
            return "a date"
        case _:
            return kind_in_words(value)


def _unknown(where: str, name: str) -> RedlineError:
    near = get_close_matches(name.lower().replace("-", "_"), KEYS, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(KEYS)}"
    return RedlineError(f"{where}: there is no setting {name[:60]!r}", hint)


def _read_file(path: Path) -> dict[str, tuple[object, int]]:
    """Each top-level key of a YAML file with its value and line; nothing where there is no file."""
    data = read_if_there(path)
    if data is None:
        return {}
    if len(data) > _LARGEST:
        raise RedlineError(f"{path}: larger than {_LARGEST:,} bytes, this is no settings file")
    import yaml

    try:
        loader = yaml.SafeLoader(data.decode("utf-8-sig"))
        root = loader.get_single_node()
        if root is None or root.tag == "tag:yaml.org,2002:null":
            return {}
        if not isinstance(root, yaml.MappingNode):
            raise RedlineError(f"{path}:1: settings are a table of `name: value` lines")
        return _read_table(path, loader, root)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise RedlineError(f"{path}:{line}: no YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RedlineError(f"{path}: no YAML in UTF-8") from error


def _read_table(
    path: Path, loader: yaml.SafeLoader, root: yaml.MappingNode
) -> dict[str, tuple[object, int]]:
    found: dict[str, tuple[object, int]] = {}
    for key_node, value_node in root.value:
        line = key_node.start_mark.line + 1
        name: Any = loader.construct_object(key_node, deep=True)
        if not isinstance(name, str):
            raise RedlineError(f"{path}:{line}: the name of a setting is a text")
        if name in found:
            raise RedlineError(
                f"{path}:{line}: {name[:60]} is already set in line {found[name][1]}"
            )
        found[name] = (loader.construct_object(value_node, deep=True), line)
    return found
