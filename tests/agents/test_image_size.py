"""The size of an image from its first bytes."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from redline.agents.image_size import image_size

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x80\x00\x00\x01\xe0"
GIF = b"GIF89a\x80\x02\xe0\x01"
JPEG = b"\xff\xd8\xff\xe0\x00\x04xx\xff\xc0\x00\x11\x08\x01\xe0\x02\x80\x03"
WEBP = b"RIFFxxxxWEBPVP8X\n\x00\x00\x00\x00\x00\x00\x00\x7f\x02\x00\xdf\x01\x00"
WEBP_LOSSY = b"RIFFxxxxWEBPVP8 xxxxxxx\x9d\x01\x2a\x80\x02\xe0\x01"
WEBP_LOSSLESS = b"RIFFxxxxWEBPVP8Lxxxx\x2f" + (639 | 479 << 14).to_bytes(4, "little")


@pytest.mark.parametrize("raw", [PNG, GIF, JPEG, WEBP, WEBP_LOSSY, WEBP_LOSSLESS])
def test_width_and_height_are_read_from_the_header(raw: bytes) -> None:
    data = base64.b64encode(raw + b"\x00" * 60).decode()
    assert image_size({"data": data}) == (640, 480)
    assert image_size({"base64": data}) == (640, 480)


@pytest.mark.parametrize(
    "source",
    [None, "x", {}, {"data": 5}, {"data": "?"}, {"data": ""}, {"data": "/9j/"}, {"data": "AAAA"}],
)
def test_what_is_no_image_has_no_size(source: Any) -> None:
    assert image_size(source) is None


def test_a_picture_whose_segments_have_no_length_ends() -> None:
    raw = b"\xff\xd8" + b"\xff\xe0\x00\x00" * 5000
    assert image_size({"data": base64.b64encode(raw).decode()}) is None
