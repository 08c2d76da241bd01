"""Mão de onze, de dez: title, deciding side, payments of playing and running."""

from typing import NamedTuple

from scorer.phrases.names import name_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import WorthView


class MaoTerms(NamedTuple):
    """An undecided mão de onze: deciding side, payments of playing and running."""

    decider: int
    rival: int
    play: WorthView
    run: WorthView
    lead: int | None


def mao_terms(scene: Scene) -> MaoTerms:
    """The terms of the undecided mão, now or in the next hand."""
    view = scene.view
    lead = next((index for index, side in enumerate(view.sides) if side.mano), None)
    decider, play, run = (
        scene.order[0],
        WorthView((view.special_worth,), None),
        WorthView((0,), None),
    )
    if view.next_hand is not None and view.next_hand.decider is not None:
        decider, lead = view.next_hand.decider, view.next_hand.mano
        play, run = WorthView((view.next_hand.worth,), None), WorthView((view.next_hand.run,), None)
    elif view.call is not None:
        decider, play, run = view.call.owes, view.call.quiero, view.call.no_quiero
    rival = next(side for side in scene.order if side != decider)
    return MaoTerms(decider, rival, play, run, lead)


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
