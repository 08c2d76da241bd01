"""The page of the own Wi-Fi: probes of phones, and what people enter."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from scorer.config.wifi_section import WifiNetwork
from scorer.system.wifi.keyfile import OWN_ADDRESS
from scorer.system.wifi.state import JoinStatus, WifiState
from scorer.system.wifi.watch_request import MAX_LINE_BYTES, SOCKET_NAME
from scorer.web.portal import PAGE_URL, PortalContext, PortalFault, ask_to_join, build_portal
from tests.paths import ROOT
from tests.web.browser import SIZES, axe_violations, chromium, window

SECRET = "mate amargo 17"
OWN = WifiState(JoinStatus.OWN, "Truco-7F3A", "kx7m2p9dae")
DNSMASQ = (ROOT / "systemd" / "truco-scorer.dnsmasq.conf").read_text(encoding="utf-8")

# system, what it asks, and what it shows no page for
PROBES = (
    ("Android", "http://connectivitycheck.gstatic.com/generate_204", 204, ""),
    ("older Android", "http://clients3.google.com/generate_204", 204, ""),
    ("Android, other makers", "http://connectivitycheck.android.com/gen_204", 204, ""),
    ("iOS, macOS", "http://captive.apple.com/hotspot-detect.html", 200, "Success"),
    ("older iOS", "http://captive.apple.com/library/test/success.html", 200, "Success"),
    ("Windows", "http://www.msftconnecttest.com/connecttest.txt", 200, "Microsoft Connect Test"),
    ("older Windows", "http://www.msftncsi.com/ncsi.txt", 200, "Microsoft NCSI"),
    ("Firefox", "http://detectportal.firefox.com/success.txt", 200, "success"),
    ("Firefox, newer", "http://detectportal.firefox.com/canonical.html", 200, "success"),
    ("GNOME", "http://nmcheck.gnome.org/check_network_status.txt", 200, "NetworkManager is online"),
)


class Network:
    """The service of the network, with one request at a time."""

    def __init__(self) -> None:
        self.asked: list[WifiNetwork] = []
        self.state = OWN

    async def join(self, network: WifiNetwork) -> PortalFault | None:
        if self.asked:
            return PortalFault.BUSY
        self.asked.append(network)
        return None


@pytest.fixture
def network() -> Network:
    return Network()


class Phone:
    """A browser in the own network."""

    def __init__(self, network: Network) -> None:
        app = build_portal(PortalContext(network.join, lambda: network.state))
        self._transport = httpx.ASGITransport(app)

    def send(self, method: str, url: str, **more: Any) -> httpx.Response:  # noqa: ANN401 - httpx's
        async def talk() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport) as client:
                return await client.request(method, url, **more)

        return asyncio.run(talk())

    def get(self, url: str = PAGE_URL, **headers: str) -> httpx.Response:
        return self.send("GET", url, headers=headers)

    def submit(self, **fields: str) -> httpx.Response:
        return self.send("POST", f"{PAGE_URL}join", data=fields)


@pytest.fixture
def phone(network: Network) -> Phone:
    return Phone(network)


@pytest.mark.parametrize(("system", "url", "status", "text"), PROBES, ids=[r[0] for r in PROBES])
def test_the_probe_of_a_system_is_sent_to_the_page(
    phone: Phone, system: str, url: str, status: int, text: str
) -> None:
    answer = phone.get(url)
    assert (answer.status_code, answer.headers["location"]) == (302, PAGE_URL), system
    assert answer.status_code != status and not (text and text in answer.text)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("url", [row[1] for row in PROBES])
def test_the_dns_of_the_network_answers_for_the_host_of_each_probe(url: str) -> None:
    host = httpx.URL(url).host
    assert f"address=/{host}/{OWN_ADDRESS}\n" in DNSMASQ


def test_dhcp_names_the_api_and_the_api_the_page(phone: Phone) -> None:
    """RFC 8910, 2.1 and RFC 8908, 5."""
    (line,) = [line for line in DNSMASQ.splitlines() if line.startswith("dhcp-option=")]
    option, _, url = line.partition("=")[2].partition(",")
    answer = phone.get(url)
    assert option == "114"
    assert answer.headers["content-type"] == "application/captive+json"
    assert answer.json() == {"captive": True, "user-portal-url": PAGE_URL}


@pytest.mark.parametrize("path", ["favicon.ico", "wp-login.php", "join", "../etc/passwd", "%00"])
def test_other_addresses_lead_to_the_page(phone: Phone, path: str) -> None:
    assert phone.get(f"{PAGE_URL}{path}").headers["location"] == PAGE_URL


@pytest.mark.parametrize(
    ("accepted", "words"),
    [
        ("es-AR,es;q=0.9", ("Pasar la caja a otra red", "una sola radio", "el partido sigue")),
        ("pt-BR", ("Passar a caixa para outra rede", "um rádio só", "a partida continua")),
        ("en-GB", ("Move the box to another network", "one radio", "goes on at the table")),
        ("de", ("Pasar la caja a otra red",)),
    ],
)
def test_the_page_says_beforehand_that_the_own_network_closes(
    phone: Phone, accepted: str, words: tuple[str, ...]
) -> None:
    text = phone.get(**{"accept-language": accepted}).text
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize(
    "name", ["Bar El Ombú", "🃏 truco 🃏", "ñ" * 16, '<b>"O\'Higgins" & co</b>', " Bar "]
)
def test_a_network_of_any_name_is_passed_on(phone: Phone, network: Network, name: str) -> None:
    answer = phone.submit(name=name, password=SECRET, hidden="1")
    assert answer.status_code == 200
    assert network.asked == [WifiNetwork(name, SECRET, hidden=True)]
    assert "<b>" not in answer.text and SECRET not in answer.text
    assert OWN.wifi in answer.text


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"name": "", "password": SECRET}, "el nombre de la red"),
        ({"password": SECRET}, "el nombre de la red"),
        ({"name": "ñ" * 17, "password": SECRET}, "el nombre de la red"),
        ({"name": "Bar", "password": "corta"}, "de 8 a 63"),
        ({"name": "Bar", "password": "contraseña con eñe"}, "de 8 a 63"),
        ({"name": "Bar", "password": "x" * 65}, "de 8 a 63"),
    ],
)
def test_what_cannot_be_is_refused_and_the_name_stays_in_the_form(
    phone: Phone, network: Network, fields: dict[str, str], word: str
) -> None:
    answer = phone.submit(**fields)
    assert answer.status_code == 400 and word in answer.text
    assert f'value="{fields.get("name", "")}"' in answer.text
    assert fields["password"] not in answer.text and network.asked == []


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe",
        b"name=%ff%fe&password=12345678",
        b"&".join(b"a%d=1" % at for at in range(99)),
        b"name=" + b"x" * 5000,
        json.dumps({"name": "Bar"}).encode(),
    ],
)
def test_a_malformed_form_is_refused(phone: Phone, network: Network, body: bytes) -> None:
    answer = phone.send("POST", f"{PAGE_URL}join", content=body)
    assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert network.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://example.org"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://["},
    ],
)
def test_a_form_of_another_page_is_refused(
    phone: Phone, network: Network, headers: dict[str, str]
) -> None:
    body = urlencode({"name": "Bar", "password": SECRET}).encode()
    answer = phone.send("POST", f"{PAGE_URL}join", content=body, headers=headers)
    assert (answer.status_code, network.asked) == (403, [])


def test_a_form_under_a_foreign_name_leads_to_the_page(phone: Phone, network: Network) -> None:
    answer = phone.send("POST", "http://captive.apple.com/join", data={"name": "Bar"})
    assert (answer.status_code, network.asked) == (302, [])


def test_of_two_phones_at_once_the_second_has_to_wait(phone: Phone, network: Network) -> None:
    assert phone.submit(name="Bar", password=SECRET).status_code == 200
    answer = phone.submit(name="Otro", password=SECRET)
    assert answer.status_code == 503 and "Otro teléfono" in answer.text
    assert [each.name for each in network.asked] == ["Bar"]


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (JoinStatus.PASSWORD, "no acepta la clave"),
        (JoinStatus.ABSENT, "no aparece el wifi Bar"),
        (JoinStatus.FAILED, "no se pudo entrar"),
    ],
)
def test_after_a_failed_try_the_page_says_why(
    phone: Phone, network: Network, fault: JoinStatus, word: str
) -> None:
    network.state = OWN._replace(target="Bar", fault=fault)
    assert word in phone.get().text


def test_a_second_phone_sees_that_the_network_is_about_to_close(
    phone: Phone, network: Network
) -> None:
    network.state = OWN._replace(target="Bar")
    assert "La caja pasa a Bar" in phone.get().text


def test_a_service_that_does_not_answer_is_a_fault(tmp_path: Path) -> None:
    found = asyncio.run(ask_to_join(WifiNetwork("Bar"), tmp_path / "none"))
    assert found is PortalFault.FAILED


# ---- the process, and a browser ------------------------------------------------------------------


@contextmanager
def portal(folder: Path) -> Iterator[tuple[int, socket.socket]]:
    """A real ``scorer portal`` on any port, and the socket of the network service."""
    config = folder / "scorer.toml"
    config.write_text(f'[socket]\npath = "{folder}/table.sock"\n', encoding="utf-8")
    words = ["portal", "--config", str(config), "--card", str(folder / "none.toml")]
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as net:
        net.bind(str(folder / SOCKET_NAME))
        net.listen()
        program = (
            "import os, sys\n"
            f"os.dup2({listener.fileno()}, 3)\n"
            "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n"
            "from scorer.cli import main\n"
            f"sys.exit(main({words!r}))\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program],
            pass_fds=[listener.fileno()],
            cwd=ROOT,
            env={**os.environ},
        ) as process:
            try:
                yield listener.getsockname()[1], net
            finally:
                process.terminate()


def answer_one(net: socket.socket) -> dict[str, Any]:
    """Accept one request as the service of the network does."""
    net.settimeout(60)
    connection, _ = net.accept()
    with connection:
        line: dict[str, Any] = json.loads(connection.recv(MAX_LINE_BYTES))
        connection.sendall(b'{"ok": true}\n')
    return line


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "button", "told"),
    [
        ("es-AR", "Pasar a esta red", "La caja pasa a"),
        ("pt-BR", "Passar para esta rede", "A caixa passa para"),
        ("en-GB", "Join this network", "The box joins"),
    ],
)
def test_a_person_enters_a_network_on_a_phone(
    tmp_path: Path, locale: str, button: str, told: str
) -> None:
    with portal(tmp_path) as (port, net):
        rule = f"--host-resolver-rules=MAP * 127.0.0.1:{port}"
        size = SIZES["phone"]
        with chromium(rule) as browser, window(browser, locale=locale, viewport=size) as context:
            page = context.new_page()
            # As a phone does: the probe leads to the page.
            page.goto("http://captive.apple.com/hotspot-detect.html")
            assert page.url == PAGE_URL
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"]
            assert axe_violations(page) == []
            if folder := os.environ.get("PORTAL_PICTURES"):
                page.screenshot(path=f"{folder}/portal-{locale}.png", full_page=True)
            page.fill("#name", "Bar El Ombú")
            page.keyboard.press("Tab")
            page.keyboard.type(SECRET)
            page.get_by_role("button", name=button).click(no_wait_after=True)
            assert answer_one(net) == {
                "do": "join",
                "name": "Bar El Ombú",
                "password": SECRET,
                "hidden": False,
            }
            page.get_by_text(told).wait_for()
            assert axe_violations(page) == []
            if folder:
                page.screenshot(path=f"{folder}/portal-{locale}-joins.png", full_page=True)
