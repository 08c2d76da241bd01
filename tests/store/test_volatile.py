"""A store on tmpfs, ramfs or an overlay, which lose it at power-off."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer import cli
from scorer.doctor import storage
from scorer.doctor.findings import Level
from scorer.store.health import volatile_file_system
from tests.support.service_process import configuration, running_service
from tests.support.table_client import TableClient

CARD = "21 1 179:2 / / rw,noatime shared:1 - ext4 /dev/root rw\n"
OVERLAY = (
    "30 1 0:26 / / rw - overlay overlayroot rw,lowerdir=/media/root-ro,"
    "upperdir={upper},workdir=/media/root-rw/work\n"
)


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder on a real tmpfs."""
    folder = Path("/dev/shm") / f"scorer-test-{os.getpid()}"
    folder.mkdir()
    if not volatile_file_system(folder):
        folder.rmdir()
        pytest.skip("/dev/shm is no tmpfs here")
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("mounts", "kind"),
    [
        (CARD, ""),
        (CARD + "30 21 0:26 / /var rw shared:9 - tmpfs tmpfs rw,size=100k\n", "tmpfs"),
        (CARD + "30 21 0:26 / /var rw - ramfs none rw\n", "ramfs"),
        (CARD + "30 21 0:26 / /va rw - tmpfs tmpfs rw\n", ""),
        (CARD + "30 21 0:26 / /var rw - tmpfs a rw\n31 21 8:1 / /var rw - ext4 b rw\n", ""),
        ("30 21 0:26 / /var rw - tmpfs a rw\n" + CARD, "tmpfs"),
        (OVERLAY.format(upper="/upper/data"), "overlay"),
        ("", ""),
    ],
)
def test_the_mount_that_contains_the_store_counts(tmp_path: Path, mounts: str, kind: str) -> None:
    file = tmp_path / "mountinfo"
    file.write_text(mounts, encoding="ascii")
    assert volatile_file_system(Path("/var/lib/scorer"), file) == kind


@pytest.mark.parametrize(("kind", "expected"), [("tmpfs", "overlay"), ("ext4", "")])
def test_an_overlay_is_what_its_upper_layer_is(tmp_path: Path, kind: str, expected: str) -> None:
    upper = tmp_path / "upper layer"
    upper.mkdir()
    escaped, place = (str(path).replace(" ", "\\040") for path in (upper, tmp_path))
    file = tmp_path / "mountinfo"
    layer = f"31 30 0:27 / {place} rw - {kind} x rw\n"
    file.write_text(OVERLAY.format(upper=escaped) + layer, encoding="ascii")
    assert volatile_file_system(Path("/var/lib/scorer"), file) == expected


def test_without_proc_nothing_is_known(tmp_path: Path) -> None:
    assert volatile_file_system(tmp_path, tmp_path / "none") == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts")
@pytest.mark.parametrize("kind", ["tmpfs", "ramfs", "overlay"])
def test_real_mounts_are_recognised(tmp_path: Path, kind: str) -> None:
    look = "import sys; from pathlib import Path; from scorer.store.health import *; "
    look += "print(volatile_file_system(Path(sys.argv[1])))"
    lower = tmp_path / "lower"
    lower.mkdir()
    mount = f"mount -t {kind} none {tmp_path}"
    if kind == "overlay":
        layers = "lowerdir=$0/lower,upperdir=/run/up,workdir=/run/work"
        mount = "mount -t tmpfs none /run && mkdir /run/up /run/work && "
        mount += f"mount -t overlay -o {layers} none $0"
    script = f'cd / && {mount} && exec "$1" -c "$2" "$0"'
    found = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, str(tmp_path), sys.executable, look],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    if "mount:" in found.stderr or "unshare:" in found.stderr:
        pytest.skip(found.stderr)
    assert found.stdout.strip() == kind, found.stderr


def test_the_doctor_and_the_check_report_it(
    memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = next(storage.check_store(memory, "no-such-user"))
    assert (first.level, first.key) == (Level.FAIL, "disk.forgets")
    assert first.fields == {"path": memory, "kind": "tmpfs"}
    file = memory / "scorer.toml"
    file.write_text(f'[store]\ndirectory = "{memory}"\n', encoding="utf-8")
    assert cli.main(["check", str(file), "--variants", str(memory / "none")]) == 0
    warning = f"{file}: look: [store]: {memory} is in memory (tmpfs): "
    assert warning + "its games are lost at power-off" in capsys.readouterr().out.splitlines()


@pytest.mark.sampled(0)
def test_the_panel_of_a_table_reports_it(memory: Path) -> None:
    with running_service(memory, configuration(memory)) as table:
        table.messages_until("READY=1")
        with TableClient(table.path) as client:
            assert "forgets" in client.ask(do="selftest")["marks"]
