"""The facts of the project as a row of labels, for the head of the README."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from scorer.i18n import languages, translator
from scorer.rules.registry import built_in_ids

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "images" / "facts.svg"
_HEIGHT, _LETTER, _MARGIN, _GAP = 20, 6.6, 7, 6
_NAME, _VALUE = "#444444", "#1b6b5c"


def facts() -> tuple[tuple[str, str], ...]:
    """Names and values, read from the project itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    own_names = {translator(code)(f"language.{code}").partition(" (")[0] for code in languages()}
    return (
        ("licence", project["license"].partition(" ")[0]),
        ("Python", f"{pythons[0]} to {pythons[-1]}"),
        ("trucos", str(len(built_in_ids()))),
        ("languages", ", ".join(sorted(own_names))),
    )


def draw() -> str:
    """The labels as SVG."""
    parts, x = list[str](), 0.0
    for name, value in facts():
        for text, colour in ((name, _NAME), (value, _VALUE)):
            width = round(len(text) * _LETTER + 2 * _MARGIN, 1)
            parts.append(
                f'<rect x="{x:.1f}" width="{width}" height="{_HEIGHT}" fill="{colour}"/>'
                f'<text x="{x + width / 2:.1f}" y="14" text-anchor="middle"'
                f' textLength="{width - 2 * _MARGIN:.1f}">{text}</text>'
            )
            x += width
        x += _GAP
    label = "; ".join(f"{name}: {value}" for name, value in facts())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{x - _GAP:.0f}" height="{_HEIGHT}"'
        f' role="img" aria-label="{label}" font-family="DejaVu Sans, Verdana, sans-serif"'
        ' font-size="11" fill="#ffffff">\n' + "\n".join(parts) + "\n</svg>\n"
    )
