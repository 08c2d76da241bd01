"""Sample views of special variants: three sides, duels, a singing side."""

from __future__ import annotations

from scorer.session.values.shown import Screen
from scorer.session.view.view import (
    CallFamily,
    CallView,
    GainView,
    Half,
    NextHandKind,
    NextHandView,
    RungState,
    RungView,
    SideView,
    SpecialKind,
    View,
    WorthView,
)

TARGET, HALF = 30, 15
NAMES = ("Ana", "Beto", "Caro")
RUNGS = (("", 1), ("truco", 2), ("retruco", 3), ("vale cuatro", 4))
VENEZUELAN = (("", 1), ("truco", 3), ("retruco", 6), ("vale nueve", 9), ("vale juego", -1))


def samples() -> dict[str, View]:
    """All samples by name."""
    return {**_gallo(), **_piles(), **_duels(), **_venezuela()}


def _ladder(rungs: tuple[tuple[str, int], ...], called: int | None) -> tuple[RungView, ...]:
    return tuple(
        RungView(word, value, rungs[at - 1][1] if at else 0, _state(at, called))
        for at, (word, value) in enumerate(rungs)
    )


def _state(at: int, called: int | None) -> RungState:
    if at == called:
        return RungState.CALLED
    return RungState.AHEAD if at else RungState.CURRENT


def _sides(scores: tuple[int, ...], half: int | None) -> tuple[SideView, ...]:
    return tuple(_side(key, score, half) for key, score in zip("ABC", scores, strict=False))


def _side(key: str, score: int, half: int | None) -> SideView:
    if half is None:
        return SideView("", key, score, score)
    over = score > half
    return SideView(
        "", key, score, score - half if over else score, Half.BUENAS if over else Half.MALAS
    )


def _three(screen: Screen, scores: tuple[int, ...], called: int | None = None) -> View:
    """Pata de gallo with names; Beto is the gallo, Caro is mano."""
    sides = tuple(
        side._replace(name=name, mano=name == "Caro")
        for side, name in zip(_sides(scores, HALF), NAMES, strict=True)
    )
    return View(screen, sides, TARGET, HALF, 1, _ladder(RUNGS, called), gallo=1)


def _gallo() -> dict[str, View]:
    call = CallView(
        "truco", CallFamily.TRUCO, 1, 3, WorthView((2,), None), WorthView((1,), 1, (12, 10, 21))
    )
    pending = _three(Screen.PENDING, (12, 9, 21), 1)
    sides = tuple(side._replace(owes=side.name != "Beto") for side in pending.sides)
    over = _three(Screen.HAND_OVER, (14, 9, 23))
    coming = NextHandView(0, gallo=2)
    return {
        "playing-gallo": _three(Screen.PLAYING, (12, 9, 21)),
        "playing-gallo-digits": _three(Screen.PLAYING, (12, 9, 21))._replace(large_digits=True),
        "pending-gallo": pending._replace(sides=sides, call=call),
        "hand_over-gallo": over._replace(
            gains=(GainView(3, 2, "hand", "truco"),), next_hand=coming
        ),
        "match_over-gallo": _three(Screen.MATCH_OVER, (30, 9, 28))._replace(winner=0),
    }


def _destantado(screen: Screen, scores: tuple[int, ...], called: int | None = None) -> View:
    """Destantado: piles of ten at the start, and the pot."""
    sides = tuple(side._replace(mano=side.key == "B") for side in _sides(scores, None))
    pot = 30 - sum(scores)
    return View(screen, sides, 10, None, 1, _ladder(RUNGS, called), pot=pot)


def _piles() -> dict[str, View]:
    pending = _destantado(Screen.PENDING, (6, 12, 9), 1)
    sides = tuple(side._replace(owes=side.key == "B") for side in pending.sides)
    call = CallView("truco", CallFamily.TRUCO, 0, 1, WorthView((2,), None), WorthView((1,), None))
    paid = (GainView(0, -4, "hand", "truco"), GainView(1, 2, "hand"), GainView(2, 2, "hand"))
    over = _destantado(Screen.HAND_OVER, (2, 14, 11))
    return {
        "playing-piles": _destantado(Screen.PLAYING, (6, 12, 9)),
        "pending-piles": pending._replace(sides=sides, call=call),
        "hand_over-piles": over._replace(gains=paid, next_hand=NextHandView(0)),
        "match_over-piles": _destantado(Screen.MATCH_OVER, (0, 14, 13))._replace(winner=0),
    }


def _duels() -> dict[str, View]:
    sides = _sides((12, 9), HALF)
    mano = (sides[0], sides[1]._replace(mano=True))
    duel = View(Screen.PLAYING, mano, TARGET, HALF, 1, _ladder(RUNGS, None))
    return {"playing-duel": duel._replace(duel=2, duels=3, duel_points=(4, 1))}


def _venezuela() -> dict[str, View]:
    sides = _sides((23, 17), 12)
    rival = (sides[0], sides[1]._replace(owes=True))
    ladder = _ladder(VENEZUELAN, None)
    sings = CallView(
        "privo y truco",
        CallFamily.SINGING,
        0,
        1,
        WorthView((4,), None),
        WorthView((1,), 0, (24, 17), True),
        unwanted=2,
    )
    privo = CallView(
        "privo y truco",
        CallFamily.PRIVO,
        1,
        0,
        WorthView((-1, 4), None, None, True),
        WorthView((2,), 1, (23, 19)),
    )
    beaten = (sides[0]._replace(owes=True), sides[1])
    called = View(Screen.PENDING, beaten, 24, 12, 1, ladder, call=privo)
    singing = View(Screen.CANTANDO, rival, 24, 12, 1, ladder, call=sings)
    # From 22 the truco of a privo cannot be refused.
    eve = (sides[0], sides[1]._replace(score=22))
    must_sing = singing._replace(sides=eve, call=sings._replace(unwanted=0))
    must_play = called._replace(sides=eve, call=privo._replace(no_quiero=WorthView((0,), None)))
    raised = CallView(
        "5 piedras más",
        CallFamily.ENVIDO,
        1,
        0,
        WorthView((7,), None),
        WorthView((2,), 1, (11, 11)),
    )
    low = _sides((11, 9), 12)
    pending = View(Screen.PENDING, (low[0]._replace(owes=True), low[1]), 24, 12, 1, ladder)
    over = View(Screen.HAND_OVER, rival, 24, 12, 1, ladder)
    coming = NextHandView(1, NextHandKind.NORMAL, SpecialKind.SINGING, 0, call=sings)
    won = (GainView(0, 3, "hand", "truco"),)
    return {
        "singing": singing,
        "singing-must-play": must_sing,
        "pending-privo": called,
        "pending-privo-must-play": must_play,
        "pending-stones": pending._replace(call=raised),
        "hand_over-singing": over._replace(gains=won, next_hand=coming),
    }
