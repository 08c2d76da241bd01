"""A PostgreSQL whose primary server changes: the store follows it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from scorer.hub.store.database import Database, DatabaseError
from tests.hub import postgresql
from tests.hub.postgresql import Cluster


def at(place: Path, url: str) -> str:
    """The address of a database at the server in another folder, or at a link to one."""
    return str(make_url(url).update_query_dict({"host": str(place)}))


def lead(place: Path, server: Cluster) -> None:
    place.unlink(missing_ok=True)
    place.symlink_to(server.folder)


@pytest.mark.sampled(0)
def test_the_hub_stores_again_after_a_switchover(tmp_path: Path) -> None:
    """The old primary comes back as a standby, and only then the address moves.

    A standby is not opened.
    """
    if not postgresql.is_installed():
        pytest.skip("PostgreSQL is not installed")
    place = tmp_path / "address"
    # The databases of all tests would be copied to a standby of the shared server.
    with postgresql.running_cluster() as primary:
        url = primary.new_database()
        with postgresql.running_standby(primary) as other:
            with pytest.raises(DatabaseError, match="read-only"):
                Database.open(at(other.folder, url))
            lead(place, primary)
            with closing(Database.open(at(place, url))) as database:
                assert database.try_write() is None
                primary.stop()
                other.promote()
                primary.start_as_standby(other)
                assert "read-only" in str(database.try_write())
                lead(place, other)
                assert database.try_write() is None


def test_a_connection_that_became_read_only_is_discarded(cluster: Cluster) -> None:
    with closing(Database.open(cluster.new_database())) as database:
        with database.write() as connection:
            connection.exec_driver_sql("SET SESSION default_transaction_read_only = on")
        assert "read-only" in str(database.try_write())
        assert database.try_write() is None
