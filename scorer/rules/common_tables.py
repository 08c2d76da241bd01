"""Options and calls shared by several variants."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.rules import effects
from scorer.rules.actions import Action
from scorer.rules.variant import (
    Bid,
    EnvidoRefused,
    Falta,
    Finish,
    FlorPays,
    MaoTruco,
    Option,
    Resto,
    Rung,
    Tied,
)

TARGETS = (1, 99)


def target(default: int, source: str) -> Option:
    """Points that win a game: any number from 1 to 99."""
    return Option("target", default, low=TARGETS[0], high=TARGETS[1], source=source)


BEST_OF = Option(
    "best_of", 1, low=1, high=99, step=2, source="S0; UTN, ACA, NHF: chico, revancha y bueno"
)
FINISH = Option("finish", Finish.IMMEDIATE, tuple(Finish), source="S0 mentions both")

# By default there are halves if the target has them; true forces them, false omits them.
BUENAS = Option(
    "buenas",
    "auto",
    ("auto", True, False),
    source="S1: 9 and 15 are played without",
    effect=effects.set_half,
)
HALF_INCLUSIVE = Option(
    "half_inclusive",
    "malas",
    ("malas", "buenas"),
    source="S1 / TRS, UY4",
    effect=effects.set_half_inclusive,
)
ENVIDO_REFUSED = Option(
    "envido_refused", EnvidoRefused.PREVIOUS_SUM, tuple(EnvidoRefused), source="S1 / MXG"
)
REAL_ENVIDO_AGAIN = Option(
    "real_envido_again",
    False,
    (False, True),
    source="S1 / S0",
    effect=effects.repeat_real_envido,
)
FALTA_FLOOR = Option(
    "falta_floor", False, (False, True), source="S1, VEP / ReTruco; a house rule of Venezuela"
)
NO_USELESS_RAISE = Option("no_useless_raise", False, (False, True), source="S0 / Pagat")


def falta(default: Falta, source: str, choices: tuple[Falta, ...] = tuple(Falta)) -> Option:
    """What an accepted falta envido pays."""
    return Option("falta", default, choices, source=source)


def fold_first(default: int, source: str) -> Option:
    """What folding in the first trick costs while an envido could still be called."""
    return Option("fold_first", default, (2, 1), source=source)


def tied(default: Tied, source: str, *others: Tied) -> Option:
    """Who takes a hand of three tied tricks: the mano, no side, or ``others``."""
    return Option("tied", default, (Tied.MANO, Tied.NONE, *others), source=source)


def mao_truco(default: MaoTruco, source: str) -> Option:
    """What calling truco in the mão de onze (dez) does."""
    return Option("mao_truco", default, tuple(MaoTruco), source=source)


# --- the flor ------------------------------------------------------------------------------------

FLOR_BY_CHOICE = Option(
    "flor",
    False,
    (False, True),
    source="as agreed before the match (S1)",
    effect=effects.choose_flor,
)


def players(default: int, *others: int, source: str) -> Option:
    """Number of players; a side has at most one flor for each of its own."""
    return Option("players", default, (default, *others), source=source)


def flor_vs_flor(default: FlorPays, source: str) -> Option:
    """What the better flor is paid; the default comes first in the menu."""
    return Option("flor_vs_flor", default, _default_first(default, FlorPays), source=source)


def flor_value(source: str) -> Option:
    """What each flor is worth."""
    return Option("flor_value", 3, (3, 4, 5), source=source)


RESTO_FLOOR = Option(
    "resto_floor",
    True,
    (True, False),
    source="UY1, GA 35: a raise is worth more / S1 to the letter",
)


def me_achico(source: str) -> Option:
    """What a flor pays when the rival answers "me achico"."""
    return Option("me_achico", 3, (3, 4), source=source)


def contraflor_refused(source: str) -> Option:
    """What a refused contraflor pays."""
    return Option("contraflor_refused", 3, (3, 4), source=source)


def resto(default: Resto, source: str) -> Option:
    """What an accepted contraflor al resto pays; the default comes first in the menu."""
    return Option("resto", default, _default_first(default, Resto), source=source)


def resto_refused_direct(source: str) -> Option:
    """What a refused contraflor al resto pays if it answered a flor."""
    return Option("resto_refused_direct", 3, (3, 4), source=source)


def resto_refused_after_contra(source: str) -> Option:
    """What a refused contraflor al resto pays if it answered a contraflor."""
    return Option("resto_refused_after_contra", 6, (6, 3), source=source)


# --- hands of duels ------------------------------------------------------------------------------


def pica_cap(default: int | str, source: str) -> Option:
    """The most that an envido pays in a duel."""
    return Option("pica_cap", default, (6, 10, "none"), source=source, effect=effects.set_pica_cap)


def pica_resto_cap(default: int | str, source: str) -> Option:
    """The most that an accepted contraflor al resto pays in a duel."""
    effect = effects.set_pica_resto_cap
    return Option("pica_resto_cap", default, ("none", 10, 12), source=source, effect=effect)


PICA_ADD = Option(
    "pica_add",
    "end",
    ("end", "live"),
    source="S1: all points of the duels are summed",
    effect=effects.set_pica_live,
)
# By default one duel for each player of a side.
DUELS = Option(
    "duels",
    3,
    (3, 2),
    source="S0 / S1: two where four play",
    effect=effects.make_duels,
    follows=True,
)


def _default_first(default: FlorPays | Resto, choices: Iterable[str]) -> tuple[str, ...]:
    return (default, *(each for each in choices if each is not default))


# S1: truco 2, retruco 3, vale cuatro 4; refused, the previous value. S3 gives the same numbers.
TRUCO_2_3_4 = (
    Rung(Action.TRUCO,       2),
    Rung(Action.RETRUCO,     3),
    Rung(Action.VALE_CUATRO, 4),
)  # fmt: skip

# S1: chains are sums; envido may answer an envido once, the falta ends every chain.
ENVIDO_2_3_FALTA = (
    Bid(Action.ENVIDO,       2, times=2),
    Bid(Action.REAL_ENVIDO,  3),
    Bid(Action.FALTA_ENVIDO, 0),
)  # fmt: skip

WORDS_ES = (
    (Action.TRUCO, "truco"),
    (Action.RETRUCO, "retruco"),
    (Action.VALE_CUATRO, "vale cuatro"),
    (Action.ENVIDO, "envido"),
    (Action.REAL_ENVIDO, "real envido"),
    (Action.FALTA_ENVIDO, "falta envido"),
    (Action.FLOR, "flor"),
    (Action.CONTRAFLOR, "contraflor"),
    (Action.CONTRAFLOR_RESTO, "contraflor al resto"),
    (Action.QUIERO, "quiero"),
    (Action.NO_QUIERO, "no quiero"),
    (Action.ME_ACHICO, "me achico"),
    (Action.NO_FLOR, "no tengo flor"),
    (Action.FOLD, "al mazo"),
)

WORDS_PT = (
    (Action.TRUCO, "truco"),
    (Action.SEIS, "seis"),
    (Action.NOVE, "nove"),
    (Action.DEZ, "dez"),
    (Action.DOZE, "doze"),
    (Action.VALE_JUEGO, "vale a partida"),
    (Action.QUIERO, "desce"),
    (Action.NO_QUIERO, "corro"),
    (Action.FOLD, "correr"),
    (Action.MAO_PLAY, "jogo"),
    (Action.MAO_RUN, "corro"),
)
