"""Create, move and delete halls, in steps that can be repeated after a power cut."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError
from scorer.hub.administration import DATABASE_NAME
from scorer.hub.halls import STATES
from scorer.hub.hub import random_hex
from scorer.hub.identity import load_identity
from scorer.hub.store.backup import back_up, restore
from scorer.hub.store.database import Database, DatabaseError, sqlite_url
from scorer.hub.store.tables import LOG_HEAD, MASK_KEY, SECRET
from scorer.hubs import databases
from scorer.hubs.databases import DatabaseServer, hall_address
from scorer.hubs.machine import HallsMachine, UnitsFailed, port_problem
from scorer.hubs.records import HallRecord, HallStage, Home, Records

_LINKS, _CACHES = Path("/var/lib/scorer-hubs"), Path("/var/cache/private/scorer-hubs")
_UNITS = Path("/etc/systemd/system")
_FIRST_PORT, _LAST_PORT = 20_000, 29_998


class HallError(Exception):
    """It cannot be done; the text says why, and what to do."""


class NewHall(NamedTuple):
    """A hall that is to be created.

    ``port`` and ``secure_port``: 0 for the next free ones; ``server``: "" for
    SQLite; ``copy``: a copy of another hub whose hall it goes on with.
    """

    name: str
    title: str
    address: str
    port: int
    secure_port: int
    hosts: tuple[str, ...]
    server: str
    copy: Path | None


class Created(NamedTuple):
    """A created hall. ``pin``: of its certificate; ``rows``: restored from a copy.

    ``open_databases``: others of its server, to which every login may connect.
    """

    record: HallRecord
    pin: str
    rows: int
    open_databases: list[str]


class Halls:
    """The halls of a machine."""

    def __init__(self, machine: HallsMachine) -> None:
        self._machine, self.records = machine, Records(machine)

    # ---- create -------------------------------------------------------------------------------

    def create(self, wish: NewHall) -> Created:
        """Create a hall, or go on with it after a power cut.

        Raises HallError, and leaves nothing then; if the server fails while the hall is undone, the
        text says what stays. Raises NotOpen for a hall that is created.
        """
        record = self.records.find(wish.name)
        if record is None:
            record = self._plan(wish)
        elif record.stage is not HallStage.CREATING:
            raise HallError(
                f"there is a hall {wish.name} already"
                + ("" if record.stage is HallStage.READY else f": {advice(record)}")
            )
        try:
            with _sentences():
                return self._build(record)
        except HallError as error:
            try:
                with _sentences():
                    self._remove(record)
            except HallError as second:
                raise HallError(
                    f"{error}; and what was begun stays: {second}; {advice(record)}"
                ) from error
            raise HallError(f"{error}; nothing was created") from error

    def _plan(self, wish: NewHall) -> HallRecord:
        """The record of a new hall, stored as soon as nothing is in its way."""
        port, secure_port = self._free_ports(wish)
        title = wish.title or wish.name
        home = databases.new_home(wish.server) if wish.server else Home()
        record = HallRecord(
            name=wish.name,
            stage=HallStage.CREATING,
            title=title,
            address=wish.address,
            port=port,
            secure_port=secure_port,
            hosts=wish.hosts,
            home=home,
            copy=str(wish.copy.absolute()) if wish.copy is not None else "",
        )
        with _sentences():
            parse_config(_configuration(record, self._database_address(record)))
            if wish.copy is not None:
                wish.copy.open("rb").close()
            if home.server:
                self._server(home).check(wish.name)
            elif self._sqlite(wish.name).exists():
                raise HallError(f"{self._sqlite(wish.name)} exists already: put it elsewhere")
            return self.records.save(record)

    def _build(self, record: HallRecord) -> Created:
        name, opened = record.name, list[str]()
        if record.home.server:
            server = self._server(record.home)
            server.create(name, record.home)
            opened = server.open_databases(name)
        rows = 0
        with self._opened(record, record.home) as database:
            if record.copy:
                rows = restore(database, Path(record.copy))
            with database.write() as connection:
                pin = load_identity(connection, random_hex).pin
        for each in self.records.all():
            if each.pin == pin and each.name != name:
                raise HallError(
                    f"the copy is of the hall {each.name}, whose passwords and boxes would open"
                    f" {name} too: `scorer hub --hall {each.name} restore` puts it in its place"
                )
        self._write_files(record)
        problem = ""
        try:
            self._machine.units("daemon-reload")
            self._machine.units("enable", "--now", _socket(name))
        except UnitsFailed as error:
            problem = str(error)
        record = self.records.save(record._replace(stage=HallStage.READY, pin=pin))
        if problem:
            # Everything is there; undone it would be lost for a fault of the machine.
            raise NotOpen(
                f"the hall {name} is created, but its ports are not open: {problem};"
                f" `scorer hubs start {name}` tries again"
            )
        return Created(record, pin, rows, opened)

    def _write_files(self, record: HallRecord) -> None:
        path, database = self._configuration(record.name), self._database_address(record)
        text = _configuration(record, database)
        if path.exists():  # and may have lines of the owner
            line = f"database = {json.dumps(database)}"
            text = re.sub("(?m)^database *=.*$", line, path.read_text(encoding="utf-8"))
        self._machine.write(path, text)
        places = [
            f"[{record.address}]:{each}" if ":" in record.address else f"{record.address}:{each}"
            for each in (record.port, record.secure_port)
        ]
        lines = "".join(f"ListenStream={each}\n" for each in places)
        self._machine.write(self._drop_in(record.name), f"[Socket]\n{lines}")

    def _free_ports(self, wish: NewHall) -> tuple[int, int]:
        """The ports of a new hall. Raises HallError."""
        taken = {
            port: each.name for each in self.records.all() for port in (each.port, each.secure_port)
        }

        def problem(port: int) -> str | None:
            if port in taken:
                return f"it is of the hall {taken[port]}"
            return port_problem(wish.address, port)

        wanted = [each for each in (wish.port, wish.secure_port) if each]
        if not wanted:
            for port in range(_FIRST_PORT, _LAST_PORT, 2):
                if problem(port) is None and problem(port + 1) is None:
                    return port, port + 1
            raise HallError(f"no two ports from {_FIRST_PORT} to {_LAST_PORT} are free")
        if len(wanted) < 2 or wish.port == wish.secure_port:
            raise HallError("--port and --secure-port name two ports, or neither is named")
        for port in wanted:
            if (why := problem(port)) is not None:
                raise HallError(f"port {port} of {wish.address} cannot be used: {why}")
        return wish.port, wish.secure_port

    # ---- start, stop, list, export ------------------------------------------------------------

    def find(self, name: str) -> HallRecord:
        """A hall with which nothing was begun. Raises HallError."""
        record = self._known(name)
        if record.stage is not HallStage.READY:
            raise HallError(advice(record))
        return record

    def start(self, name: str) -> str:
        """Open the ports of a hall, now and after each start of the machine.

        Raises HallError. One that is half moved stays where it has all its rows. Returns the
        server at which the other part could not be dropped, "" for none.
        """
        record, left = self._known(name), ""
        with _sentences():
            if record.stage in (HallStage.MOVING, HallStage.LEAVING):
                self._write_files(record)
                try:
                    self._drop(record, record.other)
                except DatabaseError:
                    left = record.other.server
                self.records.save(record._replace(stage=HallStage.READY, other=Home()))
            self._machine.units("enable", "--now", _socket(self.find(name).name))
        return left

    def stop(self, name: str) -> None:
        """Close them, and end its hub. Raises HallError."""
        with _sentences():
            self._close(self.find(name).name)

    def activity(self, records: list[HallRecord]) -> list[str]:
        """What each hall does: serves, waits for a connection, or nothing."""
        if not records:
            return []
        units = [unit(each.name) for unit in (_service, _socket) for each in records]
        try:
            found = self._machine.active(*units)
        except UnitsFailed:
            return ["unknown"] * len(records)
        runs, waits = found[: len(records)], found[len(records) :]
        return [
            "serves" if is_running else "waits" if is_open else "stopped"
            for is_running, is_open in zip(runs, waits, strict=True)
        ]

    def export(self, name: str, file: Path) -> int:
        """Copy a hall into a new file, as `scorer hub backup`; its rows. Raises HallError."""
        record = self.find(name)
        with _sentences(), self._opened(record, record.home) as database:
            return back_up(database, file)

    # ---- move ---------------------------------------------------------------------------------

    def move(self, name: str, server: str, confirm: Callable[[HallRecord], None]) -> int:
        """Move the rows of a hall to another server, and return how many they are.

        ``confirm`` raises HallError for no. After a power cut it goes on. Raises HallError.
        """
        record = self._known(name)
        if record.stage is HallStage.READY:
            if record.home.server == server:
                raise HallError(f"the hall {name} is there already")
            with _sentences():
                self._server(Home(server)).check(name)
            confirm(record)
            record = self.records.save(
                record._replace(stage=HallStage.MOVING, other=databases.new_home(server))
            )
        elif record.stage not in (HallStage.MOVING, HallStage.LEAVING):
            raise HallError(advice(record))
        rows = 0
        with _sentences():
            self._close(name)
            if record.stage is HallStage.MOVING:
                record, rows = self._copy_home(record)
            self._write_files(record)
            self._drop(record, record.other)
            self.records.save(record._replace(stage=HallStage.READY, other=Home()))
            self._machine.units("enable", "--now", _socket(name))
        return rows

    def _copy_home(self, record: HallRecord) -> tuple[HallRecord, int]:
        """Copy all rows to the other home, and make it the first. Raises as what it calls.

        When it fails, nothing of the other home remains, and the hall serves as before.
        """
        try:
            self._server(record.other).create(record.name, record.other)
            with (
                tempfile.TemporaryDirectory() as folder,
                self._opened(record, record.home) as source,
                self._opened(record, record.other) as target,
            ):
                copy = Path(folder) / "copy"
                back_up(source, copy)
                rows = restore(target, copy)
                with source.read() as there, target.write() as here:
                    # No copy has it; the hall moves, and must know again what it has forgotten.
                    of_masks = SECRET.c.name == MASK_KEY
                    here.execute(delete(SECRET).where(of_masks))
                    for secret in there.execute(select(SECRET).where(of_masks)).mappings():
                        here.execute(insert(SECRET).values(dict(secret)))
                    if _head(there) != _head(here):
                        raise DatabaseError("the copied rows differ from those of the hall")
        except (DatabaseError, OSError):
            self._server(record.other).drop(record.name, record.other)
            self.records.save(record._replace(stage=HallStage.READY, other=Home()))
            with suppress(UnitsFailed):
                self._machine.units("enable", "--now", _socket(record.name))
            raise
        moved = record._replace(stage=HallStage.LEAVING, home=record.other, other=record.home)
        return self.records.save(moved), rows

    # ---- delete -------------------------------------------------------------------------------

    def delete(self, name: str, confirm: Callable[[HallRecord], None]) -> None:
        """Delete a hall with all that it has, also one that is half created.

        ``confirm`` raises HallError for no; one that is half deleted is not asked about again.
        """
        record = self._known(name)
        if record.stage in (HallStage.MOVING, HallStage.LEAVING):
            raise HallError(advice(record))
        if record.stage is not HallStage.DELETING:
            confirm(record)
            record = self.records.save(record._replace(stage=HallStage.DELETING))
        with _sentences():
            self._remove(record)

    def _remove(self, record: HallRecord) -> None:
        name = record.name
        if self._drop_in(name).exists():
            with suppress(UnitsFailed):  # a machine without systemd runs nothing of it
                self._close(name)
        self._drop(record, record.home)
        drop_in = self._drop_in(name)
        folders = [self._machine.path(each / name) for each in (STATES, _LINKS, _CACHES)]
        for path in (drop_in, drop_in.parent, self._configuration(name), *folders):
            self._machine.remove(path)
        with suppress(UnitsFailed):
            self._machine.units("daemon-reload")
        self.records.remove(name)

    # ---- parts --------------------------------------------------------------------------------

    def _known(self, name: str) -> HallRecord:
        record = self.records.find(name)
        if record is None:
            raise HallError(f"there is no hall {name}: `scorer hubs list` names all")
        return record

    def _close(self, name: str) -> None:
        self._machine.units("disable", "--now", _socket(name), _service(name))

    def _drop(self, record: HallRecord, home: Home) -> None:
        if home.server:
            self._server(home).drop(record.name, home)
        else:
            for suffix in ("", "-wal", "-shm"):
                self._machine.remove(self._sqlite(record.name, suffix))

    def _server(self, home: Home) -> DatabaseServer:
        return DatabaseServer(home.server, self._machine.on_effect)

    @contextmanager
    def _opened(self, record: HallRecord, home: Home) -> Iterator[Database]:
        """The database of a hall, opened by its own login."""
        if home.server:
            address = hall_address(home, record.name)
        else:
            path = self._sqlite(record.name)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            address = sqlite_url(path)
        self._machine.on_effect("open the database")
        before = os.umask(0o077)
        try:
            opened = Database.open(address)
        finally:
            os.umask(before)
        with closing(opened):
            yield opened

    def _database_address(self, record: HallRecord) -> str:
        return hall_address(record.home, record.name) if record.home.server else ""

    def _sqlite(self, name: str, suffix: str = "") -> Path:
        return self._machine.path(STATES / name / f"{DATABASE_NAME}{suffix}")

    def _configuration(self, name: str) -> Path:
        return self.records.folder / f"{name}.toml"

    def _drop_in(self, name: str) -> Path:
        return self._machine.path(_UNITS / f"{_socket(name)}.d" / "ports.conf")


class NotOpen(Exception):
    """A hall is created, and systemd does not open its ports; the text says why."""


def advice(record: HallRecord) -> str:
    """What to do with a hall with which something was begun."""
    name = record.name
    return {
        HallStage.CREATING: f"the hall {name} is half created: repeat `scorer hubs create {name}`,"
        f" or `scorer hubs delete {name}`",
        HallStage.READY: f"the hall {name} is ready",
        HallStage.MOVING: f"the hall {name} is half moved: repeat `scorer hubs move {name}`, or"
        f" `scorer hubs start {name}` where it was",
        HallStage.LEAVING: f"the hall {name} is moved, and its rows are still at its old place too:"
        f" repeat `scorer hubs move {name}`, or `scorer hubs start {name}`",
        HallStage.DELETING: f"the hall {name} is half deleted: repeat `scorer hubs delete {name}`",
    }[record.stage]


@contextmanager
def _sentences() -> Iterator[None]:
    """Raise what cannot be done as HallError."""
    try:
        yield
    except ConfigError as error:
        raise HallError("; ".join(each.sentence for each in error.problems)) from error
    except OSError as error:
        raise HallError(f"{error.filename or 'the disk'}: {error.strerror}") from error
    except (DatabaseError, UnitsFailed) as error:
        raise HallError(str(error)) from error


def _configuration(record: HallRecord, database: str) -> str:
    """The configuration of the hub of a hall."""
    values = {
        "name": record.title,
        "address": record.address,
        "port": record.port,
        "secure_port": record.secure_port,
        "hosts": record.hosts,
        "database": database,
    }
    # What JSON writes of texts, numbers and lists of texts is TOML.
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    return "\n".join(
        [
            "# Written by `scorer hubs`, which changes the database when the hall moves.",
            "[hub]",
            *lines,
            "",
        ]
    )


def _socket(name: str) -> str:
    return f"scorer-hub@{name}.socket"


def _service(name: str) -> str:
    return f"scorer-hub@{name}.service"


def _head(connection: Connection) -> tuple[int, str]:
    """Number and digest of the last entry of the log, which follows from all before."""
    row = connection.execute(select(LOG_HEAD.c.seq, LOG_HEAD.c.digest)).one()
    return row.seq, row.digest
