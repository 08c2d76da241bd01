"""Usual names of two teams in a language, for the list in set-up."""

from collections.abc import Sequence
from typing import NamedTuple

from scorer.i18n import translator
from scorer.session.values.settings import LampColour


class UsualNames(NamedTuple):
    """The fields of ``BoxSettings`` with usual names."""

    usual_pairs: tuple[tuple[str, str], ...]
    colours: tuple[str, ...]


def usual_names(language: str, lamps: Sequence[str]) -> UsualNames:
    """The names in ``language``; the colours of ``lamps`` come first."""
    say = translator(language)
    others = (colour for colour in LampColour if colour not in lamps)
    first, second, *more = (say(f"side.lamp.{colour}") for colour in (*lamps, *others))
    pairs = ((say("name.home"), say("name.away")), (first, second))
    return UsualNames(pairs, (first, second, *more))
