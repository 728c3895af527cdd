"""A file is UTF-8 whatever the machine's locale is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import redline
from tests.faults.dialects import CLAUDE_CODE, Call, Dialect, Prompt, Reply, Result

TEXTS = ["Fix \u201cthe login\u201d \U0001f600 不要修改 tests", "ç \u2028 é", "Fixed \u201d."]
LOCALES = {
    "c": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "latin": {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


def run(home: Path, locale: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    source = Path(redline.__path__[0]).parent
    kept = {"HOME", "REDLINE_HOME", "PATH"}
    environment = {name: value for name, value in os.environ.items() if name in kept}
    return subprocess.run(
        [sys.executable, "-m", "redline", *words],
        capture_output=True,
        check=False,
        cwd=home,
        env={**environment, "PYTHONPATH": str(source), **LOCALES[locale]},
    )


def written(home: Path, writer: Dialect) -> Path:
    prompt, result, reply = TEXTS
    return writer.write(home, Prompt(prompt), Call("t1"), Result("t1", result), Reply(reply))


def test_texts_are_the_same_in_every_locale(home: Path, writer: Dialect) -> None:
    """A30: curly quotes, an emoji and Chinese, in a prompt, a result and a reply."""
    shown = run(home, "c", "show", str(written(home, writer)), "--json")
    assert shown.returncode == 0, shown.stderr
    texts = [block["text"] for block in json.loads(shown.stdout)["blocks"]]
    assert [text for text in texts if text in TEXTS] == TEXTS


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_written_is_the_same_in_every_locale(home: Path, locale: str) -> None:
    """A30: a handoff, and the names of files and folders."""
    path = written(home, CLAUDE_CODE).rename(home / "修改 é.jsonl")
    wrote = run(home, locale, "handoff", path.name, "-o", "改.md")
    assert wrote.returncode == 0, wrote.stderr
    assert "不要修改 tests" in (home / "改.md").read_text(encoding="utf-8")
