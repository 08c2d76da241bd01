"""Where the library of a command comes from, on a machine that lacks it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the folder of the package
DEBIAN = Path("/usr/lib/truco-scorer")  # the same in the Debian package


def how_to_install(extra: str, packages: str = "", root: Path = ROOT) -> str:
    """What to do, for the extra of pyproject.toml that has the library.

    ``packages``: those of Debian that have it; "": our package brings it.
    """
    if (root / "pyproject.toml").is_file():
        return f"run make setup in {root}, and use {root}/.venv/bin/scorer"
    if root == DEBIAN:
        return f"sudo apt install {packages or '--reinstall truco-scorer'}"
    return f"in a copy of the project, run pip install '.[{extra}]'"
