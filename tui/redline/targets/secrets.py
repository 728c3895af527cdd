"""What leaves the session through a target leaves without secrets, and says what was taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Redact = Callable[[str], tuple[str, Mapping[str, int]]]


def without_secrets(text: str) -> tuple[str, Mapping[str, int]]:
    """`text` with secrets marked out, and how many of which kind there were."""
    from redline.redaction import redact

    redacted = redact(text)
    return redacted.text, redacted.found


def taken_out(found: Mapping[str, int]) -> list[str]:
    """A warning for each kind of secret."""
    return [f"{count} x {kind} taken out" for kind, count in found.items() if count]
