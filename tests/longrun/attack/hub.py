"""Attacks on the hub of a hall: honest boxes beside boxes that are not of it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median

from scorer.hall import wire
from scorer.hall.rows import Opening
from tests.hub.boxes import HEADER, greet, row, rows_message
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.hub.joining_box import join_box, log_in
from tests.longrun.attack.checks import Checks
from tests.longrun.attack.hub_intruders import INTRUDERS, LOST, Target
from tests.support.honest_box import HonestBox, exchange_by
from tests.web.server_process import PATIENCE

BOXES = 4  # honest ones that send
OF_EACH_KIND = 4
MAX_RATIO = 2.0  # of the time of a row beside intruders and without
OPENED = Opening(1, 1, HEADER)
STOLEN, REVOKED = "5" * 32, "6" * 32
# What an intruder may be answered. The stolen token is that of a copied card: greeting again with
# an echo holds the box, once; these intruders do not, and are asked for it each time.
ANSWERS = {
    "wrong pin": {"no request"},
    "no token": {"401"},
    "wrong token": {"401"},
    "revoked token": {"401"},
    "token of another box": {"409"},
    "repeated request": {"200"},
    "10 MB body": {"413"},
    "endless body": {"413"},
    "slow bytes": {"closed"},
}


def intrude_into_hub(checks: Checks, share: int) -> None:
    """Every kind of intruder at once, beside honest boxes."""
    count = 200 // share  # rows of each honest box, in each of three parts
    with tempfile.TemporaryDirectory() as name, running_hub(Path(name) / "hub") as hub:
        desk = log_in(hub)
        boxes = [SendingBox(hub, desk, number) for number in range(1, BOXES + 1)]
        target = _target(hub, desk)
        calm = row_times(boxes, count)
        with _intruders(target, Path(name) / "answers") as answers:
            busy = row_times(boxes, count)
            _wait_for_answers(answers)
        calm += row_times(boxes, count)
        ratio = median(busy) / median(calm)
        checks.check(ratio <= MAX_RATIO, f"a row takes {ratio:.1f} times as long")
        seen = _check_answers(checks, answers)
        stored = _stored(hub)
        wanted = {str(box.table): 3 * count for box in boxes} | {"50": 1}
        checks.check(stored == wanted, f"rows of each table: {stored}, not {wanted}")
        alarms = desk.get("/desk/state").document["alarms"]
        checks.check(alarms == [], f"alarms: {alarms}")
        checks.note = (
            f"{seen} requests of {OF_EACH_KIND * len(INTRUDERS)} intruders, "
            f"a row {ratio:.2f} times as long ({1000 * median(calm):.1f} ms without them)"
        )


class SendingBox:
    """An honest box that sends row after row."""

    def __init__(self, hub: HubProcess, desk: Client, table: int) -> None:
        self.table, self.times, token = table, list[float](), f"{table:x}" * 32
        client = join_box(hub, desk, token, table).client

        def post(path: str, body: bytes) -> tuple[int, bytes]:
            answer = client.post(path, body, token)
            assert answer.status == 200, answer
            return answer.status, answer.body

        self._box = HonestBox(exchange_by(post))
        self._box.sender.connected()
        self._box.send(0.0)

    def send(self, count: int) -> None:
        for _ in range(count):
            self._box.journal.press()
            self._box.show()
            begin = time.perf_counter()
            self._box.send(0.0)
            self.times.append(time.perf_counter() - begin)
            assert self._box.sender.stored == len(self._box.journal.rows)


def row_times(boxes: list[SendingBox], count: int) -> list[float]:
    """Let all boxes send so many rows side by side; the seconds of each."""
    threads = [threading.Thread(target=box.send, args=(count,)) for box in boxes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = [each for box in boxes for each in box.times]
    for box in boxes:
        box.times.clear()
    assert len(times) == count * len(boxes), "a row was refused"
    return times


def _target(hub: HubProcess, desk: Client) -> Target:
    """A box whose token is stolen, and one that was revoked."""
    stolen = join_box(hub, desk, STOLEN, table=50)
    stolen.client.post(wire.GREET_PATH, wire.encode(greet()), STOLEN)
    sent = wire.encode(rows_message([row(1)], openings=(OPENED,)))
    assert stolen.client.post(wire.ROWS_PATH, sent, STOLEN).status == 200
    join_box(hub, desk, REVOKED, table=51)
    (device,) = [
        each["device"] for each in desk.get("/desk/state").document["boxes"] if each["table"] == 51
    ]
    assert desk.desk("/desk/act", {"do": "revoke", "device": device}).status == 200
    return Target(hub.desk[1], hub.pin, REVOKED, STOLEN, sent.decode())


@contextmanager
def _intruders(target: Target, answers: Path) -> Iterator[Path]:
    """Intruders of every kind, in a process of their own."""
    names = [name for name in INTRUDERS for _ in range(OF_EACH_KIND)]
    command = [sys.executable, "-m", "tests.longrun.attack.hub_intruders", json.dumps(target)]
    with answers.open("w") as out:
        intruding = subprocess.Popen([*command, *names], stdout=out)
        try:
            _wait(lambda: bool(_read(answers)), "the intruders do not begin")
            yield answers
        finally:
            intruding.kill()
            intruding.wait(PATIENCE)


def _read(answers: Path) -> list[list[str]]:
    """Name, answer and sentence of each complete line."""
    *lines, _ = answers.read_text("utf-8").split("\n")
    return [line.split("\t") for line in lines]


def _wait_for_answers(answers: Path) -> None:
    """Until every kind of intruder had an answer: slow ones are closed after a while."""

    def have_answers() -> bool:
        return {name for name, status, *_ in _read(answers) if status != LOST} == {*INTRUDERS}

    _wait(have_answers, "intruders have no answer")


def _wait(is_so: Callable[[], bool], sentence: str) -> None:
    end = time.monotonic() + 15 * PATIENCE
    while not is_so():
        assert time.monotonic() < end, sentence
        time.sleep(0.05)


def _check_answers(checks: Checks, answers: Path) -> int:
    """Each kind had its answer every time, with one sentence; the number of answers."""
    lines = [line for line in _read(answers) if line[1] != LOST]
    found = Counter((name, more[0]) for name, *more in lines)
    for (name, status), times in sorted(found.items()):
        checks.check(status in ANSWERS[name], f"{name}: {times} times {status}")
    for name, status, *body in lines:
        if status in ("401", "413"):
            document = json.loads(body[0])
            sentence = document.get("text") or document.get("error") or ""
            is_one = bool(sentence) and "\n" not in sentence and len(sentence) < 200
            checks.check(is_one, f"{name}: {body[0]}")
    return len(lines)


def _stored(hub: HubProcess) -> dict[str, int]:
    """The number of rows at the hub, by table."""
    with closing(sqlite3.connect(hub.state / "hub.sqlite")) as database:
        query = (
            "SELECT d.table_number, count(*) FROM row r JOIN device d ON d.id = r.device "
            "GROUP BY d.table_number"
        )
        return {str(table): count for table, count in database.execute(query)}
