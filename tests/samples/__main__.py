"""Writes the samples. Their times are what the sessions say, so that lists show them in order."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from tests.samples import shop, shop_calls, shop_rounding, site
from tests.samples.claude_code import ClaudeCode
from tests.samples.pi import Pi

FOLDER = Path(__file__).resolve().parents[2] / "sample_sessions"


def write_all(folder: Path) -> list[Path]:
    """Writes every sample below `folder` and gives the paths."""
    project = folder / "claude/projects/-home-dev-shop"
    rounding, survey = shop_rounding.rounding()
    helper = project / shop_calls.ROUNDING / "subagents" / f"agent-{shop_calls.SURVEY}"
    pricing = f"2026-11-27T08-30-12-000Z_{site.PRICING}.jsonl"
    files: dict[Path, ClaudeCode | Pi] = {
        project / f"{shop_calls.ROUNDING}.jsonl": rounding,
        helper.with_suffix(".jsonl"): survey,
        project / f"{shop_calls.EXPORT}.jsonl": shop.export(),
        project / f"{shop_calls.POSTGRES}.jsonl": shop.postgres(),
        folder / "pi/sessions/--home-dev-site--" / pricing: site.pricing(),
    }
    for path, session in files.items():
        session.write(path)
        times = [line["timestamp"] for line in session.lines if "timestamp" in line]
        last = datetime.fromisoformat(times[-1]).timestamp()
        os.utime(path, (last, last))
    about = helper.with_suffix(".meta.json")
    about.write_text('{"agentType":"Explore","description":"Survey currency helpers"}')
    return [*files, about]


if __name__ == "__main__":
    for path in write_all(FOLDER):
        print(f"{path.stat().st_size:>9,}  {path.relative_to(FOLDER)}")
