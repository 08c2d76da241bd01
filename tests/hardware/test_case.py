"""The case: parts do not collide, plates interlock, drawings are true to size."""

from __future__ import annotations

import ast
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from hardware.case.__main__ import main
from hardware.case.clearance import collisions
from hardware.case.drawing import dxf, sheet_of, svg
from hardware.case.joints import outline
from scorer.makers.plates import (
    BUTTON,
    SMALL_BUTTON,
    Enclosure,
    Face,
    Hole,
    Use,
    boxes,
    centre_box,
    console_box,
)
from scorer.session.values.settings import Layout
from tests.paths import ROOT
from tests.sampling import sample

if TYPE_CHECKING:
    from ezdxf.document import Drawing

THICKNESSES = (2.0, 3.0, 4.0, 5.0, 6.0)
MODELS = [model for layout in Layout for model in boxes(layout)]
names = [model.name for model in MODELS]

Cuboid = tuple[float, float, float, float, float, float]  # low corner, high corner


def with_hole(model: Enclosure, side: Face, old: Hole, new: Hole) -> Enclosure:
    plate = model.plates[side]
    holes = tuple(new if hole == old else hole for hole in plate.holes)
    return replace(model, plates={**model.plates, side: plate._replace(holes=holes)})


def first(model: Enclosure, side: Face, use: Use) -> Hole:
    return next(hole for hole in model.plates[side].holes if hole.use is use)


# ---- clearances ---------------------------------------------------------------------------------


@pytest.mark.sampled(13)
@pytest.mark.parametrize("button", [BUTTON, SMALL_BUTTON])
@pytest.mark.parametrize("thickness", THICKNESSES)
@pytest.mark.parametrize("layout", Layout)
def test_nothing_collides_in_any_box(layout: Layout, thickness: float, button: float) -> None:
    assert [line for each in boxes(layout, thickness, button) for line in collisions(each)] == []


def test_two_buttons_that_touch_are_found() -> None:
    model = console_box(Layout.FULL)
    truco = first(model, Face.LID, Use.BUTTON)
    moved = with_hole(model, Face.LID, truco, truco._replace(x=truco.x + 8))
    assert any("nut of truco and nut of envido" in line for line in collisions(moved))


def test_a_button_above_the_panels_is_found() -> None:
    model = centre_box(Layout.FULL)
    undo = first(model, Face.LID, Use.BUTTON)
    moved = with_hole(model, Face.LID, undo, undo._replace(y=undo.y + 6))
    assert any("undo and panel of the front" in line for line in collisions(moved))


def test_a_cable_gland_beside_the_pi_is_found() -> None:
    model = replace(centre_box(Layout.FULL), width=118.0)
    assert any("Pi and cable of the right" in line for line in collisions(model))


def test_a_box_that_is_too_low_for_its_buttons_is_found() -> None:
    model = replace(console_box(Layout.COMPACT), height=50.0)
    assert any("truco is too high" in line for line in collisions(model))


def test_a_hole_in_a_finger_joint_is_found() -> None:
    model = console_box(Layout.FULL)
    drain = first(model, Face.BOTTOM, Use.DRAIN)
    moved = with_hole(model, Face.BOTTOM, drain, drain._replace(x=5.0))
    assert any("drain at 5, 61 is too near to the edge" in line for line in collisions(moved))


def test_a_panel_screw_at_the_edge_of_its_window_is_found() -> None:
    model = centre_box(Layout.FULL)
    screw = first(model, Face.FRONT, Use.PANEL_SCREW)
    moved = with_hole(model, Face.FRONT, screw, screw._replace(y=screw.y + 1.5))
    assert any("too near to panel" in line for line in collisions(moved))


def test_a_lamp_under_a_label_is_found() -> None:
    model = console_box(Layout.FULL)
    lamp = first(model, Face.LID, Use.LAMP)
    moved = with_hole(model, Face.LID, lamp, lamp._replace(x=20.0))
    assert any("label of quiero touches lamp" in line for line in collisions(moved))


# ---- finger joints ------------------------------------------------------------------------------


def cells(shape: BaseGeometry) -> Iterator[tuple[float, float, float, float]]:
    """The rectangles between the corners of a shape with right angles."""
    xs = sorted({x for x, _ in shape.boundary.coords})
    ys = sorted({y for _, y in shape.boundary.coords})
    for (x0, x1), (y0, y1) in itertools.product(itertools.pairwise(xs), itertools.pairwise(ys)):
        if shape.contains(box(x0, y0, x1, y1).centroid):
            yield x0, y0, x1, y1


def cuboids(model: Enclosure, side: Face) -> Iterator[Cuboid]:
    """The plate in its place in the box."""
    w, d, t = model.width, model.depth, model.thickness
    top = model.height + t
    for x0, y0, x1, y1 in cells(outline(model, side)):
        if side in (Face.LID, Face.BOTTOM):
            low = top if side is Face.LID else 0.0
            yield x0, d - y1, low, x1, d - y0, low + t
        elif side is Face.FRONT:
            yield x0, 0.0, top - y1, x1, t, top - y0
        elif side is Face.BACK:
            yield w - x1, d - t, top - y1, w - x0, d, top - y0
        elif side is Face.LEFT:
            yield 0.0, d - x1, top - y1, t, d - x0, top - y0
        else:
            yield w - t, x0, top - y1, w, x1, top - y0


def volume(each: Cuboid) -> float:
    sizes = [max(0.0, high - low) for low, high in zip(each[:3], each[3:], strict=True)]
    return sizes[0] * sizes[1] * sizes[2]


def overlap(one: Cuboid, other: Cuboid) -> Cuboid:
    a, b, c = (max(low, also) for low, also in zip(one[:3], other[:3], strict=True))
    d, e, f = (min(high, also) for high, also in zip(one[3:], other[3:], strict=True))
    return a, b, c, d, e, f


@pytest.mark.sampled(0)
@pytest.mark.parametrize("thickness", [3.0, 5.0])
@pytest.mark.parametrize("layout", Layout)
def test_the_plates_fill_the_box_and_never_the_same_place_twice(
    layout: Layout, thickness: float
) -> None:
    for model in sample(boxes(layout, thickness), 1):
        plates = {side: list(cuboids(model, side)) for side in Face}
        for one, other in itertools.combinations(Face, 2):
            shared = sum(
                volume(overlap(a, b)) for a, b in itertools.product(plates[one], plates[other])
            )
            assert shared == pytest.approx(0.0, abs=1e-6), (one, other)
        t = model.thickness
        outside = model.width * model.depth * (model.height + 2 * t)
        inside = (model.width - 2 * t) * (model.depth - 2 * t) * model.height
        material = sum(volume(each) for side in Face for each in plates[side])
        assert material == pytest.approx(outside - inside)


@pytest.mark.parametrize("model", MODELS, ids=names)
def test_each_plate_is_one_piece(model: Enclosure) -> None:
    for side in Face:
        shape = outline(model, side)
        assert isinstance(shape, Polygon)
        assert shape.is_valid and not shape.interiors


# ---- drawings -----------------------------------------------------------------------------------


def drawing(text: str) -> Drawing:
    """A DXF file as a CAD program reads it; the library takes long to import."""
    import ezdxf

    return ezdxf.read(StringIO(text))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("model", MODELS, ids=names)
def test_a_drawing_has_every_hole_smaller_by_the_kerf(model: Enclosure) -> None:
    from ezdxf import units

    document = drawing(dxf(sheet_of(model, 0.2)))
    assert document.units == units.MM
    assert not document.audit().errors
    cut = sorted(2 * each.dxf.radius for each in document.modelspace().query("CIRCLE"))
    planned = sorted(hole.diameter - 0.2 for plate in model.plates.values() for hole in plate.holes)
    assert cut == pytest.approx(planned)


def test_a_drawn_plate_is_larger_by_the_kerf_so_that_the_part_has_its_size() -> None:
    from ezdxf.entities import LWPolyline

    model = centre_box(Layout.FULL)
    document = drawing(dxf(sheet_of(model, 0.3)))
    sizes = set()
    for line in document.modelspace().query("LWPOLYLINE"):
        assert isinstance(line, LWPolyline)
        points = list(line.vertices())
        xs, ys = [x for x, _ in points], [y for _, y in points]
        sizes.add((round(max(xs) - min(xs), 3), round(max(ys) - min(ys), 3)))
    lid = model.plates[Face.LID]
    assert (lid.width + 0.3, lid.height + 0.3) in sizes
    window = model.plates[Face.FRONT].openings[0]
    assert (window.width - 0.3, window.height - 0.3) in sizes


@pytest.mark.parametrize("model", MODELS, ids=names)
def test_no_two_outlines_of_a_sheet_overlap(model: Enclosure) -> None:
    sheet = sheet_of(model, 0.5)
    plates = [Polygon(points) for points in sheet.outlines]
    assert len(plates) == len(Face)
    page = box(0, 0, sheet.width, sheet.height)
    assert all(page.contains(plate) for plate in plates)
    for one, other in itertools.combinations(plates, 2):
        assert one.distance(other) > 5


def test_both_formats_have_the_same_cuts() -> None:
    sheet = sheet_of(console_box(Layout.COMPACT), 0.15)
    root = ElementTree.fromstring(svg(sheet))
    tags = [each.tag.rpartition("}")[2] for each in root.iter()]
    space = drawing(dxf(sheet)).modelspace()
    assert tags.count("circle") == len(space.query("CIRCLE"))
    assert tags.count("polygon") == len(space.query("LWPOLYLINE"))
    assert root.get("width") == f"{sheet.width:g}mm"


@pytest.mark.sampled(0)
def test_the_files_are_the_same_each_time(tmp_path: Path) -> None:
    """Those of makers/case.md, byte for byte; a set's order depends on the seed."""
    for seed in ("1", "4"):
        command = [sys.executable, "-m", "hardware.case", "--flat", "--out", str(tmp_path / seed)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / seed).iterdir()} for seed in "14"
    )
    assert len(one) == 2 * len(MODELS)
    assert one == two


def test_an_impossible_thickness_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--flat", "--thickness", "12"])
    assert stopped.value.code == 2
    assert "is not between 2 and 6" in capsys.readouterr().err


def test_an_impossible_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main(["--flat", "--out", str(tmp_path / "taken")]) == 1
    assert "cannot write to" in capsys.readouterr().err


# ---- the library of the printed case ------------------------------------------------------------

# All names of this version, which `make case` compares with the library itself.
BUILD123D_VERSION = "0.13.0"
BUILD123D_NAMES = (ROOT / "tests/hardware/build123d_names.txt").read_text(encoding="utf-8").split()


def test_names_of_the_library_exist_in_the_locked_version() -> None:
    """Without the library, which is 1 GB."""
    lock = (ROOT / "requirements/case.txt").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^build123d==(\S+)", lock) == [BUILD123D_VERSION]
    imported = {
        name.name
        for file in sorted((ROOT / "hardware/case").glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "build123d"
        for name in node.names
    }
    assert imported
    assert imported - set(BUILD123D_NAMES) == set()
