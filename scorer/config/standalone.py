"""The settings for programs beside the table: the owner's file, and the card's over it.

What was chosen on the box is kept in the table's store, which is not theirs to read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorer.config.loader import Config
from scorer.config.owner_variants import VARIANTS_FOLDER
from scorer.config.sources import resolve


class _MemorySettings:
    """What the table keeps in its store: nothing, for a moment."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def settings(self) -> dict[str, str]:
        return self._values

    def set_setting(self, key: str, value: str) -> None:
        self._values[key] = value


def load_for_program(program: str, owner_file: Path, card_file: Path) -> Config:
    """The owner's file and the card's; where one is wrong, as the table does, the rest of it.

    What is wrong is said in the name of ``program``, on standard error.
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
