"""The screens as text: what a person sees, at the sizes that must work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from redline.ui.transcript import Transcript
from tests.sessions_in_memory import reply, session, user
from tests.ui.stage import Stage, ambiguous, shop, site, stage

GOLDEN = Path(__file__).parent / "frames"


def check(on: Stage, name: str, folder: Path) -> None:
    """Compares the frame with the one kept; `REDLINE_NEW_FRAMES=1` keeps it anew."""
    text = "\n".join(line.replace(str(folder), "/tmp").rstrip() for line in on.frame()) + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("REDLINE_NEW_FRAMES"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


async def test_the_desk_looks_as_it_should(tmp_path: Path) -> None:
    # A path has tokens: with one of the temporary folder's, the figures would be of its length.
    async with stage(tmp_path, first=shop(tmp_path, Path("/home/dev/shop"))) as on:
        on.screen.query_one("#transcript", Transcript).go_to(7)
        await on.press("c", "j", "minus", "2")
        for size in ((80, 24), (120, 40), (60, 20)):
            await on.pilot.resize_terminal(*size)
            await on.settle()
            check(on, f"desk-{size[0]}x{size[1]}", tmp_path)


async def test_the_comparison_looks_as_it_should(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path, Path("/home/dev/shop"))) as on:
        await on.press("C", "j", "j", "d")
        for size in ((80, 24), (120, 40)):
            await on.pilot.resize_terminal(*size)
            await on.settle()
            check(on, f"compare-{size[0]}x{size[1]}", tmp_path)


async def test_no_screen_is_made_of_characters_of_uncertain_width(tmp_path: Path) -> None:
    """In a Chinese terminal those are two cells wide, and shift everything after them."""
    async with stage(tmp_path, shop(tmp_path), site(tmp_path)) as on:
        seen = [("sessions", on.text())]
        await on.press("enter")
        for keys in (("2",), ("3",), ("4",), ("s",), ("escape", "t"), ("escape", "f1"),
                     ("escape", "ctrl+p"), ("escape", "w"), ("d",), ("escape", "w"),
                     ("enter",), ("f8",)):  # fmt: skip
            await on.press(*keys)
            seen.append((keys[-1], on.text()))
        for name, text in seen:
            assert not ambiguous(text), name


async def test_wide_characters_do_not_shift_the_columns(tmp_path: Path) -> None:
    """D08."""
    texts = [
        "plain text",
        "中文标题在这里",
        "emoji 👩‍👩‍👧 🎉 done",
        "한국어 텍스트",
        "mixed 中 a 文 b",
    ]
    made = session([piece for text in texts for piece in (user(text), reply(text))], model="m")
    async with stage(tmp_path, first=made, size=(80, 24)) as on:
        lines = on.screen.query_one("#transcript", Transcript)
        for y in range(lines.heights.total):
            assert lines.render_line(y).cell_length == lines.line_width
        await on.press("s")
        for strip in on.app.screen._compositor.render_strips():
            assert strip.cell_length == 80


async def test_too_small_a_terminal_says_so_and_nothing_breaks(tmp_path: Path) -> None:
    """D13."""
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        for size in ((40, 10), (20, 5), (3, 2), (1, 1), (59, 40), (90, 19)):
            await on.pilot.resize_terminal(*size)
            await on.settle()
            assert "too small"[: size[0]] in on.text(), size
            await on.press("j", "s")
            assert "too small"[: size[0]] in on.text(), size
            await on.press("escape")
        await on.press("s")
        await on.pilot.resize_terminal(80, 24)
        await on.settle()
        assert "Strategy" in on.text()


async def test_a_terminal_may_start_too_small(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path), size=(1, 1)) as on:
        await on.press("enter", "w")
        await on.pilot.resize_terminal(80, 24)
        await on.settle()
        assert "audit" in on.text()


async def test_the_row_and_what_is_lost_are_told_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D12."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with stage(tmp_path, first=shop(tmp_path), size=(80, 24)) as on:
        on.screen.query_one("#transcript", Transcript).go_to(0)
        await on.press("minus", "k")
        row = next(line for line in on.frame() if "Never touch" in line)
        assert row.startswith("❯-")
        await on.press("w")
        assert "(" in on.text()
