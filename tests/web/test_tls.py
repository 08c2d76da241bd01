"""HTTPS by a certificate or by a proxy: cookies, addresses, deadlines."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import httpx
import pytest

from scorer.cli import main
from scorer.serving import connection
from scorer.serving.server import open_socket
from scorer.serving.tls import PemFiles, TlsError, check_service_access, load_context
from scorer.system.sd_notify import Notifier
from scorer.web import server
from tests.support.certificate import Certificate, make_certificate, run_openssl
from tests.support.phone_pairing import show_new_code
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.server_process import PATIENCE, events, first_event, web
from tests.web.test_network import shown_on

OURS = {"X-Truco": "1"}


def pem_files(certificate: Certificate) -> PemFiles:
    return PemFiles("web", str(certificate.certificate), str(certificate.key))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("tls"))


class Bar(NamedTuple):
    table: TableDriver
    path: Path
    folder: Path


@pytest.fixture
def bar(tmp_path: Path) -> Iterator[Bar]:
    path = tmp_path / "table.sock"
    with running_table(table_on(tmp_path / "store", socket=path)) as table:
        yield Bar(table, path, tmp_path)


def pair_phone(bar: Bar, client: httpx.Client, **headers: str) -> str:
    """Pair a phone; the cookie as the server set it, in lower case."""
    body = {"code": show_new_code(bar.table), "name": "Ana"}
    answer = client.post("/api/v1/pair", json=body, headers={**OURS, **headers})
    bar.table.press("menu", duration_s=4.0)
    assert answer.status_code == 200, answer.text
    return answer.headers["set-cookie"].lower()


def trusting(pair: Certificate) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(pair.certificate))


# ---- a certificate of our own --------------------------------------------------------------------


def test_with_a_certificate_pages_cookies_stream_and_panel_are_https(
    bar: Bar, pair: Certificate
) -> None:
    with web(bar.path, bar.folder, pair.settings) as serving:
        assert serving.url.startswith("https://127.0.0.1:")
        with httpx.Client(base_url=serving.url, verify=trusting(pair), timeout=PATIENCE) as client:
            assert client.get("/phone").status_code == 200
            origin = serving.url.rstrip("/")
            assert "; secure" in pair_phone(bar, client, Origin=origin)
            assert client.get("/api/v1/phone").json()["paired"] is True
            with client.stream("GET", "/events") as response:
                stream = events(response)
                first_event(stream, lambda event: event.data.get("table") == "here")
                bar.table.press("A.truco")
                first_event(stream, lambda event: event.data["state"]["pending"] is not None)
            plain = {**OURS, "Origin": origin.replace("https", "http")}
            assert client.post("/api/v1/unpair", json={}, headers=plain).status_code == 403
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{serving.port}/", timeout=PATIENCE)
        for _ in range(5):
            bar.table.press("menu")
        shown_on(bar.table, f"https://127.0.0.1:{serving.port}")


@pytest.mark.sampled(0)
def test_without_a_certificate_the_cookie_has_to_work_without_encryption(bar: Bar) -> None:
    with (
        web(bar.path, bar.folder) as serving,
        httpx.Client(base_url=serving.url, timeout=PATIENCE) as client,
    ):
        cookie = pair_phone(bar, client, **{"X-Forwarded-Proto": "https"})
    assert "secure" not in cookie, "no proxy is configured"


# ---- a certificate that cannot be used -----------------------------------------------------------


@pytest.fixture(scope="module")
def broken(
    tmp_path_factory: pytest.TempPathFactory, pair: Certificate
) -> dict[str, tuple[Certificate, str]]:
    """Pairs of files that cannot be used, with a part of the sentence."""
    folder = tmp_path_factory.mktemp("broken")
    other = make_certificate(folder, "other")
    rsa = make_certificate(folder, "rsa", "rsa")
    secret, noise = folder / "secret.key", folder / "noise.pem"
    run_openssl("pkey", "-in", str(pair.key), "-aes256", "-passout", "pass:x", "-out", str(secret))
    noise.write_text("-----BEGIN CERTIFICATE-----\nTRUCO\n-----END CERTIFICATE-----\n")
    there = pair.certificate
    return {
        "missing": (Certificate(folder / "none.pem", pair.key), "No such file or directory"),
        "folder": (Certificate(there, folder), "Is a directory"),
        "of another": (Certificate(there, other.key), "is not the key of"),
        "of another kind": (Certificate(there, rsa.key), "is not the key of"),
        "password": (Certificate(there, secret), "has a password; remove it: openssl pkey"),
        "swapped": (Certificate(pair.key, there), "has no PEM text '-----BEGIN CERTIFICATE"),
        "noise": (Certificate(noise, pair.key), "OpenSSL refuses"),
    }


CASES = ("missing", "folder", "of another", "of another kind", "password", "swapped", "noise")


@pytest.mark.parametrize("case", CASES)
def test_files_that_cannot_be_used_are_named_with_the_remedy(
    tmp_path: Path,
    broken: dict[str, tuple[Certificate, str]],
    case: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files, sentence = broken[case]
    with pytest.raises(TlsError, match=r"^web\.(certificate|key): ") as caught:
        load_context(pem_files(files))
    assert sentence in str(caught.value)
    config = tmp_path / "scorer.toml"
    config.write_text(files.settings)
    assert main(["check", str(config)]) == 1
    assert f"{config}: {caught.value}" in capsys.readouterr().out.splitlines()


@contextmanager
def without_root() -> Iterator[None]:
    """Lose the rights of root, which reads every file."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(was)


def test_a_key_that_may_not_be_read_is_named_with_the_remedy() -> None:
    with TemporaryDirectory() as name:  # the folder of a test is closed to other users
        Path(name).chmod(0o755)
        made = make_certificate(Path(name))
        made.key.chmod(0)
        files = pem_files(made)
        with without_root(), pytest.raises(TlsError) as caught:
            load_context(files)
    remedy = f"grant it: chgrp scorer-net {made.key}; chmod 640 {made.key}"
    assert str(caught.value) == f"web.key: {made.key} may not be read; {remedy}"


def test_a_key_of_root_that_the_service_cannot_read_is_found_by_check(tmp_path: Path) -> None:
    made = make_certificate(tmp_path)
    files = pem_files(made)
    check_service_access(files)
    made.key.chmod(0o600)
    if os.geteuid() != 0:
        pytest.skip("the key has to belong to root")
    with pytest.raises(TlsError, match=r"^web.key: the service cannot read .*chmod 640"):
        check_service_access(files)


def test_check_accepts_a_good_certificate(
    tmp_path: Path, pair: Certificate, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text(pair.settings)
    assert main(["check", str(config)]) == 0
    assert f"web        certificate = {pair.certificate}" in capsys.readouterr().out


@pytest.mark.sampled(0)
@pytest.mark.parametrize("listens", [[], ["--listen", "0.0.0.0:0"]])
def test_a_bad_certificate_never_opens_the_page_without_encryption(
    tmp_path: Path, listens: list[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = tmp_path / "web.toml"
    config.write_text(f'[web]\nport = {port}\ncertificate = "/no.pem"\nkey = "/no.key"\n')
    words = ["web", "--config", str(config), "--card", str(tmp_path / "no.toml"), *listens]
    process = subprocess.Popen(
        [sys.executable, "-m", "scorer", *words, "--socket", str(tmp_path / "no.sock")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert httpx.get(url, timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert url.startswith("http://127.0.0.1:")
    assert "web.certificate: /no.pem: No such file or directory" in told


# ---- connections that do not finish the handshake ------------------------------------------------


def served(
    folder: Path, pair: Certificate, evening: Callable[[int], Awaitable[None]], viewers: int = 4
) -> None:
    """Run ``evening`` at a real server with TLS and without a table."""
    context = load_context(pem_files(pair))

    async def run() -> None:
        with open_socket("127.0.0.1", 0) as made:
            options = server.WebOptions(
                "127.0.0.1", 0, folder / "no.sock", viewers=viewers, folder=folder, tls=context
            )
            running = asyncio.create_task(server.serve(options, made, Notifier({})))
            try:
                await evening(made.getsockname()[1])
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


async def status_of(port: int, pair: Certificate, source: str) -> bytes:
    """The first line of the answer to a whole request."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=trusting(pair), local_addr=(source, 0)
    )
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    line = await reader.readline()
    writer.close()
    return line


@pytest.mark.parametrize("begun", [b"", b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n"])
def test_a_handshake_that_is_not_finished_ends_the_connection(
    tmp_path: Path, pair: Certificate, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connection, "REQUEST_TIMEOUT", 0.3)

    async def evening(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                await reader.read()
        writer.close()
        monkeypatch.setattr(connection, "REQUEST_TIMEOUT", 10.0)
        assert await status_of(port, pair, "127.0.0.1") == b"HTTP/1.1 200 OK\r\n"

    served(tmp_path, pair, evening)


def test_connections_without_a_handshake_do_not_take_the_places(
    tmp_path: Path, pair: Certificate
) -> None:
    viewers = 4
    places = 2 * viewers + 64

    async def evening(port: int) -> None:
        idle = [
            await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{at % 5}", 0))
            for at in range(places + 20)
        ]
        async with asyncio.timeout(PATIENCE):
            assert await status_of(port, pair, "127.0.0.9") == b"HTTP/1.1 200 OK\r\n"
        for _, writer in idle:
            writer.close()

    served(tmp_path, pair, evening, viewers)


# ---- a proxy -------------------------------------------------------------------------------------

PROXIED = '[web]\nhosts = ["truco.example"]\nproxies = ["127.0.0.1"]\n'
BY_PROXY = {
    "Host": "truco.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "192.168.1.50",
}


@pytest.mark.sampled(0)
def test_a_configured_proxy_makes_cookies_secure_and_the_panel_https(bar: Bar) -> None:
    with web(bar.path, bar.folder, PROXIED) as serving:
        with httpx.Client(base_url=serving.url, timeout=PATIENCE, headers=BY_PROXY) as client:
            secure = pair_phone(bar, client, Origin="https://truco.example")
            assert "; secure" in secure
            bare = client.post(
                "/api/v1/unpair", json={}, headers={**OURS, "Origin": "http://truco.example"}
            )
            assert bare.status_code == 403
        for _ in range(5):
            bar.table.press("menu")
        shown_on(bar.table, "https://truco.example")


@pytest.mark.sampled(0)
def test_other_addresses_are_not_believed_to_be_https(bar: Bar) -> None:
    with web(bar.path, bar.folder, PROXIED) as serving:
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(
            base_url=serving.url, timeout=PATIENCE, headers=BY_PROXY, transport=other
        ) as client:
            assert "secure" not in pair_phone(bar, client)


@pytest.mark.sampled(0)
def test_the_limits_count_the_clients_of_a_proxy_and_not_the_proxy(tmp_path: Path) -> None:
    settings = f"{PROXIED}viewers_each = 1\n"
    with web(tmp_path / "no.sock", tmp_path, settings) as serving:

        def statuses(source: str) -> set[int]:
            headers = {**BY_PROXY, "X-Forwarded-For": source}
            with httpx.Client(base_url=serving.url, timeout=PATIENCE, headers=headers) as client:
                return {client.get("/static/icon.svg").status_code for _ in range(40)}

        assert 429 in statuses("192.168.1.50")
        first = httpx.get(
            f"{serving.url}static/icon.svg",
            headers={**BY_PROXY, "X-Forwarded-For": "192.168.1.51"},
            timeout=PATIENCE,
        )
        assert first.status_code == 200
