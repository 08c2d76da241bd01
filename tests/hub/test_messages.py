"""The texts that are shared: one short line an entry, whole in every language."""

from __future__ import annotations

import re

import pytest

from scorer.hub.drawn.tournament import drawn_team
from scorer.hub.match_place import MatchPlace
from scorer.hub.messages import messages, together
from scorer.hub.tournament_documents import team_document
from scorer.i18n import languages, translator
from scorer.tournament.events import Enter, PairRound, StartPhase
from tests.hub.tournament_pages import at_tables, bracket, phrases_of, swiss, zones
from tests.tournament.play import Played, built_in, coin, stronger

ADDRESS = "http://192.0.2.7:8090/e/"


def five() -> Played:
    """A Swiss round of five teams that is drawn: two matches, and one team is free."""
    played = Played(built_in("swiss"))
    for name in ("Zorro", "Álamo", "Ñandú", "Barro", "Nube", "Yunta", "Ancho"):
        played.do(Enter(name))
    played.draw().do(StartPhase("suizo"))
    played.do(PairRound("suizo"))
    return played


def test_who_plays_where_is_in_the_order_of_tables_then_of_the_queue() -> None:
    played = five()
    one, two, three = (each.id for each in played.state.matches())
    places = {two: MatchPlace(3, "offered"), three: MatchPlace(0, "ready", queue=1)}
    phrases = phrases_of(played)
    text = messages(phrases, {one: MatchPlace(12, "playing"), **places}, ADDRESS)["pairings"]
    first, *lines, last = text.splitlines()
    assert (first, last) == ("Sistema suizo · Partidos", ADDRESS)
    sides = {each.id: " – ".join(phrases.sides(each)) for each in played.state.matches()}
    free = played.state.teams[played.state.stages["suizo"].rounds[0].bye].name
    assert lines == [
        f"Mesa 3: {sides[two]}",
        f"Mesa 12: {sides[one]}",
        f"{sides[three]} ({phrases.place(places[three])})",
        f"{free}: libre esta ronda",
    ]


def test_results_are_those_of_the_newest_round_that_has_some() -> None:
    played = swiss()
    found = messages(phrases_of(played), {}, ADDRESS)["results"].splitlines()
    assert found[0] == "Sistema suizo · Suizo, Ronda 2 · Resultados"
    assert len(found) == 1 + 10 + 1
    assert all(re.fullmatch(r".+ \d+–\d+ .+", each) for each in found[1:-1])


def test_standings_have_a_line_a_team_and_a_bracket_the_order_of_all() -> None:
    found = messages(phrases_of(zones()), {}, ADDRESS)["standings"].splitlines()
    assert found[0] == "Zonas y llave · Zonas · Posiciones"
    assert found[1] == "Zona 1 (ganados)"
    assert re.fullmatch(r"1\. .+ · 1", found[2])
    played = Played(built_in("zones_and_bracket"), 12).draw().play(stronger)
    lines = messages(phrases_of(played), {}, ADDRESS)["standings"].splitlines()
    assert (lines[1], len(lines)) == ("1. team 1", 1 + 12 + 1)
    assert [each.partition(".")[0] for each in lines[5:7]] == ["5–6", "5–6"]


def test_nothing_is_shared_before_there_is_something() -> None:
    played = Played(built_in("swiss"), 6).draw()
    assert set(messages(phrases_of(played), {}, ADDRESS).values()) == {""}
    played.do(StartPhase("suizo"))
    played.do(PairRound("suizo"))
    found = messages(phrases_of(played), {}, ADDRESS)
    assert found["pairings"] and not found["results"]


def test_several_tournaments_are_one_text_each_below_the_other() -> None:
    phrases = phrases_of(five()), phrases_of(zones())
    listed = [messages(each, {}, ADDRESS) for each in phrases]
    text = together(listed)["pairings"]
    assert text == "\n\n".join(each["pairings"] for each in listed)
    assert together(listed)["results"] == listed[1]["results"], "no empty lines for nothing"
    assert together([]) == {}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("language", languages())
def test_every_text_is_whole_in_every_language(language: str) -> None:
    for played in (swiss(), zones(), bracket()):
        phrases = phrases_of(played, language)
        for text in messages(phrases, at_tables(played), ADDRESS).values():
            lines = text.splitlines()
            assert lines[-1] == ADDRESS and max(map(len, lines)) < 100
            assert not re.search(r"hub\.|phrase\.|\{|None| {2}|\(\)", text), text


def test_a_team_shares_its_table_its_results_and_its_place() -> None:
    played = zones(8)
    phrases, places = phrases_of(played), at_tables(played)
    match = played.state.match(next(iter(places)))
    assert match is not None
    team = played.reader.sides(match.id)[0]
    assert team
    document = team_document(phrases, team, places)
    lines = drawn_team(document, translator("es-AR"))["message"].splitlines()
    assert lines[0] == f"{phrases.team(team)} · Zonas y llave"
    assert lines[1] == f"Mesa 1: contra {phrases.sides(match)[1]} ({phrases.match(match)})"
    assert re.fullmatch(r"(ganado|perdido) \d+–\d+ .+", lines[2])
    assert re.fullmatch(r"Zona \d: [1-4]\.", lines[-1])
    over = Played(built_in("zones_and_bracket"), 6).draw().play(coin(1))
    document = team_document(phrases_of(over), 1, {})
    assert (
        f"Campeones: {phrases_of(over).champion}"
        in drawn_team(document, translator("es-AR"))["message"]
    )
