"""``python -m hardware.case``: write the case; refuses one with a collision."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from hardware.case.clearance import collisions
from hardware.case.drawing import dxf, sheet_of, svg
from scorer.makers.plates import BUTTON, SMALL_BUTTON, Enclosure, boxes
from scorer.session.values.settings import Layout


def main(argv: list[str]) -> int:
    """Exit code 0: done; 1: parts collide or files cannot be written; 2: usage error."""
    options = _parser().parse_args(argv)
    models = list(_models(options))
    problems = [line for model in models for line in collisions(model)]
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 1
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        for model in models:
            for path in _write(model, options.out, options.kerf, flat=options.flat):
                print(path)
    except OSError as error:
        print(f"cannot write to {options.out}: {error}", file=sys.stderr)
        return 1
    return 0


def _models(options: argparse.Namespace) -> Iterator[Enclosure]:
    layouts = [Layout(options.layout)] if options.layout else list(Layout)
    for layout in layouts:
        yield from boxes(layout, options.thickness, options.button)


def _write(model: Enclosure, folder: Path, kerf: float, *, flat: bool) -> Iterator[Path]:
    sheet = sheet_of(model, kerf)
    for suffix, text in (("svg", svg(sheet)), ("dxf", dxf(sheet))):
        path = folder / f"{model.name}.{suffix}"
        path.write_text(text, encoding="utf-8", newline="\n")
        yield path
    if flat:
        return
    from hardware.case import solids

    for name, part in (("lid", solids.lid(model)), ("tub", solids.tub(model))):
        path = folder / f"{model.name}-{name}.stl"
        solids.write_stl(part, path)
        yield path
    path = folder / f"{model.name}-view.svg"
    solids.write_view(model, path)
    yield path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hardware.case", description=__doc__)
    parser.add_argument("--layout", choices=[*map(str, Layout)], help="(both)")
    parser.add_argument(
        "--button", type=float, choices=[SMALL_BUTTON, BUTTON], default=BUTTON, help="mm (30)"
    )
    parser.add_argument("--thickness", type=_thickness, default=3.0, help="of the plates, mm (3)")
    parser.add_argument("--kerf", type=_kerf, default=0.15, help="width of the cut, mm (0.15)")
    parser.add_argument("--flat", action="store_true", help="laser files only; needs no build123d")
    parser.add_argument("--out", type=Path, default=Path("build/case"), metavar="DIR")
    return parser


def _thickness(text: str) -> float:
    return _between(text, 2.0, 6.0)


def _kerf(text: str) -> float:
    return _between(text, 0.0, 0.5)


def _between(text: str, low: float, high: float) -> float:
    value = float(text)
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text} is not between {low:g} and {high:g}")
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
