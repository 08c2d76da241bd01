"""The English build guide, typed on a card with a Debian that has no package yet.

Every command of the pages is typed as it is written, and what they promise is looked at. A command
that is new in the guide fails here until it can be typed, or ``LEFT_OUT`` says why not.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.config.config import Config
from scorer.config.loader import parse_config
from scorer.i18n import translator
from tests.docs.reading import blocks
from tests.longrun.virtual_pi import recipe
from tests.longrun.virtual_pi.box import Box
from tests.longrun.virtual_pi.figures import Figures
from tests.longrun.virtual_pi.guest import Guest
from tests.longrun.virtual_pi.person import NAME, Person, commands, promises, section
from tests.paths import ROOT

CARD, ASSEMBLY = (
    ROOT / "docs" / "makers" / "build" / f"{name}.md" for name in ("card", "assembly")
)
# Typed on the PC, or for the network, the firmware and the lamps of a real Pi.
LEFT_OUT = ("ssh ", "scp ", "vcgencmd ", "sudo apt update", "sudo pinctrl ", "pinctrl ")
REBOOT = "sudo reboot"
OWN_FILE = "/etc/scorer/scorer.toml"
BOOT_FILE = "/boot/firmware/config.txt"
STOCK = "dtparam=audio=on\n\n[all]\n"  # of Raspberry Pi OS
BAD = "bad"  # the doctor's word
say = translator("es-AR")


class Builder:
    """Follows the pages, section by section."""

    def __init__(self, box: Box) -> None:
        self.box, self.ana = box, Person(box.guest)
        self.typed: list[str] = []

    def follow(self, page: Path, heading: str) -> dict[str, str]:
        """Type the commands of a section and check its promises; what each has printed."""
        text = section(page, heading)
        printed = {command: self.type(command) for command in commands(text)}
        for command, wanted in promises(text):
            assert self.ana.type(command).strip() == wanted, command
        return printed

    def type(self, command: str) -> str:
        """Type one command of a page; "" for those that are left out."""
        if command.startswith(LEFT_OUT):
            return ""
        self.typed.append(command)
        if command == "sudo scorer doctor --buttons":
            return self._press_each()
        if command == REBOOT:
            return self._reboot()
        # Its exit code is that of the findings, which differ from step to step.
        return self.ana.type(command, "y", check=not command.startswith("sudo scorer doctor"))

    def write(self, settings: str) -> Config:
        """Write the owner's file, as with nano."""
        self.box.guest.write(OWN_FILE, settings)
        return parse_config(settings)

    def _reboot(self) -> str:
        guest = self.box.guest
        guest.shell(
            f"sync; (sleep 1; runuser --login {NAME} --command {REBOOT!r}) >/dev/null 2>&1 &"
        )
        guest.wait_until_off()
        guest.start()
        self.box.plug_in()
        guest.wait_for(self.box.ready_at)
        return ""

    def _press_each(self) -> str:
        """Press the button that the doctor asks for, until it has asked for all."""
        guest = self.box.guest
        pins = parse_config(guest.shell(f"cat {OWN_FILE}")).pins
        doctor = shlex.quote("sudo scorer doctor --buttons")
        guest.shell(f"runuser --login {NAME} --command {doctor} </dev/null >/run/asked 2>&1 &")
        for name, pin in pins.items():
            line = say("doctor.press", name=name)
            guest.wait_for(lambda: line in self._asked(), 60, line)  # noqa: B023 - at once
            guest.levels([(pin, False, 0.2), (pin, True, 0.3)])
        guest.wait_for(lambda: not guest.shell("pgrep -f 'doctor --buttons'", check=False), 60)
        return guest.shell("cat /run/asked")

    def _asked(self) -> list[str]:
        return self.box.guest.shell("cat /run/asked").splitlines()


def without_bad(doctor: str) -> str:
    """What the doctor has printed, none of it bad."""
    assert doctor
    assert not [line for line in doctor.splitlines() if line.startswith(BAD)], doctor
    return doctor


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[Builder]:
    """A builder with a card as the Imager writes it, and the package on it as a file."""
    parts = recipe.parts(is_installed=False)
    card = tmp_path / "card.img"
    subprocess.run(["cp", "--sparse=always", str(parts.card), str(card)], check=True)
    with Guest(parts, card=card) as guest:
        builder = Builder(Box(guest))
        guest.write(BOOT_FILE, STOCK)
        guest.shell(f"cp /srv/truco-scorer_*_all.deb ~{NAME}")
        yield builder
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.slow
def test_the_guide_ends_in_a_box_that_plays(builder: Builder, figures: Figures) -> None:
    ana = builder.ana
    builder.follow(CARD, "3. Install the package")
    assert ana.type("ls /etc/scorer").split() == ["variants"]
    assert ana.type(f"cat {BOOT_FILE}") == STOCK
    builder.follow(CARD, "4. Switch on the bus")
    assert set(ana.type(f"cat {OWN_FILE}")) > {"#"}
    assert parse_config(ana.type(f"cat {OWN_FILE}")) == parse_config("")
    _, compact = blocks(section(CARD, "5. Say what you built"), "toml")
    pins = builder.write(compact).pins
    builder.follow(CARD, "5. Say what you built")
    checked = ana.type("scorer check")
    assert not [pin for pin in pins.values() if not re.search(rf"\b{pin}\b", checked)], checked
    for command in commands(ASSEMBLY.read_text("utf-8").partition("\n## ")[0]):
        builder.type(command)
    found = builder.follow(ASSEMBLY, "4. Panel A")
    assert re.findall(r"\b3[c-d]\b", found["sudo i2cdetect -y 1"]) == ["3c", "3d"]
    without_bad(found["sudo scorer doctor"])
    asked = without_bad(builder.follow(ASSEMBLY, "7. The other buttons").popitem()[1])
    assert asked.count(say("doctor.button.heard")) == len(pins) == 9
    found = builder.follow(ASSEMBLY, "11. The program")
    without_bad(found["sudo scorer doctor"])
    figures.note("commands of the build guide that were typed", len(builder.typed))
