"""From a press on a box over Wi-Fi to its edge, against the same box on a cable.

Both run the firmware. The packets go through the real ``scorer radio``. The air loses and delays
them by netem between two network namespaces, or, where the kernel has no netem or the user is not
root, by a program on loopback with the same chances.
"""

from __future__ import annotations

import queue
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from scorer.hw import load
from scorer.hw.ports import Edge, InputSource
from tests.hw.serial.firmware_process import Pico
from tests.hw.serial.ptys import Cable
from tests.longrun.attack.namespaces import in_namespace, joined_namespaces, why_no_namespaces
from tests.radio.air import FINE, Air, Weather
from tests.radio.radio_box import RadioBox
from tests.radio.radio_process import RadioProcess
from tools.bench import Measurement, Result

LOSSES = (0, 5, 20)  # percent
DELAY = (5, 80)  # milliseconds
RADIO, BOX = "10.77.0.1", "10.77.0.2"
HELD, APART = 0.09, 0.25  # seconds: a tap, and the pause after it
PATIENCE = 10.0  # seconds for an edge


class Presses(NamedTuple):
    """Milliseconds from each press to its edge; ``wrong``: lost or doubled presses."""

    delays: list[float]
    wrong: int


def measure(quick: bool) -> Iterator[Result]:
    """The median and the slowest of some presses, and how many are lost or doubled."""
    count = 15 if quick else 100
    with ExitStack() as stack:
        cable = _press(*_on_a_cable(stack), count)
    by_netem = not _why_no_netem()
    way = "netem" if by_netem else "a program for netem"
    for loss in LOSSES:
        with ExitStack() as stack:
            air = _press(*_in_the_air(stack, loss, by_netem), count)
        what = f"over Wi-Fi, {loss} % lost, {DELAY[0]} to {DELAY[1]} ms ({way})"
        for word, figure in (("median", statistics.median), ("slowest", max)):
            ours, reference = (float(figure(each.delays)) for each in (air, cable))
            yield Measurement(
                f"press to its edge {what}, {word}", ours, reference, "ms", "on a cable", None
            )
        yield Measurement(
            f"presses lost or doubled {what}",
            air.wrong,
            cable.wrong,
            "of " + str(count),
            "on a cable",
            0,
            counted=True,
        )


def _press(pico: Pico, edges: queue.SimpleQueue[Edge], count: int) -> Presses:
    delays, wrong = list[float](), 0
    for _ in range(count):
        began = time.perf_counter()
        pico.press("truco", down=True)
        is_pressed = _waits_for(edges, down=True)
        delays.append((time.perf_counter() - began) * 1000)
        time.sleep(HELD)
        pico.press("truco", down=False)
        is_released = _waits_for(edges, down=False)
        time.sleep(APART)
        # A button that is down again is a second press.
        is_doubled = any(edges.get().down for _ in range(edges.qsize()))
        wrong += not is_pressed or not is_released or is_doubled
    return Presses(delays, wrong)


def _waits_for(edges: queue.SimpleQueue[Edge], *, down: bool) -> bool:
    """Wait for an edge; repeats of a held button may come before its release."""
    try:
        while edges.get(timeout=PATIENCE).down is not down:
            pass
    except queue.Empty:
        return False
    return True


def _on_a_cable(stack: ExitStack) -> tuple[Pico, queue.SimpleQueue[Edge]]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    cable = Cable(folder / "port")
    cable.plug()
    stack.callback(cable.pull)
    pico = Pico(cable.descriptor, real=True)
    stack.callback(pico.unplug)
    source = load.input_source("box", {"port": str(cable.path), "lines": ["truco"]})
    return pico, _opened(stack, source)


def _in_the_air(
    stack: ExitStack, loss: int, by_netem: bool
) -> tuple[Pico, queue.SimpleQueue[Edge]]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    start: Callable[[], RadioProcess] = lambda: RadioProcess(folder)  # noqa: E731
    if by_netem:
        ends = stack.enter_context(joined_namespaces((RADIO,), (BOX,)))
        for end in ends:
            _add_netem(end, loss)
        radio = in_namespace(ends.one, start)
        stack.callback(radio.close)
        air = in_namespace(ends.other, lambda: Air((RADIO, radio.address[1]), FINE))
    else:
        radio = start()
        stack.callback(radio.close)
        weather = Weather(loss / 100, (DELAY[0] / 1000, DELAY[1] / 1000))
        air = Air(radio.address, weather)
    box = RadioBox(radio, "norte", FINE, "python", air=air)
    stack.callback(box.close)
    options = {"name": "norte", "socket": str(radio.path), "lines": ["truco"]}
    return box.pico, _opened(stack, load.input_source("radio", options))


def _opened(stack: ExitStack, source: InputSource) -> queue.SimpleQueue[Edge]:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    source.open(edges.put)
    stack.callback(source.close)
    return edges


def _why_no_netem() -> str:
    """Why the kernel cannot lose packets here; "" if it can."""
    if shutil.which("tc") is None:
        return "the command tc is not installed"
    if why := why_no_namespaces():
        return why
    with joined_namespaces((RADIO,), (BOX,)) as ends:
        added = _netem(ends.one, 0)
    return added.stderr.strip() if added.returncode else ""


def _add_netem(namespace: str, loss: int) -> None:
    added = _netem(namespace, loss)
    if added.returncode:
        raise OSError(added.stderr.strip())


def _netem(namespace: str, loss: int) -> subprocess.CompletedProcess[str]:
    middle, spread = sum(DELAY) / 2, (DELAY[1] - DELAY[0]) / 2
    words = ["tc", "-n", namespace, "qdisc", "add", "dev", "wire", "root", "netem"]
    words += ["delay", f"{middle}ms", f"{spread}ms", "loss", f"{loss}%"]
    return subprocess.run(words, capture_output=True, text=True)
