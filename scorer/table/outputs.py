"""The outputs of a table: panels, lamps, buzzer and team light follow the session.

A failed device never raises: it is retried later, and the score is not affected. Time is an
argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.display import deferred, render, shifted
from scorer.hw.ports import Buzzer, DeviceError, InputPresence, InputSource, Lamp
from scorer.session.play.timers import next_deadline
from scorer.session.values.dimming import Light, burn_in_shift, lamps_of, light_of
from scorer.session.values.seating import CONSOLES
from scorer.session.values.settings import Brightness
from scorer.session.values.state import Session, Sound
from scorer.session.view.build_view import view_of, view_of_rivals
from scorer.session.view.view import View
from scorer.table.buzzer_phrases import PHRASES
from scorer.table.device_faults import DeviceFaults, DeviceKind, DeviceStatus
from scorer.table.panels import Panel, Renderer
from scorer.table.selftest import SelfTest

if TYPE_CHECKING:
    from PIL import Image

    from scorer.display.deferred import Draw
    from scorer.hw.outputs.colour_light import ColourLight
    from scorer.table.button_lights import LightChip
    from scorer.table.words import WordDevice

CONTRAST = {Light.ON: 0x9F, Light.DIM: 0x10, Light.DARK: 0x00}
_KEPT = 2  # drawings: the two of a blinking picture
_ROUNDING = 1e-6  # seconds by which a change may show at a later tick than at its own
_ON_CONTRAST = {Brightness.LOW: 0x50, Brightness.MEDIUM: CONTRAST[Light.ON], Brightness.HIGH: 0xFF}


class Devices(NamedTuple):
    """The devices of a table. Any of them may fail at any time."""

    inputs: InputSource
    panels: Sequence[Panel]
    renderer: Renderer
    lamps: Mapping[str, Lamp]
    buzzer: Buzzer
    lines_without_levels: frozenset[str] = frozenset()  # lines whose level cannot be read
    consoles: Callable[[], Sequence[InputPresence]] = tuple  # those that can be unplugged
    device_of_line: Mapping[str, str] = {}  # of lines that share one, such as those of a box
    team_light: ColourLight | None = None
    button_lights: Sequence[LightChip] = ()
    words: WordDevice | None = None


class _Drawing(NamedTuple):
    """Pictures of the panels, and what they show."""

    views: tuple[View, ...]
    shift: int
    images: list[Image.Image | Draw]


class _Shown(NamedTuple):
    """What the outputs show of a session; time alone changes it at ``until``."""

    session: Session
    views: tuple[View, ...]
    lamps: tuple[bool, ...]  # of each console
    until: float | None

    def is_of(self, session: Session) -> bool:
        """Whether it is right for ``session`` too, which may be later."""
        if session is self.session:
            return True
        now = self.session.now
        is_due = self.until is not None and session.now >= self.until
        return now <= session.now and not is_due and session._replace(now=now) == self.session


class TableOutputs:
    """The panels, lamps, lights and buzzer of one table."""

    def __init__(
        self,
        devices: Devices,
        faults: DeviceFaults,
        now: float,
        is_quiet_hour: Callable[[float], bool] = lambda now: False,
    ) -> None:
        self._devices, self._faults = devices, faults
        self._team_light = None
        if devices.team_light is not None:
            # Imported lazily: most tables have no team light.
            from scorer.table.team_light import TeamLight

            self._team_light = TeamLight(devices.team_light, is_quiet_hour, faults.report)
        self._button_lights = None
        if devices.button_lights:
            # Imported lazily: most tables have no lit buttons.
            from scorer.table.button_lights import ButtonLights

            self._button_lights = ButtonLights(devices.button_lights, is_quiet_hour)
        self._words = None
        if devices.words is not None:
            # Imported lazily: most tables have no display of words.
            from scorer.table.words import Words

            self._words = Words(devices.words)
        self._selftest = SelfTest(devices, now, self._team_light, self._button_lights, self._words)
        self._buzzer_at: float | None = None
        self._panels_at: float | None = None
        self._lamp_states: dict[str, bool] = {}
        self._shown: _Shown | None = None
        self._shown_view: tuple[tuple[View, ...], Light] | None = None
        self._images: list[Image.Image | Draw] = []
        self._drawings: list[_Drawing] = []  # the newest first
        # Only then "we" on a panel is the team that reads it.
        consoles = {panel.side for panel in devices.panels if panel.mode == "1"}
        self._has_own_panels = len(consoles) > 1

    def deadline(self) -> float | None:
        """When ``tick`` or ``show`` is needed next if nothing else happens, or None."""
        lights = () if self._selftest.holds_lamps else (self._team_light, self._button_lights)
        moments = (
            *(self._buzzer_at, self._panels_at, self._selftest.deadline()),
            *(light.deadline() for light in lights if light is not None),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self, now: float) -> None:
        """End sounds and self-tests that are due."""
        if self._buzzer_at is not None and now >= self._buzzer_at:
            self._buzzer_at = self._drive_buzzer(lambda buzzer: buzzer.tick(now))
        if self._selftest.tick(now):
            self._lamp_states.clear()

    def views(self, session: Session) -> tuple[View, ...]:
        """The view of each panel.

        A question to one console is on its own panels, or on all small ones if it has none.
        """
        return self._shown_of(session).views

    def _shown_of(self, session: Session) -> _Shown:
        if self._shown is None or not self._shown.is_of(session):
            until = next_deadline(session._replace(now=session.now - _ROUNDING))
            views = self._make_views(session)
            self._shown = _Shown(session, views, lamps_of(session), until)
        return self._shown

    def _make_views(self, session: Session) -> tuple[View, ...]:
        panels, whole, hidden = self._devices.panels, view_of(session), view_of_rivals(session)
        if hidden is None:
            return (whole,) * len(panels)
        assert session.question is not None
        small = [panel for panel in panels if panel.mode == "1"] or panels
        own = [panel for panel in small if panel.side == session.question.audience]
        asked = own if own and self._has_own_panels else small
        return tuple(whole if panel in asked else hidden for panel in panels)

    def show(self, session: Session, now: float) -> None:
        """Show ``session`` on panels and lamps.

        A picture is drawn only if it has changed; a blinking one twice.
        """
        light, shift, views = light_of(session), burn_in_shift(session), self.views(session)
        seen = views, light
        self._images = self._drawing(session, views, shift).images
        brightness = session.settings.light.brightness
        contrast = _ON_CONTRAST[brightness] if light is Light.ON else CONTRAST[light]
        for panel, image in zip(self._devices.panels, self._images, strict=True):
            panel.set_target(image, contrast, dark=light is Light.DARK)
        # A dimmed picture that only shifts can wait for the next check of the panels: no thread is
        # woken for it.
        if seen != self._shown_view or (self._panels_at is not None and now >= self._panels_at):
            self._shown_view = seen
            self._panels_at = self._devices.renderer.draw(now)
        self._set_lamps(self._shown_of(session).lamps)
        if self._selftest.holds_lamps:
            return
        for follower in (self._team_light, self._button_lights, self._words):
            if follower is not None:
                follower.show(session, now)

    def show_view(self, view: View, language: str, now: float) -> None:
        """Show ``view`` on lit panels, without a session; it must be the same each time."""
        if not self._images:
            self._images = [self._picture(panel, view, language) for panel in self._devices.panels]
        for panel, image in zip(self._devices.panels, self._images, strict=True):
            panel.set_target(image, CONTRAST[Light.ON], dark=False)
        self._panels_at = self._devices.renderer.draw(now)

    def redraw(self) -> None:
        """Draw every picture again after a change that the view does not contain."""
        self._drawings.clear()

    def play(self, sound: Sound, now: float) -> None:
        """Play the phrase of ``sound``, if it has one."""
        if sound in PHRASES:
            self._buzzer_at = self._drive_buzzer(lambda buzzer: buzzer.play(PHRASES[sound], now))

    def run_selftest(
        self, stuck: Sequence[str], touching: Sequence[Sequence[str]], now: float
    ) -> dict[str, Any] | None:
        """Test every device; return the report, None shortly after another test."""
        tried = self._selftest.start(stuck, touching, now)
        if tried is None:
            return None
        self._buzzer_at = tried.buzzer_at
        return tried.report

    def _drawing(self, session: Session, views: tuple[View, ...], shift: int) -> _Drawing:
        for kept in self._drawings:
            if (kept.views, kept.shift) == (views, shift):
                return kept
        language, last = session.settings.table.language, len(session.rules.scoring_sides) - 1
        images = [
            # Sides are ordered by console, whatever their names (gallo, pair).
            self._picture(panel, view, language, min(CONSOLES.index(panel.side), last), shift)
            for panel, view in zip(self._devices.panels, views, strict=True)
        ]
        drawn = _Drawing(views, shift, images)
        self._drawings = [drawn, *self._drawings][:_KEPT]
        return drawn

    def _picture(
        self, panel: Panel, view: View, language: str, place: int = 0, shift: int = 0
    ) -> Image.Image | Draw:
        if panel.mode != "1":
            return deferred.defer_view(view, language, lambda: panel.size, place, shift)
        neutral = not self._has_own_panels
        return shifted(render(view, language, panel.size, place, is_neutral=neutral), shift)

    def _set_lamps(self, lamps: tuple[bool, ...]) -> None:
        if self._selftest.holds_lamps:
            return
        # A lamp belongs to its console, whichever side plays there in this hand.
        for side, lit in zip(CONSOLES, lamps, strict=False):
            lamp = self._devices.lamps.get(side)
            if lamp is None or self._lamp_states.get(side) == lit:
                continue
            try:
                lamp.set(lit)
                self._lamp_states[side] = lit
            except DeviceError as error:
                # A failed lamp is retried at the next change; the panel shows the same information.
                self._lamp_states.pop(side, None)
                self._report(DeviceKind.LAMP, error, side)
            else:
                self._faults.report(DeviceStatus(DeviceKind.LAMP, side))

    def _drive_buzzer(self, action: Callable[[Buzzer], float | None]) -> float | None:
        try:
            due = action(self._devices.buzzer)
        except DeviceError as error:
            # Without a buzzer the panel still shows everything.
            self._report(DeviceKind.BUZZER, error)
            return None
        self._faults.report(DeviceStatus(DeviceKind.BUZZER))
        return due

    def _report(self, kind: DeviceKind, error: DeviceError, side: str = "") -> None:
        # The supervisor of the inputs, which opens it, tells why it is closed.
        if error.kind != "closed":
            self._faults.report(DeviceStatus(kind, side, str(error), side=side))
