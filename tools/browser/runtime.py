"""Pyodide from npm: its version, and where it is installed."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = "pyodide"
VERSION: str = json.loads((HERE / "package.json").read_text("utf-8"))["dependencies"][PACKAGE]


def runtime_folder() -> Path:
    """The folder of the installed package; ``make table-page`` installs it."""
    return HERE.parent.parent / "build" / "pyodide" / "node_modules" / PACKAGE
