"""The organiser's answers, ``people.toml``: which names are one, which are two.

The command adds the questions; the organiser writes true or false in place of "?". Everything else
in the file stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from scorer.circuit.season_file import Name, WrongFile, read_values, wrong_file
from scorer.config.owner_variants import FileProblem
from scorer.plain_values import Count, Found, OneLine, WrongValues, read
from scorer.system.replace_text import replace_text
from scorer.tournament.names import name_key

FILE: Final = "people.toml"
OPEN: Final = "?"
MAX_CHARS: Final = 4 * 1024 * 1024
_MAX_ENTRIES: Final = 20_000
_Written = Annotated[str, OneLine(300)]
_HEAD: Final = """\
# Names of this season that may be one. Answer each question once, in place of "?":
# same = true: they are one person, team or club; same = false: they are two.
# docs/reference/season.md has the other entries of this file.
"""


class NameKind(StrEnum):
    """What a name is of."""

    PERSON = "person"
    TEAM = "team"
    CLUB = "club"


class NameQuestion(NamedTuple):
    """Whether two names, as they are written in evenings, are one."""

    kind: NameKind
    one: str
    other: str
    where: str = ""

    @property
    def key(self) -> NamePair:
        """By which its answer is found, however the names are spelled."""
        return key_of(self.kind, self.one, self.other)


class NameAnswer(NamedTuple):
    """A question of the file; ``same``: true, false, or "?" while it is open."""

    kind: NameKind
    one: _Written
    other: _Written
    same: bool | str = OPEN
    where: Annotated[str, OneLine(400, 0)] = ""

    def find_problems(self) -> Iterator[Found]:
        if isinstance(self.same, str) and self.same != OPEN:
            yield "same", f"{self.same!r} is no answer; write true or false, without quotes"

    @property
    def key(self) -> NamePair:
        """By which the question is found again, however its names are spelled."""
        return key_of(self.kind, self.one, self.other)


class Apart(NamedTuple):
    """Two people of one name: in the evenings of a hall the name is of ``person``."""

    written: Name
    hall: Name
    person: Name


class PeopleFile(NamedTuple):
    """The answers of the organiser."""

    question: Annotated[tuple[NameAnswer, ...], Count(0, _MAX_ENTRIES)] = ()
    apart: Annotated[tuple[Apart, ...], Count(0, _MAX_ENTRIES)] = ()

    def name_in(self, hall: str, written: str) -> str:
        """The name of the person who is called so in a hall."""
        found = (
            each.person
            for each in self.apart
            if each.hall == hall and name_key(each.written) == name_key(written)
        )
        return next(found, written)


NamePair = tuple[NameKind, frozenset[str]]


def key_of(kind: NameKind, one: str, other: str) -> NamePair:
    """What equal questions have in common."""
    return kind, frozenset((name_key(one), name_key(other)))


def load_people(path: Path) -> PeopleFile:
    """The answers of a file; none without it. Raises OSError or WrongFile."""
    if not path.exists():
        return PeopleFile()
    values, lines = read_values(path, MAX_CHARS)
    try:
        found = read(PeopleFile, values)
    except WrongValues as error:
        raise wrong_file(path, lines, error) from None
    problems: list[FileProblem] = []
    known: dict[NamePair, tuple[bool | str, int]] = {}
    for at, each in enumerate(found.question):
        line = lines.line_of("question", str(at))
        same, first = known.setdefault(each.key, (each.same, line))
        if same != each.same:
            sentence = f"the same question has another answer in line {first}; keep one"
            problems.append(FileProblem(path, line, sentence))
    if problems:
        raise WrongFile(*problems)
    return found


def add_questions(path: Path, questions: Iterable[NameQuestion]) -> None:
    """Write questions at the end of the file, if there are any. Raises OSError."""
    listed = [*questions]
    if not listed:
        return
    text = path.read_text(encoding="utf-8") if path.exists() else _HEAD
    blocks = (
        f"\n[[question]]\nkind = {_quoted(each.kind)}\none = {_quoted(each.one)}\n"
        f"other = {_quoted(each.other)}\nwhere = {_quoted(each.where)}\nsame = {_quoted(OPEN)}\n"
        for each in listed
    )
    replace_text(path, text.rstrip("\n") + "\n" + "".join(blocks))


def _quoted(text: str) -> str:
    """A text of one line as TOML writes it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
