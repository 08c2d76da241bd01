"""The fuzz corpus and a fixed sample of generated inputs.

The sample is the same on every run; ``make fuzz`` feeds many others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.longrun.fuzz import guided
from tests.longrun.fuzz.limits import Endless, bounded
from tests.longrun.fuzz.mutate import corpus
from tests.longrun.fuzz.targets import TARGETS, Target
from tests.sampling import amount

CASES = [
    pytest.param(target, seed, id=f"{target.name}-{name}")
    for target in TARGETS
    for seed, name in zip(target.seeds(), [seed.name for seed in corpus(target.name)], strict=True)
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("target", "seed"), CASES)
def test_inputs_that_once_failed_pass(target: Target, seed: Any) -> None:  # noqa: ANN401
    target.check(seed)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("target", TARGETS, ids=[target.name for target in TARGETS])
def test_no_input_crashes_or_changes_a_score(target: Target) -> None:
    @settings(
        max_examples=amount(target.quick // 20, target.quick),
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs())
    def fed(given_input: Any) -> None:  # noqa: ANN401
        target.check(given_input)

    fed()


def test_an_endless_loop_is_interrupted() -> None:
    with pytest.raises(Endless), bounded(0.05):
        while True:
            pass


LEARNED = [
    pytest.param(name, path, id=f"{name}-{path.name}")
    for name in guided.PARSERS
    for path in sorted(guided.learned(name).glob("*"))
]


@pytest.mark.sampled(10)
@pytest.mark.parametrize(("name", "path"), LEARNED)
def test_inputs_that_reach_rare_lines_pass(name: str, path: Path) -> None:
    guided.check_of(name)(path.read_bytes())


def test_an_input_that_reaches_more_lines_counts_as_better() -> None:
    check = guided.check_of("form")
    few = guided.lines_of(lambda: check(b"[]"))
    more = guided.lines_of(lambda: check(b'{"do": "t.enter", "teams": "Los Pibes"}'))
    assert len(more - few) > 50
