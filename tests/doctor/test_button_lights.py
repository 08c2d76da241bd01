"""The doctor and the running service about lit buttons."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

from scorer.config.loader import parse_config
from scorer.doctor.devices import DeviceIo, check_outputs
from scorer.doctor.findings import Finding, Level
from tests.hw.test_button_lights import Pca9685Model
from tests.support.service_process import configuration, running_service
from tests.support.simulated_service import simulated_seams

CHIP = '[[button_lights]]\nconsole = "B"\n'


def found(model: Pca9685Model, seen: list[list[float]]) -> Finding:
    """What the doctor says of the chip; ``seen``: its lamps whenever the doctor waits."""

    def seams(device: object) -> Mapping[str, object]:
        if getattr(device, "driver", "") == "pca9685":
            return {"bus": model.open}
        return simulated_seams(device)  # type: ignore[arg-type]

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
        service.messages_until("STATUS=keeping the score; button lights B: I2C bus 201 is not there")
        assert service.stop() == 0
        assert service.stderr_text.count("button lights B: I2C bus 201 is not there") == 1
