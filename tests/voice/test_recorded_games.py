"""What is said over games that people played agrees with the panel of that moment."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from scorer.i18n import translator
from scorer.phrases import calling, gains
from scorer.phrases.scene import Scene
from scorer.rules import Action, History
from scorer.session.record import Record, append_press, new_record
from scorer.session.view.build_view import view_of_game
from scorer.session.view.view import CallFamily, GainView, Screen
from scorer.voice.schedule import MAX_DELAY, Phrase, Schedule
from scorer.voice.sound import SpokenSound
from scorer.voice.spoken_text import as_spoken, spoken_say
from scorer.voice.synthesiser import Synthesiser
from tests.longrun import recorded_games
from tests.sampling import sample
from tests.voice.spoken_games import NAMES, peak, said

HAS_GAMES = recorded_games.GAMES.exists()
LANGUAGES = ("es-AR", "es-VE", "pt-BR", "ca", "en")
PAUSE = 2.0  # seconds between presses: what a lively table needs
QUIET, CLIPPED = 0.3, 0.95  # of the largest sample

pytestmark = pytest.mark.skipif(not HAS_GAMES, reason="needs the games of ../shared/data")


@cache
def games() -> list[Mapping[str, Any]]:
    return recorded_games.recorded() if HAS_GAMES else []


def presses(game: Mapping[str, Any]) -> list[Record]:
    """The game after each press."""
    record, found = new_record(recorded_games.header(game).game()), list[Record]()
    for step in recorded_games._steps(game, History(record.start)):
        after = append_press(record, (step,))
        assert isinstance(after, Record)
        record = after
        found.append(record)
    return found


def panel(record: Record, language: str) -> tuple[str, ...]:
    """The panel's texts that are said of the moment: call, newest payment, score, winner."""
    view = view_of_game(record.game, NAMES)
    best = max(range(len(view.sides)), key=lambda at: (at == view.winner, view.sides[at].score))
    scene = Scene(view, translator(language), (best, 1 - best), is_neutral=True)
    shown: list[str] = []
    call = view.call
    if call is not None and call.family not in (CallFamily.MAO, CallFamily.SINGING):
        if view.screen is Screen.WINNER:
            shown.append(calling.winner_question_wordings(scene, call)[0])
        else:
            shown += [call.word, *({scene.points(n) for n in call.quiero.points} - {"0"})]
    if record.past[-1].step.action in (Action.NEW_HAND, Action.FIRST_TRICK_DONE):
        return tuple(shown)
    if view.gains and not view.next_hand:
        shown += [reason(scene, gain) for gain in view.gains[-1:]]
    if view.winner is not None:
        shown += [scene.name(view.winner), *(str(side.score) for side in view.sides)]
    elif view.gains:
        shown += [
            *(each for at in scene.order for each in scene.spoken_wordings(at)[:1]),
            *(scene.score_wordings()[:1] if view.half is None else ()),
        ]
    return tuple(shown)


def reason(scene: Scene, gain: GainView) -> str:
    """The reason as the panel has it; of a refused call its word, which the voice conjugates."""
    is_refused = gain.why in ("truco_refused", "envido_refused")
    return gain.word if is_refused else gains.reason_text(scene.say, gain.why, gain.word)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at", range(len(games())))
def test_the_text_agrees_with_the_panel(at: int, language: str) -> None:
    say = spoken_say(language)
    for record in presses(games()[at]):
        text = said(record, language)
        for shown in panel(record, language):
            # A figure of the panel is a word here: of points in a price, alone in a score.
            words = {as_spoken(shown, language), as_spoken(spelled(shown, say), language)}
            assert any(each in text for each in words), (shown, text)


def spelled(shown: str, say: Any) -> str:  # noqa: ANN401 - the type of ``spoken_say``
    """The text with its first figure as in "six malas"."""
    return " ".join(say(f"number.{word}.f") if word.isdigit() else word for word in shown.split())


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
@pytest.mark.sampled
@pytest.mark.parametrize("language", sample(LANGUAGES, 1))
def test_a_whole_game_is_audible_and_nothing_overlaps(language: str) -> None:
    texts = [said(record, language) for record in presses(games()[0])]
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
