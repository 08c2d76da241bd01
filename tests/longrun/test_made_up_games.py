"""Made-up games are played by the rules, with the frequencies of the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from scorer.rules import History, header_of, parse_step, state_document, variant_ids
from tests.longrun.made_up_games import (
    FOLDER,
    FREQUENCIES,
    SEEDS,
    Moment,
    Word,
    kept,
    moment_of,
    next_step,
    sheet_of,
    word_of,
)
from tests.longrun.recorded_games import header

SHEETS = sorted(FOLDER.glob("*.truco"))
ENOUGH = 100  # words at a moment, so that shares can be compared


def test_every_truco_has_its_games() -> None:
    names = [f"{name}-{seed + 1}" for name in variant_ids() for seed in range(SEEDS[name])]
    assert [path.stem for path in SHEETS] == sorted(names)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_game_is_played_by_the_rules_to_its_end(path: Path) -> None:
    (game,) = kept(path.stem.rpartition("-")[0])[int(path.stem[-1]) - 1 :][:1]
    history = History(header(game).game())
    for side, action in game["steps"]:
        assert history.play(parse_step(f"{side} {action}", history.game.rules)) is None
    document = state_document(history.game)
    assert {key: document[key] for key in ("score", "winner")} == game["expect"]
    assert game["expect"]["winner"]


def test_equal_seeds_make_equal_games_and_others_do_not() -> None:
    assert sheet_of("gaucho", 7) == sheet_of("gaucho", 7)
    assert sheet_of("gaucho", 7).splitlines()[3:] != sheet_of("gaucho", 8).splitlines()[3:]


@pytest.mark.sampled(0)
def test_words_are_as_frequent_as_the_table_says() -> None:
    said = defaultdict[Moment, Counter[Word]](Counter)
    chance = Random("frequencies")
    for _ in range(60):
        history = History(header_of([("Variant", "gaucho")]).game())
        while history.game.winner is None:
            step = next_step(history.game, chance)
            word = word_of(history.game, step)
            if word is not None:
                said[moment_of(history.game)][word] += 1
            assert history.play(step) is None
    compared = {each for each in Moment if said[each].total() > ENOUGH}
    assert compared >= {Moment.FIRST_SILENT, Moment.SILENT, Moment.ASKED_TRUCO, Moment.ASKED_ENVIDO}
    for moment in compared - {Moment.OTHER, Moment.ASKED_TRUCO}:
        for word, share in FREQUENCIES[moment].items():
            number, likely = said[moment].total(), share / 1000
            deviation = sqrt(likely * (1 - likely) / number)
            told = said[moment][word] / number
            assert told == pytest.approx(likely, abs=4 * deviation), (moment, word)
