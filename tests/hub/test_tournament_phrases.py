"""The words of a tournament: the same on pages, on paper and in spreadsheets."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from html import unescape

import pytest

from scorer.hub.match_place import MatchPlace
from scorer.hub.paper import sheets
from scorer.hub.paper.spreadsheets import matches_csv
from scorer.hub.tournament_documents import match_document, team_document
from scorer.i18n import languages
from scorer.tournament import Result, consequences
from scorer.tournament.events import RecordResult, StartPhase
from scorer.tournament.model import Ending
from tests.hub.test_paper import page_of
from tests.hub.tournament_pages import bracket, entered, phrases_of, swiss, zones
from tests.tournament.play import Played, built_in, format_of, stronger


def double() -> Played:
    """Double elimination of eight teams after the first round."""
    played = entered("double", 8)
    played.do(StartPhase(played.state.format.phases[0].id))
    return played


PLAYED: dict[str, Callable[[], Played]] = {
    "zones": zones,
    "bracket": bracket,
    "swiss": swiss,
    "double": double,
}


@pytest.mark.sampled(21)
@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("language", languages())
def test_a_match_has_the_same_words_on_pages_and_in_spreadsheets(name: str, language: str) -> None:
    played = PLAYED[name]()
    phrases = phrases_of(played, language)
    separator = "," if language == "en" else ";"
    text = matches_csv(phrases).decode("utf-8-sig").splitlines()
    rows = list(csv.reader(text, delimiter=separator))[1:]
    assert len(rows) == len(list(played.state.matches()))
    for match, row in zip(played.state.matches(), rows, strict=True):
        document = match_document(phrases, match.id, {})
        shown = [document["name"], document["phase"], document["stage"]["text"]]
        assert row[:5] == shown + [side["text"] for side in document["sides"]]


@pytest.mark.parametrize("name", ["bracket", "double"])
def test_a_bracket_on_paper_has_the_words_of_the_screen(name: str) -> None:
    played = PLAYED[name]()
    phrases, phase = phrases_of(played), played.state.format.phases[-1]
    page = unescape(re.sub(r"</?bdi>", "", page_of(sheets.bracket(phrases, phase))))
    found = [
        (name, score, *teams)
        for *teams, name, score in re.findall(
            r'\s*<div class="team.*?class="name.*?">(.*?)</span>.*?</div>' * 2
            + r"\s*<small>(\S*) ?(.*?)</small>",
            page,
        )
    ]
    documents = [match_document(phrases, match.id, {}) for match in played.state.matches()]
    shown = [each for each in documents if each["id"].startswith(f"{phase.id}-")]
    assert sorted(found) == sorted(
        (each["name"], each["score"], *(side["text"] for side in each["sides"])) for each in shown
    )
    assert {*re.findall("<h3>(.*?)</h3>", page)} == {each["stage"]["text"] for each in shown}


def test_rounds_before_the_final_have_names_on_lists_and_score_sheets() -> None:
    played = Played(format_of({"third_place": True}), 8).draw()
    played.do(StartPhase("a"))
    phrases, phase = phrases_of(played), played.phase("a")
    headings = [
        re.findall("<h2><bdi>(.*?)</bdi>", page_of(sheets.fixtures(phrases, phase, number)))[0]
        for number in (1, 2, 3)
    ]
    assert headings == ["a · Cuartos de final", "a · Semifinales", "a · Final · Tercer puesto"]
    page = page_of(sheets.score_sheets(phrases, list(played.state.matches())))
    assert "Cuartos de final" in page
    assert "Ganador de R1-M1" in page
    assert "a-R" not in page


def test_round_two_of_24_teams_is_the_round_of_16() -> None:
    played = Played(format_of({}), 24).draw()
    played.do(StartPhase("a"))
    phrases, found = phrases_of(played), {}
    for match in played.state.matches():
        found[match.round] = phrases.stage(match)
    assert [*found.values()][:3] == ["Ronda 1", "Octavos de final", "Cuartos de final"]


def test_a_decision_without_numbers_is_the_name_of_its_winner_on_paper() -> None:
    played = Played(format_of({}), 2).draw()
    played.do(StartPhase("a"))
    match = next(played.state.matches())
    played.do(RecordResult(match.id, Result(1, (0, 0), (0, 0), Ending.DECIDED)))
    phrases = phrases_of(played)
    winner = phrases.team(played.reader.winner(match.id))
    assert phrases.result(match) == f"{winner} (decidido por el director)"


def test_a_correction_names_the_zone_and_the_match_before() -> None:
    zones_first = {"kind": "zones", "zones": 2, "id": "z"}
    four = {"id": "b", "from": [{"phase": "z", "places": [1, 2]}]}
    played = Played(format_of(zones_first, four), 6).draw()
    played.do(StartPhase("z"))
    while played.play_open("z", stronger):
        pass
    first = next(each for each in played.state.matches() if each.group == 2)
    result = played.state.results[first.id]
    other = Result(1 - (result.winner or 0), result.games[::-1], result.points[::-1])
    lines = phrases_of(played).consequences(consequences(played.state, first.id, other))
    assert "Cambia la tabla: Zona 2" in lines
    played.do(StartPhase("b"))
    semifinal = next(each for each in played.open_matches("b"))
    played.win(semifinal, next(filter(None, played.reader.sides(semifinal))))
    gone = phrases_of(played).consequences(consequences(played.state, semifinal, None))
    assert any("Ganador de R1-M2" in each and "–  →" not in each for each in gone)


def test_two_level_legs_are_the_games_on_paper_and_on_the_wall() -> None:
    played = Played(built_in("lnt"), 40).draw()
    phase = played.state.format.phases[0]
    played.do(StartPhase(phase.id))
    match = next(played.state.matches())
    played.do(RecordResult(match.id, Result(None, (1, 1), (40, 35))))
    phrases = phrases_of(played)
    assert match_document(phrases, match.id, {})["score"] == "1–1"
    assert "<bdi>1–1</bdi>" in page_of(sheets.fixtures(phrases, phase, 1))
    assert "40–35" not in page_of(sheets.fixtures(phrases, phase, 1))


SERIES = {"best_of": 3}
# The phase, where its match is, its result, and what is shown of it.
SCORES = [
    ({}, MatchPlace(1, "offered"), None, ""),
    ({}, MatchPlace(1, "accepted"), None, ""),
    ({}, MatchPlace(1, "playing", (0, 0), (12, 9), running=(12, 9)), None, "12–9"),
    ({}, MatchPlace(1, "agreed", (1, 0), (30, 9)), None, "30–9"),
    ({}, None, Result(0, (1, 0), (30, 9)), "30–9"),
    ({}, None, Result(0, (1, 0), (0, 0), Ending.DECIDED), "1–0"),
    ({}, None, Result(1, (0, 0), (0, 0), Ending.DECIDED), ""),
    (SERIES, MatchPlace(1, "playing", (0, 0), (12, 9), running=(12, 9)), None, "0–0 · 12–9"),
    (SERIES, MatchPlace(1, "playing", (1, 0), (48, 17), running=(18, 5)), None, "1–0 · 18–5"),
    (SERIES, MatchPlace(1, "playing", (1, 0), (30, 12)), None, "1–0 · 0–0"),
    (SERIES, MatchPlace(1, "agreed", (2, 1), (80, 74)), None, "2–1"),
    (SERIES, None, Result(0, (2, 1), (80, 74)), "2–1"),
    (SERIES, None, Result(0, (1, 0), (48, 40), Ending.DECIDED), "1–0"),
    (SERIES, None, Result(0, (0, 0), (18, 12), Ending.DECIDED), "18–12"),
    ({"legs": 2, "draws": True, "kind": "zones"}, None, Result(None, (1, 1), (40, 35)), "1–1"),
]


@pytest.mark.parametrize(("keys", "place", "result", "shown"), SCORES)
def test_a_score_has_the_games_of_a_series_and_the_points_of_a_game(
    keys: dict[str, object], place: MatchPlace | None, result: Result | None, shown: str
) -> None:
    played = Played(format_of(keys), 2).draw()
    played.do(StartPhase("a"))
    match = next(played.state.matches())
    if result is not None:
        played.do(RecordResult(match.id, result))
    places = {match.id: place} if place is not None else {}
    phrases = phrases_of(played)
    assert match_document(phrases, match.id, places)["score"] == shown
    own = played.reader.sides(match.id)[0]
    assert own
    assert team_document(phrases, own, places)["matches"][0]["score"] == shown


def test_a_team_reads_its_own_number_first() -> None:
    played = bracket()
    for match in played.state.matches():
        document = match_document(phrases_of(played), match.id, {})
        if document["result"] is None:
            continue
        for at, side in enumerate(document["sides"]):
            seen = team_document(phrases_of(played), side["team"], {})["matches"]
            (own,) = (each for each in seen if each["id"] == match.id)
            numbers = document["scores"][at][0], document["scores"][1 - at][0]
            assert own["score"] == f"{numbers[0]}–{numbers[1]}"
            assert own["opponent"] == document["sides"][1 - at]["text"]
            assert own["outcome"] == ("won" if document["result"]["winner"] == at else "lost")


def test_a_second_final_is_needed_only_until_it_is_played() -> None:
    played = Played(format_of({"kind": "double", "second_final": True}), 2).draw()
    played.do(StartPhase("a"))
    (second,) = (match for match in played.state.matches() if match.is_second_final)
    assert phrases_of(played).stage(second) == "Segunda final, si hace falta"
    while played.play_open("a", lambda *_: 1):
        pass
    assert played.reader.result(second.id) is not None
    assert phrases_of(played).stage(second) == "Segunda final"
