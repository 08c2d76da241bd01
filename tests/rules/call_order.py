"""Legal sequences of envido and flor calls, by rules.md#envido and rules.md#flor.

The part of the phase table about calls alone: chains as regular expressions over letters. Only the
earlier calls are read from the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorer.rules import Action, Game

# E: envido (envit), N: an envido that names its stones, R: real envido, T: torne,
# I: envido hasta igualar, M: N more, F: the falta.
_LETTERS = {
    Action.ENVIDO: "E",
    Action.ENVIT: "E",
    Action.REAL_ENVIDO: "R",
    Action.TORNE: "T",
    Action.ENVIDO_IGUALAR: "I",
    Action.ENVIDO_MAS: "M",
    Action.FALTA_ENVIDO: "F",
    Action.FALTA: "F",
}
_CASTILIAN = (Action.ENVIDO, Action.REAL_ENVIDO, Action.FALTA_ENVIDO)
_WORDS = {
    "valencian": (Action.ENVIT, Action.TORNE, Action.FALTA),
    "venezuelan": (
        Action.ENVIDO,
        Action.ENVIDO_IGUALAR,
        Action.ENVIDO_MAS,
        Action.FALTA_ENVIDO,
    ),
}
# rules.md#envido: E R F EE ER EF RF EER EEF ERF EERF, and S0's second real envido.
_ARGENTINE, _WITH_TWO_REALS = "E{0,2}R?F?", "E{0,2}R{0,2}F?"
_CHAINS = {
    # rules.md#valencian: the torne answers an envit, and only the falta answers a torne.
    "valencian": "(ET?)?F?",
    # "Y envido" raises a plain one; N more raises all but the falta: rules.md#venezuelan-envite.
    "venezuelan": "((EE?|N|I)M*)?F?",
}
# UY5: any amount may be named at the border, first or as a raise.
_FREE = {_ARGENTINE: "((EE?R?|NR?|R)M*)?F?", _WITH_TWO_REALS: "((EE?R{0,2}|NR{0,2}|RR?)M*)?F?"}

# Raises in ascending order: rules.md#flor-raises.
_RAISES = (Action.CONTRAFLOR, Action.CONTRAFLOR_RESTO)
# rules.md#uruguayan: the envidos with flor, each once and upwards.
_FLOR_BIDS = (
    Action.CON_FLOR_ENVIDO,
    Action.CON_FLOR_REAL_ENVIDO,
    Action.CON_FLOR_FALTA_ENVIDO,
)


def next_envidos(game: Game) -> Iterator[Action]:
    """The envido calls that may follow the earlier ones."""
    said, pattern = _chain_letters(game), re.compile(_chains(game))
    words = _WORDS.get(game.rules.variant.id, _CASTILIAN)
    words = (*words, Action.ENVIDO_MAS) if game.rules.free_envido else words
    return (word for word in words if pattern.fullmatch(said + _LETTERS[word]))


def next_flores(game: Game) -> tuple[Action, ...]:
    """The raises that may answer a flor, or the raise of one."""
    raises = game.hand.flor.raises
    if raises and game.rules.variant.id == "venezuelan":
        return (Action.FLOR_ENVIDA_MAS,)
    bids = _FLOR_BIDS if game.rules.flor_bids == "all" else _FLOR_BIDS[:1]
    if raises and raises[-1] in _FLOR_BIDS:
        # A contraflor is over none of them: rules.md#uruguayan.
        return (*bids[bids.index(raises[-1]) + 1 :], Action.CONTRAFLOR_RESTO)
    if game.rules.variant.id == "venezuelan":
        return ()
    with_bids = game.rules.variant.id in ("uruguayan", "uruguayan_six")
    order = (*bids, *_RAISES) if with_bids else _RAISES
    return order[order.index(raises[-1]) + 1 :] if raises else order


def _chain_letters(game: Game) -> str:
    envido = game.hand.envido
    letters = "".join(_LETTERS[word] for word in envido.chain)
    named = letters.startswith("E") and envido.amounts[0] != 2
    return "N" + letters[1:] if named else letters


def _chains(game: Game) -> str:
    rules = game.rules
    again = any(bid.action is Action.REAL_ENVIDO and bid.times > 1 for bid in rules.bids)
    usual = _WITH_TWO_REALS if again else _ARGENTINE
    return _FREE[usual] if rules.free_envido else _CHAINS.get(rules.variant.id, usual)
