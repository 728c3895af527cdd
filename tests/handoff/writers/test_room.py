"""What a user said, and a writer's prose, in one budget."""

from __future__ import annotations

from functools import cache
from unittest.mock import Mock

import pytest

from redline.handoff.budget import Budget
from redline.handoff.markdown import render
from redline.handoff.offline import by_budget
from redline.handoff.offline import write as write_offline
from redline.handoff.writers.writer import Task
from tests.handoff.writers.tasks import GOOD, Scripted, shop, task_of, written
from tests.sessions_in_memory import call, ran, reply, result, session, user

_BRIEF = (
    "## Goal\nShip the importer.\n\n## Done\n- The parser.\n\n## Current state\nIt runs.\n\n"
    "## Decisions\nNone.\n\n## Rejected\nNone.\n\n## Blocked\nNone.\n\n## Open questions\nNone.\n\n"
    "## Next steps\n1. Test it.\n"
)
_LONG = GOOD.replace(
    "The worker resumes", "The state is told at great length here. " * 40 + "The worker resumes"
)
_STATED = (
    "never write to table {}", "the field {} must stay optional", "use port {} for the proxy",
    "the limit is {} rows", "keep the name {} in the reports",
)  # fmt: skip


@cache
def planted() -> tuple[Task, tuple[str, ...]]:
    """A session whose user states twenty things, each with a name of its own, and these names."""
    names = tuple(f"zeta{number:02}q" for number in range(20))
    drafts = []
    for number, name in enumerate(names):
        stated = _STATED[number % len(_STATED)].format(name)
        drafts.append(user(f"Go on with part {number} of the importer, please. Also, {stated}."))
        drafts.append(reply(f"Part {number} is built. " + "I looked at the code of it. " * 20))
        drafts.append(call("Edit", {"file_path": f"/w/src/part{number}.py"}, call_id=f"e{number}"))
        drafts.append(result("ok", call_id=f"e{number}"))
        drafts.extend(
            ran(f"git commit -m 'Part {number}'", f"[main {number:07x}] Part {number}",
                call_id=f"c{number}")
        )  # fmt: skip
    return task_of(session(*drafts)), names


def offline(limit: int) -> str:
    task, _ = planted()
    made = write_offline(task.session, None, task.facts, task.ledger, budget=Budget(limit))
    return render(made)


def with_writer(limit: int, answer: str) -> str:
    task, _ = planted()
    bounded = Task(task.session, None, task.facts, task.ledger, budget=Budget(limit))
    return render(written(bounded, Scripted([[answer]]))[0].handoff)


@pytest.mark.parametrize("answer", [_BRIEF, GOOD, _LONG], ids=["brief", "usual", "long"])
@pytest.mark.parametrize(
    "limit", [700, 900, 1_200, 1_400, 1_600, 2_000, 2_500, 3_000, 4_000, 9_000]
)
def test_a_writer_takes_no_room_from_what_the_user_said_and_leaves_none_unused(
    limit: int, answer: str
) -> None:
    _, names = planted()
    alone, both = offline(limit), with_writer(limit, answer)
    there = sum(name in alone for name in names)
    assert sum(name in both for name in names) >= there - max(1, there // 20)
    assert len(both) <= limit
    if len(alone) >= 0.8 * limit:
        assert len(both) >= 0.8 * limit


@pytest.mark.parametrize("limit", [1_600, 2_000, 3_000])
def test_what_a_writer_wrote_is_there_where_there_is_room_for_it(limit: int) -> None:
    assert "Test it." in with_writer(limit, _BRIEF)


def test_what_a_handoff_is_made_of_is_gathered_once_whatever_is_tried_to_fit_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gathering = Mock(wraps=by_budget)
    monkeypatch.setattr("redline.handoff.writers.writing.by_budget", gathering)
    measure = Mock(wraps=len)
    made, _ = written(task_of(shop(), budget=Budget(900, measure)), Scripted([[GOOD]]))
    assert len(render(made.handoff)) <= 900
    assert measure.call_count > 5
    assert gathering.call_count == 1
