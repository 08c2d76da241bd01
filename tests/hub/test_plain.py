"""The hall as a page without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from scorer.hub.pages import WALL_WORDS
from scorer.hub.plain import MOST, _note, plain_hall
from scorer.i18n import sentences, translator
from tests.support.page_scripts import needs_node, page_script
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
        "Mesa 1 · Salón", "La Yunta12 – 7Ellos", "Ancho(1) 3 – (1) 30Falta", "Gana Falta",
        "Trío A 4 · Trío B 5 · Trío C 6", "El director va a la mesa", f"Uno – {HOSTILE}",
        "a la mesa", "libre", "sin conexión", *CLOCKS,
    ):  # fmt: skip
        assert words in found.text, words
    assert "script" not in {tag for tag, _ in found.tags}
    assert refreshes(found) == ["10"]


# Texts and a table; the note on the wall.
NOTE_DRIVER = """
import { noteOf } from "./tables.js";
export default function ([texts, table]) {
  const fill = (fields) => (_, name) => fields[name];
  return noteOf((key, fields = {}) => texts[key].replace(/\\{(\\w+)\\}/g, fill(fields)), table);
}
"""


@needs_node
def test_the_note_of_a_table_is_that_of_the_wall(tmp_path: Path) -> None:
    say = translator("es-AR")
    sides = side("A", "Ancho", 3), side("B", "", 30)
    games = (None, *(game(*sides, winner=winner) for winner in (None, "A", "B")))
    times = (None, *({"left": left, "over": over} for left, over in ((12, 0), (0, 3), (0, 0))))
    tables = [
        table(1, silent=silent, alarm=alarm, called=called, game=played, time=time)
        for silent, alarm, called, played, time in product(
            (False, True), (False, True), ([], ["Uno", "Dos"]), games, times
        )
    ]
    with page_script(tmp_path, NOTE_DRIVER) as script:
        texts = sentences("es-AR", *WALL_WORDS)
        on_wall = [script.ask([texts, each]) for each in tables]
    assert on_wall == [_note(each, say) for each in tables]
    assert len(set(on_wall)) == 10


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
    assert f"Mesa 1 · {HOSTILE}" in found
    assert "Mesa 2 · Doble eliminación · Damas" in found
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
