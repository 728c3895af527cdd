"""How the sessions of Codex are found, listed, searched and known to be in use."""

from __future__ import annotations

from redline.agents.codex.finding import find, roots
from redline.agents.codex.locks import live
from redline.agents.codex.passages import mark, passages, stamp
from redline.agents.codex.scan import listed, problem, scan, unlisted
from redline.agents.finder import Finder
from redline.model import Agent

CODEX = Finder(
    Agent.CODEX,
    roots,
    find,
    listed,
    stamp,
    passages,
    mark,
    live,
    unlisted,
    problem,
    variables=("CODEX_HOME",),
    depth=3,
    asides=scan,
)
