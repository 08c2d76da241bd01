"""Evenings of a few teams, for seasons that a test writes in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scorer.circuit.command import main
from scorer.plain_values import json_object
from scorer.season.evening import (
    Evening,
    EveningHall,
    EveningMatch,
    EveningPhase,
    EveningPlayer,
    EveningTeam,
    EveningTournament,
    NamesKind,
)
from scorer.season.evening_file import write_evening
from scorer.season.signing import public_key_of
from scorer.tournament.format import PhaseKind
from scorer.tournament.model import Ending

KEY, OTHER_KEY = "11" * 32, "22" * 32
HALL = "Club Tres de Copas"
POINTS = "[points]\nplaces = [10, 6, 4, 2]\n"


def team(
    name: str, *players: str, club: str = "", members: Sequence[str] = (), gone: bool = False
) -> EveningTeam:
    """A team; place and number are those of its row in ``evening``."""
    hashes = [*members, *[""] * len(players)]
    named = tuple(map(EveningPlayer, players, hashes))
    return EveningTeam(1, 1, name, named, club, "rondas", gone)


def evening(
    number: int,
    teams: Iterable[EveningTeam | str],
    won: Sequence[tuple[int, int]] = (),
    *,
    date: str = "",
    category: str = "",
    revision: int = 1,
    is_complete: bool = True,
    names: NamesKind = NamesKind.PUBLIC,
    key: str = KEY,
) -> Evening:
    """An evening with its teams by their places.

    ``won``: the places of winner and loser of each match.
    """
    listed = [team(each) if isinstance(each, str) else each for each in teams]
    return Evening(
        f"{number:032x}",
        revision,
        date or f"2026-03-{number:02d}",
        names,
        EveningHall("", public_key_of(key)),
        EveningTournament("", category, "swiss", "format.swiss"),
        is_complete,
        (EveningPhase("rondas", "", PhaseKind.ROUNDS, "argentino"),),
        tuple(each._replace(place=at, team=at) for at, each in enumerate(listed, 1)),
        tuple(
            EveningMatch(
                f"rondas-R1-M{at}", "rondas", 0, 1, 0, pair, (1, 0), (30, 12), 0, Ending.PLAYED
            )
            for at, pair in enumerate(won, 1)
        ),
    )


def season_text(more: str = "", points: str = POINTS, season: str = "") -> str:
    """A season with the two keys of the hall."""
    return (
        f'[season]\ntitle = "Copa del año"\nevenings = ["evenings"]\n{season}{points}{more}'
        f'[[key]]\nhall = "{HALL}"\nkey = "{public_key_of(KEY)}"\n'
        f'[[key]]\nhall = "Otro club"\nkey = "{public_key_of(OTHER_KEY)}"\n'
    )


def write_season(folder: Path, evenings: Iterable[Evening], text: str = "") -> Path:
    """Write the files of a season; the path of its own."""
    (folder / "evenings").mkdir(parents=True, exist_ok=True)
    for each in evenings:
        key = KEY if each.hall.key == public_key_of(KEY) else OTHER_KEY
        path = folder / "evenings" / f"{each.id[-4:]}-{each.revision}.json"
        path.write_bytes(write_evening(each, key))
    season = folder / "season.toml"
    season.write_text(text or season_text(), encoding="utf-8")
    return season


def made(folder: Path, evenings: Iterable[Evening], text: str = "") -> dict[str, Any]:
    """The document of a season that has no open question."""
    assert main([str(write_season(folder, evenings, text))]) == 0
    document = json_object((folder / "site" / "season.json").read_bytes())
    assert document is not None
    return document


def ranking(document: dict[str, Any], table: int = 0) -> list[tuple[int | None, str, int]]:
    """Rank, name and points of each row."""
    rows = document["tables"][table]["rows"]
    return [(row["rank"], row["name"], row["points"]) for row in rows]
