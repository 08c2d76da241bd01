"""Worked examples and recorded hands, checked in-process for the forks.

``tests/rules/test_shared_examples.py`` checks the same through the command. The name does not start
with ``test_``, so that only a run of the mutants collects it.
"""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

import pytest

from scorer.commands.replay import JsonReport
from scorer.rules import Header, read_sheet, variant_ids
from tests.rules.test_shared_examples import FILES, TOOL, read_examples

LOT = 25  # examples per test
# Many recorded hands are alike: check one in so many of a file.
ONE_IN = {"data/human_hands.yaml": 8}


class Tool(Protocol):
    """The functions used of the reference checker."""

    def sheet(self, example: Mapping[str, Any]) -> str:
        """The example as a score sheet."""

    def differences(self, example: Mapping[str, Any], records: list[dict[str, Any]]) -> list[str]:
        """The differences from the expected result."""


def _tool() -> Tool:
    spec = importlib.util.spec_from_file_location("check_examples", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(Tool, module)


def _lots() -> Iterator[Any]:
    """Lots of examples, each of one variant and one file."""
    if not TOOL.is_file():
        return
    for name in FILES:
        examples = read_examples(name)
        for variant in variant_ids():
            own = [example for example in examples if example["variant"] == variant]
            own = own[:: ONE_IN.get(name, 1)]
            for at in range(0, len(own), LOT):
                yield pytest.param(own[at : at + LOT], id=f"{variant} {name} {at}")


LOTS = list(_lots())
JUDGE = _tool() if LOTS else None


@pytest.mark.parametrize("examples", LOTS)
def test_every_example_of_a_lot_passes(examples: list[dict[str, Any]]) -> None:
    assert JUDGE is not None
    for example in examples:
        assert JUDGE.differences(example, _replayed(JUDGE.sheet(example))) == [], example["id"]


def _replayed(sheet: str) -> list[dict[str, Any]]:
    """The output of ``scorer replay --json`` for the sheet."""
    written: list[str] = []
    telling = JsonReport(written.append)
    for record in read_sheet(io.BytesIO(sheet.encode())):
        if isinstance(record, Header):
            telling.start_game(record)
        else:
            telling.play_step(record)
    return [json.loads(line) for line in written]
