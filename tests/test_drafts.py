from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from redline.drafts import key_of
from tests.sessions_in_memory import session, user


@pytest.mark.parametrize("view", [{"before": 1}, {"before": 2}, {"asked_leaf": "x"}])
def test_what_is_decided_about_another_view_is_kept_apart(view: dict[str, Any]) -> None:
    made = session(user("one"))
    views: tuple[dict[str, Any], ...] = (
        {},
        {"before": 1},
        {"before": 2},
        {"asked_leaf": "x"},
        {"asked_leaf": "y"},
    )
    keys = [key_of(replace(made, **other)) for other in views]
    assert keys.count(key_of(replace(made, **view))) == 1
    assert key_of(made).session == made.info.id, "the live one is found where it always was"
