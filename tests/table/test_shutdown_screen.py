"""At shutdown the store is closed, the lamps are dark, and the panel stays on."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer.api.marks import Mark
from scorer.display.oled.shutdown import draw_safe_to_unplug
from scorer.hw import load
from scorer.hw.displays.fake_bus import Fault
from scorer.hw.outputs.memory import MemoryBuzzer, MemoryLamp
from scorer.i18n import languages, translator
from scorer.rules import Action, Side, Step
from scorer.session.play.external_steps import enter_step
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Notice
from scorer.store.journal import Journal
from scorer.system.sd_notify import Notifier
from scorer.table import service
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import InputSupervisor, Loop
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, PanelWorker, Renderer, SyncRenderer
from scorer.table.shutdown_screen import show_safe_to_unplug
from scorer.table.startup import StartupOptions, start_table
from scorer.table.table import Table
from tests.support.memory_display import MemoryDisplay
from tests.support.memory_display import Options as PanelOptions
from tests.support.scripted_input import Options, ScriptedInput

SIZES = ((128, 64), (128, 32))


def worker_of(panels: list[Panel]) -> PanelWorker:
    made = PanelWorker(panels, lambda: 0.0)
    made.start()
    return made


@pytest.mark.parametrize("drawn_by", [worker_of, SyncRenderer])
def test_the_picture_stays_when_everything_is_closed(
    drawn_by: Callable[[list[Panel]], Renderer],
) -> None:
    displays = [MemoryDisplay(PanelOptions()), MemoryDisplay(PanelOptions((128, 32)))]
    panels = [Panel(str(at), display) for at, display in enumerate(displays)]
    lamp, buzzer, drawing = MemoryLamp(), MemoryBuzzer(), drawn_by(panels)
    lamp.open()
    buzzer.open()
    lamp.set(True)
    show_safe_to_unplug(
        Devices(ScriptedInput(Options(())), panels, drawing, {"A": lamp}, buzzer), "pt-BR", 1.0
    )
    drawing.close()
    for display in displays:
        wanted = draw_safe_to_unplug("pt-BR", display.size).image
        assert display.picture().tobytes() == wanted.tobytes()
    assert not lamp.on


def test_lost_devices_do_not_prevent_the_shutdown() -> None:
    absent, here = MemoryDisplay(PanelOptions()), MemoryDisplay(PanelOptions())
    absent.set_fault(Fault.ABSENT)
    panels = [Panel("absent", absent), Panel("here", here)]
    closed = MemoryLamp()  # never opened: it fails
    drawing = worker_of(panels)
    devices = Devices(ScriptedInput(Options(())), panels, drawing, {"A": closed}, MemoryBuzzer())
    show_safe_to_unplug(devices, "es-AR", 1.0)
    assert here.picture().tobytes() == draw_safe_to_unplug("es-AR", here.size).image.tobytes()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_it_says_that_the_plug_may_be_pulled(language: str, size: tuple[int, int]) -> None:
    canvas = draw_safe_to_unplug(language, size)
    assert canvas.overflow == []
    assert canvas.texts[-1] == translator(language)("farewell.unplug")
    assert canvas.image.size == size


def test_no_large_field_is_lit_for_days() -> None:
    """A title in inverse alone would light more."""
    lit = sum(draw_safe_to_unplug("es-AR", (128, 64)).image.convert("L").point(bool).tobytes())
    assert 0 < lit < 128 * 64 / 6


# ---- the service --------------------------------------------------------------------------------


class Watched:
    """The displays and tables that a service makes."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.displays: list[MemoryDisplay] = []
        self.tables: list[Table] = []
        self.beginnings: list[StartupOptions] = []
        self.left = False  # goodbye was said, with a store that takes nothing any more

        def display(driver: str, values: load.Values, **seams: object) -> MemoryDisplay:
            self.displays.append(MemoryDisplay(PanelOptions()))
            return self.displays[-1]

        def begin(journal: Any, devices: Devices, beginning: StartupOptions) -> Any:  # noqa: ANN401
            table = start_table(journal, devices, beginning)
            assert not table.has_failed
            self.tables.append(table)
            self.beginnings.append(beginning)
            return table

        def goodbye(devices: Devices, language: str, now: float) -> None:
            step, table = Step(Side.A, Action.TRUCO), self.tables[-1]
            with pytest.raises(ValueError, match="the journal is closed"):
                table.commit(enter_step(table.session, step, now), "test", now)
            self.left = True
            show_safe_to_unplug(devices, language, now)

        patch.setattr(service, "show_safe_to_unplug", goodbye)
        patch.setattr(load, "display", display)
        patch.setattr(service, "start_table", begin)

    @property
    def panel(self) -> MemoryDisplay:
        """The display in use; another one was created to read its size."""
        return self.displays[-1]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    from gpiozero import Device

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'none'}")
    return Watched(monkeypatch)


def _served(tmp_path: Path, *orders: LoopCommand) -> Path:
    file = tmp_path / "scorer.toml"
    file.write_text(
        '[table]\nlanguage = "pt-BR"\nlayout = "compact"\nvariant = "paulista"\n'
        f'[store]\ndirectory = "{tmp_path / "store"}"\n'
        f'[socket]\npath = "{tmp_path / "table.sock"}"\n'
        '[[panel]]\nside = "B"\n'
    )
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for order in orders:
        inbox.put(order)
    service.serve(file, None, inbox)
    return tmp_path / "store"


def test_a_machine_that_goes_down_finds_the_store_closed(tmp_path: Path, watched: Watched) -> None:
    store = _served(tmp_path, LoopCommand.SHUTTING_DOWN)
    panel = watched.panel
    assert panel.picture().tobytes() == draw_safe_to_unplug("pt-BR", panel.size).image.tobytes()
    assert watched.left
    with Journal.open(store) as journal:
        assert (journal.newest_game(), journal.last_seq()) == (1, 0)


def test_a_service_that_is_stopped_leaves_its_panel_dark(tmp_path: Path, watched: Watched) -> None:
    _served(tmp_path, LoopCommand.STOP)
    assert watched.panel.picture().getbbox() is None


def test_safe_mode_is_a_new_table_with_the_settings_of_a_new_box(
    tmp_path: Path, watched: Watched
) -> None:
    _served(tmp_path, LoopCommand.SAFE_MODE, LoopCommand.STOP)
    usual, safe = watched.beginnings
    of_owner, of_new_box = usual.applied.settings.table, safe.applied.settings.table
    assert (of_owner.language, of_owner.layout) == ("pt-BR", Layout.COMPACT)
    assert (of_new_box.language, of_new_box.layout) == ("es-AR", Layout.FULL)
    first, second = watched.tables
    assert second.session.game == first.session.game, "the game goes on"
    assert (first.marks.words(), Mark.SAFE in second.marks) == ([], True)
    assert safe.observer is usual.observer, "whoever listens stays connected"


# ---- the loop -----------------------------------------------------------------------------------


class FakeMachine:
    """A machine with settable power states."""

    def __init__(self) -> None:
        self.low = False
        self.said: list[str] = []

    def has_undervoltage(self, now: float) -> bool:
        return self.low

    def on_table_ready(self) -> None:
        self.said.append("ready")

    def switch_off(self) -> None:
        self.said.append("switch off")


def _turned(
    tmp_path: Path, watched: Watched, machine: FakeMachine, *orders: LoopCommand, pace: int = 1
) -> Table:
    """A table whose loop has processed ``orders``.

    Time advances by ``pace`` seconds with each reading of the clock.
    """
    _served(tmp_path, LoopCommand.STOP)
    beginning = watched.beginnings[0]._replace(observer=None)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for order in (*orders, LoopCommand.STOP):
        inbox.put(order)
    inputs, panels = ScriptedInput(Options(("undo",))), [Panel("A", MemoryDisplay(PanelOptions()))]
    buttons = InputSupervisor(inputs, inbox)
    buttons.ensure_open()
    with Journal.open(tmp_path / "store") as journal:
        devices = Devices(inputs, panels, SyncRenderer(panels), {}, MemoryBuzzer())
        table = start_table(journal, devices, beginning)
        assert not table.has_failed
        clock = iter(range(10**6, 10**7, pace))
        notifier = Notifier({})
        now = lambda: float(next(clock))  # noqa: E731
        loop = Loop(table, inputs=buttons, inbox=inbox, notifier=notifier, power=machine, now=now)
        assert loop.run() is LoopCommand.STOP
    return table


def test_switching_off_is_passed_on_and_a_refusal_is_shown(
    tmp_path: Path, watched: Watched
) -> None:
    machine = FakeMachine()
    orders = (LoopCommand.SWITCH_OFF, LoopCommand.POWEROFF_DENIED)
    table = _turned(tmp_path, watched, machine, *orders)
    assert machine.said == ["ready", "switch off"]
    assert table.view.notice == Notice(NoticeKey.STAYS_ON, urgent=True)


@pytest.mark.parametrize("low", [True, False])
def test_a_weak_supply_is_marked_at_the_next_tick(
    tmp_path: Path, watched: Watched, low: bool
) -> None:
    machine = FakeMachine()
    machine.low = low
    table = _turned(tmp_path, watched, machine, LoopCommand.SWITCH_OFF, pace=10)
    assert ("power" in table.view.marks) is low
