"""A fake table that speaks the desk protocol without rules.

Its panels show the number of stored presses as dots. Every press is stored, ``undo`` removes one;
B's NO QUIERO is refused. MENU makes it fail as its argument ``--fail`` says: ``sentence`` (a last
message and code 78), ``mute`` (it ends without one), ``nonsense`` (an invalid answer).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

BUTTONS = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
SIZE = (128, 64)
INIT = bytes.fromhex("00 ae 20 00 40 a1 c8 8d 14 af")

WINDOW = bytes.fromhex("00 21 00 7f 22 00 07")
BEEP = [[0.02, 0.02]]  # seconds on, seconds off
CHATTER = 0.02  # seconds in which bounces of a contact are ignored


class FakeTable:
    """The state: a counter in the store, pins, panels with or without a cable."""

    def __init__(self, arguments: list[str]) -> None:
        given = dict(pairwise(arguments))
        self.now = float(given["--at"])
        self.file = Path(given["--store"]) / "count"
        self.fail = given.get("--fail", "")
        self.panels = ("A", "B")[: int(given["--panels"])]
        self.lines = [f"{console}.{button}" for console in "AB" for button in BUTTONS]
        self.lines += ["undo", "menu"]
        self.down = set(given.get("--down", "").split())
        self.changed: dict[str, float] = {}
        self.gone: set[str] = set()
        self.cut: str | None = None
        self.bus: list[tuple[str, str]] = []
        self.press: list[str] = []
        for name in self.panels:
            self.initialise(name)

    @property
    def count(self) -> int:
        return int(self.file.read_text()) if self.file.exists() else 0

    def initialise(self, name: str) -> None:
        self.send(name, INIT)
        self.draw(name)

    def draw(self, name: str) -> None:
        dots = bytes([0xFF if at < self.count else 0 for at in range(1024)])
        self.send(name, WINDOW)
        self.send(name, b"\x40" + dots)

    def send(self, name: str, message: bytes) -> None:
        if name not in self.gone:
            self.bus.append((name, message.hex()))

    def answer(self, request: dict[str, Any]) -> None:
        if "panel" in request:
            self.plug(request["panel"], request["fault"])
            return
        self.cut = request.get("cut", self.cut)
        before = self.count
        for at, line, level in request["edges"]:
            if at - self.changed.get(line, -1.0) > CHATTER:
                self.changed[line] = at
                self.pin(line, level)
        self.now = request["until"]
        if self.count != before:
            for name in self.panels:
                self.draw(name)

    def plug(self, name: str, fault: str | None) -> None:
        if fault:
            self.gone.add(name)
        else:
            self.gone.discard(name)
            self.initialise(name)

    def pin(self, line: str, level: int) -> None:
        if level == 1:
            self.down.discard(line)
        elif line not in self.down:
            self.down.add(line)
            self.handle_press(line)

    def handle_press(self, line: str) -> None:
        if line == "menu" and self.fail:
            self.fail_now()
        refused = line == "B.no_quiero"
        self.press.append("refused" if refused else "taken")
        if not refused:
            self.file.write_text(str(self.count + (-1 if line == "undo" else 1)))
            if self.cut:
                os.kill(os.getpid(), signal.SIGKILL)

    def fail_now(self) -> NoReturn:
        if self.fail == "sentence":
            sys.stderr.write("config: line 12\n")
            raise SystemExit(78)
        if self.fail == "nonsense":
            sys.stdout.write("not json\n")
            sys.stdout.flush()
            sys.stdin.readline()
        raise SystemExit(0)

    def report(self) -> dict[str, object]:
        report = {
            "now": self.now,
            "bus": self.bus,
            "lamps": dict.fromkeys("AB", "off"),
            "sounds": ["key" for _ in self.press],
            "buzz": [BEEP for _ in self.press],
            "press": self.press,
            "screen": "playing",
            "texts": {name: [f"{name} {self.count}"] for name in self.panels},
            "state": {"score": {"A": self.count, "B": 0}, "down": sorted(self.down)},
            "seq": self.count,
        }
        self.bus, self.press = [], []
        return report


def main() -> None:
    table = FakeTable(sys.argv[1:])
    panels = {name: {"controller": "ssd1306", "size": SIZE} for name in table.panels}
    lines = {line: number for number, line in enumerate(table.lines)}
    send_line({"ready": 1, "pid": os.getpid(), "lines": lines, "panels": panels, **table.report()})
    for line in sys.stdin:
        table.answer(json.loads(line))
        send_line(table.report())


def send_line(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
