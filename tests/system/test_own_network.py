"""The Wi-Fi network that the box opens itself: when, and with which password.

NetworkManager is replaced by scripts named nmcli and nm-online on a PATH of its own.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.config.wifi_section import WifiNetwork
from scorer.plain_values import read
from scorer.system import shown_password
from scorer.system.wifi import command, own_network, state
from scorer.system.wifi.keyfile import OWN_ADDRESS, OWN_CONNECTION, keyfile, own_keyfile
from scorer.system.wifi.own_network import OWN_FILE_NAME, Machine, open_network
from scorer.system.wifi.state import JoinStatus, WifiState

NMCLI = """#!/bin/sh
echo "$*" >> "{folder}/calls"
case "$*" in
*GENERAL.STATE*) cat "{folder}/active" 2>/dev/null ;;
*" up "*) [ ! -e "{folder}/fault" ] || {{ cat "{folder}/fault" >&2; exit 4; }} ;;
esac
"""


class Box(NamedTuple):
    """A machine with one radio, no cable and no known network."""

    folder: Path
    machine: Machine

    @property
    def file(self) -> Path:
        return self.machine.connections / OWN_FILE_NAME

    def calls(self) -> list[str]:
        return (self.folder / "calls").read_text().splitlines()

    def connect_cable(self) -> None:
        (self.folder / "cable").touch()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    machine = Machine(tmp_path / "connections", tmp_path / "net", tmp_path / "machine-id")
    machine.connections.mkdir()
    (machine.interfaces / "wlan0" / "phy80211").mkdir(parents=True)
    (machine.interfaces / "eth0").mkdir()
    machine.machine_id.write_text("0123456789abcdef0123456789abcdef\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    online = f'#!/bin/sh\n[ -e "{tmp_path}/cable" ]\n'
    for name, text in (("nmcli", NMCLI.format(folder=tmp_path)), ("nm-online", online)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return Box(tmp_path, machine)


def password_of(text: str) -> str:
    found = re.search("^psk=(.+)$", text, re.MULTILINE)
    assert found
    return found[1]


def test_without_any_network_the_box_opens_its_own(box: Box) -> None:
    outcome, opened = open_network(box.machine)
    assert opened is not None and opened.status is JoinStatus.OWN
    assert outcome.sentence == f"{opened.wifi} is open"
    assert re.fullmatch("Truco-[0-9A-F]{4}", opened.wifi)
    assert stat.S_IMODE(box.file.stat().st_mode) == 0o600
    assert password_of(box.file.read_text()) == opened.password
    assert box.calls()[-2:] == [
        f"connection load {box.file}",
        f"--wait 45 connection up id {OWN_CONNECTION}",
    ]


def test_name_and_password_stay_the_same_over_starts(box: Box) -> None:
    first = open_network(box.machine)[1]
    assert open_network(box.machine)[1] == first
    (box.folder / "active").write_text("activated\n")
    calls = len(box.calls())
    outcome, again = open_network(box.machine)
    assert again == first and outcome.sentence.endswith("as before")
    assert not any(" up " in call for call in box.calls()[calls:])


def test_an_open_network_does_not_count_as_a_cable(box: Box) -> None:
    first = open_network(box.machine)[1]
    (box.folder / "active").write_text("activated\n")
    box.connect_cable()  # nm-online reports the own network as well
    assert open_network(box.machine)[1] == first


def test_two_boxes_have_different_names_and_passwords(box: Box) -> None:
    first = open_network(box.machine)[1]
    box.file.unlink()
    box.machine.machine_id.write_text("another\n")
    second = open_network(box.machine)[1]
    assert first is not None and second is not None
    assert first.wifi != second.wifi and first.password != second.password


def test_a_password_is_valid_and_has_no_letters_that_look_alike(box: Box) -> None:
    _, opened = open_network(box.machine)
    assert opened is not None
    section = {"name": opened.wifi, "password": opened.password}
    assert read(WifiNetwork, section) == WifiNetwork(opened.wifi, opened.password)
    assert len(opened.password) == shown_password.LENGTH
    assert not set(opened.password) & set("0o1liquv")


def test_with_a_cable_the_network_stays_closed(box: Box) -> None:
    box.connect_cable()
    outcome, opened = open_network(box.machine)
    assert (opened, box.file.exists()) == (None, False)
    assert "cable" in outcome.sentence


def test_with_a_known_network_the_radio_stays_free_for_it(box: Box) -> None:
    known = box.machine.connections / "bar.nmconnection"
    known.write_text(keyfile(WifiNetwork("Bar", "mate amargo")))
    outcome, opened = open_network(box.machine)
    assert (opened, box.file.exists()) == (None, False)
    assert outcome.sentence == "bar is known: no network is opened"
    known.write_text("[connection]\nid=cable\ntype=ethernet\n")
    assert open_network(box.machine)[1] is not None


def test_without_a_radio_nothing_fails(box: Box) -> None:
    shutil.rmtree(box.machine.interfaces / "wlan0")
    outcome, opened = open_network(box.machine)
    assert opened is None and outcome.status is not JoinStatus.FAILED


def test_a_failure_is_a_sentence_without_the_password(box: Box) -> None:
    (box.folder / "fault").write_text("Error: Connection activation failed: no mode ap\n")
    outcome, opened = open_network(box.machine)
    assert opened is None and outcome.status is JoinStatus.FAILED
    assert outcome.sentence.endswith("cannot be opened: Connection activation failed: no mode ap")
    assert password_of(box.file.read_text()) not in outcome.sentence


def run_command(box: Box, card: Path, *words: str) -> tuple[int, str]:
    """Run ``scorer wifi``; its exit code and log."""
    arguments = ["--card", str(card), "--connections", str(box.machine.connections)]
    log = io.StringIO()
    with contextlib.redirect_stderr(log):
        code = command.main([*arguments, "--state", str(box.folder / "state"), *words])
    return code, log.getvalue()


def test_a_network_on_the_card_goes_first(box: Box) -> None:
    card = box.folder / "scorer.toml"
    card.write_text('[wifi]\nname = "Bar"\npassword = "mate amargo"\n')
    assert run_command(box, card, "--own-network") == (0, "scorer wifi: in Bar\n")
    assert not box.file.exists()
    assert state.read(box.folder / "state") == WifiState(JoinStatus.JOINED, "Bar")


def test_the_network_is_opened_only_where_the_unit_asks_for_it(box: Box) -> None:
    code, log = run_command(box, box.folder / "none.toml")
    assert (code, log.count("\n"), box.file.exists()) == (0, 1, False)


def test_the_password_is_in_the_state_for_the_panel_and_not_in_the_log(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_network, "Machine", lambda _: box.machine)
    code, log = run_command(box, box.folder / "none.toml", "--own-network")
    found = state.read(box.folder / "state")
    assert code == 0 and found is not None and found.status is JoinStatus.OWN
    assert found.password == password_of(box.file.read_text())
    assert found.password not in log and found.wifi in log


def test_the_real_nmcli_reads_the_keyfile() -> None:
    nmcli = shutil.which("nmcli")
    if nmcli is None:
        pytest.skip("no nmcli to read the file: apt install network-manager")
    text = own_keyfile(WifiNetwork("Truco-7F3A", "kx7m2p9dae"), OWN_CONNECTION)
    read = subprocess.run(
        [nmcli, "--offline", "connection", "modify", "connection.zone", "bar"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (read.returncode, read.stderr) == (0, "")
    lines = dict(line.partition("=")[::2] for line in read.stdout.splitlines() if "=" in line)
    assert (lines["mode"], lines["psk"], lines["key-mgmt"]) == ("ap", "kx7m2p9dae", "wpa-psk")
    assert lines["address1"] == f"{OWN_ADDRESS}/24"
