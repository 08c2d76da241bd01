"""Read the lines of a pasted list in cells, without what chats and sheets add.

A heading names the columns, numbers and signs before names are taken off, letters of a wrong
encoding are mended. Each of these is a question to a person, with what would be taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from scorer.tournament.list_cells import BLANK, SEPARATORS, CellReader, ListLine, tidy
from scorer.tournament.names import plain

_HEADING_WITHIN = 3  # lines: a sheet may have a title above its heading
_MAX_LINE = 10_000  # characters; the cells of a longer line are too long anyway
_MAX_SHOWN = 80  # characters of a text in a report


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
    CONSENT = "consent"  # neither yes nor no
    DUPLICATE = "duplicate"
    PLAYER_TWICE = "player_twice"
    FULL = "full"  # reported once, of the first line without a place
    # Questions: what is taken is ``other_text``, else ``text``.
    SIMILAR = "similar"
    SAME_SEED = "same_seed"
    ODD_PLAYER = "odd_player"  # a number, or the name of a club
    ODD_CLUB = "odd_club"
    NO_NAME_COLUMN = "no_name_column"  # the players are the name
    LEFT_OUT = "left_out"  # a column, whose number is ``limit``
    BEFORE_HEADING = "before_heading"  # a line that is not taken
    NUMBERED = "numbered"
    MARK_KEPT = "mark_kept"  # a number or sign that few lines have
    NOT_NUMBERED = "not_numbered"
    REPAIRED = "repaired"
    DAMAGED = "damaged"  # letters that cannot be mended
    READ_AS = "read_as"  # a line whose cells are not plain from its signs
    SEPARATOR_LINE = "separator_line"  # as some spreadsheets write it; not taken
    CLUB_COLUMN = "club_column"  # without a heading: column ``limit``, which lines share
    RESERVE_COLUMN = "reserve_column"  # without a heading: column ``limit``, the last one
    MERGED_CLUB = "merged_club"  # of the line above, whose cell may be merged with this one
    SEEDS_NOT_COUNTED = "seeds_not_counted"  # not 1, 2, 3: the lowest goes first
    SEEDS_AS_POINTS = "seeds_as_points"  # the highest goes first
    SIMILAR_PLAYER = "similar_player"


class LineReport(NamedTuple):
    """An error or a question about a line, from 1.

    ``text``: the words concerned. ``other``: another line, 0 for a team that has entered.
    ``limit``: the number that is allowed, or that of a column or a seed.
    """

    line: int
    fault: EntryFault
    text: str = ""
    other: int = 0
    other_text: str = ""
    limit: int = 0


class ListColumn(NamedTuple):
    """A column of a heading.

    ``kind``: ``name``, ``player``, ``reserve``, ``club``, ``seed`` or ``consent``; "": it is left
    out.
    """

    title: str
    kind: str


class PastedList(NamedTuple):
    """The lines that are not empty below the heading, if there is one."""

    columns: tuple[ListColumn, ...]
    lines: tuple[ListLine, ...]
    questions: tuple[LineReport, ...]


def read_lines(text: str) -> PastedList:
    """The lines of ``text`` in cells, and what is asked about them."""
    listed = re.split("\r\n|\r|\n", text.removeprefix("\ufeff").removeprefix("ï»¿"))
    # Tabs at an end are empty cells.
    stripped = {at: line.lstrip(" \xa0") for at, line in enumerate(listed, 1)}
    raw = {at: line[:_MAX_LINE] for at, line in stripped.items() if line}
    numbered = {at: repaired(line) for at, line in raw.items()}
    questions = [each for at, line in raw.items() for each in _damage(at, line, numbered[at])]
    named, asked = _separator_line(numbered)
    questions += asked
    reader = CellReader(named or _separator(numbered.values()))
    numbered = reader.without_breaks(numbered)
    lines = reader.lines(numbered)
    at, kinds = _heading(lines)
    if kinds is None:
        lines, asked = _without_marks(numbered, lines, reader)
        lines = reader.with_whole_names(lines)
        return PastedList((), lines, (*questions, *asked, *_read_as(lines)))
    heading, before, lines = lines[at], lines[:at], lines[at + 1 :]
    for each in before:
        shown = " ".join(filter(None, each.cells))
        questions.append(LineReport(each.number, EntryFault.BEFORE_HEADING, _shown(shown)))
    if kinds[0] != "number":
        lines, asked = _without_marks(numbered, lines, reader)
        questions += asked
    lines = reader.with_whole_names(lines, len(heading.cells))
    columns = _columns(heading.cells, kinds)
    questions += [*_left_out(heading, columns, kinds, lines), *_read_as(lines)]
    return PastedList(columns, lines, tuple(questions))


def _separator_line(lines: dict[int, str]) -> tuple[str, list[LineReport]]:
    """The separator that a first line names for spreadsheets; that line is taken out."""
    first = next(iter(lines), 0)
    found = re.fullmatch(rf'"?sep=([{SEPARATORS}])"?\s*', lines.get(first, ""), re.IGNORECASE)
    if found is None:
        return "", []
    return found[1], [LineReport(first, EntryFault.SEPARATOR_LINE, lines.pop(first).strip())]


def _separator(lines: Iterable[str]) -> str:
    """What parts most of the lines in cells."""
    bare = [line[len(_mark(line)[1]) :] for line in lines]
    return max(SEPARATORS, key=lambda each: sum(each in line for line in bare))


def _read_as(lines: Iterable[ListLine]) -> Iterable[LineReport]:
    """A question for each line that was read in another way than it stands."""
    for each in lines:
        if each.is_asked:
            text = _shown(each.text)
            yield LineReport(each.number, EntryFault.READ_AS, text, 0, as_read(each.cells))


def as_read(cells: Iterable[str]) -> str:
    """The cells of a line as a report has them."""
    return _shown(" | ".join(cells).rstrip(" |"))


def _shown(text: str) -> str:
    """The text as a report has it."""
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


def decoded(data: bytes) -> str:
    """The text of a file that a spreadsheet has saved: UTF-8, UTF-16 or Windows-1252."""
    first = data[:2]
    if first == b"\xff\xfe" or (len(first) > 1 and first[0] and not first[1]):
        encoding = "utf-16-le"
    elif first == b"\xfe\xff" or (len(first) > 1 and not first[0] and first[1]):
        encoding = "utf-16-be"
    else:
        encoding = "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        # As browsers read it: no byte is without a character.
        return data.decode("latin-1").translate(_SHOWN)


# ---- heading ------------------------------------------------------------------------------------

# "label": the name of a team, or of a player where another column names the team.
_WORDS: Mapping[str, str] = {
    word: kind
    for kind, words in {
        "team": "team equipo pareja dupla trio equipe time equip parella",
        "label": "name names nombre nombres nome nom noms",
        "player": "player players jugador jugadores jugadora jugadoras jogador jogadores jogadora "
        "jogadoras jugadors integrante integrantes participante participantes capitan capitao "
        "companero companheiro parceiro",
        "reserve": "reserve reserves reserva reservas suplente suplentes suplent suplents "
        "substitute substitutes",
        "club": "club clube",
        "seed": "seed seeds semilla siembra cabeza cabeca cap rank ranking preclasificado",
        "consent": "publica publicar publicacion publicacao publicacio publish published public "
        "consent consents consentimiento consentimento consentiment autoriza autorizacion "
        "autorizacao autoritza autoritzacio",
        "number": "n no nro num numero number # order orden ordem id pos posicion puesto",
    }.items()
    for word in words.split()
}
_BETWEEN = frozenset(
    "de del la el los las da do dos das a of the y e i serie chave apellido apellidos sobrenome "
    "surname completo".split()
)


def _kind(cell: str) -> str:
    """What a cell of a heading names; "" if it is none, such as "Equipo Sur"."""
    words = re.findall(r"\w+|#", plain(cell))
    kinds = [_WORDS.get(each, "") for each in words]
    if not words or not kinds[0]:
        return ""
    rest = [each for each in words if each not in _WORDS and each not in _BETWEEN]
    # "Jugador 1" and "Nombre 1" are columns, "Equipo 1" is a team.
    if rest and (kinds[0] in ("team", "club") or not all(map(str.isdecimal, rest))):
        return ""
    named = [kind for kind in kinds if kind and kind != "label"] or ["player" if rest else "label"]
    return named[0]


def _heading(lines: Sequence[ListLine]) -> tuple[int, tuple[str, ...] | None]:
    """The place of the heading and the kinds of its cells; None without one."""
    for at, line in enumerate(lines[:_HEADING_WITHIN]):
        kinds = tuple(map(_kind, line.cells))
        known = sum(map(bool, kinds))
        has_name = "team" in kinds or "label" in kinds
        is_sure = known > 1 and (has_name or kinds[0])
        if is_sure or (at == 0 and has_name and kinds[0]):
            return at, kinds
    return 0, None


def _columns(titles: Sequence[str], kinds: Sequence[str]) -> tuple[ListColumn, ...]:
    """The columns of a heading; what a team has once is the first of its kind."""
    names = "team" if "team" in kinds else "label"

    def use(at: int, kind: str) -> str:
        if kind in ("player", "reserve"):
            return kind
        if kind == "label" and names == "team":
            return "player"
        is_first = kinds.index(kind) == at
        once = {"club": "club", "seed": "seed", "consent": "consent", names: "name"}
        return once.get(kind, "") if is_first else ""

    cells = enumerate(zip(titles, kinds, strict=True))
    return tuple(ListColumn(title, use(at, kind)) for at, (title, kind) in cells)


def _left_out(
    heading: ListLine,
    columns: Sequence[ListColumn],
    kinds: Sequence[str],
    lines: Sequence[ListLine],
) -> Iterable[LineReport]:
    """A question for each column that is not taken, and for a name that no column has."""
    for at, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        values = (line.cells[at] for line in lines if len(line.cells) > at)
        first = next((each for each in values if each not in BLANK), "")
        if not column.kind and kind != "number" and (column.title or first):
            text = column.title or first
            yield LineReport(heading.number, EntryFault.LEFT_OUT, text[:_MAX_SHOWN], limit=at + 1)
    titles = ", ".join(each.title for each in columns if each.kind == "player")
    if titles and all(each.kind != "name" for each in columns):
        yield LineReport(heading.number, EntryFault.NO_NAME_COLUMN, titles[:_MAX_SHOWN])


# ---- numbers and signs of a chat ----------------------------------------------------------------

_MARKS: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(rf'\s*"?\s*{pattern}\s*(?=\S)')
    for kind, pattern in {
        # The time and the writer of a message.
        "stamp": r"(?:\[[^\]]{4,30}\] ?|\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}:\d\d[^-]{0,12} - )"
        r"[^:]{1,60}:",
        "keycap": r"(?:(?:[0-9]\ufe0f?\u20e3)+|\U0001f51f\ufe0f?)\s*[-–—.):]*",
        "number": r"\*?\(?\d{1,3}\s*(?:[.):]\s*[-–—]?|[-–—])\*?(?!\d)",
        "sign": r"(?:[-–—>•·‣▪▫●○◦■□◆►▶➡✅☑✔✓⭐🔹🔸🔵🔴👉🏆]|\*(?=\s))\ufe0f?",
        "count": r"\d{1,3}[°º]?[\s;,]",
    }.items()
}
_MAX_MARK = 120  # characters in which a mark ends; matching takes the square of them
_CONSECUTIVE = "count"  # "25 de Mayo" is a name


def _mark(line: str) -> tuple[str, str]:
    """The kind of the mark at the start of a line, and its text."""
    start = line[:_MAX_MARK]
    for kind, pattern in _MARKS.items():
        if found := pattern.match(start):
            return kind, found.group()
    return "", ""


def _without_marks(
    numbered: Mapping[int, str], lines: Sequence[ListLine], reader: CellReader
) -> tuple[tuple[ListLine, ...], list[LineReport]]:
    """The lines without the marks that most have, and a question for each."""
    texts = {each.number: numbered[each.number] for each in lines}
    marks = dict.fromkeys(texts, "")
    while True:
        found = {at: _mark(text) for at, text in texts.items()}
        kind = _common_kind(found)
        if not kind:
            break
        for at, (own, mark) in found.items():
            if own == kind:
                quote = '"' if mark.lstrip().startswith('"') else ""
                marks[at] += mark.strip(' \t";,') + " "
                texts[at] = quote + texts[at][len(mark) :]
    taken = reader.lines(texts)
    asked = []
    for number, cells, *_ in taken:
        name = cells[0][:_MAX_SHOWN]
        if marks[number]:
            asked.append(LineReport(number, EntryFault.NUMBERED, marks[number] + name, 0, name))
        elif found[number][0] not in ("", _CONSECUTIVE):
            asked.append(LineReport(number, EntryFault.MARK_KEPT, name))
        elif any(marks.values()):
            asked.append(LineReport(number, EntryFault.NOT_NUMBERED, name))
    return taken, asked


def _common_kind(found: Mapping[int, tuple[str, str]]) -> str:
    """The kind of mark that more than half of the lines have; "" if there is none."""
    [(kind, times)] = Counter(kind for kind, _ in found.values()).most_common(1) or [("", 0)]
    if not kind or times < 2 or 2 * times <= len(found):
        return ""
    if kind == _CONSECUTIVE:
        marks = (mark for own, mark in found.values() if own == kind)
        counts = [int(re.findall(r"\d+", mark)[0]) for mark in marks]
        return kind if all(one + 1 == other for one, other in pairwise(counts)) else ""
    return kind


# ---- damaged letters ----------------------------------------------------------------------------

# In which UTF-8 is read by mistake; the first one also as Windows-1252.
_ENCODINGS = ("latin-1", "mac_roman", "cp850", "cp437")
_UNDEFINED = "\x81\x8d\x8f\x90\x9d"  # in Windows-1252; browsers keep them
_WINDOWS = {
    ord(bytes([each]).decode("cp1252")): each
    for each in range(0x80, 0xA0)
    if chr(each) not in _UNDEFINED
}
_SHOWN = {byte: letter for letter, byte in _WINDOWS.items()}
_PLAUSIBLE = re.compile(r"[\xa0-\u017f\u2000-\u2bff\u200d\ufe0f\U0001f000-\U0001faff]+")
# Bytes of the letters of UTF-8, by the rule of Unicode 15, table 3-7.
_WELL_FORMED = (
    ((0xC2, 0xDF), (0x80, 0xBF)),
    ((0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)),
    ((0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)),
    ((0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)),
)


def _utf_8_in(encoding: str) -> re.Pattern[str]:
    """Texts whose bytes in ``encoding`` are UTF-8.

    Matched before anything is decoded: a long list of other letters must not cost seconds.
    """

    def letters(first: int, last: int) -> str:
        shown = bytes(range(first, last + 1)).decode(encoding)
        return f"[{re.escape(shown)}]"

    sequences = ("".join(letters(*each) for each in sequence) for sequence in _WELL_FORMED)
    return re.compile(f"(?:{'|'.join(sequences)})++")


_UTF_8_IN = {encoding: _utf_8_in(encoding) for encoding in _ENCODINGS}
_DAMAGED = re.compile(r"\ufffd|(?<=[^\W\d_])[?¤¡¢£±](?=[^\W\d_])|(?<=[a-z])Ã|Ã(?=[a-z\xad])")


def repaired(text: str) -> str:
    """The text with its letters, where UTF-8 was read as another encoding, even twice."""
    while (better := re.sub(r"[^\x00-\x7f]+", lambda run: _as_utf_8(run.group()), text)) != text:
        text = better
    return text


@lru_cache(maxsize=1024)
def _as_utf_8(run: str) -> str:
    for encoding in _ENCODINGS:
        # Windows-1252 has letters where Latin-1 has controls.
        shown = run.translate(_WINDOWS) if encoding == "latin-1" else run
        if not _UTF_8_IN[encoding].fullmatch(shown):
            continue
        better = shown.encode(encoding).decode()
        if _PLAUSIBLE.fullmatch(better):
            return better
    return run


def _damage(number: int, line: str, mended: str) -> Iterable[LineReport]:
    """A question for each text of a line with letters of a wrong encoding."""
    if line.isascii() and "?" not in line:
        return
    for parts in zip(*(re.split("[\t;,]", each) for each in (line, mended)), strict=True):
        text, better = (tidy(each)[:_MAX_SHOWN] for each in parts)
        if _DAMAGED.search(better):
            yield LineReport(number, EntryFault.DAMAGED, better)
        elif better != text:
            yield LineReport(number, EntryFault.REPAIRED, text, 0, better)
