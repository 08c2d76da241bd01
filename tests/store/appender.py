"""A process that stores presses and prints each result, until it is killed.

``python -m tests.store.appender FOLDER ATTEMPTS CHECKPOINT``: continues after the presses in the
store; prints ``saved K`` when press K is durable, ``refused K KIND`` when it was not stored, after
which K is tried again, and ``blind K KIND`` when the K saved presses cannot be read after that. It
ends by SIGKILL, like a power cut.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from scorer.store import file
from scorer.store.journal import Journal, StoreError
from tests.store import presses

MAX_PRESSES = 10_000


def main(folder: Path, attempts: int, checkpoint: int) -> None:
    """Try to store ``attempts`` presses, with a checkpoint every ``checkpoint`` pages."""
    file.CHECKPOINT = checkpoint
    journal = _open(folder)
    if journal is not None:
        _store(journal, attempts)
    os.kill(os.getpid(), signal.SIGKILL)


def _open(folder: Path) -> Journal | None:
    try:
        return Journal.open(folder)
    except StoreError as error:
        _print_line(f"refused 0 {error.kind}")
        return None


def _store(journal: Journal, attempts: int) -> None:
    k = (
        presses.count_presses(journal, min(journal.last_seq() + MAX_PRESSES // 100, MAX_PRESSES))
        + 1
    )
    for _ in range(attempts):
        try:
            presses.append(journal, k)
        except StoreError as error:
            _print_line(f"refused {k} {error.kind}")
            _check_readable(journal, k - 1)
        else:
            _print_line(f"saved {k}")
            k += 1


def _check_readable(journal: Journal, k: int) -> None:
    """After a refusal, check that a readable store holds exactly the saved presses."""
    try:
        shown = presses.count_presses(journal, k + 1)
    except StoreError as error:
        _print_line(f"blind {k} {error.kind}")
    else:
        assert shown == k, f"{shown} presses are shown, {k} are saved"


def _print_line(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
