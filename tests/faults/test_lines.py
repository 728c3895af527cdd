"""A line that is not what it should be costs itself, whoever wrote the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.opening import open_session, recognise
from redline.model import DamageKind
from tests.faults.dialects import (
    ASK,
    CLAUDE_CODE,
    PI,
    Call,
    Dialect,
    Prompt,
    Reply,
    Result,
    Step,
    line,
)
from tests.faults.surfaces import Commands, damage, said

MORE = (Prompt('Go on }{ \\"} then'), Reply("Went on."))
TEXTS = ["Fix the login", "login.py", "Fixed.", 'Go on }{ \\"} then', "Went on."]

STRANGE = [
    b'["x"]',
    b"null",
    b"3",
    b'"s"',
    b"{}",
    b"true",
    b"NaN",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"type":"atis-latch","atis":"","sessionId":"x"}',
    b'{"type":"attachment","at',
    b'{"type":7}',
    b'{"type":null,"message":null,"payload":[],"role":{}}',
    b'{"x":' + b"9" * 5000 + b"}",
    b"\xff\xfe\x00\x80",
    b"<<<<<<< HEAD",
    b"}",
]


@pytest.mark.parametrize("at", ["first", "middle", "last"])
def test_strange_lines_cost_themselves(
    home: Path, dialect: Dialect, commands: Commands, at: str
) -> None:
    """A22, A23, A32: rows nobody knows, half rows, JSON that is no object, rows no parser takes."""
    groups = dialect.lines(*ASK, *MORE)
    places = {"first": 1, "middle": 4, "last": len(groups)}
    groups.insert(places[at], STRANGE)
    path = dialect.write_lines(home, groups)
    session = open_session(path)
    assert said(session) == TEXTS
    before = 1 + sum(map(len, groups[: places[at]]))
    listed = {one.record for one in session.damage}
    for number in (before, before + 1, before + 10):  # a list, null, a half row
        assert number in listed
    assert len(session.damage) < 3 * len(STRANGE)
    if at == "middle":
        assert len(commands.all(path)["damage"]) == len(session.damage)


def test_records_of_an_unknown_type_are_counted(home: Path, dialect: Dialect) -> None:
    """A22: the rest is read, and it says how many there were."""
    groups = dialect.lines(*ASK)
    stated = {"type": "quantum-latch", "timestamp": "2026-01-01T00:00:00Z", "sessionId": "x"}
    unknown = [line({**stated, "uuid": f"x{n}", "id": f"x{n}"}) for n in range(3)]
    session = open_session(dialect.write_lines(home, [*groups, unknown]))
    assert said(session) == TEXTS[:3]
    assert session.counts.unknown == 3
    assert DamageKind.UNKNOWN in damage(session)


def test_records_glued_on_one_line_are_all_read(home: Path, dialect: Dialect) -> None:
    """A26: two, three or all records on one line, with braces in their strings."""
    groups = dialect.lines(*ASK, *MORE)
    head, steps = groups[0], [group for group in groups[1:] if group]
    for size in (2, 3, len(steps)):
        for first in range(len(steps) - size + 1):
            glued = b"".join(one for group in steps[first : first + size] for one in group)
            rest = [*steps[:first], [glued], *steps[first + size :]]
            session = open_session(dialect.write_lines(home, [head, *rest]))
            assert said(session) == TEXTS, (first, size)
            assert DamageKind.GLUED in damage(session)
            assert DamageKind.DANGLING not in damage(session)


def test_the_list_tells_of_glued_records_too(home: Path, dialect: Dialect) -> None:
    """A26: title, model and size are those of the same records on lines of their own."""
    groups = dialect.lines(*ASK, *MORE)
    usual = open_session(dialect.write_lines(home, groups)).info
    for size in range(2, len(groups)):
        glued = b"".join(one for group in groups[1:size] for one in group)
        info = recognise(dialect.write_lines(home, [groups[0], [glued], *groups[size:]]))
        assert (info.title, info.model, info.billed) == (usual.title, usual.model, usual.billed)
        assert (info.id, info.project) == (usual.id, usual.project)


def test_a_record_cut_off_before_its_whole_copy_is_read_once(home: Path, dialect: Dialect) -> None:
    """A26: a torn record, and on its line the same again, whole."""
    for at in range(1, len(ASK) + 1):
        for part in (0.2, 0.5, 0.9):
            groups = dialect.lines(*ASK, *MORE)
            whole = groups[at][0]
            groups[at][0] = whole[: int(len(whole) * part)] + whole
            session = open_session(dialect.write_lines(home, groups))
            assert said(session) == TEXTS, (at, part)


def test_a_last_line_is_read_once_it_is_whole(home: Path, dialect: Dialect) -> None:
    """A25: at whatever byte the agent is, nothing before it is lost and nothing is doubled."""
    groups = dialect.lines(*ASK, *MORE)
    path = dialect.write_lines(home, groups[:-1])
    before, last = path.read_bytes(), b"\n".join(groups[-1])
    for size in [*range(1, len(last), 37), len(last) - 1]:
        path.write_bytes(before + last[:size])
        session = open_session(path)
        assert said(session)[: len(TEXTS) - 1] == TEXTS[:-1]
        assert DamageKind.TORN_TAIL in damage(session)
    for end in (b"", b"\n", b"\n\n", b"\r\n\r\n"):
        path.write_bytes(before + last + end)
        session = open_session(path)
        assert said(session) == TEXTS
        assert DamageKind.TORN_TAIL not in damage(session)


def test_a_torn_tail_with_an_empty_line_behind_it_is_told(home: Path, dialect: Dialect) -> None:
    """A25: killed while it wrote; then something wrote a line end."""
    groups = dialect.lines(*ASK, *MORE)
    for end in (b"\n", b"\n\n", b"\n \n"):
        path = dialect.write_lines(home, groups[:-1])
        with path.open("ab") as file:
            file.write(groups[-1][0][:30] + end)
        session = open_session(path)
        assert said(session) == TEXTS[:-1]
        assert damage(session) & {DamageKind.TORN_TAIL, DamageKind.UNREADABLE}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n", b" \n"], ids=["n", "rn", "nn", "space"])
def test_marks_of_byte_order_and_line_ends_change_nothing(
    home: Path, dialect: Dialect, mark: bytes, end: bytes
) -> None:
    """A31: the first record is read, and the counts are the same."""
    usual = open_session(dialect.write(home, *ASK, *MORE))
    path = dialect.write_lines(home, dialect.lines(*ASK, *MORE), end=end)
    path.write_bytes(mark + path.read_bytes())
    session = open_session(path)
    assert said(session) == TEXTS
    assert session.counts == usual.counts
    assert (session.info.id, session.info.title) == (usual.info.id, usual.info.title)
    assert session.info.project == usual.info.project


@pytest.mark.parametrize("text", ["a\u2028b", "a\u0085b", "a\x0bb", "a\x1cb", "\u2029", "a\rb"])
def test_what_looks_like_a_line_end_inside_a_text_is_none(
    home: Path, dialect: Dialect, text: str
) -> None:
    """Python's own lines end where JSON's do not (faults.md, at its end)."""
    steps = (Prompt(f"Fix {text} it"), Call("t1"), Result("t1", text), Reply(f"Did {text} it"))
    session = open_session(dialect.write(home, *steps))
    assert said(session) == [f"Fix {text} it", text, f"Did {text} it"]
    assert session.damage == ()


@pytest.mark.parametrize("at", [1, 3, 4, 6])
def test_a_very_long_line_is_read_wherever_it_is(home: Path, dialect: Dialect, at: int) -> None:
    """A28: a prompt, a result or a reply, first, middle and last, and everything after it."""
    huge = 'x \\"}{ ' * 300_000
    steps = [*ASK, *MORE]
    long: dict[int, Step] = {1: Prompt(huge), 3: Result("t1", huge)}
    steps[at - 1] = long.get(at, Reply(huge))
    session = open_session(dialect.write(home, *steps))
    assert [len(message.head) <= 200 for message in session.context] == [True] * 6
    assert said(session)[-1] == (huge if at == 6 else TEXTS[-1])
    assert session.damage == ()


def test_a_line_of_25_megabytes_goes_the_whole_way(
    home: Path, dialect: Dialect, commands: Commands
) -> None:
    """A28: the middle one of three rows."""
    result = Result("t1", 'x \\"}{ ' * 3_600_000)
    path = dialect.write(home, Prompt("Fix the login"), Call("t1"), result, Reply("Fixed."))
    assert path.stat().st_size > 25_000_000
    found = commands.json("inspect", str(path))
    assert found["counts"]["context_messages"] == 4
    assert found["counts"]["tool_pairs"] == 1
    assert found["damage"] == []


def test_bytes_that_are_no_text_cost_one_character_each(home: Path, dialect: Dialect) -> None:
    """A30: one bad byte is one mark, also beside a glued record."""
    groups = dialect.lines(Prompt("Fix \u00e9 the login \U0001f600"), Reply("Fixed."))
    path = dialect.write_lines(home, groups)
    path.write_bytes(path.read_bytes().replace("\u00e9".encode(), b"\xff"))
    session = open_session(path)
    assert said(session) == ["Fix \ufffd the login \U0001f600", "Fixed."]
    assert DamageKind.ENCODING in damage(session)


def test_a_lone_surrogate_costs_one_character(
    home: Path, dialect: Dialect, commands: Commands
) -> None:
    """A30: half of an emoji, as JSON escapes write it."""
    groups = dialect.lines(Prompt("Fix HALF it"), Reply("Did HALF it."))
    path = dialect.write_lines(home, groups)
    path.write_bytes(path.read_bytes().replace(b"HALF", b"\\ud83d"))
    session = open_session(path)
    assert said(session) == ["Fix \ufffd it", "Did \ufffd it."]
    commands.all(path)


def test_a_broken_record_in_a_chain_orphans_nothing(home: Path) -> None:
    """A23: the rows behind a half row hang on it; they and those before it are all shown."""
    for dialect in (CLAUDE_CODE, PI):
        for broken in range(1, len(ASK) + len(MORE)):
            groups = dialect.lines(*ASK, *MORE)
            groups[broken][0] = groups[broken][0][:40]
            session = open_session(dialect.write_lines(home, groups))
            assert len(session.context) == len(ASK) + len(MORE) - 1, (dialect.name, broken)
            assert DamageKind.UNREADABLE in damage(session)
