"""One table of a page, from power-on to power cut: edges in, pictures out.

The page calls ``step`` after each input and when the time that it returned has come. It stores the
files of the store before it shows what ``look`` returns.
"""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from scorer.browser.board import Board, TableOfThisProcess
from scorer.browser.hardware import PageHardware
from scorer.browser.score_sheets import read_games, store_games
from scorer.demo import keys
from scorer.demo.activity import Activity
from scorer.demo.button_labels import rules_of
from scorer.demo.finger_model import FingerModel
from scorer.demo.front.page_input import PageFingers, parse_edges
from scorer.demo.front.page_state import PanelState, TableState, greeting, snapshot
from scorer.demo.guide import GuidedHand, first_hand
from scorer.hw.outputs.memory import MemoryLevels
from scorer.i18n import nearest_language, translator
from scorer.rules import header_of
from scorer.session.input.keymap import buttons
from scorer.session.values.countries import country_of
from scorer.session.values.seating import CONSOLES, consoles_in_use
from scorer.session.values.settings import Layout
from scorer.store.journal import Journal, Stamp
from scorer.table.button_lights import ButtonLights, LightChip
from scorer.table.simulated_table import SimulatedTable, TableChoices
from scorer.table.startup import StoreHolder

CONSOLE_COUNT = 3  # the third one is shown where three play
_BRIGHT, _DIM = 100, 30  # percent of a lit button, and while the panels are dim
_OVER = ("game_over", "match_over")  # phases
PAGE = "page"  # the only page: its edges are those of this process


class PageOptions(NamedTuple):
    """What the page knows when it starts a table."""

    language: str  # of the browser; the table speaks the nearest one
    store: str  # folder
    start_id: str  # differs for every start
    variant: str = ""  # of the first game; "": that of the language
    panels: int = 2
    held: Sequence[str] = ()  # buttons that are down at power-on
    unplugged: Sequence[str] = ()  # panels
    is_guided: bool = False  # begins with the guided hand, on an empty store
    has_keys: bool = True  # the guide names keys too
    lights_buttons: bool = False  # those that may be pressed now are lit


def power_on(text: str) -> "PageTable":
    """A table with the options in ``text``, a JSON object."""
    options: dict[str, Any] = json.loads(text)
    return PageTable(PageOptions(**options))


class PageTable:
    """A running table. Results are JSON, as the scripts of the page read them."""

    def __init__(
        self,
        options: PageOptions,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """``clock``: seconds that never go back; ``wall``: Unix time."""
        self._clock, self._options = clock, options
        self._wall_at_0 = wall() - clock()
        language = nearest_language(options.language)
        self._stack = ExitStack()
        self._store = StoreHolder(Path(options.store), self._stack)
        # The layout can be changed at the table.
        lines, panels = buttons(Layout.FULL, CONSOLE_COUNT), CONSOLES[: options.panels]
        now = clock()
        self._hardware = PageHardware(lines, panels, CONSOLES[:CONSOLE_COUNT], now)
        for line in options.held:
            self._hardware.set_pin(line, 0, now)
        source = TableOfThisProcess()
        variant = options.variant or country_of(language).proposed
        self._table = SimulatedTable(
            TableChoices(
                header_of([("Variant", variant)]),
                language,
                consoles=CONSOLE_COUNT,
                has_machine=False,
            ),
            self._hardware,
            self._store,
            self._stamp,
            observer=source,
        )
        self._stack.callback(self._table.close)
        source.table = self._table
        for panel in options.unplugged:
            self._table.set_fault(panel, "absent")
        self._fingers = FingerModel(Random(1))
        self._page = PageFingers(self._fingers, clock)
        self._page.add_page(PAGE)
        self._activity = Activity()
        self._told: dict[str, Any] = self._table.report()
        self._looks = ""
        self._made_from: object = None  # the table and the rules that ``_buttons`` belong to
        self._buttons: tuple[str, ...] = ()
        self._board = Board(source, options.start_id, wall)
        self._guided = self._begin_guide() if options.is_guided else None
        self._lit = MemoryLevels()
        self._button_lights: ButtonLights | None = None
        self.light_buttons(is_on=options.lights_buttons)

    def hello(self) -> str:
        """The first message to the page: its texts."""
        return greeting(self._table.table.language, PAGE, PAGE, board="board.html")

    def language(self) -> str:
        return self._table.table.language

    def move(self, edges: str) -> None:
        """Touch and lift buttons: ``[[milliseconds, "A.truco", true], ...]``."""
        self._page.move(PAGE, parse_edges(json.loads(edges), self._lines()))

    def plug(self, panel: str) -> None:
        """Unplug a panel, or plug it in again."""
        is_plugged = self._hardware.displays[panel].is_plugged
        self._table.set_fault(panel, "absent" if is_plugged else None)

    def light_buttons(self, *, is_on: bool) -> None:
        """Light the buttons that may be pressed now, or none."""
        lines = buttons(Layout.FULL, CONSOLE_COUNT)
        chip = LightChip("page", lines, _BRIGHT, _DIM, self._lit)
        self._button_lights = ButtonLights((chip,), lambda now: False) if is_on else None
        self._lit.put(())

    def step(self) -> float:
        """Advance the table to now; returns the seconds until it has to be called again."""
        now = max(self._clock(), self._hardware.clock())
        self._table.advance(self._fingers.due(now), now)
        self._table.commands.clear()  # there is no machine to switch off
        self._told |= self._table.report(brief=True)
        self._activity.add(self._told["press"], self._told["buzz"])
        times = [self._fingers.next_at(), self._table.table.deadline()]
        if self._button_lights is not None and not self._table.table.has_failed:
            self._button_lights.show(self._table.table.session, now)
            times.append(self._button_lights.deadline())
        return max(0.0, min((at for at in times if at is not None), default=now + 1.0) - now)

    def look(self) -> str:
        """What the page shows, or "" if that has not changed."""
        panels = {
            name: PanelState(
                size=panel.size,
                bits=panel.bits,
                is_dim=panel.is_dim,
                is_plugged=panel.is_plugged,
                texts=self._told["texts"][name],
            )
            for name, panel in self._hardware.displays.items()
        }
        in_use = consoles_in_use(self._table.table.session.rules, CONSOLE_COUNT)
        state = TableState(
            panels=panels,
            lamps={name: on for name, on in self._hardware.lamps().items() if name in in_use},
            state=self._told["state"] or {},
            lines=self._lines(),
            down=self._fingers.touched(self._clock()),
            lit=dict(zip(buttons(Layout.FULL, CONSOLE_COUNT), self._lit.value, strict=False)),
        )
        looks = snapshot(state, self._activity, translator(self.language()))
        if looks == self._looks:
            return ""
        self._looks = looks
        return looks

    def guide(self) -> str:
        """The guided hand: texts, whether it is over, and the button to press; or null."""
        if self._guided is None:
            return "null"
        letters = {line: letter for letter, line in keys.lines_by_letter(self._lines()).items()}
        self._guided.follow(self._told["state"] or {})
        texts = self._guided.texts(
            translator(self.language()), letters if self._options.has_keys else {}
        )
        press = self._guided.next_press
        line = "" if press is None else press.line
        message = {"texts": texts, "line": line, "is_over": self._guided.is_over}
        return json.dumps(message, ensure_ascii=False)

    def variant(self) -> str:
        """The truco of the current game; "" without one."""
        return str((self._told["state"] or {}).get("variant", ""))

    def stored(self) -> str:
        """The state of the store's files: another text after each change."""
        files = sorted(Path(self._options.store).iterdir())
        stats = ((file.name, file.stat()) for file in files)
        return " ".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats)

    def update_board(self) -> bool:
        """Whether the board has a new report."""
        return self._board.update()

    def board_report(self, query: str) -> str:
        """The report for the viewers that ``query``, a JSON object, names."""
        return json.dumps(self._board.report(json.loads(query)), ensure_ascii=False)

    def board_beat(self) -> str:
        return json.dumps(self._board.beat())

    def board_games(self) -> str:
        return json.dumps(self._board.games(), ensure_ascii=False)

    def shared_game(self, query: str, sheet: str | None) -> str:
        """A game to share (``Board.shared``); ``query`` is a JSON object."""
        self._board.update()
        return json.dumps(self._board.shared(json.loads(query), sheet), ensure_ascii=False)

    def finished_game(self) -> int:
        """The number of a game that is over and still shown, or 0."""
        is_over = (self._told["state"] or {}).get("phase") in _OVER
        return self._table.table.game_log.game_numbers.running if is_over else 0

    def score_sheet(self) -> str:
        """The games of the evening as a score sheet; "" without a store."""
        if self._table.table.has_failed:
            return ""
        journal, games = self._journal(), self._table.table.game_log.game_numbers
        return read_games(journal, range(games.first, games.newest + 1))

    def open_score_sheet(self, sheet: str) -> str:
        """Store the games of a score sheet; returns why it cannot be read, or "".

        The table must be started again: it resumes the last of them.
        """
        return store_games(self._journal(), sheet.encode(), self._stamp(self._clock()))

    def close(self) -> None:
        """Close the store. A power cut does not."""
        self._stack.close()

    def _begin_guide(self) -> GuidedHand | None:
        state = self._told["state"] or {}
        rules = rules_of(state)
        guide = None if rules is None else first_hand(rules, self._lines(), state)
        return None if guide is None else GuidedHand(guide)

    def _lines(self) -> tuple[str, ...]:
        """The buttons of the layout, and of the consoles in use."""
        table = self._table.table
        # Another layout starts the table again.
        made_from = (table, table.session.rules)
        if self._made_from != made_from:
            self._made_from = made_from
            layout = self._table.resolved().config.table.layout
            count = len(consoles_in_use(table.session.rules, CONSOLE_COUNT))
            self._buttons = buttons(layout, count)
        return self._buttons

    def _journal(self) -> Journal:
        assert isinstance(self._store.journal, Journal), self._store.journal
        return self._store.journal

    def _stamp(self, now: float) -> Stamp:
        wall = datetime.fromtimestamp(self._wall_at_0 + now, UTC).isoformat(timespec="seconds")
        return Stamp(self._options.start_id, int(now * 1000), wall, trusted=True)
