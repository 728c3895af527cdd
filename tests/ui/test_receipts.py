"""The receipts screen: found again, pruned after a look, and what a crash left is finished."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.receipt import Receipt
from redline.targets.receipts import Receipts
from redline.targets.target import Change
from redline.ui.card import Card
from redline.ui.items import Items
from redline.ui.receipts import ReceiptsScreen
from redline.ui.text_lines import TextLines
from tests.ui.stage import NOW, stage

SIZES = ((80, 24), (120, 40))


def home(folder: Path) -> Places:
    """Where the screens of a stage over `folder` keep what is theirs."""
    return places({"REDLINE_HOME": str(folder / "redline")})


def written(tmp_path: Path, name: str, after: bytes, days: int, *, keeps: bytes = b"") -> Receipt:
    """A commit of one file so many days ago; with `keeps` the file held that before."""
    path = tmp_path / name
    if keeps:
        path.write_bytes(keeps)
    before = path.read_bytes() if path.exists() else None
    change = Change("t", name, after, before, path, path)
    then = NOW - timedelta(days=days)
    return commit([change], session="s1", places=home(tmp_path), now=then)


async def test_a_text_is_found_in_what_was_written_over_and_shown_in_its_place(
    tmp_path: Path,
) -> None:
    lines = b"".join(b"line %d\n" % number for number in range(200))
    written(tmp_path, "notes.md", b"new\n", 3, keeps=lines + b"never push [/x]\n" + lines)
    written(tmp_path, "other.md", b"never push to main\n", 2)
    for size in SIZES:
        async with stage(tmp_path, size=size) as on:
            await on.press("f8", "slash")
            await on.type("NEVER push", "enter")
            found = on.screen.query_one("#receipts", Items)
            assert [item.mark for item in found.items] == ["+", "-"]
            assert "notes.md 201: never push" in on.text()
            await on.press("j")
            beside = on.screen.query_one("#changed", TextLines)
            assert beside.shown.split("\n")[beside.cursor] == "-never push [/x]"
            await on.press("enter")
            assert isinstance(on.screen, Card)
            shown = on.screen.query_one("#card-lines", TextLines)
            assert shown.shown.split("\n")[shown.cursor].strip() == "never push [/x]"
            assert "never push [/x]" in on.text()
            await on.press("escape", "escape")
            assert isinstance(on.screen, ReceiptsScreen)
            assert "2 commits" in on.text()
            await on.press("slash")
            await on.type("nowhere", "enter")
            assert "No receipt keeps that text" in on.text()


async def test_what_was_found_in_a_handoff_is_seen_in_the_list(tmp_path: Path) -> None:
    path = tmp_path / "20260102-090000-11111111-0000-4000-8000-000000000000.md"
    change = Change("handoff", "handoff file", b"# Handoff\n- never push\n", None, path, path)
    commit([change], session="s1", places=home(tmp_path), now=NOW)
    async with stage(tmp_path, size=(80, 24)) as on:
        await on.press("f8", "slash")
        await on.type("push", "enter")
        assert "handoff 2: - never push" in on.text()


async def test_the_receipts_show_what_was_written_since_they_were_looked_at(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        await on.press("f8")
        assert "Nothing was written yet." in on.text()
        await on.press("escape")
        written(tmp_path, "young.md", b"z\n", 4)
        await on.press("f8")
        assert "young.md" in on.text()
        assert "1 commit" in on.text()


async def test_nothing_that_is_old_is_told_as_such(tmp_path: Path) -> None:
    written(tmp_path, "young.md", b"z\n", 4)
    async with stage(tmp_path) as on:
        await on.press("f8", "P")
        assert on.notices() == ["Nothing to prune: none is that old."]


async def test_a_pruning_shows_what_goes_and_what_stays_before_it_is_meant(tmp_path: Path) -> None:
    made = written(tmp_path, "handoff.md", b"x\n", 50)
    kept = written(tmp_path, "AGENTS.md", b"y\n", 40, keeps=b"mine\n")
    young = written(tmp_path, "young.md", b"z\n", 4)
    receipts = Receipts(home(tmp_path))
    async with stage(tmp_path, size=(120, 40)) as on:
        await on.press("f8", "P")
        assert isinstance(on.screen, Card)
        told = on.screen.query_one("#card-lines", TextLines).shown
        assert told.index("handoff.md") < told.index("These stay") < told.index("AGENTS.md")
        assert "brings" in told
        await on.press("escape")
        assert len(receipts.list()) == 3
        await on.press("P", "enter")
        assert [receipt.id for receipt in receipts.list()] == [young.id, kept.id]
        assert any("1 receipt gone" in notice for notice in on.notices())
        assert "2 commits" in on.text()
        await on.press("P")
        assert isinstance(on.screen, ReceiptsScreen)
        assert any("1 older one keeps" in notice for notice in on.notices())
    assert made.id not in [receipt.id for receipt in receipts.list()]


def cut_short(places: Places, receipt: Receipt) -> None:
    """Lets the commit look as one that died after its last file was renamed."""
    manifest = places.receipts / receipt.id / "manifest.json"
    (manifest.parent / "manifest.done.json").write_bytes(manifest.read_bytes())
    manifest.write_text(manifest.read_text().replace('"done"', '"writing"'))


async def test_what_a_crash_left_is_finished_at_the_start_and_said_once(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    cut_short(home(tmp_path), written(tmp_path, path.name, b"y\n", 0, keeps=b"mine\n"))
    async with stage(tmp_path) as on:
        await on.settle()
        assert path.read_bytes() == b"y\n"
        assert [r.state for r in Receipts(home(tmp_path)).list()] == ["done"]
        assert len([notice for notice in on.notices() if "a crash had cut" in notice]) == 1
        await on.press("f8")
        assert len([notice for notice in on.notices() if "a crash had cut" in notice]) == 1


async def test_what_was_changed_since_a_crash_stays_and_is_told(tmp_path: Path) -> None:
    cut_short(home(tmp_path), written(tmp_path, "AGENTS.md", b"y\n", 0, keeps=b"mine\n"))
    (tmp_path / "AGENTS.md").write_bytes(b"other\n")
    async with stage(tmp_path) as on:
        await on.settle()
        assert any("all is left as it is" in notice for notice in on.notices())
        assert (tmp_path / "AGENTS.md").read_bytes() == b"other\n"
