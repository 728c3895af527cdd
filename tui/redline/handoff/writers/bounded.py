"""An HTTP client that takes no more from a server than an answer can need.

litellm reads an error's body whole and looks through it with patterns, which for a hundred
megabytes stands still for minutes; a line of a stream is gathered until it ends. So both are
bounded here.
Redirects are not followed: a key goes to the address it was set for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx

ERROR_BYTES = 65_536  # of an error's body that are read; the rest is left
LINE_BYTES = 4_000_000  # of a line in a stream
STREAM_BYTES = 100_000_000  # of a whole answer; a token comes in some 400 bytes


class Bounded(httpx.AsyncClient):
    """httpx's own client, with proxies and certificates from the environment as ever."""

    def __init__(self) -> None:
        super().__init__(timeout=None, follow_redirects=False)

    async def send(
        self, request: httpx.Request, *, stream: bool = False, **options: Any
    ) -> httpx.Response:
        options["follow_redirects"] = False
        response = await super().send(request, stream=True, **options)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        limited = _ErrorBody if response.status_code >= 400 else _AnswerBody
        response.stream = limited(response.stream)
        if not stream:
            try:
                await response.aread()
            except BaseException:
                await response.aclose()
                raise
        return response


class _Body(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self.stream = stream

    async def aclose(self) -> None:
        await self.stream.aclose()


class _ErrorBody(_Body):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = ERROR_BYTES
        async for data in self.stream:
            yield data[:left]
            left -= len(data)
            if left <= 0:
                return


class _AnswerBody(_Body):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        whole = line = 0
        async for data in self.stream:
            whole += len(data)
            end = data.rfind(b"\n")
            line = line + len(data) if end < 0 else len(data) - end
            if line > LINE_BYTES or whole > STREAM_BYTES:
                raise httpx.ReadError("the answer is larger than any answer can be")
            yield data
