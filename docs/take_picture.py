"""Takes the picture of the README: the desk on a sample session, drawn by the program itself.

usage: python docs/take_picture.py [FILE.svg]      needs redline installed
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from redline.agents.discover import discover
from redline.cli.demo import furnish
from redline.ui.app import RedlineApp
from redline.ui.desk import DeskScreen
from redline.ui.surroundings import Surroundings

SIZE = (120, 34)
FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
PICTURE = Path(__file__).with_name("desk.svg")


async def take(file: Path) -> None:
    """Opens the fullest sample at its desk, moves the cut up one turn, and saves what is seen."""
    with tempfile.TemporaryDirectory(prefix="redline-picture-") as scratch:
        place = furnish(Path(scratch).resolve())
        fullest = max(discover(place.environment).sessions, key=lambda info: info.billed or 0)
        app = RedlineApp(
            Surroundings(place.environment, place.cwd, place.places, place.settings, pause=0.01)
        )
        async with app.run_test(size=SIZE) as pilot:
            app.open_desk(fullest)
            while not isinstance(app.screen, DeskScreen):
                await pilot.pause()
            await pilot.press("left_curly_bracket")
            await pilot.pause()
            svg = app.export_screenshot(title="redline")
        # Fonts of the machine that shows it: the picture asks nothing of the network.
        svg = FONT_FACE.sub("", svg).replace(scratch, "~")
        file.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(take(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE))
