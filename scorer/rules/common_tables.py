"""Options and calls that several variants share, so that each table lists only what is its own."""

from __future__ import annotations

from scorer.rules.model import Action
from scorer.rules.variant import Bid, Option, Rung

TARGETS = (1, 99)


def target(default: int, source: str) -> Option:
    """Points that win a game: any number from 1 to 99."""
    return Option("target", default, low=TARGETS[0], high=TARGETS[1], source=source)


BEST_OF = Option("best_of", 1, low=1, high=99, source="S0; UTN, ACA, NHF: chico, revancha y bueno")
FINISH = Option("finish", "immediate", ("immediate", "end_of_hand"), source="S0 mentions both")

# Halves exist by default where the target has them; true forces them, false does without.
BUENAS = Option("buenas", "auto", ("auto", True, False), source="S1: 9 and 15 are played without")
HALF_INCLUSIVE = Option("half_inclusive", "malas", ("malas", "buenas"), source="S1 / TRS, UY4")
ENVIDO_REFUSED = Option(
    "envido_refused", "previous_sum", ("previous_sum", "plus_one"), source="S1 / MXG"
)
REAL_ENVIDO_AGAIN = Option("real_envido_again", False, (False, True), source="S1 / S0")
NO_USELESS_RAISE = Option("no_useless_raise", False, (False, True), source="S0 / Pagat")

_FALTAS = (
    "malas_match",
    "leader_to_target",
    "loser_to_target",
    "leader_half",
    "loser_half",
    "winner_half",
    "match",
    "fixed",
)


def falta(default: str, source: str) -> Option:
    """What an accepted falta envido pays."""
    return Option("falta", default, _FALTAS, source=source)


def fold_first(default: int, source: str) -> Option:
    """What folding in the first trick costs while an envido could still be called."""
    return Option("fold_first", default, (2, 1), source=source)


def tied(default: str, source: str) -> Option:
    """Who takes a hand of three tied tricks."""
    return Option("tied", default, ("mano", "none"), source=source)


def mao_truco(default: str, source: str) -> Option:
    """What calling truco in the mão de onze (dez) does."""
    return Option("mao_truco", default, ("lose_hand", "forbidden", "lose_match"), source=source)


# S1: truco 2, retruco 3, vale cuatro 4; refused, the rung before. S3 gives the same numbers.
TRUCO_2_3_4 = (
    Rung(Action.TRUCO,       2),
    Rung(Action.RETRUCO,     3),
    Rung(Action.VALE_CUATRO, 4),
)  # fmt: skip

# S1's table: the chains are sums; envido may answer an envido once, the falta ends every chain.
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
