"""Two hubs on one PostgreSQL: boxes send to either, and one is killed.

The hubs are real processes behind TLS, the senders those of the link. A request may arrive at both
hubs at the same time. At the end every box has its rows at the hub, each once.
"""

from __future__ import annotations

import contextlib
import http.client
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from sqlalchemy import select

from scorer.hall.joining import key_of
from scorer.hall.rows import digest_in
from scorer.hub.audit import find_problem
from scorer.hub.decisions import Desk, NewDevice
from scorer.hub.store.database import Database
from scorer.hub.store.tables import ALARM, DEVICE, ROW
from scorer.hub.times import WallClock
from scorer.link.sender import Standing
from scorer.link.table_page import Epoch
from tests.hub.boxes import DIRECTOR
from tests.hub.hub_process import Client, HubProcess, PinError, running_hub
from tests.hub.postgresql import Cluster
from tests.support.honest_box import HonestBox, Journal, exchange_by

BOXES = 6
KILLS = 4
ROWS_BETWEEN_KILLS = 60  # acknowledged
PATIENCE = 300.0  # seconds for rows to arrive
_TWICE = 0.2  # share of the requests that arrive at both hubs
_PAUSE = 0.02  # seconds between two presses


class Box(threading.Thread):
    """A box that plays; every request goes to one of the hubs."""

    def __init__(self, number: int, hubs: Sequence[HubProcess], chance: Random) -> None:
        super().__init__(name=f"box {number}", daemon=True)
        self.token, self.problem = f"{number:032x}", ""
        self._hubs, self._chance = hubs, chance
        self._box = HonestBox(
            exchange_by(self._post),
            Journal(Epoch(f"{number:016x}", 1)),
            machine=f"m{number}",
            chance=chance.random,
        )
        self._clients: dict[int, Client] = {}
        self._late = ThreadPoolExecutor(1)
        self._is_playing, self._is_over = True, False

    @property
    def digests(self) -> list[str]:
        """Of every row that was pressed."""
        return [digest_in(row, self._box.journal.openings) for row in self._box.journal.rows]

    @property
    def acknowledged(self) -> int:
        """The newest row that a hub is known to have.

        A greeting may tell this too: of a request whose answer was lost, or that only the other
        hub got.
        """
        return self._box.sender.stored

    @property
    def is_done(self) -> bool:
        return self.acknowledged == len(self._box.journal.rows)

    def play_no_more(self) -> None:
        """Press nothing more; go on sending."""
        self._is_playing = False

    def end(self) -> None:
        """Send nothing more."""
        self._is_over = True
        self.join()
        self._late.shutdown()

    def run(self) -> None:
        try:
            while not self._is_over:
                if self._is_playing:
                    self._box.journal.press(self._chance.randint(1, 4))
                    self._box.show()
                if not self._box.sender._talk.is_connected:
                    self._box.sender.connected()
                self._box.send(time.monotonic())
                assert self._box.sender.standing is not Standing.HELD, self._box.sender.reason
                time.sleep(_PAUSE)
        except Exception as error:  # shown by the thread that waits
            self.problem = f"{self.name}: {error!r}"

    def _post(self, path: str, body: bytes) -> tuple[int, bytes] | None:
        """The answer of a hub, or None; the other may get the request too."""
        at = self._chance.randrange(len(self._hubs))
        if self._chance.random() < _TWICE:
            self._late.submit(self._post_late, 1 - at, path, body)
        try:
            client = self._clients.get(at) or self._hubs[at].client()
            self._clients[at] = client
            answer = client.post(path, body, self.token)
        except (OSError, http.client.HTTPException, PinError):
            self._clients.pop(at, None)
            return None
        return answer.status, answer.body

    def _post_late(self, at: int, path: str, body: bytes) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException, PinError):
            self._hubs[at].client().post(path, body, self.token)


def run_two_hubs(seed: int, cluster: Cluster) -> str:
    """One evening of two hubs; "" or what is wrong at its end."""
    chance, url = Random(seed), cluster.new_database()
    database = Database.open(url)
    with _two_hubs(url) as hubs, contextlib.closing(database):
        boxes = [Box(number, hubs, Random(f"{seed} {number}")) for number in range(1, BOXES + 1)]
        _accept(database, boxes)
        for box in boxes:
            box.start()
        try:
            for _ in range(KILLS):
                _wait_for_rows(boxes, ROWS_BETWEEN_KILLS)
                killed = chance.choice(hubs)
                killed.kill()
                killed.start()
            for box in boxes:
                box.play_no_more()
            _wait(boxes, lambda: all(box.is_done for box in boxes))
        except (AssertionError, TimeoutError) as error:
            return str(error)
        finally:
            for box in boxes:
                box.end()
        return find_fault(database, boxes)


def find_fault(database: Database, boxes: Sequence[Box]) -> str:
    """What differs between boxes and database, or ""."""
    with database.read() as connection:
        if alarms := connection.execute(select(ALARM.c.kind, ALARM.c.text)).all():
            return f"alarms of honest boxes: {alarms}"
        if problem := find_problem(connection):
            return problem
        for box in boxes:
            of_box = select(DEVICE.c.id).where(DEVICE.c.key == key_of(box.token))
            device = connection.execute(of_box).scalar_one()
            query = select(ROW.c.digest).where(ROW.c.device == device).order_by(ROW.c.seq)
            stored = [*connection.execute(query).scalars()]
            if stored != box.digests:
                return (
                    f"{box.name} has {len(box.digests)} rows, the hub {len(stored)}, not the same"
                )
    return ""


@contextlib.contextmanager
def _two_hubs(url: str) -> Iterator[list[HubProcess]]:
    setting = f'database = "{url}"'
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        yield [
            stack.enter_context(running_hub(folder / f"hub-{number}", setting)) for number in (1, 2)
        ]


def _accept(database: Database, boxes: Sequence[Box]) -> None:
    with database.write() as connection:
        desk = Desk(connection, WallClock(), DIRECTOR)
        for table, box in enumerate(boxes, 1):
            desk.accept(NewDevice(key_of(box.token), table, f"m{table}", "1"))


def _wait_for_rows(boxes: Sequence[Box], count: int) -> None:
    """Wait until so many more rows are acknowledged."""
    enough = sum(box.acknowledged for box in boxes) + count
    _wait(boxes, lambda: sum(box.acknowledged for box in boxes) >= enough)


def _wait(boxes: Sequence[Box], is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        if problem := next((box.problem for box in boxes if box.problem), ""):
            raise AssertionError(problem)
        if time.monotonic() > end:
            raise TimeoutError(f"rows do not arrive: {[box.acknowledged for box in boxes]}")
        time.sleep(0.05)
