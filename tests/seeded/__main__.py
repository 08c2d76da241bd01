"""``make seeded``: seed known faults in a copy of the tree.

The test of each fault must fail.

``python -m tests.seeded [ID ...]``; ``QUICK=1`` seeds one fault in ``SAMPLE``. Before, all the
tests must pass without a fault.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.paths import ROOT
from tests.sampling import QUICK
from tests.seeded.faults import Fault, FaultError, changed, faults

SAMPLE = 6  # QUICK seeds one fault in so many
TIMEOUT_S = 300  # of one test
COPIED = (
    "scorer",
    "tests",
    "tools",
    "docs",
    "firmware",
    "packaging",
    "image",
    "systemd",
    "hardware",
)
PASSED, FAILED = 0, 1  # exit codes of pytest
_OPTIONS = (
    "-q",
    "-x",
    "-n0",
    "-p",
    "no:cacheprovider",
    "-o",
    "addopts=",
    "--import-mode=importlib",
)


def copy_tree(folder: Path) -> Path:
    """A copy of the sources in which a fault can be seeded."""
    for name in COPIED:
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True
        )
    for path in ROOT.iterdir():
        if path.is_file() and not path.is_symlink():
            shutil.copy(path, folder)
    return folder


def run_tests(root: Path, tests: list[str]) -> subprocess.CompletedProcess[str]:
    """Run tests of that tree, with the cases that `make test` runs."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        # A changed file of the same size and second would keep its bytecode.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for name in ("QUICK", "EXHAUSTIVE"):
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *_OPTIONS, *tests],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S * (1 + len(tests) // 10),
    )


def problem_of(fault: Fault, root: Path) -> str:
    """Seed the fault, run its test, and take it back; "" if it was found."""
    path = root / fault.file
    try:
        text = changed(fault, root)
    except FaultError as error:
        return str(error)
    before = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    try:
        run = run_tests(root, [fault.test])
    except subprocess.TimeoutExpired:
        return ""  # it hangs: found
    finally:
        path.write_text(before, encoding="utf-8")
    if run.returncode == FAILED:
        return ""
    if run.returncode == PASSED:
        return f"{fault.id}: {fault.what}: {fault.test} does not find it; write a test that does"
    last = (run.stderr or run.stdout).strip().splitlines()[-1:]
    return f"{fault.id}: pytest cannot run {fault.test}: {''.join(last)}"


def main(ids: list[str]) -> int:
    """Seed the faults and report; return 1 if one is not found."""
    chosen = [fault for fault in faults() if not ids or fault.id in ids]
    chosen = chosen[::SAMPLE] if QUICK and not ids else chosen
    workers = max(1, int(os.environ.get("WORKERS", "2")))
    with tempfile.TemporaryDirectory() as folder:
        trees = SimpleQueue[Path]()
        for number in range(workers):
            trees.put(copy_tree(Path(folder) / str(number)))
        tree = trees.get()
        clean = run_tests(tree, sorted({fault.test for fault in chosen}))
        trees.put(tree)
        if clean.returncode != PASSED:
            print(re.sub(r"(?s)^.*?(=+ FAILURES)", r"\1", clean.stdout)[-4000:])
            print("these tests fail without any fault, and so prove nothing")
            return 1

        def seed(fault: Fault) -> str:
            tree = trees.get()
            try:
                return problem_of(fault, tree)
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(workers) as pool:
            problems = list(filter(None, pool.map(seed, chosen)))
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(chosen) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
