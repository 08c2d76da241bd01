"""docs/operators/web.md against the program: its settings, its paths, its figures."""

from __future__ import annotations

import re

from scorer.config.loader import parse_config
from scorer.config.schema import WebSection
from scorer.serving import connection, events, middleware, server
from scorer.table_link import LinkStatus
from scorer.web import snapshot
from tests.paths import ROOT
from tests.web.contract import OPENAPI

PAPER = (ROOT / "docs" / "operators" / "web.md").read_text("utf-8")


def test_the_settings_that_are_shown_are_all_there_are() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAPER, re.DOTALL)
    assert set(re.findall(r"^(\w+) =", block, re.MULTILINE)) == set(WebSection._fields)
    shown = parse_config(block).web
    assert shown._replace(hosts=()) == WebSection(), "the defaults, except for the names"


def test_every_path_that_is_named_is_there() -> None:
    rows = re.findall(r"^\| .+ \| (.+) \|$", PAPER, re.MULTILINE)
    named = {path for row in rows for path in re.findall(r"`(?:http://[^/`]+)?(/[\w/]*)`", row)}
    assert {"/", "/events", "/healthz"} <= named
    assert named - {"/own/"} <= set(OPENAPI["paths"])


def test_the_figures_are_those_of_the_program() -> None:
    text = " ".join(PAPER.split())
    for sentence in (
        f"| every {snapshot.HEARTBEAT:g} s while nothing happens |",
        f"headers of more than {server.MAX_REQUEST_HEAD // 1024} KiB are refused",
        f"bodies of more than {middleware.MAX_BODY // 1024} KiB",
        f"closed after {connection.REQUEST_TIMEOUT:g} s",
        f"read its answer after {server.SEND_TIMEOUT:g} s. Each",
        f"request `/api/v1/state` every {events.RETRY} s",
        f'`"table": "{LinkStatus.OFFLINE}"`',
    ):
        assert sentence in text, sentence
