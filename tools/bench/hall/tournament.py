"""A tournament: pairing, rebuilding from its log, the page of the desk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from scorer.hub.titles import title_text
from scorer.i18n import translator
from tools.bench import Measurement, Result, Skipped
from tools.bench.hall.processes import (
    BARE_PAGE,
    HOST,
    least_cpu_seconds,
    read_line,
    start_process,
)

MOST_TEAMS = 256
PAIRED = 255  # teams of the paired round: one has a bye
ROUNDS = 5  # with it
DESK_TEAMS = 128
_STATE = "/desk/state"
PAIRING_BUDGET, REBUILD_BUDGET, PAGE_BUDGET = 3.0, 50.0, 8.0


def measure(quick: bool) -> Iterator[Result]:
    """All rows; without the tests, which play tournaments, none."""
    try:
        from tests.tournament.play import Played, built_in, coin
    except ImportError as error:
        yield Skipped("the tournament of a hall", str(error))
        return
    yield _pairing(Played(built_in("swiss"), PAIRED), coin(1), 3 if quick else 9)
    for name in ("swiss", "zones_and_bracket", "double"):
        played = Played(built_in(name), MOST_TEAMS).draw().play(coin(1))
        yield _rebuilding(played, 25)
    yield _page(50 if quick else 300)


def _pairing(played: Any, choose: Any, rounds: int) -> Result:  # noqa: ANN401
    """The last round, beside networkx on the graphs that it was given."""
    import networkx

    from scorer.tournament import apply
    from scorer.tournament.events import PairRound, StartPhase

    played.draw().do(StartPhase("suizo"))
    for _ in range(ROUNDS - 1):
        played.do(PairRound("suizo"))
        played.play_open("suizo", choose)
    graphs, match = [], networkx.max_weight_matching

    def keep(graph: Any, **options: bool) -> Any:  # noqa: ANN401
        graphs.append(graph)
        return match(graph, **options)

    networkx.max_weight_matching = keep
    apply(played.state, PairRound("suizo"))
    networkx.max_weight_matching = match
    ours = _seconds(lambda: apply(played.state, PairRound("suizo")), rounds)
    alone = _seconds(lambda: [match(each, maxcardinality=True) for each in graphs], rounds)
    what = f"pairing {PAIRED} teams after {ROUNDS - 1} rounds, median"
    reference = "networkx on the same graphs"
    return Measurement(what, ours * 1000, alone * 1000, "ms", reference, PAIRING_BUDGET)


def _rebuilding(played: Any, rounds: int) -> Result:  # noqa: ANN401
    """Every event of a log, beside reading the log as JSON."""
    from scorer.tournament import NoEvent, Tournament, apply, begin, parse
    from scorer.tournament.export import encode

    data = encode(played.state.format, played.log)
    events = json.loads(data)["events"]

    def rebuild() -> None:
        state = begin(played.state.format)
        for each in events:
            event = parse(each)
            assert not isinstance(event, NoEvent)
            after = apply(state, event)
            assert isinstance(after, Tournament)
            state = after
        assert state == played.state

    ours, plain = least_cpu_seconds((rebuild, lambda: json.loads(data)), rounds)
    title = title_text(played.state.format.title, translator("en"))
    what = f"{title}, {MOST_TEAMS} teams: rebuilt from its log, least processor time"
    return Measurement(what, ours * 1000, plain * 1000, "ms", "its log as JSON", REBUILD_BUDGET)


def _page(rounds: int) -> Result:
    """What the desk asks of a round in progress, beside a server of the same bytes."""
    from tests.hub.hub_process import Client, running_hub
    from tests.hub.joining_box import log_in

    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        hub = stack.enter_context(running_hub(folder))
        desk = log_in(hub)
        _begin(desk)
        page = desk.get(_STATE).body
        (folder / BARE_PAGE).write_bytes(page)
        words = ["-m", "tools.bench.hall.bare_servers", "http", str(folder)]
        port = int(read_line(start_process(words, stack)))
        bare = Client((HOST, port), hub.pin)
        assert bare.get(_STATE).body == page
        ours, plain = [], []
        for _ in range(rounds):
            ours.append(_seconds(lambda: desk.get(_STATE), 1))
            plain.append(_seconds(lambda: bare.get(_STATE), 1))
        for client in (desk, bare):
            client.close()
    what = f"the desk of {DESK_TEAMS} teams, a round in progress, {len(page) // 1024} KiB, median"
    reference = "the same server with the same bytes"
    return Measurement(
        what, median(ours) * 1000, median(plain) * 1000, "ms", reference, PAGE_BUDGET
    )


def _begin(desk: Any) -> None:  # noqa: ANN401
    """A tournament whose first round is played: half of its results are official."""

    def act(do: str, **values: object) -> None:
        answer = desk.desk("/desk/act", {"do": do, **values})
        assert answer.status == 200, answer.document

    teams = "\n".join(f"Equipo {at};Jugador {at};Jugadora {at}" for at in range(1, DESK_TEAMS + 1))
    act("t.begin", format="swiss", teams=teams, replaces=0)
    for event in (
        {"do": "Draw", "seed": "20261123"},
        {"do": "StartPhase", "phase": "suizo"},
        {"do": "PairRound", "phase": "suizo"},
    ):
        act("t.event", event=event, seen=desk.get(_STATE).document["tournament"]["seq"])
    won = {"winner": 0, "games": [1, 0], "points": [30, 12], "ending": "played"}
    queue = desk.get(_STATE).document["tournament"]["queue"]
    for match in queue[::2]:
        seen = desk.get(_STATE).document["tournament"]["seq"]
        act("t.event", event={"do": "RecordResult", "match": match["id"], "result": won}, seen=seen)


def _seconds(work: Callable[[], object], rounds: int) -> float:
    """The median seconds of ``work``."""
    spent = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return median(spent)
