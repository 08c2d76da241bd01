"""A table of its own process with its socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.table_process import TableDriver, running_table, table_on


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sock"


@pytest.fixture
def told(tmp_path: Path, path: Path) -> Iterator[TableDriver]:
    with running_table(table_on(tmp_path / "store", socket=path)) as playing:
        yield playing
