"""The settings of a board: over USB to the firmware itself, and as a file."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from scorer.hw.ports import DeviceError
from scorer.hw.serial.board_settings import MAX_LINE, BoardSettings, send_settings, settings_line
from scorer.hw.serial.port import Port
from scorer.radio.command import main
from tests.hw.serial.firmware_process import PATIENCE, RESET_CODE, Pico, needs_micropython
from tests.hw.serial.ptys import Cable
from tests.radio.radio_process import running_radio

SETTINGS = BoardSettings("norte", "ab" * 32, "Bar Ñandú", "contraseña ¡sí!", "192.168.1.20")


def store(cable: Cable, text: str) -> None:
    send_settings(Port(str(cable.path)), text, wait=PATIENCE)


@pytest.mark.parametrize("on", ["python", "micropython"])
def test_settings_over_usb_are_stored_and_the_board_restarts(tmp_path: Path, on: str) -> None:
    if on == "micropython":
        needs_micropython()
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, on=on, real=True, folder=tmp_path)
    store(cable, SETTINGS.text())
    assert pico.process.wait(PATIENCE) == RESET_CODE
    pico.unplug()
    if on == "python":
        assert json.loads((tmp_path / "radio.json").read_text("utf-8")) == SETTINGS._asdict()
    cable.pull()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "text", ["", "[]", "5", '"x"', "{}", '{"box": 5}', '{"box": "norte", "key": "zz"}', "{"]
)
def test_a_board_with_wrong_settings_is_a_box_on_its_cable(tmp_path: Path, text: str) -> None:
    (tmp_path / "radio.json").write_text(text, encoding="utf-8")
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, folder=tmp_path)
    pico.press("truco", down=True)
    pico.advance(5)
    assert b"T1 " in cable.read_from_box(1)
    pico.unplug()
    cable.pull()


def test_forgotten_settings_leave_a_box_on_its_cable(tmp_path: Path) -> None:
    (tmp_path / "radio.json").write_text(SETTINGS.text(), encoding="utf-8")
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, real=True, folder=tmp_path)
    store(cable, "")
    assert pico.process.wait(PATIENCE) == RESET_CODE
    pico.unplug()
    pico = Pico(cable.descriptor, real=True, folder=tmp_path)
    pico.press("truco", down=True)
    assert b"T1 " in cable.read_from_box(1)
    pico.unplug()
    cable.pull()


@pytest.mark.parametrize(
    "line",
    [
        b"K1 {} 00000000\n",
        settings_line("no JSON"),
        settings_line(SETTINGS.text())[:-3] + b"\n",
        b"x" * 5000 + b"\n",
        b"K1\nK1 \n\n",
    ],
)
def test_a_line_that_is_not_right_changes_nothing(tmp_path: Path, line: bytes) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, folder=tmp_path)
    for at in range(0, len(line), 500):
        cable.send_to_box(line[at : at + 500])
        pico.advance(20)
    pico.press("truco", down=True)
    pico.advance(5)
    assert cable.read_from_box(1)
    assert pico.process.poll() is None
    assert not (tmp_path / "radio.json").exists()
    pico.unplug()
    cable.pull()


def test_a_board_that_does_not_answer_is_named(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    with pytest.raises(DeviceError, match=r"does not answer; does it have main\.py and radio\.py"):
        send_settings(Port(str(cable.path)), SETTINGS.text(), wait=0.2)
    cable.pull()


def test_the_longest_settings_fit_in_the_line() -> None:
    longest = BoardSettings("n" * 8, "f" * 64, "ñ" * 16, "ñ" * 63, "255.255.255.255", 65535, True)
    assert list(longest.find_problems()) == []
    assert len(settings_line(longest.text())) <= MAX_LINE


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"box": "Norte"}, "the name of a box wants 1 to 8"),
        ({"network": ""}, "the name of a network has 1 to 32 bytes"),
        ({"network": "ñ" * 17}, "the name of a network has 1 to 32 bytes"),
        ({"password": "corta"}, "a password has 8 to 63 characters"),
        ({"host": "truco.local"}, "'truco.local' is no address like 192.168.1.20"),
    ],
)
def test_wrong_settings_are_named_without_their_secrets(
    changed: dict[str, str], sentence: str
) -> None:
    (problem,) = SETTINGS._replace(**changed).find_problems()  # type: ignore[arg-type]
    assert problem.startswith(sentence)
    assert SETTINGS.key not in problem and SETTINGS.password not in problem


# ---- the command ---------------------------------------------------------------------------------


def test_a_key_is_made_listed_replaced_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_radio(tmp_path) as radio:
        words = ["--socket", str(radio.path)]
        give = [*words, "key", "norte", "--network", "Bar", "--password", "contraseña"]
        assert main([*give, "--file", str(tmp_path / "one.json")]) == 0
        assert main([*give, "--file", str(tmp_path / "one.json")]) == 1, "no file is overwritten"
        assert main([*give, "--file", str(tmp_path / "two.json")]) == 0
        one, two = (
            json.loads((tmp_path / name).read_text("utf-8")) for name in ("one.json", "two.json")
        )
        assert (tmp_path / "one.json").stat().st_mode & 0o077 == 0
        assert one["key"] != two["key"]
        assert json.loads((tmp_path / "keys.json").read_text()) == {"norte": two["key"]}
        assert main([*words, "list"]) == 0
        assert main([*words, "forget", "norte"]) == 0
        assert main([*words, "forget", "norte"]) == 1
        assert main([*words, "list"]) == 0
        shown = capsys.readouterr()
        assert one["key"] not in shown.out + shown.err
        assert shown.out.splitlines()[-3:] == [
            "norte: away",
            "the key of the box norte is forgotten here",
            "no box has a key: scorer radio key NAME",
        ]


def test_a_key_over_usb_is_on_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, real=True, folder=tmp_path)
    with running_radio(tmp_path) as radio:
        words = ["--socket", str(radio.path), "key", "norte", "--network", "Bar"]
        words += ["--password", "", "--usb", str(cable.path), "--battery"]
        outcome: list[int] = []
        thread = threading.Thread(target=lambda: outcome.append(main(words)))
        thread.start()
        thread.join(PATIENCE)
        assert outcome == [0], capsys.readouterr()
        stored = json.loads((tmp_path / "radio.json").read_text("utf-8"))
        keys = json.loads((tmp_path / "keys.json").read_text("utf-8"))
        assert (stored["key"], stored["battery"]) == (keys["norte"], True)
    pico.unplug()
    cable.pull()


def test_a_second_key_over_usb_needs_no_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "radio.json").write_text(SETTINGS.text(), encoding="utf-8")
    cable = Cable(tmp_path / "port")
    cable.plug()
    pico = Pico(cable.descriptor, real=True, folder=tmp_path)
    with running_radio(tmp_path) as radio:
        words = ["--socket", str(radio.path), "key", "sur"]
        assert main([*words, "--file", str(tmp_path / "new.json")]) == 1
        assert "a file needs the network of the box too" in capsys.readouterr().err
        assert main([*words, "--usb", str(cable.path)]) == 0
        stored = json.loads((tmp_path / "radio.json").read_text("utf-8"))
        keys = json.loads((tmp_path / "keys.json").read_text("utf-8"))
        assert stored == {**SETTINGS._asdict(), "box": "sur", "key": keys["sur"]}
    pico.unplug()
    cable.pull()


def test_without_the_service_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--socket", str(tmp_path / "none.sock"), "key", "norte", "--network", "Bar"]
    words += ["--password", "", "--file", str(tmp_path / "radio.json")]
    assert main(words) == 1
    assert "systemctl enable --now scorer-radio" in capsys.readouterr().err
    assert not (tmp_path / "radio.json").exists()


def test_the_service_by_hand_says_how_it_is_started(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert "systemctl enable --now scorer-radio" in capsys.readouterr().err
