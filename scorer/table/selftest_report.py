"""Format a self-test report as lines of the set-up menu: a key and a name each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scorer.session.setup.reducer import show_selftest
from scorer.session.values.effects import Effect, Task
from scorer.session.values.keys import TextKey
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport


class SelfTestPage(Guest):
    """Shows the report of a self-test in set-up."""

    handles = frozenset((Task.SELFTEST,))

    def __init__(self, run: Callable[[float], Mapping[str, Any] | None]) -> None:
        self._run = run

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        return show_selftest(session, report_lines(self._run(now)))


def report_lines(report: Mapping[str, Any] | None) -> tuple[MenuLine, ...]:
    """One line per device, faults first; None means that a self-test has just run."""
    if report is None:
        return (_line("wait"),)
    wrong_first = sorted(_device_lines(report), key=lambda line: not line.marked)
    return tuple(line._replace(marked=False) for line in wrong_first)


def _device_lines(report: Mapping[str, Any]) -> Iterator[MenuLine]:
    yield from _button_lines(report["buttons"])
    for console in report["consoles"]:
        yield _line("console", str(console["name"]), is_faulty=bool(console["kind"]))
    for panel in report["panels"]:
        yield _line("panel", str(panel["side"]), is_faulty=bool(panel["fault"]))
    for lamp in report["lamps"]:
        yield _line("lamp", str(lamp["name"]), is_faulty=bool(lamp["fault"]))
    yield _line("buzzer", is_faulty=bool(report["buzzer"]["fault"]))
    if "light" in report:
        yield _line("light", is_faulty=bool(report["light"]["fault"]))
    for chip in report.get("button_lights", ()):
        yield _line("button_lights", str(chip["name"]), is_faulty=bool(chip["fault"]))
    if "words" in report:
        yield _line("words", is_faulty=bool(report["words"]["fault"]))
    yield _line("store", is_faulty=bool(report["store"]["fault"]))


def _button_lines(buttons: Mapping[str, Any]) -> Iterator[MenuLine]:
    if not buttons["alive"] or buttons["fault"]:
        yield _line("buttons", is_faulty=True)
        return
    touching = [name for pair in buttons["touching"] for name in pair]
    faulty = {"down": buttons["stuck"], "touch": touching}
    for fault, names in faulty.items():
        for name in names:
            yield MenuLine(
                TextKey(f"setup.found.buttons_{fault}"),
                figure=str(name).replace(".", " ").replace("_", " "),
                marked=True,
            )
    if not any(faulty.values()):
        yield _line("buttons")


def _line(device: str, label: str = "", *, is_faulty: bool = False) -> MenuLine:
    key = f"setup.found.{device}_lost" if is_faulty else f"setup.found.{device}"
    return MenuLine(TextKey(key), figure=label, marked=is_faulty)
