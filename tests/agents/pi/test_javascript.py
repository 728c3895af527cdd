from __future__ import annotations

import json

import pytest

from redline.agents.pi.javascript import json_length, number_text, string_length


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (12345678901234567890, "12345678901234567000"),
        (123456789012345678901234, "1.2345678901234569e+23"),
        (2**53 + 1, "9007199254740992"),
        (5e-324, "5e-324"),
        (float("inf"), "null"),
        (10**400, "null"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(number: float, text: str) -> None:
    """As node wrote them when it was asked."""
    assert number_text(number) == text


@pytest.mark.parametrize(
    ("source", "length"),
    [
        ('{"b": 1, "a": [true, false, null]}', 29),
        ('"a\\u2028b"', 5),
        ('"\\u007f\\u0000\\u001f\\n\\"\\\\/"', 22),
        ('"\\ud83d\\ude00"', 4),
        ('"\\ud800x"', 9),
        ('"\\udc00\\ud800"', 14),
        ("[]", 2),
        ('{"command": "ls", "timeout": 1.0}', 28),
    ],
)
def test_json_is_as_long_as_javascript_writes_it(source: str, length: int) -> None:
    assert json_length(json.loads(source)) == length


def test_a_string_is_as_long_as_its_utf16_units() -> None:
    assert [string_length(text) for text in ("abc", "中", "\N{GRINNING FACE}")] == [3, 1, 2]


def test_deep_nesting_is_no_danger() -> None:
    value: list[object] = []
    for _ in range(5_000):
        value = [value]
    assert json_length(value) == 10_002
