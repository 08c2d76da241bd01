"""The simulated hardware: real drivers on controlled pins and buses."""

from __future__ import annotations

import pytest

from scorer.hw.displays import luma_oled
from scorer.hw.displays.chip_simulator import SimulatedChip
from scorer.hw.displays.fake_bus import POWER_LOST, Fault
from scorer.hw.ports import DeviceError, Edge
from scorer.hw.simulated import ONE_PANEL, TWO_PANELS, SimulatedHardware
from tests.hw.rigs import black, noise, same

LINES = {"A.truco": 5, "B.truco": 17, "undo": 20}
SIZE = (128, 64)


class PanelViewer:
    """A chip model for each panel, fed with the recorded messages."""

    def __init__(self, hardware: SimulatedHardware) -> None:
        self._hardware = hardware
        self._chips = {name: SimulatedChip("ssd1309") for name in hardware.displays}

    def picture(self, panel: str) -> object:
        for name, message in self._hardware.take_messages():
            self._chips[name].feed(message)
        return self._chips[panel].picture()


def test_a_pin_change_becomes_an_edge_with_the_simulated_time() -> None:
    hardware = SimulatedHardware(LINES)
    edges: list[Edge] = []
    hardware.inputs.open(edges.append)
    hardware.set_pin("A.truco", 0, 1.5)
    hardware.set_pin(17, 0, 1.5)
    hardware.set_pin("A.truco", 1, 1.75)
    assert edges == [(1.5, "A.truco", True), (1.5, "B.truco", True), (1.75, "A.truco", False)]
    assert hardware.clock() == 1.75
    assert hardware.inputs.levels() == {"A.truco": False, "B.truco": True, "undo": False}


def test_a_button_held_at_power_on_is_down_without_an_edge() -> None:
    hardware = SimulatedHardware(LINES)
    edges: list[Edge] = []
    hardware.set_pin("undo", 0, 0.0)
    hardware.inputs.open(edges.append)
    assert edges == []
    assert hardware.inputs.levels()["undo"]
    hardware.set_pin("undo", 1, 4.0)
    assert edges == [(4.0, "undo", False)]


def test_a_button_is_still_held_when_the_inputs_are_opened_again() -> None:
    hardware = SimulatedHardware(LINES)
    hardware.inputs.open(lambda edge: None)
    hardware.set_pin("undo", 0, 1.0)
    hardware.inputs.close()
    hardware.inputs.open(lambda edge: None)
    assert hardware.inputs.levels()["undo"]


def test_earlier_times_and_unknown_lines_are_refused() -> None:
    hardware = SimulatedHardware(LINES, start=10.0)
    with pytest.raises(ValueError, match="does not go back"):
        hardware.set_pin("undo", 0, 9.0)
    with pytest.raises(KeyError, match="redo"):
        hardware.set_pin("redo", 0, 11.0)


def test_two_panels_of_one_bus_show_their_own_pictures() -> None:
    hardware = SimulatedHardware(LINES, TWO_PANELS)
    viewer = PanelViewer(hardware)
    for seed, display in enumerate(hardware.displays.values()):
        display.open()
        display.show(noise(SIZE, seed))
    assert [name for name, _ in hardware.take_messages()] == ["A"] * 9 + ["B"] * 9
    for seed, (name, display) in enumerate(hardware.displays.items()):
        display.open()
        display.show(noise(SIZE, seed))
        shown = viewer.picture(name)
        assert shown == noise(SIZE, seed)


def test_an_unplugged_panel_goes_black_and_the_other_works() -> None:
    hardware = SimulatedHardware(LINES, TWO_PANELS)
    viewer = PanelViewer(hardware)
    first, second = hardware.displays.values()
    for display in (first, second):
        display.open()
        display.show(noise(SIZE))
    hardware.set_fault("A", "absent")
    with pytest.raises(DeviceError):
        first.show(noise(SIZE, 2))
    second.show(noise(SIZE, 3))
    assert viewer.picture("A") == black(SIZE)
    assert viewer.picture("B") == noise(SIZE, 3)
    hardware.set_fault("A", None)
    first.open()
    first.show(noise(SIZE, 4))
    assert viewer.picture("A") == noise(SIZE, 4)
    assert viewer.picture("B") == noise(SIZE, 3)


def test_messages_are_taken_once_and_include_a_power_loss() -> None:
    hardware = SimulatedHardware(LINES, ONE_PANEL)
    hardware.displays["A"].open()
    opening = hardware.take_messages()
    assert all(name == "A" and message for name, message in opening)
    assert hardware.take_messages() == []
    hardware.set_fault("A", Fault.ABSENT)
    hardware.set_fault("A", Fault.ABSENT)
    assert hardware.take_messages() == [("A", POWER_LOST)]


def test_a_wire_breaks_after_the_given_number_of_messages() -> None:
    hardware = SimulatedHardware(LINES, ONE_PANEL)
    hardware.set_fault("A", "eio", after=2)
    with pytest.raises(DeviceError):
        hardware.displays["A"].open()
    assert len(hardware.take_messages()) == 2


@pytest.mark.parametrize("panel", [{"interface": "spi"}, {"controller": "sh1106"}])
def test_other_panels_are_simulated_too(panel: dict[str, str]) -> None:
    from scorer.hw import load

    options = load.options("displays", "luma_oled", panel)
    assert isinstance(options, luma_oled.Options)
    hardware = SimulatedHardware(LINES, {"only": options})
    chip = SimulatedChip(options.controller)
    hardware.displays["only"].open()
    hardware.displays["only"].show(noise(SIZE))
    chip.feed(*(message for _, message in hardware.take_messages()))
    assert same(chip.picture(), noise(SIZE))


def test_lamps_and_sounds_are_recorded() -> None:
    hardware = SimulatedHardware(LINES, lamps=("A", "B"))
    for lamp in hardware.lamp_drivers.values():
        lamp.open()
    hardware.lamp_drivers["B"].set(True)
    assert hardware.lamps() == {"A": False, "B": True}
    hardware.buzzer.open()
    hardware.buzzer.play([(0.1, 0.0)], 3.0)
    assert hardware.take_sounds() == [(3.0, ((0.1, 0.0),))]
    assert hardware.take_sounds() == []


def test_two_simulations_share_nothing() -> None:
    first, second = SimulatedHardware(LINES), SimulatedHardware(LINES)
    edges: list[Edge] = []
    first.inputs.open(lambda edge: None)
    second.inputs.open(edges.append)
    first.set_pin("undo", 0, 1.0)
    assert edges == []
    assert not second.inputs.levels()["undo"]
