"""The table of the sections of a configuration, and a complete and valid one.

A section is a row of ``SECTIONS`` and a field of ``Config``, whose default holds without it.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scorer.config.pin_claims import (
    Claim,
    board_claims,
    button_claims,
    device_claims,
    output_claims,
    serial_claims,
)
from scorer.config.pin_map import LAMPS, pins_for
from scorer.config.schema import (
    SIDES,
    BackupSection,
    CheckedSound,
    CheckedTable,
    LampsSection,
    PanelConfig,
    SocketSection,
    StoreSection,
    WebSection,
)
from scorer.config.toml_reader import Values
from scorer.hw import load
from scorer.hw.ports import Wire
from scorer.plain_values import NO_TABLE, ValueProblem, WrongValues
from scorer.plain_values import Path as ValuePath
from scorer.plain_values import secrets_in as find_secrets
from scorer.plain_values import without_secrets as remove_secrets
from scorer.rules import Header
from scorer.session.values.settings import (
    ConsolesSection,
    GuardsSection,
    LightSection,
    SoundSection,
    TableSection,
)

if TYPE_CHECKING:
    from scorer.config.battery_section import BatterySection
    from scorer.config.button_lights import ButtonLightsConfig
    from scorer.config.hook_section import HookSection
    from scorer.config.hub_section import HubSection
    from scorer.config.input_boxes import BoxConfig
    from scorer.config.link_section import LinkSection
    from scorer.config.owner_section import OwnerSection
    from scorer.config.printer import PrinterSection
    from scorer.config.team_light import TeamLightConfig
    from scorer.config.voice_section import VoiceSection
    from scorer.config.word_display import WordDisplayConfig
    from scorer.hw.boards import scoreboard

NO_PINS = "none"  # instead of a driver: every console is plugged in
MAX_PANELS = 3


class Section(NamedTuple):
    """A section of the file.

    ``kind``: its record, or module and name of one that is imported with the first file that has
    it, because most tables do not. ``field``: of ``Config``, "" if it has none. ``is_list``: it is
    written under a heading per device. ``is_of_table``: the table reads it; a mistake in another
    one does not concern it.
    """

    name: str
    field: str
    kind: type | str
    is_list: bool = False
    is_of_table: bool = True

    @property
    def record(self) -> type[Any]:
        """The record of the section."""
        if isinstance(self.kind, type):
            return self.kind
        module, _, name = self.kind.partition(":")
        return cast("type[Any]", getattr(importlib.import_module(module), name))


SECTIONS: Mapping[str, Section] = {
    row.name: row
    for row in (
        Section("table", "table", CheckedTable),
        Section("consoles", "consoles", ConsolesSection),
        Section("guards", "guards", GuardsSection),
        Section("light", "light", LightSection),
        Section("sound", "sound", CheckedSound),
        Section("store", "store", StoreSection),
        Section("socket", "socket", SocketSection),
        Section("web", "web", WebSection),
        Section("backup", "backup", BackupSection),
        Section("wifi", "", "scorer.config.wifi_section:WifiNetwork", is_of_table=False),
        Section("link", "link", "scorer.config.link_section:LinkSection", is_of_table=False),
        Section("hub", "hub", "scorer.config.hub_section:HubSection", is_of_table=False),
        Section(
            "hook",
            "hooks",
            "scorer.config.hook_section:HookSection",
            is_list=True,
            is_of_table=False,
        ),
        Section("owner", "owner", "scorer.config.owner_section:OwnerSection"),
        Section("printer", "printer", "scorer.config.printer:PrinterSection"),
        Section("voice", "voice", "scorer.config.voice_section:VoiceSection"),
        Section("battery", "battery", "scorer.config.battery_section:BatterySection"),
        Section("lamps", "lamps", LampsSection),
        Section("panel", "panels", PanelConfig, is_list=True),
        Section("box", "boxes", "scorer.config.input_boxes:BoxConfig", is_list=True),
        Section("scoreboard", "scoreboards", "scorer.hw.boards.scoreboard:Options", is_list=True),
        Section("team_light", "team_light", "scorer.config.team_light:TeamLightConfig"),
        Section(
            "button_lights",
            "button_lights",
            "scorer.config.button_lights:ButtonLightsConfig",
            is_list=True,
        ),
        Section("word_display", "word_display", "scorer.config.word_display:WordDisplayConfig"),
    )
}


class Config(NamedTuple):
    """A complete and valid configuration; None: without such a section."""

    header: Header  # of the first game of a new store
    table: TableSection = TableSection()
    consoles: ConsolesSection = ConsolesSection()
    guards: GuardsSection = GuardsSection()
    light: LightSection = LightSection()
    sound: SoundSection = SoundSection()
    store: StoreSection = StoreSection()
    socket: SocketSection = SocketSection()
    web: WebSection = WebSection()
    backup: BackupSection = BackupSection()
    link: LinkSection | None = None
    hooks: tuple[HookSection, ...] = ()
    hub: HubSection | None = None
    owner: OwnerSection | None = None
    printer: PrinterSection | None = None
    voice: VoiceSection | None = None
    battery: BatterySection | None = None
    lamps: LampsSection = LampsSection(**LAMPS)
    panels: tuple[PanelConfig, ...] = (
        PanelConfig(options={"address": 0x3C}),
        PanelConfig(options={"address": 0x3D}, side="B"),
    )
    boxes: tuple[BoxConfig, ...] = ()
    scoreboards: tuple[scoreboard.Options, ...] = ()
    team_light: TeamLightConfig | None = None
    button_lights: tuple[ButtonLightsConfig, ...] = ()
    word_display: WordDisplayConfig | None = None

    @property
    def owner_code(self) -> str:
        """The code of the owner; "" without one."""
        return "" if self.owner is None else self.owner.code

    @property
    def store_folder(self) -> Path:
        """The folder of the journal."""
        return Path(self.store.directory)

    @property
    def socket_path(self) -> Path:
        """The path of the API socket."""
        return Path(self.socket.path)

    @property
    def plugged(self) -> str:
        """The letters of the consoles that are boxes."""
        return "".join(box.consoles for box in self.boxes)

    @property
    def known_buttons(self) -> dict[str, int]:
        """The buttons of this layout and number of consoles, with their usual pins."""
        return pins_for(self.table.layout, self.consoles.count)

    @property
    def pins(self) -> dict[str, int]:
        """Pins of the buttons of [consoles]; plugged consoles have none."""
        if not takes_pins(self.consoles.driver):
            return {}
        own = pins_for(self.table.layout, self.consoles.count, self.plugged)
        lines = self.consoles.lines.items()
        return {**own, **{line: pin for line, pin in lines if line[:1] not in self.plugged}}

    @property
    def console_values(self) -> Mapping[str, object]:
        """Options of the driver of [consoles], with its buttons in its form."""
        lines: object = self.pins
        if not takes_pins(self.consoles.driver):
            # Imported lazily: the consoles of most tables are on pins.
            from scorer.config.input_boxes import order_buttons

            own = "".join(s for s in SIDES[: self.consoles.count] if s not in self.plugged)
            lines = order_buttons(own, self.table.layout, self.consoles.count)
        return {**self.consoles.options, "lines": lines}

    @property
    def serial_ports(self) -> dict[tuple[str, ...], str]:
        """The device of each serial port, by its key; "" where there is none."""
        return {
            ("consoles", "port"): str(self.consoles.options.get("port", "")),
            ("printer", "device"): "" if self.printer is None else self.printer.device,
            **{("box", str(at), "port"): box.port for at, box in enumerate(self.boxes)},
            **{("scoreboard", str(at), "port"): b.port for at, b in enumerate(self.scoreboards)},
        }

    @property
    def claims(self) -> list[Claim]:
        """Every wire on the header."""
        known = self.known_buttons
        wired = {button: pin for button, pin in self.pins.items() if button in known}
        buttons = button_claims(wired, self.consoles.lines)
        for at, box in enumerate(self.boxes):
            if takes_pins(box.driver):
                pins = box.pins(self.table.layout, self.consoles.count)
                buttons += button_claims(pins, in_box=str(at))
        devices: list[tuple[tuple[str, ...], Iterable[Wire], Collection[str]]] = [
            (("panel", str(at)), load.wires("displays", each.driver, each.options), each.options)
            for at, each in enumerate(self.panels)
        ]
        devices += [
            (("button_lights", str(at)), each.wires, each.options)
            for at, each in enumerate(self.button_lights)
        ]
        if (words := self.word_display) is not None:
            devices.append((("word_display",), words.wires, words.options))
        return [
            *board_claims(),
            *buttons,
            *serial_claims(self.serial_ports),
            *device_claims(devices),
            *output_claims(self.lamps.pins, self.sound.pin),
            *(() if self.team_light is None else self.team_light.claims),
        ]


def without_secrets(values: Values) -> dict[str, Any]:
    """The values of a file that may be stored."""
    return {name: remove_secrets(_kind_of(name), written) for name, written in values.items()}


def secrets_in(values: Values) -> dict[ValuePath, Any]:
    """The values of a file that may not be stored."""
    return {
        (name, *path): value
        for name, written in values.items()
        for path, value in find_secrets(_kind_of(name), written).items()
    }


def _kind_of(name: str) -> Any:  # noqa: ANN401
    """The type of a section; of one that nothing reads, that of any value."""
    section = SECTIONS.get(name)
    if section is None:
        return object
    return GenericAlias(tuple, (section.record, ...)) if section.is_list else section.record


def sentence_of(problem: ValueProblem) -> str:
    """The sentence about a value of the file; a section is written as such."""
    if problem.sentence.startswith(NO_TABLE):
        return f"is a section, write it as [{'.'.join(problem.path)}]"
    return problem.sentence


def takes_pins(driver: str) -> bool:
    """Whether the buttons of a driver are on pins; False for an unknown one."""
    try:
        return driver != NO_PINS and load.takes_pins(driver)
    except WrongValues:
        return False
