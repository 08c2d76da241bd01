"""Disk images as a power cut at a given write would leave them.

Writes finished before the last flush are kept. Of later writes a disk may have kept all, none,
some, or some sectors of some: a point says which, with a seed, so that the same point always gives
the same image.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.longrun.power_cuts.writes import SECTOR, Entry


class Rest(StrEnum):
    """What a disk kept of the unflushed writes."""

    ALL = "all"
    NONE = "none"
    SOME = "some"  # of the writes, each whole
    TORN = "torn"  # some sectors of the last write; all, none or some of the others


class Point(NamedTuple):
    """A cut after ``at`` entries of the log, and which unflushed writes were kept."""

    at: int
    rest: Rest
    seed: int = 0


class Piece(NamedTuple):
    """Bytes of one write that a disk kept: ``length`` from ``start`` on."""

    entry: Entry
    start: int
    length: int


class Disk:
    """The disk of one log, advanced from cut to cut, in ``image``. Never goes back."""

    def __init__(self, base: Path, log: Path, entries: Sequence[Entry], image: Path) -> None:
        """``base``: the disk before the first entry; ``image``: gets all flushed writes."""
        copy_image(base, image)
        self._image, self._log, self._entries = image, log.open("rb"), entries
        self._at = 0
        self.waiting: list[Entry] = []  # finished, but not flushed

    def close(self) -> None:
        """Close the log. Idempotent."""
        self._log.close()

    def advance(self, at: int) -> None:
        """Advance until ``at`` entries are finished. Raises ValueError for an earlier one."""
        if at < self._at:
            raise ValueError(f"the disk is at entry {self._at}, past {at}")
        with self._image.open("r+b") as image:
            for entry in self._entries[self._at : at]:
                if entry.flushes:
                    self._apply(image.fileno(), map(_whole, self.waiting))
                    self.waiting.clear()
                if entry.writes and entry.lasts:
                    self._apply(image.fileno(), [_whole(entry)])
                elif entry.writes:
                    self.waiting.append(entry)
        self._at = at

    def cut(self, point: Point, target: Path) -> None:
        """Write the image of a power cut at ``point`` to ``target``."""
        self.advance(point.at)
        copy_image(self._image, target)
        with target.open("r+b") as image:
            self._apply(image.fileno(), kept(self.waiting, point))

    def _apply(self, image: int, pieces: Iterator[Piece] | Sequence[Piece]) -> None:
        for entry, start, length in pieces:
            data = b"\0" * length
            if not entry.discards:
                self._log.seek(entry.place + start)
                data = self._log.read(length)
            os.pwrite(image, data, entry.offset + start)


def kept(waiting: Sequence[Entry], point: Point) -> Iterator[Piece]:
    """The pieces that a disk kept of the unflushed writes."""
    chance = Random(f"{point.at}/{point.seed}/{point.rest}")
    last = len(waiting) - 1
    for number, entry in enumerate(waiting):
        match point.rest:
            case Rest.NONE:
                return
            case Rest.ALL:
                yield _whole(entry)
            case Rest.SOME:
                if chance.random() < 0.5:
                    yield _whole(entry)
            case Rest.TORN:
                fate = 2 if number == last else chance.randrange(3)
                if fate == 1:
                    yield _whole(entry)
                elif fate == 2:
                    yield from _torn(entry, chance)


def _whole(entry: Entry) -> Piece:
    return Piece(entry, 0, entry.length)


def _torn(entry: Entry, chance: Random) -> Iterator[Piece]:
    for start in range(0, entry.length, SECTOR):
        if chance.random() < 0.5:
            yield Piece(entry, start, min(SECTOR, entry.length - start))


def copy_image(source: Path, target: Path) -> None:
    """Copy a sparse file with its holes: an image is mostly empty."""
    with source.open("rb") as old, target.open("wb") as new:
        size = os.fstat(old.fileno()).st_size
        os.ftruncate(new.fileno(), size)
        for start, end in _written(old.fileno(), size):
            os.lseek(old.fileno(), start, os.SEEK_SET)
            os.lseek(new.fileno(), start, os.SEEK_SET)
            left = end - start
            while left > 0:
                left -= os.sendfile(new.fileno(), old.fileno(), None, left)


def _written(file: int, size: int) -> Iterator[tuple[int, int]]:
    """The ranges of a sparse file that have data."""
    at = 0
    while at < size:
        try:
            start = os.lseek(file, at, os.SEEK_DATA)
        except OSError:
            # Only a hole from here on (ENXIO).
            return
        at = os.lseek(file, start, os.SEEK_HOLE)
        yield start, at
