"""A new hub for each test in Chromium, and its director."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in

if TYPE_CHECKING:
    from tests.hub.test_tournament import Director


@pytest.fixture
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    # A test loads pages faster than a person: with 40 viewers an address it reaches the limit.
    settings = 'name = "Club Tres de Copas"\nviewers_each = 200'
    with running_hub(tmp_path_factory.mktemp("hub"), settings) as running:
        yield running


@pytest.fixture
def director(hub: HubProcess) -> Director:
    """The desk of a hub without boxes and tournaments."""
    # Imported by the modules that use it alone.
    from tests.hub.test_tournament import Director

    return Director(hub, log_in(hub))
