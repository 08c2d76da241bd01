"""The evenings of a season: read, verified, and each in its newest revision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scorer.circuit.lock import Locked
from scorer.circuit.season_file import Season
from scorer.circuit.sources import NoSource, SourceFile
from scorer.season.evening import Evening, NamesKind
from scorer.season.evening_file import EveningFault, EveningRefusal, HallKey, read_evening
from scorer.tournament.names import name_key

_ALL_NAMES = (
    "it has the names of players who did not agree to be published; export it with public names, "
    "or write all_names = true in [season] for a site that the club keeps"
)


class SeasonEvening(NamedTuple):
    """An evening of the season.

    ``hall``: as the season calls it; ``category``: one of the season, "" if it has none.
    """

    evening: Evening
    hall: str
    category: str
    locked: Locked


class ReadEvenings(NamedTuple):
    """The evenings by date, and what is wrong with files."""

    evenings: tuple[SeasonEvening, ...]
    problems: tuple[str, ...]


def read_evenings(season: Season, sources: Iterable[SourceFile | NoSource]) -> ReadEvenings:
    """The evenings of these files; of several revisions the newest one."""
    keys = [HallKey(each.key, each.since, each.until) for each in season.key]
    halls = {each.key: each.hall for each in season.key}
    categories = {name_key(each): each for each in season.season.categories}
    found: dict[str, SeasonEvening] = {}
    problems: list[str] = []
    for source in sources:
        if isinstance(source, NoSource):
            problems.append(str(source))
            continue
        signed = read_evening(source.data, keys)
        if isinstance(signed, EveningRefusal):
            is_unknown = signed.fault is EveningFault.UNKNOWN_KEY
            advice = ", and write it under [[key]] in the file of the season" if is_unknown else ""
            problems.append(f"{source.name}: {signed.text}{advice}")
            continue
        evening = signed.evening
        if not season.season.is_of_season(evening.date):
            continue
        if evening.names is NamesKind.ALL and not season.season.all_names:
            problems.append(f"{source.name}: {_ALL_NAMES}")
            continue
        category = categories.get(name_key(evening.tournament.category), "")
        if categories and not category:
            problems.append(
                f"{source.name}: its category is '{evening.tournament.category}', which is not one "
                "of categories in [season]; add it there, or take the file away"
            )
            continue
        locked = Locked(evening.id, evening.revision, signed.digest, source.name)
        read = SeasonEvening(evening, halls[evening.hall.key], category, locked)
        before = found.setdefault(evening.id, read)
        if before.locked.revision < locked.revision:
            found[evening.id] = read
        elif before.locked.revision == locked.revision and before.locked.digest != locked.digest:
            problems.append(
                f"{source.name}: it is another file than {before.locked.source}, with the same "
                "evening and revision; ask the hall which one is right, and take the other away"
            )
    return ReadEvenings(
        tuple(
            sorted(found.values(), key=lambda each: (each.evening.date, each.hall, each.evening.id))
        ),
        tuple(problems),
    )
