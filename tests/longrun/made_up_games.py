"""Whole games as people play them, made from a seed.

At each moment of a hand a word is drawn by ``FREQUENCIES`` from those that the rules allow.
``python -m tests.longrun.made_up_games`` writes the games of ``SEEDS`` as score sheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from scorer.rules import (
    Action,
    Game,
    Header,
    History,
    Phase,
    SheetLine,
    Special,
    Status,
    Step,
    header_of,
    header_text,
    legal,
    phase_of,
    read_sheet,
    state_document,
    step_text,
    variant_ids,
)

FOLDER: Final = Path(__file__).with_name("games")
# Games per truco that are kept as score sheets: most of the one whose frequencies were counted.
SEEDS: Final[Mapping[str, int]] = {**dict.fromkeys(variant_ids(), 1), "gaucho": 4}


class Word(StrEnum):
    """What people say: a place in a bet, whose word differs from truco to truco."""

    TRUCO = "truco"  # the next call of the ladder
    ENVIDO = "envido"  # the lowest call
    REAL_ENVIDO = "real_envido"
    FALTA_ENVIDO = "falta_envido"
    FLOR = "flor"
    RAISED_FLOR = "raised_flor"
    QUIERO = "quiero"
    NO_QUIERO = "no_quiero"
    FIRST_TRICK = "first_trick"  # it ends before the next call
    WON = "won"  # the tricks, with TANTOS
    BET_WON = "bet_won"  # an envido or a flor
    FOLD = "fold"


class Moment(StrEnum):
    """When a word is said; ``FIRST_``: during the first trick."""

    FIRST_SILENT = "first_silent"  # no call yet
    FIRST_SETTLED = "first_settled"  # envido or flor is settled
    FIRST_TRUCO = "first_truco"  # a truco is accepted
    SILENT = "silent"
    TRUCO = "truco"  # the ladder is accepted up to its first, second, or a later call
    RETRUCO = "retruco"
    VALE_CUATRO = "vale_cuatro"
    ASKED_TRUCO = "asked_truco"
    ASKED_RETRUCO = "asked_retruco"
    ASKED_VALE_CUATRO = "asked_vale_cuatro"
    ASKED_ENVIDO = "asked_envido"
    ASKED_REAL_ENVIDO = "asked_real_envido"
    ASKED_FALTA_ENVIDO = "asked_falta_envido"
    ASKED_FLOR = "asked_flor"
    OTHER = "other"  # a winner is entered, or a side decides: mao de onze, cantando


# How often each word is said at a moment, of a thousand times. Counted in 1,323 hands of truco
# gaucho that people played one against one on the web. Estimated are what answers a flor and what
# a mao de onze decides, and an envido or flor that answers a truco: none was counted.
FREQUENCIES: Final[Mapping[Moment, Mapping[Word, int]]] = {
    Moment.FIRST_SILENT: {
        Word.ENVIDO: 548, Word.FIRST_TRICK: 199, Word.FLOR: 67, Word.REAL_ENVIDO: 55,
        Word.TRUCO: 47, Word.FALTA_ENVIDO: 37, Word.WON: 26, Word.FOLD: 22,
    },
    Moment.FIRST_SETTLED: {
        Word.FIRST_TRICK: 698, Word.TRUCO: 166, Word.WON: 73, Word.FOLD: 63,
    },
    Moment.FIRST_TRUCO: {Word.FIRST_TRICK: 626, Word.WON: 328, Word.FOLD: 46},
    Moment.SILENT: {Word.TRUCO: 852, Word.FOLD: 148},
    Moment.TRUCO: {Word.FOLD: 364, Word.WON: 330, Word.TRUCO: 306},
    Moment.RETRUCO: {Word.WON: 687, Word.FOLD: 160, Word.TRUCO: 153},
    Moment.VALE_CUATRO: {Word.WON: 899, Word.FOLD: 101},
    Moment.ASKED_TRUCO: {
        Word.QUIERO: 463, Word.NO_QUIERO: 410, Word.TRUCO: 126, Word.ENVIDO: 60, Word.FLOR: 20,
    },
    Moment.ASKED_RETRUCO: {Word.QUIERO: 594, Word.TRUCO: 224, Word.NO_QUIERO: 181},
    Moment.ASKED_VALE_CUATRO: {Word.QUIERO: 900, Word.NO_QUIERO: 100},
    Moment.ASKED_ENVIDO: {
        Word.NO_QUIERO: 638, Word.QUIERO: 249, Word.REAL_ENVIDO: 97, Word.ENVIDO: 10,
        Word.FALTA_ENVIDO: 7,
    },
    Moment.ASKED_REAL_ENVIDO: {Word.NO_QUIERO: 562, Word.QUIERO: 403, Word.FALTA_ENVIDO: 35},
    Moment.ASKED_FALTA_ENVIDO: {Word.NO_QUIERO: 847, Word.QUIERO: 153},
    Moment.ASKED_FLOR: {Word.NO_QUIERO: 900, Word.FLOR: 60, Word.RAISED_FLOR: 20, Word.QUIERO: 20},
    Moment.OTHER: {Word.QUIERO: 600, Word.NO_QUIERO: 300, Word.BET_WON: 900},
}  # fmt: skip
_WORDS: Final = {
    Action.ENVIDO: Word.ENVIDO, Action.ENVIT: Word.ENVIDO,
    Action.REAL_ENVIDO: Word.REAL_ENVIDO, Action.TORNE: Word.REAL_ENVIDO,
    Action.FALTA_ENVIDO: Word.FALTA_ENVIDO, Action.FALTA: Word.FALTA_ENVIDO,
    Action.FLOR: Word.FLOR,
    Action.CONTRAFLOR: Word.RAISED_FLOR, Action.CONTRAFLOR_RESTO: Word.RAISED_FLOR,
    Action.QUIERO: Word.QUIERO, Action.PRIVO: Word.QUIERO, Action.MAO_PLAY: Word.QUIERO,
    Action.NO_QUIERO: Word.NO_QUIERO, Action.NO_FLOR: Word.NO_QUIERO,
    Action.NO_PRIVO: Word.NO_QUIERO, Action.MAO_RUN: Word.NO_QUIERO,
    Action.FIRST_TRICK_DONE: Word.FIRST_TRICK,
    Action.ENVIDO_WON: Word.BET_WON, Action.FLOR_WON: Word.BET_WON, Action.HAND_WON: Word.WON,
    Action.FOLD: Word.FOLD,
}  # fmt: skip
_LADDER: Final = ("TRUCO", "RETRUCO", "VALE_CUATRO")


def moment_of(game: Game) -> Moment:
    """The row of ``FREQUENCIES`` for the next word of a hand that is not over."""
    hand, phase = game.hand, phase_of(game)
    rung = min(hand.truco.rung, 2)
    if phase is Phase.PENDING_TRUCO:
        return Moment[f"ASKED_{_LADDER[rung]}"]
    if phase is Phase.PENDING_ENVIDO and hand.envido.chain:
        return Moment[f"ASKED_{_WORDS.get(hand.envido.chain[-1], Word.ENVIDO).name}"]
    if phase is Phase.PENDING_FLOR:
        return Moment.ASKED_FLOR
    if phase is not Phase.PLAYING:
        return Moment.OTHER
    if not hand.first_trick:
        return Moment[_LADDER[min(hand.truco.rung, 3) - 1]] if hand.truco.rung else Moment.SILENT
    if hand.truco.rung:
        return Moment.FIRST_TRUCO
    is_silent = hand.envido.status is hand.flor.status is Status.IDLE
    return Moment.FIRST_SILENT if is_silent else Moment.FIRST_SETTLED


def word_of(game: Game, step: Step) -> Word | None:
    """The word of a step; None if people rarely say it, or not with a button."""
    if step.action in {rung.action for rung in game.rules.ladder}:
        return Word.TRUCO
    if step.action is Action.FALTA_ENVIDO and game.rules.opens_with_numbers:
        return None  # among so many numbers it takes a hold, or ten taps
    return _WORDS.get(step.action) if step.amount is None else None


def next_step(game: Game, chance: Random) -> Step:
    """What people do next in this game, which is not over."""
    steps = legal(game)
    if game.hand.over:
        return next(step for step in steps if step.action is Action.NEW_HAND)
    shares = FREQUENCIES[moment_of(game)]
    said = [step for step in steps if word_of(game, step) in shares]
    if game.hand.special is not Special.NONE:
        # A mao de onze is not raised.
        said = [step for step in said if word_of(game, step) is not Word.TRUCO]
    words = [word for word in shares if word in {word_of(game, step) for step in said}]
    word = chance.choices(words, [shares[word] for word in words])[0]
    return chance.choice([step for step in said if word_of(game, step) is word])


def play(header: Header, seed: str) -> History:
    """A whole game of that header; equal for equal seeds."""
    chance, history = Random(seed), History(header.game())
    while history.game.winner is None:
        history.play(next_step(history.game, chance))
    return history


def sheet_of(variant: str, seed: int) -> str:
    """A made-up game as a score sheet, with its result in a tag."""
    tags = [("Event", f"Made up, seed {seed}"), ("Variant", variant)]
    history = play(header_of(tags), f"{variant} {seed}")
    document = state_document(history.game)
    result = " ".join(f"{side}={points}" for side, points in document["score"].items())
    tags.append(("Expect", f"{result} winner={document['winner']}"))
    return "\n".join([header_text(tags), *map(step_text, history.steps), ""])


def recording_of(sheet: str) -> Mapping[str, Any]:
    """A sheet of one game in the form of a recording, as ``recorded_games`` plays it."""
    header, *lines = read_sheet(sheet.encode().splitlines())
    assert isinstance(header, Header)
    tags = dict(header.tags)
    *points, winner = (word.partition("=")[2] for word in tags["Expect"].split())
    sides = header.rules.scoring_sides
    return {
        "id": f"{tags['Variant']}, {tags['Event']}",
        "variant": tags["Variant"],
        "options": {"mano": str(header.game().mano)} if header.game().gallo is None else {},
        "steps": [
            tuple(step_text(line.step).split()) for line in lines if isinstance(line, SheetLine)
        ],
        "expect": {"score": dict(zip(sides, map(int, points), strict=True)), "winner": winner},
    }


@cache
def kept(variant: str = "") -> tuple[Mapping[str, Any], ...]:
    """The games of the folder, of that truco or of all."""
    paths = sorted(FOLDER.glob(f"{variant or '*'}-[0-9]*.truco"))
    return tuple(recording_of(path.read_text(encoding="utf-8")) for path in paths)


def main() -> None:
    """Write the games of ``SEEDS``."""
    FOLDER.mkdir(exist_ok=True)
    for variant, count in SEEDS.items():
        for seed in range(1, count + 1):
            path = FOLDER / f"{variant}-{seed}.truco"
            path.write_text(sheet_of(variant, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
