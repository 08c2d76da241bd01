"""Build the Debian package: lay out a tree as on the Pi, then run `dpkg-deb`.

The libraries of `libraries.txt` are downloaded once, checked against their hashes and installed in
/usr/lib/truco-scorer beside ours, so that they do not conflict with those of Debian or others on
the Pi. Builds are reproducible: the same source gives the same package, byte for byte.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from email.utils import formatdate
from pathlib import Path

from untracked import refusal, untracked_files

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LOCK = HERE / "libraries.txt"
LIBRARY = "usr/lib/truco-scorer"
VERSION_FILE = "scorer/_version.py"
PAPERS = "usr/share/doc/truco-scorer"

# Destination of each file of the project; docs/operators/service.md describes the same.
INSTALLED = {
    "packaging/scorer": "usr/bin/scorer",
    "packaging/scorer.toml": f"{PAPERS}/examples/scorer.toml",
    "packaging/variant.toml": "etc/scorer/variants/club.toml.example",
    "packaging/copyright": f"{PAPERS}/copyright",
    "packaging/rtupdate": "usr/share/python3/runtime.d/truco-scorer.rtupdate",
    "packaging/overrides": "usr/share/lintian/overrides/truco-scorer",
    "systemd/scorer.service": "usr/lib/systemd/system/scorer.service",
    "systemd/scorer.socket": "usr/lib/systemd/system/scorer.socket",
    "systemd/scorer-hall.socket": "usr/lib/systemd/system/scorer-hall.socket",
    "systemd/scorer-phone.socket": "usr/lib/systemd/system/scorer-phone.socket",
    "systemd/scorer-read.socket": "usr/lib/systemd/system/scorer-read.socket",
    "systemd/scorer-web.service": "usr/lib/systemd/system/scorer-web.service",
    "systemd/scorer-hub.service": "usr/lib/systemd/system/scorer-hub.service",
    "systemd/scorer-hub@.service": "usr/lib/systemd/system/scorer-hub@.service",
    "systemd/scorer-hub@.socket": "usr/lib/systemd/system/scorer-hub@.socket",
    "systemd/scorer-link.service": "usr/lib/systemd/system/scorer-link.service",
    "systemd/scorer-voice.service": "usr/lib/systemd/system/scorer-voice.service",
    "systemd/scorer-radio.socket": "usr/lib/systemd/system/scorer-radio.socket",
    "systemd/scorer-radio.service": "usr/lib/systemd/system/scorer-radio.service",
    "systemd/scorer-wifi.service": "usr/lib/systemd/system/scorer-wifi.service",
    "systemd/truco-scorer.avahi.service": "etc/avahi/services/truco-scorer.service",
    "systemd/scorer-print.socket": "usr/lib/systemd/system/scorer-print.socket",
    "systemd/scorer-print.service": "usr/lib/systemd/system/scorer-print.service",
    "systemd/scorer-backup.socket": "usr/lib/systemd/system/scorer-backup.socket",
    "systemd/scorer-backup.service": "usr/lib/systemd/system/scorer-backup.service",
    "systemd/scorer-desk.socket": "usr/lib/systemd/system/scorer-desk.socket",
    "systemd/scorer-desk.service": "usr/lib/systemd/system/scorer-desk.service",
    "systemd/scorer-owner.socket": "usr/lib/systemd/system/scorer-owner.socket",
    "systemd/scorer-settings.socket": "usr/lib/systemd/system/scorer-settings.socket",
    "systemd/scorer-settings.service": "usr/lib/systemd/system/scorer-settings.service",
    "systemd/scorer-network.socket": "usr/lib/systemd/system/scorer-network.socket",
    "systemd/scorer-network.service": "usr/lib/systemd/system/scorer-network.service",
    "systemd/scorer-portal.socket": "usr/lib/systemd/system/scorer-portal.socket",
    "systemd/scorer-portal.service": "usr/lib/systemd/system/scorer-portal.service",
    "systemd/truco-scorer.dnsmasq.conf": "etc/NetworkManager/dnsmasq-shared.d/truco-scorer.conf",
    "systemd/scorer-reset.service": "usr/lib/systemd/system/scorer-reset.service",
    "systemd/scorer-users.conf": "usr/share/truco-scorer/scorer-users.conf",
    "systemd/scorer.sysusers": "usr/lib/sysusers.d/scorer.conf",
    "systemd/scorer.modules": "usr/lib/modules-load.d/scorer.conf",
    "systemd/scorer.polkit.rules": "usr/share/polkit-1/rules.d/50-scorer.rules",
    "systemd/60-scorer.rules": "usr/lib/udev/rules.d/60-scorer.rules",
}
# What owners and builders read, in the folders of the source, so that its links stay right.
DOCUMENTS = ("README.md", "wiring.md", "docs", "firmware")
NO_DOCUMENTS = ("developers", "__pycache__")
# Folders whose files are in the package.
SOURCES = ("scorer", "packaging", "systemd", *DOCUMENTS)
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/scorer",
    "zsh": "usr/share/zsh/vendor-completions/_scorer",
}
# A conffile: an owner's change of the port survives updates.
OWNERS_TO_CHANGE = (
    "etc/avahi/services/truco-scorer.service",
    "etc/NetworkManager/dnsmasq-shared.d/truco-scorer.conf",
    "etc/scorer/variants/club.toml.example",
)
EXECUTABLE = ("usr/bin/scorer", "usr/share/python3/runtime.d/truco-scorer.rtupdate")
MAINTAINER_SCRIPTS = ("config", "postinst", "prerm", "postrm")
MAN_PAGES = ("scorer.1", "scorer.toml.5")
FORMATS = ("cu2qu", "diff", "merge", "mtiLib", "qu2cu", "t1Lib", "ufoLib", "voltLib")
# Parts of libraries that no program needs, and a third-party font.
NOT_OF_USE = (
    "barcode/fonts/",
    "docs/",
    # Formats of fonts that no PDF of ours has.
    *(f"fontTools/{name}/" for name in FORMATS),
    "fpdf/data/color_profiles/",
    "importlib_resources/tests/",
    "qrcode/tests/",
    "tests/",
)
# Sources of the catalogues, for development only.
LEFT_OUT = ("*.po", "__pycache__")


def main() -> int:
    """0: the package's path was printed; 1: a tool or the network failed."""
    parser = argparse.ArgumentParser(description="Build the Debian package.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR")
    parser.add_argument("--tree", type=Path, default=ROOT / "build" / "deb", metavar="DIR")
    parser.add_argument("--wheels", type=Path, default=ROOT / "build" / "wheels", metavar="DIR")
    parser.add_argument("--version", default=f"{version()}-1", help="(%(default)s)")
    chosen = parser.parse_args()
    if strays := untracked_files(ROOT, *SOURCES):
        print(f"make deb: {refusal(strays)}", file=sys.stderr)
        return 1
    try:
        print(build(chosen.out, chosen.tree, chosen.wheels, chosen.version))
    except FileNotFoundError as error:
        print(f"make deb: {error.filename} is missing", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"make deb: {error.cmd[0]} failed ({error.returncode})", file=sys.stderr)
        return 1
    return 0


def version() -> str:
    """The version of the source in Debian's notation.

    0.1.1.dev5+g3ab7ef0 is written 0.1.1~dev5+g3ab7ef0, which is older than 0.1.1.
    """
    command = [sys.executable, "-m", "hatchling", "version"]
    made = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return re.sub(r"\.dev|(?=rc\d)", lambda found: f"~{found[0].lstrip('.')}", made.stdout.strip())


def build(out: Path, tree: Path, wheels: Path, number: str) -> Path:
    """Build the package in ``out`` from a new tree; raises the tools' errors."""
    moment = moment_of_the_source()
    shutil.rmtree(tree, ignore_errors=True)
    lay_out_program(tree, number)
    lay_out_libraries(tree, fetched(wheels))
    lay_out_papers(tree, number, moment)
    lay_out_control(tree, number)
    settle(tree, moment)
    out.mkdir(parents=True, exist_ok=True)
    package = out / f"truco-scorer_{number}_all.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
    command += [str(tree), str(package)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return package


def moment_of_the_source() -> int:
    """Source date in seconds since 1970: environment, last commit or changelog."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return int((ROOT / "CHANGELOG.md").stat().st_mtime)


def lay_out_program(tree: Path, number: str) -> None:
    """Install our package with its version, and files with other destinations."""
    # make deb has compiled the catalogues already; who calls this script may not have.
    subprocess.run([sys.executable, "-m", "tools.catalogues"], check=True, cwd=ROOT)
    shutil.copytree(
        ROOT / "scorer", tree / LIBRARY / "scorer", ignore=shutil.ignore_patterns(*LEFT_OUT)
    )
    written = number.rpartition("-")[0].replace("~dev", ".dev").replace("~", "")
    (tree / LIBRARY / VERSION_FILE).write_text(
        f'"""The version of the program, written by its build."""\n\n__version__ = "{written}"\n',
        encoding="utf-8",
    )
    for source, target in INSTALLED.items():
        (tree / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, tree / target)
    # The owner's file is not part of the package; its folder is.
    (tree / "etc/scorer").mkdir(parents=True, exist_ok=True)


def fetched(folder: Path) -> list[Path]:
    """The locked wheels, from ``folder`` if they are there already."""
    locked = set(re.findall(r"--hash=sha256:(\w+)", LOCK.read_text(encoding="utf-8")))
    if locked - {digest(wheel) for wheel in folder.glob("*.whl")}:
        fetch(folder)
    return sorted(wheel for wheel in folder.glob("*.whl") if digest(wheel) in locked)


def fetch(folder: Path) -> None:
    """Download the locked wheels; each is in ``folder`` completely or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", str(LOCK)]
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        subprocess.run([*command, "--dest", fresh], check=True)
        for wheel in Path(fresh).iterdir():
            wheel.replace(folder / wheel.name)


def digest(file: Path) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def lay_out_libraries(tree: Path, wheels: list[Path]) -> None:
    """Install the wheels like pip, with the metadata that gpiozero reads."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                # Console scripts of libraries are not our commands.
                if ".data/" not in name and not name.startswith(NOT_OF_USE):
                    archive.extract(name, tree / LIBRARY)


def lay_out_papers(tree: Path, number: str, moment: int) -> None:
    """Install documents, shell completion, and compressed changelogs and man pages."""
    for name in DOCUMENTS:
        source, target = ROOT / name, tree / PAPERS / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(*NO_DOCUMENTS))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for shell, place in COMPLETIONS.items():
        (tree / place).parent.mkdir(parents=True, exist_ok=True)
        (tree / place).write_text(output_of("completion.py", shell), encoding="utf-8")
    compress((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), tree / PAPERS / "changelog.gz")
    compress(debian_changelog(number, moment), tree / PAPERS / "changelog.Debian.gz")
    for page in MAN_PAGES:
        text = output_of("man.py", page, str(moment))
        compress(text, tree / f"usr/share/man/man{page[-1]}/{page}.gz")


def output_of(script: str, *words: str) -> str:
    """The standard output of a script beside this one."""
    command = [sys.executable, str(HERE / script), *words]
    made = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return made.stdout


def compress(text: str, target: Path) -> None:
    """Compress without name and time, which would change with each build."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def debian_changelog(number: str, moment: int) -> str:
    """One entry in Debian's format; the changes are in changelog.gz."""
    maintainer = re.search("^Maintainer: (.+)$", control(), re.MULTILINE)
    assert maintainer, "packaging/control has no Maintainer"
    entry = f"truco-scorer ({number}) unstable; urgency=medium\n\n"
    entry += "  * What is new for players and installers is in changelog.gz beside this file.\n\n"
    return entry + f" -- {maintainer[1]}  {formatdate(moment)}\n"


def control() -> str:
    """The control file as in the source."""
    return (HERE / "control").read_text(encoding="utf-8")


def lay_out_control(tree: Path, number: str) -> None:
    """Write the files of dpkg: control, maintainer scripts, checksums."""
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    filled = control().replace("@VERSION@", number).replace("@SIZE@", str(size))
    sums = [
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}" for path in files
    ]
    folder = tree / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(filled, encoding="utf-8")
    settings = "".join(f"/{place}\n" for place in OWNERS_TO_CHANGE)
    (folder / "conffiles").write_text(settings, encoding="utf-8")
    (folder / "md5sums").write_text("\n".join([*sums, ""]), encoding="utf-8")
    for script in (*MAINTAINER_SCRIPTS, "templates"):
        shutil.copyfile(HERE / script, folder / script)


def settle(tree: Path, moment: int) -> None:
    """Set modes and times that do not depend on the build."""
    runs = {tree / name for name in EXECUTABLE}
    runs |= {tree / "DEBIAN" / script for script in MAINTAINER_SCRIPTS}
    for path in [tree, *tree.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path in runs else 0o644)
        os.utime(path, (moment, moment))


if __name__ == "__main__":
    sys.exit(main())
