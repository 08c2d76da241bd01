"""``scorer variants``: the rule cards in people's words, for a terminal, a page and a panel.

It words what ``scorer.rulecards.content`` has built; it decides nothing and knows no number.
"""

from scorer.rulecards.command import main

__all__ = ["main"]
