"""What the race of the screens is run with: a bare broadcast, a crowd, a table that agrees."""

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


def test_everybody_sees_what_is_broadcast_and_the_moment_is_told() -> None:
    with broadcasting() as (port, source):
        source.sendall(encode_frame(b""))
        with Viewers(port, 5) as crowd:
            began = time.perf_counter()
            assert len(crowd.wait_for(GREETING, began)) == 5
            # In two pieces, of which the first is not enough.
            source.sendall(encode_frame(b"the sco") + encode_frame(b"re is 5"))
            told = crowd.wait_for(b"score is 5", began)
            assert len(told) == 5
            assert told == sorted(told)
            assert crowd.read_by_one() == b"the score is 5"


def test_a_server_that_dies_is_no_reason_to_wait() -> None:
    with broadcasting() as (port, source):
        source.sendall(encode_frame(b""))
        crowd = Viewers(port, 2)
    with crowd:
        crowd.drain()


def test_the_stand_in_tells_what_the_rules_say() -> None:
    lines = (web.HAND * 4)[:20]
    states = web.states(lines)
    told = Timeline(1, web.HEADER)
    for seq, (line, state) in enumerate(zip(lines, states, strict=True), 1):
        told.add_rows([parse_row(web.row(seq, line))])
        reckoned = {**state_document(told.game), "seq": seq, "names": {"A": "", "B": ""}}
        assert json.loads(json.dumps(reckoned)) == json.loads(json.dumps(state))


@pytest.mark.parametrize("presses", [20, 60])
def test_no_game_ends_before_the_presses_do(presses: int) -> None:
    assert web.states((web.HAND * presses)[: presses + 1])[-1]["winner"] is None
