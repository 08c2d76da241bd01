"""What strangers cost the hub: the time of honest boxes, and memory."""

from __future__ import annotations

import contextlib
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from scorer.hall import wire
from tests.hub.boxes import greet
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import join_box, log_in
from tests.hub.test_tournament import Director, begin
from tests.longrun.attack.checks import Checks
from tests.longrun.attack.hub import BOXES, MAX_RATIO, SendingBox, row_times
from tests.longrun.attack.hub_flood import CLIENTS, encrypted, open_socket, posted
from tests.web.server_process import PATIENCE

TEAMS = 64
IDLE_KIB = 40  # PSS of an idle connection
STRANGER_MB, HONEST_MB = 160, 200  # peaks with 1,000 strangers, and with 2,000 boxes
_TOKEN = "7" * 32
_GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_HALF = posted(wire.ROWS_PATH, b"x" * 255_000, 262_000)
_GREETING = posted(wire.GREET_PATH, wire.encode(greet()), token=_TOKEN)


def flood_hub(checks: Checks, share: int) -> None:
    """Floods of one guest, beside honest boxes: a row takes at most twice as long."""
    count, found = 60 // min(share, 2), []
    with tempfile.TemporaryDirectory() as name, running_hub(Path(name) / "hub") as hub:
        desk = log_in(hub)
        _begin_tournament(Director(hub, desk))
        boxes = [SendingBox(hub, desk, number) for number in range(1, BOXES + 1)]
        for kind in CLIENTS:
            ratios = []
            for _ in range(3):
                calm = median(row_times(boxes, count))
                with _flood(hub, kind):
                    ratios.append(median(row_times(boxes, count)) / calm)
            ratio = median(ratios)
            checks.check(ratio <= MAX_RATIO, f"{kind}: a row takes {ratio:.2f} times as long")
            found.append(f"{kind} {ratio:.2f}")
    checks.note = f"a row beside a flood: {', '.join(found)}"


def _begin_tournament(director: Director) -> None:
    """A tournament of many teams, whose public document is long."""
    teams = "\n".join(f"Equipo {number}" for number in range(1, TEAMS + 1))
    begin(director, teams)


@contextmanager
def _flood(hub: HubProcess, kind: str) -> Iterator[None]:
    words = ["-m", "tests.longrun.attack.hub_flood", kind, str(hub.wall[1]), str(hub.desk[1])]
    flood = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    assert flood.stdout is not None
    with flood.stdout as begun:
        begun.readline()
        try:
            yield
        finally:
            flood.kill()
            flood.wait(PATIENCE)


def fill_hub(checks: Checks, share: int) -> None:
    """Idle connections, bodies that never end, and the boxes of a large hall."""
    count = 1000 // min(share, 2)
    with tempfile.TemporaryDirectory() as name:
        costs, idle = [], 0.0
        for number in range(3):
            with running_hub(Path(name) / f"idle{number}") as hub, ExitStack() as held:
                before = _pss(hub)
                filled = _Filled(hub, held, count, _GET)
                idle = max(idle, filled.peak)
                costs.append((_pss(hub) - before) / count)
        cost = median(costs)
        checks.check(cost <= IDLE_KIB, f"an idle connection costs {cost:.1f} KiB")
        with running_hub(Path(name) / "half") as hub, ExitStack() as held:
            half = _Filled(hub, held, count, _HALF).peak
            checks.check(hub.client().get("/healthz").status == 200, "the hub does not answer")
        strangers = max(idle, half)
        checks.check(strangers < STRANGER_MB, f"strangers take {strangers:.0f} MB")
        with running_hub(Path(name) / "honest") as hub, ExitStack() as held:
            desk = log_in(hub)
            join_box(hub, desk, _TOKEN, 1)
            desk.close()
            filled = _Filled(hub, held, 2 * count, _GREETING, addresses=1)
            honest, alive = filled.peak, filled.ask_again()
            checks.check(alive == 2 * count, f"{alive} of {2 * count} boxes are connected")
        checks.check(honest < HONEST_MB, f"boxes take {honest:.0f} MB")
    checks.note = (
        f"PSS: an idle connection {cost:.1f} KiB, {count} of them {idle:.0f} MB, as many half-sent "
        f"bodies {half:.0f} MB, {2 * count} boxes of one address {honest:.0f} MB"
    )


class _Filled:
    """Connections that have sent a request and are kept; ``peak`` of the hub in MB."""

    def __init__(
        self, hub: HubProcess, held: ExitStack, count: int, request: bytes, addresses: int = 12
    ) -> None:
        self._request, self._ends, self.peak = request, list[ssl.SSLSocket](), 0.0
        for number in range(count):
            address = f"127.0.67.{number % addresses + 1}"
            end = encrypted(open_socket(address, hub.desk[1]))
            self._ends.append(held.enter_context(contextlib.closing(end)))
            self._ask(end)
            if number % 50 == 0:
                self.peak = max(self.peak, _pss(hub) / 1024)
        self.peak = max(self.peak, _pss(hub) / 1024)

    def ask_again(self) -> int:
        """The number of connections that are still answered."""
        return sum(self._ask(end) for end in self._ends)

    def _ask(self, end: ssl.SSLSocket) -> bool:
        try:
            end.sendall(self._request)
            return bool(end.recv(1 << 16))
        except OSError:
            return False


def _pss(hub: HubProcess) -> int:
    """KiB of the hub."""
    lines = Path(f"/proc/{hub.pid}/smaps_rollup").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1])
