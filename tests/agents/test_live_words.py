from __future__ import annotations

import pytest

from redline.agents.live_words import live_reason, live_word
from redline.agents.pi.liveness import RUNNING


@pytest.mark.parametrize("mark", ["registry", "lock", "lease", "a recent change"])
def test_a_mark_of_an_agent_is_told_in_words_that_need_no_source(mark: str) -> None:
    for said in (live_reason(mark), live_word(mark)):
        assert not {"registry", "lock", "lease"} & set(said.split())


def test_what_is_said_in_words_already_stays() -> None:
    assert live_reason(RUNNING) == "there is a running pi"
    assert live_word(RUNNING) == RUNNING
