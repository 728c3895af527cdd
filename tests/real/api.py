"""A stand-in on loopback for the providers' APIs that the real agents talk to.

It answers every request with one text, in the form it was asked for (Anthropic messages, OpenAI
responses, OpenAI chat), and keeps what was sent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

Body = dict[str, Any]
Event = tuple[str, Body]


@dataclass
class StandIn:
    """`requests` are the bodies that asked for an answer, in order. `answer` is what all get,
    `tool` a call (name, input) that the next request gets in its place, in Anthropic's form."""

    url: str
    answer: str = "Understood. Done."
    tool: tuple[str, Body] | None = None
    requests: list[Body] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    @property
    def conversations(self) -> list[Body]:
        """The requests that carry a conversation: agents also ask for titles and the like."""
        turns = [body.get("messages") or body.get("input") or [] for body in self.requests]
        return [body for body, sent in zip(self.requests, turns, strict=True) if len(sent) > 1]


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """A stand-in that runs while it is used."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def do_GET(self) -> None:
            self._send(b'{"data": [], "models": []}')

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                body: Body = json.loads(data)
            except ValueError:
                return self._send(b"{}")
            if "count_tokens" in self.path:
                return self._send(json.dumps({"input_tokens": len(data) // 4}).encode())
            answers = (("/messages", _messages), ("/responses", _responses), ("/chat/", _chat))
            for path, answer in answers:
                if path in self.path:
                    made.requests.append(body)
                    return self._send(*answer(made, body, len(data) // 4))
            return self._send(b"{}")

        def _send(self, data: bytes, kind: str = "application/json") -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made = StandIn(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _streamed(events: list[Event], *, names: bool = True) -> tuple[bytes, str]:
    lines = []
    for name, data in events:
        head = f"event: {name}\n" if names else ""
        lines.append(f"{head}data: {json.dumps(data)}\n\n")
    end = "" if names else "data: [DONE]\n\n"
    return ("".join(lines) + end).encode(), "text/event-stream"


def _messages(made: StandIn, body: Body, tokens: int) -> tuple[bytes, str]:
    usage = {"input_tokens": tokens, "output_tokens": 5}
    usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    number = next(made.numbers)
    message: Body = {"id": f"msg_{number}", "type": "message", "role": "assistant"}
    message |= {"model": body.get("model"), "content": [], "usage": usage}
    message |= {"stop_reason": None, "stop_sequence": None}
    known = [tool.get("name") for tool in body.get("tools") or []]
    stop = "end_turn"
    if made.tool is not None and made.tool[0] in known:
        (name, given), made.tool, stop = made.tool, None, "tool_use"
        block: Body = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        delta: Body = {"type": "input_json_delta", "partial_json": json.dumps(given)}
        whole = {**block, "input": given}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": made.answer}
        whole = {"type": "text", "text": made.answer}
    if not body.get("stream"):
        return json.dumps({**message, "content": [whole], "stop_reason": stop}).encode(), _JSON
    ended = {"stop_reason": stop, "stop_sequence": None}
    return _streamed(
        [
            ("message_start", {"type": "message_start", "message": message}),
            (
                "content_block_start",
                {"type": "content_block_start", "index": 0, "content_block": block},
            ),
            ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": 0}),
            (
                "message_delta",
                {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 5}},
            ),
            ("message_stop", {"type": "message_stop"}),
        ]
    )


def _responses(made: StandIn, body: Body, tokens: int) -> tuple[bytes, str]:
    number = next(made.numbers)
    text = {"type": "output_text", "text": made.answer, "annotations": []}
    item: Body = {"type": "message", "id": f"msg_{number}", "role": "assistant"}
    item |= {"status": "completed", "content": [text]}
    usage: Body = {"input_tokens": tokens, "output_tokens": 5, "total_tokens": tokens + 5}
    usage |= {"input_tokens_details": {"cached_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    answer: Body = {"id": f"resp_{number}", "object": "response", "model": body.get("model")}
    answer |= {"status": "completed", "output": [item], "usage": usage}
    begun = {**answer, "status": "in_progress", "output": []}
    added = {**item, "content": [], "status": "in_progress"}
    piece = {"item_id": item["id"], "output_index": 0, "content_index": 0, "delta": made.answer}
    events: list[Event] = [
        ("response.created", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": added}),
        ("response.output_text.delta", piece),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": answer}),
    ]
    return _streamed([(name, {"type": name, **data}) for name, data in events])


def _chat(made: StandIn, body: Body, tokens: int) -> tuple[bytes, str]:
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    about: Body = {"id": f"chat_{next(made.numbers)}", "created": 1, "model": body.get("model")}
    if not body.get("stream"):
        said = {"role": "assistant", "content": made.answer}
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        return json.dumps(
            {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
        ).encode(), _JSON
    about["object"] = "chat.completion.chunk"

    def chunk(delta: Body, finish: str | None = None) -> Event:
        return "", {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    said = {"role": "assistant", "content": made.answer}
    ended: Event = ("", {**about, "choices": [], "usage": usage})
    return _streamed([chunk(said), chunk({}, "stop"), ended], names=False)


_JSON = "application/json"
