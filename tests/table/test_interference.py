"""Presses that are close together: slaps, chords, all buttons at once, mashing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorer.demo.buttons import PinEdge
from tests.sampling import amount, sample
from tests.support.state_documents import lasting
from tests.table.table_process import ALL_BUTTONS, TableDriver, running_table, table_on

COMPACT = tuple(
    line for line in ALL_BUTTONS if line.rpartition(".")[2] not in ("flor", "no_quiero", "menu")
)
EDGES = 2000


@pytest.mark.parametrize("apart", [0.001, 0.05, 0.45, 0.6, 0.75])
def test_both_teams_truco_within_0_8_seconds_is_one_truco(apart: float, tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("B.truco", "A.truco", apart_s=apart)
        assert told.report.press == ("taken", "guarded")
        assert told.state["pending"]["call"] == "truco"
        assert told.state["pending"]["by"] == "B"
        assert "a la vez: Ellos primero" in told.text


def test_truco_of_the_others_after_that_is_the_raise(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("B.truco", "A.truco", apart_s=0.9)
        assert told.report.press == ("taken", "taken")
        assert (told.state["pending"]["call"], told.state["pending"]["by"]) == ("retruco", "A")


@pytest.mark.parametrize("apart", [0.0, 0.1, 0.29])
def test_both_tantos_within_three_tenths_ask(apart: float, tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.tantos", "B.tantos", apart_s=apart)
        assert told.report.press == ("question",)
        assert "¿pardas las tres?" in told.text
        assert told.score == {"A": 0, "B": 0}


@pytest.mark.parametrize("apart", [0.35, 0.6, 2.0])
def test_the_second_tantos_after_that_asks_and_the_first_counts(
    apart: float, tmp_path: Path
) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.tantos", "B.tantos", apart_s=apart, duration_s=3.0)
        assert told.report.press == ("taken", "question")
        assert told.score == {"A": 1, "B": 0}


@pytest.mark.parametrize("apart", [0.16, 0.3, 1.0, 2.5])
def test_two_partners_who_slap_the_same_tantos_score_once(apart: float, tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.envido")
        told.press("B.quiero")
        told.press("A.tantos", "A.tantos", apart_s=apart, held_s=0.1)
        assert told.score == {"A": 2, "B": 0}
        assert told.state["phase"] == "playing"
        assert told.report.press[0] == "taken"


def test_every_button_in_turn_counts_once_and_leaning_on_them_says_nothing(
    tmp_path: Path,
) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.hold(*ALL_BUTTONS, duration_s=5.0, apart_s=0.01)
        assert len(told.report.press) <= len(ALL_BUTTONS)
        assert told.report.press.count("taken") >= 1
        held = lasting(told.state)
        assert max(held["score"].values()) <= 2, "no more than one call of one hand"
        told.wait(100.0)
        assert (lasting(told.state), told.report.press) == (held, ())
        told.power_cut()
        assert lasting(told.state) == held
        told.wait(5.0)
        assert (lasting(told.state), told.report.press) == (held, ())
        told.release()
        assert (lasting(told.state), told.report.press) == (held, ())


def test_a_dip_on_all_lines_plays_nothing_and_is_named_if_it_repeats(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.envido")
        before = told.state
        console = tuple(line for line in ALL_BUTTONS if line.startswith("B."))
        for lines, lasts in ((ALL_BUTTONS, 0.009), (console, 0.010), (ALL_BUTTONS, 0.020)):
            falls = [PinEdge(told.now + at * 1.5e-5, line, 0) for at, line in enumerate(lines)]
            rises = [PinEdge(edge.time + lasts, edge.line, 1) for edge in falls]
            told.apply_edges([*falls, *rises], 5.0)
            assert (told.state, told.report.press) == (before, ())
        for _ in range(7):
            told.press("menu")
        assert told.report.screen == "status"
        assert "interferencia" in told.text


def test_a_button_down_at_power_on_is_shown_as_stuck(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.hold("B.envido", duration_s=1.0)
        told.power_cut()
        for _ in range(7):
            told.press("menu")
        assert told.report.screen == "status"
        assert "botón trabado" in told.text
        told.release()
        assert "botón trabado" not in told.text


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("variant", "options", "layout"),
    sample(
        [
            ("argentine_flor", "target=15 best_of=3", "full"),
            ("paulista", "target=12", "compact"),
            ("mineiro", "", "full"),
        ],
        1,
    ),
)
def test_mashed_keys_raise_nothing_and_everything_that_was_shown_is_stored(
    variant: str, options: str, layout: str, tmp_path: Path
) -> None:
    with running_table(table_on(tmp_path, variant, options, layout)) as told:
        _mash(told, ALL_BUTTONS if layout == "full" else COMPACT, Random(variant))
        told.release()
        told.wait(4.0)
        shown = told.state
        assert told.report.seq > 20, "some of it was a game"
        told.power_cut()
        assert told.state == shown


def _mash(told: TableDriver, lines: tuple[str, ...], chance: Random) -> None:
    newest = 0
    for _ in range(amount(15, EDGES // 20)):
        edges: list[PinEdge] = []
        at = told.now
        for _ in range(20):
            at += chance.choice((0.0, 0.001, 0.006, 0.02, 0.1, 0.4, 0.9))
            line = chance.choice(lines)
            told.down ^= {line}
            edges.append(PinEdge(at, line, 0 if line in told.down else 1))
        told.apply_edges(edges, at - told.now + chance.choice((0.0, 0.3, 4.5)))
        assert told.report.seq >= newest
        newest = told.report.seq
