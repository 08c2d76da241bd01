"""The responses of every state and path against docs/reference/api."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from starlette.routing import compile_path

from scorer.rules import Game, Start, apply, legal, new_game, rules_for, state_document
from scorer.rules.registry import find_variant, variant_ids
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.events import encode_event
from scorer.table_link import TableLink
from scorer.web.app import WebContext, build_app, build_routes
from scorer.web.audience import Audience
from scorer.web.owner import OwnerRoutes
from scorer.web.phone import PhoneRoutes
from scorer.web.replay_process import ReplayProcess
from scorer.web.shared_game import sheet_digits
from scorer.web.snapshot import Reporter
from tests.web.contract import OPENAPI, SCHEMAS, STATE, check, check_answer
from tests.web.test_timeline import story

ADDED = {
    "seq": 3,
    "number": 1 << 50,
    "names": {"A": "Los Pibes", "B": ""},
    "lamps": {"A": "yellow", "B": "sky_blue"},
    "tally": 5,
    "match": None,
}
# Not for programs: the files that pages ask for, and a bar's own.
UNTOLD = {"/static/{name}", "/own/{path:path}"}


def walked(variant: str, steps: int) -> list[Game]:
    """The states of one random game."""
    chance, game = Random(variant), new_game(Start(rules_for(find_variant(variant), {})))
    games = [game]
    while len(games) < steps and (can := legal(game)):
        game = apply(game, chance.choice(can))
        games.append(game)
    return games


@pytest.mark.sampled(5)
@pytest.mark.parametrize("variant", variant_ids())
def test_every_state_of_every_truco_keeps_to_the_schema(variant: str) -> None:
    for game in walked(variant, 40):
        check("State", {**state_document(game), **ADDED})


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 2},
        {"phase": "dancing"},
        {"sides": ["A"]},
        {"score": {"A": "5", "B": 0}},
        {"pending": {"by": "A"}},
        {"legal": [["A"]]},
        {"last": [{"to": "A", "points": 1, "why": "luck"}]},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_state_that_is_otherwise_is_noticed(wrong: dict[str, Any]) -> None:
    from jsonschema import ValidationError

    state = {**state_document(new_game(Start(rules_for(find_variant("argentine"), {})))), **ADDED}
    with pytest.raises(ValidationError):
        check("State", {**state, **wrong})
    with pytest.raises(ValidationError):
        check("State", {key: value for key, value in state.items() if key not in wrong})


def test_what_may_come_later_is_no_fault() -> None:
    state = state_document(new_game(Start(rules_for(find_variant("argentine"), {}))))
    check("State", {**state, **ADDED, "weather": "rain"})


def test_the_papers_are_schemas() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(STATE)
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


def serving(tmp_path: Path) -> WebContext:
    """A server that never found its table."""
    feed = Broadcaster[Audience](1)
    link = TableLink(tmp_path / "no.sock", lambda: 5.0)
    reporter = Reporter(link, feed, "es-AR", lambda: 1000.0)
    return WebContext(reporter, feed, frozenset({"localhost"}), tmp_path, ReplayProcess())


def test_the_papers_know_every_path_and_no_other(tmp_path: Path) -> None:
    context = serving(tmp_path)
    phones = PhoneRoutes(context.reporter, context.reporter.link)
    owners = OwnerRoutes(context.reporter.link)
    routes = {route.path for route in build_routes(context, phones, owners)}
    assert routes - UNTOLD == set(OPENAPI["paths"])
    assert all(compile_path(path) for path in OPENAPI["paths"])


def test_a_server_without_a_table_says_what_the_papers_say(tmp_path: Path) -> None:
    reporter = serving(tmp_path).reporter
    report = reporter.report()
    check("Report", report)
    assert (report["table"], report["state"], report["since"]) == ("gone", None, 1000.0)
    event = encode_event("beat", {"a": "ñ\n"}, "x-1").decode()
    assert event == 'event: beat\nid: x-1\ndata: {"a": "ñ\\n"}\n\n', "one line of data"


def test_entries_and_hands_keep_to_the_papers() -> None:
    told = story("A truco", "B quiero", "A hand_won", "- new_hand", "B envido", "- undo")
    for entry in told.entries:
        check("Entry", entry)
    for hand in told.hand_scores():
        check("Hand", hand)


def test_an_answer_that_is_otherwise_is_noticed() -> None:
    from jsonschema import ValidationError

    with pytest.raises(ValidationError):
        check_answer("/healthz", 200, {"ok": "yes", "table": "here"})


# What programs of other people read. A line may be added; one that goes or changes is version 2.
PROMISED = {
    "State": """best_of duel duel_points gallo games half hand hand_kind last legal mano may_raise
        lamps names options pending phase pot score seq sides spoken stake suspended target variant
        version winner""",
    "Report": "at board device epoch hands id language night recent rev since state table version",
    "Beat": "at device epoch id language rev seq since table version",
    "Entry": """at clock_known game hand key line points press reason score seq side time undone who
        word""",
    "Hand": "hand score",
    "PairNamed": "ok pair_names",
    "Night": "games longest rows",
    "History": "entries first game hands names newest",
    "Health": "ok table",
    "Error": "error",
}


@pytest.mark.parametrize("name", PROMISED)
def test_nothing_that_was_promised_is_taken_away(name: str) -> None:
    schema = STATE if name == "State" else SCHEMAS[name]
    assert set(PROMISED[name].split()) <= set(schema["required"]) <= set(schema["properties"])


def test_the_code_of_the_address_is_a_picture_and_without_a_network_absent(tmp_path: Path) -> None:
    async def ask(address: str) -> httpx.Response:
        context = serving(tmp_path)._replace(address=lambda: address)
        transport = httpx.ASGITransport(build_app(context))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/qr.svg")

    shown, absent = asyncio.run(ask("http://192.168.1.7:8080/")), asyncio.run(ask(""))
    assert (shown.status_code, shown.headers["Content-Type"]) == (200, "image/svg+xml")
    assert shown.text.startswith("<?xml")
    assert absent.status_code == 404
    check_answer("/qr.svg", 404, absent.json())


def test_a_game_that_is_brought_is_read_and_a_broken_one_gets_a_sentence(tmp_path: Path) -> None:
    context = serving(tmp_path)
    transport = httpx.ASGITransport(build_app(context))
    sheet = '[Variant "paulista"]\n\nA truco\nB quiero\n'
    own = {"X-Truco": "1"}

    async def ask(method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401 - httpx's
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.request(method, path, **more)
            check_answer("/api/v1/shared", answer.status_code, answer.json(), method.lower())
            return answer

    with asyncio.Runner() as runner, closing(context.replays):
        path = "/api/v1/shared"
        shown = runner.run(ask("GET", f"{path}?lang=en&sheet={sheet_digits(sheet)}"))
        assert (shown.status_code, shown.json()["sheet"]) == (200, sheet)
        posted = runner.run(ask("POST", f"{path}?lang=en", json={"sheet": sheet}, headers=own))
        assert posted.json() == shown.json()
        for language, sentence in (("en", "This is no game, or it arrived incomplete."),
                                   ("ca", "No és una cama, o ha arribat incompleta.")):  # fmt: skip
            broken = runner.run(ask("GET", f"{path}?lang={language}&sheet=123"))
            assert (broken.status_code, broken.json()["error"]) == (422, sentence)
        large = runner.run(
            ask("POST", f"{path}?lang=en", json={"sheet": "x" * 20_000}, headers=own)
        )
        assert (large.status_code, large.json()["error"]) == (
            422,
            "This is too large to be a game.",
        )
        as_json = {**own, "Content-Type": "application/json"}
        for wrong in (
            b'{"sheet": 1}',
            b"[]",
            b'"text"',
            b'{"sheet": "\\ud800"}',
            b"{",
            b"[" * 9000,
        ):
            assert runner.run(ask("POST", path, content=wrong, headers=as_json)).status_code == 400
        assert runner.run(ask("POST", path, json={"sheet": sheet})).status_code == 403
        longer = {"sheet": "x" * 40_000}
        assert runner.run(ask("POST", path, json=longer, headers=own)).status_code == 413
        assert runner.run(ask("GET", path)).status_code == 503
