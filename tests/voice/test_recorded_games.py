"""What is said over whole games agrees with the panel of that moment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

from scorer.rules import History
from scorer.session.values.record import Record, append_press, new_record
from tests.longrun import recorded_games
from tests.sampling import sample
from tests.voice.panel_texts import added, missing
from tests.voice.spoken_games import NAMES, said

LANGUAGES = ("es-AR", "es-VE", "pt-BR", "ca", "en")


@cache
def games() -> list[Mapping[str, Any]]:
    return recorded_games.all_games("gaucho")


@cache
def presses(at: int) -> list[Record]:
    """A game after each press."""
    game = games()[at]
    record, found = new_record(recorded_games.header(game).game()), list[Record]()
    for step in recorded_games._steps(game, History(record.start)):
        after = append_press(record, (step,))
        assert isinstance(after, Record)
        record = after
        found.append(record)
    return found


CASES = sample(product(range(len(games())), LANGUAGES), 2, by=lambda case: case[1])


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("at", "language"), CASES)
def test_the_text_agrees_with_the_panel(at: int, language: str) -> None:
    for record in presses(at):
        text = said(record, language)
        assert not missing(text, record, language, NAMES), text
        assert not added(text, record, language, NAMES), text
