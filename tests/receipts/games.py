"""Games for slips: from score lines or sheets of recorded games, with a clock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scorer.receipts.played_game import PlayedGame, SlipRow
from scorer.rules import (
    Game,
    Header,
    Refusal,
    Side,
    Start,
    find_variant,
    header_text,
    new_game,
    read_sheet,
    rules_for,
    step_text,
    tags_of,
)
from scorer.session.values.record import append_press, new_record
from tests.paths import GAMES

SHEETS = sorted(GAMES.glob("*.truco"))
LONG = ("Los Guapos del Almacén de la Esquina", "Ñandúes, Çàlçots & Corações", "Ü·Ï·À·È·Ò")
HALF_A_MINUTE = 30_000  # milliseconds


def row(number: int, line: str, *, trusted: bool = True) -> SlipRow:
    """One press a row, half a minute apart, from seven past nine in the evening on."""
    seconds = number * HALF_A_MINUTE // 1000
    wall = (
        f"2026-11-21T{21 + (420 + seconds) // 3600:02d}:{(420 + seconds) // 60 % 60:02d}:00+00:00"
    )
    return SlipRow(number, number, line, "boot", number * HALF_A_MINUTE, wall, trusted)


def played_game(
    variant: str = "argentine",
    lines: Sequence[str] = (),
    *,
    names: Sequence[str] = ("Los Pibes", "La Yunta", "Los Tauras"),
    number: int = 12,
    language: str = "es-AR",
    trusted: bool = True,
    **options: str | int | bool,
) -> PlayedGame:
    """A game of one press a line."""
    game = new_game(Start(rules_for(find_variant(variant), options)))
    called = dict(zip(game.rules.scoring_sides, names, strict=False))
    return _build_game(game, called, lines, number, language, trusted=trusted)


def game_of_sheet(path: Path, names: Sequence[str] = (), language: str = "es-AR") -> PlayedGame:
    """The last game of a sheet, with what its rules accept of it."""
    header, lines, record = None, list[str](), None
    with path.open("rb") as file:
        for each in read_sheet(file):
            if isinstance(each, Header):
                header, lines, record = each, [], new_record(each.game())
                continue
            assert record is not None
            after = append_press(record, (each.step,))
            if not isinstance(after, Refusal):
                record = after
                lines.append(step_text(each.step))
    assert header is not None
    called = dict(zip(header.rules.scoring_sides, names, strict=False)) or dict(header.names)
    return _build_game(header.game(), called, lines, 7, language, trusted=True)


def _build_game(
    game: Game,
    called: dict[Side, str],
    lines: Sequence[str],
    number: int,
    language: str,
    *,
    trusted: bool,
) -> PlayedGame:
    rows = tuple(row(at, line, trusted=trusted) for at, line in enumerate(lines, 1))
    return PlayedGame(number, header_text(tags_of(game, called)), rows, language, device="truco")
