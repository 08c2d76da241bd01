"""A dip of all lines of one cable or console plays nothing; as many hands do."""

from __future__ import annotations

from itertools import product

import pytest

from scorer.session.input import keymap
from scorer.session.values.settings import Layout
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

DIPS_S = (0.010, 0.020, 0.060, 0.100)
SKEW_S = 1e-5  # between two lines of a cable
# As the guide wires them; a compact console has one cable.
CABLES = {
    "cable 1": (Layout.FULL, "A.truco A.envido A.flor A.quiero"),
    "cable 2 with UNDO and MENU": (Layout.FULL, "A.no_quiero A.tantos undo menu"),
    "a compact console": (Layout.COMPACT, "A.truco A.envido A.quiero A.tantos"),
    "a compact console with UNDO": (Layout.COMPACT, "B.truco B.envido B.quiero B.tantos undo"),
}
PENDING = {
    "nothing": (),
    "a truco": ("B truco",),
    "a retruco": ("B truco", "A truco"),
    "an envido": ("B envido",),
    "a real envido": ("B envido", "A envido", "B envido"),
    "a truco of its own": ("A truco",),
    "an envido of its own": ("A envido",),
    "a won truco": ("A truco", "B quiero"),
    "a hand to take back": ("A truco", "B quiero", "A tantos"),
    "a question": ("both tantos",),
}


def dip(rig: SessionRig, lines: list[str], seconds: float, skew_s: float = SKEW_S) -> None:
    """Close the lines one after the other, and open them ``seconds`` later."""
    for down in (True, False):
        for line in lines:
            rig._edge(line, down)
            rig.pass_time(skew_s)
        rig.pass_time(seconds)
    rig.pass_time(3.0)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("cable", CABLES)
@pytest.mark.parametrize("pending", PENDING)
def test_a_dip_of_one_cable_enters_no_row(cable: str, pending: str) -> None:
    layout, lines = CABLES[cable]
    for variant, seconds in product(("argentine", "argentine_flor"), DIPS_S):
        rig = SessionRig(variant, settings=settings_with(layout=layout))
        rig.do(*PENDING[pending], "wait 4")
        rows, question = list(rig.lines), rig.session.question
        dip(rig, lines.split(), seconds)
        assert (rig.lines, rig.session.question) == (rows, question), (variant, seconds)
        assert rig.session.setup is None


def test_a_dip_of_the_third_console_enters_no_row() -> None:
    settings = settings_with(count=3, layout=Layout.COMPACT)
    lines = [name for name in keymap.buttons(Layout.COMPACT, 3) if name.startswith("C.")]
    for before, seconds in product(((), ("A truco",), ("A envido",)), DIPS_S):
        rig = SessionRig("pata_gallo", settings=settings)
        rig.do(*before, "wait 4")
        rows = list(rig.lines)
        dip(rig, lines, seconds)
        assert (len(lines), rig.lines) == (4, rows), (before, seconds)


@pytest.mark.parametrize("apart_s", [SKEW_S, 0.0005])
@pytest.mark.parametrize(
    "lines",
    [
        "A.truco B.truco",
        "A.tantos B.tantos",
        "A.envido A.truco",
        "B.quiero A.truco undo",
        "undo menu",
    ],
)
def test_as_many_hands_as_people_have_press_at_once(lines: str, apart_s: float) -> None:
    """Closer than the window of interference they do what they do 5 ms apart."""
    played = []
    for gap_s in (apart_s, 0.005):
        rig = SessionRig()
        dip(rig, lines.split(), 0.1, gap_s)
        verdicts = [reaction.verdict for reaction in rig.reactions]
        played.append((rig.lines, rig.session.question is None, verdicts))
    assert played[0] == played[1]
    assert len(verdicts) >= 2, "each was answered"
