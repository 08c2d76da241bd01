"""Read and write score sheets of one or more games: header tags and steps.

Input is an iterable of bytes, read line by line; past games are not kept in memory.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from scorer.plain_values import did_you_mean
from scorer.rules.actions import Side
from scorer.rules.deal import games_to_win, may_start_at, new_game, piles_total
from scorer.rules.model import Game, HandKind, Match, Start, Step
from scorer.rules.notation import SheetError, parse_step, shorten, split_comment
from scorer.rules.options import RulesError, Value, rules_for, value_of, value_text
from scorer.rules.registry import find_variant
from scorer.rules.rematches import BEST_OF as REMATCH_BEST_OF
from scorer.rules.rulebooks import followed_rulebook
from scorer.rules.variant import Rules, Variant

# In ``Options`` of every new game of a variant that has them: a stored header without one is of a
# game that was begun by the rules before it.
ALWAYS_WRITTEN = ("flor_announced", "resto_floor")
LONGEST_LINE = 4096  # bytes; a longer line raises LineError
_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_LINE_ENDS = "\x7f\x85\u2028\u2029"  # line ends of other programs and unprintable characters
_LONGEST_MATCH = 60  # characters of the tags Match and Hall
_NEAR = 0.82  # similarity (0 to 1) above which a tag counts as a misspelling of a known one


class Header(NamedTuple):
    """The header of a game: how it starts, the names of its sides, and all its tags."""

    start: Start
    names: Mapping[Side, str]
    tags: tuple[tuple[str, str], ...]  # as written

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    def game(self) -> Game:
        """The dealt first hand of this game."""
        return new_game(self.start)


class SheetLine(NamedTuple):
    """One step of a sheet, with its line number and comment."""

    number: int
    step: Step
    comment: str


class _TagLine(NamedTuple):
    number: int
    name: str
    value: str


class LineError(SheetError):
    """A SheetError with its line number."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(sentence)
        self.number = number


class TagError(SheetError):
    """A SheetError with the name of its tag."""

    def __init__(self, tag: str, sentence: str) -> None:
        super().__init__(sentence)
        self.tag = tag


def read_sheet(lines: Iterable[bytes]) -> Iterator[Header | SheetLine]:
    """Yield the headers and steps of ``lines`` in order: a Header begins each game.

    Raises LineError at the first unreadable line, after yielding everything before it.
    """
    tags: list[_TagLine] = []
    header: Header | None = None
    blank, number = True, 0
    for number, raw in enumerate(lines, 1):
        line = _decode(number, raw)
        if line.startswith("["):
            if not blank and not tags:
                raise LineError(number, "a tag among the steps; leave a blank line before it")
            if blank and tags:
                yield _header(tags)
                tags = []
            header = None
            tags.append(_TagLine(number, *_tag(number, line)))
            blank = False
            continue
        text, comment = split_comment(line)
        if not text:
            blank = blank or not comment
            continue
        if tags:
            header = _header(tags)
            tags = []
            yield header
        if header is None:
            begins = 'a game begins with [Variant "argentine"]'
            raise LineError(number, f"'{shorten(text)}' before any tag; {begins}")
        blank = False
        yield SheetLine(number, _step(number, text, header), comment)
    if tags:
        yield _header(tags)
    elif header is None:
        raise LineError(
            max(number, 1), 'no game here; a score sheet begins with [Variant "argentine"]'
        )


def read_header(text: str) -> Header:
    """Parse the header of a stored game (tag lines only). Raises LineError.

    Its options may contradict each other, if it was begun before that was checked.
    """
    # Not splitlines: a name may contain other line separators.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    tags = [_TagLine(number, *_tag(number, line.strip())) for number, line in lines]
    return _header(tags, of_stored_game=True)


def tags_of(game: Game, names: Mapping[Side, str]) -> tuple[tuple[str, str], ...]:
    """The tags of a game at its start; the inverse of ``header_of``."""
    written = ((tag.name, tag.write(game.start, names)) for tag in TAGS)
    return tuple((name, value) for name, value in written if value)


def tags_to_store(header: Header) -> tuple[tuple[str, str], ...]:
    """The tags of a sheet, as written, for a game that is stored now."""
    tags, options = dict(header.tags), dict(_written_options(header.rules))
    written = tags.get("Options", "").split()
    keys = {pair.partition("=")[0] for pair in written}
    for key in ALWAYS_WRITTEN:
        if key in options and key not in keys:
            written.append(f"{key}={value_text(options[key])}")
    if written:
        tags["Options"] = " ".join(written)
    return tuple(tags.items())


def _written_options(rules: Rules) -> Iterable[tuple[str, Value]]:
    """The options that differ from the defaults, and those that are always written."""
    found = ((key, rules.variant.option(key)) for key in ALWAYS_WRITTEN)
    always = {key: value_of(rules, option) for key, option in found if option is not None}
    return sorted((always | dict(rules.chosen)).items())


def _options_text(start: Start, _: object) -> str:
    chosen = [f"{key}={value_text(value)}" for key, value in _written_options(start.rules)]
    if start.gallo is not None:
        chosen.append(f"gallo={start.gallo}")
    if start.kind is HandKind.PICA:
        chosen.append(f"hand_kind={start.kind}")
    return " ".join(chosen)


def _book_title(start: Start, _: object) -> str:
    followed = followed_rulebook(start.rules)
    return followed.book.title if followed is not None and followed.book.options else ""


def _each_side(rules: Rules, numbers: tuple[int, ...] | None) -> str:
    sides = zip(rules.scoring_sides, numbers, strict=True) if numbers is not None else ()
    return " ".join(f"{side}={number}" for side, number in sides)


def _leg_text(start: Start, _: object) -> str:
    match = start.match
    return f"{match.leg}/{match.legs}" if match is not None and match.legs > 1 else ""


def header_text(tags: Iterable[tuple[str, str]]) -> str:
    """Format tag lines, each with a newline; the inverse of ``read_header``."""
    return "".join(f'[{name} "{_quote(value)}"]\n' for name, value in tags)


def _quote(value: str) -> str:
    # A tag is one line: a control character in a name would break the sheet.
    clean = "".join(" " if ord(char) < 32 or char in _LINE_ENDS else char for char in value)
    return clean.replace("\\", "\\\\").replace('"', '\\"')


def _decode(number: int, raw: bytes) -> str:
    if len(raw) > LONGEST_LINE:
        raise LineError(number, f"a line of more than {LONGEST_LINE} bytes; this is no score sheet")
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise LineError(
            number, "this is not UTF-8 text; a score sheet is a plain text file"
        ) from None
    if "\0" in text:
        raise LineError(number, "this is a binary file; a score sheet is a plain text file")
    return text.strip()


def _tag(number: int, line: str) -> tuple[str, str]:
    match = _TAG.match(line)
    if match is None:
        raise LineError(number, f"'{shorten(line)}' is no tag; write it as [Variant \"argentine\"]")
    rest, _ = split_comment(line[match.end() :])
    if rest:
        raise LineError(
            number, f"'{shorten(rest)}' stands behind a tag; give each tag a line of its own"
        )
    return match[1], re.sub(r"\\(.)", r"\1", match[2])


def _step(number: int, text: str, header: Header) -> Step:
    try:
        return parse_step(text, header.rules)
    except SheetError as error:
        raise LineError(number, str(error)) from None


def _header(lines: list[_TagLine], *, of_stored_game: bool = False) -> Header:
    try:
        tags = ((line.name, line.value) for line in lines)
        return header_of(tags, of_stored_game=of_stored_game)
    except TagError as error:
        named = [line.number for line in lines if line.name == error.tag]
        first = lines[0].number if lines else 1
        raise LineError(named[-1] if named else first, str(error)) from None


def header_of(tags: Iterable[tuple[str, str]], *, of_stored_game: bool = False) -> Header:
    """Build the header from tags. Raises TagError with every problem of one tag."""
    tags = tuple(tags)
    values: dict[str, str] = {}
    for name, value in tags:
        if values.setdefault(name, value) != value:
            raise TagError(name, f'{name} is written twice, as "{values[name]}" and "{value}"')
    options = _pairs("Options", values.get("Options", ""))
    for key in ("mano", "gallo", "hand_kind"):
        if key in options:
            values[f"Options.{key}"] = options.pop(key)
    variant = _variant(values)
    _check_spelling([name for name, _ in tags], variant)
    try:
        rules = rules_for(variant, options, of_stored_game=of_stored_game)
    except RulesError as error:
        raise TagError("Options", str(error)) from None
    start = Start(rules)
    for tag in TAGS:
        start = tag.read(start, values)
    one_word = dict(zip(start.rules.scoring_sides, values.get("Names", "").split(), strict=False))
    told = {
        side: values.get(f"Name{side}", one_word.get(side, ""))
        for side in start.rules.scoring_sides
    }
    return Header(start, {side: name for side, name in told.items() if name}, tags)


def _read_options(start: Start, values: Mapping[str, str]) -> Start:
    rules, gallo, kind = start.rules, values.get("Options.gallo"), values.get("Options.hand_kind")
    if gallo is not None and not rules.seating.has_gallo:
        raise TagError("Options", f"{rules.variant.id} has no gallo")
    if gallo is not None and gallo not in rules.scoring_sides:
        known = ", ".join(rules.scoring_sides)
        raise TagError("Options", f"gallo={gallo}: choose one of {known}")
    if kind is not None and not rules.seating.has_duels:
        raise TagError("Options", f"{rules.variant.id} has hands of one kind only")
    if kind not in (None, HandKind.REDONDA, HandKind.PICA):
        raise TagError("Options", f"hand_kind={kind}: choose one of redonda, pica")
    return start._replace(
        gallo=None if gallo is None else Side(gallo), kind=None if kind is None else HandKind(kind)
    )


def _variant(values: Mapping[str, str]) -> Variant:
    if "Variant" not in values:
        hint = next(
            (did_you_mean(name, KNOWN_TAGS) for name in values if name not in KNOWN_TAGS), ""
        )
        written = next(iter(values), "")
        advice = hint or '; add [Variant "argentine"]'
        raise TagError(written, f"the tag Variant is missing{advice}")
    definition = values.get("Definition")
    try:
        if definition is not None:
            # Imported lazily: few games use an owner's variant.
            from scorer.rules.definition import read_definition

            return read_definition(values["Variant"], definition)
        return find_variant(values["Variant"])
    except RulesError as error:
        raise TagError("Variant" if definition is None else "Definition", str(error)) from None


def _check_spelling(names: Iterable[str], variant: Variant) -> None:
    """Reject an unknown tag that is nearly a known tag or option."""
    unknown = [name for name in names if name not in KNOWN_TAGS]
    if not unknown:
        return
    from difflib import get_close_matches

    right = {tag.lower(): f"did you mean '{tag}'?" for tag in KNOWN_TAGS}
    for key in (option.key for option in variant.options):
        right.setdefault(key, f'{key} is an option, write [Options "{key}=..."]')
    for name in unknown:
        for near in get_close_matches(name.lower(), right, n=1, cutoff=_NEAR):
            raise TagError(name, f"no tag '{shorten(name)}'; {right[near]}")


def _pairs(tag: str, text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise TagError(tag, f"'{word}' in {tag} is not key=value")
        if pairs.setdefault(key, value) != value:
            raise TagError(tag, f"{tag} says both {key}={pairs[key]} and {key}={value}")
    return pairs


def _read_score(start: Start, values: Mapping[str, str]) -> Start:
    rules = start.rules
    score = dict(zip(rules.scoring_sides, rules.starting_score, strict=True))
    for name, text in _pairs("Start", values.get("Start", "")).items():
        if name not in rules.scoring_sides:
            known = " and ".join(rules.scoring_sides)
            raise TagError("Start", f"Start: {name} has no score; the sides are {known}")
        if not (text.isascii() and text.isdigit() and len(text) <= 4):
            raise TagError("Start", f"Start: {name}={text} is not a score")
        if not may_start_at(rules, int(text)):
            raise TagError(
                "Start", f"Start: {name}={text} has already won a game to {rules.target}"
            )
        score[Side(name)] = int(text)
    # Destantado: points not in the piles are in the pot, which is never negative.
    told, most = sum(score.values()), piles_total(rules)
    if rules.seating.counts_down and told > most:
        raise TagError("Start", f"Start: the piles hold {told} points of only {most}")
    return start._replace(score=tuple(score.values()))


def _read_mano(start: Start, values: Mapping[str, str]) -> Start:
    rules, tag, option = start.rules, values.get("Mano"), values.get("Options.mano")
    if tag is not None and option is not None and tag != option:
        sentence = f'the tag Mano says "{tag}", the option mano says "{option}"; keep one of them'
        raise TagError("Mano", sentence)
    mano = tag if tag is not None else option
    if mano is None:
        return start
    if rules.seating.has_gallo:
        raise TagError("Mano", "Mano: in pata_gallo the mano is who follows the gallo; say gallo=A")
    if mano not in rules.scoring_sides:
        known = " and ".join(rules.scoring_sides)
        raise TagError("Mano", f"Mano: '{mano}' does not play; the sides are {known}")
    return start._replace(mano=Side(mano))


def _won(rules: Rules, values: Mapping[str, str], tag: str, best_of: int) -> tuple[int, ...] | None:
    """Games won per side by a tag, None without one."""
    games = dict.fromkeys(rules.scoring_sides, 0)
    told = _pairs(tag, values.get(tag, ""))
    for name, text in told.items():
        if name not in rules.scoring_sides:
            known = " and ".join(rules.scoring_sides)
            raise TagError(tag, f"{tag}: {name} does not play; the sides are {known}")
        if text not in map(str, range(games_to_win(best_of))):
            sentence = f"{tag}: {name}={text} fits no running series of {best_of} games"
            raise TagError(tag, sentence)
        games[Side(name)] = int(text)
    return tuple(games.values()) if told else None


def _read_rematches(start: Start, values: Mapping[str, str]) -> Start:
    won = _won(start.rules, values, "Rematches", REMATCH_BEST_OF)
    if won is not None and (start.rules.best_of > 1 or "Match" in values):
        raise TagError("Rematches", "Rematches: the games of a series or a match have none")
    return start._replace(rematches=won)


def _read_match(start: Start, values: Mapping[str, str]) -> Start:
    if "Match" not in values:
        return start
    for tag in ("Match", "Hall"):
        if tag in values and not 1 <= len(values[tag]) <= _LONGEST_MATCH:
            raise TagError(tag, f"{tag} has 1 to {_LONGEST_MATCH} characters")
    leg = re.fullmatch(r"([1-9])/([1-9])", values.get("Leg", "1/1"))
    if leg is None or leg[1] > leg[2]:
        raise TagError("Leg", f"Leg: '{shorten(values['Leg'])}'; write the first of two as 1/2")
    match = Match(values["Match"], values.get("Hall", ""), int(leg[1]), int(leg[2]))
    return start._replace(match=match)


class Tag(NamedTuple):
    """A tag of a header.

    ``write``: its text for a complete start and the names of the sides, "" if it is left out.
    ``read``: the start with what the tags say of it; raises TagError.
    """

    name: str
    write: Callable[[Start, Mapping[Side, str]], str] = lambda *_: ""
    read: Callable[[Start, Mapping[str, str]], Start] = lambda start, _: start


# In the order in which a header is written.
TAGS = (
    Tag("Variant", lambda start, _: start.rules.variant.id),
    Tag("Definition", lambda start, _: start.rules.variant.definition),
    Tag("Options", _options_text, _read_options),
    Tag("Rulebook", _book_title),
    Tag("Start", lambda start, _: _each_side(start.rules, start.score), _read_score),
    Tag("Mano", lambda start, _: "" if start.gallo else start.mano or "", _read_mano),
    Tag(
        "Games",
        lambda start, _: _each_side(start.rules, start.games) if any(start.games or ()) else "",
        lambda start, values: start._replace(
            games=_won(start.rules, values, "Games", start.rules.best_of)
        ),
    ),
    Tag("Rematches", lambda start, _: _each_side(start.rules, start.rematches), _read_rematches),
    Tag("NameA", lambda _, names: names.get(Side.A, "")),
    Tag("NameB", lambda _, names: names.get(Side.B, "")),
    Tag("NameC", lambda _, names: names.get(Side.C, "")),
    Tag("Names"),
    Tag("Event"),
    Tag("Match", lambda start, _: start.match.id if start.match else "", _read_match),
    Tag("Hall", lambda start, _: start.match.hall if start.match else ""),
    Tag("Leg", _leg_text),
)
KNOWN_TAGS = tuple(tag.name for tag in TAGS)
