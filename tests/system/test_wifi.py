"""Joining a Wi-Fi network.

The keyfile, the calls of nmcli, and secrecy of the password. NetworkManager is replaced by a script
named nmcli on a PATH of its own. It records its arguments and answers like the real one.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.commands import check
from scorer.config.sources import resolve
from scorer.config.toml_reader import ConfigError, parse_toml
from scorer.config.wifi_section import WifiNetwork
from scorer.plain_values import WrongValues, read
from scorer.system.wifi import state
from scorer.system.wifi.command import EX_CONFIG, main
from scorer.system.wifi.keyfile import CONNECTION, FILE_NAME, keyfile
from scorer.system.wifi.state import JoinStatus, WifiState

SECRET = "mate amargo 17"
CARD = f'[table]\nvariant = "paulista"\n\n[wifi]\nname = "Bar El Ombú"\npassword = "{SECRET}"\n'
NO_PASSWORD = "Error: Connection activation failed: (7) Secrets were required, but not provided."
NO_NETWORK = "Error: Connection activation failed: (53) The Wi-Fi network could not be found."
NO_DEVICE = "Error: Connection activation failed: No suitable device found for this connection."
NO_DAEMON = "Error: NetworkManager is not running."

PROGRAM = """#!/bin/sh
# Stands in NetworkManager's place: writes down what it is asked, says what it was told to say.
printf '%s' "$(basename "$0")" >> "$SAID"
for word; do printf ' %s' "$word" >> "$SAID"; done
printf '\\n' >> "$SAID"
[ "$LC_ALL" = C ] || printf 'speaks another language\\n' >> "$SAID"
case "$*" in
*GENERAL.STATE*) printf '%s\\n' "$STATE" ;;
*" up "*) [ -z "$FAULT" ] || { printf '%s\\n' "$FAULT" >&2; exit "$STATUS"; } ;;
esac
"""


class WifiRun(NamedTuple):
    """The exit code and log of the command, and the programs it called."""

    code: int
    log: str
    calls: tuple[str, ...]


class Box:
    """Folders of a machine, with scripts in place of nmcli and iw."""

    def __init__(self, folder: Path) -> None:
        self.card, self.state = folder / "scorer.toml", folder / "state"
        self.connections = folder / "connections"
        self.connections.mkdir()
        self._programs, self._said = folder / "bin", folder / "said"
        self._programs.mkdir()
        for name in ("nmcli", "iw"):
            (self._programs / name).write_text(PROGRAM)
            (self._programs / name).chmod(0o755)

    @property
    def file(self) -> Path:
        return self.connections / FILE_NAME

    def without(self, program: str) -> None:
        (self._programs / program).unlink()

    def run(
        self, fault: str = "", status: int = 4, state: str = "", *, remove: bool = False
    ) -> WifiRun:
        """Run ``scorer wifi`` with these scripts."""
        self._said.write_text("")
        words = ["--card", str(self.card), "--state", str(self.state)]
        words += ["--remove-from-card"] if remove else []
        log = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(log):
            for name, value in self.environment(fault, status, state).items():
                patch.setenv(name, value)
            code = main([*words, "--connections", str(self.connections)])
        return WifiRun(code, log.getvalue(), tuple(self._said.read_text().splitlines()))

    def environment(self, fault: str = "", status: int = 4, state: str = "") -> dict[str, str]:
        """The environment that selects the scripts and their answers."""
        return {
            "PATH": f"{self._programs}:{self._bare()}",
            "SAID": str(self._said),
            "FAULT": fault,
            "STATUS": str(status),
            "STATE": state,
        }

    def _bare(self) -> Path:
        """A folder with the programs that the scripts need, and without nmcli."""
        bare = self._programs.with_name("bare")
        if not bare.exists():
            bare.mkdir()
            for name in ("sh", "basename"):
                found = shutil.which(name)
                assert found
                (bare / name).symlink_to(found)
        return bare


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path)
    made.card.write_text(CARD)
    return made


def test_a_network_is_joined_with_a_file_that_only_root_can_read(box: Box) -> None:
    result = box.run()
    assert (result.code, result.log) == (0, "scorer wifi: in Bar El Ombú\n")
    assert result.calls == (
        "nmcli radio wifi on",
        f"nmcli connection load {box.file}",
        f"nmcli --wait 45 connection up id {CONNECTION}",
    )
    assert stat.S_IMODE(box.file.stat().st_mode) == 0o600
    assert f"psk={SECRET}\n" in box.file.read_text()
    assert [each.name for each in box.connections.iterdir()] == [FILE_NAME]
    assert state.read(box.state) == WifiState(JoinStatus.JOINED, "Bar El Ombú")
    assert stat.S_IMODE(box.state.stat().st_mode) == 0o644


def test_the_password_is_only_in_that_file(box: Box) -> None:
    for fault in ("", NO_PASSWORD, f"Error: {SECRET[:3]}"):
        result = box.run(fault)
        seen = [result.log, *result.calls, box.state.read_text()]
        assert [each for each in seen if SECRET in each] == []


@pytest.mark.parametrize(
    ("fault", "status", "how", "code", "word"),
    [
        (NO_PASSWORD, 4, JoinStatus.PASSWORD, EX_CONFIG, "does not accept the password"),
        (NO_NETWORK, 4, JoinStatus.ABSENT, 1, "is not in reach"),
        (NO_DEVICE, 4, JoinStatus.FAILED, 1, "No suitable device found"),
        (NO_DAEMON, 8, JoinStatus.FAILED, 1, "NetworkManager is not running"),
        ("Error: Timeout 45 sec expired.", 3, JoinStatus.FAILED, 1, "Timeout 45 sec expired"),
    ],
)
def test_a_failure_is_one_log_line_and_a_status_for_the_panel(
    box: Box, fault: str, status: int, how: JoinStatus, code: int, word: str
) -> None:
    result = box.run(fault, status)
    assert result.code == code
    assert word in result.log
    assert result.log.count("\n") == 1
    assert state.read(box.state) == WifiState(how, "Bar El Ombú")


def test_a_joined_network_is_not_joined_again(box: Box) -> None:
    box.run()
    result = box.run(state="activated")
    show = f"nmcli --get-values GENERAL.STATE connection show {CONNECTION}"
    assert (result.code, result.calls) == (0, (show,))
    assert box.run(state="activating").calls[-1].endswith(f"up id {CONNECTION}")


def test_a_changed_password_is_used_at_once(box: Box) -> None:
    box.run()
    box.card.write_text(CARD.replace(SECRET, "otra clave 18"))
    assert box.run(state="activated").calls[-1].endswith(f"up id {CONNECTION}")
    assert "psk=otra clave 18\n" in box.file.read_text()
    assert SECRET not in box.file.read_text()


def test_a_file_readable_by_others_is_replaced(box: Box) -> None:
    left = box.connections / f".{FILE_NAME}.new"
    left.write_text("left by a power cut")
    left.chmod(0o666)
    box.file.write_text("[connection]\n")
    box.file.chmod(0o666)
    assert box.run().code == 0
    assert stat.S_IMODE(box.file.stat().st_mode) == 0o600
    assert not left.exists()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_right_file_that_others_can_read_is_written_anew(box: Box, mode: int) -> None:
    box.run()
    box.file.chmod(mode)
    assert box.run(state="activated").calls[-1].endswith(f"up id {CONNECTION}")
    assert stat.S_IMODE(box.file.stat().st_mode) == 0o600


def test_the_country_is_set_first(box: Box) -> None:
    box.card.write_text(CARD + 'country = "AR"\n')
    assert box.run().calls[0] == "iw reg set AR"
    box.without("iw")
    assert box.run().code == 0


def test_without_networkmanager_the_log_names_the_package(box: Box) -> None:
    box.without("nmcli")
    result = box.run()
    assert (result.code, result.log) == (
        1,
        "scorer wifi: nmcli is missing: apt install network-manager\n",
    )
    assert not box.file.exists()


def test_it_runs_as_a_command(box: Box) -> None:
    words = ["--card", str(box.card), "--connections", str(box.connections)]
    done = subprocess.run(
        [sys.executable, "-m", "scorer", "wifi", *words, "--state", str(box.state)],
        env={**os.environ, **box.environment(NO_PASSWORD)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (EX_CONFIG, "")
    assert done.stderr == "scorer wifi: Bar El Ombú does not accept the password\n"


@pytest.mark.parametrize("card", [None, "", '[table]\nvariant = "paulista"\n'])
def test_a_card_without_a_network_changes_nothing(box: Box, card: str | None) -> None:
    box.card.unlink()
    if card is not None:
        box.card.write_text(card)
    result = box.run()
    assert (result.code, result.calls) == (0, ())
    assert "nothing to join" in result.log
    assert (box.file.exists(), state.read(box.state)) == (False, None)


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ('[wifi]\npassword = "mate amargo 17"\n', "wifi.name: is missing"),
        ('[wifi]\nname = "Bar"\npassword = "mate"\n', "wifi.password: 8 to 63 letters"),
        ('[wifi]\nname = "Bar"\npasword = "mate amargo 17"\n', "did you mean 'password'"),
        ('[wifi]\nname = "Bar"\npassword = 12345678\n', "wants a text between quotes"),
        ('wifi = "Bar"\n', "is a section"),
        ('[wifi]\nname = "Bar"\npassword = mate amargo 17\n', "line 3: this is no TOML"),
        ('[wifi]\nname = "Bar"\npassword = "mate\\u0007amargo"\n', "cannot be written"),
        ('[wifi]\nname = "Bar"\ncountry = "Argentina"\n', "two capitals"),
        ('[wifi]\nname = "Bar"\nremove_after_joining = "yes"\n', "wants true or false"),
        (f'[wifi]\nname = "{"ñ" * 17}"\n', "32 bytes at most, not 34"),
    ],
)
def test_an_invalid_card_is_reported_without_its_password(
    box: Box, written: str, word: str
) -> None:
    box.card.write_text(written)
    result = box.run()
    assert (result.code, result.calls) == (EX_CONFIG, ())
    assert word in result.log
    assert not any(letters in result.log for letters in ("mate", "amargo", "12345678"))
    assert state.read(box.state) == WifiState(JoinStatus.FAILED, "")


def test_unwritable_files_are_reported(box: Box, tmp_path: Path) -> None:
    box.connections.rmdir()
    box.state = tmp_path / "none" / "state"
    result = box.run()
    assert result.code == 1
    assert "connections cannot be written: No such file or directory" in result.log
    assert "state cannot be written" in result.log


def test_control_characters_of_a_name_are_not_logged(box: Box) -> None:
    box.card.write_text('[wifi]\nname = "a\\u202Eb"\n')
    result = box.run(NO_NETWORK)
    assert "a?b is not in reach" in result.log


# ---- the password on the card -------------------------------------------------------------------

OTHERS = '# the bar\n[table]\nvariant = "paulista"  # [wifi]\n'
NETWORK = f'[wifi] # ours\nname = "Bar"\n# of the wall\npassword = "{SECRET}"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{OTHERS}\n{NETWORK}", f"{OTHERS}\n"),
        (f"{NETWORK}{OTHERS}", OTHERS),
        (f"{NETWORK}\n{OTHERS}".replace("\n", "\r\n"), f"\n{OTHERS}"),
        ("\ufeff" + NETWORK.replace("[wifi]", ' [ "wifi" ]'), ""),
    ],
)
def test_the_password_is_removed_from_the_card(box: Box, before: str, after: str) -> None:
    box.card.write_text(before, encoding="utf-8", newline="")
    box.run()
    result = box.run(remove=True)
    assert (result.code, result.calls) == (0, ())
    assert "the box stays in its network" in result.log
    assert box.card.read_text(encoding="utf-8") == after
    assert box.file.exists(), "the connection stays"
    assert "nothing to join" in box.run().log
    assert box.file.exists()
    assert "nothing to remove" in box.run(remove=True).log


@pytest.mark.parametrize(
    "text", ['wifi = {name = "Bar"}\n', f'wifi.password = "{SECRET}"\n', "[wifi\n"]
)
def test_a_network_in_another_notation_is_left_to_the_owner(box: Box, text: str) -> None:
    box.card.write_text(text)
    result = box.run(remove=True)
    assert result.code == 1 and str(box.card) in result.log and SECRET not in result.log
    assert box.card.read_text() == text


def test_the_password_is_removed_after_joining_if_the_card_asks_for_it(box: Box) -> None:
    box.card.write_text(f"{CARD}remove_after_joining = true\n")
    assert box.run(NO_PASSWORD).code == EX_CONFIG
    assert SECRET in box.card.read_text(), "not before it has joined"
    result = box.run()
    assert result.code == 0 and "the box stays in its network" in result.log
    assert box.card.read_text() == '[table]\nvariant = "paulista"\n\n'
    assert box.run().code == 0 and box.file.exists()


def test_a_card_that_cannot_be_written_does_not_undo_the_joining(box: Box) -> None:
    box.card.write_text(
        f'wifi = {{name = "Bar", password = "{SECRET}", remove_after_joining = true}}\n'
    )
    result = box.run()
    assert result.code == 0 and "remove it with an editor" in result.log
    assert state.read(box.state) == WifiState(JoinStatus.JOINED, "Bar")


# ---- the keyfile --------------------------------------------------------------------------------


def test_an_open_network_has_no_security_section() -> None:
    assert "wifi-security" not in keyfile(WifiNetwork("Plaza"))


@pytest.mark.parametrize(
    ("password", "spelled"),
    [
        ("mate amargo", "mate amargo"),
        ("  two before", r"\s\stwo before"),
        ("one after ", r"one after\s"),
        (" " * 8, r"\s" * 8),
        (r"back\slash", r"back\\slash"),
        ("=;#[]\"'%$", "=;#[]\"'%$"),
    ],
)
def test_a_password_is_escaped(password: str, spelled: str) -> None:
    assert f"\npsk={spelled}\n" in keyfile(WifiNetwork("Bar", password))


LETTERS = st.characters(min_codepoint=32, max_codepoint=126)
PASSWORDS = st.text(LETTERS, min_size=8, max_size=63)
NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.isprintable())


@settings(max_examples=15, deadline=None)
@given(name=NAMES, password=PASSWORDS)
def test_the_real_nmcli_reads_the_keyfile(name: str, password: str) -> None:
    nmcli = shutil.which("nmcli")
    if nmcli is None:
        pytest.skip("no nmcli to read the file: apt install network-manager")
    command = [nmcli, "--offline", "connection", "modify", "connection.zone", "bar"]
    text = keyfile(WifiNetwork(name, password))
    read = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")
    lines = dict(line.partition("=")[::2] for line in read.stdout.splitlines() if "=" in line)
    assert unescaped(lines["psk"]) == password
    assert (lines["id"], lines["key-mgmt"], lines["zone"]) == (CONNECTION, "wpa-psk", "bar")


def unescaped(value: str) -> str:
    """The value of a keyfile entry as GLib unescapes it."""
    spelled = {"\\": "\\", "s": " "}
    letters = iter(value)
    return "".join(spelled[next(letters)] if each == "\\" else each for each in letters)


@given(name=NAMES, password=PASSWORDS)
def test_any_name_is_one_value_of_one_line(name: str, password: str) -> None:
    lines = keyfile(WifiNetwork(name, password)).splitlines()
    assert [line for line in lines if line.startswith(("[", "psk=", "ssid="))] == [
        "[connection]",
        "[wifi]",
        "ssid=" + "".join(f"{byte};" for byte in name.encode()),
        "[wifi-security]",
        next(line for line in lines if line.startswith("psk=")),
        "[ipv4]",
        "[ipv6]",
    ]


@given(name=st.text(), password=st.text(), country=st.text())
def test_a_valid_section_makes_a_keyfile_and_errors_never_quote_the_password(
    name: str, password: str, country: str
) -> None:
    section = {"name": name, "password": password, "country": country}
    try:
        network = read(WifiNetwork, section)
    except WrongValues as error:
        assert len(password) < 8 or password not in str(error)
    else:
        assert keyfile(network).count("\n[") == (4 if password else 3)


# ---- the table does not store it ----------------------------------------------------------------


class MemorySettings:
    """The settings of a store."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def settings(self) -> dict[str, str]:
        return dict(self.values)

    def set_setting(self, key: str, value: str) -> None:
        self.values[key] = value


@pytest.mark.parametrize(("owners", "card"), [("", CARD), (CARD, None), (CARD, CARD)])
def test_the_password_is_never_stored(owners: str, card: str | None) -> None:
    store = MemorySettings()
    settled = resolve(owners, card, store)
    assert settled.problems == ()
    assert settled.config.header.rules.variant.id == "paulista"
    assert SECRET not in json.dumps(store.values)
    assert "wifi" not in json.dumps(store.values)
    assert SECRET not in repr(settled)


def test_scorer_check_reports_errors_without_the_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text(CARD)
    assert check.main([str(file)]) == 0
    assert SECRET not in capsys.readouterr().out
    file.write_text(CARD.replace(SECRET, "corta").replace("Bar El Ombú", ""))
    assert check.main([str(file)]) == 1
    output = capsys.readouterr().out
    assert f"{file}:5: wifi.name: is missing" in output
    assert f"{file}:6: wifi.password: 8 to 63 letters" in output
    assert "corta" not in output


def test_an_invalid_network_keeps_the_owners_settings() -> None:
    settled = resolve(CARD.replace(SECRET, "corta"), None, MemorySettings())
    assert settled.config.header.rules.variant.id == "paulista"
    on_the_card = resolve("", CARD.replace(SECRET, "corta"), MemorySettings())
    assert [problem.line for problem in on_the_card.problems] == [6]


@pytest.mark.parametrize("value", ['"mate\\u0000amargo"', '["mate\\u0007"]', '{a = "\\u001b"}'])
def test_no_value_that_cannot_be_written_is_quoted(value: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_toml(f"[wifi]\npassword = {value}\n")
    assert "mate" not in str(raised.value)


def test_a_name_alone_is_a_valid_network(capsys: pytest.CaptureFixture[str]) -> None:
    section: Mapping[str, Any] = {"name": "Plaza"}
    assert read(WifiNetwork, section) == WifiNetwork("Plaza")
    assert main(["--card", "/nowhere/scorer.toml"]) == 0
    assert "nothing to join" in capsys.readouterr().err
