"""Gestures: edges of contacts in milliseconds, and the resulting gestures.

A script is a line of ``button:d0`` (went down at 0 ms), ``button:u10`` (up), ``t900`` (nothing
happened until 900 ms). Buttons have one letter: t TRUCO of A, n NO QUIERO of A (has a hold),
a and b TANTOS of A and B, u UNDO (has a hold), q QUIERO of B.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest

from scorer.hw.ports import Edge
from scorer.session.input import keymap
from scorer.session.input.gestures import JAMMED, Gestures
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.settings import ConsolesSection, Layout
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

RELEASE = ConsolesSection().release
NAMES = {
    "t": "A.truco",
    "n": "A.no_quiero",
    "a": "A.tantos",
    "b": "B.tantos",
    "u": "undo",
    "q": "B.quiero",
}
LETTERS = {name: letter for letter, name in NAMES.items()}
SHORT = {
    GestureKind.PRESS: "",
    GestureKind.TOUCHED: "~",
    GestureKind.CHORD: "&",
    GestureKind.HOLD_STARTED: "(",
    GestureKind.HOLD: "=",
    GestureKind.HOLD_ENDED: ")",
    GestureKind.SAFE: "!",
}
HELD = ("A.no_quiero", "undo", "A.truco", "A.tantos")  # the last two never, whatever is said


def contacts(levels: str = "", debounce: float = 0.008) -> Gestures:
    down = {name: letter in levels for letter, name in NAMES.items()}
    return Gestures(HELD.__contains__, down, 0.0, debounce=debounce)


def played(script: str, contacts: Gestures) -> list[Gesture]:
    made: list[Gesture] = []
    for word in script.split():
        name, _, what = word.rpartition(":")
        time = float(what[1:]) / 1000
        if what[0] == "t":
            made += contacts.tick(time)
        else:
            made += contacts.feed(Edge(time, NAMES[name], what[0] == "d"))
    return made


def short(made: list[Gesture]) -> str:
    """Short notation of gestures.

    ``t`` press, ``~a`` touched, ``&a`` both, ``(n`` hold begins, ``=n`` holds, ``)n`` ends.
    """
    return " ".join(f"{SHORT[each.kind]}{LETTERS[each.button]}" for each in made)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        # A level counts once it has lasted 8 ms.
        ("t:d0 t7",                                        ""),
        ("t:d0 t8",                                        "t"),
        ("t:d0 t:u5 t900",                                 ""),
        ("t:d0 t:u5 t:d500 t:u600 t900",                   "t"),
        ("t:d0 t:u1 t:d2 t:u3 t:d4 t:u6 t:d9 t900",        "t"),
        ("t:d0 t:u100 t:d101 t:u102 t:d104 t:u105 t900",   "t"),
        ("t:d0 t:u100 t:d190 t:u290 t900",                 "t t"),
        # A repeated edge, and a missing one.
        ("t:d0 t:d3 t8",                                   "t"),
        ("t:u0 t:u3 t900",                                 ""),
        ("t:d0 t50 t:d60 t:u90 t:d160 t300",               "t t"),
        # TRUCO acts at its edge and is leaned on without harm.
        ("t:d0 t60000 t:u60000 t61000",                    "t"),
        # A button with a hold acts on release; the hold fires once.
        ("n:d0 t200",                                      ""),
        ("n:d0 n:u100 t200",                               "n"),
        ("n:d0 n:u300 t400",                               "(n )n n"),
        ("n:d0 t60000 n:u60000 t61000",                    "(n =n"),
        ("n:d0 n:u690 t900",                               "(n )n n"),
        ("n:d0 n:u695 t705 t900",                          "(n )n n"),
        ("n:d0 n:u701 t900",                               "(n =n"),
        ("n:d0 n:u5 t100 n:d200 n:u260 t900",              "n"),
        ("n:d0 n:u240 n:d243 t400 n:u500 t900",            "(n )n n"),
        # TANTOS sounds at once and is recorded when no chord can follow.
        ("a:d0 t8",                                        "~a"),
        ("a:d0 t300",                                      "~a"),
        ("a:d0 t308",                                      "~a a"),
        ("a:d0 b:d100 t900",                               "~a &a"),
        ("b:d0 a:d300 t900",                               "~b &b"),
        ("b:d0 a:d301 t900",                               "~b b ~a a"),
        ("a:d0 b:d299 b:u301 b:d305 t900",                 "~a &a"),
        ("a:d0 b:d5 t900",                                 "~a &a"),
        ("a:d0 a:u50 a:d140 t900",                         "~a a ~a a"),
        ("a:d0 a:u100 a:d200 b:d250 t900",                 "~a a ~a &a"),
        # A press after TANTOS does not overtake it.
        ("a:d0 t:d100 t150",                               "~a a t"),
        ("a:d0 n:d100 n:u150 t220",                        "~a a n"),
        # Two buttons within one debounce time count in the order of their first edges.
        ("t:d0 q:d3 t50",                                  "t q"),
        ("q:d0 t:d3 t50",                                  "q t"),
        ("t:d0 q:d2 t:u3 t:d6 t50",                        "t q"),
        ("t:d0 q:d2 t:u3 t50",                             "q"),
        # A contact that opens for up to 60 ms is still pressed, and a tap of 20 ms is a tap.
        ("t:d0 t:u100 t:d160 t:u300 t900",                 "t"),
        ("t:d0 t:u100 t:d161 t:u300 t900",                 "t t"),
        ("t:d0 t:u20 t:d60 t:u80 t900",                    "t"),
        ("n:d0 n:u100 n:d160 n:u300 t900",                 "(n )n n"),
        ("n:d0 n:u100 n:d103 n:u110 t169",                 ""),
        ("n:d0 n:u100 n:d103 n:u110 t171",                 "n"),
        ("n:d0 n:u230 n:d270 t1000",                       "(n =n"),
        ("n:d0 n:u680 n:d720 t1000",                       "(n =n"),
        ("a:d0 a:u100 a:d150 a:u250 b:d280 t900",          "~a &a"),
        # The release of one button delays no press of another, and keeps its place before it.
        ("t:d0 t:u100 q:d101 t110",                        "t q"),
        ("n:d0 n:u100 t:d110 t117",                        ""),
        ("n:d0 n:u100 t:d110 t118",                        "n t"),
        ("n:d0 n:u100 a:d110 t118",                        "n ~a"),
        ("u:d0 n:d20 u:u100 n:u110 q:d120 t128",           "u n q"),
        ("n:d0 t:d110 n:u112 t900",                        "t n"),
        ("n:d0 u:d20 n:u100 u:u101 n:d103 n:u106 t900",    "n u"),
        ("n:d0 u:d200 u:u690 n:u730 t900",                 "(n (u )u u =n"),
        # Not even then is it pressed twice; a spike of another button decides nothing.
        ("n:d0 n:u100 t:d110 n:d130 n:u300 t900",          "n t"),
        ("n:d0 n:u100 t:d110 t:u113 n:d130 n:u300 t900",   "(n )n n"),
    ],
)  # fmt: skip
def test_edges_become_gestures(script: str, expected: str) -> None:
    assert short(played(script, contacts())) == expected


def test_the_time_of_a_press_is_that_of_its_first_edge() -> None:
    (press,) = played("t:d100 t:u102 t:d105 t200", contacts())
    assert (press.time, press.since) == (0.1, 0.1)


def test_a_press_on_release_knows_when_the_button_went_down() -> None:
    (press,) = played("n:d100 n:u200 t300", contacts())
    assert (press.time, press.since) == (0.2, 0.1)


def test_a_hold_fires_at_its_time_however_late_the_tick_comes() -> None:
    started, held = played("n:d100 t5000", contacts())
    assert [round(each.time, 3) for each in (started, held)] == [0.35, 0.8]


def test_a_button_that_chatters_without_end_holds_back_no_other() -> None:
    chatter = " ".join(f"t:{'du'[at % 2]}{at * 3}" for at in range(60))
    script = f"{chatter} q:d181 " + " ".join(f"t:{'du'[at % 2]}{at * 3}" for at in range(61, 90))
    assert short(played(script + " t268", contacts())) == "q"


@pytest.mark.parametrize(("debounce", "counts"), [(0.002, True), (0.008, True), (0.030, False)])
def test_the_debounce_time_is_a_setting(debounce: float, counts: bool) -> None:
    assert bool(played("t:d0 t:u20 t900", contacts(debounce=debounce))) is counts


@pytest.mark.parametrize("debounce", [0.0, 0.001, 0.031, 1.0])
def test_a_debounce_time_that_no_switch_needs_is_a_mistake(debounce: float) -> None:
    with pytest.raises(ValueError, match="debounce"):
        contacts(debounce=debounce)


def test_buttons_that_are_down_at_power_on_are_stuck_until_they_are_released() -> None:
    fingers = contacts("tn")
    assert set(fingers.stuck_buttons) == {"A.truco", "A.no_quiero"}
    assert short(played("t5000", fingers)) == ""
    assert short(played("t:u5100 t5200", fingers)) == ""
    assert fingers.stuck_buttons == ("A.no_quiero",)
    assert short(played("t:d5300 t5400", fingers)) == "t"


@pytest.mark.parametrize(
    ("levels", "script", "expected"),
    [
        ("ut", "t2999",                    ""),
        ("ut", "t3000",                    "!u"),
        ("ut", "t9000",                    "!u"),
        ("ut", "t:u1000 t9000",            ""),
        ("ut", "u:u2900 t9000",            ""),
        ("ut", "u:u2900 u:d2903 t9000",    "!u"),
        ("u",  "t9000",                    ""),
        ("t",  "t9000",                    ""),
        ("",   "u:d1 t:d1 t9000",          "t (u =u"),
        ("ut", "u:u2960 t9000",            ""),
        ("ut", "u:u2960 u:d3010 t9000",    "!u"),
    ],
)  # fmt: skip
def test_safe_mode_wants_undo_and_truco_of_a_from_power_on(
    levels: str, script: str, expected: str
) -> None:
    assert short(played(script, contacts(levels))) == expected


def test_a_lost_release_is_healed_by_the_levels_that_are_read() -> None:
    fingers = contacts()
    assert short(played("t:d0 t100", fingers)) == "t"
    fingers.resync({"A.truco": False}, 0.2)
    assert short(played("t300 t:d400 t500", fingers)) == "t"


def test_a_lost_press_counts_when_the_levels_are_read() -> None:
    fingers = contacts()
    assert fingers.resync({"A.truco": True}, 0.1) == []
    assert short(fingers.tick(0.2)) == "t"


def test_levels_that_agree_change_nothing() -> None:
    fingers = contacts()
    played("t:d0 t100", fingers)
    levels = {name: name == "A.truco" for name in NAMES.values()}
    assert fingers.resync(levels, 0.2) == []
    assert fingers.deadline() == JAMMED


def test_a_hold_whose_release_was_lost_does_not_fire_if_levels_are_read_before() -> None:
    fingers = contacts()
    played("n:d0 t600", fingers)
    assert fingers.is_holding
    made = fingers.resync({"A.no_quiero": False}, 0.65)
    assert short(made + fingers.tick(0.9)) == ")n n"
    assert not fingers.is_holding


def test_an_unknown_line_is_treated_as_a_button() -> None:
    fingers = contacts()
    fingers.feed(Edge(0.0, "C.quiero", True))
    assert fingers.tick(0.1) == [Gesture(GestureKind.PRESS, "C.quiero", 0.0, 0.0)]


def test_nothing_is_due_while_nothing_happens() -> None:
    assert contacts().deadline() is None


def test_the_deadline_is_that_of_what_is_due_first() -> None:
    fingers = contacts()
    played("n:d0 t:d3", fingers)
    assert fingers.deadline() == 0.008


def test_every_button_held_at_once_for_a_minute_makes_one_gesture_each() -> None:
    script = " ".join(f"{letter}:d{3 * at}" for at, letter in enumerate("tnuqa"))
    made = short(played(f"{script} t60000", contacts()))
    assert sorted(made.split()) == sorted(["t", "(n", "=n", "(u", "=u", "q", "~a", "a"])


@pytest.mark.parametrize("letter", "tnaq")
def test_a_button_that_stays_down_for_half_a_minute_is_stuck(letter: str) -> None:
    fingers, name = contacts(), NAMES[letter]
    played(f"{letter}:d0 t29990", fingers)
    assert not fingers.stuck_buttons
    assert fingers.deadline() == 30.0
    assert short(played("t30010", fingers)) == ""
    assert [*fingers.stuck_buttons] == [name]
    assert fingers.deadline() is None
    assert short(played("b:d40000 b:u40100 t41000", fingers)) == "~b b", "the others go on"
    assert short(played(f"{letter}:u50000 t51000", fingers)) == "", "its release is no press"
    assert not fingers.stuck_buttons
    assert short(played(f"{letter}:d52000 {letter}:u52100 t53000", fingers)).endswith(letter)


def test_a_button_without_levels_is_stuck_only_while_it_is_reported_down() -> None:
    """The box may have lost the release."""
    fingers = Gestures(lambda _: False, without_levels=["B.quiero"])
    played("q:d0 q:d100 t60000", fingers)
    assert not fingers.stuck_buttons
    played("q:d60100 t60200", fingers)
    assert [*fingers.stuck_buttons] == ["B.quiero"]


def test_slow_hands_may_have_a_longer_hold_and_a_longer_chord() -> None:
    slow = Gestures(HELD.__contains__, {}, 0.0, debounce=0.008, hold_time=lambda _: 1.5, chord=0.8)
    kinds = [SHORT[gesture.kind] for gesture in played("u:d0 t1400 t1600", slow)]
    assert kinds == ["(", "="]
    slow = Gestures(HELD.__contains__, {}, 0.0, debounce=0.008, hold_time=lambda _: 1.5, chord=0.8)
    kinds = [SHORT[gesture.kind] for gesture in played("a:d0 b:d600 t2000", slow)]
    assert kinds == ["~", "&"]


def test_the_settings_of_a_table_reach_its_fingers() -> None:
    desk = SessionRig(settings=settings_with(hold=1.5))
    desk.do("A truco", "undo", "wait 1", "undo hold 1.2")
    assert not desk.session.record.past, "shorter than this table's hold: a press"
    desk.do("A truco", "undo", "wait 1", "undo hold 1.8")
    assert len(desk.session.record.past) == 1, "put again"


# A worn contact: it opens and closes again within one press.

GAPS = (0.001, 0.005, 0.008, 0.010, 0.020, 0.040, 0.059)
CLOSED = 0.0095  # seconds between two openings, long enough to count
Opening = tuple[float, float]  # from, to, in seconds


def worn_press(button: str, released: float, openings: Iterable[Opening] = ()) -> list[Edge]:
    """A press at 0 whose contact opens meanwhile."""
    edges = [Edge(0.0, button, True)]
    for opened, closed in openings:
        edges += [Edge(opened, button, False), Edge(closed, button, True)]
    return [*edges, Edge(released, button, False)]


def gestures_of(
    edges: list[Edge], buttons: Iterable[str], *, has_hold: bool, release: float = RELEASE
) -> list[Gesture]:
    engine = Gestures(lambda _: has_hold, dict.fromkeys(buttons, False), release=release)
    made = [gesture for edge in edges for gesture in engine.feed(edge)]
    return [*made, *engine.tick(edges[-1].time + 5)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("has_hold", [False, True])
@pytest.mark.parametrize("released", [0.35, 0.95])
def test_a_contact_that_opens_within_a_press_changes_nothing(
    layout: Layout, has_hold: bool, released: float
) -> None:
    names = keymap.buttons(layout, 2)
    for button, gap, times in product(names, GAPS, (1, 2)):
        clean = gestures_of(worn_press(button, released), names, has_hold=has_hold)
        pause = gap + CLOSED
        for first in (CLOSED, 0.15, released - times * pause):
            openings = [(first + at * pause, first + at * pause + gap) for at in range(times)]
            worn = worn_press(button, released, openings)
            assert gestures_of(worn, names, has_hold=has_hold) == clean, (button, openings)


@pytest.mark.parametrize("has_hold", [False, True])
@pytest.mark.parametrize("gap", GAPS)
def test_contacts_too_short_to_count_are_part_of_the_press(gap: float, has_hold: bool) -> None:
    """The contact touches for 3 ms before the press, and again after it."""
    edges = [(0.0, True), (0.003, False), (0.003 + gap, True), (0.2, False)]
    edges += [(0.2 + gap, True), (0.203 + gap, False)]
    made = gestures_of([Edge(at, "undo", down) for at, down in edges], (), has_hold=has_hold)
    assert [(gesture.kind, round(gesture.time, 3)) for gesture in made] == [
        (GestureKind.PRESS, 0.2 if has_hold else 0.0 if gap < 0.008 else round(0.003 + gap, 3))
    ]


@pytest.mark.parametrize(
    ("release", "gap", "count"),
    [(0.0, 0.009, 2), (0.0, 0.007, 1), (0.03, 0.029, 1), (0.03, 0.04, 2)],
)
def test_the_release_time_is_a_setting_and_never_below_the_debounce_time(
    release: float, gap: float, count: int
) -> None:
    edges = worn_press("undo", 0.3, [(0.1, 0.1 + gap)])
    assert len(gestures_of(edges, (), has_hold=False, release=release)) == count


def test_a_release_time_that_would_join_two_taps_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="release"):
        Gestures(HELD.__contains__, release=0.2)


def test_a_gap_that_is_read_late_is_a_gap() -> None:
    """Time was advanced before the edge was read."""
    fingers = contacts()
    assert short(played("t:d0 t:u100 t400", fingers)) == "t"
    assert short(played("t:d130 t:u300 t600 t:d700 t800", fingers)) == "t"


def test_a_phone_may_press_while_a_button_is_let_go() -> None:
    fingers = contacts()
    played("t:d0 t:u100 t110", fingers)
    assert not fingers.is_undecided
    played("n:d200 n:u300 t310", fingers)
    assert fingers.is_undecided


# Interference: more contacts change at once than people press.


def dip(since: float, until: float, letters: str = "tnabuq") -> str:
    """These contacts close within 0.5 ms, and open again."""
    edges = [
        f"{letter}:{way}{at + place * 0.1}"
        for way, at in (("d", since), ("u", until))
        for place, letter in enumerate(letters)
    ]
    return " ".join(edges)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"{dip(0, 9)} t900",                                 ""),
        (f"{dip(0, 20)} t900",                                ""),
        (f"{dip(0, 600)} t2000",                              ""),
        (f"{dip(0, 9, 'tnabu')} t900",                        ""),
        # Three of one console, to which UNDO counts too.
        (f"{dip(0, 9, 'tna')} t900",                          ""),
        (f"{dip(0, 9, 'tnab')} t900",                         ""),
        (f"{dip(0, 9, 'nau')} t900",                          ""),
        ("t:d0 a:d1.2 n:d2.4 t:u100 a:u100 n:u100 t900",      "t ~a a n"),
        (f"{dip(0, 9, 'tn')} {dip(20, 29, 'aq')} t900",       "t n ~a a q"),
        # A hand at each console, and two at one.
        (f"{dip(0, 100, 'tqu')} t900",                        "t q u"),
        (f"{dip(0, 100, 'nabq')} t900",                       "~a &a q n"),
        # Bounce during a dip, and a press before and after it.
        (f"{dip(0, 1)} {dip(2, 11)} t900",                    ""),
        (f"q:d0 q:u100 {dip(300, 309)} t:d400 t900",          "q t"),
        (f"q:d0 {dip(5, 14, 'tnabu')} t900",                  "q"),
        # What is held stays held, also if the dip opens it.
        (f"n:d0 {dip(300, 320, 'tabuq')} t900",               "(n =n"),
        (f"n:d0 {dip(300, 320, 'tabuq')} n:u500 t900",        "(n )n n"),
        ("n:d0 n:u300 t:d300 a:d300 b:d300 u:d300 "
         "n:d320 t:u320 a:u320 b:u320 u:u320 t900",           "(n =n"),
        # What was just let go is not lost.
        (f"n:d0 n:u100 {dip(120, 130)} t900",                 "n"),
    ],
)  # fmt: skip
def test_more_contacts_within_two_milliseconds_than_hands_play_nothing(
    script: str, expected: str
) -> None:
    assert short(played(script, contacts())) == expected


def test_repeated_interference_is_noticed_until_ten_minutes_later() -> None:
    fingers = contacts()
    played(f"{dip(0, 9)} t900", fingers)
    assert not fingers.has_repeated_interference(1.0), "the end of a dip is no second one"
    played(f"{dip(60000, 60009)} t60900", fingers)
    assert fingers.has_repeated_interference(61.0)
    assert not fingers.has_repeated_interference(601.0)
