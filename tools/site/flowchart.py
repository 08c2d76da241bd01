"""Draw the Mermaid flow charts of the pages as SVG, without a script.

Of Mermaid it reads what tools.architecture writes: ``flowchart TD``, groups (``subgraph title``,
names, ``end``) from the lowest to the highest, and lines ``one --> other``. Boxes are in layers,
arrows lead down, an arrow over several layers has a place in each, and a group has layers of its
own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise
from statistics import fmean

LETTER, PADDING, HEIGHT, GAP, RISE = 8.5, 12.0, 30.0, 18.0, 44.0  # pixels
SWEEPS = 24
TITLE = 26.0  # pixels above the boxes of a group
_ARROW = re.compile(r"(\w+) --> (\w+)")
_GROUP = re.compile(r"subgraph (.+?)\n(.+?)\nend\n", re.DOTALL)

Arrow = tuple[str, str]
Groups = dict[str, list[str]]


def fence(source: str, *_: object, **__: object) -> str:
    """The SVG of a block of code, as pymdownx.superfences asks for it."""
    text = "\n".join(line.strip() for line in source.strip().splitlines())
    groups = {title: names.splitlines() for title, names in _GROUP.findall(text)}
    head, *lines = _GROUP.sub("", text).splitlines()
    found = [_ARROW.fullmatch(line) for line in lines]
    if head != "flowchart TD" or not all(found):
        raise ValueError(f"a flow chart has 'flowchart TD' and lines 'one --> other': {source}")
    return drawing([(arrow[1], arrow[2]) for arrow in found if arrow], groups)


def drawing(arrows: Sequence[Arrow], groups: Groups | None = None) -> str:
    """The SVG of arrows without a circle. Raises graphlib.CycleError.

    ``groups``: names by title; arrows lead to the same group or to one before it.
    """
    groups = groups or {}
    layers, chains = _layers(arrows, groups)
    places = _places(layers, chains)
    width = max(x + _width(name) / 2 for name, (x, _) in places.items())
    height = len(layers) * (HEIGHT + RISE) - RISE
    words = ", ".join(f"{one} → {other}" for one, other in arrows)
    parts = [
        f'<svg viewBox="-8 {-TITLE - 2:.0f} {width + 16:.0f} {height + TITLE + 12:.0f}"'
        f' role="img" aria-label="{words}">',
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"'
        ' markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>',
        *(
            _frame(title, [places[name][1] for name in names], width)
            for title, names in groups.items()
        ),
        *(_curve([places[each] for each in chain]) for chain in chains),
        *(_box(name, *at) for name, at in places.items() if name.isidentifier()),
    ]
    return f'<figure class="flowchart">{"".join(parts)}</svg></figure>'


def _layers(arrows: Iterable[Arrow], groups: Groups) -> tuple[list[list[str]], list[list[str]]]:
    """The names of each layer, and each arrow as a chain from one layer to the next."""
    below = defaultdict(set)
    for one, other in arrows:
        below[one].add(other)
    rank: dict[str, int] = {}
    order = [*TopologicalSorter(below).static_order()]
    for names in groups.values():
        lowest = max(rank.values(), default=-1) + 1
        for name in sorted(names, key=order.index):
            rank[name] = max((rank[lower] + 1 for lower in below[name]), default=lowest)
            rank[name] = max(rank[name], lowest)
    for name in order:
        if name not in rank:
            rank[name] = max((rank[lower] + 1 for lower in below[name]), default=0)
    layers: list[list[str]] = [[] for _ in range(max(rank.values()) + 1)]
    for name in sorted(rank):
        layers[rank[name]].append(name)
    chains = []
    for one, other in arrows:
        passed = range(rank[one] - 1, rank[other], -1)
        chain = [one, *(f"{one} {other} {at}" for at in passed), other]
        for at, name in zip(passed, chain[1:-1], strict=True):
            layers[at].append(name)
        chains.append(chain)
    return layers[::-1], chains


def _places(
    layers: list[list[str]], chains: Iterable[Sequence[str]]
) -> dict[str, tuple[float, float]]:
    """The middle of each name, in pixels: near the mean of its neighbours."""
    above, below = defaultdict(list), defaultdict(list)
    for chain in chains:
        for one, other in pairwise(chain):
            below[one].append(other)
            above[other].append(one)
    middle = {name: float(at) for layer in layers for at, name in enumerate(layer)}
    for sweep in range(SWEEPS):
        neighbours = below if sweep % 2 else above
        for layer in layers[::-1] if sweep % 2 else layers:
            wanted = {name: _mean(middle, neighbours[name], middle[name]) for name in layer}
            layer.sort(key=lambda name: wanted[name])
            middle |= _spread(layer, wanted)
    for _ in range(SWEEPS):
        for layer in layers:
            middle |= _spread(
                layer, {name: _mean(middle, above[name] + below[name], 0) for name in layer}
            )
    left = min(middle[name] - _width(name) / 2 for name in middle)
    rows = {name: at for at, layer in enumerate(layers) for name in layer}
    return {
        name: (x - left, rows[name] * (HEIGHT + RISE) + HEIGHT / 2) for name, x in middle.items()
    }


def _mean(middle: dict[str, float], names: Sequence[str], default: float) -> float:
    return fmean(middle[name] for name in names) if names else default


def _spread(layer: Sequence[str], wanted: dict[str, float]) -> dict[str, float]:
    """The places of a layer nearest to the wanted ones, in order and without overlap."""
    found: dict[str, float] = {}
    end = float("-inf")
    for name in layer:
        found[name] = max(wanted[name], end + _width(name) / 2)
        end = found[name] + _width(name) / 2 + GAP
    shift = fmean(wanted[name] - found[name] for name in layer)
    return {name: x + shift for name, x in found.items()}


def _width(name: str) -> float:
    """The width of a box in pixels; an arrow that passes has none."""
    return len(name) * LETTER + 2 * PADDING if name.isidentifier() else 0.0


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """An arrow through points: curves between the layers, straight lines across them."""
    x, y = points[0]
    path = f"M{x:.0f} {y + HEIGHT / 2:.0f}"
    for x_next, y_next in points[1:]:
        top, bottom = y + HEIGHT / 2, y_next - HEIGHT / 2
        half = (top + bottom) / 2
        path += f"V{top:.0f}C{x:.0f} {half:.0f} {x_next:.0f} {half:.0f} {x_next:.0f} {bottom:.0f}"
        x, y = x_next, y_next
    return f'<path d="{path}" marker-end="url(#arrow)"/>'


def _frame(title: str, rows: Sequence[float], width: float) -> str:
    """The box around the layers of a group, with its title in the left corner."""
    top, bottom = min(rows) - HEIGHT / 2 - TITLE, max(rows) + HEIGHT / 2 + 6
    return (
        f'<rect class="group" x="-6" y="{top:.0f}" width="{width + 12:.0f}"'
        f' height="{bottom - top:.0f}" rx="4"/>'
        f'<text class="group" x="2" y="{top + 17:.0f}">{title}</text>'
    )


def _box(name: str, x: float, y: float) -> str:
    width = _width(name)
    return (
        f'<rect x="{x - width / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{width:.0f}"'
        f' height="{HEIGHT:.0f}" rx="4"/><text x="{x:.0f}" y="{y + 5:.0f}">{name}</text>'
    )
