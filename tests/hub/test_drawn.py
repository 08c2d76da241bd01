"""The fragments of a tournament: each smallest thing once, names as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from scorer.hub.drawn.tournament import drawn_team, drawn_tournament
from scorer.hub.tournament_documents import team_document, tournament_document
from scorer.i18n import languages, translator
from scorer.tournament.events import ChangeTeam, RecordResult, Withdraw
from tests.hub.tournament_pages import at_tables, bracket, phrases_of, swiss, zones
from tests.tournament.play import Played, result_of

HOSTILE = "<img src=x onerror=alert(1)>\"'&"


def drawn(played: Played, language: str = "es-AR") -> dict[str, Any]:
    document = tournament_document(phrases_of(played, language), at_tables(played))
    return drawn_tournament({"id": 7, **document}, translator(language))


def drawn_of(played: Played, team: int, language: str = "es-AR") -> dict[str, Any]:
    document = team_document(phrases_of(played, language), team, at_tables(played))
    return drawn_team(document, translator(language))


def fragments(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "rev" in value:
            yield value
        for each in value.values():
            yield from fragments(each)
    elif isinstance(value, list):
        for each in value:
            yield from fragments(each)


class Read(HTMLParser):
    """The text of a fragment, its tags, and whether it is one whole element."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags, self.open = "", list[str](), list[str]()
        self.roots = 0
        self.feed(str(html))

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.roots += not self.open
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def texts(value: object) -> str:
    return "\n".join(Read(each["html"]).text for each in fragments(value))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("make", [zones, bracket, swiss])
def test_a_fragment_is_one_whole_element_in_the_words_of_its_language(
    make: Any,  # noqa: ANN401 - a function of a played tournament
    language: str,
) -> None:
    played = make()
    for document in (drawn(played, language), drawn_of(played, 1, language)):
        made = [*fragments(document)]
        assert made
        for each in made:
            read = Read(each["html"])
            assert (read.open, read.roots) == ([], 1), each
            assert re.findall(r"\b(?:hub|desk|side|paper)\.[a-z]|None|[{}]", read.text) == []


def test_a_document_has_each_key_once() -> None:
    for played in (zones(), bracket(), swiss()):
        keys = [each["key"] for each in fragments(drawn(played))]
        assert len(keys) == len(set(keys))


def test_a_screen_has_every_team_row_and_match_of_its_documents() -> None:
    played = bracket()
    document = tournament_document(phrases_of(played), at_tables(played))
    shown = texts(drawn(played))
    for phase in document["phases"]:
        for standings in phase["standings"]:
            for row in standings["rows"]:
                assert f"{row['rank']}{row['name']}" in shown
        for round_ in phase["bracket"]:
            for match in round_["matches"]:
                assert all(side["text"] in shown for side in match["sides"])


def test_a_result_changes_its_match_and_the_rows_of_its_teams_alone() -> None:
    played = zones()
    match = played.open_matches("zonas")[0]
    teams = {f"-{team}" for team in played.reader.sides(match)}
    zone = [row["team"] for row in _zone_of(drawn(played), match)]
    before = {each["key"]: each["rev"] for each in fragments(drawn(played)["phases"])}
    played.do(RecordResult(match, result_of(played.phase("zonas"), 0)))
    after = {each["key"]: each["rev"] for each in fragments(drawn(played)["phases"])}
    changed = {key for key in before if before[key] != after[key]}
    assert teams <= {f"-{key.rpartition('-')[2]}" for key in changed}
    # A new order changes the ranks of the same zone.
    assert {int(key.rpartition("-")[2]) for key in changed} <= set(zone)


def _zone_of(document: dict[str, Any], match: str) -> list[dict[str, int]]:
    number = int(match.partition("-Z")[2].partition("-")[0])
    for each in document["phases"][0]["standings"]:
        if each["zone"] == number:
            return [{"team": int(row["key"].rpartition("-")[2])} for row in each["rows"]]
    raise AssertionError(match)


def test_a_name_is_text_in_every_fragment() -> None:
    for played in (zones(), bracket(), swiss()):
        for team in played.state.teams:
            played.do(ChangeTeam(team, f"{HOSTILE}{team}", club=HOSTILE))
        for document in (drawn(played), drawn_of(played, 1)):
            assert HOSTILE in texts(document)
            assert all("img" not in Read(each["html"]).tags for each in fragments(document))


def test_the_page_of_a_team_says_where_it_plays_and_marks_its_row() -> None:
    played = zones()
    team = next(iter(played.reader.sides(played.open_matches("zonas")[0])))
    assert team is not None
    document = drawn_of(played, team)
    assert "Mesa 1" in texts(document["next"])
    own = [each for each in document["standings"] if 'class="own"' in each["html"]]
    assert len(own) == 1
    played.do(Withdraw(team, "x"))
    assert "se retiró" in drawn_of(played, team)["about"]
