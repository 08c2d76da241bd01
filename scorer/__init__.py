"""Truco Scorer: a scorekeeper for a real truco table."""

__version__ = "0.1.0"
