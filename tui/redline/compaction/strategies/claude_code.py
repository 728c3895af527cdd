"""`claude-code`: what Claude Code would do, by its version 2.1.197 as it was run here.

It gives the model everything but the last reply to summarise, in nine sections, and starts over
with: the summary, the last reply (all records of it), whatever came after that reply (its tool
results, a new prompt), then up to five files read again. By hand and by itself it keeps the same;
within a turn the reply is the one whose results the next request brings. Where no other reply
stands before the last one it refuses ("Not enough messages to compact.").

What differs from an agent's real compactions, and why:

* Up to 2.1.42 nothing was kept word for word: all real automatic compactions known are of that
  time. A view before such a compaction keeps nothing either; every other view keeps as 2.1.197.
  Where between 2.1.43 and 2.1.197 that began is not known; the first is taken.
* Asked to resume a session that ends on a prompt, a result or an open call, 2.1.197 first adds
  "No response requested." as a reply of its own and keeps that. A process that is still running
  does not, and this plan is for that one. So with a last reply that is blank or only thinking,
  which it leaves out on resuming.
* A result that came after the last reply and answers an earlier one is summarised here with its
  call: the provider refuses it alone.
* Skills that were invoked come back too, at most 25,000 tokens of them (`skills_again`), and hooks
  and lists of agents and tools, which the session does not foretell. So does the plan of plan mode
  by the documents; it did not here.
* Clearing before the summary is told in `details`, not in the actions: what it clears leaves with
  the summary anyway. 2.1.12 to 2.1.22 wrote down what they cleared (`micro` in `details` is
  measured on that); 2.1.197 cleared nothing here, its newer forms are switched by the server.
"""

from __future__ import annotations

from redline.agents.claude_code.limits import before, threshold
from redline.agents.claude_code.settings import NO_COMPACT
from redline.compaction.drafting import Proposal, finish
from redline.compaction.outline import Outline
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.remembered import Remembered
from redline.compaction.strategies.claude_code_files import FileAgain, files_again
from redline.compaction.strategies.claude_code_micro import estimate, micro
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.compaction.strategies.whole_groups import keep_groups_whole
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Agent, Kind, Role

SECTIONS = (
    "Primary Request and Intent",
    "Key Technical Concepts",
    "Files and Code Sections",
    "Errors and fixes",
    "Problem Solving",
    "All user messages",
    "Pending Tasks",
    "Current Work",
    "Optional Next Step",
)
SUMMARY_TOKENS = 4_000  # the median of 86 real ones: 11,374 characters
MICRO_BEFORE = 20_000  # tokens below the threshold: where old results were cleared
_KEEPS_FROM = (2, 1, 43)  # nothing was kept by any of 146 compactions of 2.0.64 to 2.1.42
_MICRO_FROM, _MICRO_UNTIL = (2, 1, 12), (2, 1, 23)  # versions that wrote microcompact boundaries
_CLEARED = "old result, cleared before the summary"
_MAY_BE_CLEARED = "old result, may be cleared before the summary"
_COMPARED = "billed input of the last reply, with an estimate of what came after"


class ClaudeCode:
    """Claude Code's own compaction."""

    name = "claude-code"
    about = "what Claude Code does: all but the last reply summarised, recent files read again"

    def triggers(self, window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
        """`auto` before a turn and within one (before each request), `manual`, and `micro`."""
        own = settings.own.get(Agent.CLAUDE_CODE, {})
        version = _version(window)
        tokens, source = None, "the model's window is not known"
        if window.limit is not None:
            found = threshold(window.limit, version, own)
            tokens, source = found.tokens, "Claude Code's default, estimated"
            if found.key is not None:
                source = _who(found.key, own[found.key].source)
        elif window.threshold is not None:
            tokens, source = window.threshold, window.threshold_source
        off = NO_COMPACT in own and own[NO_COMPACT].value is True
        by_hand = _who(NO_COMPACT, own[NO_COMPACT].source) if off else "/compact"
        clears = _has_micro(version) and tokens is not None
        return (
            Trigger("auto", "before a turn", tokens, _COMPARED, source),
            Trigger("auto", "within a turn", tokens, _COMPARED, source),
            Trigger("manual", "by hand", None, "switched off" if off else "nothing", by_hand),
            Trigger(
                "micro",
                "within a turn",
                max(0, tokens - MICRO_BEFORE) if clears and tokens is not None else None,
                _COMPARED,
                "2.1.12 to 2.1.22, measured" if clears else "switched by Claude Code's server",
            ),
        )

    def propose(
        self,
        window: Window,
        outline: Outline,
        facts: Facts,
        ledger: Ledger,
        settings: StrategySettings,
        pins: Pins,
    ) -> Plan:
        """Claude Code's plan. `details`: `sections` of the summary; `kept_messages`; the old
        results it would clear first (`results_cleared_first`, `tokens_cleared_first` by its own
        estimate) and whether this version did (`clears_first`); the files it would read again
        (`files_again`, a line each, `files_again_tokens`), the skills (`skills_again`), and
        `after_estimate`: the next window with a usual summary and those files, in tokens. Or
        `nothing_to_compact`."""
        del ledger, settings
        warnings: list[str] = []
        own = first = _last_reply(window, outline)
        if own is not None and pins.cut is None and not _enough(outline, own):
            return _nothing(window, outline, pins)
        if first is None or pins.cut != outline.messages[first].id:  # a saved plan pins its own cut
            first = pinned_cut(outline, pins, warnings)
        if first is None:
            first = own
        size = len(outline.messages)
        at = size if first is None else first
        cleared = _micro(window.session.context)
        actions = [Action.SUMMARISE] * at + [Action.KEEP] * (size - at)
        reasons = ["before the last reply"] * at + ["the last reply and after"] * (size - at)
        for i in range(at):
            if outline.messages[i].role is Role.SYSTEM:
                actions[i], reasons[i] = Action.KEEP, "system prompt"
            elif outline.purpose[i] is Kind.SUMMARY:
                reasons[i] = "the agent's previous summary"
        clears = _has_micro(_version(window))
        for i, _ in cleared.places:
            if i < at:
                reasons[i] = _CLEARED if clears else _MAY_BE_CLEARED
        if at and at < size and outline.purpose[at - 1] is Kind.TOOL_RESULT:
            reasons[at] = "the last reply, without the results it tells of"
        files = files_again(window, outline, at)
        again = sum(file.tokens for file in files)
        kept = sum(window.tokens[at:])
        details: dict[str, int | str | bool] = {
            "sections": len(SECTIONS),
            "kept_messages": size - at,
            "clears_first": clears,
            "results_cleared_first": len(cleared.places),
            "tokens_cleared_first": cleared.tokens,
            "files_again": "\n".join(map(_line, files)),
            "files_again_tokens": again,
            "skills_again": ", ".join(facts.skills),
            "after_estimate": window.overhead + kept + SUMMARY_TOKENS + again,
        }
        proposal = Proposal(
            actions,
            reasons,
            _estimates(window.session.context),
            first_kept=first,
            warnings=warnings,
            details=details,
        )
        keep_groups_whole(outline, proposal, "Claude Code")
        return finish(
            proposal,
            strategy=self.name,
            settings={},
            outline=outline,
            pins=pins,
            last_prompt="Claude Code summarises it",
            window=window,
        )


def _last_reply(window: Window, outline: Outline) -> int | None:
    """The index of the last reply, None where there is none or the version keeps nothing."""
    if window.session.before is not None and before(_version(window), _KEEPS_FROM):
        return None
    messages = outline.messages
    return next(
        (i for i in range(len(messages) - 1, -1, -1) if messages[i].role is Role.ASSISTANT), None
    )


def _enough(outline: Outline, last_reply: int) -> bool:
    """Whether a reply stands before the last one."""
    return any(message.role is Role.ASSISTANT for message in outline.messages[:last_reply])


def _nothing(window: Window, outline: Outline, pins: Pins) -> Plan:
    """The plan where Claude Code refuses: all stays."""
    size = len(outline.messages)
    proposal = Proposal(
        [Action.KEEP] * size,
        ["nothing to compact"] * size,
        _estimates(window.session.context),
        summary=False,
        warnings=["Claude Code has nothing to compact here: no reply stands before the last one"],
        details={"nothing_to_compact": True},
    )
    return finish(
        proposal,
        strategy=ClaudeCode.name,
        settings={},
        outline=outline,
        pins=pins,
        window=window,
    )


def _version(window: Window) -> str | None:
    """The version of Claude Code that the session is of; of another agent's none is known."""
    session = window.session
    return session.version if session.info.agent is Agent.CLAUDE_CODE else None


def _has_micro(version: str | None) -> bool:
    return before(version, _MICRO_UNTIL) and not before(version, _MICRO_FROM)


def _who(key: str, source: str) -> str:
    return source if source == f"${key}" else f"{key} in {source}"


def _line(file: FileAgain) -> str:
    if not file.size:
        return f"{file.path} (never seen whole)"
    if file.whole:
        return f"{file.path} ({file.tokens} tokens)"
    return f"{file.path} (its name only: {file.size} tokens are too many)"


_micro = Remembered(micro)
_estimates = Remembered(estimate)

STRATEGY = ClaudeCode()
