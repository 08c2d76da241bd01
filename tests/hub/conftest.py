"""The two databases, as fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.hub.store.database import Database, sqlite_url
from tests.hub import postgresql
from tests.hub.postgresql import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL for all tests of this process."""
    if not postgresql.is_installed():
        pytest.skip("PostgreSQL is not installed")
    with postgresql.running_cluster() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "hub.sqlite")
    running: Cluster = request.getfixturevalue("cluster")
    return running.new_database()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """An open, empty database of each kind."""
    opened = Database.open(url)
    yield opened
    opened.close()
