"""A model as the one who is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from redline.handoff.writers.asking import Prompt
from redline.handoff.writers.failure import WriterFailure
from redline.handoff.writers.keys import Key
from redline.handoff.writers.writer import Spent, Words

OUTPUT_TOKENS = 16_000  # asked for where a provider wants to be told; a summary has 2,000 to 6,000


@dataclass(frozen=True, slots=True)
class ModelAsker:
    """Asks `model` (litellm's name of it) through the gateway."""

    model: str
    key: Key
    window: int | None = None
    base_url: str | None = None
    timeout: float = 120.0
    count: Callable[[str], int] = field(default=len)

    def tokens(self, text: str) -> int:
        return self.count(text)

    def ask(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Iterator[Words | Spent]:
        if (fault := self.key.fault) is not None:
            raise WriterFailure(fault)
        from redline.handoff.writers.gateway import Call, stream

        call = Call(
            self.model,
            prompt,
            self.timeout,
            self.base_url,
            self.key.value,
            _output(self.model),
        )
        yield from stream(call, cancelled)


def _output(model: str) -> int | None:
    """How much output is asked for: of providers that take no request without saying so."""
    if "claude" not in model.lower() and not model.lower().startswith("anthropic"):
        return None
    from redline.context.model_table import answer

    return min(answer(model, _most_output) or OUTPUT_TOKENS, OUTPUT_TOKENS)


def _most_output(entry: object) -> int | None:
    value = entry.get("max_output_tokens") if isinstance(entry, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
