"""A sample, and a table without hardware that plays its presses in simulated time.

The gestures enter the reducer of the session as those of a real table do, one second apart, so that
the guards accept or refuse them by the same clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorer.rules.sheet import Header, header_of
from scorer.session import reducer
from scorer.session.play.external_steps import settle_question
from scorer.session.play.timers import expire, next_deadline
from scorer.session.setup.first_run import with_first_question
from scorer.session.setup.hall_menu import show_password
from scorer.session.setup.pairing_menu import show_code
from scorer.session.setup.reducer import show_selftest
from scorer.session.values.box_settings import BoxSettings
from scorer.session.values.effects import Task
from scorer.session.values.hall import Assignment, MatchTime
from scorer.session.values.night_view import NightView
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.settings import Settings
from scorer.session.values.setup_view import LastHandsView, ListView, SpellingView
from scorer.session.values.shown import HallView, LinkView
from scorer.session.values.state import Session, new_session
from scorer.session.view.build_view import view_of
from scorer.session.view.view import View
from scorer.table.selftest_report import report_lines

BEGIN: Final = 100.0  # seconds of the clock of the session
_MIDNIGHT: Final = -75_600.0  # in the same seconds: play begins at 21:01
_PACE: Final = 1.0  # seconds from one press to the next
_ECHO: Final = 0.1  # seconds between two teams that press "at once"
_MOST_TURNS: Final = 60  # of a list of set-up, of the ring of letters or of the pages
_PAIRING_CODE: Final = "408153"
_DESK_PASSWORD: Final = ("truco", "h4kwmzt7pd", 8443)
# Of a table whose panel B is gone.
_SELFTEST_REPORT: Final[Mapping[str, Any]] = {
    "buttons": {"alive": True, "fault": "", "stuck": [], "touching": []},
    "consoles": [],
    "panels": [{"side": "A", "fault": ""}, {"side": "B", "fault": "gone"}],
    "lamps": [],
    "buzzer": {"fault": ""},
    "store": {"fault": ""},
}


class Sample(NamedTuple):
    """A score sheet with presses, and what the session gets besides them.

    ``start``: scores and mano, as in "A=12 B=9 mano=B"; ``presses``: "A truco, wait 4, menu hold".
    """

    variant: str
    start: str = ""
    presses: str = ""
    tags: Mapping[str, str] = {}  # more tags of the header
    settings: Settings = Settings()
    box: BoxSettings = BoxSettings()
    marks: tuple[str, ...] = ()
    link: LinkView = LinkView()
    night: NightView | None = None
    hall: HallView = HallView()
    assignments: tuple[Assignment, ...] = ()
    match_time: MatchTime | None = None
    offer_until: float | None = None

    @property
    def header(self) -> Header:
        """The header of the sheet. Raises TagError for one that the rules do not allow."""
        scores, _, mano = self.start.partition(" mano=")
        own = {"Variant": self.variant, "Start": scores, **({"Mano": mano} if mano else {})}
        return header_of([*own.items(), *self.tags.items()])


class SampleTable:
    """One table that has played a sample."""

    def __init__(self, sample: Sample) -> None:
        header = sample.header
        game = header.game()
        names = [header.names.get(side, "") for side in game.rules.scoring_sides]
        fresh = new_session(
            game, sample.settings, now=BEGIN, names=names if any(names) else (), box=sample.box
        )
        self.session: Session = fresh._replace(
            marks=sample.marks,
            link=sample.link,
            night=sample.night,
            hall=sample.hall,
            assignments=sample.assignments,
            match_time=sample.match_time,
            offer_until=sample.offer_until,
        )
        for press in filter(None, sample.presses.split(", ")):
            self._play(*press.split())

    @property
    def view(self) -> View:
        """What the panels show."""
        return view_of(self.session)

    def _play(self, first: str, *rest: str) -> None:
        match (first, *rest):
            case ("wait", seconds):
                self._wait(float(seconds) - _PACE)
            case ("to", target):
                self._turn_to(target)
            case ("first", "run"):
                self.session = with_first_question(self.session)
            case ("both", "tantos"):
                self._press(GestureKind.CHORD, "A.tantos")
            case ("both", button):
                self._press(GestureKind.PRESS, f"A.{button}")
                self._wait(_ECHO)
                self._press(GestureKind.PRESS, f"B.{button}")
            case ("undo" | "menu", *how):
                self._press_button(first, how)
            case ("A" | "B" | "C", button, *how):
                self._press_button(f"{first}.{button}", how)
            case _:
                raise ValueError(f"no press of a sample: {' '.join((first, *rest))}")
        self._wait(_PACE)

    def _press_button(self, button: str, how: list[str]) -> None:
        if how == ["hold"]:
            self._press(GestureKind.HOLD_STARTED, button)
            self._press(GestureKind.HOLD, button)
            return
        if button.endswith(".tantos"):
            self._press(GestureKind.TOUCHED, button)
        self._press(GestureKind.PRESS, button)

    def _press(self, kind: GestureKind, button: str) -> None:
        now = self.session.now
        minutes = int(now - _MIDNIGHT) // 60
        time = f"{minutes // 60 % 24:02}:{minutes % 60:02}"
        reaction = reducer.press(self.session, Gesture(kind, button, now, now), now, time)
        self.session = reaction.session
        if Task.SELFTEST in reaction.effects:
            self.session = show_selftest(self.session, report_lines(_SELFTEST_REPORT))
        if Task.PAIRING_CODE in reaction.effects:
            self.session = show_code(self.session, _PAIRING_CODE)
        if Task.DESK_PASSWORD in reaction.effects:
            self.session = show_password(self.session, *_DESK_PASSWORD)

    def _turn_to(self, target: str) -> None:
        """Go to a page by MENU; in set-up, to a line or a letter by TANTOS, as players do."""
        if self.view.setup is not None and isinstance(self.view.setup.content, LastHandsView):
            self._press_button("A.no_quiero", [])  # the whole menu
        for _ in range(_MOST_TURNS):
            if self._selected() == target:
                return
            self._press_button("menu" if self.session.setup is None else "B.tantos", [])
            self._wait(_PACE)
        raise ValueError(f"nothing here leads to {target}")

    def _selected(self) -> str:
        view = self.view
        if view.setup is None:
            return view.screen
        match view.setup.content:
            case ListView(selected=line):
                return line.key
            case SpellingView(selected=letter):
                return letter
            case _:
                return view.setup.title

    def _wait(self, seconds: float) -> None:
        """Advance from deadline to deadline, as the loop of a table does."""
        end = self.session.now + seconds
        while (due := next_deadline(self.session)) is not None and due < end:
            settled = settle_question(self.session, due)
            self.session = expire(self.session, due) if settled is None else settled.session
        self.session = expire(self.session, end)
