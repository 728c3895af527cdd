"""What a person typed is told from what Hermes put into the same row."""

from __future__ import annotations

import pytest

from redline.agents.hermes.kinds import TODO, user_spans
from redline.model import Kind

from .made_up import ALONE, behind, in_front

_MEMORY = "<memory-context>\nuser prefers uv\n</memory-context>"
_SKILL = (
    '[IMPORTANT: The user has invoked the "plan" skill, indicating they want you to follow its '
    "instructions. The full skill content is loaded below.]\n\n# Plan\n"
    "The user has provided the following instruction alongside the skill invocation: (quoted)\n\n"
)
_SAYS = "The user has provided the following instruction alongside the skill invocation: "
_BUNDLE = (
    '[IMPORTANT: The user has invoked the "/a /b" stacked skill bundle, loading 2 skills.]\n\n'
    "Skills loaded: a, b\n\nUser instruction: ship it\n\n[Loaded as part of the bundle]\n# A"
)


def _typed(text: str) -> list[str]:
    return [text[start:end] for kind, start, end in user_spans(text) if kind is Kind.PROMPT]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("fix it", ["fix it"]),
        ("[1, 2] is wrong", ["[1, 2] is wrong"]),
        ("[Note: read this] and then fix it", ["[Note: read this] and then fix it"]),
        (f"fix it\n\n{_MEMORY}", ["fix it"]),
        (f"{_MEMORY}\n\nfix it", ["fix it"]),
        ("[System note: the gateway [x] was restarted]\n\nfix it", ["fix it"]),
        ('[Replying to: "see [1]"]\n\n[Note: model was just switched]\n\nfix it', ["fix it"]),
        ("fix @a.py\n\n--- Attached Context ---\n\nbody of a.py", ["fix @a.py"]),
        (f"fix it\n\n{TODO}\n- [ ] 1. docs (pending)", ["fix it"]),
        (f"{TODO}\n- [ ] 1. docs (pending)", []),
        ("[System: Your previous response was truncated by the output length limit.]", []),
        ("[IMPORTANT: Background process p1 finished]", []),
        ("[ASYNC DELEGATION COMPLETE — d1]\nresult", []),
        ("[OUT-OF-BAND USER MESSAGE — direct]\nrather docs\n[/OUT-OF-BAND USER MESSAGE]",
         ["rather docs"]),
        (f"{_SKILL}{_SAYS}ship it\n\n[Runtime note: x]", ["ship it"]),
        (_SKILL.partition("\nThe user")[0], []),
        (_BUNDLE, ["ship it"]),
        (ALONE, []),
        (behind("fix it"), ["fix it"]),
        (behind(""), []),
        (in_front(f"fix it\n\n{TODO}\n- [ ] 1. x"), ["fix it"]),
        ("", []),
        (" \n ", []),
    ],
)  # fmt: skip
def test_only_what_was_typed_is_a_prompt(text: str, typed: list[str]) -> None:
    assert _typed(text) == typed


@pytest.mark.parametrize("text", ["fix it", behind("fix it"), in_front("fix it"), _BUNDLE, _SKILL])
def test_the_spans_of_a_text_are_the_whole_of_it(text: str) -> None:
    spans = user_spans(text)
    assert "".join(text[start:end] for _, start, end in spans) == text


def test_hostile_brackets_are_read_in_one_pass() -> None:
    assert _typed("[System note: " * 20_000)
