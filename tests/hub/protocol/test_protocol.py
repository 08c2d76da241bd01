"""Random histories of a hall: a sample of `make storm-hall`, and the controls."""

from __future__ import annotations

import pytest

from tests.hub.protocol.machine import GUARDS, Protocol, WithoutCopies
from tests.hub.protocol.run import control_fails, run_histories
from tests.sampling import sample

SAMPLE = 30
MOST_CONTROL = 600  # histories in which a control must fail


@pytest.mark.parametrize("machine", [Protocol, WithoutCopies])
def test_nothing_is_lost_or_mixed_in_a_sample_of_histories(machine: type[Protocol]) -> None:
    run_histories(machine, SAMPLE, seed=1)


@pytest.mark.sampled
@pytest.mark.parametrize("guard", sample(GUARDS, 1))
def test_a_hub_without_one_guard_breaks_a_law(guard: str) -> None:
    # The guard ``overlap`` may take half a minute.
    assert control_fails(guard, MOST_CONTROL, seed=4)
