"""Writes a session in the form of Claude Code 2.1."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.samples.weights import CALL, IMAGE, MESSAGE, weigh

JSON = dict[str, Any]


@dataclass
class Call:
    """A tool call with the result it gets."""

    name: str
    input: JSON
    result: str | list[JSON]
    error: bool = False
    extra: JSON = field(default_factory=dict)


class ClaudeCode:
    """One session file; each step appends what the agent would have written."""

    def __init__(
        self,
        session: str,
        cwd: str,
        start: datetime,
        *,
        model: str = "claude-opus-4-5-20251101",
        branch: str = "main",
        baseline: int = 21_400,
        agent: str | None = None,
    ) -> None:
        self.session = session
        self.model = model
        self.baseline = baseline
        self.used = baseline
        self.lines: list[JSON] = []
        self.tip: str | None = None
        self._cached = 0
        self._time = start.astimezone(UTC)
        self._pick = random.Random(session)
        self._prompt = ""
        self._common: JSON = {
            "isSidechain": agent is not None,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": cwd,
            "sessionId": session,
            "version": "2.1.197",
            "gitBranch": branch,
        }
        if agent is not None:
            self._common["agentId"] = agent
        else:
            self.note("mode", mode="normal")
            self.note("permission-mode", permissionMode="default")

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._pick.getrandbits(128), version=4))

    def _token(self, start: str) -> str:
        signs = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789"
        return start + "01" + "".join(self._pick.choice(signs) for _ in range(22))

    def _now(self, seconds: float) -> str:
        self._time += timedelta(seconds=seconds, milliseconds=self._pick.randrange(1000))
        return self._time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def note(self, kind: str, **fields: Any) -> None:
        """A bookkeeping record outside the chain."""
        self.lines.append({"type": kind, **fields, "sessionId": self.session})

    def _append(self, kind: str, seconds: float, parent: str | None, **fields: Any) -> str:
        name = self._uuid()
        place = {"parentUuid": parent, **self._common, "type": kind}
        self.lines.append(place | fields | {"uuid": name, "timestamp": self._now(seconds)})
        self.tip = name
        return name

    def prompt(self, text: str, image: str | None = None, *, wait: float = 40) -> str:
        """A human's words, with a picture (base64 PNG) where one is pasted."""
        self._prompt = self._uuid()
        content: str | list[JSON] = text
        self.used += weigh(text) + MESSAGE
        if image is not None:
            source = {"type": "base64", "media_type": "image/png", "data": image}
            content = [{"type": "text", "text": text}, {"type": "image", "source": source}]
            self.used += IMAGE
        return self._append(
            "user",
            wait,
            self.tip,
            message={"role": "user", "content": content},
            promptId=self._prompt,
            origin={"kind": "human"},
            promptSource="typed",
        )

    def reply(self, text: str = "", *calls: Call, thinking: str = "") -> str:
        """One answer of the API: a record a block, then the results of its calls."""
        blocks: list[JSON] = []
        output = 8
        if thinking:
            signature = self._token("Ev") * 3
            blocks.append({"type": "thinking", "thinking": thinking, "signature": signature})
            output += weigh(thinking)
        if text:
            blocks.append({"type": "text", "text": text})
            output += weigh(text)
        ids = [self._token("toolu_") for _ in calls]
        for name, call in zip(ids, calls, strict=True):
            block = {"type": "tool_use", "id": name, "name": call.name, "input": call.input}
            blocks.append(block)
            output += weigh(json.dumps(call.input, sort_keys=True, ensure_ascii=False)) + CALL
        usage = self._usage(output)
        message: JSON = {
            "model": self.model,
            "id": self._token("msg_"),
            "type": "message",
            "role": "assistant",
        }
        stop = "tool_use" if calls else "end_turn"
        sources: dict[str, str] = {}
        for at, block in enumerate(blocks):
            body: JSON = {"content": [block], "stop_sequence": None, "usage": usage}
            body["stop_reason"] = stop if at == len(blocks) - 1 else None
            request = "req_" + message["id"][4:]
            last = self._append("assistant", 3, self.tip, message=message | body, requestId=request)
            if block["type"] == "tool_use":
                sources[str(block["id"])] = last
        self.used += output
        for name, call in zip(ids, calls, strict=True):
            self._result(name, call, sources[name])
        assert self.tip is not None
        return self.tip

    def _usage(self, output: int) -> JSON:
        fresh = self._pick.randrange(3, 9)
        read = min(self._cached, self.used - fresh)
        self._cached = self.used - fresh
        return {
            "input_tokens": fresh,
            "cache_creation_input_tokens": self.used - fresh - read,
            "cache_read_input_tokens": read,
            "output_tokens": output,
            "service_tier": "standard",
        }

    def _result(self, name: str, call: Call, source: str) -> None:
        block: JSON = {"type": "tool_result", "tool_use_id": name, "content": call.result}
        if call.error:
            block["is_error"] = True
        body = call.result if isinstance(call.result, str) else call.result[0]["text"]
        self.used += weigh(body) + MESSAGE
        fields: JSON = {"promptId": self._prompt, "sourceToolAssistantUUID": source}
        if call.extra:
            fields["toolUseResult"] = call.extra
        self._append("user", 2, source, message={"role": "user", "content": [block]}, **fields)

    def rewind(self, to: str) -> None:
        """Goes on from an earlier record, as after a rewind."""
        self.tip = to

    def compact(self, trigger: str, summary: str, focus: str = "") -> None:
        """The agent's own compaction: boundary, summary, and what `/compact` leaves behind."""
        before = self.used
        tail = [
            line["uuid"]
            for line in self.lines
            if line["type"] == "assistant" and line["message"]["id"] == self._last_reply()
        ]
        tip = self.tip
        boundary, anchor = self._uuid(), self._uuid()
        kept = {"anchorUuid": anchor, "uuids": tail, "allUuids": tail}
        segment = {"headUuid": tail[0], "anchorUuid": anchor, "tailUuid": tail[-1]}
        weight = weigh(summary)
        self.lines.append(
            {
                "parentUuid": None,
                "logicalParentUuid": tip,
                **self._common,
                "type": "system",
                "subtype": "compact_boundary",
                "content": "Conversation compacted",
                "isMeta": False,
                "timestamp": self._now(20),
                "uuid": boundary,
                "level": "info",
                "compactMetadata": {
                    "trigger": trigger,
                    "preTokens": before,
                    "durationMs": 31_204,
                    "preservedSegment": segment,
                    "preservedMessages": kept,
                    "postTokens": weight + 300,
                    "cumulativeDroppedTokens": before - weight,
                },
            }
        )
        self.lines.append(
            {
                "parentUuid": boundary,
                **self._common,
                "type": "user",
                "message": {"role": "user", "content": summary},
                "isVisibleInTranscriptOnly": True,
                "isCompactSummary": True,
                "uuid": anchor,
                "timestamp": self._now(0),
            }
        )
        self.used = self.baseline + weight + MESSAGE + self._last_output()
        self._cached = self.baseline
        self.tip = tail[-1]
        if trigger == "manual":
            name = "<command-name>/compact</command-name>\n<command-message>compact"
            command = f"{name}</command-message>\n<command-args>{focus}</command-args>"
            for text, meta in (
                (
                    "<local-command-caveat>Caveat: made by a local command.</local-command-caveat>",
                    True,
                ),
                (command, False),
                ("<local-command-stdout>Compacted</local-command-stdout>", False),
            ):
                self.used += weigh(text) + MESSAGE
                fields: JSON = {"isMeta": True} if meta else {}
                body = {"role": "user", "content": text}
                self._append("user", 0, self.tip, message=body, **fields)

    def _last_reply(self) -> str:
        found = [line for line in self.lines if line["type"] == "assistant"]
        return str(found[-1]["message"]["id"])

    def _last_output(self) -> int:
        found = [line for line in self.lines if line["type"] == "assistant"]
        return int(found[-1]["message"]["usage"]["output_tokens"])

    def title(self, text: str, last_prompt: str) -> None:
        self.note("last-prompt", lastPrompt=last_prompt, leafUuid=self.tip)
        self.note("ai-title", aiTitle=text)

    def write(self, path: Path) -> None:
        write_lines(path, self.lines)


def write_lines(path: Path, lines: Sequence[JSON]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    body = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
    path.write_bytes(body.encode("utf-8"))
