"""`redline compact` and `redline restore` on a session of pi: beside it, and in its place."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.model import Kind
from tests.cli.conftest import Run, newest_receipt

LONG_AGO = 1_700_000_000
TAIL = ("--strategy", "pi", "--tail", "1k")


@pytest.fixture
def site(scratch: Path) -> Path:
    """The file of the sample of pi, which nobody has touched for long."""
    (path,) = scratch.rglob("*019ac2f4*.jsonl")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def test_a_new_session_lies_beside_and_the_command_names_it(run: Run, site: Path) -> None:
    before = site.read_bytes()
    done = run("compact", str(site), *TAIL)
    assert done.status == 0
    (path,) = set(site.parent.iterdir()) - {site}
    folder, command = done.out.strip().split(" && ")
    assert shlex.split(command) == ["pi", "--session", str(path)]
    assert open_session(path).info.parent == str(site)
    assert folder == f"cd {open_session(site).info.project}"
    assert (site.read_bytes(), site.stat().st_mtime) == (before, LONG_AGO)
    assert run("undo", newest_receipt(run)).status == 0
    assert list(site.parent.iterdir()) == [site]


def test_in_place_one_line_is_appended_and_undo_takes_it_off(run: Run, site: Path) -> None:
    before = site.read_bytes()
    told = run("compact", str(site), *TAIL, "--in-place", "--json").json
    assert told["in_place"] is True
    assert told["argv"] == ["pi", "--session", str(site)]
    assert site.read_bytes().startswith(before)
    assert open_session(site).context[0].parts[0].kind is Kind.SUMMARY
    assert site.stat().st_mtime != LONG_AGO
    assert run("undo", newest_receipt(run)).status == 0
    assert (site.read_bytes(), site.stat().st_mtime) == (before, LONG_AGO)


def test_in_place_the_file_can_keep_its_time(run: Run, site: Path) -> None:
    size = site.stat().st_size
    assert run("compact", str(site), *TAIL, "--in-place", "--keep-time").status == 0
    assert site.stat().st_size > size
    assert site.stat().st_mtime == LONG_AGO


def test_a_session_that_may_be_open_is_not_changed_and_the_ways_that_work_are_named(
    run: Run, site: Path
) -> None:
    os.utime(site)
    before = site.read_bytes()
    done = run("compact", str(site), *TAIL, "--in-place")
    assert done.status == 1
    assert "it changed in the last two minutes" in done.err
    assert "write a new session beside it" in done.err
    assert site.read_bytes() == before
    assert run("compact", str(site), *TAIL).status == 0


def test_a_plan_that_does_not_fit_in_place_is_refused_with_the_way_that_does(
    run: Run, site: Path
) -> None:
    before = site.read_bytes()
    done = run("compact", str(site), "--strategy", "codex", "--tail", "100", "--in-place")
    assert done.status == 1
    assert "leave out --in-place" in done.err
    assert site.read_bytes() == before


@pytest.mark.parametrize("at", [1, 5, -1])
def test_a_damaged_session_is_not_changed_in_its_place_wherever_the_damage_is(
    run: Run, site: Path, at: int
) -> None:
    lines = site.read_bytes().splitlines(keepends=True)
    lines.insert(at % (len(lines) + 1), b'{"type":"message","id":"deadbeef","mess\n')
    site.write_bytes(b"".join(lines))
    os.utime(site, (LONG_AGO, LONG_AGO))
    before = site.read_bytes()
    for more in ((), ("--dry-run",)):
        done = run("compact", str(site), *TAIL, "--in-place", *more)
        assert (done.status, done.out) == (1, "")
        assert "damaged" in done.err
        assert "leave out --in-place" in done.err
    assert site.read_bytes() == before
    assert run("compact", str(site), *TAIL).status == 0


def test_what_makes_the_session_larger_is_only_done_in_place_where_that_is_asked_for(
    run: Run, site: Path, tmp_path: Path
) -> None:
    long = tmp_path / "long.md"
    long.write_text("## Goal\n\n" + "Draw the page anew, one row after the other. " * 20_000)
    before = site.read_bytes()
    words = ("compact", str(site), *TAIL, "--handoff", str(long))
    done = run(*words, "--in-place")
    assert (done.status, done.out) == (1, "")
    assert "it frees nothing" in done.err
    assert "--force" in done.err
    assert site.read_bytes() == before
    beside = run(*words, "--json").json
    assert any("it frees nothing" in warning for warning in beside["warnings"])
    assert run(*words, "--in-place", "--force").status == 0
    assert len(site.read_bytes()) > len(before)


def test_what_was_appended_is_restored_as_it_was_before(run: Run, site: Path) -> None:
    wanted = [message.head for message in open_session(site).context]
    run("compact", str(site), *TAIL, "--in-place")
    told = run("restore", str(site), "--json").json
    assert [message.head for message in open_session(Path(told["path"])).context] == wanted


def test_a_broken_session_is_repaired(run: Run, site: Path) -> None:
    lines = site.read_text().splitlines()
    broken = json.loads(lines[-4])
    lines[-4] = json.dumps({**broken, "parentId": "nobody"})
    site.write_text("\n".join(lines) + "\n")
    source = open_session(site)
    assert source.resume_lost > 0
    assert run("compact", str(site), *TAIL, "--in-place").status == 1
    told = run("restore", str(site), "--repair", "--json").json
    repaired = open_session(Path(told["path"]))
    assert repaired.resume_lost == 0
    assert [m.head for m in repaired.context] == [m.head for m in source.context]
