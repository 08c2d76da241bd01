"""The packed program in its WebAssembly shows what CPython shows, press by press."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from scorer.rules.registry import built_in_ids
from tests import sampling
from tests.browser.page_server import NODE, needs_page
from tests.paths import ROOT
from tools.browser.__main__ import OUT

pytestmark = [pytest.mark.browser, needs_page]
# Variant, language, panels, seed, presses.
ALL = [
    (variant, language, panels, seed, 120)
    for seed, variant in enumerate(built_in_ids())
    for language, panels in (("es-AR", 2), ("pt-BR", 1), ("ca", 2))
]
SAMPLE = [
    ("argentine", "es-AR", 2, 1, 40),
    ("paulista", "pt-BR", 1, 2, 40),
    ("venezuelan", "es-VE", 2, 3, 40),
    ("pata_gallo", "en", 2, 4, 40),
]
ZONE = "America/Montevideo"


def printed(command: list[str], case: tuple[str, str, int, int, int]) -> list[str]:
    """The reports that a program prints."""
    done = subprocess.run(
        [*command, json.dumps([case])],
        cwd=ROOT,
        env={**os.environ, "TZ": ZONE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "case", ALL if sampling.EXHAUSTIVE else SAMPLE, ids=lambda case: "-".join(case[:2])
)
def test_the_same_presses_give_the_same_reports(case: tuple[str, str, int, int, int]) -> None:
    assert NODE is not None
    packed = [NODE, "tests/browser/packed_python.mjs", str(OUT), "presses"]
    found = printed(packed, case)
    assert found == printed([sys.executable, "-m", "tests.browser.presses"], case)
    assert len(found) == case[-1] + 4
