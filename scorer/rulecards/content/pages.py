"""A card as pages for a panel: keys, words of the variant and numbers, a row for each line.

Which rows go on which page depends on the lines of the panel and on nothing else, so that whoever
turns the pages needs no language; the screen puts words to the keys. Calls belong to the variant:
they are shortened here to the columns there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.rulecards.card_page import CardPage, CardRow
from scorer.rulecards.content.model import BetLine, OptionLine, RuleCard, Value, Worth
from scorer.rules.options import value_text

NUMBER_COLUMNS = 6  # columns that the numbers of a row take at most, with a blank: " 30/30"
NARROWEST, FEWEST = 18, 3  # columns and lines that the longest chain, and a name and value, need


Rows = tuple[CardRow, ...]


def pages(card: RuleCard, columns: int, lines: int) -> tuple[CardPage, ...]:
    """Pages of at most ``lines`` lines of ``columns`` letters, the title being the first line.

    What belongs together stays on one page. Raises ValueError where there is no room for it.
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
    """The groups one after another, as many as ``most`` rows can hold."""
    page: Rows = ()
    for group in groups:
        if len(page) + len(group) > most:
            yield page
            page = ()
        page += group
    yield page


def _sections(card: RuleCard, room: int) -> Iterator[tuple[str, str, list[Rows]]]:
    yield "game", "", _game(card)
    for table in (card.ladder, card.envido, card.flor):
        if table:
            yield "", table[0].calls[0], [_bet(line, room) for line in table]
    if card.duel_envido:
        yield "page.duel", "", [_bet(line, room) for line in card.duel_envido]
    yield "page.options", "", [_option(line) for line in card.options]


def _game(card: RuleCard) -> list[Rows]:
    half = [] if card.half is None else [(_figure("page.half", card.half),)]
    return [(_figure("page.target", card.target),), *half, (_figure("page.base", card.base),)]


def _figure(key: str, number: int) -> CardRow:
    return CardRow(key, numbers=(number,), ways=("",))


def _bet(line: BetLine, room: int) -> Rows:
    """A chain of calls; a remark who has a flor stands in a line of its own before it."""
    remark = (CardRow(f"note.{line.note}"),) if line.note else ()
    both = (line.accepted,) if line.refused is None else (line.accepted, line.refused)
    bet = CardRow(
        words=shorten_chain(line.calls, room),
        numbers=tuple(_points(each) for each in both),
        ways=tuple(each.way if each else "" for each in both),
    )
    return (*remark, bet)


def _points(worth: Worth | None) -> int | None:
    return None if worth is None else worth.points


def shorten_chain(calls: tuple[str, ...], room: int) -> str:
    """The chain within ``room`` letters: whole words, else as few initials as will do.

    The calls said first are shortened first; the newest one keeps its last word if it can:
    "contraflor al resto", "CA resto", "CAR".
    """
    *before, newest = calls
    whole = (
        [*map(_initials, before[:count]), *before[count:], newest]
        for count in range(len(before) + 1)
    )
    first = [_initials(call) for call in before]
    texts = [" ".join(each) for each in (*whole, [*first, _last_word(newest)])]
    texts.append(" ".join((*first, _initials(newest))))
    return next((text for text in texts if len(text) <= room), texts[-1])


def _last_word(call: str) -> str:
    """ "CA resto"; of two words the first tells more ("falta envido"), so those stay whole."""
    *first, last = call.split()
    return f"{_initials(' '.join(first))} {last}" if len(first) > 1 else call


def _initials(call: str) -> str:
    return "".join(word if word.isdigit() else word[0].upper() for word in call.split())


def _option(line: OptionLine) -> Rows:
    """A number stands beside its name; a word under it, because it is long."""
    name = f"option.{line.key}"
    if isinstance(line.chosen, bool):
        return (CardRow(name, value="yes" if line.chosen else "no"),)
    if isinstance(line.chosen, int):
        return (_figure(name, line.chosen),)
    ladder = any(choice.words for choice in line.choices)
    key = "" if ladder else value_key(line.key, line.chosen)
    return (CardRow(name), CardRow(words=str(line.chosen) if ladder else "", value=key))


def value_key(option: str, value: Value) -> str:
    """The key of what a value means; of a ladder, whose value is its numbers, nothing."""
    return f"option.{option}.{value_text(value)}"
