"""Which writer a name means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from redline.context.families import family, text_kind
from redline.context.model_table import window_of
from redline.context.tokenizer import tokenizer
from redline.handoff.writers.command import CommandAsker, argv_of
from redline.handoff.writers.fork import FORK, ForkWriter
from redline.handoff.writers.keys import key_of, provider_of
from redline.handoff.writers.model import ModelAsker
from redline.handoff.writers.prompted import PromptWriter
from redline.handoff.writers.writer import COMMAND as COMMAND
from redline.handoff.writers.writer import OFFLINE, Piece, Task, Writer
from redline.settings import Settings


@dataclass(frozen=True, slots=True)
class OfflineWriter:
    """The writer that needs nobody: all it would say stands in the session."""

    name: str = OFFLINE

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:  # noqa: ARG002
        yield from ()


def writer_of(name: str, settings: Settings, environment: Mapping[str, str]) -> Writer:
    """The writer called `name`: `offline`, `command: PROGRAM ARGS`, `fork` (the session's own
    agent), or litellm's name of a model.

    Nothing is loaded, started or asked yet. Raises RedlineError for a command that is none.
    """
    chosen = name.strip()
    if chosen == OFFLINE:
        return OfflineWriter()
    timeout = float(settings.writer_timeout)
    if chosen == FORK:
        return ForkWriter(environment, timeout)
    if chosen.startswith(COMMAND):
        argv = argv_of(chosen.removeprefix(COMMAND))
        counter = _counter(None, settings, environment)
        size = settings.limit(argv[0])
        return PromptWriter(chosen, CommandAsker(argv, environment, timeout, counter, size))
    model = model_name(chosen, settings)
    asker = ModelAsker(
        model,
        key_of(model, settings, environment),
        settings.limit(chosen) or window_of(model),
        base_url(model, settings),
        timeout,
        _counter(model, settings, environment),
    )
    return PromptWriter(chosen, asker)


def model_name(name: str, settings: Settings) -> str:
    """litellm's name of a model. At an address of one's own, a name without a provider is that of
    a server that speaks OpenAI's form, as nearly all do."""
    if settings.writer_base_url and provider_of(name) is None:
        return f"openai/{name}"
    return name


def base_url(model: str, settings: Settings) -> str | None:
    """The address as litellm takes it: for Anthropic's form it adds `/v1` itself."""
    url = settings.writer_base_url
    if url and provider_of(model) == "anthropic":
        return url.removesuffix("/v1")
    return url


def _counter(
    model: str | None, settings: Settings, environment: Mapping[str, str]
) -> Callable[[str], int]:
    """Counts tokens as `model` is expected to; a program's is not known, it may be Claude's."""
    factors = family(model or "claude-opus-4-8").factors

    def count(text: str) -> int:
        if not text:
            return 0
        counted = tokenizer(settings.tokenizer_of(model), environment).count(text)
        return round(counted * factors[text_kind(text)])

    return count
