"""Each address costs a stranger's service at most its price."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank, rank_in
from tests.longrun.attack.dearest import Filler, key_of, read, requests_of
from tests.longrun.attack.served import CLOSED, OPEN, Service, served


@pytest.fixture(scope="module")
def services() -> Iterator[dict[str, Service]]:
    with served() as found:
        # The first file of an owner imports what the others need too.
        found["web"].ask("GET", "/own/index.html", b"", is_compressed=False)
        yield found


def test_every_route_has_a_price_and_a_dearest_request(services: dict[str, Service]) -> None:
    _, dearest = read()
    wanted: dict[str, set[str]] = {port: set() for port in dearest}
    for port, route, method in requests_of(services):
        wanted[port].add(key_of(route, method))
    assert {port: {*found} for port, found in dearest.items()} == wanted, (
        "run python -m tests.longrun.attack.dearest"
    )
    for service in services.values():
        for route in service.routes:
            assert isinstance(route, PricedRoute), f"{route.path} has no price"


def test_the_dearest_request_of_each_route_costs_at_most_its_price(
    services: dict[str, Service],
) -> None:
    kind, dearest = read()
    over = []
    for port, route, method in requests_of(services):
        service = services[port]
        filler = Filler(kind, service.found.get("tournament", []))
        dear, price = dearest[port][key_of(route, method)], route.price
        calls = size = 0
        # Each of the closed and of the open ones.
        times = CLOSED + OPEN if "{tournament}" in dear.target else 1
        for is_compressed in (False, True) * times:
            body = filler.filled(dear.body).encode()
            target = filler.filled(dear.target)
            cost = service.ask(method, target, body, is_compressed=is_compressed)
            assert cost.status not in (405, 429, 500, 503), (method, target, cost)
            calls, size = max(calls, cost.calls), max(size, cost.size)
        if calls > price.calls or size > price.size:
            over.append(f"{port} {method} {route.path}: {calls} calls, {size} bytes; {price}")
    assert not over, "\n".join(over)


def test_a_request_has_the_rank_of_its_route_and_method() -> None:
    price = Price(1, 1, AnswerSource.LIMITED, rank=Rank.TABLES)
    find = rank_in(
        [
            PricedRoute("/press", lambda request: None, price, ("POST",)),
            PricedRoute("/page/{name}", lambda request: None, price._replace(rank=Rank.VISITORS)),
        ]
    )

    def rank(method: str, path: str) -> Rank:
        return find({"type": "http", "method": method, "path": path})

    assert rank("POST", "/press") is Rank.TABLES
    assert {rank("GET", path) for path in ("/press", "/page/x", "/none")} == {Rank.VISITORS}
