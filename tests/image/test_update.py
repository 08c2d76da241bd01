"""The update of a box is complete or not begun, wherever the plug is pulled.

The script runs with the real dpkg on a system in a folder. Mounting, services and devices of the
machine are left out: for those it calls programs that do nothing.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.image.strace import numbered_calls
from tests.paths import ROOT
from tests.sampling import sample

SCRIPT = ROOT / "image/files/usr/lib/truco/update"
FILES = [f"usr/lib/truco-scorer/part{number}" for number in range(5)]
# Programs of the machine; is-active answers whether READY exists.
DUMMIES = {
    # A stick is mounted by copying what it has.
    "mount": 'case $3 in *usb-1) cp "$STICK"/* "$4";; esac',
    "umount": 'rm -f "$1"/*',
    "udevadm": "exit 0",
    "systemctl": '[ "$1" != --quiet ] || [ -e "$READY" ]',
}

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None or os.geteuid() != 0,
    reason="needs dpkg, and root: the files of a package belong to root",
)


class Box:
    """A system in a folder with package version 1, and the drive TRUCO of its card."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.card = folder, folder / "card"
        self.state, self.root = folder / "state", folder / "root"
        self.stick = folder / "stick"
        self.tools, self.count, self.ready = folder / "tools", folder / "count", folder / "ready"
        for each in (self.card, self.state, self.tools, folder / "run"):
            each.mkdir()
        for part in ("info", "updates", "triggers"):
            (self.root / "var/lib/dpkg" / part).mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").touch()
        self.ready.touch()
        self._write_tools()
        shutil.copy(self.package("1"), self.state / "current.deb")
        self._dpkg("--install", str(self.state / "current.deb"))

    def _write_tools(self) -> None:
        counting = (
            'echo >> "$COUNT"\nat=$(wc -l < "$COUNT")\n'
            '[ "$CUT" != "$at.before" ] || kill -KILL 0\n{}\nresult=$?\n'
            '[ "$CUT" != "$at.after" ] || kill -KILL 0\nexit $result\n'
        )
        real = {name: shutil.which(name) for name in ("dpkg-query", "dpkg-deb", "mv", "rm", "sync")}
        commands = {name: f'{path} "$@"' for name, path in real.items()}
        commands["dpkg-query"] = f'{real["dpkg-query"]} --admindir="{self.root}/var/lib/dpkg" "$@"'
        self.dpkg = f'{shutil.which("dpkg")} --root="{self.root}" --log=/dev/null "$@"'
        commands["dpkg"] = self.dpkg
        for name, command in {**DUMMIES, **commands}.items():
            tool = self.tools / name
            tool.write_text("#!/bin/sh\n" + counting.format(f"({command})"), encoding="utf-8")
            tool.chmod(0o755)

    def package(self, version: str, *, breaks: bool = False) -> Path:
        """A package whose files contain its version; ``breaks``: it fails to configure."""
        tree = self.folder / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        for name in FILES:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(version, encoding="utf-8")
        control = f"Package: truco-scorer\nVersion: {version}\nArchitecture: all\n"
        control += "Maintainer: a test <noreply@truco-scorer.invalid>\nDescription: a test\n"
        if breaks:
            control += "Depends: a-package-that-does-not-exist\n"
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN/control").write_text(control, encoding="utf-8")
        file = self.folder / f"truco-scorer_{version}_all.deb"
        command = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(file)]
        subprocess.run(command, check=True, capture_output=True)
        return file

    def plug(self, package: Path, signature: Path | None = None) -> None:
        """Copy a package, and its signature, to a stick."""
        self.stick.mkdir(exist_ok=True)
        shutil.copy(package, self.stick)
        if signature is not None:
            shutil.copy(signature, self.stick)
        for folder in (self.folder / "devices", self.folder / "interfaces/1"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "interfaces/1/bInterfaceClass").write_text("08\n")
        os.mknod(self.folder / "devices/usb-1", 0o600 | stat.S_IFBLK, os.makedev(7, 250))

    def insert(self, package: Path) -> None:
        """Copy a package to the drive of the card."""
        shutil.copy(package, self.card)

    def start(self, *words: str, cut: str = "") -> int:
        """Run the script in its own process group; the exit code, negative if cut."""
        self.count.unlink(missing_ok=True)
        environ = {
            **os.environ,
            "PATH": f"{self.tools}:{os.environ['PATH']}",
            "TRUCO_UPDATE": str(self.state),
            "TRUCO_CARD": str(self.card),
            "TRUCO_RUN": str(self.folder / "run"),
            "TRUCO_READY_S": "0",
            "COUNT": str(self.count),
            "CUT": cut,
            "READY": str(self.ready),
            "TRUCO_KEYRING": str(self.folder / "release.gpg"),
            "TRUCO_DEVICES": str(self.folder / "devices"),
            "TRUCO_INTERFACES": str(self.folder / "interfaces"),
            "STICK": str(self.stick),
        }
        command = ["sh", str(SCRIPT), *words]
        with (self.folder / "log").open("a") as log:
            process = subprocess.Popen(
                command, env=environ, start_new_session=True, stdout=log, stderr=log
            )
            return process.wait()

    def calls(self) -> int:
        """The number of programs that the last start called."""
        return len(self.count.read_text().splitlines())

    def installed(self) -> set[str]:
        """The contents of the package's files and its state; one value where all agree."""
        query = ["dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "--show"]
        query += ["--showformat=${Version} ${db:Status-Status}", "truco-scorer"]
        told = subprocess.run(query, check=True, capture_output=True, text=True).stdout
        found = {(self.root / name).read_text(encoding="utf-8") for name in FILES}
        return {f"{each} installed" for each in found} | {told}

    def _dpkg(self, *words: str) -> None:
        command = ["dpkg", f"--root={self.root}", "--log=/dev/null", *words]
        subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def new_box(tmp_path: Path) -> Callable[[], Box]:
    def made() -> Box:
        folder = tmp_path / "box"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return Box(folder)

    return made


def test_a_newer_package_on_the_card_is_installed_and_kept(new_box: Callable[[], Box]) -> None:
    box = new_box()
    box.insert(box.package("2"))
    assert box.start() == 0
    assert box.installed() == {"2 installed"}
    assert box.start("confirm") == 0
    assert sorted(each.name for each in box.state.iterdir()) == ["current.deb"]


@pytest.mark.parametrize("version", ["1", "0.9"])
def test_a_package_that_is_not_newer_is_ignored(version: str, new_box: Callable[[], Box]) -> None:
    box = new_box()
    box.insert(box.package(version))
    box.start()
    assert box.installed() == {"1 installed"}
    assert not (box.state / "next.deb").exists()


@pytest.mark.sampled(0)
def test_the_newest_of_several_is_installed(new_box: Callable[[], Box]) -> None:
    box = new_box()
    for version in ("2", "10", "9"):
        box.insert(box.package(version))
    box.start()
    assert box.installed() == {"10 installed"}


@pytest.fixture(scope="module")
def sign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, str], Path]]:
    """Signs a package with a key of gpg; the signature, and release.gpg beside it."""
    if shutil.which("gpg") is None or shutil.which("gpgv") is None:
        pytest.skip("gpg and gpgv are not installed")
    keys = tmp_path_factory.mktemp("keys")
    keys.chmod(0o700)
    gpg = ["gpg", "--homedir", str(keys), "--batch", "--quiet", "--yes"]
    for name in ("release", "stranger"):
        new = [*gpg, "--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never"]
        subprocess.run(new, check=True)

    def sign(package: Path, name: str) -> Path:
        signature = package.with_name(f"{package.name}.sig")
        words = ["--local-user", name, "--detach-sign", "--output", str(signature), str(package)]
        subprocess.run([*gpg, *words], check=True)
        ring = str(package.with_name("release.gpg"))
        subprocess.run([*gpg, "--output", ring, "--export", "release"], check=True)
        return signature

    yield sign
    subprocess.run(["gpgconf", "--homedir", str(keys), "--kill", "all"], check=True)


def test_a_stick_with_a_signed_package_updates_the_box(
    new_box: Callable[[], Box], sign: Callable[[Path, str], Path]
) -> None:
    box = new_box()
    package = box.package("2")
    box.plug(package, sign(package, "release"))
    assert box.start() == 0
    assert box.installed() == {"2 installed"}
    assert not (box.state / "incoming").exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("wrong", ["none", "stranger", "other package", "no key"])
def test_a_stick_without_the_signature_of_the_release_is_ignored(
    new_box: Callable[[], Box], sign: Callable[[Path, str], Path], wrong: str
) -> None:
    box = new_box()
    package = box.package("2")
    signature: Path | None = sign(package, "stranger" if wrong == "stranger" else "release")
    if wrong == "none":
        signature = None
    if wrong == "other package":
        with package.open("ab") as file:
            file.write(b"\n")
    if wrong == "no key":
        (box.folder / "release.gpg").unlink()
    box.plug(package, signature)
    assert box.start() == 0
    assert box.installed() == {"1 installed"}
    assert sorted(each.name for each in box.state.iterdir()) == ["current.deb"]
    assert "is not signed by the release's key" in (box.folder / "log").read_text()


def test_the_owner_of_the_card_allows_packages_without_a_signature(
    new_box: Callable[[], Box],
) -> None:
    box = new_box()
    box.plug(box.package("2"))
    (box.card / "unsigned-sticks").touch()
    assert box.start() == 0
    assert box.installed() == {"2 installed"}


def test_a_damaged_package_is_ignored(new_box: Callable[[], Box]) -> None:
    box = new_box()
    package = box.package("2")
    whole = package.read_bytes()
    for size in (10, len(whole) // 2, len(whole) - 600):
        (box.card / package.name).write_bytes(whole[:size])
        assert box.start() == 0
        assert box.installed() == {"1 installed"}


@pytest.mark.sampled(0)
def test_a_package_that_cannot_be_installed_is_put_back_and_refused(
    new_box: Callable[[], Box],
) -> None:
    box = new_box()
    box.insert(box.package("2", breaks=True))
    for _ in range(2):
        assert box.start() == 0
        assert box.installed() == {"1 installed"}
        assert not (box.state / "next.deb").exists()


@pytest.mark.sampled(0)
def test_a_program_that_does_not_become_ready_is_put_back(new_box: Callable[[], Box]) -> None:
    box = new_box()
    box.insert(box.package("2"))
    box.start()
    box.ready.unlink()
    box.start("confirm")
    assert box.installed() == {"1 installed"}
    box.start()
    assert box.installed() == {"1 installed"}


@pytest.mark.sampled(0)
def test_after_a_cut_on_the_way_back_the_next_start_goes_on_back(
    new_box: Callable[[], Box],
) -> None:
    def refusing() -> Box:
        box = new_box()
        box.insert(box.package("2"))
        box.start()
        box.ready.unlink()
        return box

    box = refusing()
    assert box.start("confirm") == 0
    cuts = [f"{at}.{when}" for at in range(1, box.calls() + 1) for when in ("before", "after")]
    for cut in sample(cuts, 2):
        box = refusing()
        assert box.start("confirm", cut=cut) == -signal.SIGKILL, cut
        has_refused = (box.state / "refused").exists()
        box.start()
        if has_refused:
            assert box.installed() == {"1 installed"}, cut
        box.start("confirm")
        box.start()
        assert box.installed() == {"1 installed"}, cut
        assert not (box.state / "next.deb").exists(), cut


@pytest.mark.sampled(0)
def test_a_program_that_makes_three_starts_fail_is_put_back(new_box: Callable[[], Box]) -> None:
    box = new_box()
    box.insert(box.package("2"))
    for _ in range(3):
        box.start()
        assert box.installed() == {"2 installed"}
    box.start()
    assert box.installed() == {"1 installed"}


@pytest.mark.sampled(0)
@pytest.mark.parametrize("words", [(), ("confirm",)])
def test_after_a_cut_at_any_program_the_next_starts_finish_the_update(
    words: tuple[str, ...], new_box: Callable[[], Box]
) -> None:
    box = new_box()
    box.insert(box.package("2"))
    if words:
        box.start()
    assert box.start(*words) == 0
    cuts = [f"{at}.{when}" for at in range(1, box.calls() + 1) for when in ("before", "after")]
    for cut in sample(cuts, 2):
        box = new_box()
        box.insert(box.package("2"))
        if words:
            box.start()
        assert box.start(*words, cut=cut) == -signal.SIGKILL, cut
        box.start()
        assert box.installed() == {"2 installed"}, cut
        box.start("confirm")
        assert not (box.state / "next.deb").exists(), cut
        assert box.installed() == {"2 installed"}, cut


@pytest.mark.sampled(0)
@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_after_a_cut_inside_dpkg_the_next_start_installs_the_package(
    new_box: Callable[[], Box],
) -> None:
    calls = "rename,renameat,renameat2,fsync,link,linkat,unlink,unlinkat,mkdir,mkdirat"

    def box_with_traced_dpkg(inject: str) -> Box:
        """A box whose installation runs under strace and takes the script with it."""
        box = new_box()
        box.insert(box.package("2"))
        dpkg = box.tools / "dpkg"
        plain = dpkg.read_text(encoding="utf-8")
        strace = f'strace -qq -o "{box.folder}/trace" -e trace={calls} {inject}'
        lines = [
            "#!/bin/sh",
            f'[ "$1" = --force-confold ] || exec {box.dpkg}',
            f"{strace} {box.dpkg}",
            "result=$?",
            "[ $result -lt 128 ] || kill -KILL 0",
            "exit $result",
        ]
        dpkg.write_text("\n".join(lines), encoding="utf-8")
        assert box.start() == (-signal.SIGKILL if inject else 0)
        dpkg.write_text(plain, encoding="utf-8")
        return box

    box = box_with_traced_dpkg("")
    cases = numbered_calls(box.folder / "trace")
    assert len(cases) > 20
    for call, number in sample(cases, 2):
        box = box_with_traced_dpkg(f"-e inject={call}:signal=KILL:when={number}")
        assert box.start() == 0
        assert box.installed() == {"2 installed"}, (call, number)
