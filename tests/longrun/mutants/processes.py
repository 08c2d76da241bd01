"""Run jobs in forks, ``workers`` at a time, with limits on CPU time and memory.

A job is a function that returns a JSON value.
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

CPU_LIMIT = 600  # seconds of CPU time; a job that takes longer is in a loop
MEMORY_LIMIT = 2 << 30  # bytes; ends a loop that allocates


class Answer(NamedTuple):
    """The result of a job, or how its process ended without one."""

    job: int
    said: Any
    ended: str


def in_forks(jobs: Sequence[Callable[[], Any]], workers: int) -> Iterator[Answer]:
    """Run each job in its own process; yield answers in the order of completion."""
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
    """Fork; return the read end of the pipe and the process id."""
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
    """Run the job in the fork; never returns."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        reply = json.dumps(job()).encode()
        while reply:
            reply = reply[os.write(writing, reply) :]
    finally:
        os._exit(0)


def _answer(job: int, pipe: int, pid: int) -> Answer:
    with os.fdopen(pipe, "rb") as file:
        reply = file.read()
    _, status = os.waitpid(pid, 0)
    if reply:
        return Answer(job, json.loads(reply), "")
    how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "an exception"
    return Answer(job, None, how)
