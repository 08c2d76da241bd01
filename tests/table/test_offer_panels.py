"""Which panels show a question to one console."""

from __future__ import annotations

import pytest

from scorer.api.marks import Marks
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.session.values.shown import Screen
from scorer.table.device_faults import DeviceFaults
from scorer.table.outputs import Devices, TableOutputs
from scorer.table.panels import Panel, SyncRenderer
from tests.session.rig import SessionRig
from tests.support.memory_display import MemoryDisplay, Options
from tests.support.scripted_input import Options as Buttons
from tests.support.scripted_input import ScriptedInput

SMALL, TELEVISION = Options((128, 64)), Options((640, 360), "RGB")


@pytest.mark.parametrize(
    ("panels", "asked"),
    [
        ("A B",         "B"),
        ("A B tv",      "B"),
        ("A",           "A"),   # the panel of the whole table
        ("A tv",        "A"),
        ("tv",          "tv"),  # no other place to see it
        ("A C",         "A C"),  # B has none of its own
    ],
)  # fmt: skip
def test_an_offer_is_on_the_panels_of_its_console(panels: str, asked: str) -> None:
    made = [
        Panel(name, MemoryDisplay(TELEVISION), "A")
        if name == "tv"
        else Panel(name, MemoryDisplay(SMALL), name)
        for name in panels.split()
    ]
    devices = Devices(ScriptedInput(Buttons(())), made, SyncRenderer(made), {}, MemoryBuzzer())
    desk = SessionRig()
    desk.do("B envido hold")
    shown = TableOutputs(devices, DeviceFaults(Marks()), desk.time).views(desk.session)
    names = [
        panel.name
        for panel, view in zip(made, shown, strict=True)
        if view.screen is Screen.QUESTION
    ]
    assert names == asked.split()
