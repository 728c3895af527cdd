"""Writes a session in the form of pi 1.6."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.samples.claude_code import JSON, Call, write_lines
from tests.samples.weights import CALL, IMAGE, MESSAGE, weigh


class Pi:
    """One session file; each step appends what the agent would have written."""

    def __init__(self, session: str, cwd: str, start: datetime, *, baseline: int = 6_200) -> None:
        self.session = session
        self.used = baseline
        self.baseline = baseline
        self.tip: str | None = None
        self._cached = 0
        self._time = start.astimezone(UTC)
        self._pick = random.Random(session)
        self._weights: dict[str, int] = {}
        stamp = self._now(0)
        head = {"type": "session", "version": 3, "id": session, "timestamp": stamp, "cwd": cwd}
        self.lines: list[JSON] = [head]
        self.model = {"api": "anthropic-messages", "provider": "anthropic"}
        self.model["model"] = "claude-sonnet-4-5"
        self.entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
        self.entry("thinking_level_change", thinkingLevel="off")

    def _now(self, seconds: float) -> str:
        self._time += timedelta(seconds=seconds, milliseconds=self._pick.randrange(1000))
        return self._time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def entry(self, kind: str, *, seconds: float = 0, **fields: Any) -> str:
        name = f"{self._pick.getrandbits(32):08x}"
        place = {"type": kind, "id": name, "parentId": self.tip, "timestamp": self._now(seconds)}
        self.lines.append(place | fields)
        self.tip = name
        return name

    def _message(self, weight: int, seconds: float, **message: Any) -> str:
        name = self.entry("message", seconds=seconds, message=message)
        self.lines[-1]["message"]["timestamp"] = int(self._time.timestamp() * 1000)
        self._weights[name] = weight
        self.used += weight
        return name

    def prompt(self, text: str, image: str | None = None) -> str:
        content: list[JSON] = [{"type": "text", "text": text}]
        weight = weigh(text) + MESSAGE
        if image is not None:
            content.append({"type": "image", "data": image, "mimeType": "image/png"})
            weight += IMAGE
        return self._message(weight, 50, role="user", content=content)

    def reply(self, text: str = "", *calls: Call) -> str:
        content: list[JSON] = []
        output = 8
        if text:
            content.append({"type": "text", "text": text})
            output += weigh(text)
        ids = [f"toolu_01{self._pick.getrandbits(88):022x}" for _ in calls]
        for name, call in zip(ids, calls, strict=True):
            block = {"type": "toolCall", "id": name, "name": call.name, "arguments": call.input}
            content.append(block)
            output += weigh(json.dumps(call.input, sort_keys=True, ensure_ascii=False)) + CALL
        fresh = self._pick.randrange(3, 9)
        read = min(self._cached, self.used - fresh)
        written = self.used - fresh - read
        self._cached = self.used - fresh
        usage: JSON = {"input": fresh, "output": output, "cacheRead": read, "cacheWrite": written}
        usage["totalTokens"] = self.used + output
        usage["cost"] = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
        last = self._message(
            output,
            4,
            role="assistant",
            content=content,
            **self.model,
            usage=usage,
            stopReason="toolUse" if calls else "stop",
        )
        for name, call in zip(ids, calls, strict=True):
            body = call.result if isinstance(call.result, str) else call.result[0]["text"]
            blocks = [{"type": "text", "text": body}]
            last = self._message(
                weigh(body) + MESSAGE,
                2,
                role="toolResult",
                toolCallId=name,
                toolName=call.name,
                content=blocks,
                isError=call.error,
            )
        return last

    def ran(self, command: str, output: str, code: int = 0) -> str:
        """A command the user ran with `!`."""
        fields = {"command": command, "output": output, "exitCode": code}
        weight = weigh(output) + MESSAGE
        return self._message(
            weight, 20, role="bashExecution", **fields, cancelled=False, truncated=False
        )

    def go_back(self, to: str, summary: str) -> None:
        """Leaves the branch for an earlier entry, with a summary of what was tried."""
        left = self.tip
        self.tip = to
        self.used = self.baseline + sum(self._on_path().values())
        details: JSON = {"readFiles": [], "modifiedFiles": []}
        name = self.entry("branch_summary", fromId=left, summary=summary, details=details)
        self._weights[name] = weigh(summary) + MESSAGE
        self.used += self._weights[name]

    def _on_path(self) -> dict[str, int]:
        parents = {line["id"]: line.get("parentId") for line in self.lines[1:]}
        found, at = {}, self.tip
        while at is not None:
            found[at] = self._weights.get(at, 0)
            at = parents[at]
        return found

    def compact(self, summary: str, first_kept: str) -> None:
        path = list(self._on_path().items())
        kept = sum(weight for _, weight in path[: [name for name, _ in path].index(first_kept) + 1])
        fields: JSON = {"summary": summary, "firstKeptEntryId": first_kept}
        details = {"readFiles": ["content/plans.json"], "modifiedFiles": ["public/pricing.html"]}
        self.entry("compaction", seconds=15, **fields, tokensBefore=self.used, details=details)
        self.used = self.baseline + weigh(summary) + MESSAGE + kept
        self._cached = self.baseline

    def write(self, path: Path) -> None:
        write_lines(path, self.lines)
