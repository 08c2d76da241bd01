"""A new box asks its questions at each power-on until a hand was scored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from scorer.i18n import languages
from scorer.session.values.setup_view import ListView, SetupView
from scorer.store.journal import Stamp
from scorer.table.simulated_table import SimulatedTable
from scorer.table.startup import StoreHolder
from scorer.table.table import Table
from tests.support.memory_hardware import MemoryHardware

START = 100.0


class Box:
    """A box between two power cuts."""

    def __init__(self, simulated: SimulatedTable) -> None:
        self._simulated = simulated
        assert isinstance(simulated.table, Table)
        self.table = simulated.table

    def press(self, *buttons: str) -> None:
        for button in buttons:
            now = self._simulated.hardware.clock()
            edges = [(now + 1.0, button, 0), (now + 1.1, button, 1)]
            self._simulated.advance(edges, now + 2.0)

    def wait(self, seconds: float) -> None:
        self._simulated.settle(self._simulated.hardware.clock() + seconds)

    @property
    def asked(self) -> str | None:
        """The title of the question, or None."""
        setup = self.setup
        return None if setup is None else str(setup.title)

    @property
    def setup(self) -> SetupView | None:
        return self.table.view.setup

    @property
    def variant(self) -> str:
        return str(self.table.document()["variant"])


@contextmanager
def powered(store: Path, owner_text: str = "") -> Iterator[Box]:
    with ExitStack() as stack:
        holder = StoreHolder(store, stack)
        hardware = MemoryHardware(start=START)
        simulated = SimulatedTable(
            owner_text,
            hardware,
            holder,
            lambda now: Stamp("boot", int(now * 1000), "2026-05-01T21:00:00+00:00", trusted=True),
        )
        stack.callback(simulated.close)
        yield Box(simulated)


def answer_all(box: Box) -> None:
    while box.asked is not None:
        box.press("A.quiero")


def test_the_questions_return_after_a_power_cut_until_a_hand_was_scored(tmp_path: Path) -> None:
    with powered(tmp_path) as box:
        assert box.asked == "first_language"
        box.press("B.tantos", "A.quiero")
    with powered(tmp_path) as box:
        assert box.asked == "first_language", "a power cut between two questions"
        setup = box.setup
        assert setup is not None and isinstance(setup.content, ListView)
        assert setup.content.selected.key == "language.es-UY"
        answer_all(box)
        assert box.variant == "uruguayan"
        box.press("A.truco")
    with powered(tmp_path) as box:
        assert box.asked == "first_language", "a call is no score"
        answer_all(box)
        assert box.variant == "uruguayan", "what was answered is proposed again"
        box.press("B.no_quiero")
    with powered(tmp_path) as box:
        assert (box.asked, box.variant) == (None, "uruguayan")


@pytest.mark.parametrize("language", languages())
def test_the_first_game_has_nosotros_as_mano_in_each_language(
    language: str, tmp_path: Path
) -> None:
    with powered(tmp_path) as box:
        for _ in range(languages().index(language)):
            box.press("B.tantos")
        answer_all(box)
        first = box.table.document()
        assert (box.asked, first["mano"], set(first["score"].values())) == (None, "A", {0})


def test_a_score_counts_though_nothing_was_answered(tmp_path: Path) -> None:
    with powered(tmp_path) as box:
        box.wait(301.0)
        assert box.asked is None
        box.press("A.tantos")
    with powered(tmp_path) as box:
        assert (box.asked, box.variant) == (None, "argentine")


def test_a_box_whose_file_names_the_truco_asks_nothing(tmp_path: Path) -> None:
    with powered(tmp_path, 'table.variant = "paulista"') as box:
        assert (box.asked, box.variant) == (None, "paulista")
