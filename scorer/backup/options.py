"""What the three commands have in common: the folder of the store, and messages."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from scorer.config.sources import OWNER_FILE, store_directory
from scorer.config.toml_reader import read_optional


class BackupError(Exception):
    """The command cannot be carried out; the text says why and what to do."""


def add_store_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--store`` and ``--config``."""
    parser.add_argument(
        "--store", type=Path, metavar="DIR", help="folder of the games ([store] of the file)"
    )
    parser.add_argument(
        "--config", type=Path, default=OWNER_FILE, metavar="FILE", help=f"({OWNER_FILE})"
    )


def chosen_store(arguments: argparse.Namespace) -> Path:
    """The folder of the store, as the table finds it."""
    directory: Path | None = arguments.store
    if directory is None:
        directory = store_directory(read_optional(arguments.config) or "")
    return directory.absolute()


def check_access(directory: Path) -> None:
    """Raise BackupError if this user may not read the folder of the games."""
    if directory.exists() and not os.access(directory, os.R_OK | os.X_OK):
        raise BackupError(f"{directory} may not be read by this user: run the command with sudo")


def report(command: str, sentence: str) -> None:
    """Print a message on standard error."""
    sys.stderr.write(f"scorer {command}: {sentence}\n")


def games_text(count: int) -> str:
    """``1 game``, ``12 games``."""
    return f"{count} game{'' if count == 1 else 's'}"


def numbers_text(numbers: tuple[int, ...]) -> str:
    """``game 7``, ``games 7, 9 and 4 more``."""
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return f"game{'' if len(numbers) == 1 else 's'} {shown}{more}"


_SHOWN = 10
