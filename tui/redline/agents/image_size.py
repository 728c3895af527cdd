"""The size of an image in pixels, from the first bytes of its base64."""

from __future__ import annotations

import base64
import binascii
from typing import Any

_HEAD_CHARS = 48_000  # base64 characters looked at; a multiple of 4

# JPEG markers that start a frame and hold its size.
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


def image_size(source: Any) -> tuple[int, int] | None:
    """(width, height) of a base64 image source (`data` or `base64`), None where unknown."""
    if not isinstance(source, dict):
        return None
    data = source.get("data") or source.get("base64")
    if not isinstance(data, str):
        return None
    head = data[:_HEAD_CHARS]
    try:
        raw = base64.b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return None
    return _png(raw) or _gif(raw) or _webp(raw) or _jpeg(raw)


def _png(raw: bytes) -> tuple[int, int] | None:
    if raw[:8] != b"\x89PNG\r\n\x1a\n" or len(raw) < 24:
        return None
    return int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")


def _gif(raw: bytes) -> tuple[int, int] | None:
    if raw[:4] != b"GIF8" or len(raw) < 10:
        return None
    return int.from_bytes(raw[6:8], "little"), int.from_bytes(raw[8:10], "little")


def _webp(raw: bytes) -> tuple[int, int] | None:
    """Extended (VP8X) and lossy (VP8) files; a lossless one packs its size into bits."""
    if raw[:4] != b"RIFF" or raw[8:12] != b"WEBP" or len(raw) < 30:
        return None
    if raw[12:16] == b"VP8X":
        width, height = (int.from_bytes(raw[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height
    if raw[12:16] == b"VP8 ":
        width, height = (int.from_bytes(raw[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return width, height
    if raw[12:16] == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None


def _jpeg(raw: bytes) -> tuple[int, int] | None:
    if raw[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(raw):
        if raw[at] != 0xFF:
            return None
        marker = raw[at + 1]
        if marker in _FRAMES:
            height, width = (int.from_bytes(raw[i : i + 2], "big") for i in (at + 5, at + 7))
            return width, height
        at += 2 + int.from_bytes(raw[at + 2 : at + 4], "big")
    return None
