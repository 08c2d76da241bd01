"""``scorer variants``: the rule cards in people's words, for a terminal, a page and a panel.

It words what ``scorer.rules.card`` has built; it decides nothing and knows no number.
"""

from scorer.cards.command import main

__all__ = ["main"]
