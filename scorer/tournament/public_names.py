"""Which names of a tournament may be published.

Without their consent no player is named: neither in a list of players nor in the name of a team. A
team that is not named has its number. Where the players are known the name is compared with theirs;
where they are not, the desk is asked whether it is a name of people.
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.tournament.model import Team, blank_name, is_number
from scorer.tournament.names import is_word_alike, name_words
from scorer.tournament.tournament import Tournament


def public_state(state: Tournament) -> Tournament:
    """The state with the names alone that may be published."""
    hidden = {
        team.id: Team(team.id, public_name(state, team), seed=team.seed)
        for team in state.teams.values()
        if not team.consents
    }
    return state._replace(teams={**state.teams, **hidden})


def public_name(state: Tournament, team: Team) -> str:
    """What a team is called in public: its name or its number."""
    return team.name if is_named_in_public(state, team) else blank_name(team.id)


def is_named_in_public(state: Tournament, team: Team) -> bool:
    """Whether a name is published: it names no players, or they consent.

    One that the desk has still to judge is not.
    """
    if team.consents:
        return True
    if people := _people(team):
        return not shares_word(team.name, people)
    return team.is_blank or state.of_people.get(team.id) is False


def unjudged(state: Tournament) -> list[Team]:
    """The teams of which the desk has to say whether their names are names of people."""
    return [
        team
        for team in state.teams.values()
        if not (team.consents or team.is_blank or _people(team) or team.id in state.of_people)
    ]


def _people(team: Team) -> list[str]:
    """The listed players of a team whose names were not blanked."""
    return [each for each in (*team.players, *team.reserves) if not is_number(each)]


def shares_word(name: str, people: Iterable[str]) -> bool:
    """Whether a name has a word of the name of one of these people, or one like it."""
    words = {word for person in people for word in name_words(person)}
    return any(
        word in words or any(is_word_alike(word, each) for each in words)
        for word in name_words(name)
    )
