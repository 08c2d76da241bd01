"""The drawing of a flow chart: every box and arrow is there, and nothing overlaps."""

from __future__ import annotations

import re
from functools import cache
from graphlib import CycleError
from itertools import combinations

import pytest

from tools.architecture import PAGE, wings
from tools.site.flowchart import drawing, fence

BOX = re.compile(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)".*?>(\w+)</text>')


@cache
def arrows() -> list[tuple[str, str]]:
    """The imports of the packages as the page has them."""
    return re.findall(r"^ +(\w+) --> (\w+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def boxes(svg: str) -> dict[str, tuple[int, int, int, int]]:
    """Left, top, right and bottom of each box, in pixels."""
    found = {}
    for left, top, width, height, name in BOX.findall(svg):
        found[name] = (int(left), int(top), int(left) + int(width), int(top) + int(height))
    return found


def test_it_has_every_package_and_every_arrow() -> None:
    assert len(arrows()) > 40
    svg = drawing(arrows())
    assert set(boxes(svg)) == {name for arrow in arrows() for name in arrow}
    assert svg.count("marker-end") == len(arrows())


def test_no_two_boxes_overlap() -> None:
    for one, other in combinations(boxes(drawing(arrows())).values(), 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def test_every_arrow_leads_down() -> None:
    found = boxes(drawing(arrows()))
    assert all(found[one][3] < found[other][1] for one, other in arrows())


def test_an_arrow_passes_beside_the_boxes_between() -> None:
    svg = drawing([("a", "b"), ("b", "c"), ("a", "c")])
    left, _, right, _ = boxes(svg)["b"]
    # In each layer it is straight: V ends where a curve begins.
    passed = re.findall(r"C\S+ \S+ \S+ \S+ (\d+) \d+V", svg)
    assert len(passed) == 1
    assert not left <= int(passed[0]) <= right


def test_each_wing_is_a_box_around_its_packages() -> None:
    svg = drawing(arrows(), wings())
    frames = re.findall(r'"group" x="\S+" y="(\S+)" width="\d+" height="(\d+)".*?>([\w ]+)<', svg)
    assert [title for *_, title in frames] == [*wings()]
    found = boxes(svg)
    for top, height, title in frames:
        inside = {
            name
            for name, (_, upper, _, lower) in found.items()
            if int(top) < upper and lower < int(top) + int(height)
        }
        assert inside == {*wings()[title]}, title
    assert all(found[one][3] < found[other][1] for one, other in arrows())


def test_the_same_arrows_give_the_same_drawing() -> None:
    assert drawing(arrows()) == drawing(arrows())


def test_a_circle_is_refused() -> None:
    with pytest.raises(CycleError):
        drawing([("a", "b"), ("b", "a")])


@pytest.mark.parametrize(
    "source", ["sequenceDiagram\na --> b", "flowchart TD\na -.-> b", "flowchart TD\na --> b[B]"]
)
def test_what_it_cannot_draw_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="a flow chart has"):
        fence(source, "mermaid", "flowchart", {}, None)
