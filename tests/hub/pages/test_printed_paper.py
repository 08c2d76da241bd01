"""The paper of a tournament, printed by Chromium: a sheet is a page."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest

from scorer.hub.paper import KINDS, PAPERS, sheets
from scorer.tournament.events import Enter, StartPhase
from tests.hub.tournament_pages import phrases_of
from tests.tournament.play import Played, built_in, coin
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

NAMES = ("Los Ordenados", "Ñandúes de Paysandú y del Río Uruguay SRL", "WWWWWWWWWW " * 3, "الفرسان")


def played_with(teams: int) -> Played:
    """Zones with their results and the first round of the bracket, with long names."""
    played = Played(built_in("zones_and_bracket"))
    for at in range(teams):
        name = f"{NAMES[at % len(NAMES)].strip()[:36]} {at}"
        played.do(Enter(name, (f"Juan Ignacio Paz {at}", f"María de los Ángeles Ruiz {at}")))
    played.draw().do(StartPhase("zonas"))
    played.play_phase("zonas", coin(3))
    played.do(StartPhase("llave"))
    played.play_open("llave", coin(4))
    return played


# "set" has the others of its size, without those that are made of results or teams.
LARGE = ("set", "standings", "posters")


@pytest.mark.parametrize(("teams", "kinds"), [(16, KINDS), (48, LARGE), (128, LARGE)])
def test_every_sheet_is_one_page_of_its_paper(
    browser: Browser, teams: int, kinds: tuple[str, ...]
) -> None:
    played = played_with(teams)
    phrases = phrases_of(played, "es-AR")
    played.play_phase("llave", coin(4))
    over = phrases_of(played, "es-AR")  # a diploma has the places at the end
    hall = sheets.Hall({}, tuple(range(1, 18)), "http://192.168.1.20:8090/e/", "Club", "27/11/2026")
    with blank(browser, "desktop") as page:
        found = {}
        for paper, kind in itertools.product(PAPERS, kinds):
            made = sheets.document(over if kind == "diplomas" else phrases, kind, hall, paper)
            page.set_content(made)
            printed = page.pdf(prefer_css_page_size=True)
            pages = len(re.findall(rb"/Type\s*/Page\b", printed))
            found[paper, kind] = pages, made.count("<section>")
        assert {each: counts for each, counts in found.items() if len({*counts}) > 1} == {}
