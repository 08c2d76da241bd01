"""Wires of the configured devices on the header of the Pi."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from scorer.config.pin_claims import (
    Claim,
    board_claims,
    button_claims,
    output_claims,
    panel_claims,
    serial_claims,
)
from scorer.config.pin_map import pins_for
from scorer.config.schema import ConsolesSection, PanelConfig, TableSection
from scorer.hw import load
from scorer.hw.options import OptionsError
from scorer.session.values.settings import Layout

if TYPE_CHECKING:
    from scorer.config.input_boxes import BoxConfig
    from scorer.config.team_light import TeamLightConfig
    from scorer.hw.boards.scoreboard import Options as ScoreboardChoice
    from scorer.hw.displays.luma_oled import Options as PanelOptions

NO_PINS = "none"  # instead of a driver: every console is plugged in
DEFAULT_PANEL_DRIVER = "luma_oled"
SIDES = ("A", "B", "C")


class Wiring(NamedTuple):
    """What the sections beside [consoles] put on the header."""

    panels: Sequence[PanelConfig]
    boxes: Sequence[BoxConfig]
    lamps: Mapping[str, int]
    buzzer: int
    scoreboards: Sequence[ScoreboardChoice]
    printer: str  # its device
    console_port: str  # of the driver of [consoles]
    team_light: TeamLightConfig | None


def box_consoles(boxes: tuple[BoxConfig, ...]) -> str:
    """The letters of the consoles that are boxes."""
    return "".join(box.consoles for box in boxes)


def wired_pins(table: TableSection, consoles: ConsolesSection, plugged: str) -> dict[str, int]:
    """Pins of the buttons of [consoles]; ``plugged`` consoles are boxes, without pins."""
    if consoles.driver == NO_PINS or not takes_pins(consoles.driver):
        return {}
    own = pins_for(Layout(table.layout), consoles.count, plugged)
    moved = {line: pin for line, pin in consoles.lines.items() if line[:1] not in plugged}
    return {**own, **moved}


def takes_pins(driver: str) -> bool:
    """False for an unknown driver too, which is reported elsewhere."""
    try:
        return load.takes_pins(driver)
    except OptionsError:
        return False


def console_lines(
    table: TableSection, consoles: ConsolesSection, plugged: str
) -> Mapping[str, int] | tuple[str, ...]:
    """The buttons of [consoles] in the form of its driver."""
    if takes_pins(consoles.driver):
        return wired_pins(table, consoles, plugged)
    # Imported lazily: the consoles of most tables are on pins.
    from scorer.config.input_boxes import order_buttons

    own = "".join(side for side in SIDES[: consoles.count] if side not in plugged)
    return order_buttons(own, Layout(table.layout), consoles.count)


def wired_claims(table: TableSection, consoles: ConsolesSection, wiring: Wiring) -> list[Claim]:
    """Every wire on the header."""
    boxed = box_consoles(tuple(wiring.boxes))
    ports: dict[tuple[str, ...], str] = {
        ("consoles", "port"): wiring.console_port,
        ("printer", "device"): wiring.printer,
    }
    known = pins_for(Layout(table.layout), consoles.count)
    wired = wired_pins(table, consoles, boxed)
    buttons = button_claims({b: pin for b, pin in wired.items() if b in known}, consoles.lines)
    for at, box in enumerate(wiring.boxes):
        ports["box", str(at), "port"] = box.port
        if takes_pins(box.driver):
            pins = box.pins(Layout(table.layout), consoles.count)
            buttons += button_claims(pins, in_box=str(at))
    for at, board in enumerate(wiring.scoreboards):
        ports["scoreboard", str(at), "port"] = board.port
    panels = [
        (str(at), options, tuple(panel.options))
        for at, panel in enumerate(wiring.panels)
        if (options := _luma_options(panel)) is not None
    ]
    outputs = output_claims(wiring.lamps, wiring.buzzer)
    return [
        *board_claims(),
        *buttons,
        *serial_claims(ports),
        *panel_claims(panels),
        *outputs,
        *(() if wiring.team_light is None else wiring.team_light.claims),
    ]


def _luma_options(panel: PanelConfig) -> PanelOptions | None:
    """The options of a panel on a bus; None for another panel, or an invalid one."""
    if panel.driver != DEFAULT_PANEL_DRIVER:
        return None
    try:
        return cast("PanelOptions", load.options("displays", panel.driver, panel.options))
    except OptionsError:
        return None  # reported elsewhere
