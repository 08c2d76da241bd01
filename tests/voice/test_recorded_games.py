"""What is said over whole games agrees with the panel of that moment."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest

from scorer.rules import History
from scorer.session.values.record import Record, append_press, new_record
from scorer.voice.schedule import MAX_DELAY, Phrase, Schedule
from scorer.voice.sound import SpokenSound
from scorer.voice.synthesiser import Synthesiser
from tests.longrun import recorded_games
from tests.sampling import sample
from tests.voice.panel_texts import added, missing
from tests.voice.spoken_games import NAMES, peak, said

LANGUAGES = ("es-AR", "es-VE", "pt-BR", "ca", "en")
PAUSE = 2.0  # seconds between presses: what a lively table needs
QUIET, CLIPPED = 0.3, 0.95  # of the largest sample


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


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
@pytest.mark.sampled(0)
@pytest.mark.parametrize("language", sample(LANGUAGES, 1))
def test_a_whole_game_is_audible_and_nothing_overlaps(language: str) -> None:
    texts = [said(record, language) for record in presses(0)]
    sounds = {text: synthesise(text, language) for text in sorted(set(filter(None, texts)))}
    for text, sound in sounds.items():
        assert 0.2 < sound.seconds < 0.5 + 0.12 * len(text), text
        assert QUIET < peak(sound) < CLIPPED, text
    heard = play_at_pace(texts, sounds)
    assert len(heard) > len([text for text in texts if text]) // 2
    for (_, _, end), (_, begin, _) in pairwise(heard):
        assert end <= begin
    assert all(0 <= begin - made <= MAX_DELAY for made, begin, _ in heard)


def synthesise(text: str, language: str) -> SpokenSound:
    return asyncio.run(Synthesiser().synthesise(text, language))


def play_at_pace(
    texts: list[str], sounds: Mapping[str, SpokenSound]
) -> list[tuple[float, float, float]]:
    """When each phrase heard was made, began and ended, at a press every ``PAUSE``."""
    schedule, heard, now, until = Schedule(), list[tuple[float, float, float]](), 0.0, 0.0
    for row, text in enumerate([*texts, ""], 1):
        if text:
            schedule.offer(Phrase(text, row, now))
        while True:
            moment = max(now, until)
            if moment >= now + PAUSE:
                break
            schedule.end()
            phrase = schedule.next(moment, is_silent=False)
            if phrase is None or not schedule.start(phrase, moment, is_silent=False):
                break
            until = moment + sounds[phrase.text].seconds
            heard.append((phrase.at, moment, until))
        now += PAUSE
    return heard
