"""The rule cards in words, for a terminal, a page and a panel.

It words what ``scorer.rulecards.content`` has built; it decides nothing and knows no number.
"""
