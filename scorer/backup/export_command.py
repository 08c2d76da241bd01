"""``scorer export``: writes every game as score sheet and JSON, and one CSV."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from scorer.backup.export import export_games
from scorer.backup.options import (
    BackupError,
    add_store_options,
    check_access,
    chosen_store,
    games_text,
    numbers_text,
    report,
)
from scorer.config.owner_variants import add_variants_option, install
from scorer.ownership import give_to_owner_of
from scorer.store import health
from scorer.store.archive import Archive
from scorer.store.errors import StoreError
from scorer.store.open_or_salvage import BESIDE

EXAMPLE = """example:
  sudo scorer export games       a new folder: game-00001.truco, game-00001.json, ..., games.csv

0: every game is written; 1: not all, or not understood; 2: used wrongly."""


def main(argv: list[str]) -> int:
    """0: every game is written; 1: not all, or not understood; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer export",
        description="Write every game as a score sheet and as JSON, and a table of all as CSV.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or an empty folder")
    add_store_options(parser)
    add_variants_option(parser)
    arguments = parser.parse_args(argv)
    install(arguments.variants)
    try:
        return _export(chosen_store(arguments), arguments.folder)
    except (BackupError, StoreError) as error:
        report("export", str(error))
    except OSError as error:
        report("export", f"{error.filename or arguments.folder}: {error.strerror}")
    return 1


def _export(directory: Path, folder: Path) -> int:
    check_access(directory)
    if not health.store_exists(directory):
        raise BackupError(f"{directory} has no games yet")
    if not folder.parent.is_dir():
        raise BackupError(f"there is no folder {folder.parent}")
    if not folder.is_dir():
        folder.mkdir()
        give_to_owner_of(folder.parent, folder)
    # Files of another export could mix with these.
    if any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty: name a new folder")
    status = 0
    if health.store_exists(directory / BESIDE):
        # Played by an older version while a newer one had written the store.
        status = _export(directory / BESIDE, folder / BESIDE)
    with closing(Archive.open(directory)) as archive:
        result = export_games(archive.games(), folder)
    print(f"{folder}: {games_text(result.games)}")
    if result.unplayable:
        games = numbers_text(result.unplayable)
        report("export", f"{games} cannot be replayed by this version; the sheets are complete")
    return 1 if result.unplayable else status
