"""All rule cards as one Markdown page: ``docs/players/variants.md``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.i18n import Say
from scorer.rulecards import wording
from scorer.rulecards.content import BetLine, OptionLine, RuleCard


def variants_page(cards: Sequence[RuleCard], say: Say) -> str:
    """A table of contents, then a chapter per card."""
    contents = (f"- [{card.title}](#{card.variant}): {contents_line(card, say)}" for card in cards)
    made = "<!-- Written by `make cards`; change the rules, not this page. -->"
    chapters = "\n".join(
        f'\n<a id="{card.variant}"></a>\n## {card.title} (`{card.variant}`)\n{chapter(card, say)}'
        for card in cards
    )
    not_scored = ("", say("variants.not_scored"))
    return "\n".join((made, *contents, *not_scored, chapters)) + "\n"


def contents_line(card: RuleCard, say: Say) -> str:
    """Players, points, cards and the ladder of truco in one line."""
    return " · ".join((*wording.headline(card, say), wording.ladder(card, say)))


def chapter(card: RuleCard, say: Say) -> str:
    """A card without its heading."""
    return "\n".join(_lines(card, say))


def _lines(card: RuleCard, say: Say) -> Iterator[str]:
    yield from ("", " · ".join(wording.headline(card, say)))
    for book in wording.rulebook(card, say):
        yield from ("", book)
    yield from _table(card.ladder, say)
    yield from _table(card.envido, say)
    if card.duel_envido:
        yield from _table(card.duel_envido, say, say("card.duel", word=card.envido[0].calls[0]))
    yield from _table(card.flor, say)
    yield ""
    for sentence in (*wording.table_notes(card, say), *wording.facts(card, say)):
        yield f"- {sentence}"
    yield from ("", f"**{say('card.options')}**", "")
    for option in card.options:
        yield from _option(card, option, say)
    if card.questions:
        yield from ("", f"**{say('card.questions')}**", "")
    for number, question in enumerate(card.questions, 1):
        yield f"{number}. {' '.join(wording.footnote(card, question, say))}"
    yield from ("", f"**{say('card.books')}**", "")
    for each in card.books:
        where = f", {each.address}" if each.address else ""
        yield f"- {each.code}: {each.name} ({say(f'source.{each.kind}')}{where})"


def _table(lines: Sequence[BetLine], say: Say, title: str = "") -> Iterator[str]:
    if not lines:
        return
    head = (title or lines[0].calls[0], say("card.accepted"), say("card.refused"))
    yield from ("", f"| {' | '.join(head)} |", "|---|--:|--:|")
    for line in lines:
        worths = (wording.amount(each, say) for each in (line.accepted, line.refused))
        yield f"| {' | '.join((wording.chain(line, say), *worths))} |"


def _option(card: RuleCard, option: OptionLine, say: Say) -> Iterator[str]:
    limits = f" ({wording.ranges(option, say)})" if option.high else ""
    yield f"- `{option.key}`: {wording.purpose(card, option, say)}{limits}"
    for choice in option.choices:
        mark = " ←" if choice.value == option.chosen else ""
        yield f"  - {wording.choice_line(option, choice, say)}{mark}"
