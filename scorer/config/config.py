"""A complete and valid configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from scorer.config.pin_claims import Claim
from scorer.config.schema import (
    BackupSection,
    ConsolesSection,
    PanelConfig,
    SoundSection,
    TableSection,
    WebSection,
)
from scorer.config.toml_reader import Values
from scorer.config.wiring import Wiring, box_consoles, console_lines, wired_claims, wired_pins
from scorer.rules import Header
from scorer.session.values.settings import Settings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from scorer.config.hub_section import HubSection
    from scorer.config.input_boxes import BoxConfig
    from scorer.config.link_section import LinkSection
    from scorer.config.printer import PrinterSection
    from scorer.config.team_light import TeamLightConfig
    from scorer.config.voice_section import VoiceSection
    from scorer.hw.boards.scoreboard import Options as ScoreboardChoice


class Config(NamedTuple):
    """A complete and valid configuration."""

    header: Header  # of the first game of a new store
    table: TableSection
    consoles: ConsolesSection
    panels: tuple[PanelConfig, ...]
    lamps: Mapping[str, int]
    sound: SoundSection
    settings: Settings
    store: Path
    socket: Path
    web: WebSection
    backup: BackupSection
    printer: PrinterSection | None = None  # None without such a section
    link: LinkSection | None = None  # the same
    hub: HubSection | None = None  # the same
    voice: VoiceSection | None = None  # the same
    boxes: tuple[BoxConfig, ...] = ()
    scoreboards: tuple[ScoreboardChoice, ...] = ()
    team_light: TeamLightConfig | None = None  # None without such a section
    console_options: Values = MappingProxyType(
        {}
    )  # options of the driver of [consoles], which defines them
    sections: Mapping[str, DataclassInstance] = MappingProxyType({})  # all, by name

    @property
    def pins(self) -> dict[str, int]:
        """Pins of the buttons of [consoles]."""
        return wired_pins(self.table, self.consoles, box_consoles(self.boxes))

    @property
    def claims(self) -> list[Claim]:
        """Every wire on the header."""
        wiring = Wiring(
            panels=self.panels,
            boxes=self.boxes,
            lamps=self.lamps,
            buzzer=self.sound.pin,
            scoreboards=self.scoreboards,
            printer="" if self.printer is None else self.printer.device,
            console_port=str(self.console_options.get("port", "")),
            team_light=self.team_light,
        )
        return wired_claims(self.table, self.consoles, wiring)

    @property
    def console_values(self) -> Values:
        """Options of the driver of [consoles]."""
        lines = console_lines(self.table, self.consoles, box_consoles(self.boxes))
        return {**self.console_options, "lines": lines}
