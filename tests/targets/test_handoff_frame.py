from __future__ import annotations

from pathlib import Path

from redline.model import Agent, SessionInfo
from redline.targets.handoff_frame import Framing
from redline.targets.starting import starts
from tests.targets.repositories import Repositories

FILE = Path("/data/handoff.md")


def test_the_whole_frame_has_git_and_a_command_for_every_agent(repositories: Repositories) -> None:
    shop = repositories.new("shop")
    (shop / "new").write_text("")
    info = SessionInfo(Agent.PI, "s", Path("/s.jsonl"), project=str(shop))
    whole, short, none = Framing.of(info, repositories.environment).frames(FILE)
    assert "  - ?? `new`" in whole.repository
    assert whole.git is not None
    assert whole.git["dirty"] == [{"status": "??", "path": "new"}]
    assert whole.starts == starts(FILE)
    assert "not committed: 1 file" in short.repository
    assert [line.split()[0] for line in short.starts] == ["pi"]
    assert (none.repository, none.starts, none.preface) == ((), (), True)


def test_without_a_repository_or_a_file_there_is_less_to_say(
    tmp_path: Path, repositories: Repositories
) -> None:
    info = SessionInfo(Agent.PI, "s", Path("/s.jsonl"), project=str(tmp_path))
    whole = Framing.of(info, repositories.environment).frames(None)[0]
    assert (whole.repository, whole.git, whole.starts, whole.preface) == ((), None, (), False)
