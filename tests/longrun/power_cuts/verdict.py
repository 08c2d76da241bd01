"""Is a disk right that has lost its plug? It is mended as at any boot, its store is opened.

Every score that is owed is there, the store is sound and holds whole presses of the evening and
nothing else, a table can begin with it, and the next press is kept too. It knows files on an image
and the journal; how the image came about it must not know.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from scorer.store import health
from scorer.store.journal import Journal, StoreError
from tests.longrun.power_cuts.expected import UNKNOWN, Content, Truth, content_of, document_of

FAREWELL = "A award 1"  # a press that any game takes
SPARE = "8192"  # block of the second superblock (see loop.make_image)
_MENDED = 1  # e2fsck(8): errors were corrected; more than that is bad news


class Verdict(NamedTuple):
    """What became of one disk; ``wrong`` is a sentence, or nothing."""

    rows: int
    wrong: str = ""


class DiskError(Exception):
    """A file system that no boot could mend."""


def take_files(image: Path, folder: Path) -> bool:
    """Mends the file system of ``image`` as a boot does and copies its files. Raises DiskError.

    False: ext4 had torn its own first block, and the spare one was needed.
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
    """The verdict on a store that may hold any beginning of ``truth`` from row ``owed`` on."""
    try:
        with Journal.open(folder) as journal:
            found = content_of(journal)
            told = document_of(journal)
            wrong = _problem(found, told, truth, owed) or _goes_on(journal, found)
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
    """Stores one press more, if there is a game."""
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
