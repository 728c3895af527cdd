"""A handoff to standard output or the clipboard: nothing is written to a file, nothing to undo."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from redline.errors import RedlineError
from redline.targets.secrets import Redact, taken_out, without_secrets
from redline.targets.target import STREAM, Change
from redline.text import plain, printable

TERMINAL_LIMIT = 75_000  # bytes of text; terminals drop longer OSC 52 sequences without a word

Writer = Callable[[str], object]


class StandardOutput:
    """Hands the text to `write`, ending in a new line."""

    def __init__(self, text: str, *, write: Writer, redact: Redact | None = None) -> None:
        self.name = "stdout"
        self._text = text
        self._write = write
        self._redact = redact or without_secrets

    def preview(self) -> Change:
        return _change(self.name, "standard output", self._text, self._redact)

    def put(self) -> None:
        text = plain(self.preview().after.decode())  # it may be a terminal
        self._write(text if text.endswith("\n") else text + "\n")


class Clipboard:
    """Hands the text to a clipboard program of this machine, else to the terminal by OSC 52.

    `native` gives whether a program took it (None: pyperclip); over SSH it is not asked, because
    it would be the other machine's clipboard. `write` writes to the terminal, `environment` tells
    of tmux and SSH.
    """

    def __init__(
        self,
        text: str,
        *,
        environment: Mapping[str, str],
        write: Writer | None,
        native: Callable[[str], bool] | None = None,
        redact: Redact | None = None,
    ) -> None:
        self.name = "clipboard"
        self._text = text
        self._environment = environment
        self._write = write
        self._native = native or copy_natively
        self._redact = redact or without_secrets

    def preview(self) -> Change:
        return _change(self.name, "clipboard", self._text, self._redact)

    def put(self) -> str:
        """Copies, and says in a few words by which way.

        Raises RedlineError where there is no way, or the text is too long for the terminal.
        """
        text = self.preview().after.decode()
        far = any(self._environment.get(name) for name in ("SSH_TTY", "SSH_CONNECTION"))
        if not far and self._native(text):
            return "copied"
        if self._write is None:
            raise RedlineError(
                "there is no clipboard here", "write the handoff to a file instead: -o FILE"
            )
        size = len(text.encode())
        if size > TERMINAL_LIMIT:
            raise RedlineError(
                f"{size} bytes are too many to copy through the terminal, which takes "
                f"{TERMINAL_LIMIT}",
                "write the handoff to a file instead: -o FILE",
            )
        self._write(osc52(text, self._environment))
        return "handed to the terminal"


def osc52(text: str, environment: Mapping[str, str]) -> str:
    """The sequence that asks a terminal to take `text` into its clipboard, wrapped for tmux."""
    sequence = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"
    if environment.get("TMUX"):
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return sequence


def copy_natively(text: str) -> bool:
    """Whether a clipboard program of this machine took `text`."""
    import pyperclip

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError):
        return False
    return True


def _change(name: str, label: str, text: str, redact: Redact) -> Change:
    clean, found = redact(text)
    return Change(
        target=name,
        label=label,
        after=printable(clean).encode(),
        warnings=tuple(taken_out(found)),
        kind=STREAM,
    )
