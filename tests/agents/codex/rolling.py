"""Made-up rollouts for the tests of the reader: whole turns, calls, compactions, rollbacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from redline.agents.codex.reader import open_session
from redline.model import Message, Session
from tests.agents.codex.files import JSON, event, item, line, meta, said, turn, write

PREFIX = (
    "Another language model started to solve this problem and produced a summary of its thinking"
    " process.\n"
)


def message(role: str, *blocks: str | JSON) -> JSON:
    """A message as it stands in a history."""
    wire = "output_text" if role == "assistant" else "input_text"
    content = [{"type": wire, "text": b} if isinstance(b, str) else b for b in blocks]
    return {"type": "message", "role": role, "content": content}


def user(*blocks: str | JSON) -> JSON:
    return line("response_item", message("user", *blocks))


def image(data: str = "AAAA") -> JSON:
    return {"type": "input_image", "image_url": f"data:image/png;base64,{data}"}


def call(call_id: str, arguments: str = '{"command":["ls"]}', name: str = "shell") -> JSON:
    return item("function_call", name=name, arguments=arguments, call_id=call_id)


def output(call_id: str, text: object = "done") -> JSON:
    return item("function_call_output", call_id=call_id, output=text)


def sealed(size: int = 1_000, **fields: Any) -> JSON:
    return item("reasoning", summary=[], content=None, encrypted_content="g" * size, **fields)


def count(sent: int, thread: int, answered: int = 10, cached: int = 0) -> JSON:
    """What one request was billed; `thread` is the input of the whole thread so far."""
    last = {
        "input_tokens": sent,
        "cached_input_tokens": cached,
        "output_tokens": answered,
        "total_tokens": sent + answered,
    }
    total = {"input_tokens": thread, "output_tokens": answered, "total_tokens": thread + answered}
    info = {
        "total_token_usage": total,
        "last_token_usage": last,
        "model_context_window": 258_400,
    }
    return event("token_count", info=info, rate_limits=None)


def estimate(total: int, thread: int, answered: int = 10) -> JSON:
    record = count(0, thread, answered)
    record["payload"]["info"]["last_token_usage"] = {"input_tokens": 0, "total_tokens": total}
    return record


def started(ident: str) -> JSON:
    return event("task_started", turn_id=ident, model_context_window=258_400)


def done(ident: str) -> JSON:
    return event("task_complete", turn_id=ident)


def marked(text: str, **fields: Any) -> JSON:
    return line("event_msg", {"type": "user_message", "message": text, "images": [], **fields})


def asked(ident: str, prompt: str, *between: JSON, answer: str = "") -> list[JSON]:
    """A whole turn."""
    return [
        started(ident),
        turn(turn_id=ident),
        user(prompt),
        marked(prompt),
        *between,
        said("assistant", answer or f"Re: {prompt}"),
        done(ident),
    ]


def compacted(summary: str = "", history: list[JSON] | None = None, **fields: Any) -> JSON:
    if history is not None:
        fields["replacement_history"] = history
    return line("compacted", {"message": summary, **fields})


def rolled_back(turns: int) -> JSON:
    return event("thread_rolled_back", num_turns=turns)


def opened(folder: Path, *records: JSON | str, **view: Any) -> Session:
    path = write(folder / "rollout.jsonl", meta(), *records)
    return open_session(path, **view)


def heads(messages: Any) -> list[str]:
    found: list[Message] = list(messages)
    return [each.head for each in found]


def history(session: Session) -> list[str]:
    return heads(session.source.history())
