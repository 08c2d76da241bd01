"""Which names of different evenings are one person, one team or one club.

Names are compared as in the lists of a tournament, and the same member is the same person. What is
alike is asked, never taken for granted. Two names of one evening are two: no one plays in two teams
of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

from scorer.circuit.people import NameAnswer, NameKind, NameQuestion, PeopleFile
from scorer.season.evening import EveningPlayer, EveningTeam
from scorer.tournament.names import NameIndex, name_key

_BETWEEN: Final = " / "  # the players of a team in a question
_ID_DIGITS: Final = 10

# The key of a name, the hash of a member after "#", or the persons of a team, which are tokens.
Token = str | frozenset[str]


class Sighting(NamedTuple):
    """A team of an evening.

    ``evening``: its place in the season, from 0; ``where``: the evening, for people.
    """

    evening: int
    hall: str
    where: str
    team: EveningTeam


class Entity(NamedTuple):
    """A person, a team or a club of the season.

    ``id``: of its page; ``name``: as it is spelled most often; ``players``: of a team, if they are
    known.
    """

    id: str
    name: str
    players: tuple[Entity, ...] = ()


class Matching(NamedTuple):
    """The team, the persons and the club of each sighting.

    None and (): not known by a name. ``questions``: those without an answer; ``problems``: answers
    and names that contradict others.
    """

    teams: tuple[Entity | None, ...]
    persons: tuple[tuple[Entity, ...], ...]
    clubs: tuple[Entity | None, ...]
    questions: tuple[NameQuestion, ...]
    problems: tuple[str, ...]


def match(sightings: Sequence[Sighting], people: PeopleFile) -> Matching:
    """Join the names of a season."""
    persons, clubs = _Names(NameKind.PERSON), _Names(NameKind.CLUB)
    seen = [
        [_add_person(persons, each, player, people) for player in each.team.players]
        for each in sightings
    ]
    club_of = [_add_club(clubs, each) for each in sightings]
    for names in (persons, clubs):
        _join_members(names)
        _join_names(names, people, names.token_of, names.name)
    teams = _Names(NameKind.TEAM)
    team_of = [_add_team(teams, *each, persons) for each in zip(sightings, seen, strict=True)]
    _join_names(
        teams, people, partial(_team_token, teams, persons), partial(_team_text, teams, persons)
    )
    problems = [
        *_twice_in_an_evening(sightings, seen, persons),
        *_twice_in_an_evening(sightings, [[each] for each in team_of], teams),
    ]
    person = _entities(persons)
    club = _entities(clubs)
    team = _team_entities(teams, persons, person)
    return Matching(
        tuple(None if each is None else team(each) for each in team_of),
        tuple(tuple(person(each) for each in row if each is not None) for row in seen),
        tuple(None if each is None else club(each) for each in club_of),
        (*persons.questions, *teams.questions, *clubs.questions),
        (*persons.problems, *teams.problems, *clubs.problems, *problems),
    )


class _Names:
    """The names of one kind: tokens, of which some are one."""

    def __init__(self, kind: NameKind) -> None:
        self.kind = kind
        self._above: dict[Token, Token] = {}
        # By token, and of those that are one together by their root.
        self.spelled: dict[Token, Counter[str]] = defaultdict(Counter)
        self.evenings: dict[Token, set[int]] = defaultdict(set)
        self.where: dict[Token, str] = {}
        self._own: dict[Token, Counter[str]] = defaultdict(Counter)
        self.named: dict[str, dict[Token, None]] = defaultdict(dict)  # tokens by the keys of names
        self.questions: list[NameQuestion] = []
        self.problems: list[str] = []

    def add(self, token: Token, name: str, seen: Sighting) -> None:
        """Add a name of an evening; "": it has none."""
        self.evenings[token].add(seen.evening)
        self.where.setdefault(token, seen.where)
        if name:
            self.spelled[token][name] += 1
            self._own[token][name] += 1
            self.named[name_key(name)][token] = None

    def root(self, token: Token) -> Token:
        """That of the tokens that are one which stands for all of them."""
        while (above := self._above.get(token, token)) != token:
            token = above
        return token

    def unite(self, one: Token, other: Token) -> None:
        """Make two tokens one."""
        # The smaller text stays: of equal evenings the result is the same.
        kept, gone = sorted((self.root(one), self.root(other)), key=_text)
        if kept != gone:
            self._above[gone] = kept
            self.spelled[kept].update(self.spelled.pop(gone, {}))
            self.evenings[kept] |= self.evenings.pop(gone)

    def may_be_one(self, one: Token, other: Token) -> bool:
        """Whether they are not one yet, and in no evening both."""
        one, other = self.root(one), self.root(other)
        return one != other and not self.evenings[one] & self.evenings[other]

    def name(self, token: Token) -> str:
        """The spelling that this token has most often."""
        return _most_used(self._own[token])

    def token_of(self, text: str) -> Token | None:
        """The token of a name, if it is of one alone."""
        key = name_key(text)
        found: list[Token] = [*self.named.get(key, ())]
        if len(found) == 1:
            return found[0]
        return key if key in found else None


def _most_used(spelled: Counter[str]) -> str:
    """The commonest spelling, of those the first one by the alphabet; "" without one."""
    return min(spelled, key=lambda each: (-spelled[each], each), default="")


def _text(token: Token) -> str:
    return token if isinstance(token, str) else _BETWEEN.join(sorted(token))


# ---- from an evening ----------------------------------------------------------------------------


def _add_person(
    names: _Names, seen: Sighting, player: EveningPlayer, people: PeopleFile
) -> Token | None:
    """The person of a player; None for a number without a member."""
    name = people.name_in(seen.hall, player.name) if player.is_named else ""
    token = f"#{player.member}" if player.member else name_key(name) if name else None
    if token is not None:
        names.add(token, name, seen)
    return token


def _add_club(names: _Names, seen: Sighting) -> Token | None:
    if not seen.team.club:
        return None
    names.add(name_key(seen.team.club), seen.team.club, seen)
    return name_key(seen.team.club)


def _add_team(
    names: _Names, seen: Sighting, players: Sequence[Token | None], persons: _Names
) -> Token | None:
    """The team of these persons, or that of its name; None without a name."""
    known = [persons.root(each) for each in players if each is not None]
    if known and len(known) == len(players):
        token: Token = frozenset(map(_text, known))
    elif seen.team.is_named:
        token = name_key(seen.team.name)
    else:
        return None
    names.add(token, seen.team.name if seen.team.is_named else "", seen)
    return token


# ---- what is one --------------------------------------------------------------------------------


def _join_members(names: _Names) -> None:
    """Unite a name without a member with the only member of that name."""
    for key, tokens in names.named.items():
        members = {names.root(each) for each in tokens if each != key}
        if key in tokens and len(members) == 1:
            names.unite(key, *members)
        elif key in tokens and members:
            names.problems.append(
                f"'{names.name(key)}' ({names.where[key]}) has no number of a member, and several "
                "members have this name: write an entry [[apart]] in people.toml"
            )


def _join_names(
    names: _Names,
    people: PeopleFile,
    token_of: Callable[[str], Token | None],
    text_of: Callable[[Token], str],
) -> None:
    """Unite what an answer says is one, and ask about what is alike.

    ``text_of``: what a question calls a token; ``token_of``: the token of such a text.
    """
    answered: dict[frozenset[Token], NameAnswer] = {}
    for answer in people.question:
        one, other = token_of(answer.one), token_of(answer.other)
        if answer.kind is not names.kind or one is None or other is None:
            continue  # of names that are in no evening any more
        if isinstance(answer.same, bool):
            answered[frozenset((one, other))] = answer
        if answer.same is True:
            if names.root(one) != names.root(other) and not names.may_be_one(one, other):
                names.problems.append(
                    f"'{answer.one}' and '{answer.other}' are in one evening, so they are two: "
                    "answer same = false in people.toml"
                )
            else:
                names.unite(one, other)
    for pair, answer in answered.items():
        if answer.same is False and len({*map(names.root, pair)}) == 1:
            names.problems.append(
                f"'{answer.one}' and '{answer.other}' are two by one answer of people.toml and "
                "one by others: correct one of them"
            )
    settled = {frozenset(map(names.root, pair)) for pair in answered}
    for one, other in _alike(names):
        roots = frozenset((names.root(one), names.root(other)))
        if names.may_be_one(one, other) and roots not in settled:
            settled.add(roots)
            where = f"{names.where[one]}; {names.where[other]}"
            names.questions.append(NameQuestion(names.kind, text_of(one), text_of(other), where))


def _alike(names: _Names) -> Iterator[tuple[Token, Token]]:
    """The tokens to ask about, in an order that follows from their names."""
    index = NameIndex[Token]()
    for key in sorted(names.named):
        for token in sorted(names.named[key], key=_text):
            for _, other in index.find(key):
                # Two members, and two teams of other players, are two whatever they are called.
                if not (_is_certain(token) and _is_certain(other)):
                    yield other, token
            index.add(key, token)


def _is_certain(token: Token) -> bool:
    """Whether more than a name says who it is."""
    return isinstance(token, frozenset) or token.startswith("#")


def _team_text(teams: _Names, persons: _Names, token: Token) -> str:
    """What a question calls a team: its players, or its name."""
    if isinstance(token, str):
        return teams.name(token)
    return _BETWEEN.join(sorted(_most_used(persons.spelled[each]) or each for each in token))


def _team_token(teams: _Names, persons: _Names, text: str) -> Token | None:
    """The team of a question: by its players, or by its name."""
    players = [persons.token_of(each) for each in text.split(_BETWEEN)]
    known = frozenset(_text(persons.root(each)) for each in players if each is not None)
    if len(known) == len(players) and known in teams.where:
        return known
    return name_key(text) if name_key(text) in teams.where else None


def _twice_in_an_evening(
    sightings: Sequence[Sighting], seen: Sequence[Sequence[Token | None]], names: _Names
) -> Iterator[str]:
    """A sentence for each name that two teams of one evening have."""
    known: dict[tuple[int, Token], EveningTeam] = {}
    for sighting, tokens in zip(sightings, seen, strict=True):
        for token in tokens:
            if token is None:
                continue
            other = known.setdefault((sighting.evening, names.root(token)), sighting.team)
            if other != sighting.team:
                yield (
                    f"{sighting.where}: '{names.name(token)}' is in the teams {other.team} and "
                    f"{sighting.team.team}: correct a name at the desk and export the evening again"
                )


# ---- entities -----------------------------------------------------------------------------------


def _entities(names: _Names) -> Callable[[Token], Entity]:
    """The person or club of a token; without a name it has a number."""
    found: dict[Token, Entity] = {}

    def entity(token: Token) -> Entity:
        root = names.root(token)
        if root not in found:
            id_ = _id(names.kind, root)
            found[root] = Entity(id_, _most_used(names.spelled[root]) or f"#{id_[:4]}")
        return found[root]

    return entity


def _team_entities(
    teams: _Names, persons: _Names, person: Callable[[Token], Entity]
) -> Callable[[Token], Entity]:
    """The team of a token; without a name it is called by its players."""
    players: dict[Token, frozenset[str]] = {}
    for token in teams.where:
        if isinstance(token, frozenset):
            players.setdefault(teams.root(token), token)
    found: dict[Token, Entity] = {}

    def entity(token: Token) -> Entity:
        root = teams.root(token)
        if root not in found:
            listed = (person(persons.root(each)) for each in players.get(root, frozenset()))
            known = tuple(sorted(listed, key=lambda each: (each.name, each.id)))
            name = _most_used(teams.spelled[root]) or _BETWEEN.join(each.name for each in known)
            found[root] = Entity(_id(teams.kind, root), name, known)
        return found[root]

    return entity


def _id(kind: NameKind, token: Token) -> str:
    return sha256(f"{kind} {_text(token)}".encode()).hexdigest()[:_ID_DIGITS]
