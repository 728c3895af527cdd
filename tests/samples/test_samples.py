"""The sample sessions hold what the demo is to show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.model import Message, PartType, Session
from redline.shipped import shipped
from tests.samples import shop_calls, site
from tests.samples.__main__ import write_all

FOLDER = shipped("sample_sessions")
SHOP = FOLDER / "claude/projects/-home-dev-shop"
ROUNDING = SHOP / f"{shop_calls.ROUNDING}.jsonl"
EXPORT = SHOP / f"{shop_calls.EXPORT}.jsonl"
POSTGRES = SHOP / f"{shop_calls.POSTGRES}.jsonl"
(PRICING,) = (FOLDER / "pi/sessions/--home-dev-site--").glob(f"*_{site.PRICING}.jsonl")


def texts(session: Session, messages: tuple[Message, ...] | None = None) -> str:
    chosen = session.source.history() if messages is None else messages
    return "\n".join(session.text(part) for message in chosen for part in message.parts)


def prompts(session: Session) -> str:
    found = [session.text(part) for m in session.source.history() for part in m.prompts]
    return "\n".join(found)


@pytest.mark.parametrize("path", [ROUNDING, EXPORT, POSTGRES, PRICING], ids=lambda p: p.stem[-12:])
def test_every_sample_opens_without_damage(path: Path) -> None:
    session = open_session(path)
    assert session.damage == ()
    assert session.resume_lost == 0
    assert session.info.title
    assert session.info.project in ("/home/dev/shop", "/home/dev/site")


def test_the_samples_are_small_enough_to_ship() -> None:
    assert sum(p.stat().st_size for p in FOLDER.rglob("*") if p.is_file()) < 1_500_000


def test_the_first_sample_is_nearly_full_and_was_compacted_before() -> None:
    session = open_session(ROUNDING)
    assert session.info.billed is not None
    assert 160_000 < session.info.billed < 167_000
    (past,) = session.compactions
    assert past.trigger == "manual"
    assert past.summary is not None
    assert "pushing" not in texts(session, (past.summary,))
    assert [helper.description for helper in session.subagents] == ["Survey currency helpers"]
    assert session.subagents[0].call_id is not None
    assert len(session.side_branches) == 1


def test_rules_are_said_in_english_and_chinese_and_some_are_taken_back() -> None:
    english, chinese = prompts(open_session(ROUNDING)), prompts(open_session(EXPORT))
    for rule in ("never touch src/legacy", "ask me before pushing", "Forget what I said", "#412"):
        assert rule in english
    for rule in ("不要修改 tests 目录", "以后不要用 pandas", "BOM 不用了"):
        assert rule in chinese


def test_there_are_git_commits_errors_images_and_hostile_text() -> None:
    session = open_session(ROUNDING)
    body = texts(session)
    for mark in ("3f9c2ab", "b71e04d", "9ad4c17", "e05b83f", shop_calls.FAILING, "pull/415"):
        assert mark in body
    for mark in ("\x1b[2J", "[/nope]", "[@click=app.quit]", "\u202e", "SHOP_API_TOKEN="):
        assert mark in body
    parts = [part for message in session.source.history() for part in message.parts]
    assert any(part.type is PartType.IMAGE and part.pixels == (280, 180) for part in parts)
    assert {part.tool for part in parts if part.error} == {"Bash", "Read"}
    assert any(part.tool == "TodoWrite" for part in parts)


def test_the_pi_sample_was_compacted_and_came_back_from_a_branch() -> None:
    session = open_session(PRICING)
    (past,) = session.compactions
    assert past.preserved
    assert past.summary is not None
    assert "main" not in texts(session, (past.summary,))
    (branch,) = session.side_branches
    assert branch.head.startswith("Would Tailwind")
    assert "6e0d9b2" in texts(session)


def _bare(value: Any) -> Any:
    """A record without what is counted by weights, which may be tuned."""
    if isinstance(value, dict):
        drop = ("usage", "compactMetadata", "toolUseResult", "tokensBefore")
        return {key: _bare(item) for key, item in value.items() if key not in drop}
    return [_bare(item) for item in value] if isinstance(value, list) else value


def test_the_shipped_samples_are_what_the_generator_writes(tmp_path: Path) -> None:
    for path in write_all(tmp_path):
        if path.suffix == ".jsonl" and path.stem != shop_calls.ROUNDING:
            lines = path.read_text("utf-8").split("\n")
            ours = (FOLDER / path.relative_to(tmp_path)).read_text("utf-8").split("\n")
            assert len(lines) == len(ours)
            for made, kept in zip(lines[:-1], ours[:-1], strict=True):
                assert _bare(json.loads(made)) == _bare(json.loads(kept))
