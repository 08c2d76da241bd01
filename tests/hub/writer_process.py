"""A hub's intake in a process of its own, for boxes whose rows any hub may store.

Each box is a function of its number: row n of it is always the same. The process asks where a
stream ends and sends the next rows, as a link that has greeted does; another process does the same.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from scorer.hall.rows import Opening
from scorer.hall.wire import ConfirmReply, ConflictReply, GreetReply, RowsReply
from scorer.hub.hub import random_hex
from scorer.hub.intake import Intake
from scorer.hub.store.database import Database, DatabaseError
from scorer.hub.times import WallClock
from tests.hub.boxes import HEADER, digest_of, greet, row, rows_message, submission

BOXES = 6
MOST = 100_000  # rows of a box, more than any test needs
OPENED = Opening(1, 1, HEADER)


def main(url: str, folder: str, seed: str) -> None:
    """Send until killed."""
    chance = random.Random(seed)
    path = Path(folder) / f"{seed}.acknowledged"
    with path.open("a", buffering=1) as acknowledged:
        while True:
            try:
                database = Database.open(url)
                intake = Intake(database, WallClock(), random_hex)
                while True:
                    send_turn(intake, chance, acknowledged.write)
            except DatabaseError:
                time.sleep(0.1)


def send_turn(intake: Intake, chance: random.Random, note: object) -> None:
    """One transaction with rows of some boxes."""
    chosen = chance.sample(range(1, BOXES + 1), chance.randint(1, BOXES))
    ends = {number: end for number in chosen if (end := greeted(intake, number)) is not None}
    messages = []
    for number, end in ends.items():
        count = chance.randint(1, 5)
        rows = [row(seq, f"A row{number}") for seq in range(end + 1, end + 1 + count)]
        before = (OPENED,) if end == 1 else ()
        prev = digest_of(row(end, f"A row{number}"), *before) if end else ""
        openings = (OPENED,) if end == 0 else ()
        messages.append(submission(token(number), rows_message(rows, prev=prev, openings=openings)))
    if not messages:
        return
    for number, outcome in zip(ends, intake.receive(messages), strict=True):
        if isinstance(outcome.reply, RowsReply):
            note(f"{number} {outcome.reply.last};\n")  # type: ignore[operator]
        else:
            # The other process was faster, or greeted in between.
            assert isinstance(outcome.reply, ConflictReply), outcome


def greeted(intake: Intake, number: int) -> int | None:
    """Where the stream of a box ends; None if the other process changed it."""
    message = greet(MOST, "0" * 16)
    (outcome,) = intake.receive([submission(token(number), message)])
    if isinstance(outcome.reply, ConfirmReply):
        return None
    assert isinstance(outcome.reply, GreetReply), outcome
    return outcome.reply.last


def token(number: int) -> str:
    return f"{number:032x}"


if __name__ == "__main__":
    main(*sys.argv[1:])
