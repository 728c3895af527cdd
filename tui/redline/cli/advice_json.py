"""The moment, triggers, alarms and thrash, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redline.cli.output import when

if TYPE_CHECKING:
    from redline.compaction.advice import Advice
    from redline.compaction.breaches import Breach
    from redline.compaction.moment import Moment, Reason
    from redline.compaction.thrash import Thrash
    from redline.compaction.triggered import Met


def advice_json(advice: Advice | None) -> dict[str, Any]:
    """The `moment`, `triggers`, `breaches` and `thrash` of a step; null and empty where unknown.
    `told` marks triggers that are told with this step."""
    if advice is None:
        return {"moment": None, "triggers": [], "breaches": [], "thrash": None}
    told = {met.name for met in advice.news}
    return {
        "moment": moment_json(advice.moment),
        "triggers": [{**met_json(met), "told": met.name in told} for met in advice.met],
        "breaches": [breach_json(breach) for breach in advice.breaches],
        "thrash": thrash_json(advice.thrash),
    }


def moment_json(moment: Moment) -> dict[str, Any]:
    return {
        "verdict": moment.verdict,
        "good": [_reason_json(reason) for reason in moment.good],
        "bad": [_reason_json(reason) for reason in moment.bad],
        "open_call": moment.open_call,
        "edits_open": moment.edits_open,
        "waiting": moment.waiting,
    }


def _reason_json(reason: Reason) -> dict[str, Any]:
    return {"text": reason.text, "about": reason.about, "message": reason.message}


def met_json(met: Met) -> dict[str, Any]:
    return {
        "name": met.name,
        "value": met.value,
        "at": met.at,
        "words": met.words,
        "held": met.held or None,
    }


def breach_json(breach: Breach) -> dict[str, Any]:
    """One breach, as `audit` and `follow` print it."""
    return {
        "rule": breach.rule.id,
        "text": breach.rule.text,
        "message": breach.message,
        "call": breach.call,
        "tool": breach.tool,
        "what": breach.what,
        "time": when(breach.time),
        "failed": breach.failed,
    }


def thrash_json(thrash: Thrash | None) -> dict[str, Any] | None:
    if thrash is None:
        return None
    return {
        "compactions": thrash.times,
        "left": thrash.after,
        "used": thrash.used,
        "limit": thrash.limit,
        "refills": [{"name": each.name, "tokens": each.tokens} for each in thrash.refills],
    }
