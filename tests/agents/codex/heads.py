"""First lines of rollouts, each with whether Codex 0.171 refuses to resume the file by it."""

from __future__ import annotations

import json

from tests.agents.codex.files import JSON, PARENT, line, meta

GONE = "019f0000-9000-7000-8000-000000000009"
BASE = {"thread_id": GONE, "end_ordinal_exclusive": 3, "end_byte_offset": 3}
SPAWNED = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}


def without(field: str) -> JSON:
    found = meta()
    del found["payload"][field]
    return found


def head(found: JSON, **envelope: object) -> JSON:
    return {**found, **envelope}


TAKEN: dict[str, list[JSON | str]] = {
    "as it is written": [meta()],
    "behind a blank line": ["", "  " + json.dumps(meta())],
    "no source": [without("source")],
    "a source of one's own": [meta(source={"custom": "mine"})],
    "a source that nobody knows": [meta(source="x")],
    "of a subagent": [meta(source=SPAWNED)],
    "a time that is none": [meta(timestamp="yesterday")],
    "no provider": [meta(model_provider=None)],
    "what is null": [meta(git=None, base_instructions=None, dynamic_tools=None, agent_role=None)],
    "what nobody knows": [meta(zzz=5, instructions=5)],
    "a number that is null": [head(meta(), ordinal=None)],
    "an id without dashes": [meta(session_id=PARENT.replace("-", "").upper())],
    "a second head": [meta(), without("originator")],
    "a base that a legacy thread does not need": [meta(history_base=BASE)],
}
REFUSED: dict[str, list[JSON | str]] = {
    **{f"no {name}": [without(name)] for name in ("id", "timestamp", "cwd", "originator")},
    "no version": [without("cli_version")],
    "a version that is a number": [meta(cli_version=5)],
    "no time": [{key: value for key, value in meta().items() if key != "timestamp"}],
    "a thread that is null": [meta(session_id=None)],
    "a thread that is none": [meta(session_id="abc")],
    "a parent that is none": [meta(parent_thread_id="abc")],
    "a source that is null": [meta(source=None)],
    "a source of no kind": [meta(source={"x": 1})],
    "a source of nothing": [meta(source={})],
    "a mode that nobody knows": [meta(history_mode="odd")],
    "a mode that is null": [meta(history_mode=None)],
    "a branch that is a number": [meta(git={"branch": 5})],
    "instructions that are none": [meta(base_instructions={"text": None})],
    "tools that are none": [meta(dynamic_tools=[5])],
    "a window that is none": [meta(context_window={})],
    "a base that is none": [meta(history_base={})],
    "a base that is gone": [meta(history_mode="paginated", history_base=BASE)],
    "a provider that is a number": [meta(model_provider=5)],
    "an ordinal that is none": [head(meta(), ordinal=-1)],
    "another record first": [line("event_msg", {"type": "task_started"}), meta()],
    "no head": [line("event_msg", {"type": "task_started"})],
    "a torn line first": ['{"timestamp": "2026-01', meta()],
    "an array first": ["[1]", meta()],
    "glued to the next": [json.dumps(meta()) + json.dumps(line("event_msg", {"type": "x"}))],
    "a byte order mark": ["\ufeff" + json.dumps(meta())],
    "what is no number": [json.dumps(meta()).replace('"cli"', "NaN")],
}
