"""`redline follow`: what a person and a program are told as the file changes."""

from __future__ import annotations

import io
import json
import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from redline.agents.following import Change
from redline.cli import follow as command
from redline.cli.follow import JsonView, follow
from redline.cli.follow_view import LineView, LiveView, event_words, frame
from redline.cli.followed import Followed, Step
from redline.cli.workplace import Workplace
from redline.errors import RedlineError
from redline.model import Gauge
from redline.places import places
from redline.settings import Settings
from redline.text import cells
from tests.agents.claude_code import writing as cc
from tests.cli.conftest import Run

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
Record = dict[str, Any]


class Steps:
    """A view that keeps what it is shown."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def show(self, step: Step) -> None:
        self.steps.append(step)

    def pulse(self) -> None: ...

    def close(self) -> None: ...

    @property
    def events(self) -> list[str]:
        return [step.event for step in self.steps]


class Script:
    """Changes that a test has made, one after the other; then the person interrupts."""

    def __init__(self, happenings: Iterable[Callable[[], Change | None]]) -> None:
        self._rest = iter(happenings)
        self.paths: list[Path] = []

    def follow(self, path: Path) -> None:
        self.paths.append(path)

    def next(self) -> Change | None:
        for happen in self._rest:
            return happen()
        raise KeyboardInterrupt


class World:
    """A project of Claude Code with one session, and what is done to it."""

    def __init__(self, home: Path) -> None:
        self.environment = {"HOME": str(home), "REDLINE_HOME": str(home / "redline")}
        self.folder = home / ".claude" / "projects" / "-home-dev-shop"
        self.path = cc.write(self.folder, cc.start())
        self.touch(self.path, -3_600)
        found = places(self.environment)
        self.place = Workplace(self.environment, home, found, Settings())

    def touch(self, path: Path, seconds: float) -> None:
        moment = NOW.timestamp() + seconds
        os.utime(path, (moment, moment))

    def append(self, *records: Record, end: bytes = b"\n") -> Callable[[], Change]:
        def happen() -> Change:
            with self.path.open("ab") as file:
                file.write(b"".join(json.dumps(record).encode() + end for record in records))
            self.touch(self.path, -1)
            return Change.GROWN

        return happen

    def write(self, change: Change, *records: Record) -> Callable[[], Change]:
        def happen() -> Change:
            cc.write(self.folder, list(records))
            return change

        return happen

    def gone(self) -> Change:
        self.path.unlink()
        return Change.GONE

    def run(self, *happenings: Callable[[], Change | None], latest: bool = False) -> Steps:
        view, script = Steps(), Script(happenings)
        followed = Followed(self.place, self.place.session(str(self.path)), lambda: NOW)
        with pytest.raises(KeyboardInterrupt):
            follow(followed, script, view, latest=latest)
        self.followed = script.paths
        return view


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def nothing() -> None:
    return None


def test_the_state_is_told_at_once_and_then_each_change(world: World) -> None:
    view = world.run(world.append(cc.user("u2", "a1", "And the logout")), nothing)
    assert view.events == ["opened", "grown"]
    assert [message.id for message in view.steps[1].growth.new] == ["u2"]
    assert view.steps[1].window.used > view.steps[0].window.used
    assert view.steps[1].session.info.live_by == "a recent change"


def test_half_a_record_is_no_message_until_it_is_whole(world: World) -> None:
    record = json.dumps(cc.user("u2", "a1", "And the logout")).encode() + b"\n"

    def half(part: bytes) -> Callable[[], Change]:
        def happen() -> Change:
            with world.path.open("ab") as file:
                file.write(part)
            world.touch(world.path, -1)
            return Change.GROWN

        return happen

    view = world.run(half(record[:40]), half(record[40:]))
    new = [[message.id for message in step.growth.new] for step in view.steps[1:]]
    assert [one for one in new if one] == [["u2"]]
    assert view.events.count("grown") == 1, "of the half nothing is told"


def test_what_changes_nothing_that_is_shown_is_not_told(world: World) -> None:
    mode = {"type": "mode", "mode": "normal", "sessionId": cc.SESSION_ID}
    steps = world.run(nothing, lambda: Change.GROWN, world.append(mode), nothing)
    assert "grown" not in steps.events
    path = world.folder / "body.json"
    path.write_text('{"messages": [{"role": "user", "content": "Look"}]}')
    world.path = path
    assert "grown" not in world.run(nothing, lambda: Change.GROWN).events


def test_a_reply_that_goes_on_is_told_as_more(world: World) -> None:
    view = world.run(world.append(cc.reply("a2", "a1", "m1", cc.text("And more."))))
    assert [message.id for message in view.steps[1].growth.more] == ["a1"]
    assert not view.steps[1].growth.new


def test_a_compaction_is_told_with_its_tokens(world: World) -> None:
    view = world.run(world.append(cc.boundary("b1"), cc.summary("s1", "b1")))
    assert view.events == ["opened", "compacted"]
    grown = view.steps[1].growth
    assert (grown.gone, [past.tokens_before for past in grown.compactions]) == (2, [167_000])


def test_a_conversation_that_went_back_is_told(world: World) -> None:
    view = world.run(
        world.append(cc.user("u2", "a1", "This way"), cc.reply("a2", "u2", "m2", cc.text("Yes"))),
        world.append(cc.user("u3", "a1", "No, that way")),
    )
    assert view.events == ["opened", "grown", "rewound"]
    assert view.steps[2].growth.gone == 2
    told = "rewound, 1 message more, 2 messages left the context"
    assert event_words(view.steps[2]) == told


def test_a_file_that_is_cut_replaced_gone_and_back_is_followed_on(world: World) -> None:
    view = world.run(
        world.write(Change.TRUNCATED, *cc.start()[:1]),
        world.write(Change.REPLACED, cc.user("w1", None, "Something else")),
        world.gone,
        nothing,
        world.write(Change.BACK, cc.user("w1", None, "Something else")),
        world.append(cc.user("w2", "w1", "More")),
    )
    events = [event for event in view.events if event != "live"]
    assert events == ["opened", "truncated", "replaced", "gone", "back", "grown"]
    assert [message.id for message in view.steps[3].session.context] == ["w1"]
    assert [message.id for message in view.steps[-1].session.context] == ["w1", "w2"]


def test_of_a_file_that_cannot_be_read_the_last_state_stays(world: World) -> None:
    def vanish() -> Change:
        world.path.unlink()
        return Change.GROWN

    view = world.run(vanish)
    assert view.events == ["opened", "unreadable"]
    assert "cannot read" in view.steps[1].problem
    assert len(view.steps[1].session.context) == 2


def test_that_it_is_not_in_use_any_more_is_told_without_a_change_of_the_file(
    world: World,
) -> None:
    world.touch(world.path, -60)

    def idle() -> None:
        world.touch(world.path, -600)

    view = world.run(idle)
    assert view.events == ["opened", "live"]
    assert [step.session.info.live for step in view.steps] == [True, False]


OTHER = "5e550000-0000-4000-8000-000000000002.jsonl"


def test_a_newer_session_of_the_project_is_told_once(world: World) -> None:
    def newer() -> None:
        world.touch(cc.write(world.folder, [cc.user("n1", None, "New one")], OTHER), 0)

    view = world.run(newer, nothing, nothing)
    assert view.events == ["opened", "newer"]
    assert view.steps[1].next is not None
    assert view.steps[1].next.title == "New one"
    assert view.steps[1].session.info.id == cc.SESSION_ID


def test_the_latest_session_of_the_project_is_followed_on(world: World) -> None:
    def newer() -> None:
        world.touch(cc.write(world.folder, [cc.user("n1", None, "New one")], OTHER), 0)

    view = world.run(newer, nothing, latest=True)
    assert view.events == ["opened", "moved"]
    assert [message.id for message in view.steps[1].session.context] == ["n1"]
    assert world.followed == [world.folder / OTHER]


def test_a_session_of_another_project_is_no_newer_one(world: World) -> None:
    def elsewhere() -> None:
        record = cc.user("n1", None, "New one", cwd="/home/dev/other")
        world.touch(cc.write(world.folder, [record], OTHER), 0)

    assert world.run(elsewhere).events == ["opened"]


def test_json_is_one_object_a_line(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    steps = world.run(world.append(cc.user("u2", "a1", "A \x1b[31m red\u202e word"))).steps
    for step in steps:
        JsonView().show(step)
    lines = capsys.readouterr().out.splitlines()
    opened, grown = map(json.loads, lines)
    assert (opened["event"], opened["messages"], opened["context_messages"]) == ("opened", [], 2)
    assert [message["id"] for message in grown["messages"]] == ["u2"]
    assert grown["session"]["live_by"] == "a recent change"
    assert grown["window"]["used"] > opened["window"]["used"]
    assert all(character.isprintable() for line in lines for character in line)


def test_into_a_pipe_goes_one_line_a_change(world: World) -> None:
    out = io.StringIO()
    view = LineView(Console(file=out, soft_wrap=True, markup=False))
    for step in world.run(
        world.append(cc.user("u2", "a1", "And the [/logout]\nplease " + "x" * 500))
    ).steps:
        view.show(step)
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert "opened, 2 messages" in lines[0]
    assert "grown, 1 message more" in lines[1]
    assert "user: And the [/logout]" in lines[1]


@pytest.mark.parametrize("size", [(20, 8), (60, 20), (200, 60), (1, 1)])
def test_the_live_view_fits_the_terminal(size: tuple[int, int], world: World) -> None:
    width, height = size
    step = world.run(world.append(cc.user("u2", "a1", "把总额的四舍五入修好 " * 30))).steps[-1]
    lines = frame(step, ["12:00:00  grown"], width, height, NOW)
    assert 1 <= len(lines) <= max(1, height - 1)
    assert all(cells(line) < max(2, width) for line in lines)


def test_the_live_view_tells_both_numbers_of_the_agent(world: World) -> None:
    step = world.run().steps[0]
    session = replace(step.session, gauge=Gauge(83, 52_000, 232_560))
    lines = frame(replace(step, session=session), [], 100, 30, NOW)
    assert "the agent shows 83% left, 181k until it compacts (52k of 233k)" in lines


def test_the_terminal_is_clean_when_it_is_left() -> None:
    out = io.StringIO()
    view = LiveView(Console(file=out, force_terminal=True, width=60, height=20), lambda: NOW)
    view.close()
    assert "\x1b[?25l" not in out.getvalue()


def test_the_cursor_is_seen_again(world: World) -> None:
    out = io.StringIO()
    view = LiveView(Console(file=out, force_terminal=True, width=60, height=20), lambda: NOW)
    view.show(world.run().steps[0])
    view.pulse()
    view.close()
    assert out.getvalue().rindex("\x1b[?25h") > out.getvalue().rindex("\x1b[?25l")


def test_every_event_has_words(world: World) -> None:
    step = world.run().steps[0]
    for event in ("opened", "grown", "compacted", "rewound", "truncated", "replaced", "gone"):
        assert event_words(replace(step, event=event))
    for event in ("back", "unreadable", "live", "moved"):
        assert event_words(replace(step, event=event, problem="cannot read it"))
    assert "shop" in event_words(
        replace(step, event="newer", next=replace(step.session.info, title="shop"))
    )


def test_interrupted_it_ends_with_130_and_ended_with_143(
    run: Run, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGWINCH)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def end(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    try:
        for happens, status in ((interrupt, 130), (end, 143)):
            monkeypatch.setattr(command, "follow", happens)
            assert run("follow", shop).status == status
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGWINCH, before[1])


def test_a_session_that_is_not_there_is_said_so(run: Run) -> None:
    answer = run("follow", "no-such-session")
    assert answer.status == 2
    assert "no session is called 'no-such-session'" in answer.err


def test_several_changes_at_once_are_one() -> None:
    changes = command.Changes()
    for change in (Change.GROWN, Change.REPLACED, Change.GROWN):
        changes.tell(change)
    assert changes.next() is Change.REPLACED
    changes.tell(Change.GROWN)
    changes.tell(Change.GONE)
    assert changes.next() is Change.GONE
    changes.wake()
    assert changes.next() is None
    changes.close()


def test_a_session_without_a_project_has_no_newer_one(world: World) -> None:
    from redline.agents.successor import successor

    info = replace(world.place.session(str(world.path)).info, project=None)
    assert successor(info, world.environment) is None


def test_a_problem_with_the_newer_session_leaves_this_one_followed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer() -> None:
        world.touch(cc.write(world.folder, [cc.user("n1", None, "New one")], OTHER), 0)

    def refuse(_where: object) -> None:
        raise RedlineError("cannot read it")

    monkeypatch.setattr("redline.cli.followed.open_session", refuse)
    view = world.run(newer, latest=True)
    assert view.events == ["opened", "newer"]
    assert view.steps[1].problem == "cannot read it"
