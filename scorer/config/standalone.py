"""Load the configuration for the web and print processes.

They do not read the table's store, which has the choices made on the box.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorer.config.loader import Config
from scorer.config.owner_variants import VARIANTS_FOLDER
from scorer.config.sources import resolve


class _MemorySettings:
    """Settings store in memory."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def settings(self) -> dict[str, str]:
        return self._values

    def set_setting(self, key: str, value: str) -> None:
        self._values[key] = value


def load_for_program(program: str, owner_file: Path, card_file: Path) -> Config:
    """The owner's and the card's settings; invalid parts are replaced by defaults.

    Problems are printed on standard error, in the name of ``program``.
    """
    settled = resolve(
        _read_file(program, owner_file) or "",
        _read_file(program, card_file),
        _MemorySettings(),
        VARIANTS_FOLDER,
    )
    for problem in settled.problems:
        where = f"line {problem.line}: " if problem.line else ""
        sys.stderr.write(f"{program}: configuration, {where}{problem.sentence}\n")
    return settled.config


def _read_file(program: str, path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{program}: {path} cannot be read: {error}\n")
        return None
