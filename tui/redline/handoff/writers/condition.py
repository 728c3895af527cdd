"""Whether the writer of the settings could write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from shutil import which

from redline.context.model_table import window_of
from redline.errors import RedlineError
from redline.handoff.writers.command import argv_of
from redline.handoff.writers.fork import FORK
from redline.handoff.writers.keys import key_of
from redline.handoff.writers.registry import model_name
from redline.handoff.writers.writer import COMMAND, OFFLINE
from redline.settings import Settings


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether a writer has what it needs, and what that is. Nothing was asked of it."""

    ok: bool
    detail: str


def condition(settings: Settings, environment: Mapping[str, str]) -> Condition:
    """How the writer of the settings stands, without loading, starting or asking anything."""
    name = settings.writer.strip()
    if name == OFFLINE:
        return Condition(True, "offline, without a model")
    if name == FORK:
        return Condition(True, "a fork of the session in its own agent")
    if name.startswith(COMMAND):
        return _program(name, environment)
    model = model_name(name, settings)
    key = key_of(model, settings, environment)
    where = f" at {settings.writer_base_url}" if settings.writer_base_url else ""
    window = settings.limit(name) or window_of(model)
    known = "" if window else ", its window is not known (set it in `limits`)"
    if key.fault is not None:
        return Condition(False, f"{name}{where}: {key.fault}")
    if key.there:
        return Condition(True, f"{name}{where}, with the key in ${key.variable}{known}")
    login = "without a key" if not key.needed else "with the provider's own login"
    return Condition(True, f"{name}{where}, {login}{known}")


def _program(name: str, environment: Mapping[str, str]) -> Condition:
    try:
        program = argv_of(name.removeprefix(COMMAND))[0]
    except RedlineError as error:
        return Condition(False, f"{error.message}; {error.hint}")
    found = which(program, path=environment.get("PATH"))
    return Condition(bool(found), f"{program}: {found or 'there is no such program'}")
