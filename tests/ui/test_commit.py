from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.targets.receipts import Receipts
from redline.ui.commit import CommitScreen
from redline.ui.items import Items
from redline.ui.receipts import ReceiptsScreen
from redline.ui.text_lines import TextLines
from tests.ui.stage import NOW, Stage, shop, stage


async def at_commit(on: Stage, *, rule: bool = True) -> None:
    if rule:
        await on.press("2", "y")
    await on.press("w", "w")
    assert isinstance(on.screen, CommitScreen)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.md"))


async def test_nothing_is_written_before_enter_and_all_of_it_is_taken_back(tmp_path: Path) -> None:
    copied: list[str] = []
    own = tmp_path / "shop" / "CLAUDE.md"
    (tmp_path / "shop").mkdir()
    own.write_bytes(b"# Mine\r\n")
    async with stage(tmp_path, first=shop(tmp_path), copied=copied) as on:
        await at_commit(on)
        assert files(tmp_path) == [own]
        await on.press("j", "space")
        difference = on.screen.query_one("#difference", TextLines).shown
        assert "+- Never touch src/legacy" in difference or "Never touch src/legacy" in difference
        assert "-# Mine" not in difference
        await on.press("enter")
        handoff = next(path for path in files(tmp_path) if path != own)
        assert handoff.stat().st_mode & 0o777 == 0o600
        assert own.read_bytes().startswith(b"# Mine\r\n")
        assert b"Never touch src/legacy" in own.read_bytes()
        assert set(on.app.outcome.written) == {handoff, own}
        assert "written" in on.text()
        await on.press("enter")
        assert len(files(tmp_path)) == 2
        await on.press("y")
        assert str(handoff) in copied[0]
        assert copied[0].startswith(f"cd {tmp_path / 'shop'} && claude ")
        await on.press("U")
        assert files(tmp_path) == [own]
        assert own.read_bytes() == b"# Mine\r\n"
        assert on.app.outcome.written == ()


async def test_without_a_rule_there_is_no_block_and_without_a_file_there_are_the_streams(
    tmp_path: Path,
) -> None:
    copied: list[str] = []
    async with stage(tmp_path, first=shop(tmp_path), copied=copied) as on:
        await at_commit(on, rule=False)
        assert "no active rule" in on.text()
        await on.press("j", "space")
        assert any("No rule is active" in notice for notice in on.notices())
        await on.press("k", "space", "enter")
        assert any("Nothing is ticked" in notice for notice in on.notices())
        await on.press("end", "space", "k", "space", "enter")
        assert "Never touch src/legacy" in copied[0]
        assert "Never touch src/legacy" in on.app.outcome.text
        assert on.app.outcome.said().count("Never touch src/legacy") >= 1
        assert files(tmp_path) == []


@pytest.mark.parametrize("width", [100, 120, 160, 200])
async def test_what_the_agent_reads_on_start_is_told_to_its_end(tmp_path: Path, width: int) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "CLAUDE.md").write_bytes(b"# Mine\n")
    async with stage(tmp_path, first=shop(tmp_path), size=(width, 40)) as on:
        await at_commit(on)
        for _ in range(2):
            await on.press("j")
            pane = on.screen.query_one("#warnings", Items)
            assert any("in order" in item.text for item in pane.items)
            assert pane.size.height == pane.heights.total
            shown = on.text()
            assert "(7" in shown
            assert "bytes)" in shown
            await on.press("k")  # the handoff has nothing to be told: the pane goes


async def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "redline").mkdir()
    (tmp_path / "redline" / "data").write_text("a file in the way")
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await at_commit(on, rule=False)
        await on.press("enter")
        assert isinstance(on.screen, CommitScreen)
        targets = on.screen.query_one("#targets", Items)
        assert on.notices() or "not possible" in targets.items[0].right
        assert not on.app.outcome.written


async def test_a_project_that_cannot_be_looked_at_leaves_the_other_targets(tmp_path: Path) -> None:
    there = shop(tmp_path, tmp_path / ("long" * 100))
    async with stage(tmp_path, first=there) as on:
        await at_commit(on, rule=False)
        targets = on.screen.query_one("#targets", Items)
        assert {"handoff file", "clipboard"} <= {item.key for item in targets.items}
        assert not on.notices()
        await on.press("enter")
        assert len(files(tmp_path)) == 1


async def test_a_commit_is_listed_and_taken_back_from_the_receipts(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await at_commit(on, rule=False)
        await on.press("enter", "f8")
        assert isinstance(on.screen, ReceiptsScreen)
        assert "shop: handoff" in on.text()
        assert "+# Handoff" in on.screen.query_one("#changed", TextLines).shown
        receipts = Receipts(on.app.place.places)
        assert [receipt.undone for receipt in receipts.list()] == [None]
        await on.press("U")
        assert files(tmp_path) == []
        assert receipts.list()[-1].undone == NOW
        assert "taken back" in on.text()
        await on.press("escape")
        assert isinstance(on.screen, CommitScreen)


async def test_a_rule_that_holds_no_more_leaves_its_block(tmp_path: Path) -> None:
    own = tmp_path / "shop" / "CLAUDE.md"
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("2", "y", "y", "w", "w")
        await on.press("j", "space", "enter")
        assert b"Never touch src/legacy" in own.read_bytes()
        await on.press("escape", "escape")
        await on.press("g", "v")
        await on.press("w", "w", "j", "space", "enter")
        left = own.read_text(encoding="utf-8")
        assert ("src/legacy" in left, "tests" in left) in ((True, False), (False, True))


async def test_state_and_rules_of_one_file_are_written_as_one_and_the_memory_beside(
    tmp_path: Path,
) -> None:
    own = tmp_path / "shop" / "CLAUDE.md"
    (tmp_path / "shop").mkdir()
    own.write_bytes(b"# Mine\n")
    async with stage(tmp_path, first=shop(tmp_path), size=(120, 40)) as on:
        await at_commit(on)
        targets = on.screen.query_one("#targets", Items)
        names = [str(item.key) for item in targets.items]
        for name in ("CLAUDE.md", "state", "/compact", ".agent/memory.json"):
            targets.go_to(names.index(name))
            await on.press("space")
        targets.go_to(names.index("CLAUDE.md"))
        await on.settle()
        told = [item.text for item in on.screen.query_one("#warnings", Items).items]
        assert any(text.startswith("claude-code reads on start, in order: ") for text in told)
        await on.press("enter")
        text = own.read_text()
        assert text.startswith("# Mine\n")
        for part in ("Never touch src/legacy", "Compact", "Run the whole suite"):
            assert part.lower() in text.lower()
        memory = json.loads((tmp_path / "shop" / ".agent" / "memory.json").read_text())
        assert memory["version"] == "1.0"
        await on.press("U")
        assert own.read_bytes() == b"# Mine\n"
        assert not (tmp_path / "shop" / ".agent").exists()


async def test_what_was_there_before_is_shown_and_what_changed_since_is_not_taken_back(
    tmp_path: Path,
) -> None:
    own = tmp_path / "shop" / "CLAUDE.md"
    (tmp_path / "shop").mkdir()
    own.write_bytes(b"# Mine\nSay it in verse.\n")
    async with stage(tmp_path, first=shop(tmp_path), size=(120, 40)) as on:
        await at_commit(on)
        await on.press("space", "j", "space", "enter", "f8")
        assert "as written: " in on.screen.query_one("#changed", TextLines).shown
        await on.press("enter")
        assert "Say it in verse." in on.text()
        await on.press("escape")
        changed = own.read_bytes().replace(b"Never touch src/legacy", b"Never touch src/old")
        own.write_bytes(changed)
        await on.press("U")
        assert "These stay as they are" in on.text()
        assert "from what was written to what it holds now" in on.text()
        assert own.read_bytes() == changed


async def test_a_file_that_changed_since_it_was_shown_is_shown_again_and_not_written(
    tmp_path: Path,
) -> None:
    own = tmp_path / "shop" / "CLAUDE.md"
    (tmp_path / "shop").mkdir()
    own.write_bytes(b"# Mine\n")
    async with stage(tmp_path, first=shop(tmp_path), size=(120, 40)) as on:
        await at_commit(on)
        await on.press("j", "space")
        own.write_bytes(b"# Yours\n")
        await on.press("enter")
        assert own.read_bytes() == b"# Yours\n"
        assert any("has changed since it was shown" in notice for notice in on.notices())
        await on.press("enter")
        assert own.read_bytes().startswith(b"# Yours\n")
        assert b"Never touch src/legacy" in own.read_bytes()
