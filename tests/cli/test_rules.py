"""`redline rules`: every step of a ledger by command, with its source and its way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.cli.rules_arguments import RULE_STATES, RULE_VERBS
from redline.ledger.rule import RuleState
from tests.cli.conftest import Answer, Run


def listed(run: Run, shop: str, *words: str) -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = run("rules", shop, *words, "--json").json["rules"]
    return rules


def by_text(run: Run, shop: str) -> dict[str, dict[str, Any]]:
    return {rule["text"]: rule for rule in listed(run, shop)}


@pytest.fixture
def names(run: Run, shop: str) -> list[str]:
    """The ids of the proposed rules of the sample."""
    return [rule["id"] for rule in listed(run, shop, "list", "--state", "proposed")]


def test_the_states_and_verbs_of_the_grammar_are_those_of_the_ledger() -> None:
    assert tuple(RuleState) == RULE_STATES
    assert len(set(RULE_VERBS)) == len(RULE_VERBS)


def test_a_rule_is_replaced_by_another_or_by_new_words(
    run: Run, shop: str, names: list[str]
) -> None:
    answer = run("rules", shop, "supersede", names[0], names[1])
    assert answer.status == 0
    assert f"{names[1]} replaces {names[0]}" in answer.err
    rules = {rule["id"]: rule for rule in listed(run, shop)}
    assert (rules[names[0]]["state"], rules[names[0]]["by"]) == ("superseded", names[1])
    assert rules[names[1]]["state"] == "active"
    run("rules", shop, "supersede", names[1], "Keep", "it", "simple")
    new = by_text(run, shop)["Keep it simple"]
    assert (new["state"], new["message"]) == ("active", None)
    assert run("rules", shop, "supersede", names[0], "r0000000").status == 2


def test_a_newer_value_by_hand_says_what_changed(run: Run, shop: str) -> None:
    run("rules", shop, "add", "Always use port 5432 for the staging database.")
    answer = run("rules", shop, "add", "The staging database must use port 5433 now.")
    assert "port 5432 -> 5433" in answer.err
    assert "port 5432 -> 5433" in answer.out
    old = by_text(run, shop)["Always use port 5432 for the staging database."]
    assert (old["state"], old["changed"]) == ("superseded", "port 5432 -> 5433")


def test_the_scope_is_set_by_command(run: Run, shop: str, names: list[str]) -> None:
    assert run("rules", shop, "scope", *names[:2], "session").status == 0
    scopes = {rule["id"]: rule["scope"] for rule in listed(run, shop)}
    assert [scopes[name] for name in names[:2]] == ["session", "session"]
    for words in (("scope", names[0]), ("scope", "session"), ("scope", names[0], "world")):
        assert run("rules", shop, *words).status == 2


def test_undo_goes_back_step_by_step_and_then_says_no(
    run: Run, shop: str, names: list[str]
) -> None:
    before = listed(run, shop)
    run("rules", shop, "confirm", names[0])
    run("rules", shop, "edit", names[0], "Other words")
    answer = run("rules", shop, "undo", "--json")
    assert answer.json["undone"] == {"verb": "edit", "rules": [names[0]]}
    assert run("rules", shop, "undo").status == 0
    assert listed(run, shop) == before
    answer = run("rules", shop, "undo")
    assert (answer.status, "nothing to take back" in answer.err) == (1, True)


def test_a_rule_is_shown_with_every_change_and_who_made_it(
    run: Run, shop: str, names: list[str]
) -> None:
    run("rules", shop, "confirm", names[0])
    run("rules", shop, "edit", names[0], "Other words")
    run("rules", shop, "undo")
    run("rules", shop, "revoke", names[0])
    rule = run("rules", shop, "show", names[0], "--json").json["rule"]
    history = [(one["what"], one["state"], one["cause"]) for one in rule["history"]]
    assert history == [
        ("said", "proposed", "message"),
        ("confirm", "active", "hand"),
        ("edit", "active", "hand"),
        ("undo", "active", "hand"),
        ("revoke", "revoked", "hand"),
    ]
    assert rule["history"][0]["message"] == rule["message"]
    assert all(one["time"] for one in rule["history"])
    shown = run("rules", shop, "show", names[0])
    assert "by hand" in shown.out
    assert f"message {rule['message']}" in shown.out


def test_the_start_of_an_id_is_enough(run: Run, shop: str, names: list[str]) -> None:
    assert run("rules", shop, "confirm", names[0][:6]).status == 0
    answer = run("rules", shop, "show", "r")
    assert answer.status == 2
    assert names[0] in answer.err  # those it fits are named


def test_every_verb_gives_json(run: Run, shop: str, names: list[str]) -> None:
    first, second = names[:2]
    for words in (
        ("confirm", first), ("dismiss", second), ("add", "Be brief"), ("edit", first, "x y"),
        ("scope", first, "session"), ("revoke", first), ("supersede", second, "Be quick"),
        ("undo",), ("list",),
    ):  # fmt: skip
        answer = run("rules", shop, *words, "--json")
        assert answer.status == 0, words
        assert {rule["id"] for rule in answer.json["rules"]} >= {first, second}
    assert run("rules", shop, "show", first, "--json").json["rule"]["id"] == first


def test_a_step_says_which_rules_it_changed(run: Run, shop: str, names: list[str]) -> None:
    assert run("rules", shop, "confirm", names[0], "--json").json["changed"] == [names[0]]
    again = run("rules", shop, "confirm", names[0])
    assert (again.status, "nothing changed" in again.err) == (0, True)


@pytest.mark.parametrize(
    "words",
    [
        ("confirm",), ("show",), ("show", "a", "b"), ("edit", "r1"), ("supersede", "r1"),
        ("list", "r1"), ("undo", "r1"), ("add", "--all", "x"), ("confirm", "--state", "active"),
        ("add", " "), ("add", "\u200b"), ("shout",), ("confirm", "--project", "r1"),
    ],
)  # fmt: skip
def test_wrong_use_is_2_and_says_what_was_expected(
    run: Run, shop: str, words: tuple[str, ...]
) -> None:
    answer = run("rules", shop, *words)
    assert answer.status == 2
    assert answer.err.strip()
    assert not answer.out


def test_a_rule_is_typed_as_it_is_with_what_looks_like_an_option(run: Run, shop: str) -> None:
    run("rules", shop, "add", "Never", "use", "--force", "or", "-f")
    rule = by_text(run, shop)["Never use --force or -f"]
    run("rules", shop, "edit", rule["id"], "--force", "is", "off", "limits")
    run("rules", shop, "add", "--json", "--", "Say", "--json", "twice")
    assert {"--force is off limits", "Say --json twice"} <= set(by_text(run, shop))


def test_options_may_stand_anywhere(run: Run, shop: str, names: list[str]) -> None:
    assert run("rules", "--json", shop, "show", names[0]).json["rule"]["id"] == names[0]
    assert run("rules", shop, "--json", "confirm", names[0]).json["changed"] == [names[0]]
    for words in (
        (shop, "--state", "active", "--json"),
        ("--state", "active", "superseded", "--json", shop),
        ("--json", "--state", "active", shop, "list"),
    ):
        rules = run("rules", *words).json["rules"]
        assert names[0] in [rule["id"] for rule in rules]
        assert "proposed" not in [rule["state"] for rule in rules]


def test_hidden_characters_are_taken_out_of_what_a_person_adds(run: Run, shop: str) -> None:
    run("rules", shop, "add", "Never \x1b[31mpush\u200b to\U000e0041 main")
    assert "Never push to main" in by_text(run, shop)


def test_the_rules_of_a_project_name_their_sessions_and_the_files_that_say_them(
    run: Run, shop: str, names: list[str]
) -> None:
    run("rules", shop, "confirm", names[0])
    text = next(rule["text"] for rule in listed(run, shop) if rule["id"] == names[0])
    info = next(
        one for one in run("sessions", "--json").json["sessions"] if one["id"].startswith(shop)
    )
    file = Path(info["project"]) / "CLAUDE.md"
    before = file.read_text("utf-8") if file.exists() else ""
    file.write_text(f"{before}\n\n- {text}\n", "utf-8")
    answer = run("rules", shop, "list", "--project", "--json")
    assert answer.json["project"] == info["project"]
    rule = next(rule for rule in answer.json["rules"] if rule["id"] == names[0])
    assert info["id"] in [one["id"] for one in rule["sessions"]]
    assert [(Path(one["path"]).name, one["block"]) for one in rule["written"]] == [
        ("CLAUDE.md", False)
    ]
    assert "CLAUDE.md:" in run("rules", shop, "list", "--project", "--state", "active").out


def test_a_rule_of_the_project_holds_in_its_other_sessions(run: Run, scratch: Path) -> None:
    def session(name: str, text: str) -> str:
        record = {
            "type": "user", "uuid": f"u-{name}", "parentUuid": None, "sessionId": name,
            "cwd": str(scratch), "timestamp": "2026-01-01T00:00:00Z",
            "message": {"role": "user", "content": text},
        }  # fmt: skip
        path = scratch / f"{name}.jsonl"
        path.write_text(json.dumps(record) + "\n", "utf-8")
        return str(path)

    one, two = session("one", "Never touch src/legacy."), session("two", "Hello there")
    (rule,) = listed(run, one)
    run("rules", one, "confirm", rule["id"])
    (held,) = listed(run, two)
    assert (held["id"], held["state"]) == (rule["id"], "active")
    assert held["from"] == {"agent": "claude-code", "session": "one", "message": "u-one"}
    answer: Answer = run("rules", two)
    assert "from session one" in answer.out
    run("rules", two, "scope", rule["id"], "session")
    assert listed(run, two) == []


def test_a_secret_in_a_rule_is_neither_printed_nor_kept(run: Run, shop: str) -> None:
    assert run("rules", shop, "add", "Log in with password=hunter2hunter2 only").status == 0
    name = next(rule["id"] for rule in listed(run, shop) if "redacted" in rule["text"])
    for words in (("list",), ("list", "--json"), ("show", name), ("show", name, "--json")):
        out = run("rules", shop, *words).out
        assert "[redacted: password]" in out
        assert "hunter2" not in out


def test_a_rule_is_typed_as_it_is_and_only_states_after_their_option_are_no_words_of_it() -> None:
    from redline.cli.typed import rule_words

    assert rule_words(["rules", "s", "--json", "active"]) == [
        "rules",
        "--json",
        "--",
        "s",
        "active",
    ]
    typed = ["rules", "s", "--state", "active", "proposed", "never", "--force", "active"]
    assert rule_words(typed) == [
        *("rules", "--state", "active", "proposed"),
        *("--", "s", "never", "--force", "active"),
    ]
