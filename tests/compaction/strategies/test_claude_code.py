"""`claude-code`: each case is one that Claude Code 2.1.197 was given here, with what it did."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redline.agents.own import OwnSetting
from redline.compaction.plan import Action, Pins
from redline.compaction.saved import dump_plan, load_pins
from redline.compaction.strategies.claude_code_micro import KEPT_RESULTS, LEFT, micro
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.model import Agent, Session
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import (
    Draft,
    call,
    injected,
    ran,
    reply,
    result,
    session,
    summary,
    together,
    user,
)


def kept(*drafts: Draft | tuple[Draft, ...]) -> list[str]:
    opened = session(*drafts)
    plan = propose(window_of(opened), "claude-code")
    return [opened.context[i].head or "-" for i in plan.staying]


def test_the_last_reply_and_what_came_after_stay() -> None:
    pairs = [ran("ls", "r" * 90, call_id=f"c{i}") for i in range(5)]
    assert kept(user("do it"), *pairs, reply("done")) == ["done"]
    assert kept(user("do it"), *pairs, reply("done"), user("go on"), injected("<l>")) == [
        "done",
        "go on",
        "<l>",
    ]


def test_within_a_turn_the_call_stays_with_its_results() -> None:
    opened = session(
        user("do it"),
        reply("ok"),
        user("go on"),
        together(reply("I look"), call("Bash", {}, call_id="a"), call("Bash", {}, call_id="b")),
        together(result("one", call_id="a"), result("two", call_id="b")),
    )
    plan = propose(window_of(opened), "claude-code")
    assert plan.staying == (3, 4)
    (warning,) = plan.warnings
    assert warning == "the last prompt is neither kept nor quoted: Claude Code summarises it"


@pytest.mark.parametrize(
    "drafts",
    [
        (user("do it"),),
        (user("do it"), reply("only")),
        (reply("only"),),
        (user("a"), user("b"), user("c"), reply("only")),
        (user("a"), reply("only"), user("go on")),
        (summary("earlier"), reply("kept")),
    ],
)
def test_without_a_reply_before_the_last_one_it_refuses(drafts: tuple[Draft, ...]) -> None:
    plan = propose(window_of(session(*drafts)), "claude-code")
    if any(message.role == "assistant" for message in plan.outline.messages):
        assert plan.details == {"nothing_to_compact": True}
        assert set(plan.actions) == {Action.KEEP}
        assert plan.summary_at is None
        assert "nothing to compact" in plan.warnings[0]


def test_before_a_compaction_by_an_older_version_nothing_stays() -> None:
    opened = replace(session(user("a"), reply("b"), user("c"), reply("d")), version="2.1.42")
    assert propose(window_of(opened), "claude-code").staying == (3,)
    past = replace(opened, before=1)
    assert propose(window_of(past), "claude-code").staying == ()
    assert propose(window_of(replace(past, version="2.1.197")), "claude-code").staying == (3,)


def test_a_result_of_an_earlier_call_after_the_last_reply_goes_with_its_call() -> None:
    opened = session(
        user("go"),
        reply("ok"),
        call("Bash", {}, call_id="a"),
        reply("on"),
        result("r", call_id="a"),
    )
    plan = propose(window_of(opened), "claude-code")
    assert plan.staying == (3,)
    assert any(w.startswith("Claude Code cuts between a call") for w in plan.warnings)
    again = load_pins(dump_plan(plan, window_of(opened)))
    assert propose(window_of(opened), again[0], pins=again[2]).actions == plan.actions


def files(*drafts: Draft | tuple[Draft, ...]) -> list[str]:
    opened = session(user("go"), reply("ok"), *drafts, reply("done"))
    plan = propose(window_of(opened), "claude-code")
    return str(plan.details["files_again"]).splitlines()


def read(path: str, text: str = "x" * 400, **more: object) -> tuple[Draft, Draft]:
    name = f"{path}{len(text)}{more}"
    return call("Read", {"file_path": path, **more}, call_id=name), result(text, call_id=name)


def test_the_five_files_used_last_are_read_again_latest_first() -> None:
    reads = [read(f"/p/f{i}.py") for i in (1, 2, 4, 5, 6, 7)]
    assert [line.split()[0] for line in files(*reads, read("/p/f1.py", "y" * 40))] == [
        f"/p/f{i}.py" for i in (1, 7, 6, 5, 4)
    ]


def test_a_large_file_comes_back_by_its_name_and_counts_as_one() -> None:
    reads = [read(f"/p/f{i}.py", "x" * (30_000 if i == 3 else 400)) for i in range(1, 8)]
    assert files(*reads)[-1] == "/p/f3.py (its name only: 30000 tokens are too many)"
    assert len(files(*reads)) == 5


def test_the_numbers_of_lines_are_not_of_the_file() -> None:
    numbered = "\n".join(f"{n:>6}→line" for n in range(1, 11))
    assert files(read("/p/a.py", numbered)) == ["/p/a.py (49 tokens)"]
    assert files(read("/p/a.py", "1\tone\n2\ttwo")) == ["/p/a.py (7 tokens)"]


def test_written_and_edited_files_come_back_but_not_parts_nor_memory_files() -> None:
    drafts = (
        read("/p/a.py"),
        (call("Write", {"file_path": "/p/b.py", "content": "w" * 80}, call_id="b"),),
        (result("created", call_id="b"),),
        (call("Edit", {"file_path": "/p/c.py"}, call_id="c"), result("updated", call_id="c")),
        read("/p/d.py", offset=3, limit=4),
        read("/p/CLAUDE.md"),
        ran("cat /p/e.py", "x", call_id="e"),
        (call("Read", {"file_path": "/p/gone.py"}, call_id="g"),),
        (result("no such file", call_id="g", error=True),),
    )
    assert files(*drafts) == [
        "/p/c.py (never seen whole)",
        "/p/b.py (80 tokens)",
        "/p/a.py (400 tokens)",
    ]


def test_a_file_read_in_a_message_that_stays_does_not_come_twice() -> None:
    opened = session(user("go"), *read("/p/a.py"), reply("ok"), user("more"), *read("/p/b.py"))
    plan = propose(window_of(opened), "claude-code")
    assert plan.details["files_again"] == "/p/a.py (400 tokens)"


def test_old_results_are_cleared_until_40_000_tokens_are_left_or_not_at_all() -> None:
    def many(count: int, size: int, tool: str = "Bash") -> Session:
        return session(
            user("go"),
            *(
                (call(tool, {}, call_id=f"c{i}"), result("r" * size, call_id=f"c{i}", tool=tool))
                for i in range(count)
            ),
        )

    found = micro(many(70, 4_000).context)
    assert (len(found.places), found.tokens) == (30, 30_000)
    assert micro(many(59, 4_000).context).places == ()  # 19,000 are too few
    assert micro(many(70, 4_000, "TodoWrite").context).places == ()
    assert len(micro(many(4, 4 * LEFT).context).places) == 4 - KEPT_RESULTS


def test_results_are_cleared_in_the_order_of_their_calls() -> None:
    count = 70
    opened = session(
        user("go"),
        together(*(call("Bash", {}, call_id=f"c{i}") for i in range(count))),
        *(result("r" * 4_000, call_id=f"c{i}", tool="Bash") for i in reversed(range(count))),
    )
    named = [opened.context[i].parts[j].call_id for i, j in micro(opened.context).places]
    assert named == [f"c{i}" for i in range(30)]


def triggers(version: str | None = "2.1.197", **own: OwnSetting) -> tuple[Trigger, ...]:
    opened = replace(session(user("go")), version=version)
    return strategy("claude-code").triggers(
        window_of(opened), StrategySettings(own={Agent.CLAUDE_CODE: own})
    )


def test_it_says_when_it_compacts_and_who_set_that() -> None:
    phases = [(t.name, t.phase, t.tokens) for t in triggers()]
    assert phases == [
        ("auto", "before a turn", 167_000),
        ("auto", "within a turn", 167_000),
        ("manual", "by hand", None),
        ("micro", "within a turn", None),
    ]
    assert triggers("2.1.20")[3].tokens == 135_000
    off = triggers(autoCompactEnabled=OwnSetting(False, "/h/settings.json"))
    assert (off[0].tokens, off[0].source) == (None, "autoCompactEnabled in /h/settings.json")
    assert off[2].source == "/compact"
    none = triggers(DISABLE_COMPACT=OwnSetting(True, "$DISABLE_COMPACT"))
    assert (none[0].tokens, none[0].source) == (None, "$DISABLE_COMPACT")
    assert (none[2].compared, none[2].source) == ("switched off", "$DISABLE_COMPACT")
    lower = triggers(
        CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=OwnSetting(40, "/p/.claude/settings.json"),
        CLAUDE_CODE_AUTO_COMPACT_WINDOW=OwnSetting(100_000, "$CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
    )
    assert lower[0].tokens == 32_000
    assert lower[0].source == "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE in /p/.claude/settings.json"


def test_a_pinned_cut_is_taken_instead() -> None:
    opened = session(user("a"), reply("b"), user("c"), reply("d"))
    assert propose(window_of(opened), "claude-code", pins=Pins(cut="m3")).staying == (2, 3)
