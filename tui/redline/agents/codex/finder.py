"""How the sessions of codex are found, listed, searched and known to be in use."""

from __future__ import annotations

from redline.agents.finder import Finder, file_mark, file_stamp
from redline.model import Agent

CODEX = Finder(
    Agent.CODEX,
    lambda _environment: (),
    lambda _environment: iter(()),
    lambda _path: (),
    file_stamp,
    lambda _info, _start: iter(()),
    file_mark,
    lambda _infos, _environment: {},
)
