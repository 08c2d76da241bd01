"""``make release``: make all files of a release in dist/VERSION.

The tree must be a clean commit. With ``IMAGE=FILE`` a card image that is already built is included;
with ``SIGN=KEY`` gpg signs sums and repository afterwards (``signing``). The same commit gives the
same files, except for the signatures.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from email.utils import formatdate
from pathlib import Path

from hardware.board.kicad import KicadError
from tools.release import artefacts, uf2
from tools.release.signing import SUITE, sign, write_sums

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ROOT / "packaging" / "libraries.txt"
GET = ROOT / "docs" / "players" / "get.md"
CARD = "The card"
PACKAGED = ("The Python package", "The Debian package", CARD)  # sections of GET with files
# Seconds for which apt takes the repository for the newest one.
VALID = 180 * 24 * 3600
FIRMWARE = ROOT / "firmware" / "box"


class ReleaseError(Exception):
    """The release cannot be made; the text says why and what to do."""


def main() -> int:
    """0: the files are in the printed folder; 1: the release is refused."""
    parser = argparse.ArgumentParser(description="Make all files of a release.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR")
    parser.add_argument("--image", type=Path, metavar="FILE", help="a card image to include")
    parser.add_argument("--sign", default="", metavar="KEY", help="key of gpg")
    parser.add_argument("--no-tests", action="store_true", help="do not run the sdist's tests")
    chosen = parser.parse_args()
    try:
        folder, lacking = make(chosen.out, chosen.image, runs_tests=not chosen.no_tests)
        if chosen.sign:
            sign(folder, chosen.sign)
    except (KicadError, ReleaseError) as error:
        print(f"make release: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"make release: {error.cmd[0]} failed\n{error.stderr or ''}", file=sys.stderr)
        return 1
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        print(f"{path.stat().st_size:>12,}  {path.relative_to(folder)}")
    for what in lacking:
        print(f"left out: {what}")
    print(folder)
    return 0


def make(out: Path, image: Path | None, *, runs_tests: bool) -> tuple[Path, list[str]]:
    """The folder with all files, and what is left out of it, each with its reason.

    Raises ReleaseError, KicadError, CalledProcessError.
    """
    check_tools()
    check_tree()
    os.environ["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct").strip()
    with tempfile.TemporaryDirectory() as scratch:
        made = run(sys.executable, "packaging/build.py", "--out", scratch)
        package = Path(made.strip())
        version = package.name.split("_")[1].rpartition("-")[0]
        notes = notes_of(version)
        files_of_image = [] if image is None else check_image(image, version)
        folder = out / version
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        deb = Path(shutil.move(package, folder))
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    if runs_tests:
        test_sdist(next(folder.glob("*.tar.gz")))
    uf2.write_all(FIRMWARE, folder, f"truco-button-box-{version}")
    lacking = artefacts.write_all(folder, version)
    (folder / f"truco-scorer-{version}.cdx.json").write_text(sbom(), encoding="utf-8")
    (folder / "NOTES.md").write_text(
        f"{notes}\n{installing(has_image=image is not None)}", encoding="utf-8"
    )
    for path in files_of_image:
        shutil.copy(path, folder)
    make_repository(folder / "apt", deb)
    write_sums(folder)
    return folder, lacking


def check_tools() -> None:
    """Raise ReleaseError if a program of the last step is missing."""
    if shutil.which("apt-ftparchive") is None:
        raise ReleaseError("apt-ftparchive is missing: sudo apt install apt-utils")


def check_tree() -> None:
    """Raise ReleaseError if the tree is no clean commit."""
    try:
        changed = run("git", "status", "--porcelain")
    except (OSError, subprocess.CalledProcessError) as error:
        raise ReleaseError("a release is made of a commit, in a clone of git") from error
    if changed:
        raise ReleaseError(f"the tree is not a commit; commit or remove:\n{changed.rstrip()}")


def check_image(image: Path, version: str) -> list[Path]:
    """The image with what Raspberry Pi Imager reads. Raises ReleaseError."""
    if not image.name.startswith(f"truco-scorer-{version}-") or image.suffix != ".xz":
        raise ReleaseError(f"{image.name} is no compressed card image of version {version}")
    listed = image.with_name("os_list.json")
    if image.name not in listed.read_text(encoding="utf-8"):
        raise ReleaseError(f"{listed} is of another image; make image again")
    return [image, listed, image.with_name("truco-scorer.svg")]


def notes_of(version: str) -> str:
    """The section of CHANGELOG.md; the newest for an untagged commit.

    Of a section that begins with a summary only the summary. Raises ReleaseError.
    """
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.split(r"^(?=## )", changes, flags=re.MULTILINE)[1:]
    if "~dev" in version:
        return _summary(sections[0])
    for section in sections:
        title = section.partition("\n")[0]
        if title.split()[1] == version.partition("~")[0]:
            if "unreleased" in title and "~" not in version:
                raise ReleaseError("write the date in CHANGELOG.md, commit, and tag that commit")
            return _summary(section)
    raise ReleaseError(f"CHANGELOG.md says nothing of version {version}")


def _summary(section: str) -> str:
    """The items above the first sub-heading; the whole section if there are none."""
    above, found, _ = section.partition("\n### ")
    return f"{above.rstrip()}\n" if found and "\n- " in above else section


def installing(*, has_image: bool) -> str:
    """The commands that install the files, from the page that has them all."""
    page = GET.read_text(encoding="utf-8")
    told = ["## Installing it\n"]
    for section in re.split(r"^(?=## )", page, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0].removeprefix("## ")
        if title in PACKAGED and (has_image or title != CARD):
            blocks = re.findall(r"^```\n.*?^```\n", section, flags=re.MULTILINE | re.DOTALL)
            told += [f"{title}:\n", *blocks]
    return "\n".join(told)


def test_sdist(archive: Path) -> None:
    """Run the short tests of the source archive in a folder without git."""
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(archive) as opened:
            opened.extractall(scratch, filter="data")
        (folder,) = Path(scratch).iterdir()
        environment = {**os.environ, "QUICK": "1"}
        environment.pop("SOURCE_DATE_EPOCH")
        command = ["make", "tests", f"VENV={Path(sys.executable).parent.parent}"]
        done = subprocess.run(command, cwd=folder, env=environment, check=False)
    if done.returncode:
        raise ReleaseError("the tests of the source archive fail")


def sbom() -> str:
    """The libraries of the Debian package in CycloneDX."""
    command = ("cyclonedx_py", "requirements", str(LIBRARIES), "--output-reproducible")
    text = run(sys.executable, "-m", *command)
    # The archive that the wheels came from is not part of what is delivered.
    return re.sub(r'"url": "https://[^"]*/simple/([^"/]+)/?"', r'"url": "pkg:pypi/\1"', text)


def make_repository(folder: Path, deb: Path) -> None:
    """A static apt repository with the package, not signed."""
    pool, lists = folder / "pool", folder / "dists" / SUITE
    pool.mkdir(parents=True)
    shutil.copy(deb, pool)
    for architecture in ("all", "arm64", "armhf", "amd64"):
        place = lists / "main" / f"binary-{architecture}"
        place.mkdir(parents=True)
        packages = run("apt-ftparchive", "packages", "pool", cwd=folder)
        (place / "Packages").write_text(packages, encoding="utf-8")
        (place / "Packages.gz").write_bytes(gzip.compress(packages.encode(), 9, mtime=0))
    options = {
        "Origin": "Truco Scorer",
        "Label": "Truco Scorer",
        "Suite": SUITE,
        "Codename": SUITE,
        "Architectures": "all arm64 armhf amd64",
        "Components": "main",
    }
    words = [f"APT::FTPArchive::Release::{name}={value}" for name, value in options.items()]
    command = ["apt-ftparchive", *(part for word in words for part in ("-o", word))]
    now = run(*command, "release", str(lists))
    # It writes the present time.
    made = int(os.environ["SOURCE_DATE_EPOCH"])
    date, end = (formatdate(each, usegmt=True) for each in (made, made + VALID))
    dates = f"Date: {date}\nValid-Until: {end}"
    release = re.sub("^Date: .+$", dates, now, flags=re.MULTILINE)
    (lists / "Release").write_text(release, encoding="utf-8")


def run(*command: str, cwd: Path = ROOT) -> str:
    """The standard output of a program. Raises CalledProcessError."""
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
