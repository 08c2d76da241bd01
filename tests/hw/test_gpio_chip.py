"""The header's GPIO chip is found by its label, whatever its number."""

from __future__ import annotations

import errno
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from scorer.hw import gpio_chip, load
from scorer.hw.gpio_chip import HEADER_LABELS, NoHeaderChipError, ReadLabel, header_chip
from scorer.hw.ports import DeviceError

PI_5 = {
    "gpiochip0": "gpio-brcmstb@107d508500",
    "gpiochip4": "pinctrl-rp1",
    "gpiochip10": "gpio-brcmstb@107d517c00",
}


def fake_chips(dev: Path, labels: Mapping[str, str | OSError]) -> ReadLabel:
    """Create the device files; return a function that reads their labels."""
    for name in labels:
        (dev / name).touch()

    def label_of(chip: Path) -> str:
        label = labels[chip.name]
        if isinstance(label, OSError):
            raise label
        return label

    return label_of


@pytest.mark.parametrize("label", HEADER_LABELS)
def test_the_header_of_every_pi_is_found_behind_another_chip(tmp_path: Path, label: str) -> None:
    chips = fake_chips(tmp_path, {"gpiochip0": "pl061", "gpiochip1": label})
    assert header_chip(tmp_path, chips) == 1


def test_the_header_of_a_pi_5_is_neither_the_first_nor_the_last_chip(tmp_path: Path) -> None:
    assert header_chip(tmp_path, fake_chips(tmp_path, PI_5)) == 4


def test_of_two_names_of_the_same_chip_the_lower_number_is_used(tmp_path: Path) -> None:
    """Raspberry Pi OS links gpiochip4 to gpiochip0 for old programs."""
    chips = fake_chips(tmp_path, {"gpiochip4": "pinctrl-rp1", "gpiochip0": "pinctrl-rp1"})
    assert header_chip(tmp_path, chips) == 0


def test_without_the_header_the_error_names_the_chips_that_are_there(tmp_path: Path) -> None:
    chips = fake_chips(tmp_path, {"gpiochip0": "pl061"})
    with pytest.raises(NoHeaderChipError, match=r"is not there, only gpiochip0 \[pl061\]"):
        header_chip(tmp_path, chips)


def test_without_any_chip_the_error_says_so(tmp_path: Path) -> None:
    (tmp_path / "gpiochip-by-path").touch()
    with pytest.raises(NoHeaderChipError, match="is not there, nor any other"):
        header_chip(tmp_path, fake_chips(tmp_path, {}))


def test_a_forbidden_chip_is_an_error_of_its_own_unless_the_header_is_another(
    tmp_path: Path,
) -> None:
    chips = fake_chips(tmp_path, {"gpiochip0": PermissionError(errno.EACCES, "denied")})
    with pytest.raises(PermissionError):
        header_chip(tmp_path, chips)
    more = fake_chips(tmp_path, {"gpiochip1": "pinctrl-bcm2711"})
    assert header_chip(tmp_path, lambda chip: (more if "1" in chip.name else chips)(chip)) == 1


def test_a_file_that_is_no_gpio_chip_is_passed_over(tmp_path: Path) -> None:
    """The kernel itself refuses the question here."""
    (tmp_path / "gpiochip0").touch()
    with pytest.raises(OSError, match="ioctl"):
        gpio_chip.read_label(tmp_path / "gpiochip0")
    with pytest.raises(NoHeaderChipError):
        header_chip(tmp_path)


def test_the_request_is_the_one_of_the_kernel() -> None:
    """_IOR(0xB4, 0x01, struct gpiochip_info) of linux/gpio.h."""
    read, size = 2 << 30, 32 + 32 + 4
    request = read | size << 16 | 0xB4 << 8 | 0x01
    assert request == gpio_chip._GET_CHIP_INFO
    assert gpio_chip._CHIP_INFO.size == size


class FakeLgpio(ModuleType):
    """The part of lgpio that gpiozero needs to claim inputs; records the opened chips."""

    BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
    SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = 0

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.opened: list[int] = []

    def gpiochip_open(self, chip: int) -> int:
        self.opened.append(chip)
        return 0

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments: 0


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> FakeLgpio:
    import gpiozero
    import gpiozero.pins

    fake = FakeLgpio()
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(
        "gpiozero.pins.local.LocalPiFactory._get_revision", lambda factory: 0xC03111
    )
    return fake


def test_a_header_that_loads_late_is_opened_at_the_next_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lgpio: FakeLgpio
) -> None:
    labels: dict[str, str | OSError] = {"gpiochip0": "gpio-brcmstb@107d508500"}
    chips = fake_chips(tmp_path, labels)
    monkeypatch.setattr(gpio_chip, "header_chip", partial(header_chip, tmp_path, chips))
    source = load.input_source("gpio", {"lines": {"left": 5}})
    for _ in range(2):
        with pytest.raises(DeviceError, match=r"only gpiochip0 \[gpio-brcmstb") as caught:
            source.open(lambda edge: None)
    assert lgpio.opened == []
    with pytest.raises(DeviceError, match=r"only gpiochip0 \[gpio-brcmstb"):
        source.levels()
    assert "is this a Raspberry Pi?" in str(caught.value)
    (tmp_path / "gpiochip2").touch()
    labels["gpiochip2"] = "pinctrl-rp1"
    source.open(lambda edge: None)
    assert lgpio.opened == [2]
    source.close()
