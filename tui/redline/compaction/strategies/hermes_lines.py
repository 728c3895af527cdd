"""The one line that Hermes leaves of an old tool result (`_summarize_tool_result`, 0.19 and 0.22).

It is made of the call's input and of what the result says of itself. 0.22 adds whether the tool
failed, so that a refused call does not read like one that was done.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_Arguments = Mapping[str, Any]
_EXIT = re.compile(r'"exit_code"\s*:\s*(-?\d+)')
_MATCHES = re.compile(r'"total_count"\s*:\s*(\d+)')
_BROWSER = ("navigate", "click", "snapshot", "type", "scroll", "vision")
_SHORTEST_PRUNED = 200  # characters; lines that must not be pruned again stay below
_SKILL = 5_000  # characters of a skill's text from which its line says how to load it again
SKILL_MARK = "[SKILL_PRUNED:"
_SILENT = (  # what a question that nobody answered left in older sessions
    "The user did not provide a response",
    "[user did not respond",
    "[clarify prompt could not be delivered",
    "[oneshot mode:",
    "[single-query mode: no user available",
)
_CANCELLED = "The user cancelled. Use your best judgement to proceed."


@dataclass(frozen=True, slots=True)
class Ran:
    """A call and what came back, decoded as far as it can be."""

    tool: str
    arguments: _Arguments
    content: str
    payload: _Arguments  # the content where it is a JSON object; 0.19 does not look

    @property
    def size(self) -> str:
        return f"{len(self.content):,}"

    @property
    def lines(self) -> int:
        return self.content.count("\n") + 1 if self.content.strip() else 0

    def given(self, name: str, otherwise: str = "") -> str:
        """An argument as text."""
        value = self.arguments.get(name, otherwise)
        if isinstance(value, str):
            return value
        return str(value) if value is not None else otherwise

    def raw(self, name: str, otherwise: object = "?") -> Any:
        return self.arguments.get(name, otherwise)


_Line = Callable[[Ran], str]


def line(tool: str, arguments: object, content: str, *, lean: bool) -> str:
    """The line for a result of `tool`; `lean` is 0.22, otherwise 0.19."""
    try:
        payload = decoded_object(content) if lean else {}
        ran = Ran(tool, decoded_object(arguments), content, payload)
        if not lean:
            return _LEGACY.get(tool, _generic)(ran)
        return _refused(ran) or _LEAN.get(tool, _generic_or_failed)(ran)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return f"[{tool}] ({len(content):,} chars result)"


def decoded_object(text: object) -> dict[str, Any]:
    """The JSON object in `text`, empty where it is none."""
    if not isinstance(text, str) or not text:
        return {}
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _generic(ran: Ran) -> str:
    first = "".join(f" {k}={str(v)[:40]}" for k, v in list(ran.arguments.items())[:2])
    return f"[{ran.tool}]{first} ({ran.size} chars result)"


def _terminal(ran: Ran) -> str:
    found = _EXIT.search(ran.content)
    status = found[1] if found else "?"
    command = _cut(ran.given("command"), 80)
    return f"[terminal] ran `{command}` -> exit {status}, {ran.lines} lines output"


def _read(ran: Ran) -> str:
    return f"[read_file] read {ran.raw('path')} from line {ran.raw('offset', 1)} ({ran.size} chars)"


def _written(ran: Ran) -> str:
    lines: object = "?"
    if ran.arguments.get("content"):
        lines = ran.given("content").count("\n") + 1
    return f"[write_file] wrote to {ran.raw('path')} ({lines} lines)"


def _searched(ran: Ran) -> str:
    found = _MATCHES.search(ran.content)
    what, place = ran.raw("target", "content"), ran.raw("path", ".")
    matches = found[1] if found else "?"
    return (
        f"[search_files] {what} search for '{ran.raw('pattern')}' in {place} -> {matches} matches"
    )


def _patched(ran: Ran) -> str:
    return f"[patch] {ran.raw('mode', 'replace')} in {ran.raw('path')} ({ran.size} chars result)"


def _browsed(ran: Ran) -> str:
    url, ref = ran.raw("url", ""), ran.raw("ref", "")
    detail = f" {url}" if url else f" ref={ref}" if ref else ""
    return f"[{ran.tool}]{detail} ({ran.size} chars)"


def _web_search(ran: Ran) -> str:
    return f"[web_search] query='{ran.raw('query')}' ({ran.size} chars result)"


def _web_extract(ran: Ran) -> str:
    urls = ran.raw("urls", [])
    first = urls[0] if isinstance(urls, list) and urls else "?"
    if isinstance(first, dict):
        first = first.get("url") or first.get("href") or "?"
    elif not isinstance(first, str):
        first = "?"
    if isinstance(urls, list) and len(urls) > 1:
        first += f" (+{len(urls) - 1} more)"
    return f"[web_extract] {first} ({ran.size} chars)"


def _delegated(ran: Ran) -> str:
    return f"[delegate_task] '{_cut(ran.given('goal'), 60)}' ({ran.size} chars result)"


def _executed(ran: Ran) -> str:
    code = ran.given("code")
    shown = code[:60].replace("\n", " ") + ("..." if len(code) > 60 else "")
    return f"[execute_code] `{shown}` ({ran.lines} lines output)"


def _named(ran: Ran) -> str:
    return f"[{ran.tool}] name={ran.raw('name')} ({ran.size} chars)"


def _looked(ran: Ran) -> str:
    return f"[vision_analyze] '{ran.given('question')[:50]}' ({ran.size} chars)"


def _memory(ran: Ran) -> str:
    return f"[memory] {ran.raw('action')} on {ran.raw('target')}"


def _cron(ran: Ran) -> str:
    return f"[cronjob] {ran.raw('action')}"


def _process(ran: Ran) -> str:
    return f"[process] {ran.raw('action')} session={ran.raw('session_id')}"


def _todo(ran: Ran) -> str:
    del ran
    return "[todo] updated task list"


def _asked(ran: Ran) -> str:
    del ran
    return "[clarify] asked user a question"


def _spoke(ran: Ran) -> str:
    return f"[text_to_speech] generated audio ({ran.size} chars)"


_COMMON: Mapping[str, _Line] = {
    "terminal": _terminal,
    "read_file": _read,
    "write_file": _written,
    "search_files": _searched,
    "patch": _patched,
    **{f"browser_{what}": _browsed for what in _BROWSER},
    "web_search": _web_search,
    "web_extract": _web_extract,
    "delegate_task": _delegated,
    "execute_code": _executed,
    "vision_analyze": _looked,
    "memory": _memory,
    "text_to_speech": _spoke,
}
_LEGACY: Mapping[str, _Line] = {
    **_COMMON,
    "skill_view": _named,
    "skills_list": _named,
    "skill_manage": _named,
    "todo": _todo,
    "clarify": _asked,
    "cronjob": _cron,
    "process": _process,
}


def _or_failed(plain: _Line) -> _Line:
    return lambda ran: plain(ran) + _failure(ran.payload)


_generic_or_failed = _or_failed(_generic)


def _failure(payload: _Arguments) -> str:
    """What 0.22 adds where the result says that it failed."""
    error = payload.get("error")
    return _outcome(error) if error or payload.get("success") is False else ""


def _outcome(why: object, word: str = "FAILED") -> str:
    told = " ".join(str(why).split())[:80] if why else ""
    return f" {word}: {told}" if told else f" {word}"


def _refused(ran: Ran) -> str | None:
    """The line for a call that a person or a guard did not let run."""
    payload = ran.payload
    stated = payload.get("error")
    error = stated if isinstance(stated, str) else ""
    if not error and ran.content.lstrip().startswith("BLOCKED"):
        error = ran.content.strip()
    if payload.get("status") == "pending_approval":
        outcome = "awaiting the user's approval, not run"
    elif error and (payload.get("status") == "blocked" or error.lstrip().startswith("BLOCKED")):
        outcome = "BLOCKED, not run"
        if "NOT consented" in error:
            outcome += (
                "; the user did NOT consent, do not retry or reach the same outcome another way"
            )
    else:
        return None
    target = ran.given("command") or ran.given("path")
    named = f" `{_cut(target, 60)}`" if target else ""
    return f"[{ran.tool}]{named} {outcome}"[: _SHORTEST_PRUNED - 1]


def _written_or_failed(ran: Ran) -> str:
    failed = _failure(ran.payload)
    return f"[write_file] {ran.raw('path')}{failed}" if failed else _written(ran)


def _skill(ran: Ran) -> str:
    name = ran.raw("name")
    mark = ""
    if len(ran.content) > _SKILL:
        mark = f" {SKILL_MARK} content lost in compression; reload with skill_view(name='{name}')]"
    return f"[skill_view] name={name} ({ran.size} chars){mark}"


def _skills(ran: Ran) -> str:
    payload = ran.payload
    category, count = ran.given("category"), payload.get("count")
    scope = f" category={category}" if category else ""
    listed = f" {count} skills" if isinstance(count, int) else ""
    return f"[skills_list]{scope}{listed}{_failure(payload)} ({ran.size} chars)"


def _skill_manage(ran: Ran) -> str:
    operations = ran.raw("operations", None)
    if isinstance(operations, list) and operations:
        each = [Ran("", one, "", {}) for one in operations if isinstance(one, dict)]
        done = "; ".join(f"{one.given('action', '?')} {one.given('name', '?')}" for one in each[:3])
        if len(operations) > 3:
            done += f" (+{len(operations) - 3} more)"
    else:
        done = f"{ran.given('action', '?')} {ran.given('name', '?')}"
    failed = _failure(ran.payload)
    return f"[skill_manage] {done}{failed} ({ran.size} chars)"


def _cron_run(ran: Ran) -> str:
    """The outcome of a run stands in the job, beside what earlier runs left there."""
    payload = ran.payload
    failed = _failure(payload)
    job = payload.get("job")
    if failed or not isinstance(job, dict):
        return _cron(ran) + failed
    error, skipped = job.get("execution_error"), job.get("execution_skipped")
    if error is not None or (skipped is None and job.get("execution_success") is False):
        failed = _outcome(error)
    elif skipped is not None:
        failed = _outcome(skipped, "SKIPPED")
    return _cron(ran) + failed


def _process_ended(ran: Ran) -> str:
    payload = ran.payload
    failed, status = _failure(payload), payload.get("exit_code")
    stopped = payload.get("completion_reason") == "killed"
    if not failed and isinstance(status, int) and not isinstance(status, bool):
        failed = _outcome(f"exit code {status}") if status != 0 and not stopped else ""
    return _process(ran) + failed


def _answered(ran: Ran) -> str:
    """What a person answered is kept, as far as it fits."""
    payload = ran.payload
    responses = payload.get("responses")
    if not isinstance(responses, list) and "user_response" in payload:
        responses = [payload]
    answers: list[str] = []
    for one in responses if isinstance(responses, list) else ():
        if not isinstance(one, dict):
            continue
        older = "status" not in one
        if one.get("status") == "answered" or (older and "user_response" in one):
            said = one.get("user_response")
            values = said if isinstance(said, list) else [said]
            texts = [value for value in values if isinstance(value, str) and value]
            answers += [text for text in texts if not older or not _silence(text)]
    if not answers:
        return _asked(ran)
    shown = json.dumps(answers[0] if len(answers) == 1 else answers, ensure_ascii=False)
    told = shown.encode("utf-8", "backslashreplace").decode("utf-8")
    return elided(f"[clarify] user responded: {told}", _SHORTEST_PRUNED - 1)


def _silence(text: str) -> bool:
    return text.strip() == _CANCELLED or text.strip().startswith(_SILENT)


def elided(text: str, most: int) -> str:
    """The beginning of `text` and 0.22's mark of how much is missing, in `most` characters."""
    if len(text) <= most:
        return text
    room = most - len(_elision(len(text), len(text)))
    kept = text[: max(0, room)].rstrip()
    return kept + _elision(len(text) - len(kept), len(text))


def _elision(omitted: int, total: int) -> str:
    said = f"{omitted:,} of {total:,} chars omitted here by Hermes's context compressor."
    return f"\N{MATHEMATICAL LEFT DOUBLE ANGLE BRACKET}HERMES-CONTEXT-COMPRESSION: {said}" + (
        "\N{MATHEMATICAL RIGHT DOUBLE ANGLE BRACKET}"
    )


_FAILING = (
    "read_file", "patch", "web_search", "web_extract", "delegate_task", "vision_analyze", "memory",
    "text_to_speech", *(f"browser_{what}" for what in _BROWSER),
)  # fmt: skip
_LEAN: Mapping[str, _Line] = {
    **_COMMON,
    **{name: _or_failed(_COMMON[name]) for name in _FAILING},
    "write_file": _written_or_failed,
    "skill_view": _skill,
    "skills_list": _skills,
    "skill_manage": _skill_manage,
    "todo_list": _todo,
    "clarify": _answered,
    "cronjob_manage": _cron_run,
    "process_manage": _process_ended,
}
