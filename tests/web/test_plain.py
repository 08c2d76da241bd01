"""The page that needs no script: what it says, and that it can say nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from scorer.i18n import languages, translator
from scorer.web.audience import Audience
from scorer.web.pages.plain import REFRESH, render_page
from tests.web.fake_reports import Report, offline_report, report, viewed
from tests.web.page_states import HOSTILE, PAGE_STATES


class Read(HTMLParser):
    """The tags of a page and its words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(told: Report, language: str = "es-AR", theme: str = "auto", **query: str) -> Read:
    told = viewed(told, Audience(language))
    return Read(render_page(told, translator(language), language, theme, query))


def refreshes(found: Read) -> list[str | None]:
    return [each.get("content") for _, each in found.tags if each.get("http-equiv") == "refresh"]


def links(found: Read) -> list[str | None]:
    return [each["href"] for tag, each in found.tags if tag == "a"]


def test_it_shows_names_score_and_the_call() -> None:
    text = read(PAGE_STATES["truco"]).text
    for words in (
        "Los Pibes",
        "La Yunta",
        "doce malas",
        "Los Pibes: truco",
        "QUIERO 2 / NO QUIERO 1",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("lines", "games"),
    [([], ("Los Pibes (1)", "La Yunta (0)")), (["A concede"], ("Los Pibes (1)", "La Yunta (1)"))],
)
def test_it_shows_the_games_of_a_series_by_rematches(
    lines: list[str], games: tuple[str, ...]
) -> None:
    text = read(report(lines=lines, rematches=(1, 0))).text
    for words in (*games, "la revancha"):
        assert words in text


def test_it_shows_the_rematch_that_is_offered() -> None:
    over = report(lines=["A concede"], offers="rematch")
    assert "¿la revancha? QUIERO los dos" in read(over).text
    assert "¿" not in read(report(lines=["A concede"])).text
    assert "¿" not in read(report(lines=["A concede"], offers="unknown")).text


def test_it_shows_what_is_wrong_with_the_box() -> None:
    told = report(names=("Los Pibes", "Ellas"))
    told["state"]["faults"] = ["panel_lost B", "stuck A.no_quiero"]
    page = read(told)
    assert "pantalla B: no anda" in page.text
    assert "NO QUIERO (Los Pibes) trabado" in page.text


def test_it_asks_again_by_itself() -> None:
    refresh = [each for tag, each in read(PAGE_STATES["start"]).tags if each.get("http-equiv")]
    assert refresh == [{"http-equiv": "refresh", "content": str(REFRESH)}]


def test_a_link_stops_that_and_another_one_starts_it_again() -> None:
    asked = {"lang": "pt-BR", "ours": "B", "unknown": "x"}
    kept = "/plain?lang=pt-BR&ours=B"
    moving = read(PAGE_STATES["truco"], **asked)
    assert links(moving) == [f"{kept}&reload=no"]
    still = read(PAGE_STATES["truco"], **asked, reload="no")
    assert refreshes(still) == []
    assert links(still) == [f"{kept}&reload=no", kept]
    assert "QUIERO 2 / NO QUIERO 1" in still.text
    assert refreshes(read(PAGE_STATES["truco"], reload="yes")) == [str(REFRESH)]


def test_parameters_in_a_link_are_text() -> None:
    found = read(PAGE_STATES["truco"], lang='"><img src=x>', reload="no")
    assert "img" not in [tag for tag, _ in found.tags]


def test_a_page_that_waits_for_its_table_can_be_stopped_too() -> None:
    empty: dict[str, Any] = {**report(), "state": None, "board": None, "table": "gone"}
    assert links(read(empty)) == ["/plain?reload=no"]


def test_it_runs_no_script_and_styles_nothing_in_line() -> None:
    for told in PAGE_STATES.values():
        found = read(told)
        assert "script" not in [tag for tag, _ in found.tags]
        assert [each for _, each in found.tags if "style" in each] == []
        assert found.open == []


def test_what_people_wrote_is_text() -> None:
    found = read(PAGE_STATES["hostile"])
    assert all(name in found.text for name in HOSTILE)
    assert "img" not in [tag for tag, _ in found.tags]


def test_it_says_since_when_the_table_has_been_gone() -> None:
    found = read(offline_report(PAGE_STATES["truco"], 12))
    assert "la mesa no responde · hace 12 s" in found.text
    assert ("body", {"class": "auto stale"}) in found.tags


@pytest.mark.parametrize(
    ("seconds", "ago"),
    [(0, "hace 0 s"), (89, "hace 89 s"), (90, "hace 1 min"), (5400, "hace 1 h")],
)
def test_ages_are_in_words(seconds: int, ago: str) -> None:
    assert f"· {ago}\n" in read(offline_report(PAGE_STATES["truco"], seconds)).text


def test_a_table_that_was_never_heard_is_waited_for() -> None:
    empty: dict[str, Any] = {**report(), "state": None, "board": None, "table": "gone"}
    assert translator("es-AR")("web.connecting") in read(empty).text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("look", PAGE_STATES)
def test_every_state_has_its_words(language: str, look: str) -> None:
    found = read(PAGE_STATES[look], language)
    assert re.findall(r"\b(?:web|why|side|action|state)\.[a-z]|None|[{}]", found.text) == []
    scores = PAGE_STATES[look]["state"]["score"].values()
    assert all(str(min(points, 99)) in found.text for points in scores)
