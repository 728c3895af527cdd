from __future__ import annotations

import contextlib
import json
import string
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.errors import RedlineError
from redline.targets.badly_written_json import Number, Value, joined, put, read

ONE, TWO = Number("1"), Number("2")


def value_of(text: str | bytes) -> object:
    found = read(text.encode() if isinstance(text, str) else text)
    assert found is not None
    return found.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [1, 2,],}', {"a": ONE, "b": [ONE, TWO]}),
        ("{'a': 'it\\'s', b: True, // why\n c: NaN, d: None}", None),
        ('```json\n{"a": "x"}\n```\n', {"a": "x"}),
        ('Here it is:\n{"a": "x"}\nThat is all.', {"a": "x"}),
        ('{"a": "cut o', {"a": "cut o"}),
        ('{"a": [1, {"b": "c', {"a": [ONE, {"b": "c"}]}),
        ('{"a": "he said "hi" to me", "b": 1}', {"a": 'he said "hi" to me', "b": ONE}),
        ('{"a": "line\nbreak", "b": 2}', {"a": "line\nbreak", "b": TWO}),
        ('{"a": "no end,\n "b": "x"}', {"a": "no end", "b": "x"}),
        ('{"a": 1}{"b": 2}', {"a": ONE, "b": TWO}),
        ('{"a": 1}\n{"b": 2}\n', {"a": ONE, "b": TWO}),
        ('{"a": 1}, "b": 2}', {"a": ONE, "b": TWO}),
        ('[{"a": 1}, {"b": 2}, "c"]', {"a": ONE, "b": TWO, "items": ["c"]}),
        ('{"a": [1, 2}', {"a": [ONE, TWO]}),
        ('{"a": "C:\\dir"}', {"a": "C:\\dir"}),
        ('{"a": "x"\n"b": "y"}', {"a": "x", "b": "y"}),
        ("{'a': 'don't stop', 'b': 2}", {"a": "don't stop", "b": TWO}),
        ('{"a": /* old */ 1}', {"a": ONE}),
        ('{"a": .5, "b": 01, "c": +1}', {"a": ".5", "b": "01", "c": "+1"}),
        ('{"a" "b"}', {"a": None, "b": None}),
        ('{"a": ["x"], "a": ["y", "x"]}', {"a": ["x", "y"]}),
        ('{"a": {"x": 1}, "a": {"y": 2}}', {"a": {"x": ONE, "y": TWO}}),
        ('{"a": 1, "a": 2}', {"a": TWO, "a (2)": ONE}),
        ('{"a" = 1, "b"="x = y"}', {"a": ONE, "b": "x = y"}),
        ("{a = 1, b=[2], 'c' = 'x=y'}", {"a": ONE, "b": [TWO], "c": "x=y"}),
        ("{'a': 'it'=1', b: x=y}", {"a": "it'=1", "b": "x=y"}),
        ('{"a", }', {"a": None}),
        ("{", {}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": ONE}),
        ('{"a": "\u00e9"}'.encode("utf-16"), {"a": "\u00e9"}),
        (b'{"a": "caf\xe9 \xc3\xa9"}', {"a": "caf\u00e9 \u00e9"}),
        ('{"a":\u00a01}', {"a": ONE}),
    ],
)
def test_what_an_agent_wrote_badly_is_read_and_told(text: str | bytes, value: object) -> None:
    found = read(text.encode() if isinstance(text, str) else text)
    assert found is not None
    assert found.mended
    assert not found.spans
    if value is not None:
        assert found.value == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('Here it is:\n{"a": 1}', "text around the JSON"),
        ('{"a": 1} // why', "text around the JSON"),
        ('```json\n{"a": 1}\n```', "a Markdown fence around it"),
        ('{"a": 1}{"b": 2}', "several values one after the other"),
        ('[{"a": 1}]', "a list where an object belongs"),
        ('{"a" = 1}', "= in place of :"),
        ("{a=1}", "a name without double quotes, = in place of :"),
        ('{"a"}', "a name without a value"),
        ('{"a": }', "a name without a value"),
        ('{"a": 1, "a": 2}', "a name that comes twice"),
        ('{"a": [1', "it was cut off"),
        ('{"a": "b', "it was cut off"),
        ('{"a": [1,]}', "a comma before an end"),
        ('{"a": [1, 2}', "ends that do not fit"),
        ('{"a": 1,, "b": 2}', "a comma too many"),
        ('{"a": 1 "b": 2}', "a comma that is missing"),
        ("{a: 1}", "a name without double quotes"),
        ('{"a": True}', "words of another language"),
        ('{"a": b}', "a value without quotes"),
        ('{"a": "b "c" d"}', "a quote inside a string"),
        ('{"a": "b\nc"}', "a new line or control character inside a string"),
        ('{"a": "b\tc"}', "a new line or control character inside a string"),
        ('{"a": "b\\dc"}', "a backslash that stands for nothing"),
        ("{\"a\": 'b'}", "single quotes"),
        ('{"a":\u00a01}', "white space of another kind"),
        ('{"a": /* why */ 1}', "comments"),
    ],
)
def test_each_thing_that_is_mended_is_told_by_its_name_and_nothing_else_is(
    text: str, told: str
) -> None:
    found = read(text.encode())
    assert found is not None
    assert ", ".join(found.mended) == told


def test_words_of_python_and_javascript_are_what_they_mean_and_nan_stays_a_word() -> None:
    assert value_of("{a: True, b: None, c: NaN, d: -Infinity, e: undefined, f: two words}") == {
        "a": True,
        "b": None,
        "c": "NaN",
        "d": "-Infinity",
        "e": None,
        "f": "two words",
    }


@pytest.mark.parametrize("text", ["", "no JSON here", "\n\n", "- a\n- b"])
def test_where_there_is_no_object_there_is_none(text: str) -> None:
    assert read(text.encode()) is None


def test_numbers_stay_as_they_are_written() -> None:
    text = '{"a": 1.10, "b": 1e400, "c": 123456789012345678901234567890, "d": -0}'
    found = read(text.encode())
    assert found is not None
    assert found.mended == ()
    assert found.value["b"] == Number("1e400")
    assert [text[slice(*span)] for span in found.spans.values()] == [
        "1.10",
        "1e400",
        "123456789012345678901234567890",
        "-0",
    ]


def test_what_is_nested_beyond_reason_is_refused() -> None:
    with pytest.raises(RedlineError, match="nested deeper"):
        read(b'{"a":' * 5_000)
    with pytest.raises(RedlineError, match="nested deeper"):
        read(b"[" * 100_000)


JSON: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=5)
WORDS = st.text(string.ascii_lowercase, min_size=3, max_size=8)


@given(OBJECTS, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_good_json_is_read_as_it_is(
    value: dict[str, object], indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = read(text.encode())
    assert found is not None
    assert found.mended == ()
    spans = {key: text[slice(*span)] for key, span in found.spans.items()}
    assert {key: json.loads(raw) for key, raw in spans.items()} == json.loads(text)


@given(
    st.dictionaries(WORDS, st.lists(WORDS, max_size=4), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(list("{[],:'`\n x1"))), max_size=4),
)
def test_whatever_is_put_into_it_no_letter_is_lost(
    value: dict[str, list[str]], spoiled: list[tuple[int, str]]
) -> None:
    text = json.dumps(value, indent=1)
    for place, mark in spoiled:
        at = 1 + place % (len(text) - 1)
        text = text[:at] + mark + text[at:]
    found = read(text.encode())
    assert found is not None
    left = Counter(_letters(found.value))
    assert not Counter(_letters(value)) - left


def _letters(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (letter for letter in value if letter.isalpha())
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (*_letters(key), *_letters(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from _letters(inner)


@given(st.binary(max_size=200) | st.text(alphabet="{}[],:\"'\\/#*\n truefalsn1.", max_size=80))
def test_nothing_breaks_the_reader(data: bytes | str) -> None:
    read(data if isinstance(data, bytes) else data.encode())


@given(OBJECTS, st.integers(0, 300))
def test_a_file_that_was_cut_off_holds_what_was_written(
    value: dict[str, object], length: int
) -> None:
    text = json.dumps(value)
    found = read(text[: max(1, length % (len(text) + 1))].encode())
    assert found is not None
    whole = json.loads(text)
    assert list(found.value)[:-1] == list(whole)[: max(0, len(found.value) - 1)]


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "' + '"' * 50_000,
        '{"a": "' + "\n" * 200_000,
        '{"a" ' * 90,
        "/*" * 50_000 + "{",
        '{"a": ["b"' + ' "c"' * 50_000,
    ],
)
def test_hostile_text_takes_no_time(text: str) -> None:
    with contextlib.suppress(RedlineError):
        read(text.encode())


@pytest.mark.parametrize("text", ["[1] " * 50_000, "{" + '"a": 1, ' * 50_000])
def test_a_name_that_comes_without_end_is_refused(text: str) -> None:
    with pytest.raises(RedlineError, match="names twice"):
        read(text.encode())


def test_two_values_of_one_name_lose_nothing() -> None:
    into: dict[str, Value] = {"a": "x"}
    assert put(into, "a", "y")
    assert put(into, "a", "z")
    assert into == {"a": "z", "a (2)": "x", "a (3)": "y"}
    assert joined(["x"], "y") == ["x", "y"]
    assert joined(None, "y") == joined("y", None) == "y"
