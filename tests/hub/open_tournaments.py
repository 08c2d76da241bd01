"""Tournaments of a test as the caller of matches sees them."""

from __future__ import annotations

from scorer.hub.match_place import MatchPlaces
from scorer.hub.matches import OpenTournament, waiting_matches
from scorer.hub.tournaments import RunningTournament
from tests.tournament.play import Played

ID = 7  # of the tournament of a test


def opened(played: Played, places: MatchPlaces, number: int = ID) -> OpenTournament:
    """A tournament with these matches at tables, each at the box of that number."""
    at_tables = {match: (place.table, place) for match, place in places.items()}
    return OpenTournament(RunningTournament(number, played.state), played.reader, at_tables)


def waiting(played: Played, places: MatchPlaces) -> tuple[list[str], list[str], list[str]]:
    """The ids of the ready matches, those without a team, and the later ones."""
    ready, missing, later = waiting_matches([opened(played, places)], {})
    return (
        [key.match for key in ready],
        [key.match for key in missing],
        [key.match for key in later],
    )
