"""The rule card of a game: what may be said, what it pays, what was decided and by whom.

Keys, words of the variant and numbers, never a sentence: a language is chosen at the edge. Nothing
on a card is written down by hand that the engine can be asked: every call is played to see what it
pays, so a card with other options shows other numbers.
"""

from scorer.rules.card.build import card_of
from scorer.rules.card.document import document
from scorer.rules.card.model import (
    BetLine,
    Book,
    Card,
    Choice,
    Example,
    Fact,
    OptionLine,
    Question,
    Worth,
)
from scorer.rules.card.pages import pages
from scorer.rules.card.sources import BOOKS
from scorer.rules.card_page import CardPage, CardRow

__all__ = [
    "BOOKS",
    "BetLine",
    "Book",
    "Card",
    "CardPage",
    "CardRow",
    "Choice",
    "Example",
    "Fact",
    "OptionLine",
    "Question",
    "Worth",
    "card_of",
    "document",
    "pages",
]
