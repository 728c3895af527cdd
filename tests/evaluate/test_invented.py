from __future__ import annotations

import pytest

from redline.evaluate.invented import invented
from redline.handoff.handoff import Handoff
from redline.handoff.markdown import render

KNOWN = "We read src/app/main.py and lib, fixed #812 in 3f9ac01, port 8080, run_all, v1.2.3."


@pytest.mark.parametrize(
    "text",
    [
        "src/app/main.py:",
        "`src/app/main.py` and #812, commit 3f9ac01.",
        "port 8080, v1.2.3, run_all",
        "./src/app/main.py",
        "src/lib/main.py",
        "3 errors are open, 1. first, 2) second",
        "[... 1,059 characters left out ...]",
        "&#32;go on",
        render(Handoff(goal="go on")),
    ],
)
def test_what_the_session_holds_or_every_handoff_says_is_not_invented(text: str) -> None:
    assert invented(text, KNOWN) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see src/app/other.py", "src/app/other.py"),
        ("see src/made/main.py", "src/made/main.py"),
        ("commit 3f9ac02", "3f9ac02"),
        ("port 80801", "80801"),
        ("port 808", "808"),
        ("call runAll", "runAll"),
        ("call run_none", "run_none"),
        ("ticket ABC-77", "ABC-77"),
        ("see #81", "#81"),
        ("v1.2.4", "v1.2.4"),
        ("it took 45 s", "45"),
    ],
)
def test_what_nobody_said_is_found(text: str, found: str) -> None:
    assert invented(text, KNOWN) == (found,)
