"""A card as pages for a panel: keys, words of the variant and numbers, by row.

Pagination depends only on the card and the size of the panel, not on the language; the screen
translates the keys. Calls belong to the variant and are shortened here to the available columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.rulecards.card_page import CardPage, CardRow
from scorer.rulecards.content.model import BetLine, OptionLine, RuleCard, Value
from scorer.rules.options import value_text

NUMBER_COLUMNS = 6  # maximum columns of the numbers of a row, with a blank: " 30/30"
NARROWEST, FEWEST = 18, 3  # minimum columns and lines, for the longest chain, a name and a value


Rows = tuple[CardRow, ...]


def pages(card: RuleCard, columns: int, lines: int) -> tuple[CardPage, ...]:
    """Pages of at most ``lines`` lines of ``columns`` characters, title included.

    Related rows stay on one page. Raises ValueError if they do not fit.
    """
    if lines < FEWEST or columns < NARROWEST:
        raise ValueError(f"a page of {columns} columns and {lines} lines has no room for a card")
    cut = [
        (key, words, rows)
        for key, words, groups in _sections(card, columns - NUMBER_COLUMNS)
        for rows in _pack(groups, lines - 1)
    ]
    return tuple(CardPage(*page, number, len(cut)) for number, page in enumerate(cut, 1))


def _pack(groups: Iterable[Rows], most: int) -> Iterator[Rows]:
    """Combine consecutive groups into pages of at most ``most`` rows."""
    page: Rows = ()
    for group in groups:
        if len(page) + len(group) > most:
            yield page
            page = ()
        page += group
    yield page


def _sections(card: RuleCard, room: int) -> Iterator[tuple[str, str, list[Rows]]]:
    yield "card.game", "", [*_game(card)]
    for table in (card.ladder, card.envido, card.flor):
        if table:
            yield "", table[0].calls[0], [_bet(line, room) for line in table]
    if card.duel_envido:
        yield "card.page.duel", "", [_bet(line, room) for line in card.duel_envido]
    yield "card.page.options", "", [_option(line) for line in card.options]


def _game(card: RuleCard) -> Iterator[Rows]:
    """The numbers of a game; the rulebook, and how many options differ from it."""
    yield (_figure("card.page.target", card.target),)
    if card.half is not None:
        yield (_figure("card.page.half", card.half),)
    yield (_figure("card.page.base", card.base),)
    if card.rulebook is not None:
        yield (CardRow("card.page.rulebook"), CardRow(words=card.rulebook.title))
        if card.rulebook.differing:
            yield (_figure("card.page.differs", len(card.rulebook.differing)),)


def _figure(key: str, number: int) -> CardRow:
    return CardRow(key, numbers=(number,), ways=("",))


def _bet(line: BetLine, room: int) -> Rows:
    """A chain of calls; a remark about who has a flor is a line of its own before it."""
    remark = (CardRow(f"card.note.{line.note}"),) if line.note else ()
    both = (line.accepted,) if line.refused is None else (line.accepted, line.refused)
    bet = CardRow(
        words=shorten_chain(line.calls, room),
        numbers=tuple(each.points if each else None for each in both),
        ways=tuple(each.way if each else "" for each in both),
    )
    return (*remark, bet)


def shorten_chain(calls: tuple[str, ...], room: int) -> str:
    """Shorten the chain to ``room`` characters: whole words, else minimal initials.

    Earlier calls are shortened first, and the first ones left out where initials have no room;
    the latest one keeps its last word if possible:
    "contraflor al resto", "CA resto", "CAR".
    """
    *before, newest = calls
    whole = (
        [*map(_initials, before[:count]), *before[count:], newest]
        for count in range(len(before) + 1)
    )
    first = [_initials(call) for call in before]
    *start, last = newest.split()
    # As in "CA resto"; two words stay whole, e.g. "falta envido".
    end = f"{_initials(' '.join(start))} {last}" if len(start) > 1 else newest
    texts = [" ".join(each) for each in (*whole, [*first, end])]
    texts += (" ".join((*first[at:], _initials(newest))) for at in range(len(calls)))
    return next((text for text in texts if len(text) <= room), texts[-1])


def _initials(call: str) -> str:
    return "".join(word if word.isdigit() else word[0].upper() for word in call.split())


def _option(line: OptionLine) -> Rows:
    """A number is on the row of its name; a word, which is longer, on the next one."""
    name = f"option.{line.key}"
    if isinstance(line.chosen, bool):
        return (CardRow(name, value="card.yes" if line.chosen else "card.no"),)
    if isinstance(line.chosen, int):
        return (_figure(name, line.chosen),)
    ladder = any(choice.words for choice in line.choices)
    key = "" if ladder else value_key(line.key, line.chosen)
    return (CardRow(name), CardRow(words=str(line.chosen) if ladder else "", value=key))


def value_key(option: str, value: Value) -> str:
    """The message key of the meaning of an option value."""
    return f"option.{option}.{value_text(value)}"
