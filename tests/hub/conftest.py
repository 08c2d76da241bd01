"""The two databases, and a hub with its director, as fixtures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sqlalchemy import Table, select

from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.store.tables import METADATA
from tests.hub import postgresql
from tests.hub.postgresql import Cluster

if TYPE_CHECKING:
    from tests.hub.hub_process import HubProcess
    from tests.hub.test_tournament import Director
    from tests.tournament.play import Played


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL for all tests of this process."""
    if not postgresql.is_installed():
        pytest.skip("PostgreSQL is not installed")
    with postgresql.running_cluster() as running:
        yield running


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with the newest schema and no rows."""
    path = tmp_path_factory.mktemp("migrated") / "hub.sqlite"
    Database.open(sqlite_url(path)).close()
    return path


class ReusedDatabase(NamedTuple):
    """A database of PostgreSQL that each test finds empty.

    A copy for each would cost ten times as much.

    ``rows``: those of a new one.
    """

    url: str
    rows: dict[Table, list[dict[str, Any]]]

    def empty(self, database: Database) -> None:
        """Give ``database``, which is this one, the rows of a new one."""
        with database.write() as connection:
            for table, rows in self.rows.items():
                connection.execute(table.delete())
                if rows:
                    connection.execute(table.insert(), rows)


@pytest.fixture(scope="session")
def reused_database(cluster: Cluster) -> ReusedDatabase:
    """A database of PostgreSQL with the newest schema."""
    url, rows = cluster.new_database(), {}
    with closing(Database.open(url)) as database, database.read() as connection:
        for table in METADATA.sorted_tables:
            rows[table] = [dict(row) for row in connection.execute(select(table)).mappings()]
    return ReusedDatabase(url, rows)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind.

    That of ``database`` has tables, as migrations cost more than most tests.
    """
    has_tables = "database" in request.fixturenames
    if request.param == "sqlite":
        path = tmp_path / "hub.sqlite"
        if has_tables:
            shutil.copyfile(request.getfixturevalue("migrated_file"), path)
        return sqlite_url(path)
    if has_tables:
        reused: ReusedDatabase = request.getfixturevalue("reused_database")
        return reused.url
    running: Cluster = request.getfixturevalue("cluster")
    return running.new_database()


@pytest.fixture
def database(url: str, request: pytest.FixtureRequest) -> Iterator[Database]:
    """An open, empty database of each kind."""
    with closing(Database.open(url)) as opened:
        if opened.engine.dialect.name == "postgresql":
            request.getfixturevalue("reused_database").empty(opened)
        yield opened


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub of the module."""
    from tests.hub.hub_process import running_hub

    with running_hub(tmp_path_factory.mktemp("hub")) as running:
        yield running


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    """The desk of a hub of the module."""
    # Imported by the modules that use it alone.
    from tests.hub.hub_process import running_hub
    from tests.hub.joining_box import log_in
    from tests.hub.test_tournament import Director

    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club"') as hub:
        yield Director(hub, log_in(hub))


@pytest.fixture
def director(desk: Director) -> Iterator[Director]:
    """The desk of a hub without boxes; its last tournament may be of another test."""
    yield desk
    for box in desk.desk["boxes"]:
        desk.act("revoke", device=box["device"])


@pytest.fixture
def played() -> Played:
    """Two zones of four teams: two matches of each in a round."""
    from scorer.tournament.events import StartPhase
    from tests.tournament.play import Played, built_in

    played = Played(built_in("zones_and_bracket"), 8).draw()
    played.do(StartPhase("zonas"))
    return played
