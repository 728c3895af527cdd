"""Hermes' own answer to conversations. Run by the Python that Hermes is installed in, never here.

Reads one case a line (`messages` in the OpenAI form or `database` and `session`; `window`, `tail`,
`options` of the compressor) and writes one answer a line. The summary is a fixed text: no model is
asked.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def load(case: dict[str, Any]) -> list[dict[str, Any]]:
    if "database" not in case:
        return list(case["messages"])
    from pathlib import Path

    from hermes_state import SessionDB  # type: ignore[import-not-found]

    database = SessionDB(Path(case["database"]))
    try:
        return list(database.get_messages_as_conversation(case["session"]))
    finally:
        database.close()


def answer(case: dict[str, Any]) -> dict[str, Any]:
    from agent.context_compressor import ContextCompressor  # type: ignore[import-not-found]

    made = ContextCompressor(
        "model", config_context_length=case["window"], quiet_mode=True, **case.get("options", {})
    )
    if case.get("tail") is not None:
        made.tail_token_budget = case["tail"]
    made._session_id = case.get("session") or ""
    made._generate_summary = lambda *args, **more: "SUMMARY"
    made._summarize_window = lambda *args, **more: "SUMMARY"
    messages = [{**message, "_row": i} for i, message in enumerate(load(case))]
    pruned, count = made._prune_old_tool_results(
        messages,
        protect_tail_count=made.protect_last_n,
        protect_tail_tokens=made.tail_token_budget,
    )
    lines = {
        i: after["content"]
        for i, (before, after) in enumerate(zip(messages, pruned, strict=True))
        if before.get("content") != after.get("content")
    }
    if hasattr(made, "_compress_window"):
        pruned = made._drop_blank_echoes(pruned)
        start, end = made._compress_window(pruned)
    else:
        start = made._align_boundary_forward(pruned, made._protect_head_size(pruned))
        end = made._find_tail_cut_by_tokens(pruned, start)
    left = made.compress(messages)
    return {
        "threshold": made.threshold_tokens,
        "tail": made.tail_token_budget,
        "rows": len(messages),
        "pruned": count,
        "lines": lines,
        "start": start,
        "end": end,
        "compacted": made._last_compression_made_progress,
        "left": [[m.get("_row"), m.get("content"), len(m.get("tool_calls") or ())] for m in left],
    }


def main() -> None:
    for told in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(told)), ensure_ascii=True) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
