from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.text import safe
from tests.cli.conftest import Run

EVERY = ("redline", "pi", "fresh")


def test_sessions_lists_the_samples_of_both_agents(run: Run) -> None:
    answer = run("sessions", "--json")
    assert answer.status == 0
    agents = {info["agent"] for info in answer.json["sessions"]}
    assert agents == {"claude-code", "pi"}


def test_sessions_can_be_narrowed_to_an_agent_and_a_project(run: Run, scratch: Path) -> None:
    assert {
        info["agent"] for info in run("sessions", "--agent", "pi", "--json").json["sessions"]
    } == {"pi"}
    site = run("sessions", "--project", str(scratch / "projects/site"), "--json").json["sessions"]
    assert site
    assert all(info["project"].endswith("/site") for info in site)


def test_without_any_session_the_list_says_so_and_ends_with_1(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "nowhere"))
    answer = run("sessions")
    assert answer.status == 1
    assert "no sessions" in answer.err


def test_inspect_gives_a_window_whose_categories_add_up(run: Run, shop: str) -> None:
    window = run("inspect", shop, "--json").json["window"]
    assert sum(window["categories"].values()) == window["used"]
    assert window["source"] == "measured"
    assert window["free"] == window["limit"] - window["reserve"] - window["used"]
    assert window["billed"] > 0.8 * window["limit"]


def test_inspect_of_every_sample_prints_text_without_control_characters(run: Run) -> None:
    for info in run("sessions", "--json").json["sessions"]:
        for words in (("inspect",), ("show",), ("plan",), ("rules",)):
            answer = run(words[0], info["id"], *words[1:])
            assert answer.status == 0, answer.err
            assert not [c for c in answer.out if ord(c) < 32 and c not in "\n\t"]
            assert "\u202e" not in answer.out


def test_show_gives_one_message_whole(run: Run, shop: str) -> None:
    blocks = run("show", shop, "--json").json["blocks"]
    message = blocks[3]["message"]
    one = run("show", shop, "--message", message, "--json").json["blocks"]
    assert {block["message"] for block in one} == {message}
    assert one == [block for block in blocks if block["message"] == message]


def test_show_of_a_message_nobody_knows_ends_with_2(run: Run, shop: str) -> None:
    answer = run("show", shop, "--message", "nobody")
    assert answer.status == 2
    assert "nobody" in answer.err


@pytest.mark.parametrize("strategy", EVERY)
def test_a_plan_has_one_action_for_every_message(run: Run, shop: str, strategy: str) -> None:
    plan = run("plan", shop, "--strategy", strategy, "--json").json
    context = run("inspect", shop, "--json").json["counts"]["context_messages"]
    assert [message["index"] for message in plan["messages"]] == list(range(context))
    tokens = plan["tokens"]
    assert tokens["before"] == tokens["kept"] + tokens["cleared"] + tokens["summarised"]


def test_a_saved_plan_is_taken_up_again(run: Run, shop: str, tmp_path: Path) -> None:
    saved = tmp_path / "plan.json"
    first = run("plan", shop, "--json").json["messages"][0]["id"]
    made = run("plan", shop, "--tail", "5k", "--keep", first, "-o", str(saved), "--json").json
    again = run("plan", shop, "--plan", str(saved), "--json").json
    assert [m["action"] for m in again["messages"]] == [m["action"] for m in made["messages"]]
    assert again["messages"][0]["pinned"]


def test_a_plan_of_another_session_is_refused(run: Run, shop: str, tmp_path: Path) -> None:
    saved = tmp_path / "plan.json"
    run("plan", shop, "-o", str(saved))
    others = [info["id"] for info in run("sessions", "--json").json["sessions"]]
    other = next(name for name in others if name != shop)
    answer = run("plan", other, "--plan", str(saved))
    assert answer.status == 2
    assert shop in answer.err


@pytest.mark.parametrize("broken", [b"", b"{}", b"[]", b"\xff\x00", b'{"schema": 1}'])
def test_what_is_no_plan_is_refused_with_a_clear_error(
    run: Run, shop: str, tmp_path: Path, broken: bytes
) -> None:
    saved = tmp_path / "plan.json"
    saved.write_bytes(broken)
    answer = run("plan", shop, "--plan", str(saved))
    assert answer.status == 2
    assert "plan" in answer.err
    assert "Traceback" not in answer.err


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


def test_undo_of_nothing_ends_with_1(run: Run) -> None:
    answer = run("undo")
    assert answer.status == 1
    assert "nothing to undo" in answer.err


def test_config_shows_where_a_value_comes_from(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDLINE_TAIL_TOKENS", "12k")
    settings = run("config", "show", "--json").json["settings"]
    assert settings["tail_tokens"] == {"value": 12_000, "origin": "$REDLINE_TAIL_TOKENS"}
    assert settings["theme"]["origin"] == "default"


def test_config_edit_starts_from_a_file_that_changes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    assert run("config", "edit").status == 0
    assert Path(run("config", "path").out.strip()).exists()
    assert run("config", "show").status == 0


def test_doctor_says_where_it_looked(run: Run, scratch: Path) -> None:
    answer = run("doctor", "--json")
    assert answer.status == 0
    looked = {entry["path"]: entry for entry in answer.json["looked"]}
    assert any(str(scratch) in path for path in looked)
    assert answer.json["sessions"] == {"claude-code": 3, "pi": 1}


@pytest.mark.parametrize(
    "words", [("inspect",), ("show", "--resume"), ("plan",), ("handoff",), ("audit",), ("promote",)]
)
def test_a_session_that_is_not_there_is_one_clear_line(run: Run, words: tuple[str, ...]) -> None:
    answer = run(words[0], "no-such-session", *words[1:])
    assert answer.status == 2
    assert "no-such-session" in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02" * 50, b"not json\n", b"[1]\n", b"\xef\xbb\xbf", b"{}\n"]
)
def test_a_file_that_is_no_session_is_one_clear_line(
    run: Run, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_bytes(content)
    answer = run("inspect", str(file))
    assert answer.status == 2
    assert "odd.jsonl" in answer.err
    assert "Traceback" not in answer.err


def test_a_mistyped_command_is_answered_with_the_right_one(run: Run) -> None:
    answer = run("insepct", "last")
    assert answer.status == 2
    assert "inspect" in answer.err


def test_the_screens_say_that_they_need_a_terminal(run: Run) -> None:
    answer = run()
    assert answer.status == 2
    assert "terminal" in answer.err


def test_the_headless_demo_goes_the_whole_way_and_touches_only_its_folder(
    run: Run, tmp_path: Path
) -> None:
    there = tmp_path / "demo"
    answer = run("demo", "--headless", "--keep", str(there))
    assert answer.status == 0, answer.err
    for step in ("sessions", "window", "cut", "pinned", "rule", "handoff", "wrote", "undone"):
        assert step in answer.out
    assert "CLAUDE.md is as before" in answer.out
    assert str(there) in answer.err


def test_the_demo_uses_no_folder_that_holds_something(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    assert run("demo", "--headless", "--keep", str(tmp_path / "full")).status == 2
    assert (tmp_path / "full" / "mine").read_text() == "mine"


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


@pytest.mark.parametrize(
    "project", ["\0", "x" * 5000, "/" + "y" * 300, "LOOP", "~nobody-at-all/x", "", "relative"]
)
def test_a_session_may_say_any_project_and_disturbs_no_other(
    run: Run, scratch: Path, shop: str, project: str
) -> None:
    if project == "LOOP":
        (scratch / "LOOP").symlink_to(scratch / "LOOP")
        project = str(scratch / "LOOP")
    path = Path(run("inspect", shop, "--json").json["session"]["path"])
    other = path.with_name("00000000-0000-4000-8000-000000000000.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    other.write_text("".join(json.dumps({**line, "cwd": project}) + "\n" for line in lines))
    run("rules", "00000000", "add", "Never touch src")
    for words in (
        ("sessions", "--project", "."),
        ("inspect", "last"),
        ("inspect", "00000000"),
        ("handoff", "00000000"),
    ):
        assert run(*words).status == 0, words
    if not project.startswith("/"):
        listed = run("sessions", "--project", "/", "--json").json["sessions"]
        assert "00000000" not in [info["id"][:8] for info in listed]
    refused = run("promote", "00000000")
    assert refused.status == 2
    assert "project" in refused.err or "folder" in refused.err


@pytest.mark.parametrize("name", ["x" * 300, "~nobody-at-all/x.md", "no/folder/x.md", "."])
@pytest.mark.parametrize(
    "words", [("handoff", "-o"), ("plan", "-o"), ("promote", "--to"), ("audit", "--handoff")]
)
def test_a_name_no_file_can_have_is_one_clear_line(
    run: Run, shop: str, words: tuple[str, str], name: str
) -> None:
    run("rules", shop, "confirm", "--all")
    answer = run(words[0], shop, words[1], name)
    assert answer.status == 2
    assert answer.err.startswith("redline: ")
    assert answer.out == ""


def test_the_list_names_every_session_whole_for_a_program_that_reads_it(run: Run) -> None:
    listed = run("sessions").out
    for info in run("sessions", "--json").json["sessions"]:
        assert info["id"] in listed
        assert info["project"] in listed
        assert info["title"][:20] in listed


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


@pytest.mark.parametrize("editor", ["", " ", "'", "/nowhere/at-all"])
def test_an_editor_that_cannot_be_is_told_and_nothing_is_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, editor: str
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    answer = run("config", "edit")
    assert answer.status == 2
    assert answer.err.startswith(("redline: no editor", "redline: cannot start"))


@pytest.mark.parametrize("words", [("audit", "--handoff"), ("plan", "--plan")])
def test_a_device_or_nothing_in_the_place_of_a_file_is_refused(
    run: Run, shop: str, words: tuple[str, str]
) -> None:
    for path in ("/dev/zero", "no-such-file"):
        answer = run(words[0], shop, words[1], path)
        assert answer.status == 2
        assert path in answer.err
