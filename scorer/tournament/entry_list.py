"""Read a list of teams that was pasted, or saved by a spreadsheet.

A line is one team: name, players, reserves, club, seed, parted by tabs, semicolons or commas. A
first line of column names may give another order. Every line is reported before a team enters:
errors, and questions that a person answers.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from scorer.plain_values.names import is_visible
from scorer.tournament.events import ChangeTeam, Enter
from scorer.tournament.tournament import Tournament

MAX_CHARS = 200_000
MAX_NAME = 40
_BLANK = ("", "-", "–", "—")
_SEPARATORS = "\t;,"
_JOINERS = "\u200c\u200d"  # parts of words in Arabic and Indic scripts
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_LEAST_SIMILAR = 4  # letters of names that are compared
_COLUMNS: Mapping[str, str] = {
    word: column
    for column, words in {
        "name": "name team equipo pareja trio nombre nome dupla equipe time equip parella nom",
        "player": "player players jugador jugadores jogador jogadores jugadors jugadora",
        "reserve": "reserve reserves reserva reservas suplente suplentes suplent suplents",
        "club": "club clube",
        "seed": "seed siembra cabeza cabeca cap",
    }.items()
    for word in words.split()
}


class EntryFault(StrEnum):
    """What is wrong with a line, or asked about it."""

    TOO_LONG_LIST = "too_long_list"
    CONTROL = "control"  # a character that cannot be seen
    FORMULA = "formula"
    NO_NAME = "no_name"
    TOO_LONG = "too_long"
    COLUMNS = "columns"  # more cells than the format has
    PLAYERS = "players"
    RESERVES = "reserves"
    SEED = "seed"
    DUPLICATE = "duplicate"
    PLAYER_TWICE = "player_twice"
    FULL = "full"  # reported once, of the first line without a place
    SIMILAR = "similar"  # a question


class LineReport(NamedTuple):
    """An error or a question about a line, from 1.

    ``text``: the words concerned. ``other``: another line, 0 for a team that has entered.
    ``limit``: the number that is allowed.
    """

    line: int
    fault: EntryFault
    text: str = ""
    other: int = 0
    other_text: str = ""
    limit: int = 0


class EntryList(NamedTuple):
    """The teams of a list, in order, and what is reported of its lines."""

    entries: tuple[Enter, ...]
    errors: tuple[LineReport, ...]
    questions: tuple[LineReport, ...]


class _Line(NamedTuple):
    number: int
    cells: tuple[str, ...]


def read_entries(text: str, state: Tournament) -> EntryList:
    """The teams in ``text`` that could enter; with an error on a line, not that one."""
    if len(text) > MAX_CHARS:
        report = LineReport(1, EntryFault.TOO_LONG_LIST, limit=MAX_CHARS)
        return EntryList((), (report,), ())
    lines = _lines(text)
    columns = _header(lines[0].cells) if lines else None
    if columns:
        lines = lines[1:]
    errors: list[LineReport] = []
    found: list[tuple[int, Enter]] = []
    for line in lines:
        wrong = _cell_errors(line)
        if not wrong:
            team, wrong = _team(line, columns or _default_columns(state), state)
        if wrong:
            errors += wrong
        else:
            found.append((line.number, team))
    kept, refused = _without_conflicts(found, state)
    errors += refused
    return EntryList(
        tuple(team for _, team in kept),
        tuple(sorted(errors, key=lambda each: each.line)),
        tuple(_similar(kept, state)),
    )


# ---- lines --------------------------------------------------------------------------------------


def _lines(text: str) -> list[_Line]:
    """The lines that are not empty, in cells."""
    raw = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    separator = max(_SEPARATORS, key=lambda each: sum(each in line for line in raw))
    # Line by line: a quotation mark that is never closed does not swallow the teams after it.
    cells = (next(csv.reader([line], delimiter=separator), []) for line in raw)
    lines = (_Line(at, tuple(map(_tidy, row))) for at, row in enumerate(cells, 1))
    return [each for each in lines if any(cell not in _BLANK for cell in each.cells)]


def _tidy(cell: str) -> str:
    tidy = " ".join(unicodedata.normalize("NFC", cell).split(" ")).strip()
    return re.sub(" +", " ", tidy)


def _header(cells: Sequence[str]) -> tuple[str, ...] | None:
    """The column of each cell, if the first line has names of columns only."""
    columns = tuple(map(_column, cells))
    return columns if columns.count("name") == 1 and all(columns) else None


def _column(cell: str) -> str:
    """The column that a cell of the first line names, such as "jugador 1"; "": none."""
    first, *more = plain(cell).split(" ") or [""]
    column = _COLUMNS.get(first, "")
    # "Equipo Sur" is a team.
    return "" if column == "name" and more else column


def _default_columns(state: Tournament) -> tuple[str, ...]:
    format_ = state.format
    people = ("player",) * format_.players + ("reserve",) * format_.reserves
    return ("name", *people, "club", "seed")


def _cell_errors(line: _Line) -> list[LineReport]:
    found = []
    for cell in line.cells:
        if fault := cell_fault(cell):
            shown = "".join(c if c.isprintable() else "\ufffd" for c in cell)[:MAX_NAME]
            limit = MAX_NAME if fault is EntryFault.TOO_LONG else 0
            found.append(LineReport(line.number, fault, shown, limit=limit))
    return found


def cell_fault(cell: str) -> EntryFault | None:
    """What is wrong with one text of a team."""
    if any(unicodedata.category(c) in _HIDDEN and c not in _JOINERS for c in cell):
        return EntryFault.CONTROL
    if cell.startswith(("=", "+", "-", "@")) and cell not in _BLANK:
        return EntryFault.FORMULA
    return EntryFault.TOO_LONG if len(cell) > MAX_NAME else None


def may_be_listed(team: Enter | ChangeTeam) -> bool:
    """True if a list may have every text of this team, and its name is visible."""
    cells = (team.name, *team.players, *team.reserves, team.club)
    return is_visible(team.name) and not any(map(cell_fault, cells))


def _team(line: _Line, columns: Sequence[str], state: Tournament) -> tuple[Enter, list[LineReport]]:
    cells = [cell if cell not in _BLANK else "" for cell in line.cells]
    while len(cells) > len(columns) and not cells[-1]:
        cells.pop()

    def of(column: str) -> tuple[str, ...]:
        pairs = zip(columns, cells, strict=False)
        return tuple(cell for kind, cell in pairs if kind == column and cell)

    name, club, seed = ("".join(of(column)[:1]) for column in ("name", "club", "seed"))
    players, reserves = of("player"), of("reserve")
    most = state.format.reserves
    wrong = [
        (len(cells) > len(columns), LineReport(0, EntryFault.COLUMNS, limit=len(columns))),
        (not is_visible(name), LineReport(0, EntryFault.NO_NAME)),
        (
            len(players) not in (0, state.format.players),
            LineReport(0, EntryFault.PLAYERS, str(len(players)), limit=state.format.players),
        ),
        (len(reserves) > most, LineReport(0, EntryFault.RESERVES, str(len(reserves)), limit=most)),
        (bool(seed) and not _is_seed(seed), LineReport(0, EntryFault.SEED, seed)),
    ]
    reports = [report._replace(line=line.number) for is_wrong, report in wrong if is_wrong]
    number = int(seed) if _is_seed(seed) else 0
    return Enter(name, players, reserves, club, number), reports[:1]


def _is_seed(text: str) -> bool:
    return re.fullmatch("[0-9]{1,4}", text) is not None


# ---- among the teams ----------------------------------------------------------------------------


def _without_conflicts(
    found: Iterable[tuple[int, Enter]], state: Tournament
) -> tuple[list[tuple[int, Enter]], list[LineReport]]:
    """The teams with a new name and new players, and the errors of the others."""
    names = {_folded(each.name): 0 for each in state.teams.values()}
    people = {
        _folded(person): 0
        for each in state.teams.values()
        for person in (*each.players, *each.reserves)
    }
    room = state.format.teams[1] - len(state.teams)
    kept: list[tuple[int, Enter]] = []
    errors = []
    left_over = 0  # the first line for which there is no place
    for line, team in found:
        own = [*team.players, *team.reserves]
        twice = [each for at, each in enumerate(own) if _folded(each) in map(_folded, own[:at])]
        taken = [each for each in own if _folded(each) in people]
        if (name := _folded(team.name)) in names:
            errors.append(LineReport(line, EntryFault.DUPLICATE, team.name, names[name]))
        elif shared := [*taken, *twice]:
            other = people.get(_folded(shared[0]), line)
            errors.append(LineReport(line, EntryFault.PLAYER_TWICE, shared[0], other))
        elif len(kept) < room:
            names[name] = line
            people.update((_folded(each), line) for each in own)
            kept.append((line, team))
        elif not left_over:
            left_over = line
    if left_over:
        errors.append(LineReport(left_over, EntryFault.FULL, limit=state.format.teams[1]))
    return kept, errors


def _similar(teams: Iterable[tuple[int, Enter]], state: Tournament) -> Iterable[LineReport]:
    """A question for each name that is like one before it."""
    known: dict[tuple[str, str], tuple[int, str]] = {}
    entered = [(0, each.name) for each in state.teams.values()]
    for at, (line, name) in enumerate([*entered, *((line, team.name) for line, team in teams)]):
        spellings = _spellings(name)
        other = next((known[each] for each in spellings if each in known), None)
        if other and at >= len(entered):
            yield LineReport(line, EntryFault.SIMILAR, name, *other)
        for each in spellings:
            known.setdefault(each, (line, name))


def _spellings(name: str) -> list[tuple[str, str]]:
    """The letters of a name, and those with one left out, each with its digits.

    Names with a common spelling differ by one letter, or by two that are exchanged. Digits number
    teams of one club: such names are meant to differ.
    """
    letters = "".join(c for c in plain(name) if c.isalpha())
    digits = "".join(c for c in name if c.isdecimal())
    if len(letters) < _LEAST_SIMILAR:
        return [(letters, digits)] if letters else []
    shorter = (letters[:at] + letters[at + 1 :] for at in range(len(letters)))
    return [(each, digits) for each in dict.fromkeys([letters, *shorter])]


def plain(text: str) -> str:
    """The text in small letters, without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))


def _folded(name: str) -> str:
    """As two names are compared when a team enters."""
    return " ".join(name.casefold().split())
