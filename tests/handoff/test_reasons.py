from __future__ import annotations

import pytest

from redline.facts.extract import extract
from redline.handoff.reasons import reason, reasons
from tests.sessions_in_memory import ran, reply, session, user


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Now let me round once, at the end of the sum:", "Round once, at the end of the sum"),
        ("The sum is off. Let me fix it.", "The sum is off"),
        ("It rounds twice in here.\n\nLet me make the edits in order:", "It rounds twice in here"),
        ("Let me look at the file.", ""),
        ("", ""),
    ],
)
def test_the_last_sentence_that_says_what_is_done_is_the_reason(said: str, why: str) -> None:
    assert reason(said) == why


def test_where_the_agent_said_nothing_the_request_is_the_reason() -> None:
    made = session(
        user("Rename the totals view to the sums view."),
        *ran("sed -i s/a/b/ src/totals.py", call_id="a"),
        reply("Now round once in all sums:"),
        *ran("sed -i s/a/b/ src/sums.py", call_id="b"),
    )
    assert reasons(extract(made)) == {
        "src/totals.py": "Rename the totals view to the sums view",
        "src/sums.py": "Round once in all sums",
    }
