"""Random histories of a hall: a sample of `make storm-hall`, and the controls."""

from __future__ import annotations

import pytest

from tests.hub.protocol.machine import GUARDS
from tests.hub.protocol.run import control_fails
from tests.sampling import sample

MOST_CONTROL = 600  # histories in which a control must fail
CONTROL_BLOCK = 20
# With these seeds the controls fail in the first block. ``overlap``, which may take half a minute,
# is not in a sample of four.
SEEDS = {"prev": 6, "greeting": 3, "duplicates": 1, "overlap": 4, "commit": 1}


@pytest.mark.sampled(0)
@pytest.mark.parametrize("guard", sample(SEEDS, 4))
def test_a_hub_without_one_guard_breaks_a_law(guard: str) -> None:
    assert control_fails(guard, MOST_CONTROL, SEEDS[guard], block=CONTROL_BLOCK)


def test_every_guard_has_a_control() -> None:
    assert set(SEEDS) == set(GUARDS)
