"""Which names of a tournament may be published.

Without their consent no player is named: neither in a list of players nor in the name of a team. A
team that is not named has its number.
"""

from __future__ import annotations

import re

from scorer.tournament.model import Team, blank_name
from scorer.tournament.names import name_words
from scorer.tournament.tournament import Tournament

# "Ana / Luz", "Ana-Luz" and "Ana y Luz" are as a rule players, whom the list need not have.
_JOINED = re.compile(r"[/&+|]|\w\s*[-–—]\s*\w|\w\s(?:y|e|i|and)\s\w", re.IGNORECASE)


def public_state(state: Tournament) -> Tournament:
    """The state with the names alone that may be published."""
    return state._replace(teams={team.id: _public(team) for team in state.teams.values()})


def is_named_in_public(team: Team) -> bool:
    """Whether a name is published: it names no players, or they consent."""
    if team.consents:
        return True
    people = {word for person in (*team.players, *team.reserves) for word in name_words(person)}
    return not _JOINED.search(team.name) and people.isdisjoint(name_words(team.name))


def _public(team: Team) -> Team:
    if team.consents:
        return team
    name = team.name if is_named_in_public(team) else blank_name(team.id)
    return Team(team.id, name, seed=team.seed)
