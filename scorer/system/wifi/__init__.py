"""Onto a wireless network that a card names: what is written there, and how the box joins it.

It runs as root, by itself and only where an owner wants it, and knows nothing of a score.
"""
