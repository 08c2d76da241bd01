"""The printed case: closed solids of the right size. Run by `make case`."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path

import build123d
import pytest

from hardware.case import solids
from scorer.makers.plates import Enclosure, Face, Use, boxes
from scorer.session.values.settings import Layout

MODELS = [model for layout in Layout for model in boxes(layout)]
Point = tuple[float, float, float]


def triangles(path: Path) -> list[tuple[Point, Point, Point]]:
    """The triangles of a binary STL."""
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    found = []
    for at in range(count):
        values = struct.unpack_from("<12f", data, 84 + 50 * at)
        a, b, c = (tuple(round(v, 4) for v in values[n : n + 3]) for n in (3, 6, 9))
        found.append((a, b, c))
    return found


@pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])
def test_a_printed_part_is_closed_and_as_large_as_its_plates(
    model: Enclosure, tmp_path: Path
) -> None:
    sizes = {
        "lid": (model.width, model.depth, model.thickness),
        "tub": (model.width, model.depth, model.thickness + model.height),
    }
    for name, part in (("lid", solids.lid(model)), ("tub", solids.tub(model))):
        path = tmp_path / f"{name}.stl"
        solids.write_stl(part, path)
        faces = triangles(path)
        points = [point for face in faces for point in face]
        size = tuple(max(p[n] for p in points) - min(p[n] for p in points) for n in range(3))
        assert size == pytest.approx(sizes[name], abs=0.01)
        edges = Counter(edge for a, b, c in faces for edge in ((a, b), (b, c), (c, a)))
        # Closed: each edge is used once in each direction.
        assert all(edges[end, start] == count for (start, end), count in edges.items())


@pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])
def test_every_hole_goes_through(model: Enclosure) -> None:
    tub, lid = solids.tub(model), solids.lid(model)
    t, top = model.thickness, model.thickness + model.height
    for hole in model.plates[Face.LID].holes:
        assert not lid.is_inside((hole.x, model.depth - hole.y, t / 2))
        if hole.use is Use.SCREW:
            assert not tub.is_inside((hole.x, model.depth - hole.y, top - 1))
            assert tub.is_inside((hole.x + 3, model.depth - hole.y, top - 1))
    for each in model.plates[Face.FRONT].cuts:
        assert not tub.is_inside((each.x, t / 2, top - each.y))
    for each in model.plates[Face.BACK].cuts:
        assert not tub.is_inside((model.width - each.x, model.depth - t / 2, top - each.y))
    for each in model.plates[Face.LEFT].cuts:
        assert not tub.is_inside((t / 2, model.depth - each.x, top - each.y))
    for each in model.plates[Face.RIGHT].cuts:
        assert not tub.is_inside((model.width - t / 2, each.x, top - each.y))


def test_the_views_in_the_documents_are_those_of_the_case(tmp_path: Path) -> None:
    for model, name in zip(boxes(Layout.FULL), ("console", "centre"), strict=True):
        solids.write_view(model, tmp_path / name)
        kept = Path(__file__).parents[2] / "docs" / "images" / f"case-{name}.svg"
        assert kept.read_bytes() == (tmp_path / name).read_bytes()


def test_the_same_part_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one.stl", "two.stl"):
        solids.write_stl(solids.tub(MODELS[0]), tmp_path / name)
    assert (tmp_path / "one.stl").read_bytes() == (tmp_path / "two.stl").read_bytes()


def test_the_list_of_names_is_that_of_the_library() -> None:
    names = Path(__file__).with_name("build123d_names.txt").read_text(encoding="utf-8").split()
    assert names == sorted(build123d.__all__)
