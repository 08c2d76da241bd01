"""Content of rule cards: calls, payments, options, decisions and their sources.

Cards consist of keys, words of the variant and numbers; user interfaces translate the keys. Every
value that the engine can compute is computed by playing the calls, so a card with other options
shows other numbers.
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
