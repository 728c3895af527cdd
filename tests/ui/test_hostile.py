"""Text from a session never acts on the terminal, on any surface."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from redline.errors import RedlineError
from redline.model import (
    CompactionKind,
    Damage,
    DamageKind,
    PastCompaction,
    Session,
    SideBranch,
    Subagent,
)
from redline.ui.items import Items
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import call, ran, reply, result, session, user
from tests.ui.archives import MemoryArchive
from tests.ui.stage import Stage, harmful, stage

EVIL = (
    "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x1b\\\x1b[2J\x1b[31m red \x9b31m\x90q\x1b\\ [/nope] "
    "[@click=app.quit]click[/] [link=http://x]\u202egnp.exe\u200b\u2066\U000e0041\ud800\x00\x0e\x7f"
)


def evil_session(folder: Path) -> Session:
    made = session(
        user(f"Never touch {EVIL} src/legacy. {EVIL}"),
        reply(EVIL),
        call(EVIL, {EVIL: EVIL, "file_path": f"/x/{EVIL}.py"}, call_id="a"),
        result(EVIL * 3, call_id="a", tool=EVIL, error=True),
        ran(f"echo {EVIL}", f"error: {EVIL}\nfatal: {EVIL}", 1, call_id="b"),
        user(f"不要修改 {EVIL}"),
        reply(f"I decided to use {EVIL} because {EVIL}."),
        model=f"model {EVIL}",
        project=f"/tmp/{EVIL}",
    )
    info = replace(
        made.info,
        title=EVIL,
        first_prompt=EVIL,
        last_prompt=EVIL,
        path=folder / "evil.jsonl",
        id=f"id{EVIL}",
    )
    past = PastCompaction(
        "c", CompactionKind.FULL, 1, trigger=EVIL, summary=made.context[1], tokens_before=1000
    )
    return replace(
        made,
        info=info,
        compactions=(past,),
        side_branches=(SideBranch(EVIL, None, 3, True, EVIL),),
        subagents=(Subagent(EVIL, Path(f"/x/{EVIL}"), EVIL, EVIL),),
        damage=(Damage(1, DamageKind.UNKNOWN, EVIL),),
    )


def harmless(on: Stage, where: str) -> None:
    found = harmful("\n".join(on.frame()))
    assert not found, f"{where}: {found}"
    assert on.app.is_running, where


async def test_no_surface_lets_it_through(tmp_path: Path) -> None:
    made = evil_session(tmp_path)
    archive = MemoryArchive([made.info])
    archive.wrong = (f"/x/{EVIL}: {EVIL}",)
    archive.live_by = {made.info.id: EVIL}
    async with stage(tmp_path, made, size=(140, 50), archive=archive) as on:
        harmless(on, "sessions, with a notice")
        await on.press("enter")
        harmless(on, "desk")
        transcript = on.screen.query_one("#transcript", Transcript)
        for row in range(len(made.context)):
            transcript.go_to(row)
            await on.press("enter")
            harmless(on, f"message {row}")
        for key, pane in (("2", "rules"), ("3", "facts"), ("4", "history"), ("1", "plan")):
            await on.press(key)
            harmless(on, pane)
        await on.press("2", "y", "e")
        harmless(on, "a rule to be worded")
        await on.press("escape", "question_mark")
        harmless(on, "help")
        await on.press("escape", "ctrl+p")
        harmless(on, "palette")
        await on.press("escape", "w")
        harmless(on, "handoff")
        audit = on.screen.query_one("#audit", Items)
        audit.go_to(next(row for row, item in enumerate(audit.items) if item.message))
        await on.press("enter")
        harmless(on, "card")
        await on.press("escape", "d")
        harmless(on, "difference")
        await on.press("escape", "w")
        harmless(on, "commit")
        await on.press("enter")
        harmless(on, "written")
        await on.press("f8")
        harmless(on, "receipts")
        await on.press("escape", "U")
        harmless(on, "taken back")
        await on.press("escape", "escape", "escape", "escape", "slash")
        await on.type(EVIL.replace("\n", " "))
        harmless(on, "filter")


async def test_an_error_is_harmless_too(tmp_path: Path) -> None:
    made = evil_session(tmp_path)

    def fails(_where: object) -> Session:
        raise RedlineError(EVIL, EVIL)

    async with stage(tmp_path, made, open_session=fails) as on:
        await on.press("enter")
        harmless(on, "error")
        assert any("[/nope]" in notice for notice in on.notices())


async def test_what_is_printed_at_the_end_is_harmless(tmp_path: Path) -> None:
    made = evil_session(tmp_path)
    async with stage(tmp_path, first=made) as on:
        await on.press("w", "w", "space", "end", "space", "enter")
        assert not harmful(on.app.outcome.said())
