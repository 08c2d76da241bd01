"""``scorer web`` before it serves: settings, command line, socket."""

from __future__ import annotations

import socket
import sys

import pytest

from scorer.cli import main
from scorer.config.loader import default_config, parse_config
from scorer.config.schema import WebSection
from scorer.config.sources import config_lines, resolve
from scorer.config.toml_reader import ConfigError
from scorer.serving import server as serving
from scorer.web import command
from tests.web.server_process import PATIENCE


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("port = 0", "web.port: 0 is not from 1 to 65535"),
        ("port = 70000", "web.port: 70000 is not from 1 to 65535"),
        ("viewers = 0", "web.viewers: 0 is not from 1 to 1000"),
        ("viewers = 5000", "web.viewers: 5000 is not from 1 to 1000"),
        ('address = "truco.local"', "web.address: 'truco.local' is not like 0.0.0.0 or ::"),
        ('hosts = ["a:80"]', "web.hosts: 'a:80' is no name like truco.example.org, without a port"),
        (
            'certificate = "c.pem"\nkey = "/k.pem"',
            "web.certificate: 'c.pem' is no whole path like /etc/scorer/tls/certificate.pem",
        ),
        ('certificate = "/c.pem"', "web.certificate: HTTPS needs its key too"),
        ('key = "/k.pem"', "web.key: HTTPS needs the certificate too"),
        (
            'proxies = ["caddy"]\nhosts = ["a.example"]',
            "web.proxies: 'caddy' is no address like 127.0.0.1",
        ),
        (
            'proxies = ["127.0.0.1"]',
            "web.proxies: write the name that browsers use for the proxy into hosts",
        ),
        ('hosts = ["*"]', "web.hosts: '*' is no name like truco.example.org, without a port"),
    ],
)
def test_a_wrong_setting_is_reported_with_its_line(line: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f"[web]\n{line}\n")
    assert [(each.line, each.sentence) for each in caught.value.problems] == [(2, sentence)]


def test_all_wrong_settings_are_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config('[web]\nport = 0\nviewers = 0\nhosts = [""]\n')
    assert [each.line for each in caught.value.problems] == [2, 3, 4]


class Nothing:
    """A store in which nothing is kept."""

    def settings(self) -> dict[str, str]:
        return {}

    def set_setting(self, key: str, value: str) -> None:
        """Nothing is kept."""


def test_check_prints_the_settings_and_their_origin() -> None:
    text = '[web]\nport = 80\nhosts = ["a.example", "b.example"]\n'
    told = list(config_lines(resolve(text, None, Nothing())))
    assert "web        port = 80  (the owner's file)" in told
    assert "web        hosts = a.example, b.example  (the owner's file)" in told
    assert "web        address = 0.0.0.0  (default)" in told


def test_by_default_it_listens_everywhere_for_two_hundred() -> None:
    assert default_config().web == WebSection("0.0.0.0", 8080, (), 200, 40, "/etc/scorer/www")


@pytest.mark.parametrize("place", ["8080", "localhost", "127.0.0.1:x", "127.0.0.1:70000", ":"])
def test_a_place_that_is_none_is_refused(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["web", "--listen", place])
    assert ended.value.code == 2
    assert "is not like 127.0.0.1:8080" in capsys.readouterr().err


def test_a_place_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with serving.open_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert main(["web", "--listen", f"127.0.0.1:{port}"]) == 1
    assert f"cannot listen at 127.0.0.1:{port}" in capsys.readouterr().err


def test_without_its_libraries_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "scorer.serving.server")
    monkeypatch.delattr("scorer.serving.server")
    assert command.main(["--listen", "127.0.0.1:0"]) == 1
    assert "run make setup in" in capsys.readouterr().err


def test_who_vanishes_is_noticed_by_what_he_does_not_acknowledge() -> None:
    with (
        serving.open_socket("127.0.0.1", 0) as made,
        socket.create_connection(made.getsockname(), timeout=PATIENCE),
    ):
        made.settimeout(PATIENCE)
        accepted, _ = made.accept()
        with accepted:
            kept = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert kept == serving.SEND_TIMEOUT * 1000


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_at_all_addresses_of_ipv6_those_of_ipv4_are_heard_too() -> None:
    with (
        serving.open_socket("::", 0) as made,
        socket.create_connection(("127.0.0.1", made.getsockname()[1]), timeout=PATIENCE),
    ):
        made.settimeout(PATIENCE)
        accepted, _ = made.accept()
        with accepted:
            assert accepted.getsockname()[0] == "::ffff:127.0.0.1"
