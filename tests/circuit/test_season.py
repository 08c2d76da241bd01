"""A season by ``scorer circuit``: its tables beside sums by the truth, its files."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from scorer.circuit.command import main
from scorer.circuit.people import load_people
from scorer.tournament import begin
from scorer.tournament.entry_list import read_entries
from scorer.tournament.names import plain_words
from scorer.tournament.pasted_list import decoded
from tests.circuit.few_evenings import evening, made, season_text, team
from tests.circuit.simulated_season import SimulatedSeason, answered, club_sums, simulate, sums
from tests.paths import ROOT
from tests.tournament.play import built_in

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
    for played in document["evenings"]:
        for pair, shown in zip(season.order[played["id"]], played["teams"], strict=True):
            if shown["team"] is None:
                unnamed.add(pair)
            else:
                found[shown["team"]].add(pair)
    assert {len(each) for each in found.values()} == {1}, "a team is one pair"
    pairs = {id_: min(each) for id_, each in found.items()}
    assert len(set(pairs.values())) == len(pairs), "a pair is one team"
    assert unnamed == {each.id for each in season.pairs if each.is_forgotten} & set(
        pair for order in season.order.values() for pair in order
    )
    return pairs


@pytest.mark.sampled(0)
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
    forgotten = [each for each in season.pairs if each.is_forgotten]
    texts = [body.decode("utf-8", "replace") for body in files_of(tmp_path / "site").values()]
    site = " ".join(plain_words(" ".join(texts)))
    assert " ".join(plain_words(season.pairs[1].name)) in site
    for pair in forgotten:
        for name in (pair.name, *(each.name for each in pair.people)):
            assert f" {' '.join(plain_words(name))} " not in site, name
    assert forgotten


@pytest.mark.sampled(0)
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


def test_the_document_is_as_its_schema_says(tmp_path: Path) -> None:
    # Imported lazily: it takes a second in each process that collects tests.
    from jsonschema import Draft202012Validator

    schema = json.loads((ROOT / "docs/reference/api/season.schema.json").read_text("utf-8"))
    evenings = [
        evening(1, [team("Uno", "Ana Ruiz", "Luis Paz", club="Sur"), "Dos"], [(1, 2)]),
        evening(2, ["#1", team("Tres", gone=True)], is_complete=False),
        evening(3, [team("Uno", "Ana Ruiz", "Luis Paz")], date="2026-03-01"),
    ]
    text = season_text("[clubs]\n[final]\nqualified = 2\n[counting]\nleast_evenings = 2\n")
    document = made(tmp_path, evenings, text)
    Draft202012Validator(schema).validate(document)
    assert {each["kind"] for each in document["notices"]} == {"same_day", "incomplete"}
    del document["until"]
    assert not Draft202012Validator(schema).is_valid(document)


def test_the_list_of_the_final_is_one_that_a_hub_reads(tmp_path: Path) -> None:
    teams = [
        team("Los Ñatos", "Ana Ruiz", "Luis Paz", club="Club Sur"),
        team("Las Brujas"),
        team("#3", "#3.1", "#3.2", members=("a1" * 32, "b2" * 32)),
        team("Tercos", "Eva Sosa", "Raúl Vega"),
    ]
    made(tmp_path, [evening(1, teams)], season_text("[final]\nqualified = 3\n"))
    data = (tmp_path / "site" / "final.csv").read_bytes()
    found = read_entries(decoded(data), begin(built_in("swiss")))
    assert found.errors == found.questions == ()
    columns = ("name", "players", "club", "seed", "consents")
    assert [tuple(getattr(each, name) for name in columns) for each in found.entries] == [
        ("Los Ñatos", ("Ana Ruiz", "Luis Paz"), "Club Sur", 1, True),
        ("Las Brujas", (), "", 2, False),
        (found.entries[2].name, (), "", 3, False),
    ]  # fmt: skip


def test_a_spreadsheet_calculates_no_cell(tmp_path: Path) -> None:
    made(tmp_path, [evening(1, ["=cmd|' /C calc'!A0", "Dos"])])
    assert b"\"'=cmd" in (tmp_path / "site" / "table.csv").read_bytes()


def test_names_are_escaped_on_every_page(tmp_path: Path) -> None:
    made(tmp_path, [evening(1, [team("<script>x</script>", '"><b>Ana', "Luis & Paz")])])
    pages = [each.read_text("utf-8") for each in (tmp_path / "site").rglob("*.html")]
    assert not any("<script>x" in each or "<b>Ana" in each for each in pages)
    assert sum("&lt;script&gt;x" in each for each in pages) > 8


@pytest.mark.sampled(0)
def test_every_link_of_the_site_leads_to_a_file(tmp_path: Path) -> None:
    season = simulate(2, 4, 40)
    make(tmp_path, season)
    site = tmp_path / "site"
    assert (site / "index.html").is_file()
    for page in site.rglob("*.html"):
        for target in re.findall(
            r'(?:href|src)="(?!data:)([^"#?]+)[^"]*"', page.read_text("utf-8")
        ):
            assert (page.parent / target).is_file(), f"{page}: {target}"
    assert {each.name for each in site.iterdir() if each.is_dir()} == {"es", "pt", "ca", "en"}
