"""A server of PostgreSQL that asks for passwords, and machines of halls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hub import postgresql
from tests.hub.postgresql import Cluster
from tests.hubs.machines import HallMachine, databases_of, path_with


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[Cluster]:
    """A server for all tests of this process."""
    if not postgresql.is_installed():
        pytest.skip("PostgreSQL is not installed")
    with postgresql.running_cluster(has_passwords=True) as running:
        yield running


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    """A server without halls."""
    yield shared_cluster
    for kind, _, name in sorted(each.partition(" ") for each in databases_of(shared_cluster)):
        shared_cluster.sql(f'DROP {"ROLE" if kind == "login" else "DATABASE"} "{name}"')


@pytest.fixture
def machine(tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> HallMachine:
    """A machine whose halls are on the server."""
    made = HallMachine(tmp_path / "machine", cluster)
    monkeypatch.setenv("PATH", path_with(made))
    return made


@pytest.fixture
def small_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HallMachine:
    """A machine without PostgreSQL."""
    made = HallMachine(tmp_path / "small", None)
    monkeypatch.setenv("PATH", path_with(made))
    return made
