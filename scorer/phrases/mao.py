"""Mão de onze, de dez: title, deciding side, payments of playing and running."""

from typing import NamedTuple

from scorer.phrases.names import name_wordings, shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import WorthView


class MaoTerms(NamedTuple):
    """An undecided mão de onze: deciding side, payments of playing and running."""

    decider: int
    rival: int
    play: WorthView
    run: WorthView


def mao_terms(scene: Scene) -> MaoTerms:
    """The terms of the undecided mão, now or in the next hand."""
    view = scene.view
    decider, play, run = (
        scene.order[0],
        WorthView((view.special_worth,), None),
        WorthView((0,), None),
    )
    if view.next_hand is not None and view.next_hand.decider is not None:
        decider = view.next_hand.decider
        play, run = WorthView((view.next_hand.worth,), None), WorthView((view.next_hand.run,), None)
    elif view.call is not None:
        decider, play, run = view.call.owes, view.call.quiero, view.call.no_quiero
    rival = next(side for side in scene.order if side != decider)
    return MaoTerms(decider, rival, play, run)


def marked_mano(scene: Scene) -> int | None:
    """The mano that a mark in the score line shows.

    None once a hand is over: its mano is past, and the next one is announced in words, but for that
    of a hand in which a side sings.
    """
    hand = scene.view.next_hand
    return None if hand is not None and hand.call is None else _mano(scene)


def _mano(scene: Scene) -> int | None:
    """The mano of the next hand if it is shown, else of this one."""
    if scene.view.next_hand is not None:
        return scene.view.next_hand.mano
    return next((at for at, side in enumerate(scene.view.sides) if side.mano), None)


def mano_words(scene: Scene) -> tuple[str, ...]:
    """Who is mano in the hand that a side decides on; empty if that is not known."""
    mano = _mano(scene)
    if mano is None:
        return ()
    names = shrinking_wordings(scene, mano, 50, 34)
    return tuple(scene.say("state.mano", side=name) for name in names)


def with_mano(scene: Scene, wordings: tuple[str, ...]) -> tuple[str, ...]:
    """The wordings, before them the first one with the mano behind it."""
    return (*(f"{wordings[0]} · {mano}" for mano in mano_words(scene)), *wordings)


def mao_title_words(scene: Scene, terms: MaoTerms) -> tuple[str, ...]:
    """ "MÃO DE ONZE", then shorter with figures."""
    numbers = scene.number_wordings(scene.view.sides[terms.decider].score)
    return tuple(scene.say("mao.title", number=number) for number in numbers)


def mao_ask_words(scene: Scene, terms: MaoTerms) -> tuple[str, ...]:
    names = name_wordings(scene, terms.decider, 50)
    return tuple(scene.say("mao.ask", side=name) for name in names)


def mao_announcement_words(scene: Scene, terms: MaoTerms) -> tuple[str, ...]:
    """The coming mão de onze and its deciding side, then shorter wordings."""
    names = name_wordings(scene, terms.decider, 34)
    numbers = scene.number_wordings(scene.view.sides[terms.decider].score)
    return tuple(
        scene.say(key, number=number, side=name)
        for name in names
        for key in ("mao.next", "mao.next.short")
        for number in numbers
    )
