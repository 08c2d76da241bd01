"""Making /var at the first start survives a power cut at every step.

The script runs on an image file. A cut kills it before and after each program that it calls, and
inside the program that makes the file system at its writes; or it loses any of the writes that the
card had not yet kept. Each time the next start must find a card as if new, or a complete /var.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import tarfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

from tests.image.strace import numbered_calls
from tests.paths import ROOT
from tests.sampling import amount, sample

SCRIPT = ROOT / "image/files/usr/lib/truco/make-var"
MIB = 1 << 20
SIZE = 128 * MIB
SECTOR = 512
START = 24 * MIB  # of /var: the end of the system partition
TOOLS = ("sfdisk", "mke2fs", "sync", "tar", "e2fsck", "debugfs")
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
CONTENTS = {"lib/scorer/empty": b"", "lib/truco/name": b"truco", "lib/big": bytes(3 * MIB)}

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool, path=PATH) is None for tool in TOOLS),
    reason="needs e2fsprogs and fdisk",
)


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A card with the two partitions of the image, and its contents of /var."""
    with tarfile.open(tmp_path / "var.tar", "w") as archive:
        for name, content in CONTENTS.items():
            entry = tarfile.TarInfo(f"./{name}")
            entry.size, entry.uid, entry.gid = len(content), os.getuid(), os.getgid()
            archive.addfile(entry, BytesIO(content))
    new_card(tmp_path / "card")
    return tmp_path / "card"


def new_card(file: Path) -> None:
    file.unlink(missing_ok=True)
    with file.open("wb") as opened:
        opened.truncate(SIZE)
    table = "label: dos\nlabel-id: 0x5ca1ab1e\nstart=4MiB, size=8MiB, type=c\nsize=12MiB, type=83\n"
    subprocess.run(["sfdisk", "-q", str(file)], input=table, text=True, check=True, env=environ())
    with file.open("r+b") as opened:
        opened.seek(4 * MIB)
        opened.write(b"boot")
        opened.seek(12 * MIB)
        opened.write(b"system")


def environ(**more: str) -> dict[str, str]:
    return {**os.environ, "PATH": PATH, "LC_ALL": "C", "SMALLEST_MB": "64", **more}


def make_var(card: Path, env: Mapping[str, str] | None = None, *before: str) -> int:
    """Run the script in its own process group; the exit code, negative if cut."""
    command = [*before, "sh", str(SCRIPT), str(card), str(card.with_name("var.tar"))]
    process = subprocess.Popen(
        command, env=env or environ(), start_new_session=True, stderr=subprocess.DEVNULL
    )
    return process.wait()


def partitions(card: Path) -> list[tuple[int, int]]:
    table = subprocess.run(
        ["sfdisk", "--dump", str(card)], capture_output=True, text=True, check=True, env=environ()
    ).stdout
    return [
        (int(start) * SECTOR, int(size) * SECTOR)
        for start, size in re.findall(r"start= *(\d+), size= *(\d+)", table)
    ]


def assert_complete(card: Path) -> None:
    """The card has a complete /var, and its other partitions are unchanged."""
    assert partitions(card) == [
        (4 * MIB, 8 * MIB),
        (12 * MIB, 12 * MIB),
        (START, SIZE - START),
    ]
    with card.open("rb") as opened:
        opened.seek(4 * MIB)
        assert opened.read(5) == b"boot\0"
        opened.seek(12 * MIB)
        assert opened.read(7) == b"system\0"
    where = f"{card}?offset={START}"
    checked = subprocess.run(
        ["e2fsck", "-fn", where], capture_output=True, text=True, check=False, env=environ()
    )
    assert checked.returncode == 0, checked.stdout
    for name, content in CONTENTS.items():
        done = subprocess.run(
            ["debugfs", "-R", f"cat {name}", where], capture_output=True, check=True, env=environ()
        )
        assert done.stdout == content, name


def counting_tools(folder: Path) -> Path:
    """Programs that kill the script when they are called for the time named by CUT."""
    folder.mkdir()
    for tool in ("sfdisk", "mke2fs", "sync", "tar", "awk"):
        real = shutil.which(tool, path=PATH)
        wrapper = folder / tool
        wrapper.write_text(
            '#!/bin/sh\necho >> "$COUNT"\nat=$(wc -l < "$COUNT")\n'
            '[ "$CUT" != "$at.before" ] || kill -KILL 0\n'
            f'{real} "$@"\nresult=$?\n'
            '[ "$CUT" != "$at.after" ] || kill -KILL 0\nexit $result\n',
            encoding="utf-8",
        )
        wrapper.chmod(0o755)
    return folder


def test_a_new_card_gets_its_var(card: Path) -> None:
    assert make_var(card) == 0
    assert_complete(card)


def test_a_var_that_exists_is_never_changed(card: Path) -> None:
    make_var(card)
    with card.open("r+b") as opened:
        opened.seek(START + 1024)
        opened.write(b"damaged superblock")
    before = card.read_bytes()
    assert make_var(card) == 0
    assert card.read_bytes() == before


def test_a_card_that_is_too_small_is_refused_unchanged(card: Path) -> None:
    with card.open("r+b") as opened:
        opened.truncate(START + 60 * MIB)
    before = card.read_bytes()
    assert make_var(card) == 1
    assert card.read_bytes() == before


@pytest.mark.sampled
def test_a_cut_before_or_after_each_program_leaves_a_card_that_starts(
    card: Path, tmp_path: Path
) -> None:
    tools, count = counting_tools(tmp_path / "tools"), tmp_path / "count"
    env = environ(COUNT=str(count), CUT="", PATH=f"{tools}:{PATH}")
    assert make_var(card, env) == 0
    calls = len(count.read_text().splitlines())
    assert calls >= 6
    cuts = [f"{at}.{when}" for at in range(1, calls + 1) for when in ("before", "after")]
    for cut in sample(cuts, 4):
        new_card(card)
        count.unlink(missing_ok=True)
        assert make_var(card, {**env, "CUT": cut}) == -signal.SIGKILL, cut
        assert make_var(card) == 0
        assert_complete(card)


@pytest.mark.sampled
@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_a_cut_at_a_write_leaves_a_card_that_starts(card: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    plain = ("strace", "-f", "-qq", "-o", str(trace), "-e", "trace=pwrite64,write", "-P", str(card))
    assert make_var(card, None, *plain) == 0
    cases = numbered_calls(trace)
    assert len(cases) > 20
    for call, number in sample(cases, 2):
        new_card(card)
        # Where two programs reach this number, the first one is cut and the script goes no further.
        assert make_var(card, None, *plain, "-e", f"inject={call}:signal=KILL:when={number}") != 0
        assert make_var(card) == 0
        assert_complete(card)


@pytest.mark.sampled(0)
def test_writes_that_the_card_had_not_kept_do_no_harm(card: Path) -> None:
    blank = card.read_bytes()
    make_var(card)
    done = card.read_bytes()
    changed = [
        at
        for at in range(0, SIZE, 8 * SECTOR)
        if blank[at : at + 8 * SECTOR] != done[at : at + 8 * SECTOR]
    ]
    # Everything but the table in the first sector was to be on the card before it was written.
    assert changed[0] == 0 and blank[SECTOR:START] == done[SECTOR:START]
    for seed in range(amount(3, 60)):
        chance = random.Random(seed)
        with card.open("r+b") as opened:
            for at in changed:
                source = done if at and chance.random() < chance.random() else blank
                opened.seek(at)
                opened.write(source[at : at + 8 * SECTOR])
        assert make_var(card) == 0
        assert_complete(card)


def test_the_table_is_written_after_the_file_system_is_kept(card: Path, tmp_path: Path) -> None:
    order = tmp_path / "order"
    folder = tmp_path / "tools"
    folder.mkdir()
    for tool in ("sfdisk", "mke2fs", "sync"):
        wrapper = folder / tool
        real = shutil.which(tool, path=PATH)
        wrapper.write_text(f'#!/bin/sh\necho {tool} "$@" >> "{order}"\nexec {real} "$@"\n')
        wrapper.chmod(0o755)
    make_var(card, environ(PATH=f"{folder}:{PATH}"))
    called = [line.split()[0] for line in order.read_text().splitlines()]
    assert called == ["sfdisk", "mke2fs", "sync", "sfdisk", "sync"]
