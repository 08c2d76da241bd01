"""The lists of the card image agree with their locks, its files and the wiring."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from image import kernel
from scorer.config.pin_map import POWER_BUTTON
from scorer.hub import command
from tests.paths import ROOT

HERE = ROOT / "image"
FILES = HERE / "files"
LOCK = kernel.MODULES_LOCK.read_text(encoding="utf-8")
LOCKED = kernel.parse_needs(LOCK)
SCRIPTS = sorted(
    path
    for path in HERE.rglob("*")
    if path.is_file() and path.read_bytes().startswith(b"#!/bin/sh")
)


def test_no_list_names_a_thing_twice() -> None:
    for path in HERE.glob("*.list"):
        lines = kernel.read_list(path.name)
        assert len(lines) == len(set(lines)), path.name


def test_no_module_of_python_is_left_out() -> None:
    """The packages compile every module that they list, and fail without it."""
    left_out = [path for path in kernel.read_list("left-out.list") if not path.startswith("+")]
    assert left_out
    assert [path for path in left_out if "python" in path] == []


def test_every_kept_module_has_the_modules_that_it_depends_on() -> None:
    assert kernel.find_dangling(LOCKED) == []


def test_a_dependency_that_is_left_out_is_found() -> None:
    (ext4,) = (path for path in LOCKED if path.endswith("/ext4.ko.xz"))
    (journal,) = (path for path in LOCKED[ext4] if "/jbd2." in path)
    broken = {path: needs for path, needs in LOCKED.items() if path != journal}
    assert kernel.find_dangling(broken) == [journal]


def test_every_entry_of_the_lists_is_in_the_lock() -> None:
    wanted = [line for line in kernel.read_list("modules.list") if line[0] != "-"]
    listed = [*wanted, *kernel.read_list("initramfs.list")]
    assert kernel.find_unknown(listed, LOCKED, kernel.locked_builtin(LOCK)) == []


def test_an_entry_that_no_module_matches_is_found() -> None:
    assert kernel.find_unknown(["ext4", "fs/nothing/", "gpio_simm"], LOCKED, ()) == [
        "fs/nothing/",
        "gpio_simm",
    ]


def test_a_module_brings_those_that_it_depends_on() -> None:
    needs = {"kernel/a.ko": ("kernel/b.ko",), "kernel/b.ko": ("kernel/c.ko",), "kernel/c.ko": ()}
    assert list(kernel.select(["b"], needs)) == ["kernel/b.ko", "kernel/c.ko"]
    assert list(kernel.select(["a"], {**needs, "kernel/d.ko": ()})) == list(needs)


def test_the_kernel_is_pinned_to_the_version_of_the_locks() -> None:
    (pinned,) = (
        line.partition("=")[2]
        for line in kernel.read_list("packages.list")
        if line.startswith("linux-image-")
    )
    for lock in (kernel.MODULES_LOCK, kernel.BOARDS_LOCK):
        first = lock.read_text(encoding="utf-8").splitlines()[0]
        found = re.search(r"for Linux ([\d.]+)\+", first)
        assert found, first
        assert pinned.startswith(f"{found[1]}-"), lock.name


def test_every_board_has_the_labels_of_its_overlay() -> None:
    labels = {
        name: {each.partition("=")[0] for each in found}
        for name, *found in map(str.split, kernel.read_list("boards.lock"))
    }
    for line in kernel.read_list("boards.list"):
        board, overlay = line.split()
        wanted = kernel.references(HERE / "overlays" / f"{overlay}.dts")
        assert wanted <= labels[board], board


def test_the_image_installs_what_the_package_depends_on() -> None:
    control = (ROOT / "packaging" / "control").read_text(encoding="utf-8")
    listed = {line.partition("=")[0] for line in kernel.read_list("packages.list")}
    wanted = [
        each.partition("(")[0].strip()
        for field in re.findall(r"^(?:Depends|Recommends): (.+)$", control, re.MULTILINE)
        for each in field.split(",")
    ]
    built_here, on_every_debian = {"python3-lgpio"}, {"debconf"}
    assert set(wanted) - listed - built_here - on_every_debian == set()


def test_units_of_ours_that_are_enabled_exist() -> None:
    units = {path.name for path in (FILES / "etc/systemd/system").glob("*.service")}
    enabled = {
        line.split()[1]
        for line in kernel.read_list("units.list")
        if re.match(r"enable truco-", line)
    }
    assert enabled <= units


def test_the_image_has_what_the_hub_asks_of_debian() -> None:
    listed = {line.partition("=")[0] for line in kernel.read_list("packages.list")}
    named = f"{command._LIBRARIES} python3-networkx".split()
    assert {*named, "python3-sqlalchemy"} <= listed


def test_every_box_may_join_a_hall_and_one_with_the_section_is_its_hub() -> None:
    units = kernel.read_list("units.list")
    assert {"enable scorer-link.service", "enable scorer-hub.service"} <= set(units)
    drop_in = (FILES / "etc/systemd/system/scorer-hub.service.d/image.conf").read_text("utf-8")
    (condition,) = re.findall(r"^ExecCondition=/usr/bin/scorer hub (.+)$", drop_in, re.MULTILINE)
    unit = (ROOT / "systemd" / "scorer-hub.service").read_text(encoding="utf-8")
    (start,) = re.findall(r"^ExecStart=/usr/bin/scorer hub (.+)$", unit, re.MULTILINE)
    assert condition == f"{start} wanted", "both read the same settings"


def test_no_service_of_the_package_writes_below_the_partition_of_the_games() -> None:
    """/var may be mounted late; a folder below it would hide what is on the card."""
    for path in (ROOT / "systemd").glob("*.service"):
        state = re.findall(r"^StateDirectory=(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        if state:
            own = FILES / f"etc/systemd/system/{path.name}.d/image.conf"
            texts = [each.read_text("utf-8") for each in (path, own) if each.exists()]
            assert f"RequiresMountsFor=/var/lib/{state[0]}" in "".join(texts), path.name


def test_the_firmware_sets_every_pin_of_the_box_as_wiring_says() -> None:
    def lines(text: str) -> list[str]:
        return sorted(re.findall(r"^gpio=.*$", text, re.MULTILINE))

    wiring = (ROOT / "wiring.md").read_text(encoding="utf-8")
    block = wiring.partition("\n## config.txt")[2].partition("```\n")[2].partition("```")[0]
    config = (HERE / "boot" / "config.txt").read_text(encoding="utf-8")
    assert lines(config) == lines(block) != []


@pytest.mark.parametrize("overlay", ["truco", "truco-pi5"])
def test_the_power_button_is_that_of_the_wiring(overlay: str) -> None:
    text = (HERE / "overlays" / f"{overlay}.dts").read_text(encoding="utf-8")
    found = re.search(r"gpios = <&\w+ (\d+) 1>", text)
    assert found and int(found[1]) == POWER_BUTTON


def test_no_account_of_the_image_has_a_password() -> None:
    everything = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    assert not re.search(r"chpasswd|passwd\b(?!.*--lock)", everything.replace("/etc/passwd", ""))
    ssh = (FILES / "etc/ssh/sshd_config.d/truco.conf").read_text(encoding="utf-8")
    assert {"PasswordAuthentication no", "PermitRootLogin no"} <= set(ssh.splitlines())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(HERE)))
def test_a_script_is_valid_for_a_plain_shell(script: Path) -> None:
    shell = shutil.which("dash") or "sh"
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert script.stat().st_mode & 0o111, "not executable"


def test_no_unit_of_the_package_starts_before_an_update() -> None:
    unit = (FILES / "etc/systemd/system/truco-update.service").read_text(encoding="utf-8")
    before = {
        name for line in re.findall(r"^Before=(.+)$", unit, re.MULTILINE) for name in line.split()
    }
    ours = {
        path.name for path in (ROOT / "systemd").glob("scorer*.s*") if path.suffix != ".sysusers"
    }
    # A template has no name that another unit could go before.
    templates = {name for name in ours if "@" in name}
    assert before == {*ours - templates, "shutdown.target"}
    for name in templates:
        own = FILES / f"etc/systemd/system/{name}.d/image.conf"
        assert "After=truco-update.service" in own.read_text(encoding="utf-8"), name
