"""The table of a page: presses, restart, cables, score sheets, board."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest

from scorer.browser.page_table import PageOptions, PageTable
from scorer.i18n import translator
from tests.browser.presses import Clock
from tests.test_conventions import loaded_by

START = PageOptions("es-AR", "", "first")
HAND = ("A.truco", "B.quiero", "A.tantos")
LADDER = ("truco", "retruco", "vale cuatro")


class Page:
    """A page that presses buttons in simulated time."""

    def __init__(self, store: Path, clock: Clock | None = None, **options: Any) -> None:  # noqa: ANN401
        self.clock = clock or Clock()
        chosen = START._replace(store=str(store), **options)
        self.table = PageTable(chosen, self.clock, self.clock.wall)
        self.seen: dict[str, Any] = {}
        self.wait(0.1)

    def wait(self, seconds: float) -> None:
        until = self.clock.now + seconds
        while (due := self.clock.now + self.table.step()) < until:
            self.clock.now = max(due, self.clock.now + 0.001)
        self.clock.now = until
        self.table.step()
        self.seen = json.loads(self.table.look() or json.dumps(self.seen))

    def press(self, *lines: str, held: float = 0.1) -> None:
        for line in lines:
            self.move(line, is_down=True)
            self.wait(held)
            self.move(line, is_down=False)
            self.wait(1.0)

    def move(self, line: str, *, is_down: bool) -> None:
        self.table.move(json.dumps([[1000 * self.clock.now, line, is_down]]))

    @property
    def said(self) -> list[str]:
        said: list[str] = self.seen["panels"]["A"]["said"]
        return said

    def report(self, **query: str) -> dict[str, Any]:
        self.table.update_board()
        report: dict[str, Any] = json.loads(self.table.board_report(json.dumps(query)))
        return report


class OpenPage(Protocol):
    """Opens a page; the arguments are those of ``Page``."""

    def __call__(
        self,
        store: Path,
        clock: Clock | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Page: ...


@pytest.fixture
def open_page() -> Iterator[OpenPage]:
    with ExitStack() as stack:

        def opened(store: Path, clock: Clock | None = None, **options: Any) -> Page:  # noqa: ANN401
            page = Page(store, clock, **options)
            stack.callback(page.table.close)
            return page

        yield opened


@pytest.mark.parametrize(
    ("language", "variant", "word"),
    [
        ("es-AR", "argentine", "QUIERO 2"),
        ("pt", "paulista", "QUERO 3"),
        ("es_UY", "uruguayan", "QUIERO 2"),
    ],
)
def test_language_and_truco_are_those_of_the_browser(
    language: str, variant: str, word: str, tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path, language=language)
    page.press("A.truco")
    assert word in page.said
    assert page.report()["state"]["variant"] == variant


def test_three_players_have_three_consoles_and_two_teams_two(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path / "three", variant="destantado")
    page.press("C.truco")
    assert {line[0] for line in page.seen["buttons"] if "." in line} == {"A", "B", "C"}
    assert page.seen["lamps"] == {"A": True, "B": True, "C": False}
    guided = open_page(tmp_path / "guided", variant="destantado", is_guided=True)
    assert json.loads(guided.table.guide())["line"] == "A.truco"
    two = open_page(tmp_path / "two")
    assert not any(line.startswith("C.") for line in two.seen["buttons"])


@pytest.mark.sampled(0)
def test_set_up_has_no_entry_that_needs_a_machine(tmp_path: Path, open_page: OpenPage) -> None:
    page, say = open_page(tmp_path), translator("es-AR")
    page.press("menu", held=1.5)
    root = _entries(page)
    assert say("setup.language") in root and say("setup.go_on") in root
    of_machines = {say(f"setup.{key}") for key in ("phones", "backup", "switch_off")}
    assert of_machines & root == set()
    # The line that is selected is between two others.
    while say("setup.light") != page.said[5]:
        page.press("B.tantos")
    page.press("A.quiero")
    light = _entries(page)
    assert say("setup.sound") in light and say("setup.time_zone") not in light


def _entries(page: Page) -> set[str]:
    """What the lines of a level of set-up say, from the selected one down and round."""
    seen = set(page.said)
    for _ in range(35):
        page.press("B.tantos")
        seen |= set(page.said)
    return seen


def test_a_press_lights_the_lamp_and_sounds(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path)
    page.press("A.truco")
    assert page.seen["lamps"] == {"A": False, "B": True}
    assert (page.seen["presses"], page.seen["verdict"]) == (1, "taken")
    assert page.seen["buzzes"]


def test_a_tap_that_takes_no_time_is_a_press(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path)
    page.press("A.truco", held=0.0)
    assert page.seen["presses"] == 1


def test_a_hand_is_kept_over_a_power_cut(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path)
    page.press(*HAND)
    # Nothing is closed: a worker that is terminated closes nothing.
    again = open_page(tmp_path, page.clock, start_id="second")
    assert again.report()["state"]["score"] == {"A": 2, "B": 0}
    assert "UNDO" in " ".join(again.said)
    again.press("undo")
    assert again.report()["state"]["phase"] == "playing"


def test_a_button_that_is_held_at_power_on_is_not_a_press(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path, held=["A.truco"])
    page.wait(2.0)
    assert page.seen["presses"] == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("variant", ["argentine", "paulista", "venezuelan"])
def test_a_guided_hand_names_five_buttons_one_after_another(
    variant: str, tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path, variant=variant, is_guided=True, has_keys=False)
    said = set()
    for _ in range(5):
        guide = json.loads(page.table.guide())
        assert guide["line"] and not guide["is_over"] and "tecla" not in str(guide["texts"])
        said.add(tuple(guide["texts"]))
        page.press(guide["line"])
    guide = json.loads(page.table.guide())
    assert (guide["line"], guide["is_over"], len(said)) == ("", True, 5)
    page.press("A.truco")
    assert json.loads(page.table.guide()) == guide, "the end stays until it is left"


def test_a_press_beside_the_guide_leads_back_to_it(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path, is_guided=True)
    before = json.loads(page.table.guide())
    assert before["texts"][-1].endswith("tecla w")
    page.press("A.truco")
    beside = json.loads(page.table.guide())
    assert beside["line"] == "" and "UNDO" in beside["texts"][0]
    page.press("undo")
    assert json.loads(page.table.guide()) == before


def test_a_table_that_is_not_guided_has_no_guide(tmp_path: Path, open_page: OpenPage) -> None:
    assert open_page(tmp_path).table.guide() == "null"


def test_an_unplugged_panel_is_black_and_gets_its_picture_back(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path)
    before = page.seen["panels"]["A"]
    page.table.plug("A")
    page.wait(1.0)
    assert page.seen["panels"]["A"]["plugged"] is False
    assert page.seen["panels"]["A"]["bits"] != before["bits"]
    page.table.plug("A")
    page.wait(10.0)
    assert page.seen["panels"]["A"] == before


def test_one_panel_is_neutral(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path, panels=1)
    assert list(page.seen["panels"]) == ["A"]


def test_the_score_sheet_of_an_evening_is_opened_on_another_device(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path / "here")
    page.press(*HAND, "B.envido", "A.no_quiero")
    sheet = page.table.score_sheet()
    assert sheet.startswith('[Variant "argentine"]')
    other = open_page(tmp_path / "there", language="pt-BR")
    assert other.table.open_score_sheet(sheet) == ""
    other.table.close()
    again = open_page(tmp_path / "there", other.clock, language="pt-BR", start_id="second")
    assert again.report()["state"]["score"] == page.report()["state"]["score"]
    assert again.table.score_sheet().endswith(sheet)
    again.press("undo")
    assert again.report()["state"]["score"] == {"A": 2, "B": 0}


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "\ufffd\0",
        "not a sheet",
        '[Variant "argentine"]\n\nB quiero\n',
        '[Variant "argentine"]\n\nA truco\n\n[Variant "bridge"]\n',
    ],
)
def test_what_is_no_score_sheet_is_refused_and_changes_nothing(
    sheet: str, tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path)
    page.press(*HAND)
    before = page.table.score_sheet()
    assert page.table.open_score_sheet(sheet) != ""
    assert page.table.score_sheet() == before


def test_a_game_is_shared_by_its_number_its_digits_and_its_sheet(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path)
    page.press(*HAND)
    assert page.table.finished_game() == 0

    def shared(brought: str | None = None, **query: str) -> dict[str, Any]:
        fields = {"lang": "en", "page": "https://truco.example/game.html", **query}
        answer: dict[str, Any] = json.loads(page.table.shared_game(json.dumps(fields), brought))
        return answer

    here = shared()["document"]
    assert here["score"] == {"A": 2, "B": 0}
    assert shared(game="1")["document"] == here
    for opened in (shared(sheet=here["digits"]), shared(here["sheet"])):
        assert (opened["status"], opened["document"]["scores"]) == (200, here["scores"])
    assert shared(game="7") == {"status": 404}
    assert shared("no game")["status"] == 422
    assert shared(sheet="12")["document"]["error"].startswith("This is no game")


def test_the_code_of_a_shared_game_is_read_from_its_modules(
    tmp_path: Path, open_page: OpenPage
) -> None:
    cv2 = pytest.importorskip("cv2", reason="opencv is not installed")
    page = open_page(tmp_path)
    page.press(*HAND)
    answer = json.loads(page.table.shared_game('{"page": "https://truco.example/game.html"}', None))
    rows = [[255 * (bit == "0") for bit in row] for row in answer["document"]["code"]]
    code = np.pad(np.array(rows, np.uint8), 4, constant_values=255)
    large = cv2.resize(code, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(large)
    assert text == f"https://truco.example/game.html#{answer['document']['digits']}"


def test_the_board_gets_a_report_for_each_change(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path)
    first = page.report(lang="pt-BR")
    assert page.table.update_board() is False
    page.press("A.truco")
    next_one = page.report(lang="pt-BR", ours="B")
    assert (next_one["epoch"], next_one["rev"]) == (first["epoch"], first["rev"] + 1)
    assert next_one["phrases"]["order"] == ["B", "A"]
    assert json.loads(page.table.board_beat())["id"] == next_one["id"]


def test_the_board_tells_the_ladder_who_answers_and_what_a_hand_paid(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path)
    page.press("A.truco")
    called = page.report()
    assert [rung["word"] for rung in called["board"]["ladder"]] == ["", *LADDER]
    assert called["phrases"]["call"]["line"] == "responde: Celestes"
    assert called["phrases"]["game"] == "Truco argentino · a 30"
    page.press("B.quiero", "A.tantos")
    over = page.report()
    assert over["hands"][-1]["score"] == {"A": 2, "B": 0}
    assert [gain["why"] for gain in over["phrases"]["reasons"]] == ["truco querido"]
    assert over == json.loads(json.dumps(over))


def test_the_files_of_the_store_change_with_each_press_that_counts(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path)
    before = page.table.stored()
    page.wait(30.0)
    assert page.table.stored() == before
    page.press("A.truco")
    assert page.table.stored() != before


def test_the_table_of_a_page_loads_no_socket_process_or_device() -> None:
    outside = {"socket", "select", "selectors", "subprocess", "asyncio", "starlette", "gpiozero"}
    assert loaded_by("scorer.browser.page_table") & (outside | {"luma"}) == set()


def test_the_buttons_that_may_be_pressed_are_lit_once_that_is_switched_on(
    tmp_path: Path, open_page: OpenPage
) -> None:
    page = open_page(tmp_path, variant="argentine")
    assert page.seen["lit"] == {}, "off by default"
    page.table.light_buttons(is_on=True)
    page.wait(0.1)
    calls = {f"{console}.{key}" for console in "AB" for key in ("truco", "envido", "tantos")}
    assert lit_of(page) == {*calls, "menu"}
    page.press("A.truco")
    assert {"B.quiero", "B.no_quiero", "B.truco"} <= lit_of(page)
    assert {"A.quiero", "A.truco"}.isdisjoint(lit_of(page))
    page.press("B.no_quiero")
    assert not {"A.tantos", "B.tantos"} & lit_of(page)
    page.wait(7.0)
    assert {"A.tantos", "B.tantos"} <= lit_of(page), "without a press"
    page.table.light_buttons(is_on=False)
    page.wait(0.1)
    assert page.seen["lit"] == {}


def test_lit_buttons_stay_on_over_a_power_cut(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(tmp_path, variant="mineiro", lights_buttons=True)
    assert {"A.truco", "B.truco"} <= lit_of(page)
    assert {"A.envido", "A.flor"}.isdisjoint(lit_of(page)), "no call of this truco"


def lit_of(page: Page) -> set[str]:
    return {line for line, percent in page.seen["lit"].items() if percent}
