"""Whatever a file holds and whoever edits it in between, only the block is redline's."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from redline.errors import RedlineError
from redline.fences import BOM
from redline.places import places
from redline.targets.block import BlockRule, body, find, put, remove, rules_of, swap
from redline.targets.block_target import BlockTarget, WithoutBlock
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import CompactInstructions, State, StateBlock
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
NAMES = ("project", "project2", "state")
MARK = b"<!-- redline:rules:begin id=project -->"
END = b"<!-- redline:rules:end id=project -->"
BITS = [
    b"# Mine", b"## Rules of this project", b"```", b"````md", b"~~~", b"- ```", b"1. ~~~",
    b"  ```", b"    ```", b"x", b"- never touch it", b"", b" ", b"\t", b"\xff\xfe\xfa", b"\xc3",
    "中文".encode(),
    b"<!--", b"-->", b"<!-- note -->", b"@AGENTS.md", BOM, b"\x0b\x0c\x1c", "\u2028\x85".encode(),
    b"> " + MARK, b"`" + MARK + b"`", b"see " + END, b"    " + MARK, b"- " + END, b"y" * 20_000,
    b"<!-- redline:rules:begin id=projects -->", b"<!-- other:begin id=project -->", MARK, END,
]  # fmt: skip
ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\r\n", b"\r", b""])
LINES = st.builds(lambda bit, end: bit + end, st.sampled_from(BITS), ENDS)
FILES = st.lists(LINES, max_size=10).map(b"".join) | st.binary(max_size=80)
RULES = st.lists(
    st.sampled_from(["Never touch it", "用中文回答", "Be brief", "@a.md is old", "<!-- x -->"]),
    min_size=1,
    max_size=4,
    unique=True,
).map(lambda texts: [BlockRule(f"r{len(text)}", text) for text in texts])


def readable(data: bytes, *names: str) -> bool:
    try:
        return all(find(data, name) is not None for name in names or ("project",))
    except RedlineError:
        return False


@example(b"", b"", b"", [BlockRule("r1", "x")], [BlockRule("r2", "y")])
@example(BOM, b"", b"\r\n", [BlockRule("r1", "x")], [BlockRule("r2", "y")])
@example(
    b"a\r\n## Rules of this project\r", b"", b"", [BlockRule("r1", "x")], [BlockRule("r1", "y")]
)
@given(FILES, FILES, FILES, RULES, RULES)
def test_edits_around_the_block_are_kept_byte_for_byte(
    data: bytes, above: bytes, below: bytes, first: list[BlockRule], second: list[BlockRule]
) -> None:
    """Write, write again, edit by hand above and below, update, remove."""
    if not readable(data) or find(data, "project").spans:
        return
    once = put(data, "project", first)
    assert put(once, "project", first) == once
    ((start, end),) = find(once, "project").spans
    block = once[start:end]
    before = once[:start] + above + (b"\n" if above else b"")
    # Below a block that ends the file without a line end text can only follow on a new line.
    edited = before + block + (b"" if block.endswith(b"\n") else b"\n") + below
    stands = (len(before), len(edited) - len(below))
    if not readable(edited) or find(edited, "project").spans != (stands,):
        return  # a person wrote a marker, or the block came into a fence
    updated = put(edited, "project", second)
    assert put(updated, "project", second) == updated
    assert updated.startswith(before)
    assert updated.endswith(below)
    assert {one.line for one in rules_of(updated, "project")} == {one.line for one in second}
    back = swap(updated, "project", edited)
    assert (back[: len(before)], body(back, "project")) == (before, body(edited, "project"))
    assert back.endswith(below)
    gone = remove(updated, "project")
    assert gone.endswith(below)
    left = gone[: len(gone) - len(below)]
    assert before.startswith(left)
    assert before[len(left) :].strip(b"\r\n") == b""  # the blank line that was put before it
    assert len(before) - len(left) <= 4


@given(FILES, st.permutations(NAMES), st.permutations(NAMES), RULES)
def test_blocks_of_one_file_go_in_any_order_and_leave_what_was_there(
    data: bytes, written: list[str], removed: list[str], rules: list[BlockRule]
) -> None:
    if not readable(data, *NAMES) or any(find(data, name).spans for name in NAMES):
        return
    now = data
    for name in written:
        now = put(now, name, rules)
        if not readable(now, *NAMES):
            return
    for name in NAMES:
        assert rules_of(now, name) == tuple(rules)
    for name in removed:
        others = {other: rules_of(now, other) for other in NAMES if other != name}
        now = remove(now, name)
        assert {other: rules_of(now, other) for other in others} == others
    assert now.strip(b"\r\n") == data.strip(b"\r\n")
    if removed == written[::-1]:
        assert now == data


class Ours(RuleBasedStateMachine):
    """A file that redline made, or a person: only one that nobody else wrote in goes with the last
    block, and an undo brings back what was there."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self.path = Path(self._folder.name, "AGENTS.md")
        self.home = places({"REDLINE_HOME": str(Path(self._folder.name, "home"))})
        self.theirs = False  # whether a person made it, or wrote in it
        self.last: str | None = None

    def teardown(self) -> None:
        self._folder.cleanup()

    @initialize(content=st.sampled_from([None, None, b"", b"# Mine\r\n", BOM, b"\n"]))
    def begin(self, content: bytes | None) -> None:
        if content is not None:
            self.path.write_bytes(content)
            self.theirs = True

    def commit(self, target: BlockTarget) -> None:
        there = self.path.exists()
        change = target.preview()
        receipt = commit([change], session="s", places=self.home, now=NOW)
        self.last = receipt.id or self.last
        if there and not self.path.exists():
            assert not self.theirs
            assert any("the file goes too" in warning for warning in change.warnings)
        if there and self.theirs:
            assert self.path.exists()

    @rule(rules=RULES)
    def write(self, rules: list[BlockRule]) -> None:
        if not self.path.exists():
            self.theirs = False
        texts = [(one.id, one.line) for one in rules]
        self.commit(RulesBlock(texts, to=self.path, places=self.home))

    @rule()
    def write_compact_instructions(self) -> None:
        if not self.path.exists():
            self.theirs = False
        self.commit(CompactInstructions(to=self.path))

    @rule(block=st.sampled_from(["project", "compact-instructions"]))
    def take_out(self, block: str) -> None:
        self.commit(WithoutBlock(to=self.path, block=block, places=self.home))

    @precondition(lambda self: self.last is not None)
    @rule()
    def undo(self) -> None:
        assert self.last is not None
        held = self.path.read_bytes() if self.path.exists() else None
        done = Receipts(self.home).undo(self.last, NOW)
        if done.receipt is not None:
            assert Receipts(self.home).undo(done.receipt, NOW).complete == done.complete
        if done.files[0].outcome is not Outcome.AS_BEFORE:  # else it is written again
            assert (self.path.read_bytes() if self.path.exists() else None) == held
        self.last = None

    @precondition(lambda self: self.path.exists())
    @rule(text=st.sampled_from([b"mine\n", b"caf\xe9\r\n", b"```\n", b"\n"]))
    def edit(self, text: bytes) -> None:
        self.path.write_bytes(self.path.read_bytes() + text)
        self.theirs = True

    @rule()
    def delete(self) -> None:
        self.path.unlink(missing_ok=True)

    @invariant()
    def nothing_is_left_of_a_file_of_ours(self) -> None:
        if self.path.exists() and not self.theirs:
            assert b"redline:" in self.path.read_bytes()


TestOurs = Ours.TestCase
TestOurs.settings = settings(
    max_examples=25, stateful_step_count=12, deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip


class Hands(RuleBasedStateMachine):
    """A file that a person edits while redline writes, updates and takes out its block: what the
    person wrote is there after each step, byte for byte."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self.path = Path(self._folder.name, "AGENTS.md")
        self.home = places({"REDLINE_HOME": str(Path(self._folder.name, "home"))})
        self.own: list[bytes] = []
        self.wrote = False

    def teardown(self) -> None:
        self._folder.cleanup()

    @initialize(
        lines=st.lists(st.sampled_from([b"# Mine", b"x", b"", b"\xff", b"> y"]), max_size=4)
    )
    def begin(self, lines: list[bytes]) -> None:
        self.own = [line + b"\r\n" for line in lines]
        self.path.write_bytes(b"".join(self.own))

    @rule(rules=RULES)
    def write(self, rules: list[BlockRule]) -> None:
        target = RulesBlock(
            [(one.id, one.line) for one in rules],
            to=self.path,
            retired=[f"r{n}" for n in range(20)],
            redact=lambda text: (text, {}),
        )
        commit([target.preview()], session="s", places=self.home, now=NOW)
        self.wrote = True
        os.utime(self.path, (1, 1))
        again = commit([target.preview()], session="s", places=self.home, now=NOW)
        assert (again.state, self.path.stat().st_mtime) == ("nothing", 1)

    @rule()
    def take_out(self) -> None:
        commit([RulesBlock([], to=self.path).preview()], session="s", places=self.home, now=NOW)
        self.wrote = False

    @precondition(lambda self: self.wrote)
    @rule()
    def write_a_state(self) -> None:
        state = State("Fix it", "Half done", ("Test",), "s", NOW)
        commit([StateBlock(state, to=self.path).preview()], session="s", places=self.home, now=NOW)

    @rule(text=st.sampled_from([b"added", b"- more", b"caf\xe9", b"[a]: b"]), front=st.booleans())
    def edit(self, text: bytes, front: bool) -> None:
        data, line = self.path.read_bytes(), text + b"\r\n"
        if front:
            self.own.insert(0, line)
            self.path.write_bytes(line + data)
        else:
            self.own.append(line)
            self.path.write_bytes(data + line)

    @invariant()
    def what_the_person_wrote_is_there(self) -> None:
        data = self.path.read_bytes() if self.path.exists() else b""
        left = remove(remove(data, "project"), "state")
        assert [line for line in left.split(b"\n") if line.strip()] == [
            line.removesuffix(b"\n") for line in self.own if line.strip()
        ]
        assert len(find(data, "project").spans) == int(self.wrote)


TestHands = Hands.TestCase
TestHands.settings = settings(
    max_examples=25, stateful_step_count=12, deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
