"""The self-test at the box names buttons whose wires touch, without a computer."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.demo.buttons import PinEdge
from tests.table.table_process import TableDriver, running_table, table_on


def press_shorted(table: TableDriver, *lines: str) -> None:
    """Press one of several buttons whose wires touch."""
    edges = [
        PinEdge(table.now + late + nth * 1e-5, line, level)
        for late, level in ((0.0, 0), (0.15, 1))
        for nth, line in enumerate(lines)
    ]
    table.apply_edges(edges, 3.0)


def self_test(table: TableDriver) -> str:
    """Open set-up and its self-test, and return what the panel says."""
    table.press("menu", held_s=0.9)
    while "volver a fábrica autoprueba seguir" not in table.text:  # the middle line is chosen
        table.press("B.tantos")
    table.press("A.quiero")
    return table.text


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (("A.truco", "A.envido"), ("A truco", "A envido")),
        (("A.truco", "B.truco"), ("A truco", "B truco")),
        (("B.quiero", "B.no_quiero"), ("B quiero", "B no quiero")),
    ],
)
def test_the_self_test_names_both_buttons(
    tmp_path: Path, lines: tuple[str, str], names: tuple[str, str]
) -> None:
    with running_table(table_on(tmp_path)) as table:
        for _ in range(2):
            press_shorted(table, *lines)
        said = self_test(table)
    assert said.count("en corto") == 2
    for name in names:
        assert name in said


@pytest.mark.sampled(0)
def test_a_button_that_is_pressed_alone_touches_no_other(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as table:
        for _ in range(2):
            press_shorted(table, "A.truco", "A.envido")
        table.press("A.envido")
        assert "en corto" not in self_test(table)
