"""Read a list of teams that was pasted, or saved by a spreadsheet.

A line is one team: name, players, reserves, club, seed, parted by tabs, semicolons or commas. A
heading may give another order. Every line is reported before a team enters: errors, and questions
that a person answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorer.plain_values.names import is_visible
from scorer.tournament.events import ChangeTeam, Enter, NameTournament
from scorer.tournament.names import folded, plain
from scorer.tournament.pasted_list import (
    BLANK,
    EntryFault,
    LineReport,
    ListColumn,
    ListLine,
    read_lines,
)
from scorer.tournament.tournament import Tournament

MAX_CHARS = 200_000
MAX_NAME = 40
_JOINERS = "\u200c\u200d"  # parts of words in Arabic and Indic scripts
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_LEAST_SIMILAR = 4  # letters of names that are compared
# Answers in a column of consents, without accents.
_YES = frozenset("si sim s yes y oui x 1 true ok ✓ ✔ ☑ ✅".split())
_NO = frozenset(("", *"no nao n 0 false".split()))


class EntryList(NamedTuple):
    """The teams of a list, in order, and what is reported of its lines.

    ``columns``: of its heading, if it has one.
    """

    entries: tuple[Enter, ...]
    errors: tuple[LineReport, ...]
    questions: tuple[LineReport, ...]
    columns: tuple[ListColumn, ...] = ()


def read_entries(text: str, state: Tournament) -> EntryList:
    """The teams in ``text`` that could enter; with an error on a line, not that one."""
    if len(text) > MAX_CHARS:
        report = LineReport(1, EntryFault.TOO_LONG_LIST, limit=MAX_CHARS)
        return EntryList((), (report,), ())
    pasted = read_lines(text)
    kinds = [each.kind for each in pasted.columns] or _default_columns(state)
    errors: list[LineReport] = []
    found: list[tuple[int, Enter]] = []
    for line in pasted.lines:
        wrong = _cell_errors(line, kinds)
        if not wrong:
            team, wrong = _team(line, kinds, state)
        if wrong:
            errors += wrong
        else:
            found.append((line.number, team))
    kept, refused = _without_conflicts(found, state)
    errors += refused
    questions = [*pasted.questions, *_odd_cells(kept), *_same_seeds(kept, state)]
    questions += _similar(kept, state)
    return EntryList(
        tuple(team for _, team in kept),
        tuple(sorted(errors, key=lambda each: each.line)),
        tuple(sorted(questions, key=lambda each: each.line)),
        pasted.columns,
    )


# ---- lines --------------------------------------------------------------------------------------


def _default_columns(state: Tournament) -> tuple[str, ...]:
    format_ = state.format
    people = ("player",) * format_.players + ("reserve",) * format_.reserves
    return ("name", *people, "club", "seed")


def _cell_errors(line: ListLine, kinds: Sequence[str]) -> list[LineReport]:
    found = []
    for at, cell in enumerate(line.cells):
        is_taken = at >= len(kinds) or kinds[at]
        if is_taken and (fault := cell_fault(cell)):
            shown = "".join(c if c.isprintable() else "\ufffd" for c in cell)[:MAX_NAME]
            limit = MAX_NAME if fault is EntryFault.TOO_LONG else 0
            found.append(LineReport(line.number, fault, shown, limit=limit))
    return found


def cell_fault(cell: str) -> EntryFault | None:
    """What is wrong with one text of a team."""
    if any(unicodedata.category(c) in _HIDDEN and c not in _JOINERS for c in cell):
        return EntryFault.CONTROL
    if cell.startswith(("=", "+", "-", "@")) and cell not in BLANK:
        return EntryFault.FORMULA
    return EntryFault.TOO_LONG if len(cell) > MAX_NAME else None


def may_be_listed(team: Enter | ChangeTeam | NameTournament) -> bool:
    """True if a list may have every text of this team, and its name is visible.

    A tournament need not have a name.
    """
    if isinstance(team, NameTournament):
        texts = [each for each in (team.name, team.category) if each]
        return all(map(is_visible, texts)) and not any(map(cell_fault, texts))
    cells = (team.name, *team.players, *team.reserves, team.club)
    return is_visible(team.name) and not any(map(cell_fault, cells))


def _team(
    line: ListLine, columns: Sequence[str], state: Tournament
) -> tuple[Enter, list[LineReport]]:
    cells = [cell if cell not in BLANK else "" for cell in line.cells]
    while len(cells) > len(columns) and not cells[-1]:
        cells.pop()

    def of(column: str) -> tuple[str, ...]:
        pairs = zip(columns, cells, strict=False)
        return tuple(cell for kind, cell in pairs if kind == column and cell)

    once = ("name", "club", "seed", "consent")
    name, club, seed, consent = ("".join(of(column)[:1]) for column in once)
    players, reserves = of("player"), of("reserve")
    if "name" not in columns:
        name = " / ".join(players)
    most = state.format.reserves
    wrong = [
        (len(cells) > len(columns), LineReport(0, EntryFault.COLUMNS, limit=len(columns))),
        (not is_visible(name), LineReport(0, EntryFault.NO_NAME)),
        (len(name) > MAX_NAME, LineReport(0, EntryFault.TOO_LONG, name[:MAX_NAME], limit=MAX_NAME)),
        (
            len(players) not in (0, state.format.players),
            LineReport(0, EntryFault.PLAYERS, str(len(players)), limit=state.format.players),
        ),
        (len(reserves) > most, LineReport(0, EntryFault.RESERVES, str(len(reserves)), limit=most)),
        (bool(seed) and not _is_seed(seed), LineReport(0, EntryFault.SEED, seed)),
        (plain(consent) not in _YES | _NO, LineReport(0, EntryFault.CONSENT, consent)),
    ]
    reports = [report._replace(line=line.number) for is_wrong, report in wrong if is_wrong]
    number = int(seed) if _is_seed(seed) else 0
    consents = plain(consent) in _YES
    return Enter(name, players, reserves, club, number, consents), reports[:1]


def _is_seed(text: str) -> bool:
    return re.fullmatch("[0-9]{1,4}", text) is not None


# ---- among the teams ----------------------------------------------------------------------------


def _without_conflicts(
    found: Iterable[tuple[int, Enter]], state: Tournament
) -> tuple[list[tuple[int, Enter]], list[LineReport]]:
    """The teams with a new name and new players, and the errors of the others."""
    names = {folded(each.name): 0 for each in state.teams.values()}
    people = {
        folded(person): 0
        for each in state.teams.values()
        for person in (*each.players, *each.reserves)
    }
    room = state.format.teams[1] - len(state.teams)
    kept: list[tuple[int, Enter]] = []
    errors = []
    left_over = 0  # the first line for which there is no place
    for line, team in found:
        own = [*team.players, *team.reserves]
        twice = [each for at, each in enumerate(own) if folded(each) in map(folded, own[:at])]
        taken = [each for each in own if folded(each) in people]
        if (name := folded(team.name)) in names:
            errors.append(LineReport(line, EntryFault.DUPLICATE, team.name, names[name]))
        elif shared := [*taken, *twice]:
            other = people.get(folded(shared[0]), line)
            errors.append(LineReport(line, EntryFault.PLAYER_TWICE, shared[0], other))
        elif len(kept) < room:
            names[name] = line
            people.update((folded(each), line) for each in own)
            kept.append((line, team))
        elif not left_over:
            left_over = line
    if left_over:
        errors.append(LineReport(left_over, EntryFault.FULL, limit=state.format.teams[1]))
    return kept, errors


def _odd_cells(teams: Iterable[tuple[int, Enter]]) -> Iterable[LineReport]:
    """A question for each player or club that seems to be of another column."""
    for line, team in teams:
        for person in (*team.players, *team.reserves):
            if not _has_letters(person) or plain(person).startswith(("club ", "clube ")):
                yield LineReport(line, EntryFault.ODD_PLAYER, person)
        if team.club and not _has_letters(team.club):
            yield LineReport(line, EntryFault.ODD_CLUB, team.club)


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _same_seeds(teams: Iterable[tuple[int, Enter]], state: Tournament) -> Iterable[LineReport]:
    """A question for each team with the seed of one before it."""
    known = {each.seed: (0, each.name) for each in state.teams.values()}
    for line, team in teams:
        if team.seed and (other := known.setdefault(team.seed, (line, team.name))) != (
            line,
            team.name,
        ):
            yield LineReport(line, EntryFault.SAME_SEED, team.name, *other, limit=team.seed)


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
