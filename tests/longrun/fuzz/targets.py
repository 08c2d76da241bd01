"""The fuzz targets: modules with ``inputs()``, ``seeds()`` and ``check(input)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis.strategies import SearchStrategy

from tests.longrun.fuzz import configs, hall, sheets, sockets, stores
from tests.longrun.fuzz.mutate import corpus


class Target(NamedTuple):
    """A fuzz target; the test suite feeds it ``quick`` inputs."""

    name: str
    inputs: Callable[[], SearchStrategy[Any]]
    check: Callable[[Any], None]
    seeds: Callable[[], Sequence[Any]]
    quick: int


def _whole(name: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [seed.data for seed in corpus(name)]


TARGETS = (
    Target(sheets.TARGET, sheets.inputs, sheets.check, _whole(sheets.TARGET), 150),
    Target(configs.TARGET, configs.inputs, configs.check, _whole(configs.TARGET), 120),
    Target(sockets.TARGET, sockets.inputs, sockets.check, sockets.seeds, 120),
    Target(hall.TARGET, hall.inputs, hall.check, _whole(hall.TARGET), 80),
    Target(stores.TARGET, stores.inputs, stores.check, _whole(stores.TARGET), 60),
)
