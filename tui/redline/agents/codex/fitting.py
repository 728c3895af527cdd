"""Items as Codex's own loader takes them (0.171).

It reads a line whole or not at all: one item of a replacement history that it cannot read takes
all others with it. What it asks of each type was found by running it on some eighty made-up items,
one at a time. Ids are left out: Codex sends none for items that have none (its rollouts of before
2026-07 hold none), and what is encrypted is verified against the id that it was made for, so that a
new one would spoil it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from redline.agents.bodies import call_text, texts
from redline.agents.codex.item import INTER_AGENT, MESSAGE, REASONING
from redline.agents.codex.resume import agent_message

Value = dict[str, Any]

_UNNAMED = "unknown"  # a call needs a name
_DEEPEST = 100  # levels of an item; the loader takes 128 of a line
_TEXTS = ("input_text", "output_text")
_PHASES = ("commentary", "final_answer")
_DETAILS = ("auto", "low", "high", "original")
_STATUS = ("completed", "in_progress", "incomplete")
_ENCRYPTED = "encrypted_content"
# The fields that have to be texts where they are there, of a command and of a search on the web.
_OF_COMMAND = ("working_directory", "user")
_SEARCHED = {"search": ("query",), "open_page": ("url",), "find_in_page": ("url", "pattern")}


def fitting(kind: str, value: Mapping[str, Any]) -> Value | None:
    """The item `value` of the type `kind` as the loader takes it, saying the same; None where it
    has no form that it takes. Fields that it does not know are left out."""
    fit = _FITTING.get(kind)
    return None if fit is None else fit(value)


def spoken(text: str) -> Value:
    """`text` as the model's own words: for what has no other form."""
    return {
        "type": MESSAGE,
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }


def _strings(value: Mapping[str, Any], *names: str) -> Value:
    """Those of the fields that are texts."""
    return {name: held for name in names if isinstance(held := value.get(name), str)}


def _message(value: Mapping[str, Any]) -> Value | None:
    role, content = value.get("role"), value.get("content")
    if not isinstance(role, str) or not isinstance(content, list):
        return None
    blocks = []
    for block in content:
        fit = _block(block, _TEXTS[role == "assistant"])
        if fit is None:
            return None
        if fit:
            blocks.append(fit)
    found = {"type": MESSAGE, "role": role, "content": blocks, **_strings(value, "status")}
    if value.get("phase") in _PHASES:
        found["phase"] = value["phase"]
    return found


def _block(block: object, wire: str) -> Value | None:
    """A block of a message; {} for one that nobody reads."""
    if not isinstance(block, dict):
        return {}
    kind = block.get("type")
    if kind == "input_image":
        return _image(block)
    if isinstance(text := block.get("text"), str):
        return {"type": kind if kind in _TEXTS else wire, "text": text}
    return _sound(block)


def _image(block: Mapping[str, Any]) -> Value | None:
    if not isinstance(url := block.get("image_url"), str):
        return None
    found = {"type": "input_image", "image_url": url}
    if block.get("detail") in _DETAILS:
        found["detail"] = block["detail"]
    return found


def _sound(block: Mapping[str, Any]) -> Value:
    url = block.get("audio_url")
    return {"type": "input_audio", "audio_url": url} if isinstance(url, str) else {}


def _reasoning(value: Mapping[str, Any]) -> Value:
    found: Value = {"type": REASONING, "summary": _thoughts(value.get("summary"), "summary_text")}
    if isinstance(value.get("content"), list):
        found["content"] = _thoughts(value["content"], "reasoning_text", "text")
    return {**found, **_strings(value, _ENCRYPTED)}


def _thoughts(blocks: object, *kinds: str) -> list[Value]:
    return [
        {
            "type": block["type"] if block.get("type") in kinds else kinds[0],
            "text": block["text"],
        }
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, dict) and isinstance(block.get("text"), str)
    ]


def _call(field: str) -> Callable[[Mapping[str, Any]], Value | None]:
    def call(value: Mapping[str, Any]) -> Value | None:
        named, given = _strings(value, "call_id"), value.get(field)
        if not named or not isinstance(given, str | dict | list):
            return None
        found = {"name": _UNNAMED, **_strings(value, "name", "namespace"), **named}
        return {
            "type": "function_call" if field == "arguments" else "custom_tool_call",
            **found,
            field: call_text(given),
        }

    return call


def _local_shell(value: Mapping[str, Any]) -> Value | None:
    action = value.get("action")
    if not _is_command(action):
        named = {**_strings(value, "call_id"), "name": "local_shell", "arguments": action}
        return _call("arguments")(named)
    status = value.get("status")
    return {
        "type": "local_shell_call",
        **_strings(value, "call_id"),
        "status": status if status in _STATUS else _STATUS[0],
        "action": action,
    }


def _is_command(action: object) -> bool:
    if not isinstance(action, dict) or action.get("type") != "exec" or not _is_plain(action):
        return False
    words, time, env = action.get("command"), action.get("timeout_ms"), action.get("env")
    told = all(action.get(name) is None or _is_text(action[name]) for name in _OF_COMMAND)
    timed = time is None or (type(time) is int and time >= 0)
    set_to = env is None or (isinstance(env, dict) and all(map(_is_text, env.values())))
    return told and timed and set_to and isinstance(words, list) and all(map(_is_text, words))


def _output(kind: str) -> Callable[[Mapping[str, Any]], Value | None]:
    def output(value: Mapping[str, Any]) -> Value | None:
        held = value.get("output")
        body: object = texts(held)
        if isinstance(held, list):
            body = [_result(block) for block in held]
            if None in body:
                return None
            body = [block for block in body if block]
        named = _strings(value, "call_id")
        own = kind if named else "function_call_output"  # the one that may answer no call
        beside = ("name",) if own != "function_call_output" else ("name", "namespace")
        return {"type": own, **named, **_strings(value, *beside), "output": body}

    return output


def _result(block: object) -> Value | None:
    """A block of a result; {} for one that nobody reads."""
    if isinstance(block, str):
        return {"type": _TEXTS[0], "text": block}
    if not isinstance(block, dict):
        return {}
    said = next((block[name] for name in ("text", "content") if _is_text(block.get(name))), None)
    if block.get("type") == "input_image":
        return _image(block) if said is None else None
    if said is not None:
        return {"type": _TEXTS[0], "text": said}
    return _sealed(block) or _sound(block)


def _sealed(block: Mapping[str, Any]) -> Value:
    held = _strings(block, _ENCRYPTED)
    return {"type": _ENCRYPTED, **held} if held else {}


def _web_search(value: Mapping[str, Any]) -> Value:
    action = value.get("action")
    if action is not None and not _is_search(action):
        return spoken(call_text(action))
    told = {} if action is None else {"action": action}
    return {"type": "web_search_call", **_strings(value, "status"), **told}


def _is_search(action: object) -> bool:
    if not isinstance(action, dict) or not isinstance(action.get("type"), str):
        return False
    names = _SEARCHED.get(action["type"], ())
    queries = action.get("queries")
    return (
        _is_plain(action)
        and all(action.get(name) is None or _is_text(action[name]) for name in names)
        and (queries is None or (isinstance(queries, list) and all(map(_is_text, queries))))
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _tool_search(value: Mapping[str, Any]) -> Value | None:
    arguments = value.get("arguments")
    if not _is_plain(arguments):
        return None
    found = {"execution": "client", **_strings(value, "call_id", "status", "execution")}
    return {"type": "tool_search_call", **found, "arguments": arguments}


def _tools_found(value: Mapping[str, Any]) -> Value | None:
    tools = value.get("tools")
    if not isinstance(tools, list) or not _is_plain(tools):
        return None
    found = {"status": _STATUS[0], "execution": "client"}
    found |= _strings(value, "call_id", "status", "execution")
    return {"type": "tool_search_output", **found, "tools": tools}


def _drawing(value: Mapping[str, Any]) -> Value | None:
    drawn = _strings(value, "result")
    if not drawn:
        return None
    told = _strings(value, "status", "revised_prompt")
    return {"type": "image_generation_call", "status": _STATUS[0], **told, **drawn}


def _of_agent(value: Mapping[str, Any]) -> Value:
    blocks = []
    for block in value["content"] if isinstance(value.get("content"), list) else ():
        if isinstance(block, dict):
            said = isinstance(text := block.get("text"), str)
            blocks.append({"type": _TEXTS[0], "text": text} if said else _sealed(block))
    named = {"author": "", "recipient": "", **_strings(value, "author", "recipient")}
    return {"type": "agent_message", **named, "content": [block for block in blocks if block]}


def _between_agents(value: Mapping[str, Any]) -> Value:
    """A record of a message between agents, as the model is given it; what is said in the clear
    beside what is sealed stands before it."""
    told = {name: held for name, held in value.items() if held != ""}
    given = dict(agent_message(told))
    head, *sealed = given["content"]
    said = {"type": _TEXTS[0], "text": value.get("content")}
    blocks = [head, said, *sealed] if sealed else [head]
    return _of_agent({**given, "content": [block for block in blocks if block.get("text") != ""]})


def _compaction(value: Mapping[str, Any]) -> Value | None:
    held = _strings(value, _ENCRYPTED)
    return {"type": "compaction", **held} if held else None


def _compacted_context(value: Mapping[str, Any]) -> Value:
    return {"type": "context_compaction", **_strings(value, _ENCRYPTED)}


_FITTING: Mapping[str, Callable[[Mapping[str, Any]], Value | None]] = {
    MESSAGE: _message,
    REASONING: _reasoning,
    "function_call": _call("arguments"),
    "custom_tool_call": _call("input"),
    "local_shell_call": _local_shell,
    "function_call_output": _output("function_call_output"),
    "custom_tool_call_output": _output("custom_tool_call_output"),
    "web_search_call": _web_search,
    "tool_search_call": _tool_search,
    "tool_search_output": _tools_found,
    "image_generation_call": _drawing,
    "agent_message": _of_agent,
    INTER_AGENT: _between_agents,
    "compaction": _compaction,
    "compaction_summary": _compaction,
    "context_compaction": _compacted_context,
}


def _is_plain(value: object) -> bool:
    """Whether every parser reads the same: no number that is none or too large, not too deep."""
    try:
        return bool(orjson.loads(orjson.dumps(value)) == value) and _depth(value) <= _DEEPEST
    except (orjson.JSONEncodeError, orjson.JSONDecodeError, TypeError):
        return False


def _depth(value: object) -> int:
    found = 0
    rest: list[object] = [value]
    while rest:
        inner: list[object] = []
        for held in rest:
            if isinstance(held, dict):
                inner += held.values()
            elif isinstance(held, list):
                inner += held
        found, rest = found + 1, inner
    return found
