"""The clipboard: a program of this machine first, the terminal's own way (OSC 52) else."""

from __future__ import annotations

TERMINAL_LIMIT = 75_000  # bytes; terminals drop longer OSC 52 sequences without a word


def copy_natively(text: str) -> bool:
    """Whether a clipboard program of this machine took `text`."""
    import pyperclip

    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException:
        return False
    return True
