"""A handoff takes the place of no other file, and sessions share none."""

from __future__ import annotations

import os
from pathlib import Path

from redline.places import places
from redline.targets.receipts import Receipts
from tests.faults.dialects import CLAUDE_CODE, ID, Prompt, Reply
from tests.faults.surfaces import Commands


def test_a_handoff_never_takes_the_place_of_a_file_that_is_not_its_own(
    shop: Path, commands: Commands
) -> None:
    """C22: neither a handoff by hand nor one of another session, without being asked."""
    mine = shop / "handoff.md"
    mine.write_text("# Handoff\n\nwritten by hand\n")
    for words in (("-o", "handoff.md"), ("-o", "handoff.md", "--dry-run")):
        status, _, err = commands.run("handoff", "last", *words)
        assert status == 1
        assert "--replace" in err
    assert mine.read_text() == "# Handoff\n\nwritten by hand\n"
    assert commands.run("handoff", "last", "-o", "handoff.md", "--replace")[0] == 0
    assert commands.run("undo")[0] == 0
    assert mine.read_text() == "# Handoff\n\nwritten by hand\n"


def test_sessions_of_one_project_and_of_others_never_share_a_handoff(
    home: Path, tmp_path: Path, commands: Commands
) -> None:
    """C25: keyed by project and session; another project's folder of the same name holds none."""
    written = []
    for folder in (tmp_path / "a" / "shop", tmp_path / "b" / "shop"):
        folder.mkdir(parents=True)
        asked = f"Paint the shed of {folder.parent.name}"
        first = CLAUDE_CODE.write(home, Prompt(asked), Reply("Painted."), cwd=str(folder))
        second = first.with_name(f"{ID[:-1]}2.jsonl")
        second.write_text(first.read_text().replace(ID, second.stem).replace("Paint", "Scrub"))
        os.chdir(folder)
        for path, words in ((first, asked), (second, asked.replace("Paint", "Scrub"))):
            status, out, _ = commands.run("handoff", str(path))
            assert status == 0
            written.append((folder, Path(out.strip()), words))
    for folder, made, words in written:
        text = made.read_text()
        assert [said for _, _, said in written if said in text] == [words]
        beside = {path for path in made.parent.iterdir() if path.suffix == ".md"}
        assert beside == {path for other, path, _ in written if other == folder}
        assert len(beside) == 2
    assert len(Receipts(places(os.environ)).list()) == len(written)
