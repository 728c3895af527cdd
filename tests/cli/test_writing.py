"""Rules, handoffs, audits and blocks, and the way back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.text import safe
from tests.cli.conftest import Run


def test_rules_are_confirmed_edited_added_revoked_and_stay_so(run: Run, shop: str) -> None:
    proposed = [r for r in run("rules", shop, "--json").json["rules"] if r["state"] == "proposed"]
    first, second = proposed[0]["id"], proposed[1]["id"]
    assert run("rules", shop, "confirm", first).status == 0
    assert run("rules", shop, "dismiss", second).status == 0
    run("rules", shop, "add", "Never", "change", "the", "API")
    run("rules", shop, "edit", first, "Never touch src/legacy at all")
    rules = {rule["id"]: rule for rule in run("rules", shop, "--json").json["rules"]}
    assert rules[first]["state"] == "active"
    assert rules[first]["text"] == "Never touch src/legacy at all"
    assert rules[second]["state"] == "dismissed"
    assert any(r["text"] == "Never change the API" and r["message"] is None for r in rules.values())
    run("rules", shop, "revoke", first)
    again = {rule["id"]: rule for rule in run("rules", shop, "--json").json["rules"]}
    assert again[first]["state"] == "revoked"


def test_a_rule_nobody_knows_is_an_error_that_lists_the_known(run: Run, shop: str) -> None:
    answer = run("rules", shop, "confirm", "r-nothing")
    assert answer.status == 2
    assert "r-nothing" in answer.err


def test_a_handoff_on_standard_output_passes_its_own_audit(
    run: Run, shop: str, tmp_path: Path
) -> None:
    answer = run("handoff", shop, "-o", "-")
    assert answer.status == 0
    file = tmp_path / "handoff.md"
    file.write_text(answer.out, encoding="utf-8")
    audit = run("audit", shop, "--handoff", str(file), "--json")
    assert audit.json["ok"], [i for i in audit.json["items"] if i["verdict"] != "word for word"]
    assert audit.status == 0


def test_a_handoff_without_a_rule_fails_the_audit_with_1(
    run: Run, shop: str, tmp_path: Path
) -> None:
    run("rules", shop, "confirm", "--all")
    rule = next(
        r["text"] for r in run("rules", shop, "--json").json["rules"] if r["state"] == "active"
    )
    text = run("handoff", shop, "-o", "-").out
    file = tmp_path / "handoff.md"
    file.write_text(text.replace(rule, "do as you like"), encoding="utf-8")
    audit = run("audit", shop, "--handoff", str(file), "--json")
    assert audit.status == 1
    verdicts = {i["text"]: i["verdict"] for i in audit.json["items"] if i["class"] == "rule"}
    assert verdicts[rule] != "word for word"


def test_the_agents_own_compaction_is_audited_without_a_handoff(run: Run, shop: str) -> None:
    audit = run("audit", shop, "--json")
    assert audit.status == 1
    assert audit.json["subject"] != "handoff"
    assert any(i["verdict"] == "missing" and i["class"] == "rule" for i in audit.json["items"])


def test_a_session_that_was_never_compacted_has_nothing_to_audit(run: Run) -> None:
    for info in run("sessions", "--json").json["sessions"]:
        if not run("inspect", info["id"], "--json").json["compactions"]:
            answer = run("audit", info["id"])
            assert answer.status == 1
            assert "never compacted" in answer.err


def test_a_handoff_goes_to_the_data_folder_and_is_undone(
    run: Run, shop: str, scratch: Path
) -> None:
    written = Path(run("handoff", shop).out.strip())
    assert written.is_relative_to(scratch / "redline" / "data" / "handoffs")
    assert written.stat().st_mode & 0o777 == 0o600
    receipts = run("receipts", "--json").json["receipts"]
    assert [w["path"] for w in receipts[0]["written"]] == [str(written)]
    assert run("undo").status == 0
    assert not written.exists()


def test_a_handoff_never_replaces_a_file_that_is_not_its_own(
    run: Run, shop: str, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.md"
    mine.write_text("mine")
    assert run("handoff", shop, "-o", str(mine)).status == 1
    assert mine.read_text() == "mine"
    assert run("handoff", shop, "-o", str(mine), "--replace").status == 0
    assert run("undo").status == 0
    assert mine.read_text() == "mine"


def test_a_handoff_as_json_has_the_fields_of_the_schema(run: Run, shop: str) -> None:
    data = json.loads(run("handoff", shop, "--format", "json", "-o", "-").out)
    for name in ("goal", "done", "current_state", "decisions", "constraints", "files", "errors"):
        assert name in data
    assert data["version"] == "1.0"
    assert data["files"]["changed"]
    assert data["sources"]["/files/changed/0"]


def test_a_pinned_message_stands_whole_in_the_handoff(run: Run, shop: str) -> None:
    blocks = run("show", shop, "--json").json["blocks"]
    reply = next(b for b in blocks if b["role"] == "assistant" and b["type"] == "text")
    text = run("handoff", shop, "--strategy", "fresh", "--keep", reply["message"], "-o", "-").out
    assert "Kept word for word" in text
    assert reply["text"].splitlines()[0] in text


def test_the_fake_token_of_the_samples_is_in_no_handoff(run: Run) -> None:
    for info in run("sessions", "--json").json["sessions"]:
        text = run("handoff", info["id"], "--strategy", "redline", "-o", "-").out
        assert "sk_live" not in text
        assert "ghp_" not in text


@pytest.mark.parametrize("where", [("-o", "-"), ("--dry-run",), ("-o", "here.md")])
def test_a_handoff_says_which_secrets_its_writer_took_out(
    run: Run, shop: str, where: tuple[str, ...]
) -> None:
    call = next(
        message["id"]
        for message in run("plan", shop, "--json").json["messages"]
        if "dev.env" in run("show", shop, "--message", message["id"]).out
    )
    answer = run("handoff", shop, "--keep", call, *where)
    assert "taken out" in answer.err
    clean = run("handoff", shop, "--strategy", "fresh", *where, "--replace")
    assert "taken out" not in clean.err


def test_promote_writes_active_rules_once_and_undo_brings_the_file_back(
    run: Run, shop: str, scratch: Path
) -> None:
    file = scratch / "projects/shop/CLAUDE.md"
    before = file.read_bytes()
    assert run("promote", shop).status == 1  # nothing is confirmed yet
    run("rules", shop, "confirm", "--all")
    dry = run("promote", shop, "--dry-run")
    assert dry.status == 0
    assert file.read_bytes() == before
    assert any(line.startswith("+") for line in dry.out.splitlines())
    assert run("promote", shop).status == 0
    once = file.read_bytes()
    assert before.rstrip() in once
    run("promote", shop)
    assert file.read_bytes() == once
    assert run("undo").status == 0
    assert file.read_bytes() == before


def test_promote_remove_takes_the_block_out(run: Run, shop: str, scratch: Path) -> None:
    file = scratch / "projects/shop/CLAUDE.md"
    before = file.read_bytes()
    run("rules", shop, "confirm", "--all")
    run("promote", shop)
    assert run("promote", shop, "--remove").status == 0
    assert file.read_bytes() == before


def test_a_second_undo_takes_back_nothing_that_nobody_named(run: Run, shop: str) -> None:
    assert run("handoff", shop).status == 0
    assert run("handoff", shop, "--focus", "the export").status == 0
    assert run("undo").status == 0
    answer = run("undo")
    assert answer.status == 1
    assert "taken back already" in answer.err
    assert run("undo", answer.err.split("`")[1].split()[-1]).status == 0


def test_undo_of_nothing_ends_with_1(run: Run) -> None:
    answer = run("undo")
    assert answer.status == 1
    assert "nothing to undo" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "SESSION", "-o", "FILE"),
        ("handoff", "SESSION", "-o", "FILE"),
        ("handoff", "SESSION", "-o", "FILE", "--replace"),
        ("handoff", "SESSION", "-o", "FILE", "--replace", "--dry-run"),
        ("promote", "SESSION", "--to", "FILE"),
        ("promote", "SESSION", "--to", "FILE", "--remove"),
    ],
)
@pytest.mark.parametrize("way", ["itself", "a link to it", "a copy without an ending"])
def test_no_command_writes_to_a_session(
    run: Run, shop: str, tmp_path: Path, words: tuple[str, ...], way: str
) -> None:
    assert run("rules", shop, "confirm", "--all").status == 0
    path = Path(run("inspect", shop, "--json").json["session"]["path"])
    before = path.read_bytes()
    named = path if way == "itself" else tmp_path / "NOTES"
    if way == "a link to it":
        named.symlink_to(path)
    elif named != path:
        named.write_bytes(before)
    answer = run(*({"SESSION": shop, "FILE": str(named)}.get(word, word) for word in words))
    assert answer.status == 2
    assert "never writes" in answer.err
    assert path.read_bytes() == named.read_bytes() == before


def test_a_plan_replaces_plans_and_nothing_else(run: Run, shop: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    for _ in range(2):
        assert run("plan", shop, "-o", str(file)).status == 0
    for content in ("my notes", "{}", "[" * 100_000):
        file.write_text(content)
        answer = run("plan", shop, "-o", str(file))
        assert answer.status == 2
        assert "no saved plan" in answer.err
        assert file.read_text() == content


def test_nothing_kept_word_for_word_acts_on_a_terminal(run: Run) -> None:
    for info in run("sessions", "--json").json["sessions"]:
        for form in ("md", "json"):
            text = run("handoff", info["id"], "--tail", "1m", "--format", form)
            written = Path(text.out.strip()).read_text()
            assert safe(written) == written, info["title"]
            assert "red and gone" in written or "rounding" not in info["title"]


@pytest.mark.parametrize("words", [("rules",), ("inspect",), ("handoff",), ("rules", "add", "Ask")])
def test_rules_that_are_lost_with_a_damaged_database_are_told(
    run: Run, scratch: Path, shop: str, words: tuple[str, ...]
) -> None:
    assert run("rules", shop, "confirm", "--all").status == 0
    file = scratch / "redline" / "state" / "redline.sqlite"
    file.write_text("no database")
    answer = run(words[0], shop, *words[1:])
    assert answer.status == 0
    assert "was damaged" in answer.err
    assert "no database" in file.with_name(f"{file.name}.damaged-1").read_text()


def test_a_rule_that_was_revoked_leaves_the_block_and_the_others_stay(
    run: Run, shop: str, scratch: Path
) -> None:
    file = scratch / "projects/shop/CLAUDE.md"
    run("rules", shop, "confirm", "--all")
    run("promote", shop)
    active = [r for r in run("rules", shop, "--json").json["rules"] if r["state"] == "active"]
    gone, stays = active[0], active[1]
    run("rules", shop, "revoke", gone["id"])
    assert run("promote", shop).status == 0
    assert gone["id"] not in file.read_text(encoding="utf-8")
    assert stays["id"] in file.read_text(encoding="utf-8")
