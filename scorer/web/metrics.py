"""Metrics of the server in Prometheus text format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from scorer.serving.broadcaster import Broadcaster
from scorer.table_link import LinkStatus
from scorer.web.audience import Audience
from scorer.web.snapshot import Reporter

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_STATM = Path("/proc/self/statm")


class Metric(NamedTuple):
    """One metric: name, type, help and value."""

    name: str
    kind: str
    meaning: str
    value: float


def collect(broadcaster: Broadcaster[Audience], reporter: Reporter) -> tuple[Metric, ...]:
    """Collect all metrics."""
    link = reporter.link
    faults = len((link.state or {}).get("faults", ()))
    here = float(link.status is LinkStatus.ONLINE)
    return (
        Metric("truco_table_up", "gauge", "1 while the table answers and has a score.", here),
        Metric("truco_table_seq", "gauge", "Row of the journal of the newest state.", link.seq),
        Metric("truco_table_faults", "gauge", "Devices of the table that are lost.", faults),
        Metric("truco_table_found_total", "counter", "Times a table was found.", link.greetings),
        Metric("truco_web_viewers", "gauge", "Streams that are open.", broadcaster.viewer_count),
        Metric("truco_web_refused_total", "counter", "Streams turned away.", broadcaster.rejected),
        Metric("truco_web_reports_total", "counter", "Reports published.", broadcaster.published),
        Metric("process_resident_memory_bytes", "gauge", "Resident memory.", _resident_bytes()),
    )


def format_text(metrics: tuple[Metric, ...]) -> str:
    """Format metrics as Prometheus text, version 0.0.4."""
    lines = (
        f"# HELP {each.name} {each.meaning}\n# TYPE {each.name} {each.kind}\n"
        f"{each.name} {each.value:g}\n"
        for each in metrics
    )
    return "".join(lines)


def _resident_bytes() -> float:
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0.0
