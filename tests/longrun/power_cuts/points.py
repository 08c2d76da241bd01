"""Chooses the crash points of a log, as many different disks as requested.

Without unflushed writes all kinds of points give the same disk, and two seeds may keep the same
writes: duplicates are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from tests.longrun.power_cuts.crash_image import Point, Rest, kept
from tests.longrun.power_cuts.writes import Entry

SEEDS = 64  # of one kind at one moment


class Moment(NamedTuple):
    """The state of the log after a number of entries."""

    waiting: tuple[Entry, ...]  # unflushed writes
    latest: int  # the last moment at which a disk can still be as it can be at this one


def moments_of(entries: Sequence[Entry]) -> tuple[Moment, ...]:
    """All moments of a log, from before the first entry to after the last.

    A disk that kept only this moment's writes may as well have lost power just before the next
    flush ended: all that was shown until then must be on it.
    """
    found: list[Moment] = []
    waiting: tuple[Entry, ...] = ()
    opened = 0  # the first moment since the last flush
    for at, entry in enumerate([*entries, None]):
        found.append(Moment(waiting, at))
        if entry is None or entry.flushes or entry.lasts:
            found[opened:] = [each._replace(latest=at) for each in found[opened:]]
            opened = at + 1
        if entry is not None and entry.flushes:
            waiting = ()
        if entry is not None and entry.writes and not entry.lasts:
            waiting = (*waiting, entry)
    return tuple(found)


def choose(
    moments: Sequence[Moment], most: int, among: Sequence[int] | None = None
) -> tuple[Point, ...]:
    """At most ``most`` points of all kinds from the whole log, in its order.

    ``among``: the moments to choose from, if not all.
    """
    chosen = list(range(len(moments))) if among is None else sorted(set(among))
    Random(len(chosen)).shuffle(chosen)
    return tuple(sorted(islice(_different(_all(chosen, moments), moments), most)))


def _different(points: Iterator[Point], moments: Sequence[Moment]) -> Iterator[Point]:
    seen = set()
    for point in points:
        moment = moments[point.at]
        disk = (moment.latest, tuple(kept(moment.waiting, point)))
        if disk not in seen:
            seen.add(disk)
            yield point


def _all(chosen: Sequence[int], moments: Sequence[Moment]) -> Iterator[Point]:
    """All kinds at each moment, then more seeds for the random kinds."""
    for seed in range(SEEDS):
        for at in chosen:
            for rest in Rest:
                by_chance = rest in (Rest.SOME, Rest.TORN)
                if seed == 0 or (by_chance and moments[at].waiting):
                    yield Point(at, rest, seed)
