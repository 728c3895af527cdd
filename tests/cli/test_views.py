"""Every view of a session by command: another leaf, and before a compaction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def tree(scratch: Path) -> Path:
    """A session of pi with a side branch and a compaction, which kept its second turn."""
    rows: list[dict[str, object]] = [
        {"type": "session", "version": 3, "id": "tree", "timestamp": "2026-01-02T09:00:00.000Z",
         "cwd": str(scratch)},
    ]  # fmt: skip

    def entry(name: str, parent: str | None, role: str, text: str) -> None:
        rows.append(
            {
                "type": "message",
                "id": name,
                "parentId": parent,
                "timestamp": "2026-01-02T09:00:00.000Z",
                "message": {"role": role, "content": [{"type": "text", "text": text}]},
            }
        )

    entry("u1", None, "user", "First: never touch vendor/.")
    entry("a1", "u1", "assistant", "Yes.")
    entry("x1", "a1", "user", "A way that was left: use Redis.")
    entry("x2", "x1", "assistant", "Redis it is.")
    entry("u2", "a1", "user", "Second: write the README.")
    entry("a2", "u2", "assistant", "Written.")
    rows.append(
        {
            "type": "compaction",
            "id": "c1",
            "parentId": "a2",
            "timestamp": "2026-01-02T09:00:00.000Z",
            "summary": "The README was written.",
            "firstKeptEntryId": "u2",
            "tokensBefore": 1200,
        }
    )
    entry("u3", "c1", "user", "Third: bump the version.")
    entry("a3", "u3", "assistant", "Bumped.")
    path = scratch / "tree.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ids(answer: dict[str, list[dict[str, str]]]) -> list[str]:
    return list(dict.fromkeys(block["message"] for block in answer["blocks"]))


def test_contents_tell_turns_compactions_and_branches_in_their_order(run: Run, tree: Path) -> None:
    text = run("contents", str(tree)).out
    places = [text.index(piece) for piece in ("First:", "--leaf x2", "Second:", "compaction 1")]
    assert places == sorted(places)
    assert "kept 2 messages word for word, 1 of them yours" in text
    assert "--before 1" in text
    assert "summary of 23 characters: The README was written." in text
    line = next(line for line in text.splitlines() if "  First:" in line)
    assert line.startswith("."), "it is not in the context any more"
    assert next(line for line in text.splitlines() if "  Third:" in line).startswith(" ")


def test_contents_as_json_tell_the_same(run: Run, tree: Path) -> None:
    found = run("contents", str(tree), "--json").json
    assert found["schema"] == 1
    assert found["messages"] == 7
    assert found["context"] == [{"from": 2, "to": 7}]
    assert [turn["prompt"][:5] for turn in found["turns"]] == ["First", "Secon", "Third"]
    assert [turn["in_context"] for turn in found["turns"]] == [False, True, True]
    (boundary,) = found["compactions"]
    assert (boundary["place"], boundary["turn"]) == (4, 2)
    assert boundary["summary"] == "The README was written."
    assert [kept["message"] for kept in boundary["kept"]] == ["u2", "a2"]
    (branch,) = found["side_branches"]
    assert (branch["leaf"], branch["place"], branch["turn"]) == ("x2", 1, 1)


def test_contents_of_a_leaf_are_those_of_its_branch(run: Run, tree: Path) -> None:
    found = run("contents", str(tree), "--leaf", "x2", "--json").json
    assert found["view"] == {"leaf": "x2", "before": None}
    assert [turn["message"] for turn in found["turns"]] == ["u1", "x1"]
    assert not found["compactions"]


def test_before_a_compaction_the_context_is_what_it_took(run: Run, tree: Path) -> None:
    assert ids(run("show", str(tree), "--json").json)[1:] == ["u2", "a2", "u3", "a3"]
    assert ids(run("show", str(tree), "--before", "1", "--json").json) == ["u1", "a1", "u2", "a2"]
    found = run("inspect", str(tree), "--before", "1", "--json").json
    assert found["counts"]["context_messages"] == 4
    assert found["counts"]["messages"] == 4, "what came later is not yet said"
    assert not found["compactions"]


def test_a_handoff_before_a_compaction_knows_nothing_of_later(run: Run, tree: Path) -> None:
    text = run("handoff", str(tree), "--before", "1", "-o", "-").out
    assert "write the README" in text
    assert "bump the version" not in text


def test_the_history_shows_what_is_not_in_the_context(run: Run, tree: Path) -> None:
    assert ids(run("show", str(tree), "--history", "--json").json)[:2] == ["u1", "a1"]
    text = run("show", str(tree), "--history").out
    assert "user  u1  not in the context" in text
    assert "user  u3\n" in text
    assert "never touch vendor" in run("show", str(tree), "--message", "u1").out
    assert run("show", str(tree), "--message", "nowhere").status == 2


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", ""])
def test_what_is_no_number_of_a_compaction_is_wrong_use(run: Run, tree: Path, number: str) -> None:
    assert run("plan", str(tree), f"--before={number}").status == 2


@pytest.mark.parametrize("flags", [("--before", "2"), ("--leaf", "nowhere")])
def test_a_view_that_is_not_there_is_told(run: Run, tree: Path, flags: tuple[str, str]) -> None:
    answer = run("plan", str(tree), *flags)
    assert answer.status == 2
    assert answer.err.startswith("redline: ")
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("flags", [("--before", "1"), ("--leaf", "x2")])
def test_a_plan_remembers_what_it_was_made_on_and_refuses_another(
    run: Run, tree: Path, scratch: Path, flags: tuple[str, str]
) -> None:
    plan = str(scratch / "plan.json")
    run("plan", str(tree), *flags, "--drop", "u1", "-o", plan)
    taken_up = run("handoff", str(tree), "--plan", plan, "-o", "-")
    assert taken_up.status == 0
    assert "bump the version" not in taken_up.out
    assert run("handoff", str(tree), "--plan", plan, *flags, "-o", "-").status == 0
    other = ("--leaf", "x2") if flags[0] == "--before" else ("--before", "1")
    refused = run("handoff", str(tree), "--plan", plan, *other, "-o", "-")
    assert refused.status == 2
    assert "this plan was made on" in refused.err
    assert " ".join(flags) in refused.err


def test_a_plan_of_the_live_branch_is_refused_elsewhere(
    run: Run, tree: Path, scratch: Path
) -> None:
    plan = str(scratch / "plan.json")
    run("plan", str(tree), "-o", plan)
    refused = run("plan", str(tree), "--plan", plan, "--before", "1")
    assert refused.status == 2
    assert "not on the live branch before compaction 1" in refused.err
