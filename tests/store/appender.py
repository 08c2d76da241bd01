"""A program that stores the presses of the night and says so, until it is killed.

``python -m tests.store.appender FOLDER ATTEMPTS CHECKPOINT``: goes on after the presses that are
in the store; writes ``saved K`` once press K cannot be lost any more and ``refused K KIND`` where
it was not stored, after which K is tried again; ``blind K KIND`` where the K presses that are saved
cannot be read after that. It ends as by a pulled plug.
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
    """Stores until ``attempts`` presses were tried, with a checkpoint every so many pages."""
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
    """After a refusal: what is shown is what was saved, if anything can be read at all."""
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
