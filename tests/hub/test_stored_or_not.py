"""What a hub says and does when its database cannot store, is empty, or is new."""

from __future__ import annotations

import json
import resource
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from scorer.hub.store.database import Database
from scorer.hub.store.tables import SECRET
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.postgresql import Cluster


def limit_files(hub: HubProcess, size: int) -> None:
    """Let the kernel refuse the hub's writes beyond ``size`` bytes of a file."""
    resource.prlimit(hub.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_monitor_sees_when_nothing_can_be_stored_and_when_it_can(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        limit_files(hub, 1)
        with closing(hub.client()) as client:
            answer = client.get("/healthz")
            assert answer.status == 503
            document = json.loads(answer.body)
            assert (document["ok"], bool(document["problem"])) == (False, True)
            limit_files(hub, resource.RLIM_INFINITY)
            assert client.get("/healthz").status == 200


def test_a_trial_changes_nothing(database: Database) -> None:
    count = select(func.count()).select_from(SECRET)
    with database.read() as connection:
        before = connection.execute(count).scalar_one()
    assert database.try_write() is None
    with database.read() as connection:
        assert connection.execute(count).scalar_one() == before


@pytest.mark.sampled(0)
def test_an_empty_database_is_no_other_hall(tmp_path: Path) -> None:
    state = tmp_path / "hub"
    with running_hub(state) as hub:
        pin = hub.pin
        assert hub.run("backup", str(tmp_path / "copy")).returncode == 0
        hub.stop()
        for path in state.glob("hub.sqlite*"):
            path.unlink()
        for words in (["serve"], ["cards", "--tables", "1"], ["audit"]):
            done = hub.run(*words)
            assert done.returncode == 1
            assert "the database is empty, but this hub has stored games" in done.stderr
        assert hub.run("restore", str(tmp_path / "copy")).returncode == 0
        hub.start()
        assert hub.pin == pin


def test_without_the_kept_identity_an_empty_database_is_a_new_hall(tmp_path: Path) -> None:
    state = tmp_path / "hub"
    with running_hub(state) as hub:
        pin = hub.pin
        hub.stop()
        for path in (*state.glob("hub.sqlite*"), state / "identity.pem"):
            path.unlink()
        hub.start()
        assert hub.pin != pin


def test_the_folder_is_made_beside_a_postgresql_too(cluster: Cluster, tmp_path: Path) -> None:
    settings = f'database = "{cluster.new_database()}"'
    with running_hub(tmp_path / "settings", settings, "--state", str(tmp_path / "new" / "hub")):
        assert (tmp_path / "new" / "hub" / "identity.pem").stat().st_mode & 0o777 == 0o600
