"""Tables of a tournament as CSV for spreadsheets, without formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from scorer.hub.paper.names import Names
from scorer.tournament.format import PhaseFormat

_MARK = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int


def csv_tables(names: Names) -> dict[str, Callable[[], bytes]]:
    """What writes each table, by the name of its file."""
    standings = {
        f"standings-{phase.id}": partial(standings_csv, names, phase)
        for phase in names.state.format.phases
        if phase.id in names.state.stages
    }
    return {"teams": partial(teams_csv, names), "matches": partial(matches_csv, names), **standings}


def teams_csv(names: Names) -> bytes:
    """The teams, as ``entry_list.read_entries`` reads them."""
    format_ = names.state.format
    head = [names.say("paper.team")]
    head += [f"{names.say('paper.player')} {at}" for at in range(1, format_.players + 1)]
    head += [f"{names.say('paper.reserve')} {at}" for at in range(1, format_.reserves + 1)]
    head += [names.say("paper.club"), names.say("paper.seed")]
    rows = (
        (
            each.name,
            *_filled(each.players, format_.players),
            *_filled(each.reserves, format_.reserves),
            each.club,
            each.seed or "",
        )
        for each in names.state.teams.values()
    )
    return _encoded(names, head, rows)


def matches_csv(names: Names) -> bytes:
    """Every match of the phases that have begun, with its result."""
    words = ("paper.match", "paper.phase", "paper.fixtures", "paper.team", "paper.team")
    scores = ("paper.games", "paper.points_for")
    head = [names.say(each) for each in (*words, "paper.winner")]
    head += [f"{names.say(key)} {side}" for key in scores for side in (1, 2)]
    head.append(names.say("paper.ending"))
    rows = []
    for match in names.state.matches():
        result = names.reader.result(match.id)
        winner = names.reader.winner(match.id)
        phase = names.phase(names.reader.phase_of(match.id))
        row: list[Cell] = [match.id, phase, names.stage(match), *names.sides(match)]
        row.append(names.team(winner) if winner else "")
        row += [*result.games, *result.points] if result else [""] * 4
        row.append(names.say(f"paper.ending.{result.ending.value}") if result else "")
        rows.append(row)
    return _encoded(names, head, rows)


def standings_csv(names: Names, phase: PhaseFormat) -> bytes:
    """The standings of a phase, zone after zone, with the values of the tie-breaks."""
    stage = names.state.stages[phase.id]
    head = [names.say("paper.phase"), *(names.say(each) for each in ("paper.rank", "paper.team"))]
    head += [names.say(f"paper.{each.value}") for each in phase.tiebreaks]
    rows = []
    for zone in range(1, len(stage.zones) + 1) if stage.zones else (0,):
        title = names.say("paper.zone", n=zone) if zone else names.phase(phase)
        for each in names.reader.standings(phase.id, zone):
            pairs = zip(phase.tiebreaks, each.values, strict=False)
            values = [_number(names.value(*pair)) for pair in pairs]
            values += [""] * (len(phase.tiebreaks) - len(values))
            rows.append([title, each.rank, names.team(each.team), *values])
    return _encoded(names, head, rows)


def _filled(names: Sequence[str], count: int) -> list[str]:
    return [*names, *([""] * (count - len(names)))][:count]


def _number(text: str) -> Cell:
    """A whole number as such: a sign before it is no formula."""
    try:
        return int(text)
    except ValueError:
        return text


def _encoded(names: Names, head: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> bytes:
    # Where the comma is in numbers, spreadsheets part cells by semicolons.
    separator = "," if names.language.startswith("en") else ";"
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerows([_safe(cell) for cell in row] for row in (head, *rows))
    return (_MARK + text.getvalue()).encode()


def _safe(cell: Cell) -> Cell:
    """An apostrophe before a formula: a spreadsheet shows the text."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
