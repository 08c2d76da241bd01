"""Find a team by its number, name, club or players, as people type them."""

from __future__ import annotations

import re

from scorer.tournament.model import Team
from scorer.tournament.pasted_list import plain


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without accents and punctuation."""
    return re.findall(r"[^\W_]+", plain(text))


def team_words(team: Team) -> str:
    """What a team is found by, besides its number."""
    return " ".join(words_of(" ".join((team.name, team.club, *team.players, *team.reserves))))


def is_found(team: Team, query: str) -> bool:
    """Whether ``query`` is the team's number, or its words begin words of the team.

    ``pages/search.js`` finds the same.
    """
    wanted = words_of(query)
    words = team_words(team).split()
    return wanted == [str(team.id)] or all(
        any(word.startswith(each) for word in words) for each in wanted
    )


def name_key(team: Team) -> tuple[str, int]:
    """What puts teams in the order of the alphabet."""
    return plain(team.name), team.id
