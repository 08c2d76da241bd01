"""``scorer backup``: copies all games into one file, also while the table runs.

With ``--stick`` the file is on a USB stick, which is mounted for that moment. Started by systemd
with a socket it makes the copies that the table requests.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scorer.backup import snapshot, stick
from scorer.backup.options import (
    BackupError,
    add_store_options,
    chosen_store,
    games_text,
    numbers_text,
    report,
)
from scorer.config.owner_variants import VARIANTS_FOLDER, install
from scorer.config.sources import CARD_FILE
from scorer.config.standalone import Program, cache_folder, load_for_program
from scorer.store.errors import StoreError
from scorer.system.sd_notify import passed_sockets

EXAMPLE = """example:
  sudo scorer backup truco.sqlite3     one file with every game and setting
  sudo scorer backup /media/usb        the same, with the date as its name
  sudo scorer backup --stick           on the USB stick with the label TRUCO

0: copied, and read back without error; 1: not copied; 2: used wrongly."""
NARROWEST: dict[str, object] = {}  # the label of a new box


def main(argv: list[str]) -> int:
    """0: copied, or the idle service ended; 1: not copied; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer backup",
        description="Copy all games and settings into one verified file; the table may run.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "target", nargs="?", type=Path, metavar="FILE", help="the copy, or a folder for it"
    )
    parser.add_argument("--replace", action="store_true", help="replace an older copy")
    parser.add_argument(
        "--stick", action="store_true", help="on the USB stick that [backup] names by its label"
    )
    add_store_options(parser)
    parser.add_argument(
        "--card", type=Path, default=CARD_FILE, metavar="FILE", help=f"({CARD_FILE})"
    )
    arguments = parser.parse_args(argv)
    if (arguments.target is None) == (not arguments.stick):
        parser.error("name a file or a folder, or --stick")
    try:
        if arguments.stick:
            return _to_stick(arguments)
        _to_file(chosen_store(arguments), arguments.target, may_replace=arguments.replace)
    except (BackupError, StoreError) as error:
        report("backup", str(error))
        return 1
    return 0


def _to_stick(arguments: argparse.Namespace) -> int:
    program = Program("scorer backup", ("backup",), NARROWEST, cache_folder())
    config, _ = load_for_program(program, arguments.config, arguments.card)
    copies = stick.StickCopies(chosen_store(arguments), config.backup.label, fetched=cache_folder())
    if passed := passed_sockets():
        install(VARIANTS_FOLDER)  # what is fetched is replayed
        stick.serve(passed[0][1], copies)
        return 0
    return 0 if copies.copy()["ok"] else 1


def _to_file(directory: Path, target: Path, *, may_replace: bool) -> None:
    if target.is_dir():
        target = snapshot.dated_name(target)
    if not target.parent.is_dir():
        raise BackupError(f"there is no folder {target.parent}")
    if target.exists() and not may_replace:
        raise BackupError(f"{target} exists: choose another name, or add --replace")
    if target.resolve().parent == directory.resolve():
        raise BackupError(f"{target} is in the folder of the games: choose another folder")
    content = snapshot.take(directory, target)
    print(f"{target}: {games_text(content.games)}, {content.rows} steps")
    if content.unplayable:
        games = numbers_text(content.unplayable)
        report("backup", f"{games} cannot be replayed by this version; they are in the copy")
