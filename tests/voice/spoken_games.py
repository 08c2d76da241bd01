"""Records from lines of a score sheet, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from struct import iter_unpack

from scorer.rules import Refusal, SheetError, header_of, parse_step, state_document
from scorer.session.values.record import Record, append_press, new_record
from scorer.session.values.shown import SeriesGame
from scorer.voice.sentences import Speech, TableInfo
from scorer.voice.sound import SpokenSound

NAMES = ("Los Pibes", "La Yunta")


def played(
    variant: str,
    start: str,
    lines: Sequence[str],
    options: str = "",
    rematches: str = "",
    match: str = "",
) -> Record:
    """A game from the score ``start``; steps of one press are joined by "; "."""
    tags = [("Variant", variant), ("Mano", "A"), ("Start", start), ("Options", options)]
    tags += [("Rematches", rematches), ("Match", match)]
    record = new_record(header_of([tag for tag in tags if tag[1]]).game())
    for line in lines:
        steps = [parse_step(text, record.game.rules) for text in line.split("; ")]
        after = append_press(record, steps)
        assert not isinstance(after, Refusal), f"{line}: {after}"
        record = after
    return record


def said(
    record: Record,
    language: str,
    names: tuple[str, ...] = NAMES,
    next_game: SeriesGame | None = None,
) -> str:
    """What is said of the newest press, or of the start."""
    speech, table = Speech(language), TableInfo(names, next_game=next_game)
    if not record.past:
        return speech.of_start(record.game, table)
    return speech.of_press(record, table)


def random_presses(variant: str, count: int = 60) -> Iterator[Record]:
    """A game of random legal steps, after each of them."""
    chance = Random(variant)
    seats = ("Options", "gallo=A") if variant == "pata_gallo" else ("Mano", "A")
    record = new_record(header_of([("Variant", variant), seats]).game())
    for _ in range(count):
        legal = state_document(record.game)["legal"]
        if not legal:
            return
        side, action = chance.choice(legal)
        try:
            step = parse_step(f"{side} {action}", record.game.rules)
        except SheetError:
            continue  # an action with a number or a list
        after = append_press(record, (step,))
        if not isinstance(after, Refusal):
            record = after
            yield record


def peak(sound: SpokenSound) -> float:
    """The largest sample, from 0 to 1."""
    samples = [each[0] for each in iter_unpack("<h", sound.frames)]
    return max(map(abs, samples), default=0) / 32768
