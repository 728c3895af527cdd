"""Made-up conversations that try Hermes' rules: every tool, results that repeat, fail or are cut
already, inputs that are long or no JSON, pictures, thinking, summaries, several scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from redline.model import Kind, PartType, Role, Session
from tests.sessions_in_memory import (
    Draft,
    Piece,
    call,
    image,
    injected,
    reply,
    result,
    session,
    summary,
    thinking,
    together,
    user,
)

SUMMARY = "[CONTEXT SUMMARY]:"
TOOLS = (
    "terminal", "read_file", "write_file", "search_files", "patch", "browser_navigate",
    "browser_click", "web_search", "web_extract", "delegate_task", "execute_code", "skill_view",
    "skills_list", "skill_manage", "vision_analyze", "memory", "todo", "todo_list", "clarify",
    "text_to_speech", "cronjob", "cronjob_manage", "process", "process_manage", "Bash", "mystery",
)  # fmt: skip
_ARGUMENTS = (
    "command", "path", "offset", "content", "pattern", "target", "mode", "url", "ref", "query",
    "urls", "goal", "code", "name", "question", "action", "session_id", "category", "operations",
)  # fmt: skip
_SAID = (
    "error", "success", "exit_code", "total_count", "status", "user_response", "responses", "job",
    "count", "completion_reason",
)  # fmt: skip
_SCRIPTS = ("abc def ghi", "abc def ghi", 'ab\n "\\', "漢字 カナx", "привет é ")
_SIZES = (0, 1, 5, 60, 150, 199, 200, 201, 250, 400, 900, 1_499, 1_500, 3_000, 5_001, 9_000, 30_000)
_CUT_BEFORE = (
    "[terminal] ran `x` -> exit 0, 3 lines output",
    "[Duplicate tool output — same content as a more recent call]" + "x" * 300,
    "[Old tool output cleared to save context space]",
    "[read_file] read x (" + "5" * 250 + " chars)",
    "[screenshot removed] " + "y" * 250,
    "BLOCKED by a guard " + "z" * 300,
    "[SKILL_PRUNED: " + "q" * 1_600,
)


class Talk:
    """One conversation, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._calls = 0
        self._shared = [self._words(size) for size in (500, 2_500, 199, 200)]

    def session(self) -> Session:
        turns = self._random.choice((1, 2, 4, 8, 12, 20, 40, 70))
        return session(*(draft for _ in range(turns) for draft in self._turn()))

    def _words(self, size: int) -> str:
        letters = self._random.choice(_SCRIPTS)
        return "".join(self._random.choice(letters) for _ in range(size))

    def _turn(self) -> Iterator[Draft]:
        chance = self._random.random()
        if chance < 0.15:
            yield user(self._words(self._random.choice((1, 40, 400, 5_000, 20_000))))
        elif chance < 0.20:
            yield reply(self._words(self._random.choice(_SIZES)))
        elif chance < 0.22:
            yield summary(SUMMARY + self._words(self._random.choice((30, 300, 3_000))))
        elif chance < 0.24:
            yield user(self._random.choice((" ", "\n", "[IMPORTANT: Background process x")))
        elif chance < 0.26:
            yield injected(self._words(30))
        elif chance < 0.28:
            yield together(user("look"), image())
        elif chance < 0.30:
            text = Piece(PartType.TEXT, Kind.INJECTED, self._words(50), "text")
            yield Draft(Role.SYSTEM, (text,))
        else:
            yield from self._worked()

    def _worked(self) -> Iterator[Draft]:
        made: list[Draft] = []
        if self._random.random() < 0.3:
            made.append(reply(self._words(self._random.choice((1, 50, 500)))))
        if self._random.random() < 0.3:
            made.append(thinking(self._words(self._random.choice((10, 4_000)))))
        results: list[Draft] = []
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            self._calls += 1
            name = f"c{self._calls}"
            made.append(call(self._random.choice(TOOLS), self._arguments(), call_id=name))
            if self._random.random() < 0.97:
                pictures = [image(call_id=name)] if self._random.random() < 0.08 else []
                results.append(together(result(self._content(), call_id=name), *pictures))
        yield together(*made)
        if results and self._random.random() < 0.3:
            also = [user("also")] if self._random.random() < 0.2 else []
            yield together(*results, *also)
        else:
            yield from results

    def _arguments(self) -> dict[str, object] | str:
        values: tuple[object, ...] = (
            True, None, 7, ["u1", "u2"], [{"url": "http://a"}, "b"],
            [{"action": "add", "name": "n"}] * self._random.randint(1, 5),
        )  # fmt: skip
        found: dict[str, object] = {
            name: self._words(self._random.choice((0, 3, 30, 70, 90, 300, 700)))
            if self._random.random() < 0.7
            else self._random.choice(values)
            for name in self._random.sample(_ARGUMENTS, self._random.randint(0, 5))
        }
        written = json.dumps(found)
        return self._random.choice((found, found, found, written, "not json", "[1]", ""))

    def _content(self) -> str:
        chance = self._random.random()
        if chance < 0.25:
            return self._random.choice(self._shared)
        if chance < 0.45:
            return json.dumps(self._object())
        if chance < 0.50:
            return self._random.choice(_CUT_BEFORE)
        return self._words(self._random.choice(_SIZES))

    def _object(self) -> dict[str, Any]:
        answers = [{"status": "answered", "user_response": self._words(300)}]
        values: tuple[object, ...] = (
            self._words(20), "BLOCKED: NOT consented", True, False, 0, 1, -1, None, "blocked",
            "pending_approval", "killed", ["a", "b"], answers, {"execution_error": "x y"},
            {"execution_skipped": "later"}, {"execution_success": False},
        )  # fmt: skip
        found = {
            name: self._random.choice(values)
            for name in self._random.sample(_SAID, self._random.randint(1, 5))
        }
        return {**found, "output": self._words(self._random.choice(_SIZES))}
