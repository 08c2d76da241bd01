"""Definition of a variant: a table of calls, values and options.

A built-in variant is one ``Variant`` in ``variants/<name>.py``, without functions. What the players
may change is an ``Option``; one choice for every option makes the ``Rules`` of a game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from scorer.rules.actions import Action, Side
from scorer.rules.seating import SEATINGS, Seating, Seats

NAMED: Final = -1  # amount of a bid: the number of stones that the caller names
EQUAL: Final = -2  # amount of a bid: the number that makes the scores equal

GAME: Final = -1  # value: all the points the winner still lacks
SERIES: Final = -2  # value: the whole series (``match_rung``)


class Falta(StrEnum):
    """What an accepted falta envido pays; rules.md#falta lists the sources."""

    MALAS_MATCH = "malas_match"
    LEADER_TO_TARGET = "leader_to_target"
    LOSER_TO_TARGET = "loser_to_target"
    LEADER_HALF = "leader_half"
    LOSER_HALF = "loser_half"
    WINNER_HALF = "winner_half"
    MATCH = "match"
    FIXED = "fixed"


class FlorPays(StrEnum):
    """What the better flor takes when both sides have one and neither raised."""

    OWN = "own"
    PER_FLOR = "per_flor"
    FOUR = "four"
    SIX = "six"


class FlorStyle(StrEnum):
    """How the values of raised flores are calculated."""

    FIXED = "fixed"  # Argentina: contraflor 6, whatever was announced
    DOUBLING = "doubling"  # gaúcho: the contra-flor doubles the points in play
    WITH_ENVIDO = "with_envido"  # Uruguay: bets with flor, contraflor, al resto
    OPEN = "open"  # Venezuela: any number of stones, once both sides announced


class FlorAnnounced(StrEnum):
    """What an answering flor does."""

    BETS = "bets"  # either side may bet then, and a plain contest waits for its winner
    COMPARES = "compares"  # the winner is wanted


class FlorBids(StrEnum):
    """The envidos that may be bet on top of a flor."""

    ENVIDO = "envido"
    ALL = "all"


class ContraflorPays(StrEnum):
    """What an accepted contraflor pays in Uruguay."""

    ALL_FLORES = "all_flores"
    SIX = "six"


class ConFlorEnvidoPays(StrEnum):
    """What an accepted con flor envido pays."""

    ADDS = "adds"  # the flores, and 2
    SIX = "six"  # 6 in all


class FlorBetRefused(StrEnum):
    """The flores that a refused bet pays in Uruguay, with ``flor_vs_flor=per_flor``."""

    OWN = "own"  # those of the last caller
    ALL = "all"


class FlorOverRefused(StrEnum):
    """What a flor does after a refused envido."""

    CLOSED = "closed"  # it is late
    ANNULS = "annuls"  # it counts, and takes the payment of the envido back


class Resto(StrEnum):
    """What an accepted contraflor al resto pays."""

    LEADER_TO_TARGET = "leader_to_target"
    MATCH = "match"
    LEADER_PLUS_FLOR = "leader_plus_flor"
    LEADER_PLUS_CONTRAFLOR = "leader_plus_contraflor"


class EnvidoRefused(StrEnum):
    PREVIOUS_SUM = "previous_sum"
    PLUS_ONE = "plus_one"


class Tied(StrEnum):
    """Who takes a hand of three tied tricks."""

    MANO = "mano"
    NONE = "none"
    NOT_RAISER = "not_raiser"  # the side that did not make the last accepted call, if there is one


class MaoTruco(StrEnum):
    """What calling truco in a mão de onze (dez) does."""

    LOSE_HAND = "lose_hand"
    FORBIDDEN = "forbidden"
    LOSE_MATCH = "lose_match"


class Finish(StrEnum):
    IMMEDIATE = "immediate"
    END_OF_HAND = "end_of_hand"


class Rung(NamedTuple):
    """One call of the trick ladder and what the hand is worth once it is accepted."""

    action: Action
    value: int


class Bid(NamedTuple):
    """One call of the envido: points it adds, and how often a hand may contain it."""

    action: Action
    adds: int  # 0: the falta, which replaces the sum
    times: int = 1
    opens: bool = True  # may be the first call
    raises: bool = True  # may answer another call


class SpecialHand(NamedTuple):
    """Mão de onze / de dez: a side is within ``margin`` points of the target."""

    margin: int
    worth: int


class Option(NamedTuple):
    """One choice of the players: default, allowed values and sources.

    The chosen value sets the field of ``Rules`` named like the option, or the fields that
    ``effect`` returns (see ``effects``). Values the engine knows by name are members of its enums.
    """

    key: str
    default: str | int | bool
    choices: tuple[str | int | bool, ...] = ()  # empty: a number from low to high
    low: int = 0
    high: int = 0
    source: str = ""
    step: int = 1  # numbers increase by it, from low
    effect: Callable[[Mapping[str, Any], Any], Mapping[str, Any]] | None = None
    # The default follows other options: ``effect`` works it out from None, ``default`` is what it
    # is by the defaults of the others. A value that is chosen stands, that one too.
    follows: bool = False


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Variant:
    """One regional truco. ``ladders`` maps option values to trick ladders."""

    id: str
    title: str
    base: int
    ladders: tuple[tuple[str, tuple[Rung, ...]], ...]
    options: tuple[Option, ...]
    words: tuple[tuple[Action, str], ...]  # the spoken word of each call
    sources: tuple[str, ...]
    envido: tuple[Bid, ...] = ()
    flor: FlorStyle | None = None
    special: SpecialHand | None = None
    seats: Seats = Seats.TEAMS
    players: tuple[int, ...] = (2, 4, 6)  # allowed numbers of players
    deck: str = "spanish"  # kind of cards, as a key of the rule card
    open_bids: bool = False  # any number of stones may be bet (Venezuela)
    # Bets are compared when the cards are shown: truco may be called before, and an accepted truco
    # does not close them (Venezuela).
    bets_settled_at_showdown: bool = False
    definition: str = ""  # an owner's variant: the JSON that ``definition.read_definition`` parses

    def __post_init__(self) -> None:
        for name, rungs in self.ladders:
            values = [self.base, *(rung.value for rung in rungs if rung.value > 0)]
            if values != sorted(set(values)):
                raise ValueError(f"variant {self.id!r}: ladder {name!r} must rise: {values}")
        keys = [option.key for option in self.options]
        if len(keys) != len(set(keys)):
            raise ValueError(f"variant {self.id!r}: an option is listed twice: {keys}")
        for option in self.options:
            if option.effect is None and option.key not in Rules.__dataclass_fields__:
                raise ValueError(
                    f"variant {self.id!r}: option {option.key!r} changes nothing: "
                    "name it after a field of Rules, or give it an effect"
                )
        if not self.sources:
            raise ValueError(f"variant {self.id!r}: cite a source")

    @property
    def seating(self) -> Seating:
        """Who speaks, scores and answers."""
        return SEATINGS[self.seats]

    def option(self, key: str) -> Option | None:
        """The option with that key, or None."""
        return next((option for option in self.options if option.key == key), None)

    def word(self, action: Action) -> str:
        """The spoken word for ``action``; by default the name of the action."""
        return next((word for each, word in self.words if each is action), action.replace("_", " "))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rules:
    """A variant with a value for every option: the parameters of the engine.

    Compared by identity: ``options.rules_for`` keeps one object per choice, so that comparing two
    games does not compare their rules field by field.
    """

    variant: Variant
    chosen: tuple[tuple[str, str | int | bool], ...]  # options that differ from the defaults
    seating: Seating
    starting_score: tuple[int, ...]
    target: int
    half: int | None
    ladder: tuple[Rung, ...]
    bids: tuple[Bid, ...]
    flor: FlorStyle | None = None
    best_of: int = 1
    finish: Finish = Finish.IMMEDIATE
    tied: Tied = Tied.NONE
    falta: Falta = Falta.LEADER_TO_TARGET
    half_inclusive: bool = False  # True: a score exactly on the half belongs to the buenas
    envido_refused: EnvidoRefused = EnvidoRefused.PREVIOUS_SUM
    fold_first: int = 1
    flor_vs_flor: FlorPays = FlorPays.OWN
    me_achico: int = 3
    contraflor_refused: int = 3
    flor_announced: FlorAnnounced = FlorAnnounced.COMPARES
    flor_bids: FlorBids = FlorBids.ENVIDO
    contraflor_pays: ContraflorPays = ContraflorPays.SIX
    resto: Resto = Resto.LEADER_TO_TARGET
    resto_refused_direct: int = 3
    resto_refused_after_contra: int = 6
    mao_truco: MaoTruco = MaoTruco.LOSE_HAND
    mao_run: int = 1  # paid to the rival of a side that does not play its special hand
    no_useless_raise: bool = False
    free_envido: bool = False
    falta_cap: bool = False  # a bid above the falta counts less; only with ``free_envido``
    cantando: bool = False
    flor_value: int = 3
    con_flor_envido_pays: ConFlorEnvidoPays = ConFlorEnvidoPays.ADDS
    flor_bet_refused: FlorBetRefused = FlorBetRefused.OWN
    flor_over_refused: FlorOverRefused = FlorOverRefused.CLOSED
    falta_floor: bool = False  # an accepted falta pays no less than the same falta refused
    resto_floor: bool = False  # the same of every other raise of a flor
    players: int = 4  # a side announces at most one flor for each of its own
    pica_from: int = 5
    pica_until: int = 20
    pica_cap: int | None = None
    pica_resto_cap: int | None = None
    pica_live: bool = False
    duels: int = 3
    gallo_fijo: bool = False
    plain_hand_to_pot: bool = True

    @property
    def base(self) -> int:
        """Points of a hand without a truco call."""
        return self.variant.base

    @property
    def scoring_sides(self) -> tuple[Side, ...]:
        """The sides with a score of their own, in play order."""
        return self.seating.scoring_sides

    @property
    def speaking_sides(self) -> tuple[Side, ...]:
        """The sides that call and answer."""
        return self.seating.speaking_sides

    @property
    def opens_with_numbers(self) -> bool:
        """True if an envido may name any number of stones."""
        return self.variant.open_bids or self.free_envido

    def rival_of(self, side: Side) -> Side:
        """The opposing side, where two sides call."""
        return self.speaking_sides[1] if side is self.speaking_sides[0] else self.speaking_sides[0]
