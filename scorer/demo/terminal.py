"""The demo in a terminal: panels as characters, keys as buttons, real time.

The only module that imports Textual.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TextIO, cast

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle
from textual.drivers.linux_driver import LinuxDriver
from textual.widgets import Static

from scorer.demo import keys, pixels
from scorer.demo.caption import CAPTION_ROWS, caption_lines
from scorer.demo.live_demo import LiveDemo, on_exit_signal
from scorer.demo.panel import DemoPanel
from scorer.demo.table_process import TableEnded
from scorer.i18n import translator

if TYPE_CHECKING:
    from io import TextIOWrapper

Colour = tuple[int, int, int]

SOUND_SHOWN = 1.5  # seconds that a sound is shown


async def run(playing: LiveDemo, language: str, address: str = "") -> None:
    """Play until the player leaves. Raises TableEnded, after restoring the terminal.

    ``address``: where the same table is played in a browser.
    """
    demo = Demo(playing, language, address)
    await demo.run_async(mouse=False)
    if demo.table_ended is not None:
        raise demo.table_ended


def light_text(light: Sequence[Colour]) -> Text:
    """The pixels of the team light, each in its colour; dark ones are grey."""
    dark = (48, 48, 48)
    shown = (pixel if any(pixel) else dark for pixel in light)
    pixels_shown = (("███", f"rgb({red},{green},{blue})") for red, green, blue in shown)
    return Text(" ").join(Text(*each) for each in pixels_shown)


class ClosableFile:
    """The terminal as an output file; writes after it was closed are ignored.

    An error would end Textual's writer thread, and drawing would then block on its bounded queue.
    ``gone`` is called once, in that thread.
    """

    def __init__(self, file: TextIO, gone: Callable[[], object]) -> None:
        self._file = file
        self._gone: Callable[[], object] | None = gone

    def write(self, text: str) -> int:
        """Write, ignoring errors of a closed terminal; return the number of characters."""
        self._try_write(lambda: self._file.write(text))
        return len(text)

    def flush(self) -> None:
        """Flush, ignoring errors of a closed terminal."""
        self._try_write(self._file.flush)

    def fileno(self) -> int:
        """The file descriptor of the terminal."""
        return self._file.fileno()

    def _try_write(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError:
            gone, self._gone = self._gone, None
            if gone is not None:
                gone()


class ClosableTerminal(LinuxDriver):
    """A terminal driver that ends the demo when its window is closed."""

    def __init__(self, app: App[Any], **options: Any) -> None:  # noqa: ANN401 - Textual's own
        super().__init__(app, **options)
        assert self._file is not None, "there is a terminal"
        closable = ClosableFile(self._file, lambda: app.call_later(app.exit))
        self._file = cast("TextIOWrapper[Any]", closable)


class Demo(App[None]):
    """The full-screen application."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: black; color: #b0b0b0; layers: base; }
    Middle { height: 1fr; align: center middle; }
    #panel { width: auto; max-width: 100%; height: auto; color: #a8ecff; background: black; }
    #panel.walled { border-left: round #505050; border-right: round #505050; }
    #panel.framed { border: round #505050; }
    #panel.dim { color: #4a7884; }
    #caption { height: 0; color: #8a8a8a; text-wrap: nowrap; text-overflow: ellipsis; }
    #status { height: 1; color: #ffd75f; }
    #light { height: 1; display: none; }
    #legend { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10,ctrl+q,ctrl+c", "quit", priority=True),
        Binding("tab", "other_panel", priority=True),
        Binding("f8", "cable", priority=True),
        Binding("f9", "power_cut", priority=True),
    ]

    def __init__(self, playing: LiveDemo, language: str, address: str) -> None:
        super().__init__(driver_class=ClosableTerminal)
        self.table_ended: TableEnded | None = None
        self._playing, self._table = playing, playing.table
        self._say = translator(language)
        self._address = address
        self._keys = keys.lines_by_letter(self._table.ready.lines)
        self._names = tuple(self._table.panels)
        self._panel_name = self._names[0]
        self._started = time.monotonic()
        self._drawn: object = None  # the source of the picture on the screen
        self._status_shown = ""  # the status line on the screen
        self._light_shown: Sequence[Colour] = ()  # the team light on the screen

    def compose(self) -> ComposeResult:
        with Middle():
            yield Static(id="panel", markup=False)
        yield Static(id="caption", markup=False)
        yield Static(id="status", markup=False)
        yield Static(id="light", markup=False)
        yield Static("\n".join(self._legend()), id="legend", markup=False)

    def on_mount(self) -> None:
        on_exit_signal(self.exit)
        self._playing.watchers.append(self._draw)
        self.run_worker(self._run_demo())

    def on_unmount(self) -> None:
        self._playing.watchers.remove(self._draw)

    def on_key(self, event: events.Key) -> None:
        fingers = keys.key_action(event.key, self._keys)
        if fingers is not None and not self._playing.is_powered_off:
            self._playing.fingers.press(fingers, self._playing.clock())

    def on_resize(self) -> None:
        self._drawn = None
        self._draw()

    def action_other_panel(self) -> None:
        """Show the next panel."""
        where = self._names.index(self._panel_name)
        self._panel_name = self._names[(where + 1) % len(self._names)]
        self._draw()

    def action_cable(self) -> None:
        """Plug or unplug the panel on the screen."""
        self._playing.toggle_cable(self._panel_name)

    def action_power_cut(self) -> None:
        """Cut the power for a moment."""
        self._playing.cut_power()

    async def _run_demo(self) -> None:
        try:
            await self._playing.run()
        except TableEnded as ended:
            self.table_ended = ended
            self.exit()

    def _draw(self) -> None:
        panel = self._table.panels[self._panel_name]
        picture = (panel.picture().tobytes(), self._panel_name, panel.is_dim, self.size)
        if picture != self._drawn:
            self._drawn = picture
            self._draw_panel(panel)
        status = self._status()
        if status != self._status_shown:
            self._status_shown = status
            self.query_one("#status", Static).update(status, layout=False)
        light = self._table.report.light
        if light != self._light_shown:
            widget = self.query_one("#light", Static)
            if widget.display != bool(light):
                widget.display, self._drawn = bool(light), None
            self._light_shown = light
            widget.update(light_text(light), layout=False)

    def _draw_panel(self, panel: DemoPanel) -> None:
        rows_below = 1 + bool(self._light_shown) + len(self._legend())
        room = (self.size.width, self.size.height - rows_below)
        glyphs = pixels.largest(panel.size, room)
        # Braille is too small for the panel's smallest letters: show its words below.
        rows = _caption_rows(panel, room) if glyphs is pixels.BRAILLE else 0
        widget = self.query_one("#panel", Static)
        # Parts of the frame are omitted rather than a smaller scale used.
        for part, margin in (("walled", 0), ("framed", 2)):
            within = pixels.largest(panel.size, (room[0] - 2, room[1] - rows - margin))
            widget.set_class(glyphs is not None and glyphs is within, part)
        widget.set_class(panel.is_dim, "dim")
        widget.update(Text("\n".join(self._lines(panel, glyphs)), no_wrap=glyphs is not None))
        caption = self.query_one("#caption", Static)
        caption.styles.height = rows
        words = caption_lines(self._panel_texts(panel), room[0]) if rows else ()
        caption.update("\n".join(words), layout=False)

    def _lines(self, panel: DemoPanel, glyphs: pixels.Glyphs | None) -> list[str]:
        if glyphs is None:
            # The words of the panel are better than a part of its picture.
            words = " · ".join(self._panel_texts(panel))
            return [f"({self._say('terminal.small')})", words]
        return pixels.to_text(panel.picture(), glyphs)

    def _panel_texts(self, panel: DemoPanel) -> tuple[str, ...]:
        """The texts on the panel; none on a black one."""
        lit = panel.picture().getbbox() is not None
        return self._table.report.text if lit else ()

    def _status(self) -> str:
        status = " · ".join(self._status_parts())
        room = self.size.width - len(status) - 1
        return status + self._address.rjust(room + 1) if len(self._address) <= room else status

    def _status_parts(self) -> list[str]:
        """The parts of the status line."""
        playing, seconds = self._playing, int(time.monotonic() - self._started)
        parts = [
            f"{seconds // 60}:{seconds % 60:02}",
            self._say("terminal.shown", panel=self._panel_name),
        ]
        if playing.is_powered_off:
            return [*parts, self._say("terminal.dark")]
        if not self._table.panels[self._panel_name].is_plugged:
            parts[-1] += f" ({self._say('terminal.unplugged')})"
        lamps = self._table.report.lamps.items()
        parts += [f"{name} {'●' if lamp == 'on' else '○'}" for name, lamp in lamps]
        parts += [self._say(f"terminal.{playing.verdict}")] if playing.verdict else []
        if playing.clock() - playing.sound_at < SOUND_SHOWN and playing.last_sound:
            parts += [f"♪ {playing.last_sound}"]
        return parts

    def _legend(self) -> list[str]:
        *consoles, shared = keys.legend(self._keys)
        functions = ["terminal.panel"] if len(self._names) > 1 else []
        functions += ["terminal.unplug", "terminal.cut", "terminal.quit"]
        return [
            *consoles,
            f"{shared}   {self._say('terminal.keys')}",
            "   " + " · ".join(self._say(each) for each in functions),
        ]


def _caption_rows(panel: DemoPanel, room: tuple[int, int]) -> int:
    """The rows below a picture in braille, the same for all its texts."""
    return min(CAPTION_ROWS, room[1] - pixels.BRAILLE.cells(panel.size)[1])
