"""`redline handoff --fit`, and what stands around the summary in the file."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_the_whole_file_fits_and_what_had_to_go_is_said(
    run: Run, shop: str, tmp_path: Path
) -> None:
    path = tmp_path / "small.md"
    answer = run("handoff", shop, "--strategy", "redline", "--fit", "3k", "-o", str(path), "--json")
    assert answer.status == 0, answer.err
    fit = answer.json["fit"]
    assert fit["tokens"] <= fit["limit"] == 3_000
    assert fit["gone"]
    assert all(line in answer.err for line in fit["gone"])
    whole = tmp_path / "whole.md"
    run("handoff", shop, "--strategy", "redline", "-o", str(whole))
    assert len(path.read_text()) < len(whole.read_text())


def test_as_json_it_fits_too(run: Run, shop: str, tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    answer = run("handoff", shop, "--strategy", "redline", "--fit", "4k", "-o", str(path), "--json")
    assert answer.json["fit"]["tokens"] <= 4_000
    assert "kept_left_out" in json.loads(path.read_text())


def test_what_fits_loses_nothing(run: Run, shop: str, tmp_path: Path) -> None:
    answer = run("handoff", shop, "--fit", "100k", "-o", str(tmp_path / "a.md"), "--json")
    assert answer.json["fit"]["gone"] == []


def test_less_than_the_rules_need_is_refused_with_the_least_size(
    run: Run, shop: str, tmp_path: Path
) -> None:
    run("rules", shop, "confirm", "--all")
    answer = run("handoff", shop, "--fit", "10", "-o", str(tmp_path / "a.md"))
    assert answer.status == 1
    assert "nothing but the rules it takes" in answer.err
    assert not (tmp_path / "a.md").exists()


def test_fit_and_budget_are_not_both(run: Run, shop: str) -> None:
    answer = run("handoff", shop, "--fit", "3k", "--budget", "2k")
    assert answer.status == 2
    assert "leave one out" in answer.err


def test_the_file_says_how_each_agent_is_started_with_it(run: Run, shop: str) -> None:
    answer = run("handoff", shop)
    path = answer.out.strip()
    text = Path(path).read_text()
    for program in ("claude", "codex", "pi", "hermes chat -q"):
        assert f"\n    {program} " in text
    assert text.count(path) >= 4
    assert "go on with it: cd " in answer.err
    assert "## Going on from here" not in run("handoff", shop, "-o", "-").out


def test_the_latest_handoff_of_the_project_is_told(run: Run, shop: str) -> None:
    missing = run("handoff", shop, "--latest")
    assert missing.status == 1
    assert "there is no handoff" in missing.err
    path = run("handoff", shop).out.strip()
    answer = run("handoff", shop, "--latest", "--json")
    assert answer.json["path"] == path
    assert len(answer.json["start"]) == 4
