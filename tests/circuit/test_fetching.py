"""Files of other machines, from a real server with TLS."""

from __future__ import annotations

import http.server
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.circuit import command
from scorer.circuit.command import main
from scorer.circuit.fetching import FetchRules, NotFetched, fetch
from scorer.season.evening_file import write_evening
from tests.circuit.few_evenings import KEY, evening, season_text, write_season
from tests.support.certificate import make_certificate

BODY = b'{"a": 1}\n'
NameAnswer = Callable[[http.server.BaseHTTPRequestHandler], None]


class Server(NamedTuple):
    """A server of this machine; ``seen``: the paths that were asked for."""

    address: str
    answers: dict[str, NameAnswer]
    seen: list[str]
    rules: FetchRules


def body(data: bytes) -> NameAnswer:
    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    return answer


def redirect(location: str) -> NameAnswer:
    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", location)
        request.end_headers()

    return answer


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    made = make_certificate(folder)
    answers: dict[str, NameAnswer] = {"/evening.json": body(BODY)}
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            if self.path in answers:
                answers[self.path](self)
            else:
                self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)

    class Quiet(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that has left is what some tests are about."""

    server = Quiet(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    trusted = ssl.create_default_context(cafile=str(made.certificate))
    rules = FetchRules(trusted, private_addresses=True, most_bytes=1000, most_seconds=20.0)
    try:
        yield Server(f"https://localhost:{server.server_port}", answers, seen, rules)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as found:
        yield found


def refusal(address: str, rules: FetchRules) -> str:
    with pytest.raises(NotFetched) as error:
        fetch(address, rules)
    return str(error.value)


def test_a_file_is_fetched(server: Server) -> None:
    assert fetch(f"{server.address}/evening.json", server.rules) == BODY


def test_two_redirects_are_followed_and_not_a_third(server: Server) -> None:
    server.answers["/2"] = redirect("/evening.json")
    server.answers["/1"] = redirect(f"{server.address}/2")
    server.answers["/0"] = redirect("1")
    assert fetch(f"{server.address}/1", server.rules) == BODY
    assert "more than 2 redirects; write the last address" in refusal(
        f"{server.address}/0", server.rules
    )


@pytest.mark.parametrize(
    "location", ["http://localhost/evening.json", "file:///etc/passwd", "ftp://a/b"]
)
def test_a_redirect_leads_to_https_alone(server: Server, location: str) -> None:
    server.answers["/1"] = redirect(location)
    assert "is no address like https://" in refusal(f"{server.address}/1", server.rules)


def test_a_private_address_is_not_asked_for_anything(server: Server) -> None:
    rules = server.rules._replace(private_addresses=False)
    sentence = refusal(f"{server.address}/evening.json", rules)
    assert "is an address of a private network; write private_addresses = true" in sentence
    assert server.seen == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.1", "169.254.1.1", "[::1]", "0.0.0.0", "2130706433"]
)
def test_every_spelling_of_a_private_address_is_refused(host: str) -> None:
    rules = FetchRules(ssl.create_default_context())
    assert "private network" in refusal(f"https://{host}:1/x", rules)


def test_a_redirect_to_a_private_address_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first look-up is of a public name, which leads to this server all the same.
    looked_up = socket.getaddrinfo
    port = int(server.address.rpartition(":")[2])
    server.answers["/1"] = redirect("https://127.0.0.1/evening.json")

    def find(host: str, *given: object, **named: object) -> object:
        if host == "truco.example":
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", port))]
        return looked_up(host, *given, **named)  # type: ignore[arg-type]

    connect = socket.create_connection
    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setattr(
        socket,
        "create_connection",
        lambda address, timeout: connect(("127.0.0.1", address[1]), timeout),
    )
    rules = server.rules._replace(private_addresses=False)
    assert "127.0.0.1 is an address of a private network" in refusal(
        f"https://truco.example:{port}/1", rules
    )
    assert server.seen == ["/1"]


def test_of_several_addresses_of_a_name_the_first_that_answers_counts(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.address.rpartition(":")[2])
    hosts = ("127.0.0.2", "127.0.0.1")  # the server is at the second one alone
    row = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    found = [(*row, (host, port)) for host in hosts]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    connect = socket.create_connection

    def direct(address: tuple[str, int], timeout: float) -> socket.socket:
        monkeypatch.undo()  # the real look-up of a number
        return connect(address, timeout)

    monkeypatch.setattr(socket, "create_connection", direct)
    assert fetch(f"{server.address}/evening.json", server.rules) == BODY


def test_a_file_that_is_too_long_is_not_read_to_its_end(server: Server) -> None:
    server.answers["/long"] = body(b"x" * 1001)
    assert "has more than 1000 bytes" in refusal(f"{server.address}/long", server.rules)

    def endless(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        while True:
            request.wfile.write(b"x" * 1000)

    server.answers["/endless"] = endless
    assert "has more than 1000 bytes" in refusal(f"{server.address}/endless", server.rules)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("where", ["head", "body"])
def test_a_server_that_sends_byte_by_byte_is_left_in_time(server: Server, where: str) -> None:
    stop = threading.Event()

    def slow(request: http.server.BaseHTTPRequestHandler) -> None:
        if where == "body":
            request.send_response(200)
            request.end_headers()
        while not stop.wait(0.02):
            request.wfile.write(b"x")
            request.wfile.flush()

    server.answers["/slow"] = slow
    rules = server.rules._replace(most_seconds=0.5)
    try:
        assert "takes more than 0.5 seconds" in refusal(f"{server.address}/slow", rules)
    finally:
        stop.set()


def test_what_a_server_answers_is_said(server: Server) -> None:
    assert "the server answers 404" in refusal(f"{server.address}/x", server.rules)

    def cut(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "100")
        request.end_headers()
        request.wfile.write(b"x")

    server.answers["/cut"] = cut
    assert "the connection ended before the file did" in refusal(
        f"{server.address}/cut", server.rules
    )

    def garbage(request: http.server.BaseHTTPRequestHandler) -> None:
        request.wfile.write(b"nonsense\r\n")

    server.answers["/garbage"] = garbage
    assert "is no HTTP" in refusal(f"{server.address}/garbage", server.rules)


def test_an_unknown_certificate_is_not_trusted(server: Server) -> None:
    rules = server.rules._replace(context=ssl.create_default_context())
    assert "its certificate is not trusted" in refusal(f"{server.address}/evening.json", rules)
    assert server.seen == []


@pytest.mark.parametrize(
    "address", ["https://", "https://a b/", "https://x:99999/", "https://ñ.example/", "x", ""]
)
def test_what_is_no_address_is_said(address: str) -> None:
    assert "is no address like" in refusal(address, FetchRules(ssl.create_default_context()))


def test_of_a_site_every_evening_is_taken(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "trusted_authorities", lambda: server.rules.context)
    listed = ["1.evening.json", None, "../2.evening.json", "https://a/3.evening.json", 4]
    document = {"tournaments": [*({"evening": each} for each in listed), 5, {}]}
    server.answers["/hall/tournaments.json"] = body(json.dumps(document).encode())
    server.answers["/hall/1.evening.json"] = body(write_evening(evening(1, ["Uno", "Dos"]), KEY))
    text = season_text(season="private_addresses = true\n")
    path = write_season(
        tmp_path / "season", [], text.replace('"evenings"', f'"{server.address}/hall/"')
    )
    assert main([str(path)]) == 0
    assert server.seen == ["/hall/tournaments.json", "/hall/1.evening.json"]
    assert main([str(path), "--offline"]) == 0


@pytest.mark.parametrize("index", [b"", b"[]", b"{}", b'{"tournaments": 3}'])
def test_what_is_no_site_is_said(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    index: bytes,
) -> None:
    monkeypatch.setattr(command, "trusted_authorities", lambda: server.rules.context)
    server.answers["/tournaments.json"] = body(index)
    text = season_text(season="private_addresses = true\n")
    path = write_season(tmp_path / "season", [], text.replace('"evenings"', f'"{server.address}/"'))
    assert main([str(path)]) == 1
    assert "/tournaments.json: it is no list of tournaments" in capsys.readouterr().err


def test_a_season_fetches_its_evenings_and_keeps_a_copy(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "trusted_authorities", lambda: server.rules.context)
    server.answers["/1/evening.json"] = body(write_evening(evening(1, ["Uno", "Dos"]), KEY))
    address = f"{server.address}/1/evening.json"
    text = season_text(season="private_addresses = true\n").replace('"evenings"', f'"{address}"')
    path = write_season(tmp_path / "season", [], text)
    assert main([str(path)]) == 0
    site = (tmp_path / "season" / "site" / "season.json").read_bytes()
    assert address in (tmp_path / "season" / "circuit.lock").read_text("utf-8")
    del server.answers["/1/evening.json"]
    assert main([str(path)]) == 1
    assert f"{address}: the server answers 404 Not Found; with --offline its copy counts" in (
        capsys.readouterr().err
    )
    requests = [*server.seen]
    assert main([str(path), "--offline"]) == 0
    assert server.seen == requests
    assert (tmp_path / "season" / "site" / "season.json").read_bytes() == site
