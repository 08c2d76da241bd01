"""The dearest request of each route, found by search over its arguments.

``python -m tests.longrun.attack.dearest`` writes dearest.json. A target may have ``{n}``, another
number in each request, which defeats caches; ``{sheet}`` and ``{text}``, another sheet of the kind
in the file; and ``{tournament}``, the tournaments of the hall in turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count, cycle, product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from scorer.hub.page_addresses import HallPage
from scorer.i18n import languages
from scorer.rules.registry import variant_ids
from scorer.serving.prices import PricedRoute
from scorer.web.audience import Audience
from scorer.web.replay_process import answer, sheet_task
from scorer.web.shared_game import MAX_ROWS, MAX_SHEET, sheet_digits
from tests.longrun.attack.served import BOXES, WALL, WEB, Calls, Service, served

FILE = Path(__file__).with_name("dearest.json")
SHEETS = 400  # different ones
ASKED = 3  # times, for the cost of a target
_ROUNDS = 2
_BYTES_A_CALL = 50  # that cost as much as a call of a function
_TEXTS = (
    "", "{n}", "1", "5", "500", "999999999999", "no", "yes", "night", "A", "B", "index.html",
    "board.js", "felt.css", "x{n}", "a" * 80, "a{n} b c d e f g h i j k l m n o p q r s t u v w",
    "{sheet}",
)  # fmt: skip
_STEPS = (
    "A award 1", "A truco", "A envido", "A real_envido", "A falta_envido", "A flor", "A hand_won",
    "- new_hand", "B award 1",
)  # fmt: skip


class Dear(NamedTuple):
    """The dearest request that was found."""

    target: str
    body: str = ""


def key_of(route: PricedRoute, method: str) -> str:
    """What a request is found by in the file."""
    return f"{method} {route.path}"


class SheetKind(NamedTuple):
    """A score sheet of two steps again and again."""

    variant: str
    step: str
    answer: str


class Filler:
    """Fills in what differs from request to request."""

    def __init__(self, kind: SheetKind, tournaments: Sequence[str]) -> None:
        self._numbers = count(1)
        sheets = [sheet_of(kind, number).decode() for number in range(SHEETS)]
        self._values = {
            "sheet": cycle(map(sheet_digits, sheets)),
            "text": cycle(json.dumps(each)[1:-1] for each in sheets),
            "tournament": cycle(tournaments or [""]),
        }

    def filled(self, text: str) -> str:
        """``text`` with its own values in each place."""
        for name, values in self._values.items():
            if f"{{{name}}}" in text:
                text = text.replace(f"{{{name}}}", next(values))
        return text.replace("{n}", str(next(self._numbers)))


class Search:
    """Tries each value of each parameter, one parameter after the other."""

    def __init__(self, service: Service, kind: SheetKind) -> None:
        self._service = service
        self._filler = Filler(kind, service.found.get("tournament", []))

    def dearest(self, route: PricedRoute, method: str) -> Dear:
        """The dearest request that is found."""
        path = {name: self._values(name)[0] for name in route.param_convertors}
        query: dict[str, str] = {}
        body = ""
        best, looked = self.cost(route, method, path, query, body)
        for _ in range(_ROUNDS):
            for name in path:
                for value in self._values(name):
                    found, more = self.cost(route, method, {**path, name: value}, query, body)
                    looked |= more
                    if found.is_dearer(best):
                        best, path = found, {**path, name: value}
            for name in sorted(looked):
                for value in (*_TEXTS, *languages()):
                    found, _ = self.cost(route, method, path, {**query, name: value}, body)
                    if found.is_dearer(best):
                        best, query = found, {**query, name: value}
            for value in _bodies() if method == "POST" else ():
                found, _ = self.cost(route, method, path, query, value)
                if found.is_dearer(best):
                    best, body = found, value
        return Dear(best.target, body)

    def cost(
        self,
        route: PricedRoute,
        method: str,
        path: dict[str, str],
        query: dict[str, str],
        body: str,
    ) -> tuple[Tried, set[str]]:
        target = route.path
        for name, value in path.items():
            for form in (f"{{{name}}}", f"{{{name}:int}}", f"{{{name}:path}}"):
                target = target.replace(form, value)
        if query:
            target += "?" + "&".join(
                f"{name}={value if '{' in value else quote(value)}" for name, value in query.items()
            )
        return self.measured(route, method, target, body)

    def measured(
        self, route: PricedRoute, method: str, target: str, body: str
    ) -> tuple[Tried, set[str]]:
        """The cost of a target, and the parameters that it read."""
        calls = size = 0
        looked = set[str]()
        for _ in range(ASKED):
            filled = self._filler.filled(target)
            if not route.path_regex.match(filled.partition("?")[0]):
                break  # it is the address of another route
            cost = self._service.ask(method, filled, self._filler.filled(body).encode())
            calls, size = calls + cost.calls + cost.replayed, size + cost.size
            looked |= cost.looked
        return Tried(target, calls // ASKED, size // ASKED), looked

    def _values(self, name: str) -> list[str]:
        own = ["{tournament}"] if name == "tournament" else self._service.found.get(name, [])
        return [
            *own,
            *{"page": list(HallPage), "language": languages(), "team": ["{n}", "1"]}.get(
                name, _TEXTS[1:]
            ),
        ]


class Tried(NamedTuple):
    """A target and its cost."""

    target: str
    calls: int
    size: int

    def is_dearer(self, other: Tried) -> bool:
        return self._sum() > other._sum()

    def _sum(self) -> float:
        return self.calls + self.size / _BYTES_A_CALL


def _bodies() -> list[str]:
    long = "x" * 3800
    return [
        "{}", "[" * 4000, json.dumps({"sheet": "x{n}"}), json.dumps({"sheet": "{text}"}),
        json.dumps({"name": "ana", "password": long}), json.dumps({"code": "123456", "name": long}),
        json.dumps({"v": 1, "do": "begin", "key": "0" * 32, "machine": "a91c", "program": "1.4"}),
        json.dumps({"side": "A", "button": "truco", "seq": 1, "number": 1}),
        json.dumps({"names": {"A": long, "B": ""}}), '{"v":1,"rows":[' + "1," * 1900 + "1]}",
    ]  # fmt: skip


def find_sheet() -> SheetKind:
    """The kind of sheet whose replay is the dearest."""
    found: list[tuple[int, SheetKind]] = []
    for variant, step, answer_ in product(variant_ids(), _STEPS, ("- undo", "B quiero")):
        kind = SheetKind(variant, step, answer_)
        sheet = sheet_of(kind, 1)
        with Calls() as calls:
            is_read = isinstance(answer(sheet_task(sheet, Audience("es-AR"))), bytes)
        if is_read and sheet_digits(sheet.decode()):
            found.append((calls.count, kind))
    return max(found)[1]


def sheet_of(kind: SheetKind, name: int) -> bytes:
    """The longest sheet of its kind that is read, with a name of its own."""
    text = f'[Variant "{kind.variant}"]\n[NameA "{name}"]\n\n'
    lines = f"{kind.step}\n{kind.answer}\n"
    most = min(MAX_ROWS // 2, (MAX_SHEET - len(text)) // len(lines))
    return (text + lines * most).encode()


def requests_of(services: dict[str, Service]) -> Iterator[tuple[str, PricedRoute, str]]:
    """Port, route and method of each address; what both ports have, once."""
    paths = set[str]()
    for port in (WEB, WALL, BOXES):
        for route in services[port].routes:
            if port == BOXES and route.path in paths and not route.path.startswith("/desk"):
                continue
            paths.add(route.path if port == WALL else "")
            for method in sorted((route.methods or set()) - {"HEAD"}):
                yield port, route, method


def read() -> tuple[SheetKind, dict[str, dict[str, Dear]]]:
    """The kind of sheets, and by port the dearest requests."""
    document = json.loads(FILE.read_text("utf-8"))
    return SheetKind(*document["sheet"]), {
        port: {key: Dear(*each) for key, each in document[port].items()}
        for port in (WEB, WALL, BOXES)
    }


def main() -> None:
    kind = find_sheet()
    found: dict[str, dict[str, Dear]] = {WEB: {}, WALL: {}, BOXES: {}}
    with served() as services:
        for port, route, method in requests_of(services):
            dear = Search(services[port], kind).dearest(route, method)
            found[port][key_of(route, method)] = dear
            print(f"{port} {method} {route.path}: {dear}"[:300], flush=True)
    FILE.write_text(json.dumps({"sheet": kind, **found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
