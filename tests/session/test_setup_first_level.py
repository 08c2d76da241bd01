"""The first level of set-up: flor, target and corrections in few presses."""

from __future__ import annotations

import pytest

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.rules import Side, variant_ids
from scorer.session.setup.hall_menu import JoinLevel
from scorer.session.setup.levels import ListLevel
from scorer.session.values.box_settings import Choice
from scorer.session.values.settings import Layout
from scorer.session.values.setup_view import LastHandsView, MenuLine
from scorer.session.values.shown import HallState, HallView, NearbyHall, Screen
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig
from tests.session.test_setup import is_open, listed, shown
from tests.session.test_setup_choices import chosen
from tests.support.settings import settings_with

SCORED = "A truco, B quiero, A tantos, wait 5"
LAYOUTS = {layout: settings_with(layout=layout) for layout in Layout}
MOST_PRESSES = 6  # and one from the page of the last hands, once a hand has ended


class Counter:
    """Goes to lines of set-up by single presses, and counts all of them."""

    def __init__(self, desk: SessionRig) -> None:
        self.desk = desk
        self.presses = 1
        desk.do("menu hold" if desk.session.settings.table.layout is Layout.FULL else "undo hold")
        assert desk.view.screen is Screen.SETUP
        if isinstance(shown(desk).content, LastHandsView):
            full = desk.session.settings.table.layout is Layout.FULL
            desk.do("A no_quiero" if full else "A quiero hold")  # the whole menu
            self.presses += 1

    def enter(
        self, key: str, text: str = "", value: str = "", at: tuple[int, int] = (-1, 0)
    ) -> None:
        """Enters the nearest line with ``key`` and its text, value, or side and number."""

        def is_it(line: MenuLine) -> bool:
            if key and line.key != key:
                return False
            if at != (-1, 0) and (line.side, line.number) != at:
                return False
            return text in ("", line.text) and value in ("", line.value)

        setup = self.desk.session.setup
        assert setup is not None and isinstance(setup.level, ListLevel)
        count, now = len(setup.level.lines), setup.level.at
        ways = [
            (place - now) % count for place, line in enumerate(setup.level.lines) if is_it(line)
        ]
        assert ways, f"no line {key} {text} {value}"
        down, up = min(ways), count - max(ways)
        moves = ["B tantos"] * down if down <= up else ["A tantos"] * up
        self.desk.do(*moves, "A quiero")
        self.presses += len(moves) + 1


def table(
    script: str = "",
    variant: str = "argentine",
    layout: Layout = Layout.FULL,
    **options: str | int | bool,
) -> SessionRig:
    desk = SessionRig(variant, options, settings=LAYOUTS[layout])
    desk.do(*(script.split(", ") if script else ()))
    return desk


def test_the_lines_of_every_game_come_first() -> None:
    counter = Counter(table())
    assert [item.key for item in listed(counter.desk).items][:3] == [
        "option.flor",
        "option.target",
        "points",
    ]


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("", "option.target"),
        ("A truco, B quiero", "option.target"),
        (SCORED, "points"),
        (f"{SCORED}, B envido", "option.target"),
        (f"{SCORED}, B envido, A quiero, A tantos", "points"),
    ],
    ids=["start", "no score", "hand won", "a call waits", "envido won"],
)
def test_it_opens_where_it_is_probably_needed(script: str, line: str) -> None:
    desk = Counter(table(script)).desk
    assert listed(desk).selected.key == line


def test_after_a_game_it_opens_at_the_target_of_the_next() -> None:
    desk = Counter(table("A tantos, wait 5", target=1)).desk
    assert listed(desk).selected.key == "option.target"


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize(("side", "change"), [(0, 1), (0, -1), (1, 1), (1, -1)])
def test_a_wrong_point_is_put_right_in_six_presses(layout: Layout, side: int, change: int) -> None:
    desk = (
        table(f"{SCORED}, B truco, A no_quiero, wait 8", layout=layout)
        if layout is Layout.FULL
        else table(f"{SCORED}, B truco, A quiero hold, wait 8", layout=layout)
    )
    before = desk.score
    counter = Counter(desk)
    counter.enter("points", at=(side, change))
    after = list(before)
    after[side] += change
    assert desk.score == tuple(after)
    assert counter.presses <= MOST_PRESSES
    desk.do("undo")
    assert desk.score == before


@pytest.mark.parametrize("variant", ["pata_gallo", "destantado"])
@pytest.mark.parametrize("side", [0, 1, 2])
@pytest.mark.parametrize("change", [1, -1])
def test_so_is_one_of_three_single_players(variant: str, side: int, change: int) -> None:
    score = {each: 5 for each in (Side.A, Side.B, Side.C)} if variant == "pata_gallo" else None
    desk = SessionRig(variant, score=score, settings=settings_with(count=3))
    desk.do("A tantos", "wait 8", "B tantos", "wait 8", "C tantos", "wait 8")
    before = desk.view.sides
    counter = Counter(desk)
    counter.enter("points", at=(side, change))
    assert desk.view.sides[side].score == before[side].score + change
    assert counter.presses <= MOST_PRESSES


def test_no_point_leaves_the_scores_that_a_game_can_have() -> None:
    desk = table("A tantos, wait 5", target=2)
    for at in ((1, -1), (0, 1)):
        counter = Counter(desk)
        counter.enter("points", at=at)
        assert (desk.score, is_open(desk)) == ((1, 0), True)
        assert desk.view.notice is not None and desk.view.notice.key == "not_now"
        desk.do("undo")


@pytest.mark.parametrize("layout", list(Layout))
def test_flor_of_a_new_game(layout: Layout) -> None:
    desk = table(layout=layout)
    counter = Counter(desk)
    counter.enter("option.flor")
    counter.enter("card.yes")
    assert (desk.game.rules.variant.id, is_open(desk)) == ("argentine_flor", False)
    assert counter.presses <= MOST_PRESSES
    assert chosen(desk) == (
        Choice(("table", "variant"), "argentine_flor"),
        Choice(("table", "house"), {}),
    )


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("target", ["15", "18", "20", "24", "40"])
def test_target_of_a_new_game(layout: Layout, target: str) -> None:
    desk = table(layout=layout)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", target)
    assert (str(desk.game.rules.target), is_open(desk)) == (target, False)
    assert counter.presses <= MOST_PRESSES


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("variant", ["argentine", "argentine_flor", "pica_pica"])
def test_flor_with_the_score_kept(layout: Layout, variant: str) -> None:
    desk = table(SCORED, variant, layout)
    had, mano = desk.game.rules.flor is not None, desk.view.sides
    counter = Counter(desk)
    counter.enter("option.flor")
    counter.enter("card.no" if had else "card.yes", value="setup.change.hand")
    assert (desk.game.rules.flor is not None, desk.score) == (had, (2, 0))
    assert counter.presses <= MOST_PRESSES
    desk.do("wait 9", "A truco")
    assert (desk.game.rules.flor is not None, desk.score) == (not had, (2, 0))
    assert [side.mano for side in desk.view.sides] != [side.mano for side in mano]
    desk.do("undo", "undo", "A quiero")
    assert (desk.game.rules.flor is not None, desk.score) == (had, (2, 0))


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize(("was", "target"), [(30, "15"), (15, "30"), (30, "18"), (30, "20")])
def test_target_with_the_score_kept(layout: Layout, was: int, target: str) -> None:
    desk = table(SCORED, layout=layout, target=was)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", target, "setup.change.hand")
    assert (desk.game.rules.target, desk.score) == (was, (2, 0))
    assert counter.presses <= MOST_PRESSES + 1
    desk.do("wait 9", "B truco")
    assert (str(desk.game.rules.target), desk.score) == (target, (2, 0))


@pytest.mark.parametrize("layout", list(Layout))
def test_both_from_the_next_game_on(layout: Layout) -> None:
    desk = table(SCORED, layout=layout)
    for line, key, text in (("option.flor", "card.yes", ""), ("option.target", "", "15")):
        counter = Counter(desk)
        counter.enter(line)
        counter.enter(key, text, "setup.from_next")
        assert counter.presses <= MOST_PRESSES + 1
        assert desk.view.notice is not None and desk.view.notice.key == "from_next"
        assert (desk.game.rules.variant.id, desk.game.rules.target) == ("argentine", 30)
        assert chosen(desk)
        desk.do("undo")


@pytest.mark.parametrize("layout", list(Layout))
def test_both_after_a_game(layout: Layout) -> None:
    desk = table("A tantos, wait 5", layout=layout, target=15)
    desk.do(*["A tantos", "wait 8"] * 14)
    assert desk.game.winner is Side.A
    for line, key, text in (("option.flor", "card.yes", ""), ("option.target", "", "30")):
        counter = Counter(desk)
        counter.enter(line)
        counter.enter(key, text)
        assert counter.presses <= MOST_PRESSES + 1
        assert chosen(desk)
        desk.do("undo")


def test_a_target_below_the_score_is_refused() -> None:
    desk = table("A tantos, wait 8, A tantos, wait 8", target=30)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("other_target")
    desk.do(*["B tantos"] * 29, "A quiero", "A quiero")
    assert (desk.game.rules.target, desk.score) == (30, (2, 0))
    assert desk.view.notice is not None and desk.view.notice.key == "target_reached"


def test_any_other_target_can_be_set() -> None:
    desk = table()
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("other_target")
    desk.do("A tantos", "A quiero")
    assert desk.game.rules.target == 31


def test_the_current_value_changes_nothing() -> None:
    desk = table(SCORED)
    counter = Counter(desk)
    counter.enter("option.target")
    counter.enter("", "30")
    assert (shown(desk).title, desk.current) == ("setup", 0)


def test_where_the_variant_leaves_no_choice_there_is_no_line_for_flor() -> None:
    keys = {
        variant: next(item.key for item in listed(Counter(table(variant=variant)).desk).items)
        for variant in variant_ids()
    }
    assert {variant for variant, key in keys.items() if key == "option.flor"} == {
        "argentine",
        "argentine_flor",
        "pata_gallo",
        "pica_pica",
    }


@pytest.mark.parametrize("press", ["menu hold, undo", "menu, wait 25", "A quiero"])
def test_a_hand_that_was_left_is_not_shown_again(press: str) -> None:
    desk = table("A tantos, wait 9")
    screens = [desk.view.screen]
    desk.do(*press.split(", "))
    screens.append(desk.view.screen)
    assert desk.do("B tantos").verdict is Verdict.ACCEPTED
    screens.append(desk.view.screen)
    desk.do("menu hold", "undo")
    screens.append(desk.view.screen)
    assert screens == [Screen.PLAYING, Screen.PLAYING, Screen.HAND_OVER, Screen.HAND_OVER]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
@pytest.mark.parametrize("variant", ["argentine", "paulista", "valencian", "destantado"])
@pytest.mark.parametrize("script", ["", "A tantos, wait 9"])
def test_nothing_is_cut(language: str, size: tuple[int, int], variant: str, script: str) -> None:
    desk = Counter(table(script, variant)).desk
    desk.session = desk.session._replace(names=("Los Pibes del Fondo", "Las Águilas"))
    for line in ("option.flor", "option.target"):
        for _ in range(9):
            assert draw_view(desk.view, language, size).overflow == []
            desk.do("B tantos")
        desk.do("undo")
        counter = Counter(desk)
        if line in [item.key for item in listed(desk).items]:
            counter.enter(line)


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize(("variant", "most"), [("argentine", 5), ("paulista", 4)])
def test_a_hall_is_asked_to_join_in_few_presses(layout: Layout, variant: str, most: int) -> None:
    desk = table(variant=variant, layout=layout)
    found = HallView(HallState.ALONE, halls=(NearbyHall("copa.local:8443", "Copa"),))
    desk.session = desk.session._replace(hall=found)
    presses = Counter(desk)
    presses.enter("hall")
    presses.enter("", text="Copa")
    assert presses.presses == most
    assert isinstance(desk.session.setup and desk.session.setup.level, JoinLevel)
