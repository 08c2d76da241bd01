"""The own network instead of a lost one, and joining a network by its page.

The watch runs on files and programs in place of those of NetworkManager; time is an argument.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.config.wifi_section import WifiNetwork
from scorer.system.wifi import command, requests, serve, state
from scorer.system.wifi.keyfile import (
    CONNECTION,
    FILE_NAME,
    OWN_CONNECTION,
    TRIAL_CONNECTION,
    TRIAL_FILE_NAME,
    keyfile,
)
from scorer.system.wifi.own_network import OWN_FILE_NAME, Machine
from scorer.system.wifi.radio import NetworkManagerRadio
from scorer.system.wifi.state import JoinStatus, WifiState
from scorer.system.wifi.watch import AGAIN_S, CLOSING_S, LOOK_S, LOST_S, NetworkWatch
from scorer.system.wifi.watch_request import WATCH_VALID_S, WatchRequest
from tests.paths import ROOT
from tests.support.fake_network_manager import FakeNetworkManager

BAR = WifiNetwork("Bar El Ombú", "mate amargo 17")
DOCUMENT = (ROOT / "docs" / "operators" / "network.md").read_text(encoding="utf-8")


class Box:
    """A machine with one radio, which the watch looks after at the times of the test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.manager = FakeNetworkManager(folder)
        monkeypatch.setenv("PATH", self.manager.path)
        interfaces, machine_id = folder / "net", folder / "machine-id"
        (interfaces / "wlan0" / "phy80211").mkdir(parents=True)
        machine_id.write_text("0123456789abcdef0123456789abcdef\n")
        self.machine = Machine(self.manager.connections, interfaces, machine_id)
        self.states: list[WifiState] = []
        self.log: list[str] = []
        self.now = 1000.0
        self.restart()

    def restart(self) -> None:
        """Another process of the service."""
        radio = NetworkManagerRadio(self.machine, self.manager.trials)
        self.watch = NetworkWatch(radio, self.states.append, self.log.append)

    def know(self, network: WifiNetwork = BAR) -> None:
        """A network that was joined earlier."""
        file = self.manager.connections / FILE_NAME
        file.write_text(keyfile(network))
        file.chmod(0o600)

    def run(self, seconds: float, *, is_on: bool = True, is_playing: bool = False) -> None:
        """Let time pass, with the requests of a table."""
        until = self.now + seconds
        while self.now < until:
            self.watch.watch(WatchRequest(is_on, is_playing), self.now)
            self.watch.tick(self.now)
            self.now += 60.0
        self.watch.tick(self.now)

    @property
    def shown(self) -> WifiState:
        return self.states[-1]


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    return Box(tmp_path, monkeypatch)


@pytest.fixture
def open_box(box: Box) -> Box:
    """A box whose router is away, with its own network open."""
    box.know()
    box.run(LOST_S)
    assert box.manager.active == OWN_CONNECTION
    return box


def test_after_three_minutes_without_a_known_network_the_box_opens_its_own(box: Box) -> None:
    """network.md: three minutes."""
    assert LOST_S == 180 and "three minutes" in DOCUMENT
    box.know()
    box.run(LOST_S - 60)
    assert box.manager.active == "" and box.states == []
    box.run(60)
    assert box.manager.active == OWN_CONNECTION
    assert box.shown.status is JoinStatus.OWN and box.shown.password


@pytest.mark.sampled(0)
def test_a_radio_that_is_blocked_by_software_is_switched_on(open_box: Box) -> None:
    calls = open_box.manager.calls()
    assert calls.index("nmcli radio wifi on") < calls.index(
        f"nmcli --wait 45 connection up id {OWN_CONNECTION}"
    )


@pytest.mark.sampled(0)
@pytest.mark.parametrize("connected", [{"active": CONNECTION}, {"cable": True}])
def test_a_box_in_a_network_opens_none(box: Box, connected: dict[str, object]) -> None:
    box.know()
    box.manager.update(**connected)
    box.run(2 * LOST_S)
    assert box.states == [] and box.manager.active != OWN_CONNECTION


@pytest.mark.sampled(0)
def test_a_network_that_returns_within_three_minutes_starts_the_wait_anew(box: Box) -> None:
    box.know()
    box.run(LOST_S - 60)
    box.manager.update(active=CONNECTION)
    box.run(60)
    box.manager.update(active="")
    box.run(LOST_S - 60)
    assert box.states == []


@pytest.mark.sampled(0)
@pytest.mark.parametrize("seconds_with_choice", [0, 60])
def test_without_the_choice_nothing_is_opened(box: Box, seconds_with_choice: float) -> None:
    box.know()
    box.run(seconds_with_choice)
    box.run(2 * LOST_S, is_on=False)
    assert box.states == [] and box.manager.active == ""


def test_the_choice_of_a_table_that_has_ended_does_not_hold(box: Box) -> None:
    box.know()
    box.run(10)
    box.now += WATCH_VALID_S
    box.watch.tick(box.now)
    assert box.watch.is_idle(box.now)
    box.now += LOST_S
    box.watch.tick(box.now)
    assert box.states == []


@pytest.mark.sampled(0)
def test_a_networkmanager_that_does_not_answer_is_no_lost_network(box: Box) -> None:
    box.know()
    box.manager.update(mute="NetworkManager is not running.")
    box.run(2 * LOST_S)
    assert box.states == [] and box.log == []


@pytest.mark.sampled(0)
def test_a_machine_without_a_radio_says_so_and_tries_again(box: Box) -> None:
    (box.machine.interfaces / "wlan0" / "phy80211").rmdir()
    box.run(LOST_S + 2 * AGAIN_S)
    assert set(box.log) == {"this machine has no radio"} and len(box.log) == 3
    assert box.states == []


# ---- back to the known networks ----------------------------------------------------------------


@pytest.mark.sampled(0)
def test_the_box_returns_when_the_router_is_back(open_box: Box) -> None:
    open_box.manager.put_in_air({BAR.name: BAR.password})
    open_box.run(LOOK_S - 120)
    assert open_box.manager.active == OWN_CONNECTION
    open_box.run(180)
    assert open_box.manager.active == CONNECTION
    assert open_box.shown.status is JoinStatus.JOINED


@pytest.mark.sampled(0)
def test_a_look_in_vain_opens_the_own_network_again(open_box: Box) -> None:
    password = open_box.shown.password
    open_box.run(LOOK_S + 60)
    assert open_box.states[-2] == WifiState(JoinStatus.JOINING, "")
    assert open_box.manager.active == OWN_CONNECTION and open_box.shown.password == password


@pytest.mark.sampled(0)
def test_nothing_is_looked_for_under_a_game_or_a_phone(open_box: Box) -> None:
    open_box.manager.put_in_air({BAR.name: BAR.password})
    open_box.run(LOOK_S + 120, is_playing=True)
    open_box.manager.update(phones=True)
    open_box.run(LOOK_S + 120)
    assert open_box.manager.active == OWN_CONNECTION
    open_box.manager.update(phones=False)
    open_box.run(LOOK_S + 60)
    assert open_box.manager.active == CONNECTION


@pytest.mark.sampled(0)
def test_a_choice_that_is_taken_back_closes_the_own_network(open_box: Box) -> None:
    open_box.run(60)  # the watch has noticed that it is open
    open_box.run(60, is_on=False)
    assert open_box.manager.active == ""
    assert open_box.watch.is_idle(open_box.now)


# ---- joining -----------------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_panel_and_page_know_beforehand_that_the_own_network_closes(open_box: Box) -> None:
    own = open_box.shown
    assert open_box.watch.ask(BAR, open_box.now)
    assert open_box.shown == own._replace(target=BAR.name)
    open_box.watch.tick(open_box.now + CLOSING_S - 1)
    assert open_box.manager.active == OWN_CONNECTION


def join(box: Box, network: WifiNetwork) -> None:
    assert box.watch.ask(network, box.now)
    box.now += CLOSING_S
    box.watch.tick(box.now)


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    "name",
    ["Bar", "Café Ñandú", "🃏 truco 🃏", "ñ" * 16, "el \"bar\" de 'Tito'", "a;b=c\\d#[e]", " Bar "],
)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_network_of_any_name_is_joined_and_kept(box: Box, name: str, hidden: bool) -> None:
    network = WifiNetwork(name, " clave; con\\todo ", hidden=hidden)
    box.manager.put_in_air({name: network.password})
    box.manager.update(hidden=[name.encode().hex()] if hidden else [])
    box.manager.update(active=OWN_CONNECTION)
    join(box, network)
    assert box.manager.active == TRIAL_CONNECTION
    assert box.shown == WifiState(JoinStatus.JOINED, name)
    kept = box.manager.connections / FILE_NAME
    assert kept.read_text() == keyfile(network) and kept.stat().st_mode & 0o777 == 0o600
    assert network.password not in " ".join([*box.log, *box.manager.calls()])


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    ("air", "fault"),
    [
        ({BAR.name: "otra clave 18"}, JoinStatus.PASSWORD),
        ({}, JoinStatus.ABSENT),
    ],
)
def test_after_a_failed_try_the_own_network_is_back_and_says_why(
    open_box: Box, air: dict[str, str], fault: JoinStatus
) -> None:
    own = open_box.shown
    before = (open_box.manager.connections / FILE_NAME).read_text()
    open_box.manager.put_in_air(air)
    join(open_box, BAR._replace(hidden=True))
    assert open_box.manager.active == OWN_CONNECTION
    assert open_box.shown == own._replace(target=BAR.name, fault=fault)
    assert (open_box.manager.connections / FILE_NAME).read_text() == before
    assert list(open_box.manager.trials.iterdir()) == []


@pytest.mark.sampled(0)
def test_of_two_phones_at_once_the_first_is_heard(open_box: Box) -> None:
    open_box.manager.put_in_air({"Otro": "otra clave 18"})
    assert open_box.watch.ask(WifiNetwork("Otro", "otra clave 18"), open_box.now)
    assert not open_box.watch.ask(BAR, open_box.now + 1)
    open_box.now += CLOSING_S
    open_box.watch.tick(open_box.now)
    assert open_box.shown.wifi == "Otro"


@pytest.mark.sampled(0)
def test_a_network_that_goes_away_after_joining_is_a_lost_one(box: Box) -> None:
    box.manager.put_in_air({BAR.name: BAR.password})
    box.manager.update(active=OWN_CONNECTION)
    join(box, BAR)
    box.manager.put_in_air({})
    box.manager.update(active="")
    box.run(LOST_S + 60)
    assert box.manager.active == OWN_CONNECTION


@pytest.mark.sampled(0)
def test_a_power_cut_during_a_trial_leaves_the_networks_of_before(
    open_box: Box, tmp_path: Path
) -> None:
    """The trial is in a folder that is lost with the power."""
    before = (open_box.manager.connections / FILE_NAME).read_text()
    (open_box.manager.programs / "nmcli").write_text("#!/bin/sh\nkill -9 $PPID\n")
    program = (
        "import sys; from pathlib import Path\n"
        "from scorer.config.wifi_section import WifiNetwork\n"
        "from scorer.system.wifi.joining import try_network\n"
        "try_network(WifiNetwork('Otro', 'otra clave 18'), *map(Path, sys.argv[1:]))\n"
    )
    places = [str(open_box.manager.connections), str(open_box.manager.trials)]
    done = subprocess.run([sys.executable, "-c", program, *places], cwd=ROOT, check=False)
    assert done.returncode == -9
    assert (open_box.manager.trials / TRIAL_FILE_NAME).exists()
    assert (open_box.manager.connections / FILE_NAME).read_text() == before
    names = {file.name for file in open_box.manager.connections.iterdir()}
    assert names == {FILE_NAME, OWN_FILE_NAME}


@pytest.mark.sampled(0)
def test_a_service_that_starts_anew_takes_care_of_an_open_network(open_box: Box) -> None:
    open_box.restart()
    open_box.manager.put_in_air({BAR.name: BAR.password})
    open_box.run(LOOK_S + 120)
    assert open_box.manager.active == CONNECTION


@pytest.mark.sampled(0)
def test_the_network_of_the_card_waits_while_the_own_one_is_open(
    open_box: Box, tmp_path: Path
) -> None:
    """scorer-wifi.service tries every minute, which would close it each time."""
    card, file = tmp_path / "scorer.toml", tmp_path / "state"
    card.write_text(f'[wifi]\nname = "{BAR.name}"\npassword = "{BAR.password}"\n')
    state.write(open_box.shown, file)
    words = ["--card", str(card), "--connections", str(open_box.manager.connections)]
    assert command.main([*words, "--state", str(file)]) == 0
    assert open_box.manager.active == OWN_CONNECTION
    assert state.read(file) == open_box.shown


# ---- the socket --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}\n",
        b"[]\n",
        b'{"do": "join"}\n',
        b'{"do": "join", "name": ""}\n',
        b'{"do": "join", "name": "Bar", "password": "corta"}\n',
        b'{"do": "join", "name": "Bar", "password": 12345678}\n',
        b'{"do": "join", "name": "Bar", "hidden": "yes"}\n',
        b'{"do": "join", "name": "Bar", "file": "/etc/passwd"}\n',
        b'{"do": "join", "name": "\\ud800"}\n',
        b'{"do": "join", "name": "a\\nautoconnect=false"' + b"x" * 3000,
        f'{{"do": "join", "name": "{"ñ" * 17}"}}\n'.encode(),
        b'{"do": "watch"}\n',
        b'{"do": "halt"}\n',
        b"\xff\xfe\n",
        b"[" * 2000,
    ],
)
def test_a_malformed_request_is_refused_and_changes_nothing(box: Box, line: bytes) -> None:
    assert serve.answer(box.watch, line, box.now) == {"ok": False, "why": "malformed"}
    assert box.watch.is_idle(box.now) and box.states == []


def test_a_control_character_of_a_name_makes_no_second_line(box: Box) -> None:
    line = json.dumps({"do": "join", "name": "a\nid=b"}).encode() + b"\n"
    assert serve.answer(box.watch, line, box.now) == {"ok": True}
    assert "\nid=b" not in keyfile(WifiNetwork("a\nid=b"))


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "network.sock"))
        made.listen()
        yield made


def ask(path: Path, **fields: object) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX) as to:
        to.settimeout(30)
        to.connect(str(path))
        to.sendall(json.dumps(fields).encode() + b"\n")
        with to.makefile("rb") as answers:
            found: dict[str, Any] = json.loads(answers.readline())
    return found


def test_the_process_answers_on_the_socket_that_systemd_passes(
    box: Box, listener: socket.socket, tmp_path: Path
) -> None:
    words = ["wifi", "--serve", "--connections", str(box.manager.connections)]
    words += ["--state", str(tmp_path / "state"), "--trials", str(box.manager.trials)]
    program = (
        "import os, sys\n"
        f"os.dup2({listener.fileno()}, 3)\n"
        "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n"
        "from scorer.cli import main\n"
        f"sys.exit(main({words!r}))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PATH": box.manager.path},
        pass_fds=[listener.fileno()],
        cwd=ROOT,
    ) as process:
        path = tmp_path / "network.sock"
        try:
            assert ask(path, do="watch", is_on=True) == {"ok": True}
            assert ask(path, do="join", name="Bar", password="mate amargo") == {"ok": True}
            again = ask(path, do="join", name="Otro")
            assert again == {"ok": False, "why": requests.BUSY}
        finally:
            process.terminate()


def test_by_hand_it_says_what_starts_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--serve"]) == 2
    assert "scorer-network.socket" in capsys.readouterr().err


class Clock:
    """Advances with each look at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 7.0
        return self.now


def test_it_ends_when_nothing_is_left_to_do(box: Box, listener: socket.socket) -> None:
    clock = Clock()
    serve.serve(listener, box.watch, box.log.append, clock, tick_s=0.001)
    assert serve.IDLE_S <= clock.now < 2 * serve.IDLE_S and box.log == []
