"""`hermes` and `hermes-legacy`: what Hermes 0.22 (a short tail) and 0.19 themselves would do.

Old results are cut to a line first; then everything between a head and a tail is summarised, and
the summary stands between the two. Rules and prices are those of `agent/context_compressor.py` as
a Hermes that opens the session now would apply them. Where this differs from a run:

* 0.19 protects the head again in a new process; one that has compacted the session itself does not.
  0.22 tells from the summary, as here. A plan of 0.19 says where the other process would start.
* What 0.22 learns while it runs (the price of a picture, a smaller summary model) and thinking that
  a provider wants sent again are not known: 1,500 tokens a picture, the newest thinking only.
* 0.19 cuts long inputs of old calls as well; a plan has no action for that and counts them.
* A call without a result that is the last of all is kept by 0.22 (it may still run); here it goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from redline.agents.hermes.limits import Limits, limits_by
from redline.agents.own import OwnSetting
from redline.compaction.drafting import finish, over_budget
from redline.compaction.outline import Outline
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Pins, Plan
from redline.compaction.strategies.hermes_choice import Choice
from redline.compaction.strategies.hermes_measured import Measured, measured
from redline.compaction.strategies.hermes_plan import proposal_of, tail_weights
from redline.compaction.strategies.hermes_pruning import WINDOW_SHARE, Rules
from redline.compaction.strategies.hermes_rows import Row
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Agent

UNKNOWN_WINDOW = 256_000  # tokens; what Hermes takes where nothing tells it (0.19 and 0.22)
_LEAN_SHARE, _LEAN_LEAST, _LEAN_MOST = 0.025, 10_000, 25_000  # of the window; tokens
_RATIO, _RATIO_LEAST, _RATIO_MOST = 0.20, 0.10, 0.80  # of the trigger
_SUMMARY_SHARE, _SUMMARY_MOST = 0.05, 10_000  # of the window; tokens
_GATEWAY, _GATEWAY_WARNS, _GATEWAY_MESSAGES = 0.85, 0.95, 5_000
_DEFAULT = "hermes' default"


class Hermes:
    """Hermes' own compaction: 0.22, or with `lean` False 0.19."""

    def __init__(self, name: str, about: str, *, lean: bool) -> None:
        self.name = name
        self.about = about
        self._lean = lean

    def triggers(self, window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
        """The agent's threshold, the two of its gateway, and what a person can ask for."""
        own = settings.own.get(Agent.HERMES, {})
        limit, held = window.limit, _limits(window, own, lean=self._lean)
        off = not held.enabled
        count = _number(own, "compression.hygiene_hard_message_limit", _GATEWAY_MESSAGES, 1)
        idle = _number(own, "compression.idle_compact_after_seconds", 0, 0) if self._lean else 0
        goal = held.threshold(limit)
        ratio = _ratio(own)
        source = held.source if held.enabled else _source(own, "compression.enabled")

        def share(part: float) -> int | None:
            return None if limit is None or off else int(limit * part)

        found = [
            Trigger(
                "threshold",
                "before a turn and within one",
                goal,
                "the input of the last request as billed, otherwise characters / 4 of the next",
                source,
            ),
            Trigger(
                "gateway",
                "before a turn",
                share(_GATEWAY),
                "the last request as billed, otherwise characters / 4 of all messages; or "
                f"{count:,} messages",
                _source(own, "compression.hygiene_hard_message_limit"),
            ),
            Trigger(
                "gateway warns",
                "after it compacted",
                share(_GATEWAY_WARNS),
                "characters / 4 of what is left",
                _DEFAULT,
            ),
            Trigger("/compress", "by hand", None, "nothing: at once", _DEFAULT),
        ]
        if self._lean:
            found.append(
                Trigger(
                    "idle",
                    "before a turn",
                    int(goal * ratio) if idle and goal is not None else None,
                    f"the next request, after {idle:,} seconds without one"
                    if idle
                    else "off unless compression.idle_compact_after_seconds is set",
                    _source(own, "compression.idle_compact_after_seconds"),
                )
            )
        return tuple(found)

    def propose(
        self,
        window: Window,
        outline: Outline,
        facts: Facts,
        ledger: Ledger,
        settings: StrategySettings,
        pins: Pins,
    ) -> Plan:
        """Hermes' plan. `details`: `threshold_tokens`, `tail_token_budget`, `soft_ceiling` and
        `max_summary_tokens`; `rows` (its own messages), `pruned` (results, as it counts them),
        `compress_start` and `compress_end` (rows that go), `first_tail_role`, `demoted` (results in
        0.22's tail that were cut at the end), `arguments_shortened` (0.19), `previous_summary`; or
        `nothing_to_compact`."""
        del facts, ledger
        session = window.session
        own = settings.own.get(Agent.HERMES, {})
        rules = rules_of(window, settings, lean=self._lean)
        known = measured(session)
        rows = known.rows
        warnings: list[str] = []
        choice = known.choose(rules)
        asked = pinned_cut(outline, pins, warnings)
        mine = None if choice.tail is None else rows[choice.tail].message
        if asked is not None and (mine is None or pins.cut != outline.messages[mine].id):
            tail = next(i for i, row in enumerate(rows) if row.message == asked)
            choice = known.choose(rules, tail)
        proposal = proposal_of(choice, rows, outline)
        proposal.warnings[:0] = warnings
        proposal.warnings += _warnings(window, known, rules, choice)
        proposal.warnings += over_budget(
            replace(proposal, estimates=tail_weights(choice, rows, outline)),
            rules.tail,
            rules.ceiling,
            "Hermes",
        )
        held = _limits(window, own, lean=self._lean)
        proposal.details |= _details(held, rules, rows, choice)
        return finish(
            proposal,
            strategy=self.name,
            settings={"tail_tokens": rules.tail},
            outline=outline,
            pins=pins,
            last_prompt="Hermes summarises it",
            window=window,
        )


def rules_of(window: Window, settings: StrategySettings, *, lean: bool) -> Rules:
    """What Hermes goes by in `window`, by its own settings."""
    own = settings.own.get(Agent.HERMES, {})
    limit = window.limit or UNKNOWN_WINDOW
    held = _limits(window, own, lean=lean)
    recency = lean and _said(own, "compression.tail_mode", "lean").strip().lower() != "legacy"
    if recency:
        tail = max(_LEAN_LEAST, min(_LEAN_MOST, int(limit * _LEAN_SHARE)))
    else:
        tail = int((replace(held, enabled=True).threshold(limit) or 0) * _ratio(own))
    if lean:
        tail = max(1, min(tail, int(limit * WINDOW_SHARE)))
    return Rules(
        lean=lean,
        window=limit,
        tail=tail if settings.tail_tokens is None else settings.tail_tokens,
        held=held.held,
        first=_number(own, "compression.protect_first_n", 3, 0),
        last=_number(own, "compression.protect_last_n", 20, 0),
        requests=_number(own, "compression.min_tail_user_messages", 1, 1) if lean else 1,
        recency=recency,
    )


def _limits(window: Window, own: Mapping[str, OwnSetting], *, lean: bool) -> Limits:
    return limits_by(own, window.session.info.model, old=not lean)


def _details(
    held: Limits, rules: Rules, rows: tuple[Row, ...], choice: Choice
) -> dict[str, int | str | bool]:
    found: dict[str, int | str | bool] = {
        "threshold_tokens": replace(held, enabled=True).threshold(rules.window) or 0,
        "tail_token_budget": rules.tail,
        "soft_ceiling": rules.ceiling,
        "max_summary_tokens": min(int(rules.window * _SUMMARY_SHARE), _SUMMARY_MOST),
        "rows": len(rows),
        "pruned": choice.pruned.count,
    }
    if choice.start is None or choice.end is None:
        return found | {"nothing_to_compact": True}
    found |= {
        "compress_start": choice.start,
        "compress_end": choice.end,
        "previous_summary": choice.previous,
    }
    if choice.tail is not None:
        found["first_tail_role"] = rows[choice.tail].role
    if rules.lean:
        found["demoted"] = len(choice.demoted)
    else:
        found["arguments_shortened"] = len(_shortened(choice))
    return found


def _shortened(choice: Choice) -> list[int]:
    """The calls that stay and whose inputs 0.19 cuts."""
    return [i for i in choice.pruned.shortened if choice.actions[i].stays]


def _warnings(window: Window, known: Measured, rules: Rules, choice: Choice) -> list[str]:
    found = []
    if window.limit is None:
        found.append(f"the window is unknown: Hermes takes {UNKNOWN_WINDOW:,} tokens then")
    if choice.nothing:
        return ["Hermes has nothing to compact here: all of it is head and tail", *found]
    if cut := len(_shortened(choice)):
        found.append(f"Hermes 0.19 cuts the long inputs of {cut} calls that stay, too")
    if not rules.lean and rules.first and any(row.summary for row in known.rows):
        other = known.choose(replace(rules, first=0))
        if not other.nothing and other.start != choice.start:
            found.append(
                "a Hermes 0.19 that has compacted this session itself keeps no head: it takes out "
                f"its messages {other.start} to {other.end}"
            )
    return found


def _said(own: Mapping[str, OwnSetting], name: str, otherwise: str) -> str:
    setting = own.get(name)
    return str(setting.value) if setting is not None else otherwise


def _source(own: Mapping[str, OwnSetting], name: str) -> str:
    setting = own.get(name)
    return setting.source if setting is not None else _DEFAULT


def _number(own: Mapping[str, OwnSetting], name: str, otherwise: int, least: int) -> int:
    """A whole number of at least `least`, also one that is written as text."""
    setting = own.get(name)
    if setting is None:
        return otherwise
    try:
        return max(least, int(setting.value))
    except (ValueError, OverflowError):
        return otherwise


def _ratio(own: Mapping[str, OwnSetting]) -> float:
    setting = own.get("compression.target_ratio")
    try:
        found = float(setting.value) if setting is not None else _RATIO
    except ValueError:
        found = _RATIO
    return max(_RATIO_LEAST, min(found, _RATIO_MOST))


STRATEGY = Hermes(
    "hermes",
    "what Hermes 0.22 does: old results to a line, a head, a short tail, the rest retold",
    lean=True,
)
