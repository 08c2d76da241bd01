"""A box over Wi-Fi end to end: firmware, air, ``scorer radio``, ``scorer run``."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from scorer.hw import load
from scorer.hw.ports import Edge
from scorer.session.input.gestures import Gestures
from scorer.session.values.press import GestureKind
from tests.hw.serial.firmware_process import micropython
from tests.hw.serial.test_button_box import wait_for_log
from tests.radio.air import FINE, Weather
from tests.radio.radio_box import RadioBox, boxes
from tests.radio.radio_process import RadioProcess, running_radio
from tests.support.programs import PATIENCE
from tests.support.service_process import configuration, running_service
from tests.support.table_client import TableClient


@pytest.fixture
def radio(tmp_path: Path) -> Iterator[RadioProcess]:
    with running_radio(tmp_path) as running:
        yield running


@pytest.mark.sampled(1)
@pytest.mark.parametrize("weather", [FINE, Weather(0.2, (0.005, 0.08))], ids=["fine", "bad"])
def test_presses_on_two_boxes_play_a_hand(
    tmp_path: Path, radio: RadioProcess, weather: Weather
) -> None:
    other = "python" if micropython() is None else "micropython"
    rules = f'table.variant = "argentine"\n{boxes(radio, A="norte", B="sur")}'
    with ExitStack() as stack:
        north = RadioBox(radio, "norte", weather, "python")
        stack.callback(north.close)
        south = RadioBox(radio, "sur", weather, other)
        stack.callback(south.close)
        table = stack.enter_context(running_service(tmp_path, configuration(tmp_path, rules)))
        table.messages_until("READY=1")
        client = stack.enter_context(TableClient(table.path))
        wait_for_log(table, "console A: it is there")
        wait_for_log(table, "console B: it is there")
        seq = client.next_state()["seq"]
        north.pico.tap("truco")
        assert client.state_at(seq + 1)["pending"]["call"] == "truco"
        south.pico.tap("quiero")
        assert client.state_at(seq + 2)["stake"] == 2
        north.pico.tap("tantos")
        assert client.state_at(seq + 3)["score"] == {"A": 2, "B": 0}
        assert table.stop() == 0
        assert "Traceback" not in table.stderr_text
    assert "Traceback" not in radio.log.read_text(encoding="utf-8")


def test_a_lost_release_makes_no_hold(radio: RadioProcess) -> None:
    """Every packet from the release on is lost for 1.5 s, longer than a hold."""
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    with ExitStack() as stack:
        box = RadioBox(radio, "norte", FINE, "python")
        stack.callback(box.close)
        options = {"name": "norte", "socket": str(radio.path), "lines": ["truco"]}
        driver = load.input_source("radio", options)
        driver.open(edges.put)
        stack.callback(driver.close)
        gestures = Gestures(
            lambda _: True, driver.levels(), time.monotonic(), without_levels={"truco"}
        )
        made = []
        box.pico.press("truco", down=True)
        made += gestures.feed(edges.get(timeout=PATIENCE))
        box.pico.advance(150)
        box.air.weather = Weather(loss=1.0)
        box.pico.press("truco", down=False)
        box.pico.advance(1500)
        while not edges.empty():
            made += gestures.feed(edges.get())
        made += gestures.tick(time.monotonic())
        box.air.weather = FINE
        while (edge := edges.get(timeout=PATIENCE)).down:
            made += gestures.feed(edge)
        made += gestures.feed(edge)
        made += gestures.tick(time.monotonic() + 1.0)
        assert driver.is_alive(), "it was never away"
        kinds = [gesture.kind for gesture in made]
        assert kinds.count(GestureKind.PRESS) == 1
        assert GestureKind.HOLD not in kinds


@pytest.mark.sampled(0)
def test_a_low_battery_is_a_mark_of_the_table(tmp_path: Path, radio: RadioProcess) -> None:
    with ExitStack() as stack:
        box = RadioBox(radio, "norte", FINE, "python", battery=True)
        stack.callback(box.close)
        # 3.5 V of the cell, halved by two resistors: 10 %.
        box.pico.set_voltage(28, 1751)
        config = configuration(tmp_path, boxes(radio, A="norte"))
        table = stack.enter_context(running_service(tmp_path, config))
        table.messages_until("READY=1")
        client = stack.enter_context(TableClient(table.path))
        wait_for_log(table, "battery of console A: it has ")
        assert client.ask(do="selftest")["marks"] == ["console_battery A"]
        (report,) = radio.ask(do="list")["boxes"]
        assert (report["box"], report["heard"], report["address"]) == ("norte", True, "127.0.0.1")
