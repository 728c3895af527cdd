"""What is in a folder: links last, and nothing where it cannot be read."""

from __future__ import annotations

from pathlib import Path

from redline.agents.folder import entries


def test_links_come_behind_what_they_may_lead_to(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "c.jsonl").touch()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    assert [entry.name for entry in entries(tmp_path)] == ["b", "c.jsonl", "a"]


def test_a_folder_that_is_none_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert entries(tmp_path / "file") == entries(tmp_path / "nowhere") == []
