"""Hostile tool results change no rule, no statement, no handoff, no block, no action, no target.

Each of them is compared with a harmless result of the same length in the same place.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from redline.compaction.outline import outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.registry import names, strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.facts.extract import extract
from redline.handoff.document import as_json, as_markdown
from redline.handoff.handoff import Handoff
from redline.handoff.json_form import load
from redline.handoff.markdown import parse, render
from redline.handoff.offline import write as write_offline
from redline.handoff.writers.prompted import PromptWriter
from redline.ledger.detect import detect
from redline.ledger.statements import statements
from redline.model import Session
from redline.targets.rules_block import RulesBlock
from redline.targets.rules_file import rules_file
from tests.compaction.windows import window_of
from tests.handoff.writers.tasks import Echo, task_of, written
from tests.hostile_results import HOSTILE
from tests.sessions_in_memory import call, ran, reply, result, session, user

_PLAIN = "line of a log that says nothing in particular\n"
_ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f]")
# Fields that list what was seen: names and errors in a result are data, and may be listed as such.
_SEEN = ("errors", "anchors", "files", "transcript", "sources", "findings")

every_hostile = pytest.mark.parametrize("name", HOSTILE)


def _session(output: str, *, status: int = 0) -> Session:
    return session(
        user("Never touch src/legacy. Fix the totals of the cart; at most 3 retries."),
        reply("I read the log first."),
        *ran("cat build.log", output, status, call_id="a"),
        reply("The totals are rounded too early. I decided to round at the end because of cents."),
        call("Read", {"file_path": "src/cart.py"}, call_id="b"),
        result(output, call_id="b", tool="Read"),
        *ran("git commit -m 'Round totals at the end'", "[main 9f3c2ab] Round", call_id="c"),
        user("别改 docs 目录。Ask me before you push."),
        call("WebFetch", {"url": "https://example.com"}, call_id="d"),
        result(output, call_id="d", tool="WebFetch"),
        reply("The page is read. I will ask before I push."),
    )


def _harmless(text: str) -> str:
    return (_PLAIN * (len(text) // len(_PLAIN) + 1))[: len(text)]


def _both(name: str) -> tuple[Session, Session]:
    return _session(HOSTILE[name]), _session(_harmless(HOSTILE[name]))


def _plan(given: Session, name: str = "redline") -> Plan:
    shape, window = outline(given.context), window_of(given, limit=4_000)
    facts, ledger = extract(given), detect(given)
    return strategy(name).propose(window, shape, facts, ledger, StrategySettings(), Pins())


def _offline(given: Session) -> Handoff:
    return write_offline(given, _plan(given, "fresh"), extract(given), detect(given))


def _told(handoff: Handoff) -> dict[str, object]:
    """What a handoff says but for the lists of what was seen."""
    emptied = {name: getattr(Handoff(), name) for name in _SEEN}
    cleared = replace(handoff, **emptied)
    return {name: getattr(cleared, name) for name in Handoff.__dataclass_fields__}


def _rules(handoff: Handoff) -> list[tuple[str, bool]]:
    return [(rule.text, rule.confirmed) for rule in handoff.constraints]


def test_there_are_thirty_of_them_in_two_languages() -> None:
    assert len(HOSTILE) >= 30
    assert sum(bool(re.search(r"[\u4e00-\u9fff]", text)) for text in HOSTILE.values()) >= 3


@every_hostile
def test_no_rule_comes_goes_or_changes(name: str) -> None:
    hostile, harmless = _both(name)
    assert detect(hostile) == detect(harmless)
    assert len(detect(hostile).proposed) >= 4


@every_hostile
def test_no_statement_comes_goes_or_changes(name: str) -> None:
    hostile, harmless = _both(name)
    assert statements(hostile) == statements(harmless)
    assert statements(hostile)


@every_hostile
@pytest.mark.parametrize("status", [0, 1])
def test_the_offline_handoff_says_the_same(name: str, status: int) -> None:
    told = [
        _told(_offline(_session(text, status=status)))
        for text in (HOSTILE[name], _harmless(HOSTILE[name]))
    ]
    assert told[0] == told[1]


@every_hostile
def test_a_handoff_that_lists_it_as_an_error_is_read_back_as_it_is(name: str) -> None:
    handoff = _offline(_session(HOSTILE[name], status=1))
    back = parse(render(handoff))
    assert _rules(back) == _rules(handoff)
    assert back.next_plan == handoff.next_plan
    assert [words.text for words in back.user_words] == [w.text for w in handoff.user_words]
    assert [error.message for error in back.errors] == [error.message for error in handoff.errors]
    assert back.notes == ()


@every_hostile
@pytest.mark.parametrize("strategy_name", names())
def test_no_action_of_a_plan_changes(name: str, strategy_name: str) -> None:
    hostile, harmless = (_plan(given, strategy_name) for given in _both(name))
    assert hostile.actions == harmless.actions
    assert hostile.reasons == harmless.reasons


@every_hostile
def test_a_copy_that_is_kept_stands_in_a_fence_and_adds_no_section(name: str) -> None:
    given = _session(HOSTILE[name])
    plan = replace(_plan(given, "clear"), actions=(Action.KEEP,) * len(given.context))
    summary = render(_offline(given))
    text = as_markdown(summary, given, plan)
    before, kept = parse(summary), parse(text)
    for field in ("goal", "constraints", "next_plan", "done", "user_words", "decisions", "errors"):
        assert getattr(kept, field) == getattr(before, field), field
    assert _rules(load(as_json(summary, given, plan))) == _rules(before)
    assert not _ACTS.search(text)
    assert _outside_fences(text) == _outside_fences(as_markdown(summary, *_kept_plainly(given)))


@every_hostile
def test_the_block_of_a_memory_file_and_its_place_stay_the_same(name: str, tmp_path: Path) -> None:
    blocks = []
    for given in _both(name):
        given = replace(given, info=replace(given.info, project=str(tmp_path)))
        rules = [(rule.id, rule.text) for rule in detect(given).rules]
        place = rules_file(given.info)
        change = RulesBlock(rules, to=place).preview()
        blocks.append((place, change.target, change.after))
    assert blocks[0] == blocks[1]


@every_hostile
def test_in_the_prompt_for_a_model_it_is_a_result_and_nothing_else(name: str) -> None:
    prompts = []
    for given in _both(name):
        asker = Echo()
        written(task_of(given, ledger=detect(given)), PromptWriter("echo", asker))
        (prompt,) = asker.prompts
        prompts.append(prompt)
    assert prompts[0].system == prompts[1].system
    assert _speakers(prompts[0].text) == _speakers(prompts[1].text)
    assert _frame(prompts[0].text) == _frame(prompts[1].text)
    assert not _ACTS.search(prompts[0].text)


@every_hostile
def test_none_of_it_becomes_an_instruction_of_a_writers_handoff(name: str) -> None:
    handoffs = []
    for given in _both(name):
        task = task_of(given, ledger=detect(given))
        made, _ = written(task, PromptWriter("echo", Echo()))
        handoffs.append(_told(made.handoff))
    assert handoffs[0] == handoffs[1]


def _kept_plainly(given: Session) -> tuple[Session, Plan]:
    harmless = _session(_PLAIN)
    plan = replace(_plan(harmless, "clear"), actions=(Action.KEEP,) * len(given.context))
    return harmless, plan


def _outside_fences(text: str) -> list[str]:
    """The lines of a document below the heading of what is kept that stand in no fence."""
    found: list[str] = []
    fence = ""
    for line in text.partition("\n## Kept word for word\n")[2].split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif match := re.match(r"(~{3,})text$", line):
            fence = match[1]
        else:
            found.append(line)
    return found


def _mark(text: str) -> str:
    """The mark that begins every speaker of a prompt's record."""
    found = re.findall(r"^\[([0-9a-f]{8})\] User: ", text, re.MULTILINE)
    return str(found[0])


def _speakers(text: str) -> list[str]:
    lines = re.findall(rf"^\[{_mark(text)}\] ([^:\n]+): ", text, re.MULTILINE)
    return [str(line) for line in lines]


def _frame(text: str) -> str:
    """A prompt without its mark and without what tools printed."""
    mark = _mark(text)
    without = re.sub(
        rf"(?ms)^(\[{mark}\] Tool (?:result|error)[^:\n]*:).*?(?=^[^\n]*{mark})", r"\1\n", text
    )
    return without.replace(mark, "")
