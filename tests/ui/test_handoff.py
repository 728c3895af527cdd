from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.errors import RedlineError
from redline.handoff.audit import AuditItem, Verdict
from redline.ui.card import Card
from redline.ui.desk import DeskScreen
from redline.ui.handoff import HandoffScreen
from redline.ui.items import Items
from redline.ui.markdown_editor import MarkdownEditor
from redline.ui.transcript import Transcript
from tests.ui.stage import Stage, shop, stage


def editor(on: Stage) -> MarkdownEditor:
    found: MarkdownEditor = on.screen.query_one("#editor", MarkdownEditor)
    return found


def verdicts(on: Stage) -> dict[str, Verdict]:
    assert on.screen.review.audit is not None
    return {item.text: item.verdict for item in on.screen.review.audit.items}


async def written(on: Stage) -> None:
    """The handoff of a plan that summarises everything but the last turn."""
    on.screen.query_one("#transcript", Transcript).go_to(13)
    await on.press("c", "w")
    assert isinstance(on.screen, HandoffScreen)


async def test_the_handoff_stands_beside_its_audit_and_keys_are_text_inside_its_editor(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        text = on.text()
        assert "Never touch src/legacy" in editor(on).text
        assert "word for word (" in text
        assert "tokens" in text
        assert (on.app.counted(on.screen.review) or 0) > 100
        editor(on).focus()
        await on.press("q", "w")
        assert editor(on).text.startswith("qw")
        await on.press("escape")
        assert on.screen.query_one("#audit").has_focus


async def test_the_audit_follows_what_is_typed(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        whole = editor(on).text
        assert verdicts(on)["1a2b3c4"] is Verdict.VERBATIM or "1a2b3c4" in str(verdicts(on))
        editor(on).take("Nothing of it.")
        await on.settle()
        await on.settle()
        lost = [text for text, verdict in verdicts(on).items() if verdict is Verdict.MISSING]
        assert any("Never touch src/legacy" in text for text in lost)
        assert "required and missing (" in on.text()
        assert "not ok: " in on.text()
        editor(on).undo()
        await on.settle()
        assert editor(on).text == whole


async def test_a_missing_item_is_inserted_word_for_word(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        gone = editor(on).text.replace("Never touch src/legacy", "Take care")
        editor(on).take(gone)
        await on.settle()
        await on.settle()
        audit = on.screen.query_one("#audit", Items)
        row = next(
            row
            for row, item in enumerate(audit.items)
            if isinstance(item.key, AuditItem) and "Never touch src/legacy" in item.text
        )
        audit.focus()
        audit.go_to(row)
        await on.press("i")
        assert "Never touch src/legacy" in editor(on).text


async def test_enter_shows_the_source_and_leads_to_it(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        audit = on.screen.query_one("#audit", Items)
        row = next(row for row, item in enumerate(audit.items) if item.message == "m1")
        audit.go_to(row)
        await on.press("enter")
        assert isinstance(on.screen, Card)
        assert "Never touch src/legacy" in on.text()
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.query_one("#transcript", Transcript).cursor == 0


async def test_writing_again_keeps_what_a_person_wrote(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        editor(on).take(editor(on).text + "\n## Mine\n\nRemember the milk.\n")
        await on.settle()
        await on.press("f")
        await on.type("the totals", "enter")
        await on.settle()
        assert "Remember the milk." in editor(on).text
        assert on.screen.review.focus == "the totals"
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)
        assert "Remember the milk." in on.screen.review.text


async def test_the_text_can_be_edited_in_another_editor_and_one_that_fails_changes_nothing(
    tmp_path: Path,
) -> None:
    def edit(path: Path, _environment: Mapping[str, str]) -> None:
        if editor(on).text.endswith("outside.\n"):
            raise RedlineError("the editor 'x[/y]' ended with 1", "set EDITOR")
        assert path.suffix == ".md"
        assert path.stat().st_mode & 0o077 == 0
        path.write_text(path.read_text("utf-8") + "\nFrom outside.\n", "utf-8")

    async with stage(tmp_path, first=shop(tmp_path), edit=edit) as on:
        await written(on)
        await on.press("d")
        assert "no difference" in on.text()
        await on.press("escape", "e")
        assert editor(on).text.endswith("\nFrom outside.\n")
        assert on.screen.review.text == editor(on).text
        before = editor(on).text
        await on.press("e")
        assert editor(on).text == before
        assert any("x[/y]" in notice for notice in on.notices())
        await on.press("d")
        assert "+From outside." in on.text()


async def test_a_large_paste_is_taken_whole(tmp_path: Path) -> None:
    """D10."""
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        pasted = "a line of text that is pasted, 中文\n" * 20_000
        editor(on).take(pasted)
        await on.settle()
        assert editor(on).text == pasted


def test_the_editor_shows_no_control_character_and_keeps_it(tmp_path: Path) -> None:
    text = "a\x1b[31mb\x9b\u202ec\u200bd\te\U000e0041f"
    shown = MarkdownEditor(text=text)
    line = shown.get_line(0).plain
    assert len(line) == len(text)
    assert "\x1b" not in line
    assert "\u202e" not in line
    assert shown.text == text
