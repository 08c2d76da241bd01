"""Guests of a table: each effect has one; a table without a store has none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from scorer.session.values.effects import Effect, StoredEffect, Task
from scorer.session.values.settings import ConsolesSection
from scorer.session.values.state import Sound, Verdict
from scorer.store.journal import StoreError
from scorer.table.buzzer_phrases import PHRASES
from scorer.table.guest import Guest, ServiceReport
from tests.longrun.fuzz.tables import started
from tests.support.in_process_table import START, table_in_process

KINDS = {*Task, *get_args(Effect), *get_args(StoredEffect), *get_args(ServiceReport)} - {Task}


def guest_classes() -> list[type[Guest]]:
    """The guests that a table opens: one that extends another takes its place."""
    return [each for each in Guest.__subclasses__() if not each.__subclasses__()] + [
        extended for each in Guest.__subclasses__() for extended in each.__subclasses__()
    ]


def test_every_effect_and_every_report_has_one_guest() -> None:
    handled = Counter(kind for guest in guest_classes() for kind in guest.handles)
    assert handled == Counter(KINDS)


def test_a_table_has_one_guest_of_each_class(tmp_path: Path) -> None:
    with started(tmp_path / "store") as (table, _):
        assert Counter(map(type, table._guests)) == Counter(guest_classes())


def test_a_table_without_a_store_has_no_guest_and_no_session(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file in place of the folder")
    with started(tmp_path / "store") as (table, journal):
        assert isinstance(journal, StoreError)
        assert table.has_failed
        assert table._guests == ()
        with pytest.raises(AssertionError):
            _ = table.session


def test_without_a_store_tantos_is_refused_when_it_is_known_to_be_no_chord(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file in place of the folder")
    with table_in_process(tmp_path / "store") as night:
        night.press("A.tantos")
        ((at, phrase),) = night.simulated.hardware.take_sounds()
        # Played from an earlier time, it would end too early to be heard.
        assert (at >= START + ConsolesSection().chord, phrase) == (True, PHRASES[Sound.REFUSED])
        assert [seen.verdict for seen in night.simulated.take_presses()] == [Verdict.REFUSED]
