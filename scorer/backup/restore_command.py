"""``scorer restore``: puts a copy of the games in the place of the store."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from scorer.backup import snapshot
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
from scorer.records.replay_check import StoreContent
from scorer.store.errors import FailureKind, StoreError
from scorer.store.restore import restore_store

EXAMPLE = """example:
  sudo systemctl stop scorer.socket scorer.service
  sudo scorer restore truco.sqlite3
  sudo systemctl start scorer.socket scorer.service

0: restored; 1: refused, and nothing has changed; 2: used wrongly."""

# What to do, by the kind of the failure.
_ADVICE: dict[FailureKind, str] = {
    "busy": "stop the table first: sudo systemctl stop scorer.socket scorer.service",
    "not_a_store": "name a file that scorer backup has written",
    "future": "install the newest version of Truco Scorer, then restore again",
    "damaged": "take another copy, if there is one; docs/operators/backup.md says how to salvage",
    "full": "delete what is not needed, or restore on another disk",
    "read_only": "run it with sudo, and check that the disk is not write-protected",
}


def main(argv: list[str]) -> int:
    """0: restored; 1: refused, and nothing has changed; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer restore",
        description="Put a copy made by scorer backup in the place of the games; these are kept.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the copy; it is not changed")
    parser.add_argument(
        "--anyway", action="store_true", help="also if games in it cannot be replayed"
    )
    add_store_options(parser)
    add_variants_option(parser)
    arguments = parser.parse_args(argv)
    install(arguments.variants)
    try:
        _restore(arguments.file, chosen_store(arguments), is_anyway=arguments.anyway)
    except StoreError as error:
        report("restore", str(error))
        if advice := _ADVICE.get(error.kind):
            report("restore", advice)
        return 1
    except BackupError as error:
        report("restore", str(error))
        return 1
    return 0


def _restore(file: Path, directory: Path, *, is_anyway: bool) -> None:
    try:
        file.open("rb").close()
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror}") from error
    check_access(directory)
    check = partial(_check, is_anyway=is_anyway)
    content, aside = restore_store(file, directory, snapshot.today(), check)
    print(f"{directory}: {games_text(content.games)}, {content.rows} steps from {file}")
    if aside is not None:
        print(f"the games that were there before: {aside}")


def _check(copy: Path, *, is_anyway: bool) -> StoreContent:
    """Replay the copy. Raises BackupError for games that the table could not resume."""
    content = snapshot.check(copy)
    if content.unplayable and not is_anyway:
        games = numbers_text(content.unplayable)
        sentence = f"{games} cannot be replayed by this version: update Truco Scorer"
        raise BackupError(f"{sentence}, or add --anyway, and lose what cannot be replayed")
    return content
