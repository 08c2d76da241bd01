"""The state line of a hand in play: the most important fact, else the score."""

from __future__ import annotations

from itertools import chain

from scorer.phrases.gains import gain_line_wordings
from scorer.phrases.names import name_wordings, shrinking_wordings
from scorer.phrases.rule_change import change_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import Half, SpecialKind


def state_words(scene: Scene) -> tuple[str, ...]:
    """The offer that the rivals consider, else the newest payments or the standing."""
    if scene.view.chooser is not None:
        names = name_wordings(scene, scene.view.chooser, 50)
        return tuple(scene.say("state.choosing", side=name) for name in names)
    if scene.view.gains:
        # Between two hands also who deals, if a wording leaves room.
        paid, dealer = gain_line_wordings(scene), scene.view.dealer
        if dealer is None or scene.view.sides[dealer].mano:
            return paid
        deal = scene.say("state.dealer", side=name_wordings(scene, dealer, 50)[-1])
        return tuple(chain.from_iterable((f"{words} · {deal}", words) for words in paid))
    return standing_words(scene)


def standing_words(scene: Scene) -> tuple[str, ...]:
    """The most important fact of a hand in play, else the score or the mano."""
    view, say = scene.view, scene.say
    change = () if view.change is None else change_wordings(say, view.change)
    if view.duel is not None:
        duel = duel_words(scene, view.duel)
        return (*(f"{words} · {each}" for words in duel for each in change[:-1]), *duel)
    if change:
        return change
    if near := one_away_words(scene):
        return near
    if scene.has_three:
        return _three_words(scene)
    if view.half is not None and all(side.half is Half.BUENAS for side in view.sides):
        return (say("state.in_buenas"),)
    manos = _mano_words(scene)
    if view.half is None and any(side.score for side in view.sides):
        score = scene.score_wordings()[0]
        return (*(f"{mano} · {score}" for mano in manos), *manos)
    return manos


def _mano_words(scene: Scene) -> tuple[str, ...]:
    """The mano and who deals next, or only the mano, then with shorter names.

    The number of the hand if the mano is not known.
    """
    view, say = scene.view, scene.say
    mano = next((index for index, side in enumerate(view.sides) if side.mano), None)
    if mano is None:
        return (say("state.hand", number=view.hand),)
    names = shrinking_wordings(scene, mano, 70, 50)
    manos = tuple(say("state.mano", side=name) for name in names)
    if view.dealer is None:
        return manos
    key = "state.mano_deals" if view.dealer == mano else "state.deal"
    dealers = zip(names, shrinking_wordings(scene, view.dealer, 70, 50), strict=True)
    deals = (say(key, side=name, dealer=dealer) for name, dealer in dealers)
    # A name in full comes before a short one that leaves room for the deal.
    return tuple(chain.from_iterable(zip(deals, manos, strict=True)))


def sides_near_winning(scene: Scene) -> list[int]:
    """The sides that are one point from winning, or have one point left of a pile."""
    view = scene.view
    last = 1 if view.counts_down else view.target - 1
    return [side for side in scene.order if view.sides[side].score == last]


def one_away_words(scene: Scene) -> tuple[str, ...]:
    """The sides that are one point from winning; empty without any."""
    near = sides_near_winning(scene)
    if not near:
        return ()
    if len(near) == len(scene.order) == 2:
        return (scene.say("state.both_one_away"),)
    if len(near) > 1:
        shorts = (name_wordings(scene, side, 25)[-1] for side in near)
        return (scene.say("state.one_away", side=", ".join(shorts)),)
    names = name_wordings(scene, near[0], 50)
    return tuple(scene.say("state.one_away", side=name) for name in names)


def duel_words(scene: Scene, duel: int) -> tuple[str, ...]:
    """The number of the duel, its seats, and the points of this pica hand."""
    points = scene.view.duel_points
    titles = duel_title_words(scene, duel)
    return tuple(f"{title} · {scene.figures(points)}" for title in titles) if points else titles


def duel_title_words(scene: Scene, duel: int) -> tuple[str, str]:
    """The number of the duel and its seats, then shorter."""
    duels = scene.view.duels
    fields = {"number": duel, "duels": duels, "one": duel, "other": duel + duels}
    return scene.say("state.duel", **fields), scene.say("state.duel.short", **fields)


def _three_words(scene: Scene) -> tuple[str, ...]:
    """The single player and the mano; with piles, the pot."""
    view, say = scene.view, scene.say
    mano = next((index for index, side in enumerate(view.sides) if side.mano), scene.order[0])
    lead = name_wordings(scene, mano, 34)
    if view.pot is not None:
        return tuple(say("state.pot", points=view.pot, side=name) for name in lead)
    if view.gallo is None:
        return tuple(say("state.mano", side=name) for name in lead)
    alone = name_wordings(scene, view.gallo, 34)
    pairs = zip(alone, lead, strict=True)
    both = tuple(say("state.gallo", gallo=gallo, side=name) for gallo, name in pairs)
    return (*both, *(say("state.gallo.short", gallo=gallo) for gallo in alone))


def special_title(scene: Scene) -> tuple[str, ...]:
    if scene.view.special is SpecialKind.IRON:
        return (scene.say("state.iron"),)
    # The hand has its name of the score before it: eleven, or ten.
    numbers = scene.number_wordings(max(side.score for side in scene.view.sides))
    return tuple(scene.say("state.mao", number=number) for number in numbers)


def special_detail(scene: Scene) -> str:
    key = "state.iron.rest" if scene.view.special is SpecialKind.IRON else "state.mao.rest"
    return scene.say(key, points=scene.view.special_worth)
