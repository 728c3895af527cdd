"""What leaves the session through a target leaves without secrets, and says what was taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Redact = Callable[[str], tuple[str, Mapping[str, int]]]


def without_secrets(text: str) -> tuple[str, Mapping[str, int]]:
    """`text` with secrets marked out, and how many marks of which kind stand in it: those of the
    writer, who took secrets out before, as well."""
    from redline.redaction import marks, redact

    clean = redact(text).text
    return clean, marks(clean)


def taken_out(found: Mapping[str, int]) -> list[str]:
    """A warning for each kind of secret."""
    return [f"{count} x {kind} taken out" for kind, count in found.items() if count]
