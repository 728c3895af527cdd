"""Every field of the bodies, replaced by what it should not be: nothing is fatal."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.messages.reader import open_session, scan
from redline.cli.show import block_json, context_blocks
from redline.errors import RedlineError
from tests.agents.messages.bodies import (
    JSON,
    anthropic,
    anthropic_response,
    chat,
    chat_response,
    responses,
    responses_response,
)
from tests.faults.surfaces import window
from tests.test_wrong_types import VALUES, fields, put

DOCUMENTS: dict[str, JSON] = {
    "anthropic": {"request": anthropic(), "response": anthropic_response()},
    "chat": {"request": chat(), "response": chat_response()},
    "responses": {"request": responses(), "response": responses_response()},
}
MORE: tuple[Any, ...] = (*VALUES, "", {}, "data:", "{", [[]], {"url": 7}, {"type": "text"})


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_field_of_a_body_is_fatal(tmp_path: Path, name: str) -> None:
    path = tmp_path / "body.json"
    for turn, place in enumerate(fields(DOCUMENTS[name])):
        for value in (MORE[turn % len(MORE)], MORE[(turn + 7) % len(MORE)]):
            changed = copy.deepcopy(DOCUMENTS[name])
            put(changed, place, value)
            path.write_text(json.dumps(changed))
            scan(path)
            try:
                session = open_session(path)
            except RedlineError:
                continue  # there is no conversation in it any more
            figures = window(session)
            assert sum(figures.categories.values()) == figures.used
            for blocks in (session.source.resume(), context_blocks(session, session.context)):
                json.dumps(list(map(block_json, blocks)), allow_nan=False)
            names = [message.id for message in session.context]
            assert len(set(names)) == len(names)
