"""Find teams by their number, name, club or players, as people type them."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tournament.model import Team
from scorer.tournament.names import is_word_alike, plain, plain_words, words_found


def team_words(team: Team) -> str:
    """What a team is found by, besides its number."""
    return " ".join(words_found(" ".join((team.name, team.club, *team.players, *team.reserves))))


def found_teams(teams: Sequence[Team], query: str) -> list[bool]:
    """Whether each team is found: by its number, or by words that begin words of it.

    If none is, whether it is with one wrong letter in a word. ``pages/search.js`` finds the same.
    """
    wanted, words = plain_words(query), [team_words(each).split() for each in teams]
    found = [
        wanted == [str(team.id)] or _begin(wanted, own)
        for team, own in zip(teams, words, strict=True)
    ]
    return found if any(found) else [_begin(wanted, own, may_err=True) for own in words]


def _begin(wanted: Sequence[str], words: Sequence[str], *, may_err: bool = False) -> bool:
    """Whether each of ``wanted`` begins one of the words; ``may_err``: or is like one."""
    return all(
        any(word.startswith(each) or (may_err and is_word_alike(each, word)) for word in words)
        for each in wanted
    )


def alphabet_key(team: Team) -> tuple[str, int]:
    """What puts teams in the order of the alphabet."""
    return plain(team.name), team.id
