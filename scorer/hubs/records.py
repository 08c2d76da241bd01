"""The record of each hall: a file beside the configuration of its hub.

A record is replaced in one step, and says what was begun: after a power cut the same command goes
on. The folder is for root alone, because records and configurations have passwords of databases.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

from scorer.hub.halls import FOLDER
from scorer.hubs.machine import HallsMachine
from scorer.plain_values import SECRET, json_object, read

_SUFFIX = ".json"
MAX_BYTES = 16_384


class HallStage(StrEnum):
    """What was begun with a hall and may be unfinished."""

    CREATING = "creating"
    READY = "ready"
    MOVING = "moving"  # to ``other``, which has not all rows
    LEAVING = "leaving"  # ``other``, which has no newer rows and is dropped
    DELETING = "deleting"


class Home(NamedTuple):
    """Where the rows of a hall are. ``server``: as who makes logins, "" for SQLite.

    ``mark``: of the login, by which it is known to be of this hall.
    """

    server: Annotated[str, SECRET] = ""
    password: Annotated[str, SECRET] = ""
    mark: str = ""


class HallRecord(NamedTuple):
    """A hall, its ports and where its rows are.

    ``other``: a second home while it moves; ``pin``: of its certificate, once it is created;
    ``copy``: the file of which it is created, "" for none.
    """

    name: str
    stage: HallStage
    title: str
    address: str
    port: int
    secure_port: int
    hosts: tuple[str, ...] = ()
    home: Home = Home()
    other: Home = Home()
    pin: str = ""
    copy: str = ""


class UnreadableRecord(Exception):
    """A record is not one of this program; the text says which."""


class Records:
    """The records of a machine."""

    def __init__(self, machine: HallsMachine) -> None:
        self._machine, self.folder = machine, machine.path(FOLDER)

    def find(self, name: str) -> HallRecord | None:
        """The record of a hall. Raises UnreadableRecord or OSError."""
        path = self._path(name)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        try:
            found = read(HallRecord, json_object(text[:MAX_BYTES]))
        except ValueError as error:
            raise UnreadableRecord(f"{path} cannot be read: {error}") from error
        if found.name != name:
            raise UnreadableRecord(f"{path} is of the hall '{found.name}'")
        return found

    def all(self) -> Iterator[HallRecord]:
        """The records by name. Raises as ``find``."""
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")):
            found = self.find(path.name.removesuffix(_SUFFIX))
            if found is not None:
                yield found

    def save(self, record: HallRecord) -> HallRecord:
        """Replace the record of its hall in one step. Raises OSError."""
        homes = {"home": record.home._asdict(), "other": record.other._asdict()}
        text = json.dumps({**record._asdict(), **homes}, indent=1)
        self._machine.write(self._path(record.name), text)
        return record

    def remove(self, name: str) -> None:
        """Remove the record, the last trace of a hall. Raises OSError."""
        self._machine.remove(self._path(name))

    @contextmanager
    def locked(self, busy: Callable[[], Exception]) -> Iterator[None]:
        """Keep other commands from the halls; raises ``busy()`` while one is at work."""
        with self._machine.locked(self.folder, busy):
            yield

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{_SUFFIX}"
