"""Recorded games, pressed on bouncing pins of table processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.longrun.recorded_games import GAMES, HANDS, LAYOUTS, faults_of_hand, play, recorded
from tests.sampling import sample

# Presses per hand beyond the calls: entering who won, and tapping ENVIDO twice for a real envido.
BEYOND_THE_WORDS = 0.8


@pytest.mark.skipif(not GAMES.exists(), reason="the recorded games of ../shared/data are not here")
@pytest.mark.sampled
@pytest.mark.parametrize("layout", LAYOUTS)
def test_recorded_games_end_as_recorded_with_few_presses_beyond_the_calls(
    layout: str, tmp_path: Path
) -> None:
    chosen = sample(recorded(), 2)
    games = [play(game, layout, str(tmp_path / game["id"])) for game in chosen]
    assert [game.problem for game in games] == [""] * len(games)
    hands = sum(game.hands for game in games)
    words = sum(game.words for game in games)
    assert sum(game.presses for game in games) <= words + BEYOND_THE_WORDS * hands


@pytest.mark.skipif(not HANDS.exists(), reason="the recorded hands of ../shared/data are not here")
@pytest.mark.sampled
def test_the_reasons_of_recorded_hands_add_up() -> None:
    chosen = enumerate(sample(recorded(HANDS), 40))
    assert [found for turn, hand in chosen for found in faults_of_hand(hand, turn)] == []
