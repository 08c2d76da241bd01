"""``season.toml``: the rules of a season, its evenings, the keys of its halls.

docs/reference/season.md has every key. All problems are reported with their lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from scorer.circuit.formula import MAX_POINTS, Formula, FormulaError
from scorer.config.owner_variants import FileProblem
from scorer.config.toml_reader import ConfigError, KeyLines, parse_toml, read_text
from scorer.hall.fields import hexadecimal
from scorer.i18n import has_language, nearest_language
from scorer.plain_values import Count, Found, OneLine, Range, WrongValues, read
from scorer.rules.notation import one_line

Ranked = Literal["pairs", "persons"]
Tie = Literal["wins", "firsts", "direct"]
Name = Annotated[str, OneLine(80)]
Points = Annotated[int, Range(0, MAX_POINTS)]
MAX_SOURCES: Final = 1000
_MAX_KEYS: Final = 1000


def _day_problems(since: str, until: str) -> Iterator[Found]:
    """What is wrong with a first and a last day; "": any."""
    for name, day in (("since", since), ("until", until)):
        if day and not is_day(day):
            yield name, "is no day; write it like 2026-03-06"
    if since and until and until < since:
        yield "until", "is before since"


class SeasonSection(NamedTuple):
    """What the season is, and where its evenings are: files, folders and addresses."""

    title: Name
    evenings: Annotated[tuple[Annotated[str, OneLine(400)], ...], Count(1, MAX_SOURCES)]
    ranked: Ranked = "pairs"
    since: str = ""
    until: str = ""
    categories: Annotated[tuple[Name, ...], Count(0, 20)] = ()
    language: str = "es-AR"
    private_addresses: bool = False
    all_names: bool = False

    def is_of_season(self, day: str) -> bool:
        """Whether the evenings of a day count."""
        return (self.since or day) <= day <= (self.until or day)

    def find_problems(self) -> Iterator[Found]:
        if not has_language(self.language):
            yield "language", f"there are no texts in {self.language!r}; write one such as es-AR"
        yield from _day_problems(self.since, self.until)
        for at, source in enumerate(self.evenings):
            if sentence := source_problem(source):
                yield ("evenings", str(at)), sentence


class PointsSection(NamedTuple):
    """The points of an evening."""

    places: Annotated[tuple[Points, ...], Count(0, 1000)] = ()
    formula: str = ""
    win: Points = 0
    taking_part: Points = 0
    winner: Points = 0

    def find_problems(self) -> Iterator[Found]:
        if self.places and self.formula:
            yield "formula", "there are places too; keep one of the two"
        if self.formula:
            try:
                Formula(self.formula)
            except FormulaError as error:
                yield "formula", str(error)
        elif not any((*self.places, self.win, self.taking_part, self.winner)):
            yield "places", "no evening gives a point; write places, a formula or another key"


class CountingSection(NamedTuple):
    """Which evenings count, and what decides between equal points."""

    best: Annotated[int, Range(0, 1000)] = 0
    discards: Annotated[int, Range(0, 1000)] = 0
    least_evenings: Annotated[int, Range(0, 1000)] = 0
    ties: Annotated[tuple[Tie, ...], Count(0, 3)] = ("wins", "firsts", "direct")

    def find_problems(self) -> Iterator[Found]:
        if self.best and self.discards:
            yield "discards", "there is best too; keep one of the two"
        if len(set(self.ties)) < len(self.ties):
            yield "ties", "it has one twice"


class ClubsSection(NamedTuple):
    """The table of the clubs.

    ``best``: so many teams of a club count in an evening; 0: all.
    """

    best: Annotated[int, Range(0, 1000)] = 0


class FinalSection(NamedTuple):
    """How many of each table play the final."""

    qualified: Annotated[int, Range(2, 1000)]


class KeySection(NamedTuple):
    """A key by which a hall signs, and the first and the last day of it, or ""."""

    hall: Name
    key: Annotated[str, hexadecimal(64)]
    since: str = ""
    until: str = ""

    def find_problems(self) -> Iterator[Found]:
        yield from _day_problems(self.since, self.until)


class Season(NamedTuple):
    """The rules of a season, read from its file."""

    season: SeasonSection
    points: PointsSection
    key: Annotated[tuple[KeySection, ...], Count(1, _MAX_KEYS)]
    counting: CountingSection = CountingSection()
    clubs: ClubsSection | None = None
    final: FinalSection | None = None

    @property
    def language(self) -> str:
        """The catalogue of its language."""
        return nearest_language(self.season.language)

    @property
    def ranks_teams(self) -> bool:
        """Whether its tables are of teams, not of persons."""
        return self.season.ranked == "pairs"


class WrongFile(Exception):
    """A file of the organiser that is wrong, with every problem."""

    def __init__(self, *problems: FileProblem) -> None:
        super().__init__(*problems)
        self.problems = problems


def is_day(text: str) -> bool:
    """Whether a text is a day such as 2026-03-06."""
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def is_address(source: str) -> bool:
    """Whether a source of evenings is on another machine."""
    return re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", source) is not None


def source_problem(source: str) -> str:
    """What is wrong with a source of evenings; "" if it can be read."""
    if is_address(source):
        return "" if source.startswith("https://") else "is no address that begins with https://"
    path = Path(source)
    if path.is_absolute() or ".." in path.parts:
        return f"{source!r} leaves the folder of the season; put the evenings below it"
    return ""


def load_season(path: Path) -> Season:
    """The season of a file.

    Raises OSError, and WrongFile with every problem and its line.
    """
    values, lines = read_values(path, MAX_SEASON_CHARS)
    try:
        return read(Season, values)
    except WrongValues as error:
        raise wrong_file(path, lines, error) from None


MAX_SEASON_CHARS: Final = 256 * 1024


def read_values(path: Path, most_chars: int) -> tuple[dict[str, Any], KeyLines]:
    """The values of a TOML file, days as texts, and their lines.

    Raises OSError or WrongFile.
    """
    text = read_text(path, most_chars)
    try:
        values = parse_toml(text, most_chars)
    except ConfigError as error:
        raise WrongFile(*(FileProblem(path, *each) for each in error.problems)) from None
    return {key: _with_days(value) for key, value in values.items()}, KeyLines(text)


def wrong_file(path: Path, lines: KeyLines, error: WrongValues) -> WrongFile:
    """The problems of values with the lines of their keys."""
    return WrongFile(
        *(
            FileProblem(path, lines.line_of(*each.path), one_line(str(each)))
            for each in error.problems
        )
    )


def _with_days(value: object) -> object:
    """The value with each day as a text, with and without quotes in the file."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _with_days(each) for key, each in value.items()}
    return [_with_days(each) for each in value] if isinstance(value, list) else value
