from __future__ import annotations

import pytest

from redline.agents.claude_code.large_files import LEAST, characters, too_large


@pytest.mark.parametrize(
    ("model", "window", "most"),
    [
        (None, None, LEAST),
        ("claude-opus-4-5-20251101", 200_000, 40_000),
        ("claude-sonnet-4-20250514", 200_000, 40_000),
        ("claude-sonnet-4-6[1m]", 1_000_000, 200_000),
        ("claude-3.5-sonnet", 1_000_000, 200_000),
        ("claude-opus-4-7", 200_000, 40_000),  # 30,000 by its share
        ("claude-opus-4-7", 1_000_000, 150_000),
        ("claude-opus-4-10", 1_000_000, 150_000),
        ("claude-sonnet-5", 1_000_000, 150_000),
        ("qwen3", 32_000, 40_000),
    ],
)
def test_a_file_is_too_large_from_a_share_of_the_window_on(
    model: str | None, window: int | None, most: int
) -> None:
    assert too_large(model, window) == most


def test_characters_are_those_of_the_agent() -> None:
    assert characters("a中😀\ud800") == 5
