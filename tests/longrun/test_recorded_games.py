"""Recorded hands and games pressed on bouncing pins, and their player."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from scorer.demo.buttons import BOUNCE, PinEdge
from scorer.demo.table_process import TableReport
from scorer.rules import Action, Side, Step, header_of
from scorer.session.values.settings import Layout
from scorer.session.view.view import View
from tests.longrun.recorded_games import (
    AFTER_PAYMENT,
    CLOSED,
    HANDS,
    OPEN,
    PACES,
    PRESSES_PER_WORD,
    REFLEX,
    ExplainedTable,
    Pace,
    Player,
    all_games,
    faults_of_reasons,
    press_checked,
    presses_per_word,
    recorded,
)
from tests.sampling import sample
from tools.bench.in_process_table import InProcessTable

REFLEXES, CHATTER = PACES[1:3]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("pace", PACES, ids=lambda pace: pace.name)
def test_recordings_end_as_recorded_with_few_presses_and_gains_that_add_up(
    pace: Pace, layout: Layout
) -> None:
    # Whole games, which take most of the time, at each pace in one of the layouts.
    is_whole = PACES.index(pace) % 2 == list(Layout).index(layout)
    games = [
        *sample(recorded(HANDS), 3),
        *sample(all_games(), int(is_whole), turn=PACES.index(pace)),
    ]
    pressed = [press_checked(game, layout, pace) for game in games]
    assert [each.pressed.problem for each in pressed] == [""] * len(games)
    assert [fault for each in pressed for fault in each.unexplained] == []
    assert sum(each.payments for each in pressed) >= len(games)
    # One game alone has more presses a word than all of them.
    assert pace.adds_presses or not games or presses_per_word(pressed) <= PRESSES_PER_WORD + 0.1


@pytest.mark.sampled
def test_the_reasons_of_recordings_add_up_on_every_output() -> None:
    games = [*sample(recorded(HANDS), 3), *sample(all_games(), 1)]
    assert [faults_of_reasons(game, turn) for turn, game in enumerate(games)] == [[]] * len(games)


class PayingTable:
    """A table that pays A a point for the first press, and asks A at the second."""

    def __init__(self) -> None:
        self.edges: list[PinEdge] = []
        self._presses = 0
        self.report = TableReport(state={"score": {"A": 0, "B": 0}})

    def advance(self, edges: Sequence[PinEdge], until: float) -> TableReport:
        self.edges += edges
        self._presses += bool(edges)
        verdict = "question" if self._presses == 2 else "taken"
        paid = {"A": min(self._presses, 1), "B": 0}
        self.report = TableReport(until, press=(verdict,), state={"score": paid})
        return self.report

    @property
    def presses(self) -> list[tuple[str, float, float]]:
        """The line of each press, when it went down and when it was last released."""
        found: list[tuple[str, float, float]] = []
        for time, line, level in self.edges:
            if level and found[-1][0] == line:
                found[-1] = (*found[-1][:2], time)
            elif not found or found[-1][0] != line:
                found.append((line, time, time))
        return found


def refused(pace: Pace, layout: Layout) -> list[tuple[str, float, float]]:
    """The presses of B's NO QUIERO, and of A whom the table pays for it."""
    table = PayingTable()
    player = Player(table, layout, seed=1, pace=pace)
    player.say(Step(Side.B, Action.NO_QUIERO), first_trick=True)
    player.press("A.tantos")
    return table.presses


@pytest.mark.parametrize(("layout", "no"), [("full", "no_quiero"), ("compact", "quiero")])
def test_a_reflex_follows_a_payment_of_the_table_and_is_not_meant(layout: str, no: str) -> None:
    names = [name for name, _, _ in refused(REFLEXES, Layout(layout))]
    refusal = "undo" if layout == "compact" else f"A.{no}"
    assert names == [f"B.{no}", "A.tantos", refusal, "A.tantos"]
    (_, _, paid), (_, reflex, _), (_, asked, answered), _ = refused(REFLEXES, Layout(layout))
    assert reflex - paid == pytest.approx(REFLEX, abs=BOUNCE)
    assert answered - asked == pytest.approx(REFLEXES.tap, abs=BOUNCE)


@pytest.mark.parametrize("pace", PACES[:3], ids=lambda pace: pace.name)
def test_tantos_is_meant_eight_seconds_after_a_payment(pace: Pace) -> None:
    (_, _, paid), *_, (_, tantos, _) = refused(pace, Layout.FULL)
    assert tantos - paid == pytest.approx(AFTER_PAYMENT, abs=BOUNCE)


def test_a_chattering_contact_opens_within_the_press_and_not_for_long() -> None:
    table = PayingTable()
    player = Player(table, "full", seed=1, pace=CHATTER)
    counts = set()
    for turn in range(300):
        table.edges.clear()
        player.press("AB"[turn % 2] + ".truco")
        edges = table.edges
        # Less a microsecond: sums of seconds are rounded.
        down, up = edges[0].time, edges[0].time + CHATTER.tap - 1e-6
        inside = [edge for edge in edges if down + BOUNCE < edge.time < up]
        for opened, closed in zip(inside[::2], inside[1::2], strict=True):
            assert (opened.level, closed.level) == (1, 0)
            assert OPEN[0] <= closed.time - opened.time <= OPEN[1]
        for closed, opened in pairwise(inside[1:]):
            assert closed.level or opened.time - closed.time >= CLOSED
        counts.add(len(inside) // 2)
    assert counts == {1, 2, 3}


class UnexplainedTable(InProcessTable):
    """A table whose panel shows no gain."""

    @property
    def view(self) -> View:
        return super().view._replace(gains=())


@pytest.mark.parametrize(("table", "faults"), [(InProcessTable, 0), (UnexplainedTable, 1)])
def test_a_payment_that_the_panel_does_not_explain_is_found(
    table: type[InProcessTable], faults: int, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        shown = ExplainedTable(table(header_of([("Variant", "argentine")]), tmp_path, stack))
        Player(shown, "full", seed=1).press("A.tantos")
    assert (shown.payments, len(shown.unexplained)) == (1, faults)
