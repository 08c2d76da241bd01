"""``scorer setup``: the block of config.txt and the example configuration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.config.loader import parse_config
from scorer.makers import setup_command
from scorer.makers.boot_config import BEGIN, END, boot_lines, pin_list, with_block
from scorer.system.kernel_console import DROP_IN, is_quiet
from tests.paths import ROOT

FRESH = "# For more options see http://rptl.io/configtxt\n#dtparam=i2c_arm=on\n[cm4]\notg_mode=1\n"
# As Raspberry Pi OS writes it.
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootfstype=ext4 rootwait quiet\n"
TELEVISION = '[[panel]]\n[[panel]]\ndriver = "framebuffer"\nside = "B"\n'


class Pi(NamedTuple):
    """The files of a fresh card."""

    boot_config: Path
    config: Path
    example: Path
    getty: Path

    def setup(self, *more: str) -> int:
        words = ["--boot-config", str(self.boot_config), "--config", str(self.config)]
        words += ["--getty", str(self.getty)]
        return setup_command.main([*words, "--example", str(self.example), *more])


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    card = Pi(
        tmp_path / "config.txt",
        tmp_path / "etc" / "scorer.toml",
        tmp_path / "example.toml",
        tmp_path / "systemd" / "getty@tty1.service.d" / "truco-scorer.conf",
    )
    card.boot_config.write_text(FRESH)
    card.boot_config.with_name("cmdline.txt").write_text(CMDLINE)
    card.example.write_text((ROOT / "packaging" / "scorer.toml").read_text(encoding="utf-8"))
    return card


def block_of(text: str) -> list[str]:
    """The lines between the marks."""
    return text.partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0].splitlines()


def test_the_lines_are_those_of_the_wiring(pi: Pi) -> None:
    paper = (ROOT / "wiring.md").read_text(encoding="utf-8")
    section = paper.partition("## config.txt\n")[2]
    written = re.search(r"```\n(.*?)```", section, re.DOTALL)
    assert written
    assert boot_lines(parse_config("").claims) == tuple(written[1].splitlines())


def test_a_fresh_card_is_prepared(pi: Pi, capsys: pytest.CaptureFixture[str]) -> None:
    assert pi.setup() == 0
    text = pi.boot_config.read_text()
    assert text.startswith(FRESH), "the rest of the file is unchanged"
    assert block_of(text) == ["[all]", *boot_lines(parse_config("").claims)]
    assert pi.boot_config.with_name("config.txt.before-truco").read_text() == FRESH
    assert pi.config.read_text() == pi.example.read_text()
    assert "sudo reboot" in capsys.readouterr().out


def test_a_prepared_card_is_left_as_it_is(pi: Pi, capsys: pytest.CaptureFixture[str]) -> None:
    pi.setup()
    before = pi.boot_config.stat().st_mtime_ns, pi.boot_config.read_text()
    capsys.readouterr()
    assert pi.setup() == 0
    assert (pi.boot_config.stat().st_mtime_ns, pi.boot_config.read_text()) == before
    assert "as it should be" in capsys.readouterr().out


def test_other_wiring_replaces_the_block_and_no_settings(pi: Pi) -> None:
    pi.setup()
    settings = '[consoles]\ncount = 3\n[table]\nvariant = "pata_gallo"\n'
    pi.config.write_text(settings)
    assert pi.setup() == 0
    text = pi.boot_config.read_text()
    assert text.count(BEGIN) == text.count(END) == 1
    assert any(line.startswith("gpio=5-8,10,11,13") for line in block_of(text))
    assert pi.config.read_text() == settings
    assert pi.boot_config.with_name("config.txt.before-truco").read_text() == FRESH


@pytest.mark.parametrize(
    ("panel", "line"),
    [
        ('[[panel]]\ninterface = "spi"\ngpio_dc = 7\n', "dtoverlay=spi0-1cs,no_miso"),
        (
            '[[panel]]\n[[panel]]\naddress = 0x3D\nside = "B"\n[[panel]]\nport = 3\nside = "B"\n',
            "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=10,i2c_gpio_scl=11",
        ),
    ],
)
def test_a_panel_on_another_bus_gets_its_overlay(panel: str, line: str) -> None:
    assert line not in boot_lines(parse_config("").claims)
    assert line in boot_lines(parse_config(panel).claims)
    assert line in (ROOT / "wiring.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pins", "text"),
    [([], ""), ([4], "4"), ([5, 6], "5,6"), ([21, 19, 20, 5], "5,19-21"), ([1, 3, 2, 9], "1-3,9")],
)
def test_pins_in_a_row_are_a_range(pins: list[int], text: str) -> None:
    assert pin_list(pins) == text


@pytest.mark.parametrize("torn", [BEGIN, f"{BEGIN}\n[all]\ndtparam=x", f"{END}\n{BEGIN}"])
def test_a_block_without_its_end_takes_nothing_with_it(torn: str) -> None:
    text = with_block(f"{FRESH}{torn}\nlast=1\n", ["a=1"])
    assert text.startswith(f"{FRESH}{torn}\nlast=1\n") and text.endswith(f"\n[all]\na=1\n{END}\n")


def test_what_was_written_is_taken_back(pi: Pi, capsys: pytest.CaptureFixture[str]) -> None:
    pi.setup()
    capsys.readouterr()
    assert pi.setup("--remove") == 0
    assert pi.boot_config.read_text() == FRESH
    assert [*pi.boot_config.parent.glob("*truco*")] == [] and not pi.config.exists()
    assert "sudo reboot" in capsys.readouterr().out
    assert pi.setup("--remove") == 0
    assert "no block" in capsys.readouterr().out


def cmdline(pi: Pi) -> str:
    return pi.boot_config.with_name("cmdline.txt").read_text()


def want(pi: Pi, settings: str) -> None:
    pi.config.parent.mkdir(exist_ok=True)
    pi.config.write_text(settings)


def test_a_television_has_neither_text_of_the_kernel_nor_a_login(
    pi: Pi, capsys: pytest.CaptureFixture[str]
) -> None:
    want(pi, TELEVISION)
    assert pi.setup() == 0
    quieted = "vt.global_cursor_default=0 consoleblank=0 logo.nologo"
    assert cmdline(pi) == CMDLINE.replace("tty1", "tty3").replace("\n", f" {quieted}\n")
    assert is_quiet(cmdline(pi)) and not is_quiet(CMDLINE)
    # True while the file is there: systemd skips the login.
    condition = f"ConditionPathExists=!{DROP_IN}"
    assert condition in pi.getty.read_text().splitlines()
    assert "sudo reboot" in capsys.readouterr().out
    assert pi.setup() == 0
    assert "reboot" not in capsys.readouterr().out, "the second time changes nothing"
    page = (ROOT / "docs" / "makers" / "hdmi.md").read_text(encoding="utf-8")
    assert quieted in page


@pytest.mark.parametrize("settings", [None, "", "[table]\n"])
def test_the_screen_is_given_back_without_a_television(pi: Pi, settings: str | None) -> None:
    want(pi, TELEVISION)
    pi.setup()
    # Meanwhile an update of the system has added a word.
    pi.boot_config.with_name("cmdline.txt").write_text(cmdline(pi).replace("\n", " cfg80211\n"))
    if settings is not None:
        want(pi, settings)
    assert pi.setup(*(["--remove"] if settings is None else [])) == 0
    assert cmdline(pi) == CMDLINE.replace("\n", " cfg80211\n")
    assert not pi.getty.parent.exists()
    assert [*pi.boot_config.parent.glob("cmdline*truco*")] == []


def test_words_that_were_there_before_are_kept(pi: Pi) -> None:
    own = "root=/dev/sda2 console=tty3 consoleblank=0\n"
    pi.boot_config.with_name("cmdline.txt").write_text(own)
    want(pi, TELEVISION)
    pi.setup()
    assert is_quiet(cmdline(pi))
    pi.setup("--remove")
    assert cmdline(pi) == own


def test_the_settings_of_an_owner_are_kept(pi: Pi, capsys: pytest.CaptureFixture[str]) -> None:
    pi.setup()
    pi.config.write_text("[broken\n")
    assert pi.setup("--remove") == 0
    assert pi.config.read_text() == "[broken\n"
    assert pi.boot_config.read_text() == FRESH
    assert "is kept" in capsys.readouterr().out


@pytest.mark.parametrize("torn", [BEGIN, f"{BEGIN}\n[all]\ndtparam=x", f"{END}\n{BEGIN}"])
def test_nothing_is_taken_with_a_block_without_its_end(pi: Pi, torn: str) -> None:
    text = f"{FRESH}{torn}\nlast=1\n"
    pi.boot_config.write_text(text)
    assert pi.setup("--remove") == 0
    assert pi.boot_config.read_text() == text


def test_a_dry_run_changes_nothing(pi: Pi, capsys: pytest.CaptureFixture[str]) -> None:
    assert pi.setup("--dry-run") == 0
    assert pi.boot_config.read_text() == FRESH and not pi.config.exists()
    assert "dtparam=i2c_arm=on" in capsys.readouterr().out


def test_a_machine_without_config_txt_is_not_prepared(
    pi: Pi, capsys: pytest.CaptureFixture[str]
) -> None:
    pi.boot_config.unlink()
    assert pi.setup() == 1
    assert "not a Raspberry Pi" in capsys.readouterr().err
    assert not pi.config.exists()


def test_wrong_settings_change_nothing(pi: Pi, capsys: pytest.CaptureFixture[str]) -> None:
    pi.config.parent.mkdir()
    pi.config.write_text("[consoles]\ncounts = 3\n")
    assert pi.setup() == 1
    said = capsys.readouterr().err
    assert ":2: " in said and "nothing was changed" in said
    assert pi.boot_config.read_text() == FRESH
