from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from redline.targets.difference import compare, difference
from redline.targets.target import Change

FILES = st.lists(st.sampled_from([b"a", b"b", b"", b"c\r"]), max_size=30).map(b"\n".join)


def applied(before: bytes, lines: tuple[str, ...]) -> list[str]:
    """The lines of the file after the diff was applied to `before`."""
    old = before.decode().split("\n")
    new: list[str] = []
    at = 0
    for line in lines[2:]:
        if line.startswith("@@"):
            start, length = line.split()[1][1:].split(",")
            first = int(start) - (1 if int(length) else 0)
            new += old[at:first]
            at = first
        elif line.startswith("+"):
            new.append(line[1:])
        elif not line.startswith("\\"):
            assert old[at] == line[1:]
            at += 1
            if line.startswith(" "):
                new.append(line[1:])
    return new + old[at:]


@given(FILES, FILES)
def test_a_difference_leads_from_the_one_file_to_the_other(before: bytes, after: bytes) -> None:
    before, after = before + b"\nend\n", after + b"\nend\n"
    if b"\r" in before + after:
        before, after = before + b"x\n", after + b"y\n"  # mixed line ends: nothing is left out
    lines = compare(before, after, "file")
    assert (lines == ()) == (before == after)
    if lines:
        assert "\n".join(applied(before, lines)).encode() == after


def test_a_small_change_shows_three_lines_around_it() -> None:
    before = b"".join(b"line %d\n" % number for number in range(1000))
    lines = compare(before, before.replace(b"line 500\n", b"other\n"), "file")
    assert lines[2] == "@@ -498,7 +498,7 @@"
    assert len(lines) == 11


def test_a_new_file_and_a_removed_one_are_said_to_be_none() -> None:
    assert compare(None, b"a\n", "f") == ("--- no file", "+++ f", "@@ -0,0 +1,1 @@", "+a")
    assert compare(b"a\n", None, "f") == ("--- f", "+++ no file", "@@ -1,1 +0,0 @@", "-a")


def test_a_missing_final_new_line_is_shown() -> None:
    assert "\\ no newline at the end" in compare(b"a", b"a\n", "f")


def test_line_ends_show_only_where_they_differ() -> None:
    assert compare(b"a\r\n", b"a\r\nb\r\n", "f")[-1] == "+b"
    assert compare(b"a\r\n", b"a\n", "f")[-2:] == ("-a\r", "+a")


def test_binary_content_is_named_by_its_size() -> None:
    assert compare(b"\0a", b"\0ab", "f")[-1] == "binary content: 2 bytes before, 3 bytes after"
    assert compare(b"\xff\n", b"\xfe\n", "f")[-2:] == ("-\\xff", "+\\xfe")


def test_very_long_changes_are_shown_whole_and_quickly() -> None:
    before = b"x\n" * 40_000
    lines = compare(before, b"y\nx\n" * 40_000, "f")
    assert len(lines) > 80_000


def test_the_difference_of_a_change_names_its_file() -> None:
    change = Change("t", "label", b"b\n", b"a\n", Path("/x/f.md"))
    assert difference(change)[:2] == ("--- /x/f.md", "+++ /x/f.md")
    assert difference(Change("t", "label", b"b\n"))[1] == "+++ label"
    assert difference(Change("t", "label", b"a", b"a", Path("/x"))) == ()
