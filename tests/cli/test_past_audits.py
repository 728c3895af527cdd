"""What the agent's own compactions lost, by command."""

from __future__ import annotations

from tests.cli.conftest import Run


def test_a_compaction_is_named_by_its_number_or_its_id(run: Run, shop: str) -> None:
    last = run("audit", shop, "--json").json
    assert last["compaction"]["number"] == len(run("inspect", shop, "--json").json["compactions"])
    for name in (str(last["compaction"]["number"]), last["compaction"]["id"][:12]):
        again = run("audit", shop, "--compaction", name, "--json").json
        assert again["items"] == last["items"]
    wrong = run("audit", shop, "--compaction", "99")
    assert wrong.status == 2
    assert "no compaction '99'" in wrong.err


def test_all_compactions_are_a_row_each(run: Run, shop: str) -> None:
    table = run("audit", shop, "--all")
    told = run("audit", shop, "--all", "--json").json
    rows = [line for line in table.out.splitlines() if line.strip()[:1].isdigit()]
    assert len(rows) == len(told["compactions"]) > 0
    assert table.status == 1
    assert told["ok"] is False
    last = run("audit", shop, "--json").json
    assert told["compactions"][-1]["totals"] == last["totals"]
    lost = [i for i in last["items"] if i["verdict"] == "missing" and not i["already"]]
    assert told["compactions"][-1]["lost_here"] == len(lost)


def test_what_the_agent_did_again_is_told(run: Run, shop: str) -> None:
    after = run("audit", shop, "--json").json["compaction"]["after"]
    assert {"files_read_again", "commands_run_again", "calls_to_first_edit"} < set(after)
    assert after["messages"] > 0
    assert "compaction 1" in run("audit", shop).out


def test_a_handoff_and_a_compaction_are_not_audited_at_once(run: Run, shop: str) -> None:
    for more in (("--all",), ("--compaction", "1")):
        answer = run("audit", shop, "--handoff", "x.md", *more)
        assert answer.status == 2
        assert "--handoff" in answer.err
    both = run("audit", shop, "--all", "--compaction", "1")
    assert both.status == 2


def test_a_session_that_was_never_compacted_has_no_row(run: Run) -> None:
    for info in run("sessions", "--json").json["sessions"]:
        if not run("inspect", info["id"], "--json").json["compactions"]:
            answer = run("audit", info["id"], "--all")
            assert answer.status == 1
            assert "never compacted" in answer.err
            assert run("audit", info["id"], "--all", "--json").json["compactions"] == []
