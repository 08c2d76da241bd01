"""docs/operators/link.md against the program: its settings and figures."""

from __future__ import annotations

import re
import tomllib

from scorer.config.link_section import LinkSection, MqttSection
from scorer.hall.events import SILENT_SECONDS
from scorer.hall.rows import BATCH_BYTES, BATCH_ROWS
from scorer.link import backoff
from scorer.link.membership import FILE_NAME
from scorer.link.outlet import SENT_KEYS
from scorer.link.sender import RETRY
from scorer.link.topics import Topics
from scorer.serving.avahi import HUB_SERVICE
from tests.paths import ROOT

PAPER = (ROOT / "docs" / "operators" / "link.md").read_text("utf-8")


def test_the_settings_that_are_shown_are_all_there_are() -> None:
    shown = tomllib.loads("\n".join(re.findall(r"```toml\n(.*?)```", PAPER, re.DOTALL)))["link"]
    assert shown.keys() == set(LinkSection._fields)
    assert shown["mqtt"].keys() == set(MqttSection._fields)
    assert MqttSection(**{**shown["mqtt"], "broker": ""}) == MqttSection()


def test_the_figures_are_those_of_the_program() -> None:
    text = " ".join(PAPER.split())
    for sentence in (
        f"{BATCH_ROWS} rows or {BATCH_BYTES // 1024} KiB at most",
        f"after {backoff.FIRST:g} s, then twice as long each time up to {backoff.LONGEST:g} s",
        f"after {SILENT_SECONDS} s without a sign of life",
        f"(`{HUB_SERVICE}`)",
        f"/var/lib/scorer-link/{FILE_NAME}",
    ):
        assert sentence in text, sentence
    assert (RETRY, backoff.SPREAD) == (60.0, 0.5)


def test_the_topics_and_their_keys_are_those_of_the_program() -> None:
    topics = Topics.of(MqttSection(), "box")
    for topic in topics[:3]:
        assert f"`{topic.replace('box', '<box>')}`" in PAPER
    (row,) = re.findall(r"score as JSON: (.*?), as in", PAPER)
    assert tuple(re.findall(r"`(\w+)`", row)) == SENT_KEYS
