from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from redline.context import model_table
from redline.context.model_table import window_of

ROOT = Path(__file__).parents[2]
TABLE = {
    "claude-opus-4-6": {"max_input_tokens": 1_000_000, "max_tokens": 128_000},
    "claude-sonnet-4-5": {"max_input_tokens": 200_000},
    "gpt-5": {"max_input_tokens": 272_000},
    "only-output": {"max_tokens": 8_000},
    "broken": {"max_input_tokens": "many"},
    "true": {"max_input_tokens": True},
    "no-entry": None,
    "here/agreed": {"max_input_tokens": 131_072},
    "there/agreed": {"max_input_tokens": 131_072},
    "here/disputed": {"max_input_tokens": 100_000},
    "there/disputed": {"max_input_tokens": 200_000},
}


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("claude-opus-4-6", 1_000_000),
        ("Claude-Opus-4-6[1m]", 1_000_000),
        ("anthropic/claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-4-5@20250929", 200_000),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("openrouter/openai/gpt-5", 272_000),
        ("gpt-5-2025-08-07", 272_000),
        ("agreed", 131_072),
        ("disputed", None),
        ("only-output", None),
        ("broken", None),
        ("true", None),
        ("no-entry", None),
        ("nobody-knows-me", None),
        ("", None),
    ],
)
def test_a_window_is_found_whatever_the_provider_calls_the_model(
    model: str, window: int | None
) -> None:
    assert window_of(model, TABLE) == window


def test_the_table_is_read_without_importing_litellm() -> None:
    program = (
        "import sys; from redline.context.model_table import window_of;"
        "print(window_of('gpt-5'), 'litellm' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(ROOT / "tui")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "272000 False\n"


def test_without_the_table_every_model_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_table, "find_spec", lambda _name: None)
    model_table.bundled.cache_clear()
    try:
        assert window_of("gpt-5") is None
    finally:
        model_table.bundled.cache_clear()
