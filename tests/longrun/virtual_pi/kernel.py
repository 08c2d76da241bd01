"""The kernel of the virtual Pi: Debian's source, our options, our two modules.

Debian's kernels have no gpio-sim, so one is built.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.longrun.virtual_pi import recipe

SOURCES = Path(__file__).resolve().parent / "linux"
PACKAGE = "linux-source-6.12"
LINUX = ("ARCH=x86", "O=out")


def built() -> Path:
    """A folder with ``bzImage``, ``modules`` (a lib/modules) and ``virtual-pi.dtb``."""
    return recipe.kept(f"kernel-{recipe.key(PACKAGE, SOURCES)}", _build)


def _build(target: Path) -> None:
    with recipe.scratch(target.parent) as source:
        _fetch(source)
        (source / "wanted").write_bytes((SOURCES / "kernel.config").read_bytes())
        _make(source, f"KCONFIG_ALLCONFIG={source}/wanted", "allnoconfig")
        _check(source)
        _make(source, f"-j{os.cpu_count() or 1}", "bzImage", "modules")
        ours = source / "ours"
        shutil.copytree(SOURCES, ours)
        _make(source, f"M={ours}", "modules")
        _gather(source, ours, target)


def _fetch(source: Path) -> None:
    """Unpack the source from Debian's package, without installing it."""
    recipe.fetch("the kernel's source", ["apt-get", "download", "-qq", PACKAGE], source)
    (package,) = source.glob("*.deb")
    inner = f"./usr/src/{PACKAGE}.tar.xz"
    unpack = f"dpkg-deb --fsys-tarfile {package.name} | tar -xO {inner} | tar -xJ --strip=1"
    recipe.run(["bash", "-o", "pipefail", "-c", unpack], source)
    package.unlink()


def _check(source: Path) -> None:
    """Check that every option was taken: make silently drops unknown ones."""
    wanted = (SOURCES / "kernel.config").read_text(encoding="utf-8").splitlines()
    got = set((source / "out" / ".config").read_text(encoding="utf-8").splitlines())
    on = [line for line in wanted if line.startswith("CONFIG_") and not line.endswith("=n")]
    if lost := [line for line in on if line not in got]:
        raise RuntimeError(f"{PACKAGE} does not take {', '.join(lost)}")


def _gather(source: Path, ours: Path, target: Path) -> None:
    out = source / "out"
    release = (out / "include/config/kernel.release").read_text(encoding="utf-8").strip()
    _make(source, f"INSTALL_MOD_PATH={target}", "modules_install")
    modules = target / "lib" / "modules" / release
    for module in ours.glob("*.ko"):
        shutil.copy(module, modules)
    (modules / "build").unlink(missing_ok=True)
    recipe.run(["depmod", "-b", str(target), release], source)
    (target / "lib" / "modules").rename(target / "modules")
    (target / "lib").rmdir()
    shutil.copy(out / "arch/x86/boot/bzImage", target)
    tree = ["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", str(target / "virtual-pi.dtb")]
    recipe.run([*tree, str(SOURCES / "virtual-pi.dts")], source)


def _make(source: Path, *arguments: str) -> None:
    recipe.run(["nice", "make", "--silent", *LINUX, *arguments], source)
