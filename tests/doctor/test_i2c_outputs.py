"""The doctor and the running service about lit buttons and the display of words."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

import pytest

from scorer.config.loader import parse_config
from scorer.config.schema import ChosenDriver
from scorer.doctor.devices import DeviceIo, check_outputs
from scorer.doctor.findings import Finding, Level
from tests.hw.test_button_lights import Pca9685Model
from tests.hw.test_word_display import Hd44780Model
from tests.support.service_process import configuration, running_service
from tests.support.simulated_service import simulated_seams

CHIP = '[[button_lights]]\nconsole = "B"\n'


def found(model: Pca9685Model, seen: list[list[float]]) -> Finding:
    """What the doctor says of the chip; ``seen``: its lamps whenever the doctor waits."""

    def seams(device: ChosenDriver) -> Mapping[str, object]:
        return {"bus": model.open} if device.driver == "pca9685" else simulated_seams(device)

    io = DeviceIo(sleep=lambda seconds: seen.append(model.levels()), seams=seams)
    findings = list(check_outputs(parse_config(CHIP), io))
    (about,) = (each for each in findings if each.subject == "button_lights")
    return about


def test_the_doctor_lights_every_button_for_a_moment() -> None:
    model, seen = Pca9685Model(), list[list[float]]()
    assert found(model, seen).level is Level.OK
    assert [1.0] * 16 in seen
    assert model.levels() == [0.0] * 16
    assert model.open_handles == 0


def test_the_doctor_says_why_a_chip_is_not_lit() -> None:
    model = Pca9685Model()
    model.fault = errno.EREMOTEIO
    about = found(model, [])
    assert about.level is Level.FAIL
    assert "no answer from the button lights on I2C bus 1 at 0x40" in str(about.fields["why"])


def test_a_service_without_the_bus_tells_it_and_keeps_the_score(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path, CHIP + "port = 201\n")) as service:
        lost = "button lights B: I2C bus 201 is not there"
        service.messages_until(f"STATUS=keeping the score; {lost}")
        assert service.stop() == 0
        assert service.stderr_text.count(lost) == 1


@pytest.mark.parametrize("fault", [0, errno.EREMOTEIO])
def test_the_doctor_shows_words_on_a_display_of_words(fault: int) -> None:
    model, shown = Hd44780Model(), list[list[str]]()
    model.fault = fault

    def seams(device: ChosenDriver) -> Mapping[str, object]:
        return {"bus": model.open} if device.driver == "hd44780" else simulated_seams(device)

    io = DeviceIo(sleep=lambda seconds: shown.append(model.text()), seams=seams)
    findings = list(check_outputs(parse_config("[word_display]\n"), io))
    (about,) = (each for each in findings if each.subject == "words")
    assert about.level is (Level.FAIL if fault else Level.OK)
    if fault:
        assert "no answer from the display of words on I2C bus 1 at 0x27" in str(
            about.fields["why"]
        )
    else:
        assert shown[-1] == ["TRUCO SCORER", "0123456789 ñáãç"]
        assert (model.text(), model.is_lit, model.open_handles) == (["", ""], False, 0)


def test_a_service_lights_buttons_by_a_chain_on_its_pins(tmp_path: Path) -> None:
    chain = '[[button_lights]]\ndriver = "shift_register"\n'
    with running_service(tmp_path, configuration(tmp_path, chain)) as service:
        service.messages_until("READY=1")
        service.messages_until("WATCHDOG=1")
        assert service.stop() == 0
        assert "button lights" not in service.stderr_text
