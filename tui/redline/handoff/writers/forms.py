"""The sections a writer is asked for: redline's own, and those of the agents' summaries.

What a session tells by itself (rules, files, errors, the user's words, identifiers) is asked of
nobody: it is put in from the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redline.handoff.writers.writer import SummaryForm


@dataclass(frozen=True, slots=True)
class Asked:
    """A section by its heading. `field` is what it fills of the handoff, `also` are other headings
    that mean it. An answer without a `required` one is not taken."""

    title: str
    field: str
    also: tuple[str, ...] = ()
    required: bool = False


_NEXT = ("next step", "next", "next plan", "pending tasks", "todo", "to do", "下一步", "后续步骤")
_STATE = ("state", "current work", "status", "current status", "当前状态", "现状", "状态")
_DONE = ("completed", "progress", "finished", "已完成", "完成", "完成情况")
_DECISIONS = ("key decisions", "decisions made", "决策", "决定", "关键决策")
_QUESTIONS = ("questions", "unresolved questions", "未决问题", "待确认")

FORMS: Mapping[SummaryForm, tuple[Asked, ...]] = {
    SummaryForm.HANDOFF: (
        Asked(
            "Goal", "goal", ("the goal", "objective", "goals", "目标", "任务目标"), required=True
        ),
        Asked("Done", "done", _DONE, required=True),
        Asked("Current state", "current_state", _STATE, required=True),
        Asked("Decisions", "decisions", _DECISIONS),
        Asked("Rejected", "rejected", ("rejected approaches", "已放弃", "已否决", "放弃的方案")),
        Asked("Blocked", "blocked", ("blockers", "阻塞", "受阻")),
        Asked("Open questions", "open_questions", _QUESTIONS),
        Asked("Next steps", "next_plan", _NEXT, required=True),
    ),
    # Claude Code 2.1.x asks for nine; 3, 4 and 6 of them come from the session.
    SummaryForm.CLAUDE_CODE: (
        Asked("Primary Request and Intent", "goal", ("primary request",), required=True),
        Asked("Key Technical Concepts", "concepts", ("technical concepts",)),
        Asked("Problem Solving", "solving", (), required=True),
        Asked("Pending Tasks", "next_plan", ("pending",), required=True),
        Asked("Current Work", "current_state", ("current state",), required=True),
        Asked("Optional Next Step", "next_step", ("next step", "next steps")),
    ),
    # pi 1.6; its Constraints & Preferences come from the session.
    SummaryForm.PI: (
        Asked("Goal", "goal", ("目标",), required=True),
        Asked("Done", "done", _DONE, required=True),
        Asked("In Progress", "current_state", ("in-progress", "进行中"), required=True),
        Asked("Blocked", "blocked", ("阻塞",)),
        Asked("Key Decisions", "decisions", ("decisions", *_DECISIONS[1:])),
        Asked("Next Steps", "next_plan", _NEXT, required=True),
        Asked("Critical Context", "context", ("context",)),
    ),
    # Hermes 0.19 and 0.22; the task, the constraints and the files come from the session.
    SummaryForm.HERMES: (
        Asked("Goal", "goal", ("目标",), required=True),
        Asked("Completed Actions", "done", ("done", *_DONE), required=True),
        Asked("Active State", "current_state", ("current state", *_STATE), required=True),
        Asked("Blocked", "blocked", ("阻塞",)),
        Asked("Key Decisions", "decisions", ("decisions", *_DECISIONS[1:])),
        Asked("Resolved Questions", "resolved", ()),
        Asked(
            "Historical Pending User Asks",
            "open_questions",
            ("pending user asks", "open questions", *_QUESTIONS),
        ),
        Asked(
            "Historical Remaining Work",
            "next_plan",
            ("remaining work", "next steps", *_NEXT),
            required=True,
        ),
        Asked("Critical Context", "context", ("context",)),
    ),
}

# Headings of what is put in from the session; a writer that writes them anyway is not read there.
FROM_THE_SESSION = frozenset(
    (
        "files and code sections",
        "relevant files",
        "historical task snapshot",
        "errors and fixes",
        "all user messages",
        "constraints & preferences",
        "constraints and preferences",
        "constraints",
        "rules",
        "files changed",
        "files referenced",
        "files",
        "errors",
        "user's words",
        "the user's words",
        "commands",
        "commits",
        "规则",
        "约束",
        "文件",
        "错误",
    )
)


def by_title(form: SummaryForm) -> Mapping[str, Asked]:
    """Each section of `form` by every heading that means it, in small letters."""
    return {
        title.casefold(): asked for asked in FORMS[form] for title in (asked.title, *asked.also)
    }
