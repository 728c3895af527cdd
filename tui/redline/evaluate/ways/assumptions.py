"""What the simulated run takes for granted, each with where it is from. None is hidden in code."""

from __future__ import annotations

from dataclasses import dataclass

_DECAY = "Governance Decay, arXiv 2606.22528: 1,323 episodes, 7 model families"
_CLAIMS = "ClaimKeep: 69 compactions of Claude Code, 1,491 probes"
_OWN = "13 real sessions of Claude Code, Codex and pi, up to their first compaction"


@dataclass(frozen=True, slots=True)
class Assumption:
    """`value` in words, and its `source`."""

    what: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares from 0 to 1, tokens and characters; see `assumptions` for the sources."""

    broken_when_absent: float = 0.38
    broken_when_present: float = 0.0
    rule_dropped: float = 0.79  # 0.30 / 0.38
    words_dropped_at_best: float = 1 / 15
    path_kept: float = 0.72
    hash_kept: float = 0.58
    value_kept: float = 0.07
    summary_characters: int = 11_400
    system_tokens: int = 39_000
    growth_tokens: int = 1_200
    reply_tokens: int = 220
    requests_per_prompt: int = 10
    threshold: float = 0.835  # of the window: 167,000 of 200,000
    proxy_at: float = 0.9  # of that threshold
    files_again: int = 5
    file_again_tokens: int = 5_000
    rule_tested_every: int = 25  # requests, each rule
    fact_needed_every: int = 40  # requests, each fact
    passages: int = 3
    passage_characters: int = 400


def assumptions(rates: Rates, model: str) -> tuple[Assumption, ...]:
    """All of them, in words."""
    return (
        Assumption(
            "a rule is broken when it is tested and not in the context",
            f"{rates.broken_when_absent:.0%} of times",
            _DECAY,
        ),
        Assumption(
            "a rule is broken though it is in the context",
            f"{rates.broken_when_present:.0%}",
            f"{_DECAY}; seen to happen (claude-code #95745), never measured",
        ),
        Assumption(
            "the agent's own summary drops a rule",
            f"{rates.rule_dropped:.0%} each compaction",
            f"30 % broken after compaction / 38 % when dropped; {_DECAY}",
        ),
        Assumption(
            "at best it drops what the user said",
            f"{rates.words_dropped_at_best:.0%} each compaction",
            "14 of 15 human sentences were kept by 5 real compactions of Claude Code 2.1.39, 0 of "
            "62 by 2 of pi",
        ),
        Assumption(
            "it keeps a fact",
            f"{rates.path_kept:.0%} of paths, {rates.hash_kept:.0%} of hashes, "
            f"{rates.value_kept:.0%} of other values",
            _CLAIMS,
        ),
        Assumption(
            "its length",
            f"{rates.summary_characters:,} characters",
            "median of 86 real ones of Claude Code",
        ),
        Assumption(
            "after it the agent reads files again",
            f"the last {rates.files_again}, each up to {rates.file_again_tokens:,} tokens",
            "Claude Code 2.1.197",
        ),
        Assumption(
            "the agent compacts at",
            f"{rates.threshold:.1%} of the window",
            "Claude Code: 167,000 of 200,000",
        ),
        Assumption(
            "the proxy compacts at",
            f"{rates.proxy_at:.0%} of that",
            "a choice: early enough that the agent never does",
        ),
        Assumption(
            "system prompt and tools",
            f"{rates.system_tokens:,} tokens",
            "median first request of 9 real sessions of Claude Code (14,586 to 42,454)",
        ),
        Assumption(
            "a request adds",
            f"{rates.growth_tokens:,} tokens, {rates.reply_tokens} of them the reply",
            f"medians of {_OWN} (408 to 2,279 a request)",
        ),
        Assumption(
            "the user says something",
            f"every {rates.requests_per_prompt} requests",
            f"median of {_OWN} (3.6 to 63)",
        ),
        Assumption(
            "each rule is tested every",
            f"{rates.rule_tested_every} requests; each fact is needed every "
            f"{rates.fact_needed_every}",
            "a choice; the same for all ways",
        ),
        Assumption(
            "a broken rule costs",
            "one intervention (the user says it again) and one request more",
            "a choice",
        ),
        Assumption(
            "a missing fact costs",
            "one request more, and where the user told it one intervention; what a file told is "
            "read again",
            "a choice",
        ),
        Assumption(
            "memory finds by shared words",
            f"over all that was said and printed, {rates.passages} passages of "
            f"{rates.passage_characters} characters, one request more",
            "really run on the simulated text",
        ),
        Assumption(
            "the provider's cache",
            "is warm at every request; a changed prefix is written anew",
            "requests come within minutes; prices of " + model,
        ),
        Assumption(
            "redline's plan and handoff",
            "are really made, with default settings",
            "strategy redline, writer offline; what is in the context is searched for, not guessed",
        ),
    )
