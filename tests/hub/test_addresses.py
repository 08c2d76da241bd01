"""The newest addresses of boxes and desks are known, after a restart too."""

from __future__ import annotations

import pytest

from scorer.hub import addresses
from scorer.hub.addresses import Addresses
from scorer.hub.store.database import Database


def test_the_newest_addresses_are_known_and_no_other(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "MAX_ADDRESSES", 2)
    known, again = Addresses(), Addresses()
    with database.write() as connection:
        for day, address in enumerate(("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3"), start=1):
            known.add(address)
            known.store(connection, address, f"2026-11-0{day}T12:00:00Z")
        again.load(connection)
    for each in known, again:
        seen = [each.is_known(f"10.0.0.{last}") for last in range(1, 5)]
        assert seen == [True, False, True, False]
