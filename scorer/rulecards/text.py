"""A card as text for a terminal: tables and sentences in ``COLUMNS`` columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from scorer.i18n import Say
from scorer.rulecards import wording
from scorer.rulecards.content import BetLine, RuleCard, RuleSource

COLUMNS = 80
AMOUNT_COLUMNS = 14  # width of each column of amounts: "no querido", "el partido 30"
CHOSEN, OTHER = ">", " "


def list_text(cards: Sequence[RuleCard], say: Say) -> str:
    """A list of variants: id, name, players, target, cards and ladder."""
    left = max(len(card.variant) for card in cards) + 2
    entries = []
    for card in cards:
        entries.append(f"{card.variant:{left}}{card.title}")
        for line in (" · ".join(wording.headline(card, say)), wording.ladder(card, say)):
            entries += wrap(line, " " * left, " " * left)
    return "\n".join((*entries, "", *wrap(say("variants.not_scored"))))


def card_text(card: RuleCard, say: Say) -> str:
    """The whole card; blank lines separate its parts."""
    title = f"{card.title.upper()} ({card.variant})"
    headline = wrap(" · ".join(wording.headline(card, say)))
    books = (line for told in wording.rulebook(card, say) for line in wrap(told))
    parts = (
        [title, "=" * len(title), *headline, *books],
        *_tables(card, say),
        _sentences(wording.table_notes(card, say)),
        [say("card.hand").upper(), *_sentences(wording.facts(card, say))],
        [*_options(card, say)],
        _questions(card, say),
        _sources(card.books, say),
    )
    return "\n\n".join("\n".join(part) for part in parts if part)


def _tables(card: RuleCard, say: Say) -> Iterator[list[str]]:
    yield _table(card.ladder, say)
    yield _table(card.envido, say)
    if card.duel_envido:
        name = card.envido[0].calls[0]
        yield _table(card.duel_envido, say, say("card.duel", word=name))
    yield _table(card.flor, say)


def _table(lines: Sequence[BetLine], say: Say, title: str = "") -> list[str]:
    """Calls on the left, payments on the right; empty without ``lines``."""
    if not lines:
        return []
    title = title or lines[0].calls[0]
    rows = [_row(title.upper(), say("card.accepted"), say("card.refused"))]
    for line in lines:
        worths = (wording.amount(each, say) for each in (line.accepted, line.refused))
        rows.append(_row(f"  {wording.chain(line, say)}", *worths))
    return rows


def _row(left: str, accepted: str, refused: str) -> str:
    """One row; a long chain of calls has a line of its own, with its amounts below."""
    room = COLUMNS - 2 * AMOUNT_COLUMNS
    if len(left) > room:
        lines = (*wrap(left.strip(), "  ", "    "), _row("", accepted, refused))
        return "\n".join(lines)
    return f"{left:{room}}{accepted:>{AMOUNT_COLUMNS}}{refused:>{AMOUNT_COLUMNS}}"


def _sentences(sentences: Iterable[str]) -> list[str]:
    return [line for each in sentences for line in wrap(each, "  ", "    ")]


def _options(card: RuleCard, say: Say) -> Iterator[str]:
    """The purpose of each option, then its values with their meanings and sources."""
    yield say("card.options").upper()
    yield from wrap(say("card.legend", mark=CHOSEN), "  ")
    for option in card.options:
        parts = [f"{wording.setting_text(option)}: {wording.purpose(card, option, say)}"]
        parts += [wording.ranges(option, say)] if option.high else []
        if option.chosen != option.default:
            parts.append(say("card.default", value=wording.plain_value(option.default)))
        yield from ("", *wrap("; ".join(parts), "  ", "    "))
        for choice in option.choices:
            mark = CHOSEN if choice.value == option.chosen else OTHER
            line = wording.choice_line(option, choice, say)
            yield from wrap(line, f"    {mark} ", "        ")


def _questions(card: RuleCard, say: Say) -> list[str]:
    if not card.questions:
        return []
    lines = [say("card.questions").upper()]
    for number, question in enumerate(card.questions, 1):
        asked, decided = wording.footnote(card, question, say)
        lines += wrap(f"{asked} {decided}", f"  {number}. ", "     ")
    return lines


def _sources(books: Iterable[RuleSource], say: Say) -> list[str]:
    lines = [say("card.books").upper()]
    for book in books:
        where = f", {book.address}" if book.address else ""
        text = f"{book.code:4} {book.name} ({say(f'source.{book.kind}')}{where})"
        lines += wrap(text, "  ", "       ")
    return lines


def wrap(text: str, first: str = "", rest: str = "") -> list[str]:
    """``text`` in lines that fit; words of the configuration are not split."""
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
