"""Worked examples of the rulebook, real games and other engines' hands, replayed.

The reference folder is beside some checkouts and not part of them; without it this file is not
collected.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from scorer.rules import variant_ids
from tests.paths import ROOT, SHARED
from tests.sampling import sample

TOOL = SHARED / "tools" / "check_examples.py"
FILES = (
    "rules/examples.yaml",
    "rules/examples2.yaml",
    "rules/examples3.yaml",
    "data/peer_hands.yaml",
    "data/human_hands.yaml",
    "data/human_games.yaml",
)
_WHOLE = ("rules/examples3.yaml",)  # not sampled


def read_examples(name: str) -> list[dict[str, Any]]:
    """The examples of a file of the reference folder that this program can play."""
    yaml = pytest.importorskip("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content = yaml.load((SHARED / name).read_text(encoding="utf-8"), loader)
    examples = content["examples"] if isinstance(content, dict) else content
    return [example for example in examples if example["variant"] in variant_ids()]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", FILES)
def test_every_example_holds(name: str, tmp_path: Path) -> None:
    played = read_examples(name)
    assert played, f"{name} has no example of any variant"
    chosen = sample(played, 12, by=itemgetter("variant"), turn=FILES.index(name))
    if name in _WHOLE:
        chosen = played
    subset = tmp_path / "examples.yaml"
    # JSON is YAML, and much faster to write and read.
    subset.write_text(json.dumps(chosen), encoding="utf-8")
    scorer = f"{shlex.quote(sys.executable)} -m scorer"
    run = subprocess.run(
        [sys.executable, TOOL, subset, "--scorer", scorer],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    last = (run.stdout.splitlines() or ["no answer"])[-1]
    assert run.returncode == 0, f"{run.stdout}{run.stderr}"
    assert last == f"{len(chosen)} passed, 0 failed"
