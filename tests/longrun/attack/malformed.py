"""Malformed input: mutated HTTP requests and mutated lines on the socket."""

from __future__ import annotations

import json
import socket
from random import Random

from tests.longrun.attack.checks import Checks
from tests.longrun.attack.rig import Rig, running
from tests.web.server_process import PATIENCE

REQUESTS = (
    b"GET /api/v1/history?game=1&from=1&limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1-1\r\n\r\n",
    b"GET /plain?lang=es-AR HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n",
    b"POST /api/v1/press HTTP/1.1\r\nHost: localhost\r\nX-Truco: 1\r\nCookie: truco=a.b\r\n"
    b"Content-Type: application/json\r\nContent-Length: 44\r\n\r\n"
    b'{"side": "A", "button": "truco", "seq": 123}',
    b"POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nX-Truco: 1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 33\r\n\r\n"
    b'{"code": "123456", "name": "Ana"}',
)
LINES = (
    b'{"id": 1, "do": "journal", "from": 1, "limit": 10}',
    b'{"id": 2, "do": "press", "phone": "a", "key": "b", "seq": 0, "button": "truco", "side": "A"}',
    b'{"id": 3, "do": "notice", "address": "http://192.168.1.7:8080/", "clients": 1}',
    b'{"id": 4, "do": "pair", "code": "123456", "name": "Ana"}',
    b'{"id": 5, "do": "step", "line": "A truco", "seq": -1}',
    b'{"id": 6, "do": "game", "number": 1, "from": 1}',
)
LAST_LINE = b'\n{"id": "the last line", "do": "journal", "limit": 1}\n'
LAST_ANSWER = b'"the last line"'
PIECES = (
    b"\x00", b"\r\n", b"\r\n\r\n", b"\xff\xfe", b"../", b"%2e%2e/", b"%00", b"9" * 400, b'"', b"{",
    b"[" * 500, b"\\ud800", b"\xed\xa0\x80", b"NaN", b"null", b"true", b"-1", b"1e999", b"<script>",
    b"Transfer-Encoding: chunked\r\n", b"Content-Length: -1\r\n", b"A" * 5000,
)  # fmt: skip


def send_http(checks: Checks, share: int) -> None:
    """Requests with pieces removed, repeated and inserted."""
    count, statuses = 3000 // share, set[bytes]()
    with running() as rig:
        before = rig.table.wait(0.5)
        random = Random(1)
        for number in range(count):
            statuses.add(_status(rig, f"127.0.7.{number % 200 + 1}", _mutated(random, REQUESTS)))
        checks.passed += count
        wrong = {each for each in statuses if each[:1] == b"5" and each != b"503"}
        checks.check(not wrong, f"statuses {sorted(wrong)}")
        _still_serves(checks, rig, before.seq)
        checks.note = f"{count} requests, statuses {b' '.join(sorted(statuses)).decode()}"


def _status(rig: Rig, address: str, request: bytes) -> bytes:
    """The status of the answer; b"" if the connection is closed without one."""
    with socket.socket() as end:
        end.settimeout(PATIENCE)
        end.bind((address, 0))
        end.connect(("127.0.0.1", rig.port))
        try:
            end.sendall(request)
            end.shutdown(socket.SHUT_WR)
            answer = end.recv(1 << 12)
        except ConnectionError:
            return b""
    return answer.split(b" ")[1] if answer.startswith(b"HTTP/1.1 ") else b""


def send_lines(checks: Checks, share: int) -> None:
    """Lines to the table from a client that never authenticates."""
    count, random = 30_000 // share, Random(2)
    with running() as rig:
        before = rig.table.wait(0.5)
        left, answers = count, 0
        while left:
            part = min(left, random.randint(1, 12))
            left -= part
            answers += _send_lines(rig, b"\n".join(_mutated(random, LINES) for _ in range(part)))
        checks.passed += count
        _still_serves(checks, rig, before.seq)
        checks.check(answers > count // 2, f"only {answers} answers to {count} lines")
        checks.note = f"{count} lines, {answers} answers, no row"


def _send_lines(rig: Rig, data: bytes) -> int:
    """The number of answers; the table may hang up before the last one."""
    received = b""
    with socket.socket(socket.AF_UNIX) as end:
        end.settimeout(PATIENCE)
        end.connect(str(rig.socket))
        try:
            end.sendall(data + LAST_LINE)
            while LAST_ANSWER not in received and (more := end.recv(1 << 16)):
                received += more
        except ConnectionError:
            pass
    return received.count(b'"ok": ')


def _mutated(random: Random, seeds: tuple[bytes, ...]) -> bytes:
    data = bytearray(random.choice(seeds))
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        match random.randrange(4):
            case 0:
                data[at:at] = random.choice(PIECES)
            case 1:
                del data[at : at + random.randint(1, 20)]
            case 2:
                data[at : at + 1] = bytes([random.randrange(256)])
            case _:
                data[at:at] = data[at : at + random.randint(1, 60)]
    # A step of a client with all rights is no attack.
    return bytes(data).replace(b'"do": "step"', b'"do": "steps"').replace(b'"undo"', b'"und"')


def _still_serves(checks: Checks, rig: Rig, seq: int) -> None:
    with rig.client("127.0.8.1") as late:
        checks.check('"here"' in late.get("/healthz").text, "the web server has lost its table")
        checks.check(late.get("/plain").status_code == 200, "the pages are away")
    checks.check(rig.table.wait(0.5).seq == seq, "a row was written")
    checks.check(rig.table.press("A.truco") == "taken", "a press does not count")
    checks.check("Traceback" not in rig.log.read_text(encoding="utf-8"), "a traceback is logged")
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(str(rig.socket))
        with end.makefile("rb") as lines:
            checks.check("hello" in json.loads(lines.readline()), "the socket does not greet")
