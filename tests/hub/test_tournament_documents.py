"""Standings, brackets, places and teams as the pages get them."""

from __future__ import annotations

import gzip
import json

import pytest

from scorer.hub.match_cache import MatchCache
from scorer.hub.match_place import HallTournament, MatchPlace
from scorer.hub.matches import AgreedResult, results_to_publish
from scorer.hub.tournament_documents import (
    consequences_document,
    match_document,
    table_documents,
    team_document,
    tournament_document,
    where_documents,
)
from scorer.tournament.events import (
    Enter,
    MarkMissing,
    MarkPresent,
    PairRound,
    StartPhase,
    Withdraw,
)
from scorer.tournament.names import plain
from scorer.tournament.tournament import Tournament
from tests.hub.open_tournaments import waiting
from tests.hub.tournament_pages import phrases_of
from tests.tournament.play import Played, built_in, coin, result_of, stronger


def in_zones(teams: int = 8) -> Played:
    played = Played(built_in("zones_and_bracket"), teams).draw()
    played.do(StartPhase("zonas"))
    return played


def in_bracket() -> Played:
    played = in_zones()
    while played.play_open("zonas", stronger):
        pass
    played.do(StartPhase("llave"))
    return played


def test_each_team_of_a_zone_has_one_place_to_go_to() -> None:
    played = in_zones()
    rows = where_documents(phrases_of(played), {"zonas-Z1-R1-M1": MatchPlace(7, "offered")})
    assert [row["name"] for row in rows] == [f"team {at}" for at in range(1, 9)]
    at_seven = [row["name"] for row in rows if row["match"]["table"] == 7]
    assert len(at_seven) == 2
    assert {row["match"]["stage"]["round"] for row in rows} == {1}


def test_a_match_is_at_its_table_or_waits() -> None:
    played = in_zones()
    places = {"zonas-Z1-R1-M1": MatchPlace(7, "playing", (0, 0), (12, 9))}
    at_tables = table_documents(
        phrases_of(played), HallTournament(1, played.reader, places), MatchCache()
    )
    assert {table: each["points"] for table, each in at_tables.items()} == {7: [12, 9]}
    ready, _, later = waiting(played, places)
    # A team plays one match at a time: of two zones of four teams three more can begin.
    assert ready == ["zonas-Z1-R1-M2", "zonas-Z2-R1-M1", "zonas-Z2-R1-M2"]
    assert {each.split("-")[2] for each in later} == {"R2", "R3"}


def test_a_match_of_a_missing_team_waits_for_it_and_the_next_one_is_ready() -> None:
    played = in_zones()
    first = waiting(played, {})[0][0]
    team = int(str(played.reader.sides(first)[0]))
    played.do(MarkMissing(team))
    ready, missing, _ = waiting(played, {})
    assert first in missing and first not in ready
    assert ready == ["zonas-Z1-R1-M2", "zonas-Z2-R1-M1", "zonas-Z2-R1-M2"]
    assert match_document(phrases_of(played), first, {})["state"] == "planned"
    played.do(MarkPresent(team))
    ready, missing, _ = waiting(played, {})
    assert (ready[0], missing) == (first, [])


def test_a_team_with_a_bye_is_listed_until_its_round_is_over() -> None:
    played = Played(built_in("swiss"), 9).draw()
    phase = played.state.format.phases[0].id
    played.do(StartPhase(phase))
    played.do(PairRound(phase))
    bye = played.state.stages[phase].rounds[0].bye
    assert [row["team"] for row in where_documents(phrases_of(played), {}) if not row["match"]] == [
        bye
    ]
    played.play_open(phase, coin(1))
    assert where_documents(phrases_of(played), {}) == []


def test_standings_show_the_value_of_each_tie_break() -> None:
    played = in_zones()
    played.play_open("zonas", stronger)
    document = tournament_document(phrases_of(played), {})["phases"][0]
    first = document["standings"][0]
    shown = dict(zip(first["criteria"], first["rows"][0]["values"], strict=True))
    assert (document["played"], document["matches"]) == (12, 12)
    assert shown["wins"] == "3"
    assert shown["games_difference"] == "+3"
    assert shown["points_difference"] == "+87"
    assert shown["walkovers"] == "0"


@pytest.mark.parametrize(
    ("round_at", "key"), [(0, "semifinal"), (1, "final"), (2, "third")], ids=str
)
def test_the_rounds_of_a_bracket_have_their_names(round_at: int, key: str) -> None:
    document = tournament_document(phrases_of(in_bracket()), {})["phases"][1]["bracket"]
    assert document[round_at]["stage"]["key"] == key


def test_a_place_that_is_not_known_names_the_match_before() -> None:
    final = match_document(phrases_of(in_bracket()), "llave-R2-M1", {})
    assert final["state"] == "planned"
    assert [side["winner_of"] for side in final["sides"]] == ["llave-R1-M1", "llave-R1-M2"]


def test_a_team_sees_its_next_match_its_results_and_its_zone() -> None:
    played = in_bracket()
    document = team_document(
        phrases_of(played), 1, {"llave-R1-M1": MatchPlace(3, "playing", (1, 0))}
    )
    assert document["next"]["table"] == 3
    assert document["next"]["state"] == "playing"
    assert document["next"]["why"] == ["Números 2 y 4 del orden del sorteo."]
    assert len(document["matches"]) == 4
    assert document["standings"][0]["rows"][0]["team"] == 1
    with pytest.raises(KeyError):
        team_document(phrases_of(played), 99, {})


def test_a_withdrawn_team_is_marked_and_its_matches_are_walk_overs() -> None:
    played = in_zones()
    played.do(Withdraw(1, "ill"))
    document = team_document(phrases_of(played), 1, {})
    assert document["is_withdrawn"]
    assert {each["result"]["ending"] for each in document["matches"]} == {"walkover"}


def swiss_round_two() -> tuple[Played, str]:
    played = Played(built_in("swiss"), 8).draw()
    phase = played.state.format.phases[0].id
    played.do(StartPhase(phase))
    for _ in range(2):
        played.do(PairRound(phase))
        played.play_open(phase, stronger)
    return played, played.state.stages[phase].rounds[1].matches[0]


def test_why_a_pair_meets_is_said_in_each_format() -> None:
    zones, bracket = in_zones(), in_bracket()
    swiss, match = swiss_round_two()
    found = [
        phrases_of(zones).why("zonas-Z2-R1-M1"),
        phrases_of(bracket).why("llave-R1-M1"),
        phrases_of(bracket).why("llave-R2-M1"),
        phrases_of(swiss).why(match)[:1],
    ]
    assert found == [
        ["Todos los equipos de la zona 2 se enfrentan."],
        ["Números 2 y 4 del orden del sorteo."],
        ["Vienen de R1-M1, R1-M2."],
        ["Antes de la ronda: puntaje 2 y 2."],
    ]


def test_names_are_looked_up_without_accents() -> None:
    assert sorted(["Ñandú", "Álamo", "zorro", "Nube"], key=plain) == [
        "Álamo",
        "Ñandú",
        "Nube",
        "zorro",
    ]


@pytest.mark.parametrize("name", ["zones_and_bracket", "swiss", "double"])
def test_the_champion_is_known_when_the_last_phase_is_over(name: str) -> None:
    played = Played(built_in(name), 8).draw()
    assert tournament_document(phrases_of(played), {})["champion"] == ""
    played.play(stronger)
    assert tournament_document(phrases_of(played), {})["champion"] == "team 1"
    assert {team_document(phrases_of(played), each, {})["champion"] for each in (1, 2)} == {
        "team 1"
    }


def in_playoff() -> Played:
    """Two zones of four; the play-off of three level teams in the first is paired."""
    played = Played(built_in("zones_and_playoffs"), 8).draw()
    played.do(StartPhase("zonas"))

    def in_a_circle(state: Tournament, match_id: str, one: int, other: int) -> int:
        stage = state.stages["zonas"]
        zone = stage.zones[stage.matches[match_id].group - 1]
        first, second = zone.index(one), zone.index(other)
        if stage.matches[match_id].group == 2 or 3 in (first, second):
            return 0 if first < second else 1
        return 0 if (second - first) % 3 == 1 else 1

    while played.play_open("zonas", in_a_circle):
        pass
    played.do(PairRound("zonas"))
    return played


def test_a_play_off_is_called_like_any_match_and_says_what_it_is() -> None:
    played = in_playoff()
    assert waiting(played, {})[0] == ["zonas-P1-M1"]
    match = match_document(phrases_of(played), "zonas-P1-M1", {})
    assert (match["stage"]["key"], match["state"]) == ("playoff", "ready")
    level = [played.state.teams[each].name for each in played.reader.ties("zonas")[0].teams]
    assert len(level) == 3
    (why,) = phrases_of(played).why("zonas-P1-M1")
    assert why.endswith(f"juegan el desempate: {', '.join(level)}.")
    phase = tournament_document(phrases_of(played), {})["phases"][0]
    assert phase["standings"][0]["criteria"][-2:] == ["playoff", "draw"]
    assert [row["values"][-2] for row in phase["standings"][0]["rows"]] == [""] * 4
    played.play_open("zonas", stronger)
    phase = tournament_document(phrases_of(played), {})["phases"][0]
    assert [row["values"][-2] for row in phase["standings"][0]["rows"]] == ["2", "1", "0", ""]


def test_a_correction_that_ends_a_tie_names_its_teams() -> None:
    played = in_playoff()
    match = next(
        each
        for each in played.state.stages["zonas"].matches.values()
        if each.group == 1 and {*each.slots} < {*played.reader.ties("zonas")[0].teams}
    )
    winner = played.state.results[match.id].winner
    assert winner is not None
    other = result_of(played.phase("zonas"), 1 - winner)
    names = [played.state.teams[each].name for each in played.reader.ties("zonas")[0].teams]
    lines = consequences_document(phrases_of(played), match.id, other)["lines"]
    assert lines[-1] == f"Ya no hace falta el desempate en Zonas: {', '.join(names)}"


def test_a_play_off_that_is_not_needed_keeps_no_result_back() -> None:
    played = in_playoff()
    played.do(Withdraw(played.reader.ties("zonas")[0].teams[0], "gone"))
    matches = ["zonas-P1-M1", "zonas-P1-M2", "zonas-P1-M3"]
    assert len([each for each in matches if not played.reader.is_over(each)]) == 1
    agreed = next(each for each in matches if not played.reader.is_over(each))
    result = result_of(played.phase("zonas"), 0)
    assert results_to_publish(played.reader, [AgreedResult(agreed, result, 0)], None) != []


@pytest.mark.parametrize("name", ["zones_and_bracket", "double"])
def test_what_screens_get_of_256_teams_is_small(name: str) -> None:
    played = Played(built_in(name))
    for number in range(1, 257):
        played.do(Enter(f"Primos del Barrio Norte {number:04}"))
    first = played.draw().state.format.phases[0].id
    played.do(StartPhase(first))
    played.play_open(first, coin(1))
    document = tournament_document(phrases_of(played, "es-AR"), {})
    assert len(gzip.compress(json.dumps(document).encode(), 5)) < 40_000
