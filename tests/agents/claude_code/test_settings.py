"""Which of Claude Code's settings bear on compaction, and who set them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.claude_code.settings import settings
from redline.agents.own import OwnSetting, own_settings
from redline.model import Agent


def put(path: Path, **values: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))
    return str(path)


def test_the_nearest_file_wins_and_is_named(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "shop"
    first = put(home / ".claude/settings.json", autoCompactEnabled=False, autoCompactWindow=150_000)
    put(project / ".claude/settings.json", autoCompactEnabled=False)
    last = put(project / ".claude/settings.local.json", autoCompactEnabled=True)
    assert settings(project, {"HOME": str(home)}) == {
        "autoCompactEnabled": OwnSetting(True, last),
        "autoCompactWindow": OwnSetting(150_000, first),
    }
    assert settings(None, {"HOME": str(home)})["autoCompactEnabled"] == OwnSetting(False, first)


def test_a_variable_that_is_set_wins_over_the_env_block_of_a_file(tmp_path: Path) -> None:
    file = put(
        tmp_path / "settings.json",
        env={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60", "DISABLE_AUTO_COMPACT": "1", "OTHER": "x"},
    )
    found = settings(
        None, {"CLAUDE_CONFIG_DIR": str(tmp_path), "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "40"}
    )
    assert found == {
        "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": OwnSetting(40, "$CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"),
        "DISABLE_AUTO_COMPACT": OwnSetting(True, file),
    }


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "500k", 500),
        ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "0", None),
        ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "", None),
        ("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "many", None),
        ("CLAUDE_CODE_DISABLE_1M_CONTEXT", "true", True),
        ("DISABLE_COMPACT", "0", False),
    ],
)
def test_a_variable_is_read_as_claude_code_reads_it(
    name: str, text: str, value: int | bool | None
) -> None:
    found = settings(None, {name: text})
    assert (found[name].value if name in found else None) == value


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"autoCompactEnabled": "no", "autoCompactWindow": -1, "env": []}',
        b'{"autoCompactEnabled": null, "autoCompactWindow": true, "env": {"DISABLE_COMPACT": 1}}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_setting_tells_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.json").write_bytes(content)
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path)}
    assert settings(tmp_path / "nowhere", environment) == {}
    assert own_settings(None, environment)[Agent.CLAUDE_CODE] == {}
