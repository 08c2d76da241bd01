"""The parts of the web benchmark: bare broadcast, viewers, and fake table."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from scorer.rules import state_document
from scorer.web.timeline import Timeline, parse_row
from tools.bench import web
from tools.bench.broadcast import GREETING, encode_frame
from tools.bench.viewers import Viewers


@contextmanager
def broadcasting() -> Iterator[tuple[int, socket.socket]]:
    """A bare broadcast: its port and its source."""
    command = [sys.executable, "-m", "tools.bench.broadcast"]
    with ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
        stack.callback(process.kill)
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield port, stack.enter_context(socket.create_connection(("127.0.0.1", port)))


def test_every_viewer_receives_the_broadcast_and_reports_the_time() -> None:
    with broadcasting() as (port, source):
        source.sendall(encode_frame(b""))
        with Viewers(port, 5) as crowd:
            began = time.perf_counter()
            assert len(crowd.wait_for(GREETING, began)) == 5
            # In two pieces; the first alone is not enough.
            source.sendall(encode_frame(b"the sco") + encode_frame(b"re is 5"))
            times = crowd.wait_for(b"score is 5", began)
            assert len(times) == 5
            assert times == sorted(times)
            assert crowd.read_by_one() == b"the score is 5"


def test_a_server_that_dies_ends_the_wait() -> None:
    with broadcasting() as (port, source):
        source.sendall(encode_frame(b""))
        crowd = Viewers(port, 2)
    with crowd:
        crowd.drain()


def test_the_fake_table_publishes_the_states_of_the_rules() -> None:
    lines = (web.HAND * 4)[:20]
    states = web.states(lines)
    timeline = Timeline(1, web.HEADER)
    for seq, (line, state) in enumerate(zip(lines, states, strict=True), 1):
        timeline.add_rows([parse_row(web.row(seq, line))])
        expected = {**state_document(timeline.game), "seq": seq, "names": {"A": "", "B": ""}}
        assert json.loads(json.dumps(expected)) == json.loads(json.dumps(state))


@pytest.mark.parametrize("presses", [20, 60])
def test_no_game_ends_before_the_presses_do(presses: int) -> None:
    assert web.states((web.HAND * presses)[: presses + 1])[-1]["winner"] is None
