"""The card image of the virtual Pi: a Debian with the package installed.

The files are laid out in a folder and made into an image; nothing is mounted or booted.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.longrun.virtual_pi import recipe
from tests.paths import ROOT

SUITE = "bookworm"
# What systemd needs to boot, the dependencies of package and hub, sudo, and tools of the tests.
CONTENTS = (
    "systemd systemd-sysv udev dbus polkitd kmod init-system-helpers python3 python3-cbor2 "
    "python3-evdev python3-jeepney python3-jinja2 python3-markupsafe python3-pil "
    "python3-segno python3-spidev python3-yaml "
    "python3-alembic python3-cryptography avahi-daemon procps i2c-tools gdb-minimal sudo"
).split()
NEVER_READ = ("doc", "man", "locale", "info")
# First-boot services, and services that would disturb measurements.
SILENT = (
    "getty@tty1.service serial-getty@ttyS0.service apt-daily.timer apt-daily-upgrade.timer "
    "dpkg-db-backup.timer e2scrub_all.timer fstrim.timer e2scrub_reap.service "
    "systemd-networkd-wait-online.service avahi-daemon.service avahi-daemon.socket"
).split()
OVERLAY = recipe.HERE / "overlay"  # files of the tests, copied over the Debian
LGPIO = recipe.HERE / "lgpio.txt"
MACHINE_ID = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e"  # fixed: no first boot with its presets
SIZE = "1G"


def built(modules: Path, *, is_installed: bool = True) -> Path:
    """The image, /dev/vda of the guest; ``modules``: folder of its kernel modules.

    ``is_installed``: False leaves the package in /srv, as a file.
    """
    system, lgpio = _system(), _lgpio()
    with recipe.scratch() as folder:
        package = _package(folder)
        kind = "card" if is_installed else "bare"
        name = f"{kind}-{recipe.key(system.name, modules.parent.name, lgpio, OVERLAY, package)}.img"

        def write(target: Path) -> None:
            root = target.with_name("root")
            _fill(root, system, modules)
            _install(root, lgpio)
            if is_installed:
                _install(root, package)
            else:
                shutil.copy(package, root / "srv")
            _write(target, root)

        path = recipe.kept(name, write)
    for pattern in ("card-*.img", "bare-*.img", "system-*.tar", "python3-lgpio-*.deb"):
        recipe.keep_newest(pattern)
    return path


def _system() -> Path:
    """The Debian as an archive."""
    return recipe.kept(f"system-{recipe.key(SUITE, *CONTENTS)}.tar", _bootstrap)


def _bootstrap(target: Path) -> None:
    command = ["mmdebstrap", "--variant=minbase", f"--include={','.join(CONTENTS)}"]
    command += ['--aptopt=APT::Install-Recommends "0"']
    command += [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in NEVER_READ]
    recipe.fetch("a Debian", [*command, SUITE, str(target)])


def _package(folder: Path) -> Path:
    """The package of this source, as `make deb` builds it."""
    command = [sys.executable, str(ROOT / "packaging" / "build.py"), "--out", str(folder)]
    return Path(recipe.run([*command, "--tree", str(folder / "tree")]).strip())


def _lgpio() -> Path:
    """A python3-lgpio package made of the wheel that its author publishes."""
    return recipe.kept(f"python3-lgpio-{recipe.key(LGPIO)}.deb", _pack_lgpio)


def _pack_lgpio(target: Path) -> None:
    with recipe.scratch() as folder:
        command = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check"]
        command += ["--no-deps", "--only-binary=:all:", "--require-hashes"]
        command += ["--python-version", "3.11", "--platform", "manylinux_2_34_x86_64"]
        command += ["--dest", str(folder), "--requirement", str(LGPIO)]
        recipe.fetch("the wheel of lgpio", command)
        (wheel,) = folder.glob("*.whl")
        tree = folder / "tree"
        shutil.unpack_archive(wheel, tree / "usr/lib/python3/dist-packages", "zip")
        control = ["Package: python3-lgpio", "Version: 0.2.2-0virtual1", "Architecture: amd64"]
        control += ["Maintainer: a test <noreply@truco-scorer.invalid>"]
        control += ["Depends: python3, libc6", "Description: pins by lgpio", ""]
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN" / "control").write_text("\n".join(control), encoding="utf-8")
        recipe.run(["dpkg-deb", "--root-owner-group", "--build", str(tree), str(target)])


def _fill(root: Path, system: Path, modules: Path) -> None:
    root.mkdir()
    recipe.run(["tar", "-C", str(root), "--numeric-owner", "-xpf", str(system)])
    # A Raspberry Pi OS installs a package with its documents.
    for left_out in (root / "etc/dpkg/dpkg.cfg.d").iterdir():
        left_out.unlink()
    _furnish(root, modules)


def _install(root: Path, package: Path) -> None:
    copy = Path(shutil.copy(package, root / "srv"))
    recipe.run(["chroot", str(root), "dpkg", "--install", f"/srv/{package.name}"])
    copy.unlink()


def _write(target: Path, root: Path) -> None:
    recipe.run(["truncate", "--size", SIZE, str(target)])
    recipe.run(["mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", str(root), str(target)])


def _furnish(root: Path, modules: Path) -> None:
    """Add the files of the tests, the kernel modules and the host names."""
    recipe.run(["cp", "--recursive", "--no-preserve=ownership", f"{OVERLAY}/.", str(root)])
    (root / "usr/lib/modules").mkdir(exist_ok=True)
    recipe.run(["cp", "--recursive", f"{modules}/.", str(root / "usr/lib/modules")])
    (root / "boot/firmware").mkdir(parents=True, exist_ok=True)
    (root / "etc/machine-id").write_text(f"{MACHINE_ID}\n", encoding="ascii")
    (root / "etc/hostname").write_text("truco\n", encoding="ascii")
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults,noatime 0 1\n", encoding="ascii")
    for unit in SILENT:
        (root / "etc/systemd/system" / unit).symlink_to("/dev/null")
    units = sorted(unit.name for unit in (OVERLAY / "etc/systemd/system").glob("*.service"))
    recipe.run(["chroot", str(root), "systemctl", "enable", *units])
