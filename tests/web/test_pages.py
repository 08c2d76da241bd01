"""The pages in a browser: every state, size and language.

One page gets one report after another, as on an evening, without reloads and sleeps; the page's own
clock is advanced where time must pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from scorer.i18n import languages
from tests.support.faulty_network import faulty_network
from tests.web.browser import Habits, axe_violations, blank, visit, window
from tests.web.fake_reports import Report, Server, offline_report, report, serving
from tests.web.page_states import HOSTILE, LONG, PAGE_STATES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page, Route

pytestmark = pytest.mark.browser

SMOOTH: Habits = {"reduced_motion": "reduce"}

# What must not be: text wider than its box, a part that is cut off, a page that has to be scrolled.
OVERFLOWING = """(scrolls) => {
    const found = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push("page wide");
    if (!scrolls && page.scrollHeight > page.clientHeight) found.push("page high");
    for (const box of document.querySelectorAll(".fit, .bet, .side, .answer, .night")) {
        const told = `${box.className}: ${box.textContent}`;
        if (box.scrollWidth > box.clientWidth + 1) found.push(`wide ${told}`);
        const fits = box.classList.contains("fit");
        if (box.scrollHeight > box.clientHeight + 1 && !fits) found.push(`high ${told}`);
    }
    const bet = document.querySelector(".bet").getBoundingClientRect();
    for (const part of document.querySelector(".bet").children) {
        const box = part.getBoundingClientRect();
        if (box.bottom > bet.bottom + 1 || box.top < bet.top - 1) found.push(part.className);
    }
    return found;
}"""


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as opened:
        yield opened


def tell(page: Page, server: Server, told: Report) -> None:
    """Publish ``told`` as the newest report, and wait until the page shows it."""
    before = server.report["rev"]
    told = {**told, "epoch": "test", "rev": before + 1, "id": f"test-{before + 1}"}
    server.publish(told)
    page.wait_for_selector(f"html[data-shown='{told['id']}']", state="attached")


def texts(page: Page, selector: str) -> list[str]:
    return [str(each).strip() for each in page.locator(selector).all_text_contents()]


def box_of(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box


def shown(told: Report) -> list[str]:
    """The scores as a page shows them, from left to right."""
    state = told["state"]
    most = state["target"] if state["pot"] is None else 99
    return [str(min(most, state["score"][side])) for side in state["sides"]]


# The fullest states; ``tests.web.screenshots`` draws all of them for people to look at.
FULL = (
    "play", "falta", "winner", "hand-over-both", "mao", "mao-next", "mao-played", "cantando",
    "pica", "pica-envido", "gallo", "alone-truco", "game-over", "long-names",
    "long-names-over", "target-99",
)  # fmt: skip


# What fits must be whole, and apart: the widest sums, with colours and with the longest names.
REFUSED_TWICE = ("A envido", "B no_quiero", "A truco", "B no_quiero")
BOTH_GAIN = ("A envido", "B quiero", "A envido_won", "B truco", "A quiero", "B hand_won")
FITTED = {
    f"{name} {'long' if names else 'unnamed'}": told
    for names in ((), LONG)
    for name, told in (
        ("refused", report(lines=REFUSED_TWICE, names=names)),
        ("both", report(lines=BOTH_GAIN, score=(10, 3), names=names)),
        ("call", report(lines=["A truco", "B envido"], score=(12, 9), names=names)),
        ("paid", report(lines=["A envido", "B quiero", "A envido_won"], names=names)),
        ("mao next", report("paulista", ["A truco", "B no_quiero"], score=(10, 8), names=names)),
        ("mao", report("paulista", [], score=(11, 8), names=names)),
        ("over", report(lines=["A concede"], names=names)),
    )
}
CUT_OR_OVERLAPPING = """() => {
    const told = (box) => `${box.className}: ${box.textContent}`;
    const boxes = [...document.querySelectorAll(".fit")].filter((box) => box.clientWidth);
    const cut = boxes.filter((box) => box.scrollWidth > box.clientWidth).map(told);
    const texts = boxes.map((box) => [box, box.firstElementChild.getBoundingClientRect()]);
    const wide = (one, two) => Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = (one, two) => Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    const isOver = (one, two) =>
        wide(one, two) > 1 && high(one, two) > 0.3 * Math.min(one.height, two.height);
    const over = texts.flatMap(([box, one], at) => texts.slice(at + 1)
        .filter(([, two]) => isOver(one, two))
        .map(([other]) => `${told(box)} / ${told(other)}`));
    return boxes.length ? [...cut, ...over] : ["nothing is fitted"];
}"""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", ["/", "/overlay"])
def test_each_fitted_text_is_whole_and_overlaps_no_other(
    browser: Browser, server: Server, path: str, language: str
) -> None:
    with visit(browser, f"{server.address}{path}?lang={language}", **SMOOTH) as page:
        for wide in (1280, 1920):
            page.set_viewport_size({"width": wide, "height": wide * 9 // 16})
            for name, told in FITTED.items():
                tell(page, server, told)
                assert page.evaluate(CUT_OR_OVERLAPPING) == [], (name, wide)


def test_a_page_keeps_its_picture_until_the_history_of_a_press_is_known(
    browser: Browser, server: Server
) -> None:
    before, told = report(lines=["A truco"]), report(lines=["A truco", "B no_quiero"])
    bare = {**told, "board": None, "hands": [], "recent": []}
    with visit(browser, server.address, **SMOOTH) as page:
        tell(page, server, before)
        tell(page, server, bare)
        assert texts(page, ".score") == ["0", "0"]
        tell(page, server, told)
        assert texts(page, ".score") == ["1", "0"]


@pytest.mark.parametrize(("size", "language"), [("tv", "pt-BR"), ("phone", "es-AR")])
def test_every_state_shows_its_score_in_words_and_nothing_is_cut_off(
    browser: Browser, server: Server, size: str, language: str
) -> None:
    with visit(browser, f"{server.address}/?lang={language}", size, **SMOOTH) as page:
        for name in FULL:
            tell(page, server, PAGE_STATES[name])
            assert texts(page, ".side .score") == shown(PAGE_STATES[name]), name
            assert re.findall(r"undefined|null|NaN|\{|\[object", page.inner_text("main")) == [], (
                name
            )
            assert page.evaluate(OVERFLOWING, size == "phone") == [], name


def test_a_call_shows_both_answers_and_what_each_leads_to(browser: Browser, server: Server) -> None:
    server.report = PAGE_STATES["truco"]
    with visit(browser, server.address, **SMOOTH) as page:
        assert texts(page, ".word") == ["¡truco!"]
        assert texts(page, ".by") == ["Los Pibes"]
        assert texts(page, ".choice") == ["QUIERO", "NO QUIERO"]
        assert texts(page, ".pays") == ["2", "1"]
        assert texts(page, ".yes .leads span") == ["14 a 9", "12 a 11"]
        assert texts(page, ".no .leads") == ["13 a 9"]
        assert texts(page, ".under .line") == ["responde: La Yunta"]


def test_a_call_keeps_the_ladder_and_names_the_duel(browser: Browser, server: Server) -> None:
    with visit(browser, server.address, **SMOOTH) as page:
        for name, rungs in (
            ("truco", ["2 called", "3 ahead", "4 ahead"]),
            ("retruco", ["2 current", "3 called", "4 ahead"]),
            ("envido-first", ["2 called", "3 ahead", "4 ahead"]),
            ("gallo", ["2 called", "3 ahead", "4 ahead"]),
        ):
            tell(page, server, PAGE_STATES[name])
            found = [
                f"{rung.locator('b').inner_text()} {(rung.get_attribute('class') or '').split()[1]}"
                for rung in page.locator(".call .rung").all()
            ]
            assert found == rungs, name
        tell(page, server, PAGE_STATES["pica-call"])
        assert texts(page, ".under .line") == ["duelo 2 de 3: 2 con 5 · responde: Los Pibes"]


def test_a_score_that_depends_on_the_winner_points_to_its_column(
    browser: Browser, server: Server
) -> None:
    with visit(browser, server.address, **SMOOTH) as page:
        tell(page, server, PAGE_STATES["truco"])
        marks = page.locator(".leads .if").evaluate_all(
            "all => all.map((each) => getComputedStyle(each, '::before').content[1])"
        )
        assert marks == ["◄", "►"]


def test_the_mao_de_onze_is_asked_in_full(browser: Browser, server: Server) -> None:
    server.report = PAGE_STATES["mao"]
    with visit(browser, f"{server.address}/?lang=pt-BR", **SMOOTH) as page:
        assert texts(page, ".word") == ["mão de onze"]
        assert texts(page, ".by") == ["decide: Los Pibes"]
        assert list(zip(texts(page, ".choice"), texts(page, ".pays"), strict=True)) == [
            ("QUERO", "3"),
            ("NÃO QUERO", "1"),
        ]


@pytest.mark.parametrize("path", ["/", "/overlay"])
@pytest.mark.parametrize(("look", "points"), [("play", 5), ("fours", 4), ("threes", 3)])
def test_every_point_is_a_match_of_a_shape_that_the_box_chooses(
    browser: Browser, server: Server, path: str, look: str, points: int
) -> None:
    server.report = PAGE_STATES[look]
    state = server.report["state"]
    with visit(browser, f"{server.address}{path}", **SMOOTH) as page:
        for at, side in enumerate(state["sides"]):
            laid = [
                shape.count("<use")
                for shape in page.locator(f".side-{at} .matches > g").evaluate_all(
                    "shapes => shapes.map((each) => each.innerHTML)"
                )
            ]
            full, rest = divmod(state["score"][side], points)
            assert len(laid) == -(-state["target"] // points)
            assert [each for each in laid if each] == [points] * full + [rest] * bool(rest)


def test_a_game_that_is_over_shows_its_hands_and_the_night(
    browser: Browser, server: Server
) -> None:
    server.report = PAGE_STATES["match-over"]
    with visit(browser, server.address, **SMOOTH) as page:
        assert page.locator(".side-0 .tally use").count() == 30
        assert page.locator(".steps .run").count() == 2
        assert texts(page, ".steps .last") == ["30", "12"]
        assert texts(page, ".night .who") == ["Los Pibes", "La Yunta", "Celestes"]
        tell(page, server, PAGE_STATES["play"])
        assert page.locator(".after").is_hidden()
        assert page.locator(".steps").count() == 0


def test_what_people_wrote_is_never_read_as_a_page(browser: Browser, server: Server) -> None:
    server.report = PAGE_STATES["hostile"]
    for path in ("/", "/overlay"):
        with visit(browser, server.address + path, **SMOOTH) as page:
            assert HOSTILE[0] in page.inner_text("body")
            assert page.locator("body script, body img").count() == 0
            assert page.title() != "x"


def test_a_table_that_has_gone_turns_the_page_grey_and_says_since_when(
    browser: Browser, server: Server
) -> None:
    server.report = PAGE_STATES["truco"]
    with visit(browser, server.address, **SMOOTH) as page:
        assert page.locator("#stale").is_hidden()
        tell(page, server, offline_report(PAGE_STATES["truco"], 12))
        assert page.inner_text("#stale").startswith("la mesa no responde · hace 12 s")
        assert page.get_attribute("html", "data-stale") == "yes"
        tell(page, server, PAGE_STATES["quiero"])
        assert page.get_attribute("html", "data-stale") == "no"
        assert page.locator("#stale").is_hidden()


@pytest.mark.parametrize("path", ["/", "/overlay"])
def test_a_page_opened_while_the_table_is_away_never_looks_fresh(
    browser: Browser, server: Server, path: str
) -> None:
    """It is grey with the first score that it shows, not a second later."""
    server.report = offline_report(PAGE_STATES["truco"], 3600)
    watching = """new MutationObserver(() => {
        const page = document.documentElement.dataset;
        if (page.ready === "yes" && page.stale !== "yes") window.fresh = true;
    }).observe(document, { attributes: true, subtree: true });"""
    with blank(browser, **SMOOTH) as page:
        page.add_init_script(watching)
        page.goto(server.address + path)
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert page.inner_text("#stale").startswith("la mesa no responde · hace 60 min")
        assert page.evaluate("window.fresh === undefined")


def test_a_lost_connection_is_shown_and_reopened(browser: Browser) -> None:
    with serving() as server, blank(browser) as page:
        server.report = PAGE_STATES["truco"]
        page.clock.install()
        page.goto(server.address)
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        server.silent = True
        server.end_streams()
        page.clock.run_for(6000)
        page.wait_for_selector("html[data-stale=yes]", state="attached")
        assert re.match(r"sin conexión · hace \d+ s", page.inner_text("#stale"))
        assert texts(page, ".side .score") == ["12", "9"]
        server.silent = False
        server.publish(PAGE_STATES["quiero"] | {"epoch": "later", "id": "later-1", "rev": 1})
        for _ in range(20):
            page.clock.run_for(1000)
            if page.get_attribute("html", "data-stale") == "no":
                break
        page.wait_for_selector("html[data-shown=later-1]", state="attached")
        assert texts(page, ".side .score") == ["18", "28"]


def test_where_there_is_no_room_for_a_stream_the_page_asks(
    browser: Browser, server: Server
) -> None:
    server.full = True
    server.report = PAGE_STATES["truco"]
    with visit(browser, server.address, **SMOOTH) as page:
        assert texts(page, ".side .score") == ["12", "9"]
        server.publish(PAGE_STATES["quiero"] | {"rev": 50, "id": "test-50"})
        page.wait_for_selector("html[data-shown=test-50]", state="attached")
        assert texts(page, ".side .score") == ["18", "28"]


NEWER = [
    # next                    shown                     late   taken
    (("a", 2, "here"), None,                False, True),
    (("a", 3, "here"), ("a", 2, "here"),    False, True),
    (("a", 2, "here"), ("a", 2, "here"),    False, False),
    (("a", 1, "here"), ("a", 2, "here"),    False, False),
    (("a", 1, "here"), ("a", 2, "here"),    True,  False),
    (("a", 3, "here"), ("a", 2, "here"),    True,  True),
    (("a", 2, "gone"), ("a", 2, "here"),    False, True),
    (("a", 2, "gone"), ("a", 2, "here"),    True,  False),
    (("b", 1, "here"), ("a", 9, "here"),    False, True),
    (("b", 9, "here"), ("a", 1, "here"),    True,  False),
]  # fmt: skip


def test_an_older_report_never_takes_the_place_of_a_newer_one(
    browser: Browser, server: Server
) -> None:
    def told(each: tuple[str, int, str] | None) -> Report | None:
        return None if each is None else dict(zip(("epoch", "rev", "table"), each, strict=True))

    rows = [[told(following), told(now), late] for following, now, late, _ in NEWER]
    asking = """async (rows) => {
        const { isNewer } = await import("/static/stream.js");
        return rows.map((row) => isNewer(...row));
    }"""
    with visit(browser, server.address) as page:
        assert page.evaluate(asking, rows) == [taken for *_, taken in NEWER]


def test_a_late_answer_is_not_shown_over_what_has_happened_since(
    browser: Browser, server: Server
) -> None:
    server.report = PAGE_STATES["quiero"] | {"rev": 40, "id": "test-40"}
    with visit(browser, server.address, **SMOOTH) as page:
        server.publish(PAGE_STATES["truco"] | {"rev": 12, "id": "test-12"})
        server.publish(PAGE_STATES["retruco"] | {"rev": 41, "id": "test-41"})
        page.wait_for_selector("html[data-shown=test-41]", state="attached")
        server.publish(PAGE_STATES["truco"] | {"rev": 13, "id": "test-13"})
        server.publish(PAGE_STATES["play"] | {"rev": 42, "id": "test-42"})
        page.wait_for_selector("html[data-shown=test-42]", state="attached")
        assert texts(page, ".side .score") == shown(PAGE_STATES["play"])


def test_listeners_hear_one_sentence(browser: Browser, server: Server) -> None:
    server.report = PAGE_STATES["truco"]
    with visit(browser, server.address, **SMOOTH) as page:
        page.wait_for_selector("#live:not(:empty)", state="attached")
        heard = (
            "Los Pibes doce malas, La Yunta nueve malas. Los Pibes: ¡truco! QUIERO 2, NO QUIERO 1."
        )
        assert page.text_content("#live") == heard
        assert page.get_attribute("#live", "aria-live") == "polite"


def test_whose_side_stands_on_the_left_may_be_chosen(browser: Browser, server: Server) -> None:
    server.report = PAGE_STATES["truco"]
    with visit(browser, f"{server.address}/?ours=B", **SMOOTH) as page:
        assert texts(page, ".side .name") == ["La Yunta", "Los Pibes"]
        assert texts(page, ".no .leads") == ["9 a 13"]


def test_the_overlay_is_transparent_and_takes_its_parameters(
    browser: Browser, server: Server
) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    server.report = PAGE_STATES["truco"]
    with visit(browser, f"{server.address}/overlay", **SMOOTH) as page:
        assert page.evaluate(ground) == "rgba(0, 0, 0, 0)"
        assert texts(page, ".name") == ["Los Pibes", "La Yunta"]
        assert "¡truco!" in page.inner_text("#call").lower()
        wide = box_of(page, "#bar")["width"]
    asked = "bg=00ff00&scale=2&side=top&show=score"
    with visit(browser, f"{server.address}/overlay?{asked}", **SMOOTH) as page:
        assert page.evaluate(ground) == "rgb(0, 255, 0)"
        assert box_of(page, "#bar")["width"] > 1.2 * wide
        assert box_of(page, "#bar")["y"] < 200
        assert page.locator("#call").is_hidden()
        assert page.locator(".tally").count() == 0


def test_a_page_asks_for_nothing_but_its_own_files(browser: Browser, server: Server) -> None:
    asked: list[str] = []
    with blank(browser) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server.address)
        page.wait_for_selector("html[data-ready=yes]", state="attached")
    assert [url for url in asked if not url.startswith(server.address)] == []
    assert {url.removeprefix(server.address).partition("?")[0] for url in asked} <= {
        "/", "/events", "/api/v1/state", "/words/es-AR.json",
        *(f"/static/{name}" for name in ("board.css", "board.js", "draw.js", "icon.svg")),
        *(f"/static/{name}" for name in ("felt.css", "lamps.css", "stream.js", "dom.js")),
        *(f"/static/{name}" for name in ("element.js", "words.js", "idle.js", "transport.js")),
        *(f"/static/{name}" for name in ("follow.js", "request.js")),
    }  # fmt: skip


def stand_still(route: Route) -> None:
    """Stop the plain page's reload while it is being checked."""
    answer = route.fetch()
    assert 'content="5"' in answer.text()
    route.fulfill(response=answer, body=answer.text().replace('content="5"', 'content="900"'))


@pytest.mark.parametrize("theme", ["dark", "light", "night"])
@pytest.mark.parametrize("path", ["/", "/plain", "/plain?reload=no", "/overlay"])
def test_a_page_can_be_read_by_everybody(
    browser: Browser, server: Server, path: str, theme: str
) -> None:
    """Contrast, names, landmarks: what axe can tell of a page without looking at it."""
    # The plain page reloads by itself, for televisions, until its link stops that.
    known = {"meta-refresh"} if path == "/plain" else set()
    for look in ("truco", "mao", "match-over", "gone"):
        server.report = PAGE_STATES[look]
        with blank(browser, **SMOOTH) as page:
            page.route("**/plain?theme=*", stand_still)
            page.goto(f"{server.address}{path}{'&' if '?' in path else '?'}theme={theme}")
            page.wait_for_selector("html[data-ready=yes], td .score", state="attached")
            assert [each for each in axe_violations(page) if each[0] not in known] == [], look


@pytest.mark.parametrize(("path", "name"), [("/", ".head"), ("/overlay", ".side")])
def test_a_side_has_the_colour_of_its_lamp_wherever_it_stands(
    browser: Browser, server: Server, path: str, name: str
) -> None:
    told = deepcopy(PAGE_STATES["start-unnamed"])
    told["state"]["lamps"] = {"A": "red", "B": "green"}
    server.report = told
    edge = f"""() => [...document.querySelectorAll("{name}")].map((each) => {{
        const {{ borderBottomColor, borderTopColor }} = getComputedStyle(each);
        return each.className.includes("head") ? borderBottomColor : borderTopColor;
    }})"""
    red, green = "rgb(255, 159, 148)", "rgb(143, 227, 155)"
    for ours, colours in (("A", [red, green]), ("B", [green, red])):
        address = f"{server.address}{path}?theme=dark&ours={ours}"
        with visit(browser, address, **SMOOTH) as page:
            assert page.evaluate(edge) == colours
    server.report = offline_report(told, 60)
    with visit(browser, f"{server.address}{path}?theme=dark", **SMOOTH) as page:
        grey = path == "/overlay"
        assert page.evaluate(edge) == (["rgb(221, 221, 221)"] * 2 if grey else [red, green])


def test_a_report_may_bring_more_than_a_page_knows(browser: Browser, server: Server) -> None:
    told = deepcopy(PAGE_STATES["truco"])
    told["new"] = {"state": 1}
    told["state"]["new"] = [1, 2]
    told["board"]["new"] = None
    told["state"]["legal"].append(["A", "something"])
    server.report = told
    with visit(browser, server.address, **SMOOTH) as page:
        assert texts(page, ".side .score") == ["12", "9"]


def test_eight_boards_of_one_browser_show_every_score(browser: Browser, server: Server) -> None:
    server.report = PAGE_STATES["truco"]
    with window(browser) as context:
        pages = [context.new_page() for _ in range(8)]
        for page in pages:
            page.goto(server.address, wait_until="commit")
        for page in pages:
            page.wait_for_selector("html[data-ready=yes]", state="attached")
        server.publish(PAGE_STATES["quiero"] | {"rev": 50, "id": "test-50"})
        for page in pages:
            page.wait_for_selector("html[data-shown=test-50]", state="attached")


def test_a_board_whose_packets_vanish_says_so_and_comes_back(
    browser: Browser, server: Server
) -> None:
    server.report = PAGE_STATES["truco"]
    port = int(server.address.rpartition(":")[2])
    with faulty_network(("127.0.0.1", port)) as network, blank(browser) as page:
        page.clock.install()
        page.goto(f"http://127.0.0.1:{network.port}/")
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        network.vanish()
        page.clock.run_for(30_000)
        page.wait_for_selector("html[data-stale=yes]", state="attached")
        # Requests have ended meanwhile: they keep no connection.
        page.clock.run_for(300_000)
        network.mend()
        server.publish(PAGE_STATES["quiero"] | {"rev": 50, "id": "test-50"})
        for _ in range(40):
            page.clock.run_for(1000)
            if page.get_attribute("html", "data-stale") == "no":
                break
        page.wait_for_selector("html[data-shown=test-50]", state="attached")
