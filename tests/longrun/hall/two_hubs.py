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

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hall.rows import BATCH_ROWS, Opening, Row, digest_in
from scorer.hub.audit import find_problem
from scorer.hub.decisions import Desk, NewDevice
from scorer.hub.store.database import Database
from scorer.hub.store.tables import ALARM, DEVICE, ROW
from scorer.hub.times import WallClock
from scorer.link.sender import Action, Greet, Lost, ReadJournal, Sender, SendRows
from scorer.link.table_page import Epoch, Page
from tests.hub.boxes import DIRECTOR, HEADER
from tests.hub.hub_process import Client, HubProcess, PinError, running_hub
from tests.hub.postgresql import Cluster

BOXES = 6
KILLS = 4
ROWS_BETWEEN_KILLS = 60  # acknowledged
PATIENCE = 300.0  # seconds for rows to arrive
_TWICE = 0.2  # share of the requests that arrive at both hubs
_PAUSE = 0.02  # seconds between two presses


class Box(threading.Thread):
    """A table with its sender; every request goes to one of the hubs."""

    def __init__(self, number: int, hubs: Sequence[HubProcess], chance: Random) -> None:
        super().__init__(name=f"box {number}", daemon=True)
        self.token, self.problem = f"{number:032x}", ""
        self._number, self._hubs, self._chance = number, hubs, chance
        self._epoch, self._opening = Epoch(f"{number:016x}", 1), Opening(1, 1, HEADER)
        self._rows: list[Row] = []
        self._sender = Sender(f"m{number}", "1", chance.random)
        self._clients: dict[int, Client] = {}
        self._late = ThreadPoolExecutor(1)
        self._is_playing, self._is_over = True, False

    @property
    def digests(self) -> list[str]:
        """Of every row that was pressed."""
        return [digest_in(row, [self._opening]) for row in self._rows]

    @property
    def acknowledged(self) -> int:
        """The newest row that a hub is known to have.

        A greeting may tell this too: of a request whose answer was lost, or that only the other
        hub got.
        """
        return self._sender.stored

    @property
    def is_done(self) -> bool:
        return self.acknowledged == len(self._rows)

    def play_no_more(self) -> None:
        """Press nothing more; go on sending."""
        self._is_playing = False

    def end(self) -> None:
        """Send nothing more."""
        self._is_over = True
        self.join()
        self._late.shutdown()

    def run(self) -> None:
        self._sender.table_found()
        try:
            while not self._is_over:
                if self._is_playing:
                    self._press()
                self._send_all()
                time.sleep(_PAUSE)
        except Exception as error:  # shown by the thread that waits
            self.problem = f"box {self._number}: {error!r}"

    def _press(self) -> None:
        for _ in range(self._chance.randint(1, 4)):
            seq = len(self._rows) + 1
            source = f"box {self._number}"
            line = "A truco" if seq % 2 else "- undo"
            self._rows.append(Row(seq, 1, seq, line, source, "b", seq * 100, "", False))
        self._sender.news(len(self._rows), len(self._rows), (("A", 0), ("B", 0)))

    def _send_all(self) -> None:
        """Carry out actions until there are none, or a hub is away."""
        if not self._sender._talk.is_connected:
            self._sender.connected()
        while (action := self._sender.next(time.monotonic())) is not None:
            if not self._carry_out(action):
                return

    def _carry_out(self, action: Action) -> bool:
        """Whether a hub has answered."""
        now = time.monotonic()
        match action:
            case ReadJournal(first, limit):
                self._sender.page(self._page(first, min(limit, BATCH_ROWS)), now)
            case Greet(request):
                answer = self._post(wire.GREET_PATH, wire.encode(request))
                greeted = Lost() if answer is None else wire.parse_greet_reply(*answer)
                assert not isinstance(greeted, wire.Malformed | wire.HeldReply), greeted
                self._sender.greeted(greeted, now)
                return answer is not None
            case SendRows(rows):
                answer = self._post(wire.ROWS_PATH, wire.encode(rows))
                sent = Lost() if answer is None else wire.parse_rows_reply(*answer)
                assert not isinstance(sent, wire.Malformed | wire.HeldReply), sent
                self._sender.sent(sent, now)
                return answer is not None
            case _:
                raise AssertionError(f"nothing asks for {action}")
        return True

    def _page(self, first: int, limit: int) -> Page:
        rows = tuple(self._rows[first - 1 : first - 1 + limit])
        return Page(self._epoch, rows, (self._opening,) if first == 1 else ())

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
