"""Jobs in forks: as many at a time as there are workers, each held to its share of the machine.

It knows nothing of tests; a job is a function that answers with something JSON can say.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import Any, NamedTuple

CPU_LIMIT = 600  # seconds of processor: what goes on for longer is in a loop
MEMORY_LIMIT = 2 << 30  # bytes: a loop that collects ends here


class Answer(NamedTuple):
    """What came of a job: what it answered, or (where it ended without a word) how it ended."""

    job: int
    said: Any
    ended: str


def in_forks(jobs: Sequence[Callable[[], Any]], workers: int) -> Iterator[Answer]:
    """Runs every job in a process of its own; answers come in the order in which they end."""
    waiting = list(reversed(range(len(jobs))))
    running: dict[int, tuple[int, int]] = {}  # pipe to job and process
    while waiting or running:
        while waiting and len(running) < workers:
            job = waiting.pop()
            pipe, pid = _started(jobs[job])
            running[pipe] = (job, pid)
        for ready in wait(list(running)):
            assert isinstance(ready, int)
            job, pid = running.pop(ready)
            yield _answer(job, ready, pid)


def _started(job: Callable[[], Any]) -> tuple[int, int]:
    """Forks; the end of the pipe to read from, and the process."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _work(job, writing)
    os.close(writing)
    return reading, pid


def _work(job: Callable[[], Any], writing: int) -> None:
    """The fork: nothing of it returns, whatever the job does."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        said = json.dumps(job()).encode()
        while said:
            said = said[os.write(writing, said) :]
    finally:
        os._exit(0)


def _answer(job: int, pipe: int, pid: int) -> Answer:
    with os.fdopen(pipe, "rb") as file:
        said = file.read()
    _, status = os.waitpid(pid, 0)
    if said:
        return Answer(job, json.loads(said), "")
    how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "an exception"
    return Answer(job, None, how)
