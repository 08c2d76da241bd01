"""The demo in a terminal: panels as characters, keys as buttons, real time.

The only module that imports Textual.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TextIO, cast

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.drivers.linux_driver import LinuxDriver
from textual.widgets import Static

from scorer.demo import keys, pixels
from scorer.demo.button_labels import legend as legend_of
from scorer.demo.button_labels import rules_of
from scorer.demo.caption import CAPTION_ROWS, INDENT, caption_lines, legend_lines
from scorer.demo.guide import GuidedHand, first_hand
from scorer.demo.live_demo import LiveDemo, on_exit_signal
from scorer.demo.table_process import TableEnded
from scorer.display.light_frames import COLOURS
from scorer.i18n import Say, translator
from scorer.plain_values.names import printable

if TYPE_CHECKING:
    from io import TextIOWrapper

Colour = tuple[int, int, int]

SOUND_SHOWN = 1.5  # seconds that a sound is shown
FULL_SIZE = "80x24"  # of a window that has room for a panel, its words and all keys
LEAST_ROWS = 4  # of the words of a panel beside the whole legend
HELP_COLUMNS = 76


class TerminalOptions(NamedTuple):
    """What the terminal shows beside the table."""

    language: str  # until the table tells its own
    store: str = ""  # the folder that keeps the score; "": it is not kept
    note: str = ""  # a sentence until the first press
    address: str = ""  # where the same table is played in a browser


async def run(playing: LiveDemo, options: TerminalOptions) -> None:
    """Play until the player leaves. Raises TableEnded, after restoring the terminal."""
    demo = Demo(playing, options)
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
    #panels { height: 1fr; align: center middle; }
    .panel { width: auto; max-width: 100%; height: auto; color: #a8ecff; background: black; }
    .panel.walled { border-left: round #505050; border-right: round #505050; }
    .panel.framed { border: round #505050; border-title-color: #8a8a8a; }
    .panel.dim { color: #4a7884; }
    #beside { margin-left: 1; display: none; }
    #caption { height: 0; color: #8a8a8a; text-wrap: nowrap; text-overflow: ellipsis; }
    #note { height: auto; color: #ff8f6b; display: none; }
    #status { height: 1; color: #ffd75f; }
    #light { height: 1; display: none; }
    #legend { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10,ctrl+q,ctrl+c", "quit", priority=True),
        Binding("question_mark,f1", "help", priority=True),
        Binding("escape", "skip_guide", priority=True),
        Binding("tab", "other_panel", priority=True),
        Binding("f8", "cable", priority=True),
        Binding("f9", "power_cut", priority=True),
    ]

    def __init__(self, playing: LiveDemo, options: TerminalOptions) -> None:
        super().__init__(driver_class=ClosableTerminal)
        self.table_ended: TableEnded | None = None
        self._playing, self._table = playing, playing.table
        self._options = options
        self._keys = keys.lines_by_letter(self._table.ready.lines)
        self._names = tuple(self._table.panels)
        self._panel_name = self._names[0]
        self._started = time.monotonic()
        self._is_helping = False
        self._note = options.note
        state = self._table.report.state
        rules = rules_of(state)
        guide = None if rules is None else first_hand(rules, self._keys.values(), state)
        self._guide = None if guide is None else GuidedHand(guide)
        self._drawn: object = None  # the source of the picture on the screen
        self._status_shown = Text()  # the status line on the screen
        self._light_shown: Sequence[Colour] = ()  # the team light on the screen

    def compose(self) -> ComposeResult:
        with Horizontal(id="panels"):
            yield Static(id="panel", classes="panel", markup=False)
            yield Static(id="beside", classes="panel", markup=False)
        yield Static(id="caption", markup=False)
        yield Static(id="note", markup=False)
        yield Static(id="status", markup=False)
        yield Static(id="light", markup=False)
        yield Static(id="legend", markup=False)

    def on_mount(self) -> None:
        on_exit_signal(self.exit)
        self._playing.watchers.append(self._draw)
        self.run_worker(self._run_demo())

    def on_unmount(self) -> None:
        self._playing.watchers.remove(self._draw)

    def on_key(self, event: events.Key) -> None:
        if self._is_helping:
            self.action_help()
            return
        fingers = keys.key_action(event.key, self._keys)
        if fingers is not None and not self._playing.is_powered_off:
            self._note = ""
            if self._guide and self._guide.is_over:
                self._end_guide()
            self._playing.fingers.press(fingers, self._playing.clock())

    def on_resize(self) -> None:
        self._drawn = None
        self._draw()

    def action_help(self) -> None:
        """Show the help, or leave it."""
        self._is_helping = not self._is_helping
        self._draw()

    def action_skip_guide(self) -> None:
        """End the guided first hand."""
        if self._guide:
            self._playing.fingers.clear()
            self._end_guide()
        self._draw()

    def _end_guide(self) -> None:
        self._guide = None
        self._playing.return_to_own()

    def action_other_panel(self) -> None:
        """Show the next panel."""
        self._panel_name = self._after(self._panel_name)
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

    @property
    def _say(self) -> Say:
        """The language of the table, which its set-up may change."""
        return translator(self._table.report.language or self._options.language)

    def _after(self, panel: str) -> str:
        return self._names[(self._names.index(panel) + 1) % len(self._names)]

    def _draw(self) -> None:
        report, panels = self._table.report, self._table.panels
        shown = tuple((each.picture().tobytes(), each.is_dim) for each in panels.values())
        note = self._note_lines()
        source = (
            *(shown, self._panel_name, self.size, self._is_helping, note),
            *(report.texts, report.language, report.state.get("variant"), bool(report.light)),
        )
        if source != self._drawn:
            self._drawn = source
            self._draw_page(note)
        status = self._status()
        if status != self._status_shown:
            self._status_shown = status
            self.query_one("#status", Static).update(status, layout=False)
        if report.light != self._light_shown:
            self._light_shown = report.light
            self.query_one("#light", Static).update(light_text(report.light), layout=False)

    def _note_lines(self) -> list[str]:
        """The note, or the guide of the first hand."""
        columns, guide = self.size.width, self._guide
        if self._note or guide is None:
            return textwrap.wrap(self._note, columns)
        guide.follow(self._table.report.state)
        letters = {line: letter for letter, line in self._keys.items()}
        first, *others = guide.texts(self._say, letters)
        if not guide.is_over:
            others.append(self._say("terminal.guide"))
        return [*textwrap.wrap(first, columns), *caption_lines(others, columns)]

    def _draw_page(self, note_lines: Sequence[str]) -> None:
        """Everything but the status line and the team light."""
        columns, rows = self.size
        light = self.query_one("#light", Static)
        light.display = bool(self._table.report.light)
        note = self.query_one("#note", Static)
        note.display = bool(note_lines)
        note.update(printable("\n".join(note_lines)))
        used = 1 + light.display + len(note_lines)
        legend = self._legend(columns)
        if not self._fits(columns, rows - used - len(legend)):
            # A smaller legend rather than no picture, or no words of it.
            keys_left = " · ".join(map(self._say, ("terminal.help", "terminal.quit")))
            few = textwrap.wrap(keys_left, columns)[:1]
            is_low = rows < used + len(legend) + LEAST_ROWS
            if is_low or self._fits(columns, rows - used - len(few)):
                legend = few
        self.query_one("#legend", Static).update("\n".join(legend))
        room = (columns, rows - used - len(legend))
        if self._is_helping:
            self._show_words(self._help(columns))
        elif not self._fits(*room):
            # The words of the panel are better than a part of its picture.
            words = caption_lines(self._texts(self._panel_name), columns)
            small = f"({self._say('terminal.small', size=FULL_SIZE)})"
            self._show_words([*words, *textwrap.wrap(small, columns)][: max(room[1], 1)])
        else:
            self._draw_panels(room)

    def _fits(self, columns: int, rows: int) -> bool:
        panel = self._table.panels[self._panel_name]
        return pixels.largest(panel.size, (columns, rows)) is not None

    def _show_words(self, lines: Sequence[str]) -> None:
        """Lines in the place of the panels."""
        self.query_one("#beside", Static).display = False
        self.query_one("#caption", Static).styles.height = 0
        widget = self.query_one("#panel", Static)
        widget.set_classes("panel")
        widget.update(Text(printable("\n".join(lines))))

    def _draw_panels(self, room: tuple[int, int]) -> None:
        """The chosen panel as large as it fits, its words, and the other one beside it."""
        panel = self._table.panels[self._panel_name]
        glyphs = pixels.largest(panel.size, room)
        # Braille is too small for the panel's smallest letters: show its words below.
        below = min(CAPTION_ROWS, room[1] - pixels.BRAILLE.cells(panel.size)[1])
        rows = below if glyphs is pixels.BRAILLE else 0
        used = self._draw_panel("#panel", self._panel_name, glyphs, (room[0], room[1] - rows))
        other = self._after(self._panel_name)
        left = (room[0] - used - 1, room[1] - rows)
        is_room = other != self._panel_name and left[0] > 0
        beside = pixels.largest(self._table.panels[other].size, left) if is_room else None
        self.query_one("#beside", Static).display = beside is not None
        if beside is not None:
            self._draw_panel("#beside", other, beside, left)
        caption = self.query_one("#caption", Static)
        caption.styles.height = rows
        words = caption_lines(self._texts(self._panel_name), room[0]) if rows else ()
        caption.update(printable("\n".join(words)), layout=False)

    def _draw_panel(
        self, place: str, name: str, glyphs: pixels.Glyphs | None, room: tuple[int, int]
    ) -> int:
        """Draw a panel with as much of its frame as fits; return its columns."""
        panel = self._table.panels[name]
        widget = self.query_one(place, Static)
        # Parts of the frame are omitted rather than a smaller scale used.
        for part, margin in (("walled", 0), ("framed", 2)):
            within = pixels.largest(panel.size, (room[0] - 2, room[1] - margin))
            widget.set_class(glyphs is not None and glyphs is within, part)
        widget.set_class(panel.is_dim, "dim")
        widget.border_title = self._whose(name)
        assert glyphs is not None, "the caller has found one that fits"
        widget.update(Text("\n".join(pixels.to_text(panel.picture(), glyphs)), no_wrap=True))
        return glyphs.cells(panel.size)[0] + 2 * widget.has_class("walled")

    def _texts(self, name: str) -> tuple[str, ...]:
        """The texts on a panel; none on a black one."""
        lit = self._table.panels[name].picture().getbbox() is not None
        return self._table.report.texts.get(name, ()) if lit else ()

    def _whose(self, name: str) -> str:
        """The name of a panel, and the team that reads it."""
        if len(self._names) == 1:
            return self._say("terminal.shown", panel=name)
        return self._say("terminal.shown.team", panel=name)

    def _status(self) -> Text:
        status = Text(" · ").join(self._status_parts())
        room = self.size.width - len(status) - 1
        address = self._options.address
        return status.append(address.rjust(room + 1)) if len(address) <= room else status

    def _status_parts(self) -> list[Text]:
        """The parts of the status line."""
        playing, seconds = self._playing, int(time.monotonic() - self._started)
        shown = self._whose(self._panel_name)
        if not self._table.panels[self._panel_name].is_plugged:
            shown += f" ({self._say('terminal.unplugged')})"
        parts = [Text(f"{seconds // 60}:{seconds % 60:02}"), Text(shown)]
        if playing.is_powered_off:
            return [*parts, Text(self._say("terminal.dark"))]
        colours = self._table.report.state.get("lamps") or {}
        for name, lamp in self._table.report.lamps.items():
            shade = COLOURS[colours[name]] if name in colours and lamp == "on" else None
            style = "rgb({},{},{})".format(*shade) if shade else ""
            parts.append(Text(f"{name} ").append("●" if lamp == "on" else "○", style))
        sounds = playing.clock() - playing.sound_at < SOUND_SHOWN and playing.last_sound
        newest = playing.activity.verdict
        verdict = self._say(f"terminal.{newest}") if newest else ""
        if told := f"{verdict} {'♪' if sounds else ''}".strip():
            parts.append(Text(told))
        return parts

    def _legend(self, columns: int) -> list[str]:
        rules = rules_of(self._table.report.state)
        lines: list[str] = []
        for console, entries in legend_of(self._keys, rules, self._say).items():
            lines += legend_lines(console, entries, columns)
        functions = ["terminal.panel"] if len(self._names) > 1 else []
        functions += ["terminal.cut", "terminal.help", "terminal.quit"]
        shared = f"{lines.pop()}   {self._say('terminal.keys')}"
        lines += textwrap.wrap(shared, columns, subsequent_indent=INDENT, drop_whitespace=True)
        room = columns - len(INDENT)
        return [*lines, *(INDENT + line for line in caption_lines(map(self._say, functions), room))]

    def _help(self, columns: int) -> list[str]:
        say, options = self._say, self._options
        functions = ("terminal.panel", "terminal.unplug", "terminal.cut", "terminal.quit")
        words = {key: say(f"label.{key}") for key in ("truco", "quiero", "tantos")}
        kept = "terminal.help.kept" if options.store else "terminal.help.gone"
        paragraphs = [
            say("terminal.help.keys"),
            say("terminal.help.hand", **words),
            " · ".join(map(say, functions)),
            say(kept, folder=options.store),
            say("terminal.help.page", address=options.address) if options.address else "",
            say("terminal.help.close"),
        ]
        wrapped = (textwrap.wrap(text, min(columns, HELP_COLUMNS)) for text in paragraphs if text)
        return [line for lines in wrapped for line in ("", *lines)][1:]
