"""The faults of the copper that can be seen without KiCad."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import networkx
import shapely

from hardware.board.files import Copper, Item, copper, outline, read_rule

EXACT = 0.005  # mm; of a curve, which KiCad and shapely draw as a polygon


def faults(board: Item) -> list[str]:
    """What is too near to the edge or to another net, and the nets in pieces."""
    pieces = list(copper(board))
    room = outline(board).buffer(EXACT - read_rule("min_copper_edge_clearance"))
    at_edge = [each for each in pieces if not room.covers(each.shape)]
    touching = networkx.Graph()
    touching.add_nodes_from(range(len(pieces)))
    too_near = []
    for one, other in _neighbours(pieces, read_rule("min_clearance") - EXACT):
        if pieces[one].net is None or pieces[one].net != pieces[other].net:
            too_near.append((pieces[one], pieces[other]))
        elif pieces[one].shape.intersects(pieces[other].shape):
            touching.add_edge(one, other)
    groups = Counter(pieces[min(group)].net for group in networkx.connected_components(touching))
    return [
        *(f"{each.name} of {each.net} is too near to the edge" for each in at_edge),
        *(_pair(one, other) for one, other in too_near),
        *(f"{net} is in {count} pieces" for net, count in groups.items() if net and count > 1),
    ]


def _neighbours(pieces: Sequence[Copper], distance: float) -> Iterator[tuple[int, int]]:
    """The pairs that share a layer and are not further apart."""
    shapes = [each.shape for each in pieces]
    # The areas, which are last, have thousands of corners: prepared, they answer at once.
    shapely.prepare(shapes)
    near = shapely.STRtree(shapes).query(shapely.buffer(shapely.envelope(shapes), distance))
    for one, other in near.T.tolist():
        share = one < other and set(pieces[one].layers) & set(pieces[other].layers)
        if share and shapes[other].dwithin(shapes[one], distance):
            yield one, other


def _pair(one: Copper, other: Copper) -> str:
    distance = one.shape.distance(other.shape)
    return f"{one.name} of {one.net} and {other.name} of {other.net}: {distance:.2f} mm"
