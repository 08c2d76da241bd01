"""Views are made again when they change, with a press or with time."""

from __future__ import annotations

import random

import pytest

from scorer.api.marks import Marks
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.session.play.timers import expire
from scorer.session.values.dimming import lamps_of
from scorer.session.view.build_view import view_of
from scorer.table.device_faults import DeviceFaults
from scorer.table.outputs import Devices, TableOutputs
from scorer.table.panels import Panel, SyncRenderer
from tests.session.rig import SessionRig
from tests.support.memory_display import MemoryDisplay, Options
from tests.support.scripted_input import Options as Buttons
from tests.support.scripted_input import ScriptedInput

HAND = ("A envido", "B quiero", "B tantos", "A truco", "B quiero", "A tantos", "menu", "undo")


@pytest.fixture
def outputs() -> TableOutputs:
    panel = Panel("A", MemoryDisplay(Options((128, 64))), "A")
    renderer = SyncRenderer([panel])
    devices = Devices(ScriptedInput(Buttons(())), [panel], renderer, {}, MemoryBuzzer())
    return TableOutputs(devices, DeviceFaults(Marks()), 0.0)


def test_at_any_moment_they_are_those_of_a_new_table(outputs: TableOutputs) -> None:
    desk, chance, seen = SessionRig(), random.Random(1), set()
    for line in HAND:
        desk.do(line)
        now = desk.session.now
        while now < desk.session.now + 40.0:
            session = expire(desk.session, now)
            (view,) = outputs.views(session)
            assert view == view_of(session), (line, now - desk.session.now)
            assert outputs._shown is not None and outputs._shown.lamps == lamps_of(session)
            seen.add(view)
            now += chance.choice((0.01, 0.25, 0.5, 3.0))
    assert len(seen) > len(HAND), "some changed with time alone"


def test_without_a_change_they_are_kept(outputs: TableOutputs) -> None:
    session = SessionRig().session
    first = outputs.views(session)
    assert outputs.views(session._replace(now=session.now + 0.001)) is first
    assert outputs.views(session._replace(marks=("muted",))) is not first
