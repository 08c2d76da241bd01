"""Floods of every route, and what they cost those who go first.

``python -m tests.longrun.attack.guests QUICK [ROUTE...]``; a route is such as "GET /plain".

It runs in a network of its own (``routes.flood_routes``), where guests have addresses of a network
instead of this machine. The last line is what was found, as JSON.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx

from scorer.serving.prices import PricedRoute
from scorer.tournament.export import encode
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.longrun.attack.dearest import key_of, read, requests_of
from tests.longrun.attack.hub import BOXES, MAX_RATIO, SendingBox, row_times
from tests.longrun.attack.rig import Rig, running
from tests.longrun.attack.route_flood import Flood
from tests.longrun.attack.served import BOXES as BOXES_PORT
from tests.longrun.attack.served import WEB, played_tournament, served
from tests.paths import ROOT

NETWORK = "10.66"
PHONES = 6
MANY = 12  # addresses
EACH_OF_ONE, EACH_OF_MANY = 16, 8  # connections of one address, and of each of many
CLOSED, OPEN, TEAMS, CLOSED_TEAMS = 6, 2, 64, 32  # tournaments of the hall
_PRIORITY = -10
TRIES = 9  # of a measurement, until its ratio is good; the medians of all count
_MB = 1 << 20


class Service(NamedTuple):
    """A service under attack.

    ``time``: the seconds of so many presses or rows; ``limits``: of the unit's file.
    """

    name: str
    pid: int
    time: Callable[[int], list[float]]
    ports: dict[str, tuple[int, bool]]
    pings: Pings
    tournaments: list[str]


class Limits(NamedTuple):
    """What the unit of a service allows: seconds between two pings, and bytes."""

    watchdog: float
    memory: int


def limits_of(unit: str) -> Limits:
    """WatchdogSec= and MemoryMax= of a unit."""
    text = (ROOT / "systemd" / unit).read_text("utf-8")
    watchdog = re.search(r"^WatchdogSec=(\d+)$", text, re.MULTILINE)
    memory = re.search(r"^MemoryMax=(\d+)M$", text, re.MULTILINE)
    assert watchdog is not None and memory is not None, unit
    return Limits(float(watchdog[1]), int(memory[1]) * _MB)


class Pings:
    """Takes the place of systemd: the longest pause between two pings of a service."""

    def __init__(self, folder: Path, watchdog: float) -> None:
        self.environment = {
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": str(int(watchdog * 1_000_000)),
        }
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.environment["NOTIFY_SOCKET"])
        self._newest, self._longest = 0.0, 0.0
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def longest(self) -> float:
        """Seconds; the pause that lasts now counts."""
        return max(self._longest, time.monotonic() - self._newest)

    def _listen(self) -> None:
        while True:
            if b"WATCHDOG=1" in self._socket.recv(4096):
                now = time.monotonic()
                if self._newest:
                    self._longest = max(self._longest, now - self._newest)
                self._newest = now


@contextmanager
def _environment(more: dict[str, str]) -> Iterator[None]:
    """What a service that is started finds in its environment."""
    os.environ.update(more)
    try:
        yield
    finally:
        for name in more:
            del os.environ[name]


def memory_of(pid: int) -> int:
    """Resident bytes of a process and its children."""
    found, children = 0, f"/proc/{pid}/task/{pid}/children"
    for each in (pid, *map(int, Path(children).read_text("ascii").split())):
        found += int(Path(f"/proc/{each}/statm").read_text("ascii").split()[1]) * 4096
    return found


class Phones:
    """Paired phones that press in turn, each slower than it may."""

    def __init__(self, rig: Rig, stack: ExitStack) -> None:
        self._phones = [
            stack.enter_context(closing(rig.paired(f"127.0.6.{number}", f"Ana {number}")))
            for number in range(1, PHONES + 1)
        ]
        self._count = 0

    def times(self, count: int) -> list[float]:
        """The seconds of so many presses."""
        return [self.press() for _ in range(count)]

    def press(self) -> float:
        """The seconds of one press, with what a phone has to know before."""
        phone = self._phones[self._count % PHONES]
        side, button = "AB"[self._count // 2 % 2], ("truco", "undo")[self._count % 2]
        self._count += 1
        for _ in range(20):
            shown = self._ask(lambda: phone.get("/api/v1/phone"))
            state = phone.get("/api/v1/state").json()["state"]
            wish = {"side": side, "button": button, "seq": shown.json()["seq"]}
            begin = time.perf_counter()
            answer = phone.post("/api/v1/press", json={**wish, "number": state["number"]})
            took = time.perf_counter() - begin
            if answer.status_code != 429:
                return took
            time.sleep(0.2)
        raise AssertionError(answer.text)

    def _ask(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        while (answer := ask()).status_code == 429:
            time.sleep(0.2)
        return answer


@contextmanager
def _web(folder: Path) -> Iterator[Service]:
    pings = Pings(folder, limits_of("scorer-web.service").watchdog)
    with ExitStack() as stack:
        with _environment(pings.environment):
            rig = stack.enter_context(running())
        phones = Phones(rig, stack)
        yield Service("scorer-web", rig.web.pid, phones.times, {WEB: (rig.port, False)}, pings, [])


@contextmanager
def _hub(folder: Path) -> Iterator[Service]:
    pings = Pings(folder, limits_of("scorer-hub.service").watchdog)
    with ExitStack() as stack:
        with _environment(pings.environment):
            hub = stack.enter_context(running_hub(folder / "hub"))
        desk = log_in(hub)
        tournaments = _begin_tournaments(hub, desk)
        boxes = [SendingBox(hub, desk, number) for number in range(1, BOXES + 1)]
        ports = {"wall": (hub.wall[1], False), BOXES_PORT: (hub.desk[1], True)}
        yield Service("scorer-hub", hub.pid, partial(row_times, boxes), ports, pings, tournaments)


def _begin_tournaments(hub: HubProcess, desk: Client) -> list[str]:
    """The ids of the closed ones."""
    found = []
    for number in range(CLOSED + OPEN):
        is_closed = number < CLOSED
        teams = CLOSED_TEAMS if is_closed else TEAMS
        played = played_tournament(number, teams, is_closed=is_closed)
        sent = encode(played.state.format, played.log)
        answer = desk.post("/desk/tournament.json", sent, headers={"X-Truco": "1"})
        assert answer.status == 200, answer.body
        if is_closed:
            tournament = answer.document["tournament"]
            wish = {"do": "t.close", "tournament": tournament}
            assert desk.desk("/desk/act", wish).status == 200
            found.append(str(tournament))
    return found


class Attacker:
    """Floods the routes of a service and measures what they cost those who go first."""

    def __init__(self, *, is_quick: bool) -> None:
        self._is_quick = is_quick
        self._count = 8 if is_quick else 20  # presses or rows of a measurement
        self._sheet, self._dearest = read()
        words = [sys.executable, "-m", "tests.longrun.attack.route_flood"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._flooder = subprocess.Popen(words, text=True, **pipes)  # type: ignore[call-overload]
        self.ratios: dict[str, float] = {}
        self.faults: list[str] = []
        self.passed, self.memory, self._networks = 0, 0, 0

    def close(self) -> None:
        self._flooder.communicate()

    def attack(self, service: Service, port: str, route: PricedRoute, method: str) -> None:
        """Flood one route, from one address and from many."""
        key = key_of(route, method)
        flood = Flood(
            *service.ports[port], method, self._dearest[port][key], [], 0, self._sheet,
            service.tournaments,
        )  # fmt: skip
        for count, each in self._extents():
            # Addresses that have asked for nothing yet.
            self._networks += 1
            sources = [f"{NETWORK}.{self._networks}.{number}" for number in range(1, count + 1)]
            ratio, statuses = self._ratio(service, flood._replace(sources=sources, each=each))
            name = f"{key} from {count}"
            self.ratios[name] = ratio
            fault = f"{name}: {ratio:.2f} times as long; {statuses}"
            print(fault, file=sys.stderr, flush=True)
            self.check(ratio <= MAX_RATIO, fault)

    def check(self, is_held: bool, fault: str) -> None:
        self.passed += is_held
        if not is_held:
            self.faults.append(fault)

    def _extents(self) -> list[tuple[int, int]]:
        """The numbers of addresses, and the connections of each."""
        many = (MANY, EACH_OF_MANY)
        return [many] if self._is_quick else [(1, EACH_OF_ONE), many]

    def _ratio(self, service: Service, flood: Flood) -> tuple[float, str]:
        """How many times as long a press or row takes; a bad ratio is measured again."""
        calm, busy = list[float](), list[float]()
        for _ in range(TRIES):
            calm += service.time(self._count)
            self._tell(flood)
            busy += service.time(self._count)
            self.memory = max(self.memory, memory_of(service.pid))
            statuses = self._tell(None)
            if median(busy) <= MAX_RATIO * median(calm):
                break
        return median(busy) / median(calm), statuses

    def _tell(self, flood: Flood | None) -> str:
        assert self._flooder.stdin is not None
        assert self._flooder.stdout is not None
        print(json.dumps(flood), file=self._flooder.stdin, flush=True)
        said: str = self._flooder.stdout.readline()
        return said.strip()


def main(*, is_quick: bool, named: list[str]) -> None:
    """Attack both services, or the routes whose names are given."""
    with served() as services:
        requests = [
            (port, route, method)
            for port, route, method in requests_of(services)
            if not named or key_of(route, method) in named
        ]
    with run_first():
        _attack(requests, is_quick=is_quick)


@contextmanager
def run_first() -> Iterator[None]:
    """With root, services started within go before all else on this machine."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, _PRIORITY)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)


def _attack(requests: list[tuple[str, PricedRoute, str]], *, is_quick: bool) -> None:
    """The floods; prints what was found."""
    attacker = Attacker(is_quick=is_quick)
    notes = []
    for start in (_web, _hub):
        with tempfile.TemporaryDirectory() as name, start(Path(name)) as service:
            for port, route, method in requests:
                if port in service.ports:
                    attacker.attack(service, port, route, method)
            limits = limits_of(f"{service.name}.service")
            longest = service.pings.longest
            fault = f"{service.name}: {longest:.1f} s between two pings"
            attacker.check(longest <= limits.watchdog / 2, fault)
            used = f"{service.name}: {attacker.memory / _MB:.0f} MB"
            attacker.check(attacker.memory <= limits.memory, used)
            notes.append(f"{used}, pings {longest:.1f} s apart at most")
            attacker.memory = 0
    attacker.close()
    dearest = sorted(attacker.ratios, key=attacker.ratios.__getitem__)[-3:]
    worst = ", ".join(f"{each} {attacker.ratios[each]:.2f}" for each in reversed(dearest))
    note = f"{len(attacker.ratios)} floods, the worst: {worst}; {'; '.join(notes)}"
    print(json.dumps({"passed": attacker.passed, "faults": attacker.faults, "note": note}))


if __name__ == "__main__":
    main(is_quick=sys.argv[1] == "1", named=sys.argv[2:])
