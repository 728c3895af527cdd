"""What a text that is not in the session yet will weigh."""

from __future__ import annotations

import os
from collections.abc import Mapping

from redline.context.billed import model_of
from redline.context.families import family, text_kind
from redline.context.tokenizer import tokenizer
from redline.model import Session
from redline.settings import Settings


def weigh(
    text: str, session: Session, settings: Settings, environment: Mapping[str, str] | None = None
) -> int:
    """Tokens of `text` for the model of `session`: counted, times the starting factor of its
    family and kind of text. An estimate."""
    if not text:
        return 0
    model = model_of(session)
    env = os.environ if environment is None else environment
    count = tokenizer(settings.tokenizer_of(model), env).count(text)
    return round(count * family(model).factors[text_kind(text)])
