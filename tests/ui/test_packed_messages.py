from __future__ import annotations

import pytest

from redline.ui.packed_messages import PackedMessages
from tests.sessions_in_memory import reply, session, user


def test_packed_messages_come_back_as_they_were() -> None:
    made = session([piece for n in range(350) for piece in (user(f"turn {n}"), reply("yes"))])
    packed = PackedMessages()
    for count, message in enumerate(made.context):
        assert len(packed) == count
        packed.append(message)
        assert packed[count] == message
    assert list(packed) == list(made.context)
    assert packed[-1] == made.context[-1]
    assert list(packed[250:260]) == list(made.context[250:260])
    for wrong in (700, -701):
        with pytest.raises(IndexError):
            packed[wrong]


def test_an_empty_one_holds_nothing() -> None:
    assert list(PackedMessages()) == []
