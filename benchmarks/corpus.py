"""A made-up corpus of sessions of Claude Code and Codex, and of single long ones.

`make(folder)` writes about 480 sessions of 190 MB, one of them of 55 MB with 44 compactions; in
each a needle that is nowhere else. Run: `python benchmarks/corpus.py FOLDER [SESSIONS] [MB]`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.corpus_texts import Texts  # noqa: E402

SESSIONS = 480
BYTES = 190_000_000
LONG_BYTES = 55_000_000
LONG_COMPACTIONS = 44
PROJECTS = 24
_CALLS = (4, 17)  # of a turn; in 18 real sessions of 30 calls and more 4 to 98, 12 in the median
_NEWEST = datetime(2026, 11, 20, 12, tzinfo=UTC)
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Planted:
    """A text that is in one session only, and in what: `prompt`, `reply` or `tool result`."""

    needle: str
    path: Path
    session: str
    where: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was made. `text_bytes` are those of prompts, replies, calls and tool output."""

    home: Path
    planted: tuple[Planted, ...]
    bytes: int
    text_bytes: int

    @property
    def environment(self) -> dict[str, str]:
        """What leads redline to the corpus and nowhere else."""
        return {"HOME": str(self.home), "REDLINE_HOME": str(self.home / "redline")}


class _Writer:
    """Writes the records of one session and counts what of them is text."""

    def __init__(self, file: BinaryIO, texts: Texts, start: datetime) -> None:
        self.file = file
        self.texts = texts
        self.now = start
        self.size = 0
        self.text_bytes = 0

    def write(self, record: Record) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self.file.write(line)
        self.size += len(line)

    def text(self, said: str) -> str:
        self.text_bytes += len(said.encode())
        return said

    def stamp(self) -> str:
        self.now += timedelta(seconds=self.texts.random.randrange(1, 20))
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def id(self, prefix: str = "") -> str:
        return f"{prefix}{self.texts.random.getrandbits(96):024x}"


class _ClaudeCode(_Writer):
    """Records in the form of Claude Code 2.1."""

    def __init__(
        self, file: BinaryIO, texts: Texts, start: datetime, session: str, cwd: str
    ) -> None:
        super().__init__(file, texts, start)
        self.session, self.cwd = session, cwd
        self.parent: str | None = None
        self.held = 20_000  # tokens

    def record(self, kind: str, **fields: Any) -> None:
        uuid = self.uuid()
        self.write(
            {
                "parentUuid": self.parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": self.cwd,
                "sessionId": self.session,
                "version": "2.1.100",
                "gitBranch": "main",
                "type": kind,
                **fields,
                "uuid": uuid,
                "timestamp": self.stamp(),
            }
        )
        self.parent = uuid

    def uuid(self) -> str:
        digits = f"{self.texts.random.getrandbits(128):032x}"
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"

    def prompt(self, said: str) -> None:
        self.record("user", message={"role": "user", "content": self.text(said)})

    def reply(self, *blocks: Record) -> None:
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 900,
            "cache_read_input_tokens": self.held,
            "output_tokens": 210,
            "service_tier": "standard",
        }
        message = {
            "model": "claude-opus-4-8",
            "id": self.id("msg_"),
            "type": "message",
            "role": "assistant",
            "content": list(blocks),
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        self.record("assistant", message=message, requestId=self.id("req_"))

    def said(self, text: str) -> None:
        self.reply({"type": "text", "text": self.text(text)})

    def think(self) -> None:
        thought = {"type": "thinking", "thinking": self.texts.said(3)}
        self.reply({**thought, "signature": self.texts.sealed(400)})

    def ran(self, output: str) -> None:
        texts, call = self.texts, self.id("toolu_")
        argument = f"rg -n {texts.random.choice(texts.names)} {texts.random.choice(texts.paths)}"
        given = {"command": self.text(argument), "description": texts.prose(6)}
        self.reply({"type": "tool_use", "id": call, "name": "Bash", "input": given})
        result = {"tool_use_id": call, "type": "tool_result", "content": self.text(output)}
        outcome = {"stdout": output[:600], "stderr": "", "interrupted": False, "isImage": False}
        content = {"role": "user", "content": [result]}
        self.record("user", message=content, toolUseResult=outcome)
        self.held += len(output) // 3

    def compact(self) -> None:
        logical, self.parent = self.parent, None
        self.record(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            logicalParentUuid=logical,
            compactMetadata={"trigger": "auto", "preTokens": self.held},
        )
        said = "This session is being continued from a previous conversation.\n"
        summary = self.text(said + self.texts.said(60))
        self.record(
            "user",
            message={"role": "user", "content": summary},
            isCompactSummary=True,
            isVisibleInTranscriptOnly=True,
        )
        self.held = 20_000


class _Codex(_Writer):
    """Records in the form of Codex 0.14x."""

    def __init__(
        self, file: BinaryIO, texts: Texts, start: datetime, session: str, cwd: str
    ) -> None:
        super().__init__(file, texts, start)
        meta = {"id": session, "session_id": session, "timestamp": self.stamp(), "cwd": cwd}
        about = {"originator": "codex-tui", "cli_version": "0.142.0", "source": "cli"}
        base = {"model_provider": "openai", "base_instructions": {"text": texts.said(40)}}
        self.record("session_meta", {**meta, **about, **base, "history_mode": "legacy"})
        self.context = {"cwd": cwd, "model": "gpt-5.5", "effort": "medium", "summary": "auto"}
        self.total = 0

    def record(self, kind: str, payload: Record) -> None:
        self.write({"timestamp": self.stamp(), "type": kind, "payload": payload})

    def item(self, kind: str, **fields: Any) -> None:
        self.record("response_item", {"type": kind, **fields})

    def event(self, kind: str, **fields: Any) -> None:
        self.record("event_msg", {"type": kind, **fields})

    def message(self, role: str, form: str, said: str) -> None:
        self.item("message", role=role, content=[{"type": form, "text": said}])

    def prompt(self, said: str) -> None:
        self.event("task_started", turn_id=self.id(), model_context_window=258_400)
        self.record("turn_context", {**self.context, "turn_id": self.id()})
        self.message("user", "input_text", self.text(said))
        self.event("user_message", message=said, images=[], local_images=[], text_elements=[])

    def said(self, text: str) -> None:
        self.message("assistant", "output_text", self.text(text))
        self.event("agent_message", message=text)
        used = {"input_tokens": self.total, "cached_input_tokens": 0, "output_tokens": 90}
        used["total_tokens"] = self.total + 90
        info = {"total_token_usage": used, "last_token_usage": used}
        self.event("token_count", info={**info, "model_context_window": 258_400}, rate_limits=None)

    def think(self) -> None:
        self.item("reasoning", summary=[], content=None, encrypted_content=self.texts.sealed(900))

    def ran(self, output: str) -> None:
        texts, call = self.texts, self.id("call_")
        argument = f"sed -n 1,200p {texts.random.choice(texts.paths)}"
        given = self.text(json.dumps({"command": argument}))
        self.item("function_call", name="shell_command", arguments=given, call_id=call)
        self.item("function_call_output", call_id=call, output=self.text(output))
        self.total += len(output) // 3

    def compact(self) -> None:
        summary = f"Another language model started:\n{self.text(self.texts.said(60))}"
        user = {"type": "input_text", "text": summary}
        kept = [{"type": "message", "role": "user", "content": [user]}]
        self.record("compacted", {"message": summary, "replacement_history": kept})
        self.event("context_compacted")


def _fill(writer: _ClaudeCode | _Codex, size: int, compactions: int, needle: str) -> str:
    """Turns until `size` bytes are written, the needle in the middle; gives what it lies in."""
    texts = writer.texts
    where = texts.random.choice(("tool result", "tool result", "prompt", "reply"))
    middle, planted = size * texts.random.uniform(0.1, 0.9), False
    step = size / (compactions + 1)
    due = step

    def with_needle(kind: str, said: str) -> str:
        nonlocal planted
        if planted or kind != where or writer.size < middle:
            return said
        planted = True
        at = said.find(" ", len(said) // 2)
        return f"{said[:at]} {needle} {said[at:]}"

    while writer.size < size or not planted:
        writer.prompt(with_needle("prompt", texts.said(texts.random.randrange(1, 6))))
        for _ in range(texts.random.randrange(*_CALLS)):
            if texts.random.random() < 0.4:
                writer.think()
            output = texts.block(int(texts.random.lognormvariate(7.6, 0.9)))
            writer.ran(with_needle("tool result", output))
        writer.said(with_needle("reply", texts.said(texts.random.randrange(2, 9))))
        if writer.size >= due and due < size:
            writer.compact()
            due += step
    return where


def long_session(
    path: Path, size: int, compactions: int, seed: int = 1, *, codex: bool = False
) -> Planted:
    """One session of Claude Code, or of Codex, of about `size` bytes at `path`."""
    made, session = (_Codex, path.stem[-36:]) if codex else (_ClaudeCode, path.stem)
    texts = Texts(seed)
    needle = f"needle_{texts.random.getrandbits(64):016x}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = made(file, texts, _NEWEST, session, "/home/dev/long")
        where = _fill(writer, size, compactions, needle)
    return Planted(needle, path, session, where)


def _sizes(texts: Texts, count: int, size: int) -> Iterator[int]:
    """Sizes of `count` sessions, few of them large, that come to `size` bytes."""
    drawn = [texts.random.lognormvariate(0, 1.1) for _ in range(count)]
    whole = sum(drawn)
    for share in drawn:
        yield max(6_000, round(share / whole * size))


def make(home: Path, *, sessions: int = SESSIONS, size: int = BYTES, seed: int = 7) -> Corpus:
    """Writes the corpus under `home`; the same one from the same seed."""
    texts = Texts(seed)
    long_size = LONG_BYTES if size > LONG_BYTES * 2 else size // 4
    planted: list[Planted] = []
    written = text_bytes = 0
    sizes = [long_size, *_sizes(texts, sessions - 1, size - long_size)]
    homes = texts.words[:PROJECTS]
    for number, wanted in enumerate(sizes):
        texts.turn()
        digits = f"{texts.random.getrandbits(128):032x}"
        name = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
        needle = f"needle_{texts.random.getrandbits(64):016x}"
        start = _NEWEST - timedelta(hours=14 * number + texts.random.randrange(10))
        cwd = f"/home/dev/{homes[number % PROJECTS]}"
        claude = number == 0 or texts.random.random() < 0.55
        if claude:
            folder = home / ".claude" / "projects" / cwd.replace("/", "-")
            path = folder / f"{name}.jsonl"
        else:
            folder = home / ".codex" / "sessions" / f"{start:%Y/%m/%d}"
            path = folder / f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{name}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        made = _ClaudeCode if claude else _Codex
        with path.open("wb") as file:
            writer = made(file, texts, start, name, cwd)
            compactions = LONG_COMPACTIONS if number == 0 else wanted // 3_000_000
            where = _fill(writer, wanted, compactions, needle)
        os.utime(path, (writer.now.timestamp(),) * 2)
        planted.append(Planted(needle, path, name, where))
        written += writer.size
        text_bytes += writer.text_bytes
    return Corpus(home, tuple(planted), written, text_bytes)


def main(folder: str, sessions: str = str(SESSIONS), megabytes: str = "190") -> None:
    began = time.perf_counter()
    made = make(Path(folder), sessions=int(sessions), size=int(megabytes) * 1_000_000)
    share = made.text_bytes / made.bytes
    print(
        f"{len(made.planted)} sessions, {made.bytes / 1e6:.1f} MB, {share:.0%} of it text,"
        f" in {time.perf_counter() - began:.1f} s"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
