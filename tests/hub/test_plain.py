"""The hall as a page without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from scorer.hub.drawn.tables import table_clock, table_fragment
from scorer.hub.plain import MOST, plain_hall
from scorer.i18n import translator
from tests.web.test_plain import Read, links, refreshes

# Of 12 minutes that are left, and of 3 that a match is over its time.
CLOCKS = ("quedan 12 min", "tiempo: 3 min de más")
HOSTILE = "<script>alert('\"&"


def side(letter: str, name: str, score: int) -> dict[str, Any]:
    return {"name": name, "side": letter, "score": score, "games": 1}


def table(number: int, **values: Any) -> dict[str, Any]:  # noqa: ANN401 - of a document
    empty = {"name": "", "silent": False, "alarm": False, "called": [], "time": None, "game": None}
    return {"table": number, "tournament": 0, **empty, **values}


def game(*sides: dict[str, Any], best_of: int = 1, winner: str | None = None) -> dict[str, Any]:
    return {"target": 30, "best_of": best_of, "sides": list(sides), "winner": winner}


def read(
    *tables: dict[str, Any],
    tournaments: Sequence[dict[str, Any]] = (),
    queue: Sequence[Sequence[str]] = (),
    **query: str,
) -> Read:
    document = {
        "hall": HOSTILE,
        "tables": list(tables),
        "tournaments": [*tournaments],
        "queue": queue,
    }
    return Read(plain_hall(document, translator("es-AR"), "es-AR", query))


def test_it_has_names_scores_and_what_is_to_be_known() -> None:
    two = game(side("A", "La Yunta", 12), side("B", "", 7))
    series = game(side("A", "Ancho", 3), side("B", "Falta", 30), best_of=3, winner="B")
    three = game(*(side(letter, f"Trío {letter}", at) for at, letter in enumerate("ABC", 4)))
    found = read(
        table(1, game=two, name="Salón"),
        table(2, game=series),
        table(3, game=three, alarm=True),
        table(4, called=["Uno", HOSTILE]),
        table(5),
        table(6, game=two, silent=True),
        table(7, game=two, time={"left": 12, "over": 0}),
        table(8, game=two, time={"left": 0, "over": 3}),
    )
    for words in (
        "Mesa 1 · Salón", "La Yunta 12\nEllos 7", "Ancho 1 3\nFalta 1 30", "Gana Falta",
        "Trío A 4\nTrío B 5\nTrío C 6", "El director va a la mesa", f"Uno\n{HOSTILE}",
        "a la mesa", "libre", "sin conexión", *CLOCKS,
    ):  # fmt: skip
        assert words in found.text, words
    assert "script" not in {tag for tag, _ in found.tags}
    assert refreshes(found) == ["10"]


def test_what_is_to_be_known_most_of_a_table_is_its_note() -> None:
    sides = side("A", "Ancho", 3), side("B", "", 30)
    words = {"A": "Gana Ancho", "B": "Gana Ellos", None: "quedan 12 min"}
    games = {"libre": None} | {says: game(*sides, winner=each) for each, says in words.items()}
    for silent, alarm, called, (says, played) in product(
        (False, True), (False, True), ([], ["Uno", "Dos"]), games.items()
    ):
        clock = {"left": 12, "over": 0}
        shown = table(1, silent=silent, alarm=alarm, called=called, game=played, time=clock)
        wanted = "a la mesa" if called else says
        wanted = "El director va a la mesa" if alarm else wanted
        wanted = "sin conexión" if silent else wanted
        assert f"\n{wanted}\n" in read(shown).text


def test_a_table_is_one_fragment_whose_clock_does_not_change_it() -> None:
    played = game(side("A", "Ancho", 3), side("B", "", 4))
    say = translator("es-AR")
    at = [
        table_fragment(table(7, game=played, time={"left": left, "over": 0}), {}, say)
        for left in (12, 11)
    ]
    assert at[0] == at[1]
    assert at[0].key == "table-7"
    assert 'id="table-7"' in at[0].html
    scored = table(7, game=game(side("A", "Ancho", 4), side("B", "", 4)))
    assert table_fragment(scored, {}, say).rev != at[0].rev
    assert table_clock(table(7, time={"left": 12, "over": 0}), say) == "quedan 12 min"


def test_the_next_matches_are_named_in_their_order() -> None:
    found = read(table(1), queue=[["La Yunta", HOSTILE], ["Ancho", "Falta"]]).text
    assert f"Siguen: 1. La Yunta – {HOSTILE} · 2. Ancho – Falta" in found
    assert "Siguen" not in read(table(1)).text


def test_of_several_tournaments_a_table_names_its_own() -> None:
    events = [
        {"id": 7, "name": HOSTILE, "format": "format.swiss", "category": ""},
        {"id": 9, "name": "", "format": "format.double", "category": "Damas"},
    ]
    tables = table(1, tournament=7), table(2, tournament=9), table(3)
    found = read(*tables, tournaments=events).text
    assert f"Mesa 1\n{HOSTILE}" in found
    assert "Mesa 2\nDoble eliminación · Damas" in found
    assert "Damas" not in read(*tables, tournaments=events[1:]).text


def test_many_tables_turn_page_by_page_and_a_link_stops_that() -> None:
    tables = [table(number) for number in range(1, 2 * MOST + 2)]
    pages = [read(*tables, lang="es-AR", page=page) for page in ("1", "2", "3")]
    assert [page.text.count("Mesa") for page in pages] == [11, 11, 11]
    assert [refreshes(page) for page in pages] == [
        [f"10; url=/plain?lang=es-AR&page={page}"] for page in (2, 3, 1)
    ]
    assert "Mesa 12" in pages[1].text and "2/3" in pages[1].text
    assert links(pages[1]) == ["/plain?lang=es-AR&page=2&reload=no"]
    assert refreshes(read(*tables, page="2", reload="no")) == []
    for wrong in ("0", "x", "99999999", "-1"):
        assert "Mesa" in read(*tables, page=wrong).text


def test_a_hall_without_tables_says_so() -> None:
    assert "Todavía no hay mesas" in read().text
