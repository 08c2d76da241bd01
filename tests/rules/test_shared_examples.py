"""Worked examples of the rulebook, real games and other engines' hands, replayed.

The reference folder is beside the checkout, not part of it; without it these tests report that
there is nothing to compare.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from functools import cache

import pytest

from scorer.rules import variant_ids
from tests.paths import ROOT, SHARED
from tests.sampling import sample

TOOL = SHARED / "tools" / "check_examples.py"
FILES = (
    "rules/examples.yaml",
    "rules/examples2.yaml",
    "data/peer_hands.yaml",
    "data/human_hands.yaml",
    "data/human_games.yaml",
)

pytestmark = pytest.mark.skipif(
    not TOOL.is_file(), reason="the reference folder (../shared) is not beside this checkout"
)


@cache
def variants_in(name: str) -> tuple[str, ...]:
    """The variants of a file that this program has."""
    yaml = pytest.importorskip("yaml")
    with (SHARED / name).open(encoding="utf-8") as file:
        content = yaml.safe_load(file)
    examples = content["examples"] if isinstance(content, dict) else content
    return tuple(sorted({example["variant"] for example in examples} & set(variant_ids())))


@pytest.mark.sampled
@pytest.mark.parametrize("name", FILES)
def test_every_example_holds(name: str) -> None:
    variants = sample(variants_in(name), 4, turn=FILES.index(name))
    assert variants, f"{name} has no example of any variant"
    for variant in variants:
        scorer = f"{shlex.quote(sys.executable)} -m scorer"
        run = subprocess.run(
            [sys.executable, TOOL, SHARED / name, "--scorer", scorer, "--only", variant],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        last = (run.stdout.splitlines() or ["no answer"])[-1]
        assert run.returncode == 0, f"{variant}: {run.stdout}{run.stderr}"
        passed, _, rest = last.partition(" passed, ")
        assert int(passed) > 0, f"{variant}: {last}"
        assert rest == "0 failed", f"{variant}: {last}"
