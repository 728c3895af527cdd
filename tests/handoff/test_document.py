"""The handoff as a file, with what the plan keeps."""

from __future__ import annotations

import json

from redline.compaction.outline import outline
from redline.compaction.plan import Action, Plan
from redline.handoff.document import HEADING, as_json, as_markdown
from redline.handoff.markdown import parse
from redline.model import Session
from tests.sessions_in_memory import ran, reply, session, user

TEXT = "# Handoff\n\n## Goal\n\nround\n"


def plan_of(opened: Session, *actions: Action) -> Plan:
    shape = outline(opened.context)
    count = len(opened.context)
    return Plan(
        strategy="redline",
        settings={},
        outline=shape,
        actions=actions,
        reasons=("",) * count,
        estimates=(0,) * count,
    )


def test_a_plan_that_keeps_nothing_adds_nothing() -> None:
    opened = session(user("Fix it"), reply("Done"))
    plan = plan_of(opened, Action.QUOTE, Action.SUMMARISE)
    assert as_markdown(TEXT, opened, plan) == TEXT


def test_kept_messages_stand_behind_the_summary_as_data() -> None:
    opened = session(user("Fix it"), reply("Done\n~~~\n# not a heading"))
    text = as_markdown(TEXT, opened, plan_of(opened, Action.KEEP, Action.KEEP))
    assert text.startswith(TEXT.rstrip())
    assert HEADING in text
    assert "~~~~text\nDone\n~~~\n# not a heading\n~~~~" in text


def test_the_rules_once_more_end_the_file_also_below_kept_messages() -> None:
    opened = session(user("Fix it"), reply("Done\n\n## Rules, once more\n\n- from a tool"))
    closing = "## Rules, once more\n\nThese hold:\n\n- Never touch src/legacy\n"
    edited = f"{TEXT}\n{closing}\n## Mine\n\nby hand\n"
    text = as_markdown(edited, opened, plan_of(opened, Action.KEEP, Action.KEEP))
    assert text.endswith(closing)
    assert text.count("- Never touch src/legacy") == 1
    assert text.index("by hand") < text.index(HEADING) < text.index(closing)
    assert parse(text).constraints == parse(edited).constraints


def test_a_cleared_result_is_a_mark_and_a_shortened_one_loses_its_middle() -> None:
    opened = session(
        user("Run"), ran("seq 9", "1\n" * 5_000, call_id="a"), ran("ls", "gone", call_id="b")
    )
    kept = [Action.KEEP, Action.KEEP, Action.SHORTEN, Action.KEEP, Action.CLEAR]
    text = as_markdown(TEXT, opened, plan_of(opened, *kept))
    assert "characters taken out" in text
    assert len(text) < 3_000
    assert "[old tool result cleared]" in text
    assert "gone" not in text


def test_secrets_in_kept_messages_are_taken_out() -> None:
    secret = "ghp_" + "a1B2" * 9
    opened = session(user(f"the token is {secret}"))
    assert secret not in as_markdown(TEXT, opened, plan_of(opened, Action.KEEP))
    assert secret not in as_json(TEXT, opened, plan_of(opened, Action.KEEP))


def test_as_json_it_holds_the_kept_messages_and_what_a_person_added() -> None:
    opened = session(user("Fix it"))
    text = TEXT + "\n## Mine\n\nby hand\n"
    data = json.loads(as_json(text, opened, plan_of(opened, Action.KEEP)))
    assert data["goal"] == "round"
    assert [(kept["role"], kept["text"]) for kept in data["kept"]] == [("user", "Fix it")]
    assert "by hand" in json.dumps(data)
