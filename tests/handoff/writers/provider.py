"""A model provider on loopback: speaks the streaming forms of OpenAI and Anthropic, as scripted."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Request:
    """What was asked: the path, the headers in lower case, and the decoded body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything the model was told, in one string."""
        return json.dumps(self.body.get("system", "")) + json.dumps(
            self.body["messages"], ensure_ascii=False
        )

    @property
    def prompt(self) -> str:
        """The last message."""
        content = self.body["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return "".join(block["text"] for block in content)


Answer = Callable[["Handler"], None]


@dataclass
class Provider:
    """Gives `script` one answer a request, the last one again and again. `gone` is set once a
    client has left before its answer was whole, `asked` once a request has come."""

    script: list[Answer] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def plays(self, *answers: Answer) -> Provider:
        self.script = list(answers)
        return self


class Handler(BaseHTTPRequestHandler):
    provider: Provider
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.provider.requests.append(Request(self.path, headers, body))
        script = self.provider.script
        answer = script.pop(0) if len(script) > 1 else script[0]
        self.provider.asked.set()
        self.close_connection = True
        try:
            answer(self)
        except (BrokenPipeError, ConnectionResetError):
            self.provider.gone.set()

    @property
    def anthropic(self) -> bool:
        return str(self.path).endswith("/messages")

    def begin(self, status: int = 200, kind: str = "text/event-stream", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def event(self, value: dict[str, Any] | str) -> None:
        text = value if isinstance(value, str) else json.dumps(value)
        name = f"event: {value['type']}\n" if isinstance(value, dict) and "type" in value else ""
        self.wfile.write(f"{name}data: {text}\n\n".encode("utf-8", "surrogatepass"))
        self.wfile.flush()

    def left(self) -> bool:
        """Whether the client closed its side."""
        self.connection.settimeout(0.01)
        try:
            return bool(self.connection.recv(1) == b"")
        except TimeoutError:
            return False
        except OSError:
            return True

    def wait(self) -> None:
        """Until the client leaves or the test is over."""
        while not self.provider.over.is_set():
            if self.left():
                self.provider.gone.set()
                return


# -- the two forms ---------------------------------------------------------------------------------


def _start(handler: Handler) -> None:
    if handler.anthropic:
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "claude-test",
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1234, "output_tokens": 1},
        }
        handler.event({"type": "message_start", "message": message})
        block = {"type": "text", "text": ""}
        handler.event({"type": "content_block_start", "index": 0, "content_block": block})


def _delta(handler: Handler, text: str) -> None:
    if handler.anthropic:
        delta = {"type": "text_delta", "text": text}
        handler.event({"type": "content_block_delta", "index": 0, "delta": delta})
    else:
        handler.event(_chunk({"content": text}))


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def _end(handler: Handler, finish: str, output: int) -> None:
    if handler.anthropic:
        reason = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}[finish]
        handler.event({"type": "content_block_stop", "index": 0})
        stop = {"stop_reason": reason, "stop_sequence": None}
        usage = {"output_tokens": output}
        handler.event({"type": "message_delta", "delta": stop, "usage": usage})
        handler.event({"type": "message_stop"})
        return
    handler.event(_chunk({}, finish))
    used = {"prompt_tokens": 1234, "completion_tokens": output, "total_tokens": 1234 + output}
    handler.event({**_chunk({}), "choices": [], "usage": used})
    handler.event("[DONE]")


def says(text: str | Iterable[str], finish: str = "stop") -> Answer:
    """A whole answer, in pieces of some ten characters (or as they are given)."""

    def answer(handler: Handler) -> None:
        pieces = (
            [text[at : at + 40] for at in range(0, len(text), 40)]
            if isinstance(text, str)
            else text
        )
        handler.begin()
        _start(handler)
        count = 0
        for piece in pieces:
            count += 1
            _delta(handler, piece)
        _end(handler, finish, count)

    return answer


def breaks_after(text: str) -> Answer:
    """The connection ends in the middle of an answer, without a word."""

    def answer(handler: Handler) -> None:
        handler.begin()
        _start(handler)
        _delta(handler, text)
        handler.connection.shutdown(socket.SHUT_RDWR)

    return answer


def resets_after(text: str) -> Answer:
    """The connection ends inside a chunk of the transfer."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        body = f"data: {json.dumps(_chunk({'content': text}))}\n\n".encode()
        handler.wfile.write(f"{len(body):x}\r\n".encode() + body + b"\r\n500\r\nda")
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)

    return answer


def hangs_after(text: str) -> Answer:
    """Says something (or nothing at all, not even a status), then nothing more."""

    def answer(handler: Handler) -> None:
        if text:
            handler.begin()
            _start(handler)
            _delta(handler, text)
        handler.wait()

    return answer


def fails(status: int, message: str, **headers: str) -> Answer:
    """An error as the provider tells it."""

    def answer(handler: Handler) -> None:
        kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
        kind = kinds.get(status, "overloaded_error" if status == 529 else "api_error")
        error: dict[str, Any] = {"type": kind, "message": message}
        body: dict[str, Any] = {"error": {**error, "param": None, "code": None}}
        if handler.anthropic:
            body = {"type": "error", "error": error}
        data = json.dumps(body).encode()
        handler.begin(status, "application/json", Content_Length=str(len(data)), **headers)
        handler.wfile.write(data)

    return answer


def fails_inside(text: str, kind: str, message: str) -> Answer:
    """An error that comes as an event inside a stream that had begun well."""

    def answer(handler: Handler) -> None:
        handler.begin()
        _start(handler)
        _delta(handler, text)
        error = {"type": kind, "message": message}
        if handler.anthropic:
            handler.event({"type": "error", "error": error})
        else:
            handler.event(json.dumps({"error": {**error, "code": 500}}))

    return answer


def sends(data: bytes, kind: str = "text/event-stream") -> Answer:
    """Bytes that are no form at all."""

    def answer(handler: Handler) -> None:
        handler.begin(200, kind)
        handler.wfile.write(data)

    return answer


@contextmanager
def provider(*answers: Answer) -> Iterator[Provider]:
    """A running provider."""
    made = Provider(list(answers))
    handler = type("Scripted", (Handler,), {"provider": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    made.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
