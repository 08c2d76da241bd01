"""The rules of tournaments, as pure functions over values.

``definition.define`` reads a format, ``fold.apply`` makes the next state of an event, ``Reader``
answers what follows from a state.
"""

from scorer.tournament.consequences import Consequences, consequences, why
from scorer.tournament.definition import FormatError, define
from scorer.tournament.events import Event, NoEvent, encode, parse
from scorer.tournament.fold import apply, as_logged, begin
from scorer.tournament.format import Format
from scorer.tournament.model import EventRefusal, Reason, Result, Team
from scorer.tournament.reader import Reader
from scorer.tournament.tournament import Tournament

__all__ = [
    "Consequences",
    "Event",
    "EventRefusal",
    "Format",
    "FormatError",
    "NoEvent",
    "Reader",
    "Reason",
    "Result",
    "Team",
    "Tournament",
    "apply",
    "as_logged",
    "begin",
    "consequences",
    "define",
    "encode",
    "parse",
    "why",
]
