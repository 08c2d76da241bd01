"""The process that pairs one round: a task on its input, the pairs on its output.

It imports neither the hub nor its libraries, and ends with its answer.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys

from scorer.tournament.swiss import PairingTask

SECONDS = 120  # the longest that a pairing may take
_NICE = 10  # rows of tables and their answers come first


def main() -> None:
    # If the hub is killed, nothing else ends it.
    signal.alarm(SECONDS)
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    task: PairingTask = pickle.load(sys.stdin.buffer)
    pickle.dump(task.solve(), sys.stdout.buffer)


if __name__ == "__main__":
    main()
