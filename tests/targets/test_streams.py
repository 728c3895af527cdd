from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from redline.errors import RedlineError
from redline.targets.streams import TERMINAL_LIMIT, Clipboard, StandardOutput


def refuses(_text: str) -> bool:
    return False


def taking(taken: list[str]) -> Callable[[str], bool]:
    def take(text: str) -> bool:
        taken.append(text)
        return True

    return take


def test_standard_output_gets_the_text_and_one_new_line() -> None:
    said: list[str] = []
    StandardOutput("a\x1b]0;t\x07\u202e", write=said.append).put()
    StandardOutput("b\n", write=said.append).put()
    assert said == ["a]0;t\n", "b\n"]


def test_a_stream_is_no_file() -> None:
    change = StandardOutput("text", write=lambda text: None).preview()
    assert (change.path, change.empty, change.after) == (None, False, b"text")


def test_a_program_of_this_machine_is_asked_first() -> None:
    taken: list[str] = []
    target = Clipboard("text", environment={}, write=taken.append, native=taking(taken))
    assert target.put() == "copied"
    assert taken == ["text"]


def test_over_ssh_the_terminal_is_asked_and_not_the_far_machine() -> None:
    said: list[str] = []
    target = Clipboard(
        "文", environment={"SSH_TTY": "/dev/pts/1"}, write=said.append, native=lambda text: True
    )
    assert target.put() == "handed to the terminal"
    assert said == ["\x1b]52;c;" + base64.b64encode("文".encode()).decode() + "\x07"]


def test_tmux_gets_the_sequence_wrapped() -> None:
    said: list[str] = []
    Clipboard("a", environment={"TMUX": "x"}, write=said.append, native=refuses).put()
    assert said == ["\x1bPtmux;\x1b\x1b]52;c;YQ==\x07\x1b\\"]


def test_a_text_too_long_for_the_terminal_is_refused_and_not_cut() -> None:
    said: list[str] = []
    text = "文" * (TERMINAL_LIMIT // 3)
    Clipboard(text, environment={}, write=said.append, native=refuses).put()
    with pytest.raises(RedlineError, match="too many") as caught:
        Clipboard(text + "x", environment={}, write=said.append, native=refuses).put()
    assert "file" in caught.value.hint
    assert len(said) == 1


def test_no_clipboard_at_all_is_said() -> None:
    with pytest.raises(RedlineError, match="no clipboard"):
        Clipboard("a", environment={}, write=None, native=refuses).put()


def test_no_secret_reaches_a_stream() -> None:
    said: list[str] = []
    target = Clipboard(
        "key",
        environment={},
        write=said.append,
        native=taking(said),
        redact=lambda text: ("[gone]", {"key": 1}),
    )
    assert target.preview().warnings
    target.put()
    assert said == ["[gone]"]
