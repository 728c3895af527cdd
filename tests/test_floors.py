"""That the import contracts of pyproject.toml name every module."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FACES = {"redline.ui", "redline.cli"}
MODULES = {
    f"redline.{path.stem}"
    for path in (ROOT / "tui/redline").iterdir()
    if (path.suffix == ".py" or (path / "__init__.py").exists()) and not path.stem.startswith("__")
}


def test_every_module_below_the_faces_is_kept_from_knowing_a_screen() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (core,) = (contract for contract in contracts if contract["type"] == "forbidden")
    assert {"textual", "rich"} <= set(core["forbidden_modules"])
    assert set(core["source_modules"]) == MODULES - FACES
