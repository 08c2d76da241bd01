"""Texts that the wall fits into boxes: whole, apart and legible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorer.hub.drawn.tables import DrawnWall
from scorer.i18n import languages, translator
from scorer.tournament.entry_list import MAX_NAME
from tests.hub.hub_process import HubProcess
from tests.hub.pages.test_pages import wall_of
from tests.hub.pages.test_paging import LEAST_LETTER, LETTERS, NOT_WHOLE, save
from tests.web.browser import blank
from tests.web.page_states import LONG
from tests.web.test_pages import CUT_OR_OVERLAPPING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

pytestmark = pytest.mark.browser

NAMES = tuple(each[:MAX_NAME] for each in LONG)
LEAST = 12  # pixels of a text on a phone
LEAST_OF_HEIGHT = 0.014  # of the height of a screen, of any text; LEAST_LETTER is that of names
SIZES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 720},
    {"width": 1920, "height": 1080},
)
VARIANTS = ("Truco argentino", "Truco uruguayo", "Pata de gallo")
EVENTS = [
    {
        "id": 1,
        "name": "Torneo de Primavera Club Tres de Copas",
        "format": "",
        "category": "Consuelo",
    },
    {"id": 2, "name": "", "format": "format.zones_and_bracket", "category": ""},
]
SMALLEST = """() => [...document.querySelectorAll(".fit > span")]
    .filter((each) => each.textContent && each.offsetWidth)
    .map((each) => [parseFloat(getComputedStyle(each).fontSize), each.textContent])
    .reduce((one, other) => (other[0] < one[0] ? other : one))"""


def hall_document() -> dict[str, Any]:
    """A wall with a table of each kind, with the longest names and scores."""

    def table(number: int, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - as in JSON
        sides = [
            {"name": name, "side": letter, "score": 29, "games": 1}
            for name, letter in zip(
                (*NAMES, NAMES[0])[: 3 if number == 2 else 2], "ABC", strict=False
            )
        ]
        game = {
            **{"game": 1, "variant": VARIANTS[number % 3], "target": 30, "best_of": 3},
            **{"sides": sides, "winner": None, **fields.pop("in_game", {})},
        }
        return {
            **{"table": number, "name": "Salón de los Espejos", "silent": False, "alarm": False},
            **{"called": [], "game": game, "tournament": 1 + number % 2, "time": None, **fields},
        }

    tables = [
        table(1),
        table(2),
        table(3, called=[*NAMES]),
        table(4, silent=True),
        table(5, in_game={"winner": "A"}),
        table(6, alarm=True),
        table(7, time={"left": 0, "over": 125}),
        table(8, time={"left": 59, "over": 0}),
        table(9, game=None),
    ]
    hall = {"version": "", "hall": "Club", "has_teams": True, "tournaments": EVENTS, "queue": []}
    return {**hall, "tables": tables}


@pytest.mark.parametrize("language", languages())
def test_each_fitted_text_of_the_wall_is_whole_and_legible(
    hub: HubProcess, browser: Browser, language: str
) -> None:
    with blank(browser, "tv") as page:
        wall = DrawnWall(translator(language)).update(hall_document())
        page.route("**/events**", lambda route: route.fulfill(status=503))
        page.route("**/drawn/hall**", lambda route: route.fulfill(json=wall))
        for size in SIZES:
            page.set_viewport_size(size)
            page.goto(wall_of(hub, f"?lang={language}"))
            page.wait_for_selector(".table >> nth=8")
            save(page, f"wall-fitted-{language}-{size['width']}")
            assert page.evaluate(CUT_OR_OVERLAPPING) == [], size
            assert page.evaluate(NOT_WHOLE if size["width"] > 400 else "[]") == [], size
            least = LEAST if size["width"] < 400 else LEAST_OF_HEIGHT * size["height"]
            small = page.evaluate(SMALLEST)
            assert small[0] >= least, (size, small)
            if size["width"] > 400:
                assert page.evaluate(LETTERS) >= LEAST_LETTER, size
