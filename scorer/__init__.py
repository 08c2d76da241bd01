"""Truco Scorer: a scorekeeper for a real truco table."""

try:
    from scorer._version import __version__
except ModuleNotFoundError:
    # A tree that was neither built nor installed.
    __version__ = "0.0"

__all__ = ["__version__"]
