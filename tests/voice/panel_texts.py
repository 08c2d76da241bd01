"""Texts of the panels at a moment, for comparison with the spoken text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorer.i18n import Say, sentences, translator
from scorer.phrases import calling, gains, history, mao, outcome, singing, state_line
from scorer.phrases.scene import GAME, Scene
from scorer.rules import Action
from scorer.session.values.record import Record
from scorer.session.values.shown import Screen
from scorer.session.view.build_view import view_of_game
from scorer.session.view.gains import paid_call
from scorer.session.view.history import step_lines
from scorer.session.view.view import CallFamily, CallView, View
from scorer.voice.sentences import leading_order
from scorer.voice.spoken_text import as_spoken, spoken_say

_DEALING = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
_OWN_TITLE = (CallFamily.MAO, CallFamily.SINGING)  # calls without a shouted word
_FORMS = ("", ".f", ".points")


def missing(text: str, record: Record, language: str, names: tuple[str, ...]) -> list[str]:
    """The texts of the panel that are not in ``text``."""
    say = spoken_say(language)
    found = []
    for shown in _facts(record, language, names):
        # A figure of the panel is a word here: of points in a price, alone in a score.
        forms = {say("voice.nil")} if shown == "0" else {_spelled(shown, say, f) for f in _FORMS}
        if not any(as_spoken(each, language) in text for each in (shown, *forms)):
            found.append(shown)
    return found


def _spelled(shown: str, say: Say, form: str) -> str:
    """The text with its figures as words, as in "six malas"."""
    words = shown.split()
    return " ".join(say(f"number.{word}{form}") if word.isdigit() else word for word in words)


def added(text: str, record: Record, language: str, names: tuple[str, ...]) -> set[str]:
    """The words of ``text`` that neither panel nor spoken sentences have."""
    say = spoken_say(language)
    view = view_of_game(record.game, names)
    scene = Scene(view, say, leading_order(view), is_neutral=True)
    spoken = (re.sub(r"{\w+}", "", text) for text in sentences(language, "voice.").values())
    numbers = (say(f"number.{number}{form}") for number in _numbers(record) for form in _FORMS)
    shown = (as_spoken(each, language) for each in (*_texts(scene, record), *names))
    return _words(text) - _words(" ".join((*spoken, *numbers, *shown)).lower())


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _facts(record: Record, language: str, names: tuple[str, ...]) -> Iterator[str]:
    """Call, newest payment, score and winner."""
    view = view_of_game(record.game, names)
    scene = Scene(view, translator(language), leading_order(view), is_neutral=True)
    call = view.call
    if call is not None and call.family not in _OWN_TITLE:
        if view.screen is Screen.WINNER:
            yield calling.winner_question_wordings(scene, call)[0]
        else:
            yield call.word
            points = set(call.quiero.points) - {0}
            yield from map(scene.points, points & {GAME} or points)
    if record.past[-1].step.action in _DEALING:
        return
    paid = [credit for credit in record.game.last_credits if credit.points]
    if len(paid) == 1:
        yield from (str(abs(paid[0].points)), scene.name(_index(view, paid[0].to)))
    if view.winner is not None:
        yield from (scene.name(view.winner), *map(str, _scores(view)))
    elif record.game.last_credits and record.past[-1].before.score != record.game.score:
        for at in scene.order:
            yield (*scene.spoken_wordings(at), str(view.sides[at].score))[0]


def _index(view: View, side: str) -> int:
    return [each.key for each in view.sides].index(side)


def _scores(view: View) -> tuple[int, ...]:
    return tuple(side.score for side in view.sides) if len(view.sides) == 2 else ()


def _texts(scene: Scene, record: Record) -> Iterator[str]:
    """All texts of the panel that a phrase may be made of."""
    view, done = scene.view, record.past[-1]
    for at in (*scene.order, len(scene.order)):
        yield scene.name(at)
    for at in scene.order:
        yield from scene.spoken_wordings(at)
        yield scene.say("notice.half", side=scene.name(at))
    yield from state_line.one_away_words(scene)
    yield from state_line.standing_words(scene)
    yield scene.stake(view.stake)
    for credit in record.game.last_credits:
        yield gains.reason_text(scene.say, credit.why, paid_call(record.game, credit))
    line = step_lines(done, record.game)[0]
    yield line.word or history.action_text(scene.say, line.key)
    yield outcome.continue_words(scene)[0]
    yield from outcome.series_title_words(scene)
    yield from outcome.series_won_words(scene)
    if view.winner is not None:
        yield outcome.winner_words(scene)[0]
    if view.ended:
        yield scene.say("game.concede")
    if view.special:
        yield from state_line.special_title(scene)
    if view.next_hand is not None:
        yield from outcome.next_hand_words(scene, view.next_hand)
        if view.next_hand.call is not None:
            yield from singing.ask_words(scene, view.next_hand.call)
    if view.call is not None:
        yield from _call_texts(scene, view.call)


def _call_texts(scene: Scene, call: CallView) -> Iterator[str]:
    yield calling.call_title(scene, call)
    yield from calling.asks_words(scene, call)
    yield scene.stake(call.quiero.points[0])
    if call.family is CallFamily.MAO:
        yield from mao.mao_title_words(scene, mao.mao_terms(scene))
    if scene.view.screen is Screen.WINNER:
        yield from calling.winner_question_wordings(scene, call)
    if GAME in call.quiero.points:
        yield scene.say("stake.game")


def _numbers(record: Record) -> set[int]:
    view = view_of_game(record.game, ())
    call = () if view.call is None else view.call.quiero.points
    sides = [(side.score, side.spoken, side.games) for side in view.sides]
    paid = record.game.last_credits
    totals = [sum(each.points for each in paid if each.to is to) for to, *_ in paid]
    found = (*sum(sides, ()), *(each.points for each in paid), *totals, *call, *view.duel_points)
    return {abs(number) for number in found}
