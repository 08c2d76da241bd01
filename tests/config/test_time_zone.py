"""The time zone: names of tzdata, and whether one is known."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.config import time_zone
from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError
from scorer.records.clock import local_minute
from scorer.session.setup.time_zones import CITIES
from scorer.store.journal import Stamp


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine in UTC, and no zone in the environment."""
    monkeypatch.delenv("TZ", raising=False)
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Etc/UTC")
    monkeypatch.setattr(time_zone, "MACHINE_ZONE", link)
    yield
    monkeypatch.undo()
    time.tzset()


def test_the_machine_in_utc_has_no_known_zone() -> None:
    assert not time_zone.is_known()


def test_a_machine_without_any_zone_has_no_known_one() -> None:
    time_zone.MACHINE_ZONE.unlink()
    assert not time_zone.is_known()


def test_a_zone_set_on_the_machine_is_known() -> None:
    time_zone.MACHINE_ZONE.unlink()
    time_zone.MACHINE_ZONE.symlink_to("/usr/share/zoneinfo/America/Montevideo")
    assert time_zone.is_known()


def test_an_applied_zone_is_that_of_all_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "")
    evening = Stamp("boot", 0, "2026-11-21T23:30:00+00:00", trusted=True)
    assert local_minute(evening) is None
    time_zone.apply("America/Argentina/Buenos_Aires")
    assert local_minute(evening) == 20 * 60 + 30


def test_every_city_of_the_menu_is_a_zone() -> None:
    assert [zone for zone in CITIES if time_zone.find_problem(zone)] == []


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("Montevideo", "America/Montevideo"),
        ("Sao Paulo", "America/Sao_Paulo"),
        ("America/Caraca", "America/Caracas"),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest(written: str, near: str) -> None:
    with pytest.raises(ConfigError, match=near):
        parse_config(f'[table]\ntime_zone = "{written}"\n')
