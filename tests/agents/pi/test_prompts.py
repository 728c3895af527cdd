"""Which characters of a user message a human typed."""

from __future__ import annotations

import pytest

from redline.agents.pi.prompts import prompts_in, split

FILE = '<file name="/a b/x.py">\nprint("</file>")\n</file>\n'
IMAGE = '<file name="/a.png"></file>\n'
SKILL = '<skill name="deploy" location="/s/SKILL.md">\nSteps\n</skill>\n\n'


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("plain", "plain"),
        (FILE + "look", "look"),
        (FILE + IMAGE + FILE + "look", "look"),
        (SKILL + "to staging", "to staging"),
        (SKILL.rstrip(), None),
        (FILE, None),
        ("what does <file name= mean?", "what does <file name= mean?"),
        ('<file name="x"> is broken', '<file name="x"> is broken'),
        ("", None),
        ("  \n", None),
    ],
)
def test_what_pi_put_in_front_is_not_typed(text: str, typed: str | None) -> None:
    injected, span = split(text)
    assert (text[slice(*span)] if span else None) == typed
    assert (injected[1] if injected else 0) == len(text) - len(typed or "") or not typed


def test_a_pasted_image_is_a_part_of_what_a_human_put_in() -> None:
    image = {"type": "image"}
    assert prompts_in([image]) == [""]
    assert prompts_in([image, {"type": "text", "text": "look"}]) == ["", "look"]
    assert prompts_in(None) == []
