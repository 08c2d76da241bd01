"""Tracks on two layers, as shortest paths on a grid.

Each connection is a path between two pads of a net. A path may cross another one at a price; the
other one is then routed again and the price of the place rises, until no two paths cross.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import NamedTuple

import shapely

from hardware.board.circuit import GND, SUPPLIES, V3
from hardware.board.footprints import Pad
from hardware.board.placement import PIN_1, Placed
from hardware.board.rules import CLEARANCE, POWER, SIGNAL, VIA, copper_area

FRONT, BACK = 0, 1
STEP = 0.254  # mm; the pins of the header are on the grid
# The middle of a diagonal step is nearer to an obstacle than its ends.
MARGIN = 0.04
VIA_PRICE, CROSSING, HISTORY, REUSE = 12.0, 8.0, 4.0, 0.5
ROUNDS = 5000
INFINITE = float("inf")
_REACHES = (SIGNAL / 2, POWER / 2, VIA / 2)
_DRILLS_APART = 0.6  # between the centres of two vias of one net


class Track(NamedTuple):
    """A straight track."""

    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    width: float


class Via(NamedTuple):
    """A hole that joins both layers."""

    net: str
    x: float
    y: float


class Wiring(NamedTuple):
    """All tracks and vias."""

    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]


class Connection(NamedTuple):
    """Two pads to join; without ``end``, a pad to join with the other layer."""

    net: str
    width: float
    start: Pad
    end: Pad | None


def route(parts: Sequence[Placed]) -> Wiring:
    """Tracks for every net, the same each time. Raises ValueError if there is no way."""
    grid = _Grid(parts)
    waiting = deque(sorted(connections(parts), key=_length))
    for _ in range(ROUNDS):
        if not waiting:
            return grid.wiring()
        waiting.extend(grid.lay(waiting.popleft()))
    raise ValueError(f"no way for {', '.join(sorted({each.net for each in waiting}))}")


def connections(parts: Iterable[Placed]) -> Iterator[Connection]:
    """The shortest tree of each net.

    GND has areas instead: it needs a via beside each pad on top, and tracks between the pins of the
    header, where the areas are cut to pieces.
    """
    pads: dict[str, list[tuple[str, Pad]]] = {}
    for each in parts:
        for pad, net in each.pads():
            if net is not None:
                pads.setdefault(net, []).append((each.part.ref, pad))
    for net, members in pads.items():
        if net == GND:
            yield from (Connection(net, SIGNAL, pad, None) for _, pad in members if not pad.drill)
            members = [(ref, pad) for ref, pad in members if ref == "J1"]
        joined, left = members[:1], members[1:]
        while left:
            pairs = ((one, other) for one in joined for other in left)
            one, other = min(pairs, key=lambda pair: _distance(pair[0][1], pair[1][1]))
            joined.append(other)
            left.remove(other)
            yield Connection(net, _width(net, one[0] + other[0]), one[1], other[1])


def _width(net: str, refs: str) -> float:
    """Wide for supplies and loads, narrow to the pull-ups, which take 1 mA each."""
    if net == V3:
        return SIGNAL if "R" in refs else POWER
    is_load = net.endswith("_WIRE") and "Q" in refs
    return POWER if is_load or net.startswith(SUPPLIES) else SIGNAL


def _distance(one: Pad, other: Pad) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def _length(each: Connection) -> float:
    return _distance(each.start, each.end) if each.end else 0.0


class _Path(NamedTuple):
    connection: Connection
    cells: tuple[int, ...]  # a change of layer is a via


class _Grid:
    """Cells by layer, row and column; ``reach``: half of a width."""

    def __init__(self, parts: Sequence[Placed]) -> None:
        # With a border, so that nothing near an edge reaches the opposite one.
        left, top, right, bottom = copper_area().buffer(1.5).bounds
        self._x0 = PIN_1[0] - STEP * int((PIN_1[0] - left) / STEP)
        self._y0 = PIN_1[1] - STEP * int((PIN_1[1] - top) / STEP)
        columns = self._columns = int((right - self._x0) / STEP) + 1
        rows = int((bottom - self._y0) / STEP) + 1
        self._layer = columns * rows
        self._pads = [pair for each in parts for pair in each.pads()]
        self._numbers = {net: n for n, net in enumerate(sorted({n for _, n in self._pads if n}), 1)}
        self._owner = {reach: self._owners(reach) for reach in _REACHES}
        self._discs = {
            (one, other): self._disc(one + other + CLEARANCE + MARGIN)
            for one in _REACHES
            for other in _REACHES
        }
        # The paths near a cell, and their net: 0 for none, -1 for several.
        self._near: dict[float, dict[int, set[int]]] = {reach: {} for reach in _REACHES}
        self._claimed = {reach: [0] * (2 * self._layer) for reach in _REACHES}
        self._paths: dict[int, _Path] = {}
        self._used: dict[str, Counter[int]] = {net: Counter() for net in self._numbers}
        self._vias: Counter[int] = Counter()
        self._crowded: Counter[int] = Counter()
        self._drills = self._disc(_DRILLS_APART)
        self._history = [0] * (2 * self._layer)
        self._next = 0
        c = columns
        straight, diagonal = (1, -1, c, -c), (c + 1, c - 1, 1 - c, -c - 1)
        self._steps = [(at, 1.0) for at in straight] + [(at, sqrt(2)) for at in diagonal]

    def lay(self, each: Connection) -> list[Connection]:
        """Route a connection and remove those that it crosses; returns them."""
        path = _Path(each, self._search(each))
        crossed = self._crossed(path)
        for number in crossed:
            self._mark(number, -1)
        self._paths[self._next] = path
        self._mark(self._next, 1)
        self._next += 1
        return [self._paths.pop(number).connection for number in crossed]

    def wiring(self) -> Wiring:
        """The tracks in long pieces, each once."""
        tracks: dict[Track, None] = {}
        vias: dict[Via, None] = {}
        for each, cells in self._paths.values():
            for piece in _straight(cells, self._layer):
                start, end = self._point(piece[0]), self._point(piece[-1])
                if start == end:
                    vias[Via(each.net, *start)] = None
                else:
                    low, high = sorted((start, end))
                    tracks[Track(each.net, piece[0] // self._layer, low, high, each.width)] = None
        return Wiring(tuple(tracks), tuple(vias))

    def _search(self, each: Connection) -> tuple[int, ...]:
        """The cheapest path (A*)."""
        reach, net = each.width / 2, each.net
        owner, own = self._owner[reach], self._numbers[net]
        claimed, used, history = self._claimed[reach], self._used[net], self._history
        goals = frozenset(self._cells(each.end)) if each.end else None
        goal = self._cells(each.end)[0] % self._layer if each.end else 0
        columns, layer = self._columns, self._layer
        gy, gx = divmod(goal, columns)

        def left(cell: int) -> float:
            if goals is None:
                return 0.0
            y, x = divmod(cell % layer, columns)
            dx, dy = abs(x - gx), abs(y - gy)
            return max(dx, dy) + 0.414 * min(dx, dy)

        best = dict.fromkeys(self._cells(each.start), 0.0)
        came: dict[int, int] = {}
        heap = [(left(cell), cell) for cell in best]
        done: set[int] = set()
        while heap:
            _, cell = heapq.heappop(heap)
            if cell in done:
                continue
            done.add(cell)
            if cell in goals if goals else cell >= layer:
                path = [cell]
                while cell in came:
                    cell = came[cell]
                    path.append(cell)
                return tuple(path)
            here = best[cell]
            for step, length in self._steps:
                other = cell + step
                if (owner[other] and owner[other] != own) or other in done:
                    continue
                price = length * REUSE if used.get(other) else length
                price += HISTORY * history[other]
                if claimed[other] and claimed[other] != own:
                    price += CROSSING
                if here + price < best.get(other, INFINITE):
                    best[other], came[other] = here + price, cell
                    heapq.heappush(heap, (here + price + left(other), other))
            other = (cell + layer) % (2 * layer)
            price = here + self._via_price(cell % layer, own)
            if price < best.get(other, INFINITE) and other not in done:
                best[other], came[other] = price, cell
                heapq.heappush(heap, (price + left(other), other))
        raise ValueError(f"no way for {net} from {each.start.x:g}, {each.start.y:g}")

    def _via_price(self, flat: int, own: int) -> float:
        """Infinite where none may be."""
        owner, claimed = self._owner[VIA / 2], self._claimed[VIA / 2]
        price = VIA_PRICE
        for cell in (flat, flat + self._layer):
            if owner[cell]:
                return INFINITE
            if claimed[cell] and claimed[cell] != own:
                price += CROSSING
        return INFINITE if self._crowded[flat] and not self._vias[flat] else price

    def _crossed(self, path: _Path) -> list[int]:
        """The paths of other nets that are too near to this one."""
        found: set[int] = set()
        for cell, reach in self._reaches(path):
            near = self._near[reach].get(cell, ())
            foreign = {n for n in near if self._paths[n].connection.net != path.connection.net}
            if foreign:
                self._history[cell] += 1
                found |= foreign
        return sorted(found)

    def _reaches(self, path: _Path) -> Iterator[tuple[int, float]]:
        """The cells of a path and its vias, with half of their width."""
        yield from ((cell, path.connection.width / 2) for cell in path.cells)
        for one, other in pairwise(path.cells):
            if abs(one - other) == self._layer:
                yield from ((one, VIA / 2), (other, VIA / 2))

    def _mark(self, number: int, by: int) -> None:
        """Add a path to the maps (1) or remove it (-1)."""
        path = self._paths[number]
        for cell, mine in self._reaches(path):
            self._used[path.connection.net][cell] += by
            if mine == VIA / 2 and cell < self._layer:
                self._vias[cell] += by
                for offset in self._drills:
                    self._crowded[cell + offset] += by
            for reach in _REACHES:
                near = self._near[reach]
                for offset in self._discs[mine, reach]:
                    here = near.setdefault(cell + offset, set())
                    (set.add if by > 0 else set.discard)(here, number)
                    nets = {self._numbers[self._paths[n].connection.net] for n in here}
                    claimed = nets.pop() if len(nets) == 1 else -1 if nets else 0
                    self._claimed[reach][cell + offset] = claimed

    def _owners(self, reach: float) -> list[int]:
        """The net whose pad is near a cell, 0 for none, -1 where no copper may be."""
        points = [self._point(cell) for cell in range(self._layer)]
        inside = shapely.contains_xy(copper_area().buffer(-reach), points)
        owners = [0 if each else -1 for each in inside] * 2
        for pad, net in self._pads:
            own = -1 if net is None or reach == VIA / 2 else self._numbers[net]
            for cell in self._around(pad, reach + CLEARANCE + MARGIN):
                for at in (cell, cell + self._layer) if pad.drill else (cell,):
                    owners[at] = own if owners[at] in (0, own) else -1
        return owners

    def _around(self, pad: Pad, room: float) -> Iterator[int]:
        """The cells nearer than that to a pad."""
        middle = self._cells(pad)[0]
        wide, high = (int((size / 2 + room) / STEP) + 1 for size in (pad.width, pad.height))
        for down in range(-high, high + 1):
            for right in range(-wide, wide + 1):
                cell = middle + down * self._columns + right
                x, y = self._point(cell)
                dx = max(abs(x - pad.x) - pad.width / 2, 0.0)
                dy = max(abs(y - pad.y) - pad.height / 2, 0.0)
                if hypot(dx, dy) < room:
                    yield cell

    def _disc(self, radius: float) -> list[int]:
        """Offsets of the cells within a radius."""
        most = int(radius / STEP) + 1
        around = range(-most, most + 1)
        return [
            y * self._columns + x for y in around for x in around if hypot(x, y) * STEP < radius
        ]

    def _cells(self, pad: Pad) -> list[int]:
        """The cell nearest to the centre of a pad, on each of its layers."""
        x, y = round((pad.x - self._x0) / STEP), round((pad.y - self._y0) / STEP)
        cell = y * self._columns + x
        return [cell, cell + self._layer] if pad.drill else [cell]

    def _point(self, cell: int) -> tuple[float, float]:
        y, x = divmod(cell % self._layer, self._columns)
        return round(self._x0 + x * STEP, 4), round(self._y0 + y * STEP, 4)


def _straight(cells: Sequence[int], layer: int) -> Iterator[tuple[int, ...]]:
    """A path in pieces without a bend; a change of layer is a piece of its own."""
    piece = [cells[0]]
    for one, other in pairwise(cells):
        if len(piece) > 1 and other - one != piece[-1] - piece[-2]:
            yield tuple(piece)
            piece = [one]
        piece.append(other)
    if len(piece) > 1:
        yield tuple(piece)
