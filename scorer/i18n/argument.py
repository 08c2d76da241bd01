"""The option ``--language`` of every command."""

from __future__ import annotations

import argparse

from scorer.i18n import has_language, languages, nearest_language


def parse_language(text: str) -> str:
    """The catalogue for ``text``. Raises argparse.ArgumentTypeError."""
    if not has_language(text):
        there = ", ".join(languages())
        raise argparse.ArgumentTypeError(f"no language '{text}'; there are {there}")
    return nearest_language(text)
