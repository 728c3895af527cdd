"""`redline promote`: files that are loaded, retiring, the state, compact instructions, JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def file(scratch: Path) -> Path:
    return scratch / "projects/shop/CLAUDE.md"


def test_the_files_that_the_agent_loads_are_listed_in_order(
    run: Run, shop: str, file: Path
) -> None:
    file.write_text("# Shop\n\n@docs/more.md\n")
    (file.parent / "docs").mkdir(exist_ok=True)
    (file.parent / "docs/more.md").write_text("More.\n")
    (file.parent / "CLAUDE.local.md").write_text("Mine.\n")
    (file.parent / ".claude/rules").mkdir(parents=True, exist_ok=True)
    (file.parent / ".claude/rules/api.md").write_text("---\npaths: api/**\n---\nx\n")
    answer = run("promote", shop, "--files", "--json").json
    assert (answer["agent"], answer["project"]) == ("claude-code", str(file.parent))
    found = [(Path(one["path"]).name, one["cut_at"]) for one in answer["files"]]
    assert found == [
        ("CLAUDE.md", None), ("more.md", None), ("api.md", 0), ("CLAUDE.local.md", None),
    ]  # fmt: skip
    assert answer["files"][0]["bytes"] == len(file.read_bytes())
    assert answer["files"][0]["tokens"] > 0
    text = run("promote", shop, "--files")
    assert text.status == 0
    names = [line.split()[-1] for line in text.out.splitlines()[::2]]
    assert names == [one["path"] for one in answer["files"]]
    assert "imported by CLAUDE.md" in text.out
    assert "only with api" in text.out


def test_retired_rules_leave_the_file_and_stay_out_of_it(run: Run, shop: str, file: Path) -> None:
    run("rules", shop, "confirm", "--all")
    active = [r for r in run("rules", shop, "--json").json["rules"] if r["state"] == "active"]
    run("promote", shop)
    first = active[0]
    assert first["text"] in file.read_text()
    answer = run("promote", shop, "--retire", first["id"])
    assert answer.status == 0
    assert first["text"] not in file.read_text()
    again = run("promote", shop)
    assert f"--rule {first['id']}" in again.err
    assert first["text"] not in file.read_text()
    assert [
        r["state"] for r in run("rules", shop, "--json").json["rules"] if r["id"] == first["id"]
    ] == ["active"]
    assert run("promote", shop, "--rule", first["id"]).status == 0
    assert first["text"] in file.read_text()
    unknown = run("promote", shop, "--retire", "r-nothing")
    assert unknown.status == 2
    assert "r-nothing" in unknown.err


def test_more_than_twenty_rules_name_the_oldest(run: Run, shop: str, file: Path) -> None:
    before = file.read_bytes()
    for number in range(21):
        run("rules", shop, "add", f"Never rename file number{number}.py")
    for words in ((), ("--dry-run",), ("--json",)):
        answer = run("promote", shop, *words)
        assert answer.status == 1
        assert "--retire" in answer.err
        assert "number0.py" in answer.err
    assert file.read_bytes() == before
    oldest = answer.err.split("--retire ")[1].split(")")[0].split(",")[0].split()
    assert run("promote", shop, "--retire", *oldest).status == 0
    assert file.read_text().count("\n- Never rename") == 20


def test_the_state_is_written_updated_and_taken_out(run: Run, shop: str, file: Path) -> None:
    before = file.read_bytes()
    assert run("promote", shop, "--state").status == 0
    text = file.read_text()
    assert "## Where the work stands" in text
    for word in ("- Goal: ", "- State: ", "- Next:", "Do not rely on it after"):
        assert word in text
    assert "redline:rules" not in text
    assert run("promote", shop, "--state", "--remove").status == 0
    assert file.read_bytes() == before


def test_compact_instructions_are_for_claude_code(run: Run, shop: str, file: Path) -> None:
    assert run("promote", shop, "--compact-instructions").status == 0
    assert "## Compact Instructions" in file.read_text()
    infos = run("sessions", "--json").json["sessions"]
    pi = next(info["id"] for info in infos if info["agent"] == "pi")
    refused = run("promote", pi, "--compact-instructions")
    assert refused.status == 1
    assert "pi reads no instructions" in refused.err


@pytest.mark.parametrize(
    "name",
    ["CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", ".claude/rules/redline.md"],
)
def test_files_of_the_project_are_named_without_their_folder(
    run: Run, shop: str, scratch: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("rules", shop, "confirm", "--all")
    monkeypatch.chdir(scratch)
    answer = run("promote", shop, "--to", name, "--json").json
    written = scratch / "projects/shop" / name
    assert answer["path"] == str(written)
    assert answer["changed"]
    assert written.is_file()
    unread = [one for one in answer["warnings"] if "does not read" in one]
    assert bool(unread) == name.startswith("AGENTS")
    assert run("undo", answer["receipt"]).status == 0
    assert not written.exists()
    other = run("promote", shop, "--to", "notes/rules.md")
    assert other.status == 2
    assert "make the folder" in other.err


def test_json_tells_what_a_dry_run_would_do(run: Run, shop: str, file: Path) -> None:
    before = file.read_bytes()
    run("rules", shop, "confirm", "--all")
    dry = run("promote", shop, "--dry-run", "--json").json
    assert (dry["changed"], dry["receipt"], dry["path"]) == (True, None, str(file))
    assert any(line.startswith("+<!-- redline:rules") for line in dry["difference"])
    assert file.read_bytes() == before
    done = run("promote", shop, "--json").json
    assert done["receipt"]
    assert done["difference"] == dry["difference"]
    again = run("promote", shop, "--json").json
    assert (again["changed"], again["receipt"]) == (False, None)


def test_a_file_that_promote_made_goes_with_the_block_and_the_preview_says_so(
    run: Run, shop: str, scratch: Path
) -> None:
    run("rules", shop, "confirm", "--all")
    made = scratch / "projects/shop/AGENTS.md"
    assert run("promote", shop, "--to", "AGENTS.md").status == 0
    held = made.read_bytes()
    seen = run("promote", shop, "--to", "AGENTS.md", "--remove", "--dry-run")
    assert "redline has made it: the file goes too" in seen.err
    assert made.read_bytes() == held
    gone = run("promote", shop, "--to", "AGENTS.md", "--remove", "--json").json
    assert gone["changed"]
    assert not made.exists()
    assert run("undo", gone["receipt"]).status == 0
    assert made.read_bytes() == held


def test_what_cannot_be_written_says_what_to_do_next(run: Run, shop: str, scratch: Path) -> None:
    none = run("promote", shop)
    assert none.status == 1
    assert "no rule of this session is confirmed" in none.err
    assert "`redline rules SESSION` lists them" in none.err
    unknown = run("promote", shop, "--rule", "nope")
    assert "'nope' is no rule of this session" in unknown.err
    assert "confirm" not in unknown.err
    first = run("rules", shop, "--json").json["rules"][0]["id"]
    proposed = run("promote", shop, "--rule", first)
    assert f"rule {first} is proposed" in proposed.err
    assert f"confirm {first}" in proposed.err
    removed = run("promote", shop, "--remove")
    assert removed.status == 0
    assert "is without such a block already, nothing to take out" in removed.err
    run("rules", shop, "confirm", first)
    assert "the file is new" in run("promote", shop, "--to", "AGENTS.md").err
    assert "the file is gone" in run("promote", shop, "--to", "AGENTS.md", "--remove").err
    assert "what was there before is kept" in run("promote", shop).err


def test_a_rule_that_another_session_wrote_down_is_retired_by_what_it_says(
    run: Run, shop: str, file: Path
) -> None:
    run("rules", shop, "add", "Never rename a.py")
    (mine,) = (r for r in run("rules", shop, "--json").json["rules"] if "a.py" in r["text"])
    assert run("promote", shop).status == 0
    file.write_text(file.read_text().replace(mine["id"], "r-another"))
    assert run("promote", shop, "--json").json["changed"] is False
    assert run("promote", shop, "--retire", mine["id"]).status == 0
    assert "a.py" not in file.read_text()


def test_a_line_by_hand_in_the_block_is_there_after_its_removal(
    run: Run, shop: str, file: Path
) -> None:
    before = file.read_text()
    run("rules", shop, "add", "Never rename a.py")
    run("promote", shop)
    file.write_text(file.read_text().replace("- Never rename", "- By hand\n- Never rename"))
    answer = run("promote", shop, "--remove", "--json").json
    assert any("By hand" in one and "stays" in one for one in answer["warnings"])
    assert file.read_text() == f"{before}\n- By hand\n"
