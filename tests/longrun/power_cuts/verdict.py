"""Check a disk image after a power cut: repair it as a boot does, open its store.

Every score shown must be there, the store must be sound and hold only whole presses of the evening,
a table can start on it, and the next press is stored.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from scorer.store import health
from scorer.store.journal import Journal, StoreError
from tests.longrun.power_cuts.expected import UNKNOWN, Content, Truth, content_of, document_of

FAREWELL = "A award 1"  # a press that every game accepts
SPARE = "8192"  # block of the second superblock (see logged_disk.make_image)
_MENDED = 1  # e2fsck(8): errors were corrected; a higher status is a failure


class Verdict(NamedTuple):
    """The result for one disk; ``wrong`` is a sentence or ""."""

    rows: int
    wrong: str = ""


class DiskError(Exception):
    """A file system that no boot could repair."""


def take_files(image: Path, folder: Path) -> bool:
    """Repair the file system of ``image`` as a boot does and copy its files.

    Raises DiskError. False: ext4 had torn its first superblock, and the spare one was needed.
    """
    usual = _mended(image)
    if not usual and not _mended(image, "-b", SPARE, "-B", "4096"):
        raise DiskError("e2fsck cannot mend the file system, not even from the spare superblock")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dump = ["debugfs", "-R", f"rdump / {folder}", str(image)]
    subprocess.run(dump, capture_output=True, check=True)
    return usual


def _mended(image: Path, *options: str) -> bool:
    command = ["e2fsck", "-fy", *options, str(image)]
    return subprocess.run(command, capture_output=True).returncode <= _MENDED


def judge(folder: Path, truth: Truth, owed: int) -> Verdict:
    """The verdict on a store that must hold ``truth`` up to row ``owed`` or later."""
    try:
        with Journal.open(folder) as journal:
            found = content_of(journal)
            document = document_of(journal)
            wrong = _problem(found, document, truth, owed) or _goes_on(journal, found)
        if not wrong:
            health.check_integrity(folder)
            wrong = _kept(folder, found)
    except StoreError as error:
        return Verdict(-1, f"the store cannot be opened: {error}")
    return Verdict(len(found.rows), wrong)


def _problem(found: Content, told: object, truth: Truth, owed: int) -> str:
    if len(found.rows) < owed:
        return f"row {owed} had been shown, and only {len(found.rows)} rows are there"
    return truth.problem(found) or truth.untold(found, told)


def _goes_on(journal: Journal, found: Content) -> str:
    """Store one more press, if there is a game."""
    game = journal.latest_game()
    if game is None:
        return ""
    rows = journal.append(game=game, lines=[FAREWELL], source="A", stamp=UNKNOWN)
    return "" if rows[0].seq == len(found.rows) + 1 else f"the next press became row {rows[0].seq}"


def _kept(folder: Path, found: Content) -> str:
    with Journal.open(folder) as journal:
        again = content_of(journal)
    if again.rows[: len(found.rows)] != found.rows or again.headers != found.headers:
        return "the rows changed when the store was opened again"
    if found.headers and len(again.rows) != len(found.rows) + 1:
        return "the press after the cut is not there"
    return ""
