"""A whole season by ``scorer circuit``: its tables beside sums by the truth, and its files."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from scorer.circuit.command import main
from scorer.circuit.people import load_people
from tests.circuit.simulated_season import (
    SimulatedSeason,
    answered,
    club_sums,
    simulate,
    sums,
)

Json = dict[str, Any]


def make(folder: Path, season: SimulatedSeason) -> Path:
    """Write the season, and answer its questions until the site is there; its file."""
    path = season.write(folder)
    people = folder / "people.toml"
    for _ in range(3):
        if main([str(path)]) == 0:
            return path
        text = people.read_text(encoding="utf-8")
        people.write_text(answered(text, load_people(people), season.truth), encoding="utf-8")
    raise AssertionError("questions come without an end")


def files_of(site: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(site)): each.read_bytes() for each in site.rglob("*") if each.is_file()
    }


def document_of(folder: Path) -> Json:
    document: Json = json.loads((folder / "site" / "season.json").read_bytes())
    return document


def pairs_of(season: SimulatedSeason, document: Json) -> dict[str, int]:
    """The pair of each team of the document, by who really played."""
    found: dict[str, set[int]] = defaultdict(set)
    unnamed: set[int] = set()
    for evening in document["evenings"]:
        order = season.order[evening["id"]]
        for pair, team in zip(order, evening["teams"], strict=True):
            if team["team"] is None:
                unnamed.add(pair)
            else:
                found[team["team"]].add(pair)
    assert {len(each) for each in found.values()} == {1}, "a team is one pair"
    pairs = {team: min(each) for team, each in found.items()}
    assert len(set(pairs.values())) == len(pairs), "a pair is one team"
    assert unnamed == {each.id for each in season.pairs if each.is_forgotten} & set(
        pair for order in season.order.values() for pair in order
    )
    return pairs


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("halls", "evenings", "pairs"), [(3, 8, 60), (12, 40, 300)])
def test_the_table_of_a_season_is_the_sum_of_what_was_played(
    tmp_path: Path, halls: int, evenings: int, pairs: int
) -> None:
    season = simulate(halls, evenings, pairs)
    make(tmp_path, season)
    document = document_of(tmp_path)
    assert len(document["evenings"]) == halls * evenings
    pair_of = pairs_of(season, document)
    [table] = document["tables"]
    found = {
        pair_of[row["id"]]: (row["points"], row["wins"], row["firsts"], len(row["evenings"]))
        for row in table["rows"]
    }
    expected = sums(season)
    assert found == expected
    order = [expected[pair_of[row["id"]]][:3] for row in table["rows"]]
    assert order == sorted(order, reverse=True), "points, then wins, then first places"
    assert [row["rank"] for row in table["rows"]] == [1 + order.index(each) for each in order]
    assert {each["name"]: each["points"] for each in document["clubs"]} == club_sums(season)
    # Names that were forgotten are nowhere, though the older files still have them.
    text = " ".join(
        body.decode("utf-8", "replace") for body in files_of(tmp_path / "site").values()
    )
    words = {re.sub(r"\W+", " ", text.casefold())}
    forgotten = [each for each in season.pairs if each.is_forgotten]
    assert forgotten
    for pair in forgotten:
        assert not any(f" {pair.name.casefold()} " in each for each in words), pair.name


def test_equal_files_give_an_equal_site_byte_for_byte(tmp_path: Path) -> None:
    season = simulate(2, 4, 40)
    sites = []
    for name in ("one", "other"):
        folder = tmp_path / name
        path = make(folder, season)
        sites.append(files_of(folder / "site") | {"lock": (folder / "circuit.lock").read_bytes()})
        assert main([str(path)]) == 0
        assert files_of(folder / "site").items() <= sites[-1].items()
    assert sites[0] == sites[1]
