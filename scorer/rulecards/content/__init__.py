"""The rule card of a game: what may be said, what it pays, what was decided and by whom.

Keys, words of the variant and numbers, never a sentence: a language is chosen at the edge. Nothing
on a card is written down by hand that the engine can be asked: every call is played to see what it
pays, so a card with other options shows other numbers.
"""

from scorer.rulecards.card_page import CardPage, CardRow
from scorer.rulecards.content.build import card_of
from scorer.rulecards.content.document import document
from scorer.rulecards.content.model import (
    BetLine,
    Example,
    Fact,
    OpenQuestion,
    OptionLine,
    OptionValue,
    RuleCard,
    RuleSource,
    Worth,
)
from scorer.rulecards.content.pages import pages
from scorer.rulecards.content.sources import RULE_SOURCES

__all__ = [
    "RULE_SOURCES",
    "BetLine",
    "CardPage",
    "CardRow",
    "Example",
    "Fact",
    "OpenQuestion",
    "OptionLine",
    "OptionValue",
    "RuleCard",
    "RuleSource",
    "Worth",
    "card_of",
    "document",
    "pages",
]
