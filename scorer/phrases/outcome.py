"""The end of a hand, game or series: winner, margin and what follows."""

from __future__ import annotations

from scorer.i18n import is_plural
from scorer.phrases import mao, match, singing
from scorer.phrases.names import leading_words, name_wordings, shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.values.shown import SeriesGame
from scorer.session.view.view import NextHandKind, NextHandView, SpecialKind

_NAMES = {SeriesGame.REMATCH: "series.rematch", SeriesGame.DECIDER: "series.decider"}
# The question for the next game, to two sides and to three.
_ASKED = {
    SeriesGame.REMATCH: ("game.rematch.word", "game.rematch.all"),
    SeriesGame.DECIDER: ("game.decider.word", "game.decider.all"),
}


def next_iron(scene: Scene, hand: NextHandView) -> str:
    """The name of a coming mão de ferro."""
    return scene.say("iron.next", points=hand.worth)


def next_hand_words(scene: Scene, hand: NextHandView) -> tuple[str, ...]:
    """The next hand: its special kind, else its mano or single player."""
    if hand.special is SpecialKind.MAO:
        return mao.mao_announcement_words(scene, mao.mao_terms(scene))
    if hand.special is SpecialKind.IRON:
        return (next_iron(scene, hand),)
    if hand.call is not None:
        return singing.strip_words(scene, hand.call)
    if hand.special:
        return singing.next_hand_words(scene, hand)
    return lead_words(scene, hand)


def lead_words(scene: Scene, hand: NextHandView) -> tuple[str, ...]:
    if hand.gallo is not None:
        names = name_wordings(scene, hand.gallo, 50)
        return tuple(scene.say("over.next.gallo", side=name) for name in names)
    key = "over.next" if hand.kind is NextHandKind.NORMAL else f"over.next.{hand.kind}"
    names = name_wordings(scene, hand.mano, 50)
    return tuple(scene.say(key, side=name) for name in names)


def shown_winner(scene: Scene) -> int | None:
    """The side that has won; None if no side has, or only the hub can tell.

    The time of a match may end a later leg, which counts for no side: the hub adds up all legs.
    """
    view = scene.view
    return None if view.ended == "time" and match.is_later_leg(view.match) else view.winner


def winner_words(scene: Scene) -> tuple[str, ...]:
    """The title of the end: with the verb, then the name alone, then its first words.

    A name is not abbreviated here while any of its words fits: it is the winner's title.
    """
    winner = shown_winner(scene)
    if winner is None:
        return (scene.say("match.over"),)
    is_unnamed = not scene.view.sides[winner].name and len(scene.order) == 2
    if is_unnamed and not scene.is_neutral:
        ours = winner == scene.order[0]
        return (scene.say("game.won.ours" if ours else "game.won.theirs"),)
    key = "game.won.many" if is_plural_name(scene, winner) else "game.won"
    name = scene.name(winner)
    alone = scene.say("game.won.name", side=name)
    shorter = [] if winner == len(scene.order) else [*leading_words(name)]
    shorter.append(name_wordings(scene, winner, 40)[-1])
    return (scene.say(key, side=name), alone, *(scene.say(key, side=each) for each in shorter))


def is_plural_name(scene: Scene, side: int) -> bool:
    """Whether verbs use the plural for this side; "Nosotros" and a lamp name a team."""
    name = scene.view.sides[side].name
    return is_plural(name) if name else len(scene.order) == 2


def margin_words(scene: Scene) -> tuple[str, ...]:
    """The margin, surrender or time, and the state of a series; then shorter."""
    view = scene.view
    ranked = sorted((side.score for side in view.sides), reverse=not view.counts_down)
    by = scene.say("game.by", points=abs(ranked[0] - ranked[1]))
    if view.ended:
        # The margin would read as if the points had decided.
        by = scene.say("game.concede" if view.ended == "concede" else "why.time")
    if start := () if view.match is None else match.next_start_wordings(scene, view.match):
        games = (series_words(scene),) if view.best_of > 1 else ()
        return (*(f"{each} · {words}" for each in games for words in start), *start)
    if match.is_later_leg(view.match):
        added = scene.say("match.legs_added")
        return (f"{by} · {added}", added)
    if view.best_of == 1:
        return (by,)
    won = series_won_words(scene)
    return (*(f"{by} · {each}" for each in won), *won, f"{by} · {series_words(scene)}", by)


def series_won_words(scene: Scene) -> tuple[str, ...]:
    """A series that is won: "2 a 1: se lo llevan Los Pibes"; then shorter.

    Empty without a series, and while it goes on.
    """
    view, winner = scene.view, scene.view.winner
    games = sorted((side.games for side in view.sides), reverse=True)
    if view.best_of == 1 or winner is None or games[0] <= view.best_of // 2:
        return ()
    if scene.name(winner) == scene.say("side.ours"):
        return ()  # "se lo llevan Nosotros" is no sentence
    key = "series.won.many" if is_plural_name(scene, winner) else "series.won"
    return tuple(
        scene.say(key, won=games[0], lost=games[1], side=name)
        for name in shrinking_wordings(scene, winner, 60, 40)
    )


def series_words(scene: Scene) -> str:
    """The games of the series won by each side."""
    games = scene.scores(tuple(side.games for side in scene.view.sides))
    return scene.say("game.series", score=games)


def series_game_name(scene: Scene) -> str:
    """The name of the game in a series by rematches: "la revancha"; "" without one."""
    game = scene.view.series_game
    return "" if game is None else scene.say(_NAMES[game])


def series_title_words(scene: Scene) -> tuple[str, ...]:
    """Name of the game and games won: "la revancha · partidos: 1 a 0"; then shorter."""
    name, games = series_game_name(scene), series_words(scene)
    return (f"{name} · {games}", games) if name else (games,)


def continue_words(scene: Scene) -> tuple[str, ...]:
    view = scene.view
    if view.match is not None and view.match.is_result:
        return match.result_wordings(scene, view.match)
    word = scene.say("label.quiero")
    missing = [side for side in scene.order if side not in view.confirmed]
    if view.confirmed and missing:
        return tuple(
            scene.say("game.wait", word=word, side=name)
            for name in name_wordings(scene, missing[0], 40)
        )
    asked = [("game.next.word", "game.next.all")]
    if view.next_game is not None:
        asked.insert(0, _ASKED[view.next_game])
    return tuple(scene.say(keys[scene.has_three], word=word) for keys in asked)
