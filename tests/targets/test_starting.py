from __future__ import annotations

import shlex
from pathlib import Path

from redline.model import Agent
from redline.targets.starting import AGENTS, starting, starts

FILE = Path("/data/my handoffs/it's one.md")


def test_every_agent_has_a_command_that_names_the_file() -> None:
    for agent in Agent:
        assert any(str(FILE) in word for word in starting(agent, FILE))


def test_the_shell_hands_over_the_words_as_they_are() -> None:
    assert [tuple(shlex.split(line)) for line in starts(FILE)] == [
        starting(agent, FILE) for agent in AGENTS
    ]


def test_files_are_attached_where_the_agent_can_and_named_where_it_cannot() -> None:
    claude, codex, pi, hermes = (starting(agent, FILE) for agent in AGENTS)
    assert claude[:1] == ("claude",)
    assert claude[1].startswith(f'@"{FILE}" ')
    assert pi[:2] == ("pi", f"@{FILE}")
    assert codex[:1] == ("codex",)
    assert hermes[:3] == ("hermes", "chat", "-q")
    assert "@" not in codex[1] + hermes[3]


def test_a_name_that_cannot_be_quoted_is_named_in_words() -> None:
    assert "@" not in starting(Agent.CLAUDE_CODE, Path('/a"b.md'))[1]
