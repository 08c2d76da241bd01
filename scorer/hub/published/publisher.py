"""Writes the site of a hub again after each change of its tournaments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Lock

from scorer.hub.folder_fault import FolderFault, fault_of
from scorer.hub.hub_log import write_log
from scorer.hub.published.documents import SiteTournament
from scorer.hub.published.files import INDEX, SiteOptions, SiteRenderer, published_ids
from scorer.hub.store.database import DatabaseError
from scorer.hub.times import Clock
from scorer.hub.tournaments import ClosedTournament, RunningTournament, Tournaments
from scorer.static_site.folder import RESERVE, read_site, replace_site
from scorer.tournament.public_names import unjudged

ReadClosed = Callable[[ClosedTournament], SiteTournament]
PAUSE = 5.0  # seconds between two looks
_AGAIN = 12  # looks between two tries that fail


def publish(
    folder: Path,
    tournaments: Iterable[SiteTournament],
    renderer: SiteRenderer,
    clock: Clock,
    reserve: int = RESERVE,
) -> bool:
    """Write a site of these tournaments; False: it is the same. Raises OSError."""
    now = clock.utc() if clock.is_trusted else ""
    return replace_site(folder, lambda old: renderer.files(tournaments, old, now), INDEX, reserve)


def site_tournament(running: RunningTournament, evening: bytes = b"") -> SiteTournament:
    """A tournament of the hub for a site; ``evening``: its signed file."""
    return SiteTournament(running.id, running.state, running.is_open, evening)


def tournaments_for(
    folder: Path, tournaments: Tournaments, read: ReadClosed
) -> list[SiteTournament]:
    """The tournaments for a site: the open ones, then those that it has already.

    If that is none, the newest one. ``read``: a closed one from the database. One that the site
    does not have comes to it when the desk has said which of its names are names of people.
    """
    known = published_ids(read_site(folder, INDEX))
    open_ = tournaments.open[::-1]
    archive = [*tournaments.archive.values()][::-1]
    closed = [each for each in archive if each.listed.id in known]
    if not open_ and not closed:
        closed = archive[:1]
    found = [*map(site_tournament, open_), *map(read, closed)]
    return [each for each in found if each.id in known or not unjudged(each.state)]


class SitePublisher:
    """Writes the site into a folder, beside the store thread."""

    def __init__(
        self,
        folder: Path,
        options: SiteOptions,
        clock: Clock,
        read: ReadClosed,
        reserve: int = RESERVE,
    ) -> None:
        """``read``: a closed tournament from the database. Raises DatabaseError."""
        self._read = read
        # Those of the site: each is written again with every result. By id and newest entry.
        self._closed: dict[tuple[int, int], SiteTournament] = {}
        self.folder, self._clock = folder, clock
        self._renderer = SiteRenderer(options)
        self._reserve = reserve
        self._seen: Tournaments | None = None  # those of the site
        self._written: list[SiteTournament] = []
        self._fault: FolderFault | None = None
        self._lock = Lock()

    def faults(self) -> list[FolderFault]:
        """The folder, if it lacks the newest results."""
        return [] if self._fault is None else [self._fault]

    async def run(self, newest: Callable[[], Tournaments]) -> None:
        """Write every change until cancelled, and the last ones at the end."""
        looks = 0
        try:
            while True:
                if self._fault is None or looks % _AGAIN == 0:
                    await asyncio.to_thread(self.write, newest())
                looks += 1
                await asyncio.sleep(PAUSE)
        finally:
            self.write(newest())

    def write(self, tournaments: Tournaments) -> None:
        """Write the site, if it has changed. An error is logged once, and ends nothing."""
        with self._lock:
            if tournaments is self._seen:
                return
            try:
                shown = tournaments_for(self.folder, tournaments, self._closed_one)
            except DatabaseError:
                return  # the hub says so; the next look is as good
            try:
                if shown != self._written:
                    publish(self.folder, shown, self._renderer, self._clock, self._reserve)
            except OSError as error:
                fault = fault_of(self.folder, error)
                if self._fault != fault:
                    write_log(f"no site in {self.folder}: {fault.why}")
                self._fault = fault
                return
            self._seen, self._written, self._fault = tournaments, shown, None

    def _closed_one(self, closed: ClosedTournament) -> SiteTournament:
        key = closed.listed.id, closed.until
        if key not in self._closed:
            self._closed = {each: at for each, at in self._closed.items() if each[0] != key[0]}
            self._closed[key] = self._read(closed)
        return self._closed[key]
