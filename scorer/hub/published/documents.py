"""The documents of a published site: docs/reference/api/site.schema.json.

They name no player without consent.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from scorer.hub.tournament_documents import (
    naming_document,
    phase_document,
    round_documents,
)
from scorer.hub.tournament_phrases import Phrases
from scorer.tournament import Reader, Tournament
from scorer.tournament.format import PhaseFormat
from scorer.tournament.public_names import public_state

Json = dict[str, Any]

VERSION = 1
# What the hall alone needs of a match: where it is played, and how far it is.
_OF_THE_HALL = frozenset("table state place progress queue time clock games points score".split())


class SiteTournament(NamedTuple):
    """A tournament that is published; ``id``: as in the hub.

    ``evening``: the signed file of a closed one, or b"".
    """

    id: int
    state: Tournament
    is_open: bool
    evening: bytes = b""

    @property
    def evening_path(self) -> str | None:
        """Where the site has its signed file; None without one."""
        return f"{self.id}.evening.json" if self.evening else None


def site_document(listed: list[Json], hall: str) -> Json:
    """All tournaments of a site, of which ``listed`` has a ``listed_document`` each."""
    return {"truco_site": VERSION, "hall": hall, "tournaments": listed}


def listed_document(document: Json) -> Json:
    """A tournament in a few words."""
    kept = ("id", "title", "date", "day", "format", "is_open", "champion", "evening")
    return {key: document[key] for key in kept}


def published_document(tournament: SiteTournament, hall: str, language: str) -> Json:
    """A tournament with its teams, standings and matches."""
    phrases = Phrases(Reader(public_state(tournament.state)), language)
    state = phrases.state
    is_over = phrases.reader.is_complete(state.format.phases[-1].id)
    return {
        "truco_site": VERSION,
        "id": tournament.id,
        "language": language,
        "hall": hall,
        **naming_document(phrases),
        "is_open": tournament.is_open,
        "champion": phrases.champion,
        "evening": tournament.evening_path,
        "order": order_document(phrases) if is_over or not tournament.is_open else [],
        "is_over": is_over,
        "teams": [
            {
                "team": team.id,
                "name": team.name,
                "players": [*team.players],
                "reserves": [*team.reserves],
                "club": team.club,
                "is_withdrawn": team.id in state.withdrawn,
            }
            for team in state.teams.values()
        ],
        "phases": [
            _phase(phrases, phase) for phase in state.format.phases if phase.id in state.stages
        ],
    }


def order_document(phrases: Phrases) -> list[Json]:
    """All teams over all phases.

    ``places``: the first and the last that level teams share; ``phase``: that in which the place
    was decided, "" for none.
    """
    listed = phrases.reader.final_order()
    level = Counter(each.rank for each in listed)
    return [
        {
            "places": [each.rank, each.rank + level[each.rank] - 1],
            "team": each.team,
            "name": phrases.team(each.team),
            "phase": phrases.phase_of_id(each.phase) if each.phase else "",
            "is_withdrawn": each.team in phrases.state.withdrawn,
        }
        for each in listed
    ]


def _phase(phrases: Phrases, phase: PhaseFormat) -> Json:
    """A phase that has begun, with all its matches by round."""
    document = phase_document(phrases, phase, {})
    kept = ("id", "title", "kind", "played", "matches", "standings")
    rounds = [
        {
            "stage": each["stage"],
            "matches": [
                {key: value for key, value in match.items() if key not in _OF_THE_HALL}
                for match in each["matches"]
            ],
        }
        for each in round_documents(phrases, phase, {})
    ]
    return {**{key: document[key] for key in kept}, "rounds": rounds}
