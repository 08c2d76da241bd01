"""Spoken text of a score, the leader first: points, halves, duels and games."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.phrases import state_line
from scorer.phrases.scene import Scene
from scorer.rules import Game
from scorer.session.view.build_view import view_of_game
from scorer.session.view.view import Half


def score_text(scene: Scene) -> str:
    """The score, the leader first: "doce a nueve, arriba Los Pibes", "doce iguales"."""
    sides, first = scene.view.sides, scene.order[0]
    scores = tuple(side.score for side in sides)
    if scene.has_three or (scene.view.half is not None and len(set(scores)) > 1):
        spoken = (
            (at, scene.spoken_wordings(at) or scene.number_wordings(scores[at]))
            for at in scene.order
        )
        return "; ".join(
            scene.say("voice.side", side=scene.name(at), score=words[0]) for at, words in spoken
        )
    if scene.view.half is not None and sides[first].spoken:
        return scene.say("voice.level", score=scene.spoken_wordings(first)[0])
    return ahead_text(scene, scores)


def ahead_text(scene: Scene, points: tuple[int, ...], form: str = "") -> str:
    """Points, of two sides with the leader first and by name."""
    if len(points) != 2:
        return scene.scores(points)
    if points[0] == points[1] > 1:  # "uno iguales" is no Spanish
        return scene.say("voice.tie", number=points[0])
    first = points.index(max(points))
    score = to_text(scene, points[first], points[1 - first], form=form)
    if points[0] == points[1]:
        return score
    return scene.say("voice.ahead", score=score, side=scene.name(first))


def to_text(scene: Scene, *points: int, form: str = "") -> str:
    """Two scores: "treinta a veintidós"."""
    zero = scene.say("voice.nil")
    mine, theirs = (scene.say(f"number.{each}{form}") if each else zero for each in points)
    return scene.say("voice.to", mine=mine, theirs=theirs)


def duel_score(scene: Scene) -> Iterator[str]:
    """The points of the duels of this hand, which the score may not contain yet."""
    if any(scene.view.duel_points):
        yield ahead_text(scene, scene.view.duel_points)


def series_text(scene: Scene) -> str:
    """The games of the series: "partidos: uno a cero, arriba Los Pibes"."""
    games = tuple(side.games for side in scene.view.sides)
    if len(games) == 2 and games[0] == games[1]:
        each = scene.say(f"number.{games[0]}.games")
        score = scene.say("score.to", mine=each, theirs=each)
    else:
        score = ahead_text(scene, games, ".games")
    return scene.say("game.series", score=score)


def half_reached(scene: Scene, before: Game) -> Iterator[str]:
    """The sides that have entered their second half since ``before``."""
    past = view_of_game(before, ()).sides
    for at in scene.order:
        if (past[at].half, scene.view.sides[at].half) == (Half.MALAS, Half.BUENAS):
            yield scene.say("notice.half", side=scene.name(at))


def one_away(scene: Scene) -> Iterator[str]:
    """The sides that are one point from winning."""
    near = state_line.sides_near_winning(scene)
    if len(near) == len(scene.order) == 2:
        yield scene.say("state.both_one_away")
        return
    for at in near:
        yield scene.say("voice.one_away", side=scene.name(at))
