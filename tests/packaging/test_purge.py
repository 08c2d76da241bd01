"""Purging the package deletes the games only if its owner says so.

The script runs in a mount namespace with a /var/lib of its own. Needs root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scorer.makers import setup_command
from scorer.makers.boot_config import BEGIN, END
from scorer.system.kernel_console import DROP_IN, is_quiet
from tests.paths import ROOT

HERE = ROOT / "packaging"
QUESTION = "truco-scorer/delete-games"
# Databases of debconf in the folder of the test.
SETTINGS = """
Config: config
Templates: templates

Name: config
Driver: File
Mode: 644
Filename: {folder}/config.dat

Name: templates
Driver: File
Mode: 644
Filename: {folder}/templates.dat
"""
# Changes of /etc are written beside the folder of the test, in a name space of the script.
MOUNTS = """
mount --bind "$1" /var/lib
mount --bind "$1/../boot" /boot
mount -t overlay none -o "lowerdir=/etc,upperdir=$1/../etc,workdir=$1/../work" /etc
shift
"""
PURGE = f'{MOUNTS}exec "$@"'
NO_DEBCONF = f'mount -t tmpfs none /usr/share/debconf{MOUNTS}exec "$@"'
KEYFILE = "NetworkManager/system-connections/truco-scorer.nmconnection"


@pytest.fixture
def var_lib(tmp_path: Path) -> Path:
    """A /var/lib with games, and a debconf that knows the questions of the package."""
    for tool in ("debconf", "debconf-loadtemplate", "unshare"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing: apt install debconf-utils util-linux")
    if os.geteuid() != 0:
        pytest.skip("needs root")
    (tmp_path / "debconf.conf").write_text(SETTINGS.format(folder=tmp_path), encoding="utf-8")
    games = tmp_path / "lib" / "scorer" / "scorer.sqlite3"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    (tmp_path / "work").mkdir()
    (tmp_path / "boot" / "firmware").mkdir(parents=True)
    keyfile = tmp_path / "etc" / KEYFILE
    keyfile.parent.mkdir(parents=True)
    keyfile.write_text("psk=secret")
    debconf(tmp_path, "debconf-loadtemplate", "truco-scorer", str(HERE / "templates"))
    return tmp_path / "lib"


def debconf(folder: Path, *command: str, text: str = "") -> str:
    environment = {
        **os.environ,
        "DEBCONF_SYSTEMRC": str(folder / "debconf.conf"),
        "DEBIAN_FRONTEND": "noninteractive",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        command, input=text, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done
    return done.stdout


def answer(var_lib: Path, value: str, question: str = QUESTION) -> None:
    text = f"truco-scorer {question} boolean {value}\n"
    debconf(var_lib.parent, "debconf-set-selections", text=text)


def run(var_lib: Path, action: str, script: str = PURGE) -> None:
    # As dpkg installs it: executable.
    postrm = var_lib.parent / "postrm"
    shutil.copyfile(HERE / "postrm", postrm)
    postrm.chmod(0o755)
    command = ["unshare", "--mount", "sh", "-ec", script, "sh", str(var_lib)]
    command += ["debconf", "--owner=truco-scorer"] if script == PURGE else []
    debconf(var_lib.parent, *command, str(postrm), action)


def test_without_an_answer_the_games_are_kept(var_lib: Path) -> None:
    run(var_lib, "purge")
    assert (var_lib / "scorer" / "scorer.sqlite3").read_text() == "games"


def test_they_are_deleted_on_request(var_lib: Path) -> None:
    answer(var_lib, "true")
    run(var_lib, "purge")
    assert not (var_lib / "scorer").exists()


def test_an_answer_before_a_removal_deletes_nothing_yet(var_lib: Path) -> None:
    answer(var_lib, "true")
    run(var_lib, "remove")
    assert (var_lib / "scorer" / "scorer.sqlite3").exists()


def test_without_debconf_they_are_kept(var_lib: Path) -> None:
    answer(var_lib, "true")
    run(var_lib, "purge", NO_DEBCONF)
    assert (var_lib / "scorer" / "scorer.sqlite3").exists()


def is_kept(var_lib: Path) -> bool:
    """Whether the keyfile with the password of the network is there."""
    # A file that is deleted in an overlay is a character device in its upper folder.
    return (var_lib.parent / "etc" / KEYFILE).is_file()


@pytest.mark.parametrize("script", [PURGE, NO_DEBCONF])
def test_the_network_goes_with_the_package(var_lib: Path, script: str) -> None:
    run(var_lib, "remove", script)
    assert is_kept(var_lib)
    run(var_lib, "purge", script)
    assert not is_kept(var_lib)


def test_the_network_is_kept_on_request(var_lib: Path) -> None:
    answer(var_lib, "false", "truco-scorer/delete-wifi")
    run(var_lib, "purge")
    assert is_kept(var_lib)


FRESH = "# For more options see http://rptl.io/configtxt\n[cm4]\notg_mode=1\n"


@pytest.mark.parametrize("more", ["", "[all]\nlast=1\n"])
def test_what_set_up_wrote_into_config_txt_goes_with_the_package(var_lib: Path, more: str) -> None:
    boot = var_lib.parent / "boot" / "firmware" / "config.txt"
    boot.write_text(FRESH)
    words = ["--boot-config", str(boot), "--config", str(boot.parent / "none.toml")]
    assert setup_command.main([*words, "--example", str(boot.parent / "none")]) == 0
    prepared = boot.read_text() + more
    boot.write_text(prepared)
    run(var_lib, "remove")
    assert boot.read_text() == prepared
    run(var_lib, "purge")
    assert boot.read_text() == (f"{FRESH}\n{more}" if more else FRESH)
    assert [each.name for each in boot.parent.iterdir()] == ["config.txt"]


@pytest.mark.parametrize(
    "before", ["console=tty1 quiet\n", "a=b consoleblank=0\n", "console=tty3 console=tty1\n"]
)
def test_what_set_up_did_for_a_television_goes_with_the_package(var_lib: Path, before: str) -> None:
    boot = var_lib.parent / "boot" / "firmware" / "config.txt"
    cmdline = boot.with_name("cmdline.txt")
    boot.write_text(FRESH)
    cmdline.write_text(before)
    login = var_lib.parent / "etc" / DROP_IN.relative_to("/etc")
    settings = var_lib.parent / "television.toml"
    settings.write_text('[[panel]]\ndriver = "framebuffer"\n')
    words = ["--boot-config", str(boot), "--config", str(settings), "--getty", str(login)]
    assert setup_command.main(words) == 0
    assert login.is_file()
    # Meanwhile an update of the system has added a word.
    cmdline.write_text(cmdline.read_text().replace("\n", " last\n"))
    run(var_lib, "remove")
    assert is_quiet(cmdline.read_text()) and login.is_file()
    run(var_lib, "purge")
    assert cmdline.read_text() == before.replace("\n", " last\n")
    assert not login.is_file()
    assert sorted(path.name for path in boot.parent.iterdir()) == ["cmdline.txt", "config.txt"]


@pytest.mark.parametrize("torn", [BEGIN, f"{BEGIN}\n[all]", f"{END}\n{BEGIN}"])
def test_a_block_without_its_end_takes_nothing_with_it(var_lib: Path, torn: str) -> None:
    boot = var_lib.parent / "boot" / "firmware" / "config.txt"
    boot.write_text(f"{FRESH}{torn}\nlast=1\n")
    run(var_lib, "purge")
    assert boot.read_text() == f"{FRESH}{torn}\nlast=1\n"


def test_the_answer_is_forgotten_with_the_package(var_lib: Path) -> None:
    answer(var_lib, "false")
    run(var_lib, "purge")
    assert QUESTION not in (var_lib.parent / "config.dat").read_text()


def test_the_question_is_asked_in_every_language(var_lib: Path) -> None:
    text = (HERE / "templates").read_text(encoding="utf-8")
    for question in text.split("\n\n"):
        kinds = [line.partition(":")[0] for line in question.splitlines() if line[:1].strip()]
        languages = [kind for kind in kinds if kind.startswith("Description")]
        assert languages == ["Description", *(f"Description-{code}.UTF-8" for code in CODES)]


CODES = ("es", "pt_BR", "ca")
