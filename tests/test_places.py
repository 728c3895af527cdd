from __future__ import annotations

import sys
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import places

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="XDG folders")


def test_redline_home_holds_all_folders(tmp_path: Path) -> None:
    found = places({"REDLINE_HOME": str(tmp_path), "XDG_CONFIG_HOME": "/elsewhere"})

    assert found.settings == tmp_path / "config" / "config.yaml"
    assert found.database == tmp_path / "state" / "redline.sqlite"
    assert found.receipts == tmp_path / "state" / "receipts"
    assert found.handoffs == tmp_path / "data" / "handoffs"
    assert found.cache == tmp_path / "cache"


def test_no_folder_is_made_by_asking_for_it(tmp_path: Path) -> None:
    places({"REDLINE_HOME": str(tmp_path / "new")})

    assert not (tmp_path / "new").exists()


def test_a_tilde_means_the_home_of_the_given_environment(tmp_path: Path) -> None:
    assert places({"REDLINE_HOME": "~/r", "HOME": str(tmp_path)}).config == tmp_path / "r/config"


@linux
def test_the_given_environment_counts_not_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/wrong")
    monkeypatch.setenv("HOME", "/wrong")

    found = places({"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "st")})

    assert found.config == tmp_path / ".config" / "redline"
    assert found.state == tmp_path / "st" / "redline"
    assert found.data == tmp_path / ".local" / "share" / "redline"
    assert found.cache == tmp_path / ".cache" / "redline"


@linux
def test_a_relative_xdg_folder_is_not_taken(tmp_path: Path) -> None:
    found = places({"HOME": str(tmp_path), "XDG_CONFIG_HOME": "conf"})

    assert found.config == tmp_path / ".config" / "redline"


@linux
def test_without_a_home_folder_the_error_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", nowhere)

    with pytest.raises(RedlineError, match="no home folder") as caught:
        places({})
    assert "REDLINE_HOME" in caught.value.hint


@linux
def test_an_empty_home_is_none_rather_than_the_root_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "")
    with pytest.raises(RedlineError, match="no home folder"):
        places({"HOME": ""})
