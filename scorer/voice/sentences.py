"""What is said of a step: call and price, answer, payment, score, result.

Every text that the panel shows too is the panel's. The sides are named as on a television; the
score begins with the leader.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorer.i18n import Say
from scorer.phrases import calling, gains, history, outcome, state_line
from scorer.phrases.scene import GAME, Scene
from scorer.rules import Action, Game, PointsReason
from scorer.session import seating
from scorer.session.record import Record, RecordedStep
from scorer.session.settings import LAMPS
from scorer.session.view.build_view import view_of_game
from scorer.session.view.history import history_line, paid_call
from scorer.session.view.view import (
    CallFamily,
    CallView,
    GainView,
    Half,
    Screen,
    SeriesGame,
    View,
    WorthView,
)
from scorer.voice.spoken_text import as_spoken, spoken_say

_SILENT = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
_ANSWERS = (
    Action.QUIERO,
    Action.NO_QUIERO,
    Action.NO_FLOR,
    Action.ME_ACHICO,
    Action.MAO_PLAY,
    Action.NO_PRIVO,
)
_MOST_GAINS = 2  # of a press that are said with their reasons


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
        """A new game: its name in a series by rematches, its score and the mano."""
        scene = _scene(game, table, self._say)
        named = scene.view.series_game
        name = () if named is None else (self._say(f"notice.{named}"),)
        return self._join([*name, *_opening_score(scene), *state_line.standing_words(scene)[:1]])

    def of_press(self, record: Record, steps: tuple[RecordedStep, ...], table: TableInfo) -> str:
        """The newest press, with its steps that stand; "" if there is nothing to say."""
        scene = _scene(record.game, table, self._say)
        return self._join(_press_parts(scene, record.game, steps))

    def of_undo(self, game: Game, table: TableInfo, *, is_redo: bool) -> str:
        """An undo or a redo, and where the game stands after it."""
        scene = _scene(game, table, self._say)
        view = scene.view
        done = self._say("voice.redone" if is_redo else "voice.undone")
        if view.winner is not None:
            rest = [*_result_parts(scene)]
        elif view.call is not None:
            rest = [*_call_parts(scene, view.call)]
        else:
            rest = [score_text(scene), *_duel_score(scene), _duel_title(scene)]
        return self._join([f"{done}: {rest[0]}", *rest[1:]])

    def _join(self, parts: list[str] | Iterator[str]) -> str:
        ends = ".!?…"
        texts = (part if part[-1] in ends else f"{part}." for part in parts if part)
        return as_spoken(" ".join(texts), self._language)


def _scene(game: Game, table: TableInfo, say: Say) -> Scene:
    offered = None if game.winner is None else table.next_game
    view = view_of_game(game, table.names)._replace(lamps=table.lamps, next_game=offered)
    return Scene(view, say, leading_order(view), is_neutral=True)


def leading_order(view: View) -> tuple[int, ...]:
    """The sides from the first to the last; the winner of the game is the first."""
    sign = 1 if view.counts_down else -1
    each = range(len(view.sides))
    return tuple(sorted(each, key=lambda at: (at != view.winner, sign * view.sides[at].score)))


def _press_parts(scene: Scene, game: Game, steps: tuple[RecordedStep, ...]) -> Iterator[str]:
    view = scene.view
    paid = _gains_of(game, steps)
    yield from _shown_step(scene, game, steps, is_paid=bool(paid))
    yield from _gain_texts(scene, paid)
    if view.winner is not None:
        yield from _result_parts(scene)
        return
    if paid:
        yield from _duel_score(scene)
    if len(steps[0].before.hand.duels) != len(game.hand.duels):
        yield _duel_title(scene)
    if paid and steps[0].before.score != game.score:
        yield from _half_reached(scene, steps[0].before)
        yield score_text(scene)
        yield from state_line.one_away_words(scene)[:1]
    if view.next_hand is not None and view.next_hand.special:
        yield outcome.next_hand_words(scene, view.next_hand)[0]
    if view.call is not None:
        yield from _call_parts(scene, view.call)


def _shown_step(
    scene: Scene, game: Game, steps: tuple[RecordedStep, ...], *, is_paid: bool
) -> Iterator[str]:
    """The newest step, unless the call or the payment after it says it."""
    view, done = scene.view, steps[-1]
    action = done.step.action
    if action in _SILENT:
        if action is Action.NEW_HAND and view.special and view.call is None:
            yield state_line.special_title(scene)[0]
        return
    line = history_line(done, game)
    if is_paid and action is Action.ALL_TIED:
        yield scene.say("action.all_tied")
    elif not is_paid and (view.call is None or action in _ANSWERS):
        yield line.word or history.action_text(scene.say, line.key)
    if game.hand.over and not view.gains and view.winner is None:
        yield scene.say("why.none")
    elif action is Action.QUIERO and not is_paid and view.call is None:
        yield scene.stake(view.stake)


def _duel_title(scene: Scene) -> str:
    """The duel that is played and its seats; "" outside a pica hand."""
    view = scene.view
    if view.duel is None or not view.duel_points:
        return ""
    return state_line.duel_title_words(scene, view.duel)[0]


def _duel_score(scene: Scene) -> Iterator[str]:
    """The points of the duels of this hand, which the score may not contain yet."""
    points = scene.view.duel_points
    if any(points):
        yield _ahead_text(scene, points)


def _ahead_text(scene: Scene, points: tuple[int, ...]) -> str:
    """Points of two sides, the leader first and by name: "uno a cero, arriba Los Pibes"."""
    order = tuple(sorted(scene.order, key=lambda at: -points[at]))
    score = scene._replace(order=order).scores(points)
    if len(order) != 2 or len(set(points)) == 1:
        return score
    return scene.say("voice.ahead", score=score, side=scene.name(order[0]))


def _call_parts(scene: Scene, call: CallView) -> Iterator[str]:
    if scene.view.screen is Screen.WINNER:
        yield calling.winner_question_wordings(scene, call)[0]
        return
    title = calling.call_title(scene, call)
    if call.family in (CallFamily.MAO, CallFamily.SINGING):
        yield title
        yield from calling.asks_words(scene, call)[:1]
        return
    yield scene.say("web.shout", word=title)
    yield price_text(scene, call.quiero)


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


def _gains_of(game: Game, steps: tuple[RecordedStep, ...]) -> list[GainView]:
    """What the steps paid, that is not 0."""
    found: list[GainView] = []
    for after in (*(done.before for done in steps[1:]), game):
        for at, credit in seating.indexed_credits(after, after.last_credits):
            gain = GainView(at, credit.points, credit.why, paid_call(after, credit))
            if found and found[-1].why == PointsReason.FOLD_ENVIDO and found[-1].side == gain.side:
                # One sentence for one fold.
                gain = gain._replace(points=gain.points + found.pop().points)
            found.append(gain)
    return [gain for gain in found if gain.points]


def _gain_texts(scene: Scene, paid: list[GainView]) -> Iterator[str]:
    """Reason, points and side of each gain; of many, the total of each side."""
    if len(paid) > _MOST_GAINS:
        totals: dict[int, int] = {}
        for gain in paid:
            totals[gain.side] = totals.get(gain.side, 0) + gain.points
        for side, points in totals.items():
            yield scene.say("voice.side", side=scene.name(side), score=f"{points:+d}")
        return
    for gain in paid:
        why = gains.reason_text(scene.say, gain.why, gain.word)
        text = scene.say("voice.gain", why=why, points=gain.points, side=scene.name(gain.side))
        yield text.removeprefix(": ")  # a payment without a call has no reason


def _half_reached(scene: Scene, before: Game) -> Iterator[str]:
    past = view_of_game(before, ()).sides
    for at in scene.order:
        if (past[at].half, scene.view.sides[at].half) == (Half.MALAS, Half.BUENAS):
            yield scene.say("notice.half", side=scene.name(at))


def _opening_score(scene: Scene) -> Iterator[str]:
    if len(scene.order) == 2:
        yield scene.scores(tuple(side.score for side in scene.view.sides))


def score_text(scene: Scene) -> str:
    """The score, the leader first: "doce a nueve, arriba Los Pibes", "doce iguales"."""
    sides, first = scene.view.sides, scene.order[0]
    scores = {side.score for side in sides}
    if scene.has_three or (scene.view.half is not None and len(scores) > 1):
        return "; ".join(_side_score(scene, at) for at in scene.order)
    if len(scores) > 1:
        score = scene.score_wordings()[0]
        return scene.say("voice.ahead", score=score, side=scene.name(first))
    if scene.view.half is not None and sides[first].spoken:
        return scene.say("voice.level", score=scene.spoken_wordings(first)[0])
    return scene.score_wordings()[0] if scores != {0} else next(_opening_score(scene))


def _side_score(scene: Scene, at: int) -> str:
    score = scene.spoken_wordings(at) or scene.number_wordings(scene.view.sides[at].score)
    return scene.say("voice.side", side=scene.name(at), score=score[0])


def _result_parts(scene: Scene) -> Iterator[str]:
    """The winner, the score, the games of a series, and the question for another game."""
    view = scene.view
    yield outcome.winner_words(scene)[0]
    if view.ended:
        yield outcome.margin_words(scene)[-1]
    if len(scene.order) == 2:
        yield scene.scores(tuple(side.score for side in view.sides))
    if view.best_of > 1:
        yield (*outcome.series_won_words(scene), _series_text(scene))[0]
    if view.next_game is not None or view.screen is Screen.GAME_OVER:
        yield outcome.continue_words(scene)[0]


def _series_text(scene: Scene) -> str:
    """The games of the series: "partidos: uno a cero, arriba Los Pibes"."""
    games = tuple(side.games for side in scene.view.sides)
    return scene.say("game.series", score=_ahead_text(scene, games))
