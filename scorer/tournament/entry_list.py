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
from scorer.tournament.list_cells import BLANK, ListLine
from scorer.tournament.model import Team
from scorer.tournament.names import NameIndex, folded, name_key, plain
from scorer.tournament.pasted_list import EntryFault, LineReport, ListColumn, as_read, read_lines
from scorer.tournament.tournament import Tournament

MAX_CHARS = 200_000
MAX_NAME = 40
_JOINERS = "\u200c\u200d"  # parts of words in Arabic and Indic scripts
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_RANKINGS = ("rank",)  # in the title of a column
_SHOWN_SEEDS = 4  # in a question, and the last one
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
    kinds, asked = [each.kind for each in pasted.columns], list[LineReport]()
    if not kinds:
        kinds, asked = _default_columns(state, pasted.lines)
    lines, merged = with_merged_clubs(pasted.lines, kinds)
    errors: list[LineReport] = []
    found: list[tuple[int, Enter]] = []
    for line in lines:
        wrong = _cell_errors(line, kinds)
        if not wrong:
            team, wrong = _team(line, kinds, state)
        if wrong:
            errors += wrong
        else:
            found.append((line.number, team))
    kept, refused = _without_conflicts(found, state)
    errors += refused
    ranking = next((plain(each.title) for each in pasted.columns if each.kind == "seed"), "")
    kept, counted = with_seeds(kept, state, ranking)
    questions = [*pasted.questions, *asked, *merged, *counted, *_odd_cells(kept)]
    questions += [*_same_seeds(kept, state), *_similar(kept, state)]
    return EntryList(
        tuple(team for _, team in kept),
        tuple(sorted(errors, key=lambda each: each.line)),
        tuple(sorted(questions, key=lambda each: each.line)),
        pasted.columns,
    )


# ---- lines --------------------------------------------------------------------------------------


def _default_columns(
    state: Tournament, lines: Sequence[ListLine]
) -> tuple[list[str], list[LineReport]]:
    """The columns of a list without a heading, and a question about the last one.

    In the order of the format, but a column of reserves that several lines share has their clubs;
    so has the last one of two, unless "Pérez, Gómez" is in it.
    """
    players, reserves = state.format.players, state.format.reserves
    order = ["name", *["player"] * players, *["reserve"] * reserves, "club", "seed"]
    first = 1 + players  # of the reserves
    width = max((len(each.cells) for each in lines), default=0)
    is_name_and_club = width == 2 < first and not any(each.spaced for each in lines)
    people = {name_key(cell) for each in lines for cell in each.cells[1:first] if width > 2}
    for at in (1,) if is_name_and_club else range(first, first + reserves):
        cells = [(each.number, each.cells[at]) for each in lines if len(each.cells) > at]
        named = [(line, cell) for line, cell in cells if _has_letters(cell)]
        lines_of: dict[str, list[int]] = {}
        for line, cell in named:
            lines_of.setdefault(name_key(cell), []).append(line)
        for line, cell in named:
            _, *others = lines_of[name_key(cell)]
            if others and name_key(cell) not in people:
                report = LineReport(line, EntryFault.CLUB_COLUMN, cell, others[0], limit=at + 1)
                return [*order[:at], "club", "seed"], [report]
        if named and at == width - 1 >= first:
            line, cell = named[0]
            return order, [LineReport(line, EntryFault.RESERVE_COLUMN, cell, limit=at + 1)]
    return order, []


def with_merged_clubs(
    lines: Sequence[ListLine], kinds: Sequence[str]
) -> tuple[Sequence[ListLine], list[LineReport]]:
    """The lines, with the club of the line above where merged cells seem to have it.

    A spreadsheet saves merged cells as one text and empty cells below it: each club once. "-" is no
    club.
    """
    at = kinds.index("club") if "club" in kinds else len(kinds)
    cells = [each.cells[at] if len(each.cells) > at else "" for each in lines]
    clubs = [name_key(each) for each in cells if each]
    if not (cells and cells[0]) or len(clubs) in (1, len(cells)) or len(set(clubs)) < len(clubs):
        return lines, []
    found, asked = list[ListLine](), list[LineReport]()
    above = 0  # the line with the club
    for line, club in zip(lines, cells, strict=True):
        if club:
            above = line.number
            found.append(line)
            continue
        filled = [*line.cells[:at], *[""] * (at - len(line.cells)), found[-1].cells[at]]
        found.append(line._replace(cells=(*filled, *line.cells[at + 1 :])))
        if found[-1].cells[at] not in BLANK:
            text = as_read(each for each in line.cells if each not in BLANK)
            asked.append(LineReport(line.number, EntryFault.MERGED_CLUB, text, above, filled[at]))
    return found, asked


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


# ---- seeds -----------------------------------------------------------------------------------


def with_seeds(
    teams: Sequence[tuple[int, Enter]], state: Tournament, title: str
) -> tuple[list[tuple[int, Enter]], list[LineReport]]:
    """The teams, and a question if their seeds are not 1, 2, 3.

    ``title``: of the column. A ranking of which every number is above that of the teams has points:
    the highest is the first seed.
    """
    entered = {each.seed for each in state.teams.values()} - {0}
    listed = {team.seed for _, team in teams} - {0}
    is_counted = listed | entered == {*range(1, len(listed | entered) + 1)}
    if is_counted or len(listed) < 2:
        return [*teams], []
    is_ranking = not title or any(word in title for word in _RANKINGS)
    is_points = is_ranking and not entered and min(listed) > len(teams)
    order = {seed: at for at, seed in enumerate(sorted(listed, reverse=is_points), 1)}
    seeded = [(line, team) for line, team in teams if team.seed]
    seeded.sort(key=lambda pair: order[pair[1].seed])
    names = [f"{order[team.seed]} {team.name} ({team.seed})" for _, team in seeded]
    if len(names) > _SHOWN_SEEDS + 1:
        names[_SHOWN_SEEDS - 1 : -1] = ["…"]
    fault = EntryFault.SEEDS_AS_POINTS if is_points else EntryFault.SEEDS_NOT_COUNTED
    numbers = f"{min(listed)}–{max(listed)}"
    asked = LineReport(seeded[0][0], fault, numbers, 0, ", ".join(names), len(seeded))
    if is_points:
        teams = [(line, team._replace(seed=order.get(team.seed, 0))) for line, team in teams]
    return [*teams], [asked]


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


def _odd_cells(teams: Sequence[tuple[int, Enter]]) -> Iterable[LineReport]:
    """A question for each player or club that seems to be of another column."""
    clubs = {name_key(team.club) for _, team in teams if team.club}
    for line, team in teams:
        for person in _people(team):
            is_club = plain(person).startswith(("club ", "clube ")) or name_key(person) in clubs
            if is_club or not _has_letters(person):
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
    """A question for each team and player with a name like one before it.

    The same name in the same letters is an error.
    """
    entered = [(0, each) for each in state.teams.values()]
    names = NameIndex((each.name, (line, each.name)) for line, each in entered)
    people = NameIndex((each, (line, each)) for line, team in entered for each in _people(team))
    for line, team in teams:
        compared = [(team.name, names, EntryFault.SIMILAR)]
        compared += [(each, people, EntryFault.SIMILAR_PLAYER) for each in _people(team)]
        for name, index, fault in compared:
            for _, other in index.find(name)[:1]:
                yield LineReport(line, fault, name, *other)
            index.add(name, (line, name))


def _people(team: Team | Enter) -> tuple[str, ...]:
    return (*team.players, *team.reserves)
