"""Word and lay out rule cards for a terminal, a page and a panel.

``scorer.rulecards.content`` builds the cards.
"""
