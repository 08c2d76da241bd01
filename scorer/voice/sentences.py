"""What is said of a step: call and price, answer, payment, score, result.

Calls, prices, answers, reasons and names are the panel's texts. Score, start, refusal and end have
sentences of their own (``voice.*``), as players say them: a panel shows these as figures at a
place, which a listener does not see. The sides are named as on a television; a score begins with
the leader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scorer.i18n import Say
from scorer.phrases import calling, history, mao, outcome, questions, state_line
from scorer.phrases.scene import GAME, Scene
from scorer.rules import Action, Game
from scorer.session.values.record import Record, RecordedStep
from scorer.session.values.settings import LAMPS
from scorer.session.values.shown import Screen, SeriesGame
from scorer.session.view.build_view import view_of_game
from scorer.session.view.history import step_lines
from scorer.session.view.view import (
    CallFamily,
    CallView,
    NextHandView,
    QuestionView,
    SpecialKind,
    View,
    WorthView,
)
from scorer.voice.payments import gain_text, gain_texts, gains_of
from scorer.voice.scores import (
    ahead_text,
    duel_score,
    half_reached,
    one_away,
    score_text,
    series_text,
    to_text,
)
from scorer.voice.spoken_text import as_spoken, spoken_say

_SILENT = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
_ENDINGS = (Action.CONCEDE, Action.TIME)  # said with the result
_ON_RESULT = (Action.AGREE, Action.CONTEST)  # of a match, which was said before
_ANSWERS = (
    Action.QUIERO,
    Action.NO_QUIERO,
    Action.NO_FLOR,
    Action.ME_ACHICO,
    Action.MAO_PLAY,
    Action.NO_PRIVO,
)
_PRICED = (Action.QUIERO, Action.MAO_PLAY)  # answers after which the hand has its price


class TableInfo(NamedTuple):
    """What a game alone does not hold, as the table has it now."""

    names: tuple[str, ...] = ()
    lamps: tuple[str, ...] = LAMPS
    next_game: SeriesGame | None = None  # the offered rematch


class Speech:
    """The sentences of one language."""

    def __init__(self, language: str) -> None:
        self._language, self._say = language, spoken_say(language)

    def of_start(self, game: Game, table: TableInfo) -> str:
        """A new game: its place in a series, its score and the mano."""
        return self._join(_start_parts(_scene(game, table, self._say)))

    def of_press(self, record: Record, table: TableInfo) -> str:
        """The newest press, with its steps that stand; "" if there is nothing to say."""
        scene, newest = _scene(record.game, table, self._say), record.newest_steps
        is_correction = all(done.step.action is Action.CORRECT for done in newest)
        if record.is_corrected or is_correction:
            return self._join(_corrected_parts(scene, record.game))
        return self._join(_press_parts(scene, record.game, newest))

    def of_undo(self, game: Game, table: TableInfo, *, is_redo: bool) -> str:
        """An undo or a redo, and where the game stands after it."""
        scene = _scene(game, table, self._say)
        done = self._say("voice.redone" if is_redo else "voice.undone")
        first, *rest = _standing_parts(scene, game)
        return self._join([f"{done}: {first}", *rest])

    def of_question(self, game: Game, question: QuestionView, table: TableInfo) -> str:
        """A question of the box, and both answers with what they pay; "" if it is unknown."""
        scene = _scene(game, table, self._say)
        parts = _question_parts(scene, question)
        # A newer table may ask another question.
        is_known = parts[0] != f"question.{question.key}"
        return self._join([*parts, *_answer_texts(scene, question)]) if is_known else ""

    def _join(self, parts: Iterable[str]) -> str:
        ends = ".!?…"
        texts = (part if part[-1] in ends else f"{part}." for part in parts if part)
        return as_spoken(" ".join(texts), self._language)


def _scene(game: Game, table: TableInfo, say: Say) -> Scene:
    offered = None if game.winner is None else table.next_game
    view = view_of_game(game, table.names)
    view = view._replace(lamps=table.lamps, next_game=offered or view.next_game)
    return Scene(view, say, leading_order(view), is_neutral=True)


def leading_order(view: View) -> tuple[int, ...]:
    """The sides from the first to the last; the winner of the game is the first."""
    sign = 1 if view.counts_down else -1
    each = range(len(view.sides))
    return tuple(sorted(each, key=lambda at: (at != view.winner, sign * view.sides[at].score)))


# --- moments -------------------------------------------------------------------------------------


def _start_parts(scene: Scene) -> Iterator[str]:
    view = scene.view
    if view.series_game is not None:
        yield scene.say(f"notice.{view.series_game}")
    elif any(side.games for side in view.sides):
        yield series_text(scene)
    if scene.has_three:
        yield state_line.standing_words(scene)[0]
        return
    score, mano = score_text(scene), _mano_text(scene)
    is_level = len({side.score for side in view.sides}) == 1
    yield from (f"{score}, {mano}",) if is_level and mano else (score, mano)
    yield _special_title(scene)
    yield _duel_title(scene)
    if view.call is not None:
        yield from _call_parts(scene, view.call)
    elif not view.special:
        yield from one_away(scene)


def _mano_text(scene: Scene) -> str:
    """The mano; "" where another side has to be named: who decides, or who duels."""
    if scene.view.call is not None or _duel_title(scene):
        return ""
    at = next((at for at in scene.order if scene.view.sides[at].mano), None)
    return "" if at is None else _of_side(scene, "voice.mano", at)


def _press_parts(scene: Scene, game: Game, steps: tuple[RecordedStep, ...]) -> Iterator[str]:
    view, first = scene.view, steps[0].before
    if first.winner is not None and steps[0].step.action is Action.NEW_HAND:
        # Corrections that begin a game after the time of its match are its start.
        yield from _start_parts(scene)
        return
    if steps[-1].step.action in _ON_RESULT:
        # A side agrees to the result of a match, or contests it.
        agreed = steps[-1].step
        at = [side.key for side in view.sides].index(str(agreed.side))
        yield _of_side(scene, f"voice.{agreed.action}", at)
        return
    if steps[-1].step.action is Action.MANO:
        at = next(at for at, side in enumerate(view.sides) if side.mano)
        yield _of_side(scene, "voice.mano", at)
        return
    paid = gains_of(game)
    yield from _shown_step(scene, game, steps[-1], is_paid=bool(paid))
    yield from gain_texts(scene, paid, steps[-1].step.action)
    if view.winner is not None:
        yield from _result_parts(scene, game)
        return
    if paid:
        yield from duel_score(scene)
    if len(first.hand.duels) != len(game.hand.duels):
        yield _duel_title(scene)
    if paid and first.score != game.score:
        yield from half_reached(scene, first)
        yield score_text(scene)
        if view.next_hand is None or not view.next_hand.special:
            yield from one_away(scene)
    if view.next_hand is not None and view.next_hand.special:
        yield from _special_parts(scene, view.next_hand)
    if view.call is not None:
        yield from _call_parts(scene, view.call)


def _corrected_parts(scene: Scene, game: Game) -> Iterator[str]:
    """A correction in one sentence: the score that it leads to, or the result."""
    if scene.view.winner is not None:
        yield scene.say("why.correct")
        yield from _result_parts(scene, game)
        return
    score = ahead_text(scene, tuple(side.score for side in scene.view.sides))
    yield f"{scene.say('why.correct')}: {score}"
    yield from duel_score(scene)


def _standing_parts(scene: Scene, game: Game) -> list[str]:
    """Where a game stands: its result, the call that waits, or the score."""
    if scene.view.winner is not None:
        return [*_result_parts(scene, game)]
    if scene.view.call is not None:
        return [*_call_parts(scene, scene.view.call)]
    return [score_text(scene), *duel_score(scene), _duel_title(scene)]


def _result_parts(scene: Scene, game: Game) -> Iterator[str]:
    """The end, the winner, the score, the series and the offered game."""
    view = scene.view
    if view.ended:
        yield _end_text(scene)
    if scene.has_three:
        yield outcome.winner_words(scene)[0]
    else:
        scores = tuple(view.sides[at].score for at in scene.order)
        yield _of_side(scene, "voice.won", scene.order[0], score=to_text(scene, *scores))
        if game.rules.variant.special is not None and not scores[1]:
            yield scene.say("voice.shutout")
    if view.best_of > 1:
        yield (*outcome.series_won_words(scene), series_text(scene))[0]
    if view.next_game is not None or view.screen is Screen.GAME_OVER:
        yield outcome.continue_words(scene)[0]


def _end_text(scene: Scene) -> str:
    """How a game ended if not by points; of three players only the winner is named."""
    if scene.view.ended == Action.TIME:
        return scene.say("voice.time")
    if scene.has_three:
        return scene.say("game.concede")
    return _of_side(scene, "voice.concede", scene.order[1])


# --- steps, calls, questions ----------------------------------------------------------------------


def _shown_step(scene: Scene, game: Game, done: RecordedStep, *, is_paid: bool) -> Iterator[str]:
    """The newest step, unless the call, the payment or the result after it says it."""
    view, action = scene.view, done.step.action
    if action is Action.NEW_HAND:
        yield _special_title(scene)
    if action in _SILENT or action in _ENDINGS:
        return
    line = step_lines(done, game)[0]
    if not is_paid and (view.call is None or action in _ANSWERS):
        yield line.word or history.action_text(scene.say, line.key)
    if game.hand.over and not view.gains and view.winner is None:
        yield scene.say("voice.none")
    elif action in _PRICED and not is_paid and view.call is None:
        yield scene.stake(view.stake)


def _special_title(scene: Scene) -> str:
    """The name of a special hand in play; "" while a side decides on it."""
    is_played = scene.view.special and scene.view.call is None
    return state_line.special_title(scene)[0] if is_played else ""


def _duel_title(scene: Scene) -> str:
    """The duel that is played and its seats; "" outside a pica hand."""
    view = scene.view
    if view.duel is None or not view.duel_points:
        return ""
    return state_line.duel_title_words(scene, view.duel)[0]


def _special_parts(scene: Scene, hand: NextHandView) -> Iterator[str]:
    """The special hand that comes next, and who decides it."""
    if hand.call is not None:
        yield from _call_parts(scene, hand.call)
    elif hand.special is SpecialKind.MAO:
        yield from _mao_parts(scene)
    else:
        yield outcome.next_hand_words(scene, hand)[0]


def _mao_parts(scene: Scene) -> Iterator[str]:
    """A mão de onze, and the side that decides on it."""
    terms = mao.mao_terms(scene)
    yield mao.mao_title_words(scene, terms)[0]
    yield _of_side(scene, "voice.decides", terms.decider)


def _call_parts(scene: Scene, call: CallView) -> Iterator[str]:
    if scene.view.screen is Screen.WINNER:
        yield calling.winner_question_wordings(scene, call)[0]
    elif call.family is CallFamily.SINGING:
        yield _of_side(scene, "voice.singing", call.by)
        yield calling.asks_words(scene, call)[0]
    elif call.family is CallFamily.MAO:
        yield from _mao_parts(scene)
    else:
        raises = [rung.word for rung in scene.view.ladder[2:]]  # after plain hand and first call
        has_quiero = scene.view.accept == scene.say("action.quiero")
        # Answers a truco with quiero: "¡quiero retruco!".
        is_raise = has_quiero and call.word in raises and GAME not in call.quiero.points
        yield scene.say("voice.raise" if is_raise else "web.shout", word=call.word)
        price = price_text(scene, call.quiero)
        # The words of some calls are their price: "seis", "vale cuatro".
        yield "" if price and price.split()[-1] in call.word.split() else price


def price_text(scene: Scene, worth: WorthView) -> str:
    """What an accepted call is worth: "vale dos", "vale veinte o doce", ""."""
    points = tuple(dict.fromkeys(worth.points))
    if GAME in points:
        return scene.say("stake.game")
    if len(points) == 1:
        return scene.stake(points[0]) if points[0] else ""
    either, *others = (scene.say(f"number.{one}.points") for one in points)
    for other in others:
        joint = "voice.or.o" if other.startswith("o") else "voice.or"
        either = f"{either} {scene.say(joint)} {other}"
    return scene.say("stake.points", points=either)


def _question_parts(scene: Scene, question: QuestionView) -> list[str]:
    """The question, with what a panel shows as figures in words."""
    if question.key == "day":
        return [score_text(scene), scene.say("voice.day")]
    if question.key in questions.UNDO_QUESTIONS and question.yes_points is not None:
        side, points = question.yes_points
        gain = gain_text(scene, "", points, side)
        key = f"question.{question.key}.gain"
        return [scene.say(key, number=question.number, gain=gain)]
    word = _priced_text(scene, question.word)
    return [questions.question_words(scene, question._replace(word=word))[0]]


def _priced_text(scene: Scene, word: str) -> str:
    """ "real envido 5/2", with both its prices: "real envido, vale cinco"."""
    name, _, prices = word.rpartition(" ")
    accepted, slash, _ = prices.partition("/")
    if not slash:
        return word
    points = tuple(int(each) if each.isdigit() else GAME for each in accepted.split("-"))
    return f"{name}, {price_text(scene, WorthView(points, None))}"


def _answer_texts(scene: Scene, question: QuestionView) -> Iterator[str]:
    """ "quiero, en la primera: dos para Los Pibes" and its other answer."""
    buttons = calling.answer_buttons(scene._replace(view=scene.view._replace(question=question)))
    paid = (question.yes_points, question.no_points)
    options = questions.answer_options(scene, question)
    for button, option, gain in zip(buttons, options, paid, strict=True):
        answer = f"{button}, {option.meaning}"
        # The points of an undo are in the question.
        paid_to = gain if option.pays else None
        yield answer if paid_to is None else gain_text(scene, answer, paid_to[1], paid_to[0])


def _of_side(scene: Scene, key: str, side: int, **fields: object) -> str:
    """A sentence whose verb agrees with the name of the side."""
    many = ".many" if outcome.is_plural_name(scene, side) else ""
    return scene.say(f"{key}{many}", side=scene.name(side), **fields)
