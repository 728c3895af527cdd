"""What sessions, inspect, show and plan say of the samples."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.agents.claude_code.writing import start, write
from tests.cli.conftest import Run

EVERY = ("redline", "pi", "scored", "fresh")


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


def test_what_is_not_billed_is_marked_in_the_text(run: Run, shop: str) -> None:
    said = run("inspect", shop).out
    assert re.search(r"^compacts at \d+k \(", said, re.MULTILINE)
    assert re.search(r"^used \d+k of", said, re.MULTILINE)
    assert re.search(r"^  tool +~\d+k", said, re.MULTILINE)
    planned = run("plan", shop).out
    assert re.search(r"^now .* \d+k$", planned, re.MULTILINE)
    assert re.search(r"^after .* ~\d+k$", planned, re.MULTILINE)
    assert re.search(r"keeps ~\S+, clears ~\S+, summarises ~\S+", planned)


def test_inspect_names_the_leaves_that_leaf_takes(run: Run) -> None:
    seen = 0
    for info in run("sessions", "--json").json["sessions"]:
        for branch in run("inspect", info["id"], "--json").json["side_branches"]:
            assert f"--leaf {branch['leaf']}" in run("inspect", info["id"]).out
            there = run("show", info["id"], "--leaf", branch["leaf"], "--json").json["blocks"]
            assert any(branch["head"] in block["text"] for block in there)
            seen += 1
    assert seen


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


def test_a_plan_says_where_each_message_goes(run: Run, shop: str) -> None:
    plan = run("plan", shop, "--json").json
    text = run("plan", shop).out
    for layer in plan["layers"]:
        assert re.search(rf"^{layer['name']} +{layer['count']} (?:messages|items)", text, re.M)
    for message in plan["messages"]:
        mark = "m" if message["memory"] else " "
        line = next(each for each in text.split("\n") if f" {message['id'][:12]} " in each)
        assert f"{message['action']:<9} {message['layer']:<8}{mark} " in line


def test_scored_is_set_by_flags_and_settings_and_saved_with_its_plan(
    run: Run, shop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "plan.json"
    monkeypatch.setenv("REDLINE_WEIGHTS", "error=0.4")
    flags = ("--strategy", "scored", "--turns", "2", "--score", "0.45")
    made = run("plan", shop, *flags, "-o", str(saved), "--json").json
    used = {"turns": 2, "score": 0.45, "weight_error": 0.4, "weight_rule": 0.4}
    assert used.items() <= made["settings"].items()
    assert all("; score " in message["reason"] for message in made["messages"])
    monkeypatch.delenv("REDLINE_WEIGHTS")
    again = run("plan", shop, "--plan", str(saved), "--json").json
    assert again["settings"] == made["settings"]
    assert [m["action"] for m in again["messages"]] == [m["action"] for m in made["messages"]]
    assert run("plan", shop, "--score", "2").status == 2


def test_a_plan_with_nothing_to_compact_ends_with_1(run: Run, shop: str) -> None:
    answer = run("plan", shop, "--strategy", "pi", "--tail", "1m")
    assert answer.status == 1
    assert "nothing to compact" in answer.out
    assert "frees nothing" in answer.out
    some = run("plan", shop, "--strategy", "pi", "--tail", "1k", "--json")
    assert some.status == 0
    first = some.json["messages"][0]["id"]
    dropped = run("plan", shop, "--strategy", "pi", "--tail", "1m", "--drop", first)
    assert dropped.status == 0


def test_one_result_of_several_is_cleared_by_its_place(run: Run, shop: str, tmp_path: Path) -> None:
    messages = run("plan", shop, "--json").json["messages"]
    call = next(
        at
        for at, message in enumerate(messages)
        if [part["type"] for part in message["parts"]].count("tool_call") == 3
    )
    group = [message["id"] for message in messages[call : call + 4]]
    saved = tmp_path / "plan.json"
    flags = ("--keep", group[0], "--clear", f"{group[2]}#0", "-o", str(saved))
    made = run("plan", shop, *flags, "--json").json["messages"][call : call + 4]
    actions = [[part["action"] for part in message["parts"]] for message in made]
    assert actions == [["keep"] * 3, ["keep"], ["clear"], ["keep"]]
    again = run("plan", shop, "--plan", str(saved), "--json").json["messages"]
    assert again[call : call + 4] == made
    wrong = run("plan", shop, "--clear", f"{group[2]}#7")
    assert wrong.status == 2
    assert "no part 7" in wrong.err


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


def test_the_list_names_every_session_whole_for_a_program_that_reads_it(run: Run) -> None:
    listed = run("sessions").out
    for info in run("sessions", "--json").json["sessions"]:
        assert info["id"] in listed
        assert info["project"] in listed
        assert info["title"][:20] in listed


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


def test_a_line_that_is_being_written_is_damage_only_once_the_session_is_left(
    run: Run, tmp_path: Path
) -> None:
    path = write(tmp_path, start())
    with path.open("ab") as file:
        file.write(b'{"type": "user", "uuid": "half')
    found = run("inspect", str(path), "--json").json
    assert (found["session"]["live"], found["being_written"], found["damage"]) == (True, 3, [])
    said = run("inspect", str(path)).out
    assert "record 3 is being written" in said
    assert "damaged" not in said
    os.utime(path, (0, 0))
    found = run("inspect", str(path), "--json").json
    assert (found["session"]["live"], found["being_written"]) == (False, None)
    assert [damage["kind"] for damage in found["damage"]] == ["torn_tail"]
    assert "1 damaged record" in run("inspect", str(path)).out


def test_the_list_says_what_tells_that_a_session_is_in_use_as_the_screen_does(
    run: Run, scratch: Path
) -> None:
    path = Path(run("sessions", "--json").json["sessions"][0]["path"])
    os.utime(path)
    words = run("sessions").out
    assert " recent " in words
    assert " live " not in words
    marked = [one["live_by"] for one in run("sessions", "--json").json["sessions"] if one["live"]]
    assert "a recent change" in marked


def test_every_line_of_what_to_do_stands_under_the_first(run: Run, scratch: Path) -> None:
    for other in (".codex/sessions", ".pi/agent/sessions", ".hermes"):
        place = Path(os.environ["HOME"]) / other
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.write_text("no folder")
    lines = run("inspect", "nobody").err.splitlines()
    assert len(lines) > 1
    assert lines[0].startswith("redline: ")
    assert all(line.startswith(" " * 9) for line in lines[1:])
