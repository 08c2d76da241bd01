"""Disk images after a cut: everything flushed, and the rest as the point says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.longrun.power_cuts.crash_image import Disk, Point, Rest, copy_image
from tests.longrun.power_cuts.logs import DISCARD, FLUSH, FUA, a_log, a_write
from tests.longrun.power_cuts.points import choose, moments_of
from tests.longrun.power_cuts.writes import SECTOR, Entry, read

SECTORS = 12
# Two writes and a flush, two more writes (the second of two sectors), a FUA write, a discard.
ENTRIES = (
    a_write(1, b"1" * SECTOR),
    a_write(2, b"2" * SECTOR),
    a_write(0, flags=FLUSH),
    a_write(3, b"3" * SECTOR),
    a_write(4, b"4" * 2 * SECTOR),
    a_write(7, b"7" * SECTOR, flags=FUA),
    a_write(1, sectors=1, flags=DISCARD),
)


class Cutting:
    """A small disk that is cut."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._base = folder / "base"
        self._base.write_bytes(b"." * SECTORS * SECTOR)
        self._log = a_log(folder / "log", *ENTRIES)
        self.entries = read(self._log)

    def at(self, point: Point) -> str:
        """One letter per sector; ``?`` for a mixed one, ``_`` for zeros."""
        disk = Disk(self._base, self._log, self.entries, self._folder / "lasting")
        disk.cut(point, self._folder / "cut")
        disk.close()
        image = (self._folder / "cut").read_bytes()
        sectors = [image[at : at + SECTOR] for at in range(0, len(image), SECTOR)]
        return "".join(chr(one[0] or ord("_")) if len(set(one)) == 1 else "?" for one in sectors)


@pytest.fixture
def cutting(tmp_path: Path) -> Cutting:
    return Cutting(tmp_path)


@pytest.mark.parametrize(
    ("at", "rest", "disk"),
    [
        (0, Rest.ALL, "............"),
        (2, Rest.ALL, ".12........."),
        (2, Rest.NONE, "............"),
        (3, Rest.NONE, ".12........."),
        (5, Rest.ALL, ".12344......"),
        (5, Rest.NONE, ".12........."),
        (6, Rest.NONE, ".12....7...."),  # a FUA write lasts without a flush
        (7, Rest.ALL, "._2344.7...."),
        (7, Rest.NONE, ".12....7...."),
    ],
)
def test_flushed_writes_are_kept(cutting: Cutting, at: int, rest: Rest, disk: str) -> None:
    assert cutting.at(Point(at, rest)) == disk


def test_some_keeps_every_combination_of_whole_writes(cutting: Cutting) -> None:
    disks = {cutting.at(Point(5, Rest.SOME, seed)) for seed in range(32)}
    assert disks == {".12.........", ".123........", ".12.44......", ".12344......"}


def test_torn_keeps_some_sectors_of_the_last_write(cutting: Cutting) -> None:
    disks = {cutting.at(Point(5, Rest.TORN, seed)) for seed in range(64)}
    assert {disk[4:6] for disk in disks} == {"..", "4.", ".4", "44"}
    assert all(disk.startswith(".12") and "?" not in disk for disk in disks)


def test_the_same_point_always_gives_the_same_disk(cutting: Cutting) -> None:
    point = Point(5, Rest.TORN, 7)
    assert cutting.at(point) == cutting.at(point)


def test_a_disk_cannot_go_back(cutting: Cutting, tmp_path: Path) -> None:
    disk = Disk(tmp_path / "base", tmp_path / "log", cutting.entries, tmp_path / "lasting")
    disk.advance(3)
    with pytest.raises(ValueError, match="past 2"):
        disk.advance(2)
    disk.close()


def test_all_that_was_shown_before_the_next_flush_must_be_stored(cutting: Cutting) -> None:
    latest = [moment.latest for moment in moments_of(cutting.entries)]
    assert latest == [2, 2, 2, 5, 5, 5, 7, 7]


def test_the_points_are_different_disks_of_all_kinds_in_order(cutting: Cutting) -> None:
    moments = moments_of(cutting.entries)
    points = choose(moments, 1000)
    assert list(points) == sorted(points)
    assert {point.rest for point in points} == set(Rest)
    disks = [(moments[point.at].latest, cutting.at(point)) for point in points]
    assert len(set(disks)) > 10
    # Two kinds of points may keep all of the last write, and a discard looks like zeros.
    assert len(disks) <= len(set(disks)) * 2
    assert len(choose(moments, 5)) == 5
    assert {point.at for point in choose(moments, 100, among=[4, 5])} == {4, 5}


def test_a_copy_has_the_bytes_and_the_holes(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("wb") as file:
        file.truncate(1 << 20)
        file.seek(300_000)
        file.write(b"here")
    copy_image(source, target)
    assert target.read_bytes() == source.read_bytes()
    assert target.stat().st_blocks <= source.stat().st_blocks


def test_the_base_image_is_not_changed(cutting: Cutting, tmp_path: Path) -> None:
    before = (tmp_path / "base").read_bytes()
    cutting.at(Point(len(cutting.entries), Rest.ALL))
    assert (tmp_path / "base").read_bytes() == before
    assert all(isinstance(entry, Entry) for entry in cutting.entries)
