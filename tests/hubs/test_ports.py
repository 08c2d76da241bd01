"""The ports of a hall: held by systemd, and shared through a proxy."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from scorer.config.link_section import HostAddress
from scorer.link.https import HubUnreachable, WrongCertificate, open_connection
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.paths import ROOT
from tests.support.certificate import make_certificate
from tests.support.programs import PATIENCE, start_with_sockets

PAGES = (ROOT / "docs" / "operators" / "growing.md").read_text(encoding="utf-8")


@contextmanager
def hub_by_systemd(
    folder: Path, sockets: dict[str, socket.socket], idle: str = "1"
) -> Iterator[subprocess.Popen[str]]:
    """A hub that gets its sockets, and ends after ``idle`` seconds without a client."""
    (folder / "hall.toml").write_text("[hub]\n")
    words = ["-m", "scorer", "hub", "--config", str(folder / "hall.toml"), "--card", os.devnull]
    words += ["--state", str(folder / "state"), "--idle-end", idle]
    with start_with_sockets(sockets, words, {**os.environ}, subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def two_sockets(stack: ExitStack) -> dict[str, socket.socket]:
    return {
        name: stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for name in ("wall", "boxes")
    }


def lines_of(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline() for _ in range(3)]


@pytest.mark.sampled(0)
def test_a_hub_serves_the_sockets_of_systemd_and_ends_when_it_is_idle(tmp_path: Path) -> None:
    with ExitStack() as stack:
        sockets = two_sockets(stack)
        wall, boxes = (each.getsockname() for each in sockets.values())
        for _ in range(2):  # the second one as systemd starts it again
            with hub_by_systemd(tmp_path, sockets) as process:
                said = lines_of(process)
                assert f"{wall[1]}/" in said[0]
                assert f"{boxes[1]}/desk" in said[1]
                client = Client(boxes, said[2].split()[-1])
                assert client.get("/desk").status == 200
                client.close()
                assert process.wait(PATIENCE) == 0
            # The port is open still: a connection waits for the next hub.
            socket.create_connection(boxes).close()


@pytest.mark.sampled(0)
def test_a_hub_with_a_connection_is_not_idle(tmp_path: Path) -> None:
    with ExitStack() as stack:
        sockets = two_sockets(stack)
        wall = next(iter(sockets.values())).getsockname()
        with hub_by_systemd(tmp_path, sockets) as process:
            lines_of(process)
            plain = stack.enter_context(socket.create_connection(wall))
            plain.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert plain.recv(1000).startswith(b"HTTP/1.1 200")
            # Three times as long as an idle one lives.
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(3)
            plain.close()
            assert process.wait(PATIENCE) == 0


@pytest.mark.sampled(0)
def test_a_connection_that_comes_while_the_hub_ends_is_answered_by_the_next_one(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        sockets = two_sockets(stack)
        wall = next(iter(sockets.values())).getsockname()
        with hub_by_systemd(tmp_path, sockets) as process:
            lines_of(process)
            assert process.wait(PATIENCE) == 0
        late = stack.enter_context(socket.create_connection(wall))
        late.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        late.settimeout(PATIENCE)
        with hub_by_systemd(tmp_path, sockets):
            assert late.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.sampled(0)
def test_one_socket_instead_of_two_is_a_sentence(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one = dict([two_sockets(stack).popitem()])
        words = ["-m", "scorer", "hub", "--config", os.devnull, "--card", os.devnull]
        words += ["--state", str(tmp_path / "state")]
        with start_with_sockets(one, words, {**os.environ}, None, subprocess.PIPE) as process:
            assert process.stderr is not None
            assert "systemd passes 1 sockets" in process.stderr.read()
            assert process.wait(PATIENCE) == 1


# ---- a proxy that passes TLS through ------------------------------------------------------------


@contextmanager
def proxy(folder: Path, hubs: dict[str, HubProcess]) -> Iterator[int]:
    """haproxy with the lines of the page; its port."""
    if shutil.which("haproxy") is None:
        pytest.skip("haproxy is not installed: apt install haproxy")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    text = PAGES.partition("<!-- haproxy -->\n```\n")[2].partition("```")[0]
    assert "ssl_hello" in text
    text = text.replace("*:8443", f"127.0.0.1:{port}")
    for name, at in (("norte", 20001), ("sur", 20003)):
        assert f"127.0.0.1:{at}" in text
        text = text.replace(f"127.0.0.1:{at}", f"127.0.0.1:{hubs[name].desk[1]}")
    (folder / "haproxy.cfg").write_text(text)
    with subprocess.Popen(["haproxy", "-f", folder / "haproxy.cfg"]) as process:
        try:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert time.monotonic() < end
                    time.sleep(0.05)
            yield port
        finally:
            process.kill()


def test_a_proxy_passes_each_box_to_the_hall_that_it_names(tmp_path: Path) -> None:
    async def connect(port: int, hall: str, pin: str) -> None:
        host = HostAddress("127.0.0.1", port, hall)
        (await open_connection(host, pin)).connection.close()

    with ExitStack() as stack:
        hubs = {
            name: stack.enter_context(running_hub(tmp_path / name)) for name in ("norte", "sur")
        }
        port = stack.enter_context(proxy(tmp_path, hubs))
        for name, hub in hubs.items():
            asyncio.run(connect(port, name, hub.pin))
        with pytest.raises(WrongCertificate):
            asyncio.run(connect(port, "norte", hubs["sur"].pin))
        # An old box names no hall: it needs the port of its hall.
        for nowhere in ("", "este"):
            with pytest.raises(HubUnreachable):
                asyncio.run(connect(port, nowhere, ""))
        asyncio.run(connect(hubs["sur"].desk[1], "", hubs["sur"].pin))


def test_a_browser_comes_to_its_hall_by_the_first_word_of_the_address(tmp_path: Path) -> None:
    pair = make_certificate(tmp_path)
    with ExitStack() as stack:
        words = f'certificate = "{pair.certificate}"\nkey = "{pair.key}"\n'
        hubs = {
            "norte": stack.enter_context(running_hub(tmp_path / "norte", words)),
            "sur": stack.enter_context(running_hub(tmp_path / "sur")),
        }
        port = stack.enter_context(proxy(tmp_path, hubs))
        # Only the hub "norte" has this certificate.
        context = ssl.create_default_context(cafile=str(pair.certificate))
        context.check_hostname = False
        plain = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        browser = context.wrap_socket(plain, server_hostname="norte.halls.example")
        assert browser.version()
        browser.close()
