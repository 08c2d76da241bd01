"""Recorded games, pressed on bouncing pins of table processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.session.settings import Layout
from tests.longrun.recorded_games import (
    GAMES,
    HANDS,
    LAYOUTS,
    PRESSES_PER_WORD,
    play,
    press_hand,
    recorded,
)
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
@pytest.mark.parametrize("layout", LAYOUTS)
def test_recorded_hands_end_as_recorded_with_few_presses_and_reasons_that_add_up(
    layout: str,
) -> None:
    chosen = enumerate(sample(recorded(HANDS), 3))
    hands = [press_hand(hand, turn, Layout(layout)) for turn, hand in chosen]
    assert [fault for hand in hands for fault in hand.faults] == []
    presses, words = sum(hand.presses for hand in hands), sum(hand.words for hand in hands)
    assert presses <= PRESSES_PER_WORD * words
