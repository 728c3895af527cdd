"""How the sessions of Hermes are found, listed, searched and known to be in use."""

from __future__ import annotations

from redline.agents.finder import Finder
from redline.agents.hermes.finding import find, live, roots
from redline.agents.hermes.passages import mark, passages
from redline.agents.hermes.scanning import scan, unlisted
from redline.agents.hermes.store import problem, stamp
from redline.model import Agent

HERMES = Finder(
    Agent.HERMES,
    roots,
    find,
    scan,
    stamp,
    passages,
    mark,
    live,
    unlisted,
    problem,
    variables=("HERMES_HOME",),
)
