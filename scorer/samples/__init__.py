"""Samples of every screen, taken from games that can be played.

A sample is a score sheet with presses. Its view is made as that of a real table, so that preview
and golden images contain nothing that the rules or the session never do.
"""

from functools import cache

from scorer.samples.sheets import sheets
from scorer.samples.table import SampleTable
from scorer.session.view.view import View
from scorer.table.store_failure import store_failure_view


def samples() -> dict[str, View]:
    """All samples by name, in the order of the preview."""
    return dict(_played())


@cache
def _played() -> dict[str, View]:
    views = {name: SampleTable(sample).view for name, sample in sheets().items()}
    return {**views, "trouble": store_failure_view("damaged")}
