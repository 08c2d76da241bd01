"""The Debian package contains what the table needs, and nothing compiled.

Built here as by `make deb` and inspected with Debian's tools. Nothing is installed on this machine;
`make installing` does that, in a Debian of its own.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.cli import COMMANDS, main
from tests.paths import ROOT

HERE = ROOT / "packaging"
LIBRARY = "usr/lib/truco-scorer"
PAPERS = "usr/share/doc/truco-scorer"
LOCK = (HERE / "libraries.txt").read_text(encoding="utf-8")
LOCKED: dict[str, str] = dict(re.findall(r"^([\w.]+)==([\w.]+)", LOCK, re.MULTILINE))
EXAMPLE = (HERE / "scorer.toml").read_text(encoding="utf-8")

pytestmark = pytest.mark.package

# What is imported under one name and published, by Debian or its author, under another.
PUBLISHED_AS = {
    "PIL": "pillow",
    "serial": "pyserial",
    "luma": "luma.core",
    "escpos": "python_escpos",
    "fpdf": "fpdf2",
    "paho": "paho_mqtt",
}
DEBIAN = {"pillow": "python3-pil", "pyyaml": "python3-yaml"}
# Commands that are no use on a table's box, and say what they lack.
FOR_THE_DESK = {"textual", "rich", "pypdfium2", "babel"}
# Copyright holders: "Copyright (c) 2016 Name", "© 2017-present, [A Firm](...)".
HOLDER = r"Copyright (?:\(c\) |© )?\d[\d-]*(?:present)?,? \[?([^\r\n\]]+)"
# Documentation and tests of libraries, and a font, which no program needs.
COMMON = ("Apache-2.0", "LGPL-3")
FORMATS = ("cu2qu", "diff", "merge", "mtiLib", "qu2cu", "t1Lib", "ufoLib", "voltLib")
NOT_OF_USE = (
    "barcode/fonts/",
    "docs/",
    *(f"fontTools/{name}/" for name in FORMATS),
    "fpdf/data/color_profiles/",
    "importlib_resources/tests/",
    "qrcode/tests/",
    "tests/",
)
# What a library says it wants, and only commands of its own import.
UNUSED = {"setuptools", "appdirs", "argcomplete"}
# What only a type checker reads.
NEVER_RUN = {"_typeshed"}


VERSION = "0.2.0~dev7+gabc-1"


class Entry(NamedTuple):
    """A file of the package: what is in it, and its rights."""

    data: bytes
    mode: int


class Package(NamedTuple):
    """The built package: its path, its control fields, and every file by its path."""

    path: Path
    says: Mapping[str, str]
    files: Mapping[str, Entry]

    def text(self, place: str) -> str:
        """A file as text, unpacked if it is compressed."""
        data = self.files[place].data
        return (gzip.decompress(data) if place.endswith(".gz") else data).decode("utf-8")


def built(folder: Path, *more: str) -> Path:
    """A package built in ``folder``; skips the test without tools or libraries."""
    for tool in ("dpkg-deb", "ar"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing: packages are built on Debian")
    number = more or ("--version", VERSION)
    command = [sys.executable, str(HERE / "build.py"), "--out", str(folder), *number]
    command += ["--tree", str(folder / "tree")]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if "pip" in made.stderr and not os.environ.get("CI"):
        pytest.skip("the locked libraries are not here, and the package index does not answer")
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.strip())


def unpacked(path: Path) -> Iterator[tuple[str, Entry]]:
    command = ["dpkg-deb", "--fsys-tarfile", str(path)]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            content = tar.extractfile(member)
            if content is not None:
                yield member.name.removeprefix("./"), Entry(content.read(), member.mode)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    path = built(tmp_path_factory.mktemp("deb"))
    command = ["dpkg-deb", "--field", str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    says = dict(re.findall(r"^([\w-]+): (.+)$", told, re.MULTILINE))
    return Package(path, says, dict(unpacked(path)))


def wanted_from_apt(package: Package) -> set[str]:
    """Packages from apt; a command that needs another one than Depends names it."""
    said = ", ".join(package.says[field] for field in ("Depends", "Recommends", "Suggests"))
    return set(re.findall(r"\bpython3-[\w.]+", said))


# ---- what it is ---------------------------------------------------------------------------------


def test_it_is_for_every_pi_and_bears_its_version(package: Package) -> None:
    assert package.says["Architecture"] == "all"
    assert package.says["Version"] == VERSION
    assert package.path.name == f"truco-scorer_{VERSION}_all.deb"


def test_nothing_in_it_is_compiled(package: Package) -> None:
    """A .so would be for one processor, a .pyc for one Python."""
    machine_code = [place for place, entry in package.files.items() if entry.data[:4] == b"\x7fELF"]
    endings = (".so", ".pyc", ".pyd", ".dll", ".exe")
    compiled = [place for place in package.files if place.endswith(endings) or ".so." in place]
    assert machine_code + compiled == []


def test_the_same_source_gives_the_same_package(package: Package, tmp_path: Path) -> None:
    again = built(tmp_path)
    assert hashlib.sha256(again.read_bytes()).digest() == (
        hashlib.sha256(package.path.read_bytes()).digest()
    )


def test_only_root_may_write_what_is_installed(package: Package) -> None:
    runs = {place for place, entry in package.files.items() if entry.mode & 0o111}
    assert runs == {"usr/bin/scorer", "usr/share/python3/runtime.d/truco-scorer.rtupdate"}
    assert {entry.mode for entry in package.files.values()} == {0o644, 0o755}


def test_the_owners_files_are_not_in_it(package: Package) -> None:
    """Neither an update nor a question of dpkg's can touch what was never installed."""
    mine = [f"/{place}" for place in package.files if place.startswith("etc/")]
    assert mine == [
        "/etc/NetworkManager/dnsmasq-shared.d/truco-scorer.conf",
        "/etc/avahi/services/truco-scorer.service",
        "/etc/scorer/variants/club.toml.example",
    ]
    command = ["dpkg-deb", "--info", str(package.path), "conffiles"]
    asked_about = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert sorted(asked_about.splitlines()) == mine, "what an owner changed there is not lost"


# ---- the program and its libraries --------------------------------------------------------------


def test_every_module_of_the_table_is_in_it(package: Package) -> None:
    places = [path.relative_to(ROOT) for path in (ROOT / "scorer").rglob("*") if path.is_file()]
    wanted = {f"{LIBRARY}/{place}" for place in places if place.suffix not in (".po", ".pyc")}
    assert wanted - set(package.files) == set()


@pytest.mark.parametrize("name", LOCKED)
def test_a_locked_library_has_its_metadata_beside_it(package: Package, name: str) -> None:
    """gpiozero finds its pin factories in it, and `scorer doctor` the versions."""
    folder = f"{LIBRARY}/{name.replace('.', '_')}-{LOCKED[name]}.dist-info"
    metadata = package.text(f"{folder}/METADATA")
    assert re.search(rf"^Version: {re.escape(LOCKED[name])}$", metadata, re.MULTILINE)
    assert f"{folder}/RECORD" in package.files


def test_gpiozero_finds_its_pin_factories(package: Package) -> None:
    folder = f"{LIBRARY}/gpiozero-{LOCKED['gpiozero']}.dist-info"
    assert "lgpio = gpiozero.pins.lgpio:LGPIOFactory" in package.text(f"{folder}/entry_points.txt")


def test_a_library_is_what_its_author_published(package: Package) -> None:
    for place in [place for place in package.files if place.endswith(".dist-info/RECORD")]:
        for line in package.text(place).splitlines():
            name, _, rest = line.partition(",sha256=")
            if rest and ".data/" not in name and not name.startswith(NOT_OF_USE):
                assert f"{LIBRARY}/{name}" in package.files


def imported() -> dict[str, str]:
    """Every foreign library that the program's modules name, and one module that does."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "scorer").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            found.update({name.partition(".")[0]: path.name for name in names})
    return {
        name: by for name, by in found.items() if name not in {*sys.stdlib_module_names, "scorer"}
    }


def is_there(package: Package, library: str) -> bool:
    """Whether it comes with the package or, by its dependencies, from Debian."""
    return library in LOCKED or DEBIAN.get(library, f"python3-{library}") in wanted_from_apt(
        package
    )


def test_whatever_is_imported_is_brought_along_or_asked_of_debian(package: Package) -> None:
    elsewhere = FOR_THE_DESK | NEVER_RUN
    on_the_box = {name: by for name, by in imported().items() if name not in elsewhere}
    lacking = {
        name: by
        for name, by in on_the_box.items()
        if not is_there(package, PUBLISHED_AS.get(name, name))
    }
    assert lacking == {}, "lock them in packaging/libraries.txt, or name them in packaging/control"


def test_whatever_pip_would_install_on_a_pi_is_there_too(package: Package) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["pi"], *extras["web"], *extras["link"]]
    names = [re.split(r"[<>=!\[;]", line)[0].strip().lower() for line in wanted]
    assert [name for name in names if not is_there(package, name.replace("-", "_"))] == []


def test_whatever_a_library_wants_is_there_too(package: Package) -> None:
    """luma wants cbor2. colorzero says setuptools, and has no module that imports it."""
    for place in [place for place in package.files if place.endswith(".dist-info/METADATA")]:
        for line in re.findall(r"^Requires-Dist: (.+)$", package.text(place), re.MULTILINE):
            name, _, condition = line.partition(";")
            library = re.split(r"[\s<>=!~(]", name.strip())[0].lower().replace("-", "_")
            elsewhere = ("extra", 'python_version < "3', "win32")
            if not any(word in condition for word in elsewhere):
                assert library in UNUSED or is_there(package, library), (place, line)


def test_its_command_takes_its_own_libraries_before_others(
    package: Package, tmp_path: Path
) -> None:
    subprocess.run(["dpkg-deb", "--extract", package.path, tmp_path], check=True)
    launcher = tmp_path / "usr/bin/scorer"
    program = f"""
import runpy, sys
sys.argv = ["scorer", "--version"]
try:
    runpy.run_path({str(launcher)!r}, run_name="__main__")
except SystemExit as end:
    import gpiozero, luma.core, luma.oled, scorer, smbus2
    for module in (gpiozero, luma.core, luma.oled, scorer, smbus2):
        print(module.__file__)
"""
    command = [sys.executable, "-sP", "-c", program]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    version, *places = said.stdout.splitlines()
    assert version == "scorer 0.2.0.dev7+gabc"
    assert {Path(place).is_relative_to(tmp_path / LIBRARY) for place in places} == {True}


def test_a_demo_started_from_it_starts_a_table_from_it(package: Package, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "--extract", package.path, tmp_path], check=True)
    launcher = str(tmp_path / "usr/bin/scorer")
    command = [sys.executable, "-sP", launcher, "demo", "--script", "-", "--json"]
    presses = "A truco\nB quiero\nA tantos hold 3\n"
    played = subprocess.run(
        command, input=presses, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert '"screen": "hand_over"' in played.stdout.splitlines()[-1]


def test_lintian_finds_nothing(package: Package) -> None:
    if shutil.which("lintian") is None:
        pytest.skip("lintian is missing: apt install lintian")
    command = ["lintian", "--fail-on", "error,warning", "--allow-root", str(package.path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, ""), found.stdout


def test_the_table_needs_from_debian_only_what_every_debian_has(package: Package) -> None:
    """Score sheets and rule cards work without the drivers of devices."""
    for name in ("lgpio", "evdev", "spidev"):
        assert f"python3-{name}" not in package.says["Depends"]
        assert f"python3-{name}" in package.says["Recommends"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [("scorer dem", "demo"), ("scorer vari", "variants"), ("scorer variants --l", "--language")],
)
def test_the_shell_completes_commands_and_options(
    package: Package, tmp_path: Path, words: str, offered: str
) -> None:
    script = tmp_path / "scorer"
    script.write_text(package.text("usr/share/bash-completion/completions/scorer"))
    last = words.split()[-1]
    line = f"source {script}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))"
    program = f'{line}; _shtab_scorer {last}; echo "${{COMPREPLY[@]}}"'
    said = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split() == [offered]


@pytest.mark.parametrize(
    ("systemd", "is_installed"),
    [("252.39-1~deb12u2", False), ("256.9-1", False), ("257.8-1~deb13u2", True), ("260", True),
     ("", False)],
)  # fmt: skip
def test_the_users_of_the_sockets_are_shown_where_systemd_can(
    package: Package, tmp_path: Path, systemd: str, is_installed: bool
) -> None:
    script = (HERE / "postinst").read_text(encoding="utf-8")
    (step,) = re.findall(r"^drop_in=.*?^fi$", script, re.MULTILINE | re.DOTALL)
    place = tmp_path / "usr/share/truco-scorer/scorer-users.conf"
    place.parent.mkdir(parents=True)
    place.write_bytes(package.files["usr/share/truco-scorer/scorer-users.conf"].data)
    drop_in = tmp_path / "usr/lib/systemd/system/scorer.service.d/users.conf"
    if not is_installed:
        drop_in.parent.mkdir(parents=True)
        drop_in.write_text("of a newer system")
    query = tmp_path / "dpkg-query"
    query.write_text(f"#!/bin/sh\nprintf %s '{systemd}'\n")
    query.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DPKG_ROOT": str(tmp_path)}
    subprocess.run(["sh", "-euc", step], env=environment, check=True)
    assert drop_in.exists() is is_installed
    assert not is_installed or drop_in.read_bytes() == place.read_bytes()


# ---- papers -------------------------------------------------------------------------------------


def test_every_file_stands_where_the_paper_says(package: Package) -> None:
    paper = (ROOT / "docs" / "operators" / "service.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `([\w.@-]+)` \| `/([\w./@-]+)` \|", paper, re.MULTILINE)
    assert len(table) == len(list((ROOT / "systemd").iterdir()))
    for name, place in table:
        assert package.files[place].data == (ROOT / "systemd" / name).read_bytes()


LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


def test_every_link_in_a_document_leads_to_a_file_of_the_package(package: Package) -> None:
    """The papers of the developers stay in the source, and the papers say so."""
    of_the_source = (
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "LICENSE",
        "docs/developers/",
        "hardware/",
    )
    pages = [place for place in package.files if place.startswith(PAPERS) and place[-3:] == ".md"]
    assert len(pages) > 15
    dead = [
        (page, link)
        for page in pages
        for link in LINK.findall(package.text(page))
        if (target := os.path.normpath(Path(page).parent / link)) not in package.files
        and not target.removeprefix(f"{PAPERS}/").startswith(of_the_source)
        and not any(place.startswith(f"{target}/") for place in package.files)
    ]
    assert dead == []


def test_every_command_in_a_document_exists(package: Package) -> None:
    known = {name for name, _, _ in COMMANDS}
    pages = [place for place in package.files if place.startswith(PAPERS) and place[-3:] == ".md"]
    named = {
        (page, word)
        for page in pages
        for word in re.findall(r"(?:^|`|sudo )scorer ([a-z]+)", package.text(page), re.MULTILINE)
    }
    assert named
    assert [each for each in sorted(named) if each[1] not in known] == []


def stanzas(package: Package) -> list[dict[str, str]]:
    """The paragraphs of debian/copyright, each as its fields."""
    paragraphs = package.text(f"{PAPERS}/copyright").split("\n\n")
    return [
        dict(re.findall(r"^([\w-]+):[ ]?((?:.*)(?:\n[ ].*)*)", text, re.MULTILINE))
        for text in paragraphs
    ]


def test_every_file_that_others_wrote_is_under_its_licence(package: Package) -> None:
    patterns = [
        pattern for stanza in stanzas(package) for pattern in stanza.get("Files", "").split()
    ]
    patterns.remove("*")
    unused = [p for p in patterns if not any(fnmatch(place, p) for place in package.files)]
    assert unused == [], "packaging/copyright names files that are not in the package"
    others = [
        place
        for place in package.files
        if place.startswith(f"{LIBRARY}/") and not place.startswith(f"{LIBRARY}/scorer/")
    ]
    assert len(others) > 50
    assert [p for p in others if not any(fnmatch(p, pattern) for pattern in patterns)] == []


def test_every_licence_is_there_in_full_or_on_every_debian(package: Package) -> None:
    told = [
        s["License"].partition("\n")
        for s in stanzas(package)
        if "Files" not in s and "License" in s
    ]
    texts = {name: text for name, _, text in told}
    named = {s["License"] for s in stanzas(package) if "Files" in s}
    assert (
        named
        == set(texts)
        == {"Expat", "BSD-2-Clause", "BSD-3-Clause", "Bitstream-Vera", "PSF-2.0", *COMMON}
    )
    # Debian has the text of these on every machine.
    for name in COMMON:
        assert f"/usr/share/common-licenses/{name}" in texts.pop(name)
    assert all("AS IS" in text for text in texts.values())


def test_who_wrote_a_library_is_named(package: Package) -> None:
    copyright_file = package.text(f"{PAPERS}/copyright")
    for place in package.files:
        if ".dist-info/" in place and "LICENSE" in place:
            for holder in re.findall(HOLDER, package.text(place)):
                is_placeholder = holder.startswith("name of")
                assert is_placeholder or holder in copyright_file, place


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_the_man_page_has_every_command_with_every_option(
    package: Package, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = package.text("usr/share/man/man1/scorer.1.gz").replace("\\-", "-")
    section = page.partition(f".SS {name}\n")[2].partition("\n.SS ")[0]
    with pytest.raises(SystemExit):
        main([name, "--help"])
    told = capsys.readouterr().out
    options = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", told, re.MULTILINE)) - {"--help"}
    assert [option for option in sorted(options) if f"\\fB{option}\\fR" not in section] == []
    assert len(section.splitlines()) > 3


def test_a_man_page_is_typeset_without_a_complaint(package: Package, tmp_path: Path) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is missing: apt install groff-base")
    for place in ("usr/share/man/man1/scorer.1.gz", "usr/share/man/man5/scorer.toml.5.gz"):
        command = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z"]
        said = subprocess.run(
            command, input=package.text(place), capture_output=True, text=True, check=True
        )
        assert said.stderr == ""


def test_the_changelog_is_one_that_debian_can_read(package: Package) -> None:
    entry = package.text(f"{PAPERS}/changelog.Debian.gz")
    assert entry.startswith(f"truco-scorer ({VERSION}) ")
    assert package.says["Maintainer"] in entry
    assert package.text(f"{PAPERS}/changelog.gz").startswith("# Changelog")


def test_the_settings_page_is_the_example(package: Package) -> None:
    page = package.text("usr/share/man/man5/scorer.toml.5.gz").replace("\\-", "-")
    assert all(line in page for line in EXAMPLE.splitlines())
