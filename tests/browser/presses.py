"""Random presses at a table of the page, in simulated time.

It runs in any Python, and imports only what is packed for the page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from random import Random
from tempfile import TemporaryDirectory

from scorer.browser.page_table import PageOptions, PageTable

NOON = 1_795_280_400.0  # Unix time of the simulated second 0
LENGTHS = (0.0, 0.05, 0.12, 0.9, 1.4)  # seconds of a press: taps, and holds
PAUSES = (0.03, 0.2, 0.7, 2.5, 8.0)  # seconds between two


class Clock:
    """Simulated seconds."""

    def __init__(self) -> None:
        self.now = 1.0

    def __call__(self) -> float:
        return self.now

    def wall(self) -> float:
        return NOON + self.now


def reports(variant: str, language: str, panels: int, seed: int, count: int) -> Iterator[str]:
    """What a page shows after each of ``count`` presses; its board and score sheet."""
    clock, rng = Clock(), Random(seed)
    with TemporaryDirectory() as store:
        options = PageOptions(language, store, f"start {seed}", variant, panels)
        table = PageTable(options, clock, clock.wall)
        table.step()
        look = table.look()
        for _ in range(count):
            line = rng.choice(list(json.loads(look)["buttons"]))
            held, pause = rng.choice(LENGTHS), rng.choice(PAUSES)
            for is_down, seconds in ((True, held), (False, pause)):
                table.move(json.dumps([[1000 * clock.now, line, is_down]]))
                _wait(table, clock, seconds)
                look = table.look() or look
            yield look
        table.update_board()
        yield table.board_report('{"lang": "en", "ours": "B"}')
        yield table.board_games()
        sheet = table.score_sheet()
        yield sheet
        yield table.open_score_sheet(sheet)
        table.close()


def _wait(table: PageTable, clock: Clock, seconds: float) -> None:
    """Step when the table asks for it, for some seconds."""
    until = clock.now + seconds
    while (due := clock.now + table.step()) < until:
        clock.now = max(due, clock.now + 0.001)
    clock.now = until
    table.step()


def main(arguments: list[str]) -> None:
    """Print the reports of each case in ``arguments``, a JSON list, one a line."""
    for variant, language, panels, seed, count in json.loads(arguments[0]):
        for report in reports(variant, language, panels, seed, count):
            print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])
