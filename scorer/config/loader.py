"""Parse the owner's file to frozen values; report every error with its line.

It checks text only; a driver checks its own options (``hw.load``), a variant its own (``rules``).
Unknown keys are errors: an ignored setting would be discovered only in use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scorer.config.config import Config
from scorer.config.pin_claims import Claim, find_conflicts
from scorer.config.pin_map import pins_for
from scorer.config.schema import (
    BackupSection,
    ConsolesSection,
    GuardsSection,
    LightSection,
    PanelConfig,
    SocketSection,
    SoundSection,
    StoreSection,
    TableSection,
    WebSection,
)
from scorer.config.toml_reader import ConfigError, KeyLines, Problem, Values, parse_toml
from scorer.config.wiring import (
    DEFAULT_PANEL_DRIVER,
    NO_PINS,
    SIDES,
    Wiring,
    box_consoles,
    console_lines,
    takes_pins,
    wired_claims,
)
from scorer.hw import load
from scorer.hw.options import OptionsError, build, did_you_mean
from scorer.rules import Header, RulesError, SheetError, header_of, rules_for
from scorer.rules.notation import one_line
from scorer.rules.options import value_text
from scorer.rules.registry import find_variant
from scorer.session.values.settings import Brightness, LampColour, Layout, Settings, parse_hours

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from scorer.config.hub_section import HubSection
    from scorer.config.input_boxes import BoxConfig
    from scorer.config.link_section import LinkSection
    from scorer.config.printer import PrinterSection
    from scorer.config.team_light import TeamLightConfig
    from scorer.config.voice_section import VoiceSection
    from scorer.hw.boards.scoreboard import Options as ScoreboardChoice


Section = TypeVar(
    "Section",
    TableSection,
    ConsolesSection,
    GuardsSection,
    LightSection,
    SoundSection,
    StoreSection,
    SocketSection,
    WebSection,
    BackupSection,
    "PrinterSection",
    "HubSection",
    "VoiceSection",
)


DEFAULT_PANELS: tuple[Values, ...] = ({"address": 0x3C}, {"address": 0x3D, "side": "B"})
DEFAULT_LAMPS = {"A": 18, "B": 9}
MAX_PANELS = 3
FEWEST_COLUMNS = 96  # keys of a panel

_CONSOLE_KEYS = tuple(field.name for field in fields(ConsolesSection))
SECTIONS = (
    "table",
    "consoles",
    "guards",
    "light",
    "sound",
    "store",
    "socket",
    "web",
    "backup",
    "wifi",
    "link",
    "hub",
    "printer",
    "voice",
    "box",
    "scoreboard",
    "panel",
    "lamps",
    "team_light",
)


def parse_config(text: str) -> Config:
    """Parse the configuration in ``text``. Raises ConfigError with every problem."""
    return validate(parse_toml(text), KeyLines(text))


def default_config() -> Config:
    """The configuration without any settings."""
    return parse_config("")


def validate(values: Values, lines: KeyLines) -> Config:
    """Validate these values; ``lines`` has the line of each.

    Raises ConfigError with every problem, and no other error: a check that fails is a problem of
    its section, because a table without a configuration does not start.
    """
    checking = _Validator(values, lines)
    try:
        config = checking.config()
    except Exception as error:  # from any check, whatever the values are
        raise ConfigError(_failed_checks(values, lines, error)) from error
    if checking.problems or config is None:
        raise ConfigError(checking.problems)
    return config


def _failed_checks(values: Values, lines: KeyLines, error: Exception) -> list[Problem]:
    """The sections whose checks raise an error, each checked alone.

    Values and the text of the error are not quoted: they may have a password.
    """
    failed = []
    for name, section in values.items():
        try:
            _Validator({name: section}, lines).config()
        except Exception:  # as above
            failed.append(name)
    sentence = f"cannot be read ({type(error).__name__}); write it as in the example"
    return [Problem(lines.line_of(name), one_line(f"{name}: {sentence}")) for name in failed] or [
        Problem(0, f"the sections together: {sentence}")
    ]


class _Validator:
    """One pass over the values that collects problems."""

    def __init__(self, values: Values, lines: KeyLines) -> None:
        self._values, self._lines = values, lines
        self.problems: list[Problem] = []

    def config(self) -> Config | None:
        self._check_sections()
        self._check_wifi()
        table = self._parse_section("table", TableSection)
        consoles = self._parse_section("consoles", ConsolesSection)
        guards = self._parse_section("guards", GuardsSection)
        light = self._parse_section("light", LightSection)
        sound = self._parse_section("sound", SoundSection)
        store = self._parse_section("store", StoreSection)
        socket = self._parse_section("socket", SocketSection)
        web = self._parse_section("web", WebSection)
        backup = self._parse_section("backup", BackupSection)
        printer, link, hub = self._parse_printer(), self._parse_link(), self._parse_hub()
        voice = self._parse_voice()
        panels, lamps = self._parse_panels(), self._parse_lamps()
        team_light = self._parse_team_light()
        boxes = self._parse_boxes((consoles or ConsolesSection()).count)
        self._check_buttons(table or TableSection(), consoles or ConsolesSection(), boxes)
        taken = self._check_console_driver(
            table or TableSection(), consoles or ConsolesSection(), boxes
        )
        scoreboards = self._parse_scoreboards({*taken, *(box.port for box in boxes)})
        for problem in load.problems("outputs", "buzzer", {"pin": (sound or SoundSection()).pin}):
            self._add_problem(f"sound.{problem}", "sound", "pin")
        wiring = Wiring(
            panels=panels,
            boxes=boxes,
            lamps={s: pin for s, pin in lamps.items() if s in SIDES and type(pin) is int},
            buzzer=(sound or SoundSection()).pin,
            scoreboards=scoreboards,
            printer="" if printer is None else printer.device,
            console_port=str(self._console_options().get("port", "")),
            team_light=team_light,
        )
        self._check_shared_pins(table or TableSection(), consoles or ConsolesSection(), wiring)
        header = self._build_header(table or TableSection())
        if not (table and consoles and guards and light and sound):
            return None
        if not (store and socket and web and backup and header):
            return None
        settings = _build_settings(table, guards, light, sound)._replace(
            consoles=consoles.count,
            debounce_s=consoles.debounce,
            release_s=consoles.release,
            hold_s=consoles.hold,
            chord_s=consoles.chord,
            has_printer=printer is not None and printer.is_enabled,
        )
        sections: dict[str, DataclassInstance] = {
            "table": table,
            "consoles": consoles,
            "guards": guards,
            "light": light,
            "sound": sound,
            "store": store,
            "socket": socket,
            "web": web,
            "backup": backup,
        }
        if printer is not None:
            sections["printer"] = printer
        if link is not None:
            sections |= {"link": link, "link.mqtt": link.mqtt}
        if hub is not None:
            sections["hub"] = hub
        if voice is not None:
            sections["voice"] = voice
        return Config(
            header=header,
            table=table,
            consoles=consoles,
            panels=panels,
            lamps=lamps,
            sound=sound,
            settings=settings,
            store=Path(store.directory),
            socket=Path(socket.path),
            web=web,
            backup=backup,
            printer=printer,
            link=link,
            hub=hub,
            voice=voice,
            boxes=boxes,
            scoreboards=scoreboards,
            team_light=team_light,
            console_options=self._console_options(),
            sections=sections,
        )

    def _add_problem(self, sentence: str, *path: str) -> None:
        self.problems.append(Problem(self._lines.line_of(*path), one_line(sentence)))

    def _check_sections(self) -> None:
        for name in self._values:
            if name not in SECTIONS:
                self._add_problem(f"{name}: no such section, {did_you_mean(name, SECTIONS)}", name)

    def _check_wifi(self) -> None:
        """Check [wifi] with the rest, so that one check reports everything."""
        if "wifi" not in self._values:
            return
        # Imported lazily: tables without the section start faster.
        from scorer.config.wifi_section import find_problems

        for key, sentence in find_problems(self._values["wifi"]):
            place = ("wifi", key) if key else ("wifi",)
            self._add_problem(f"{'.'.join(place)}: {sentence}", *place)

    def _parse_section(self, name: str, kind: type[Section]) -> Section | None:
        values = self._values.get(name, {})
        if not isinstance(values, dict):
            self._add_problem(f"{name}: is a section, write it as [{name}]", name)
            return None
        plain = {key: value for key, value in values.items() if (name, key) != ("table", "house")}
        if name == "consoles":
            plain = {key: value for key, value in values.items() if key in _CONSOLE_KEYS}
        try:
            return build(kind, plain)
        except OptionsError as error:
            self._add_option_problems(error, name)
            return None

    def _parse_printer(self) -> PrinterSection | None:
        """Imported lazily: most tables have no printer."""
        if "printer" not in self._values:
            return None
        from scorer.config.printer import PrinterSection

        return self._parse_section("printer", PrinterSection)

    def _parse_link(self) -> LinkSection | None:
        """Imported lazily: most tables are in no hall."""
        if "link" not in self._values:
            return None
        from scorer.config.link_section import parse_link

        values = self._values["link"]
        if not isinstance(values, dict):
            self._add_problem("link: is a section, write it as [link]", "link")
            return None
        try:
            return parse_link(values)
        except OptionsError as error:
            for problem in error.problems:
                path = problem.partition(":")[0].split(".")
                self._add_problem(f"link.{problem}", "link", *path)
            return None

    def _parse_team_light(self) -> TeamLightConfig | None:
        """Imported lazily: most tables have no team light."""
        if "team_light" not in self._values:
            return None
        from scorer.config.team_light import parse_team_light

        values = self._values["team_light"]
        if not isinstance(values, dict):
            self._add_problem("team_light: is a section, write it as [team_light]", "team_light")
            return None
        return parse_team_light(
            values, lambda why, key: self._add_problem(f"team_light.{why}", "team_light", key)
        )

    def _parse_hub(self) -> HubSection | None:
        """Imported lazily: few boxes are a hub too."""
        if "hub" not in self._values:
            return None
        from scorer.config.hub_section import HubSection

        return self._parse_section("hub", HubSection)

    def _parse_voice(self) -> VoiceSection | None:
        """Imported lazily: most tables do not speak."""
        if "voice" not in self._values:
            return None
        from scorer.config.voice_section import VoiceSection

        return self._parse_section("voice", VoiceSection)

    def _parse_boxes(self, count: int) -> tuple[BoxConfig, ...]:
        """Parse the plugged consoles; most tables have none."""
        written = self._values.get("box", ())
        if not written:
            return ()
        if not isinstance(written, list) or not all(isinstance(box, dict) for box in written):
            self._add_problem("box: write each box under a heading of its own, [[box]]", "box")
            return ()
        from scorer.config.input_boxes import find_conflicts, parse_box

        boxes = [
            parse_box(values, partial(self._add_box_problem, at))
            for at, values in enumerate(written)
        ]
        sound = tuple(box for box in boxes if box is not None)
        # Numbers of boxes are those of the file: if one is invalid, none are compared.
        for at, key, sentence in find_conflicts(sound, count) if len(sound) == len(boxes) else ():
            self._add_box_problem(at, f"{key}: {sentence}", key)
        return sound

    def _parse_scoreboards(self, taken: set[str]) -> tuple[ScoreboardChoice, ...]:
        """Parse scoreboards on ports that are not ``taken``; most tables have none."""
        written = self._values.get("scoreboard", ())
        if not written:
            return ()
        if not isinstance(written, list) or not all(isinstance(one, dict) for one in written):
            sentence = "scoreboard: write each under a heading of its own, [[scoreboard]]"
            self._add_problem(sentence, "scoreboard")
            return ()
        from scorer.hw.boards.scoreboard import Options

        chosen = []
        for at, values in enumerate(written):
            try:
                one = build(Options, values)
            except OptionsError as error:
                self._add_option_problems(error, "scoreboard", str(at))
                continue
            if one.resource_id in taken:
                sentence = f"scoreboard.port: something else is on {one.resource_id} already"
                self._add_problem(sentence, "scoreboard", str(at), "port")
            taken.add(one.resource_id)
            chosen.append(one)
        return tuple(chosen)

    def _add_box_problem(self, at: int, sentence: str, *path: str) -> None:
        self._add_problem(f"box.{sentence}", "box", str(at), *path)

    def _add_option_problems(self, error: OptionsError, *path: str) -> None:
        for problem in error.problems:
            key = problem.partition(":")[0]
            self._add_problem(f"{path[0]}.{problem}", *path, key)

    def _build_header(self, table: TableSection) -> Header | None:
        written = self._values.get("table", {})
        # Check the variant even if something else in the section is wrong.
        wanted = written.get("variant") if isinstance(written, dict) else None
        house = written.get("house", {}) if isinstance(written, dict) else {}
        if not isinstance(house, dict):
            self._add_problem(
                "table.house: is a section, write it as [table.house]", "table", "house"
            )
            return None
        try:
            variant = find_variant(table.variant if wanted is None else str(wanted))
        except RulesError as error:
            self._add_problem(f"table.variant: {error}", "table", "variant")
            return None
        for key, value in house.items():
            self._check_option(variant.id, key, value)
        if self.problems:
            return None
        options = " ".join(f"{key}={value_text(value)}" for key, value in house.items())
        names = [(f"Name{s}", name) for s, name in zip("ABC", table.names, strict=False)]
        try:
            return header_of([("Variant", variant.id), ("Options", options), *names])
        except SheetError as error:
            self._add_problem(f"table: {error}", "table")
            return None

    def _check_option(self, variant: str, key: str, value: object) -> None:
        if not isinstance(value, str | int | bool):
            self._add_problem(f"table.house.{key}: wants one value", "table", "house", key)
            return
        try:
            rules_for(find_variant(variant), {key: value})
        except RulesError as error:
            where = f"scorer variants {variant} tells them all"
            self._add_problem(f"table.house: {error}; {where}", "table", "house", key)

    def _check_buttons(
        self, table: TableSection, consoles: ConsolesSection, boxes: tuple[BoxConfig, ...]
    ) -> None:
        """Check the driver and the pins of the buttons before they are opened."""
        every, plugged = pins_for(Layout(table.layout), consoles.count), box_consoles(boxes)
        for button in consoles.lines:
            if button not in every:
                hint = did_you_mean(button, every)
                self._add_problem(
                    f"consoles.lines: no button '{button}', {hint}", "consoles", "lines"
                )
            elif button[0] in plugged:
                sentence = f"consoles.lines: console {button[0]} is a box and hangs on no pins"
                self._add_problem(sentence, "consoles", "lines", button)
        missing = [side for side in SIDES[: consoles.count] if side not in plugged]
        if consoles.driver == NO_PINS and missing:
            sentence = f"consoles.driver: no pins, and no [[box]] for console {missing[0]}"
            self._add_problem(sentence, "consoles", "driver")

    def _check_console_driver(
        self, table: TableSection, consoles: ConsolesSection, boxes: tuple[BoxConfig, ...]
    ) -> tuple[str, ...]:
        """Check the driver of [consoles] and its options; return its device, if any."""
        options, driver = self._console_options(), consoles.driver
        if driver == NO_PINS:
            for key in options:
                hint = did_you_mean(key, _CONSOLE_KEYS)
                self._add_problem(f"consoles.{key}: no such key, {hint}", "consoles", key)
            return ()
        values = {**options, "lines": console_lines(table, consoles, box_consoles(boxes))}
        problems = load.problems("inputs", driver, values, _CONSOLE_KEYS)
        for problem in problems:
            self._add_console_problem(problem)
        if problems:
            return ()
        if consoles.lines and not takes_pins(driver):
            sentence = f"consoles.lines: moves buttons to other pins; '{driver}' has no pins"
            self._add_problem(sentence, "consoles", "lines")
        taken = load.resource_id("inputs", driver, values)
        for at, box in enumerate(boxes):
            if box.port == taken:
                self._add_box_problem(at, f"port: [consoles] is on {taken} already", "port")
        return (taken,)

    def _add_console_problem(self, problem: str) -> None:
        key = problem.partition(":")[0]
        if key.isidentifier() and key != "lines":
            self._add_problem(f"consoles.{problem}", "consoles", key)
            return
        name = re.match(r"lines\.(.+?): ", problem)
        path = ["lines", name[1]] if name else ["lines" if "lines" in problem else "driver"]
        self._add_problem(f"consoles: {problem}", "consoles", *path)

    def _console_options(self) -> Values:
        """The keys of [consoles] that belong to its driver."""
        values = self._values.get("consoles", {})
        if not isinstance(values, dict):
            return {}
        return {key: value for key, value in values.items() if key not in _CONSOLE_KEYS}

    def _check_shared_pins(
        self,
        table: TableSection,
        consoles: ConsolesSection,
        wiring: Wiring,
    ) -> None:
        """Report every pin that has two wires."""
        claims = wired_claims(table, consoles, wiring)
        for conflict in find_conflicts(claims, self._written_keys(claims)):
            self._add_problem(conflict.sentence, *conflict.claim.path)

    def _written_keys(self, claims: Iterable[Claim]) -> Iterator[tuple[str, ...]]:
        """The keys of these claims that are in the file."""
        for claim in claims:
            found: Any = self._values
            for key in claim.path:
                if isinstance(found, list | tuple):
                    found = {str(at): inner for at, inner in enumerate(found)}
                found = found.get(key) if isinstance(found, Mapping) else None
            if found is not None:
                yield claim.path

    def _parse_panels(self) -> tuple[PanelConfig, ...]:
        written = self._values.get("panel", DEFAULT_PANELS)
        if not isinstance(written, list | tuple) or not all(isinstance(p, dict) for p in written):
            self._add_problem(
                "panel: write each panel under a heading of its own, [[panel]]", "panel"
            )
            return ()
        if len(written) > MAX_PANELS:
            self._add_problem(f"panel: {MAX_PANELS} panels at most", "panel", str(MAX_PANELS))
        panels = tuple(self._parse_panel(str(at), values) for at, values in enumerate(written))
        self._check_shared_addresses(panels)
        return panels

    def _check_shared_addresses(self, panels: tuple[PanelConfig, ...]) -> None:
        taken: dict[str, int] = {}
        for at, panel in enumerate(panels):
            try:
                place = load.resource_id("displays", panel.driver, panel.options)
            except OptionsError:
                continue  # said already
            if place and place in taken:
                other = taken[place] + 1
                sentence = f"panel: panel {other} is on {place} too; give each panel its own place"
                self._add_problem(sentence, "panel", str(at), "address")
            taken.setdefault(place, at)

    def _parse_panel(self, at: str, values: Values) -> PanelConfig:
        own = {key: value for key, value in values.items() if key not in ("driver", "side")}
        driver, side = str(values.get("driver", DEFAULT_PANEL_DRIVER)), str(values.get("side", "A"))
        if side not in SIDES:
            self._add_problem(f"panel.side: one of A, B, C, not '{side}'", "panel", at, "side")
        # To list the drivers is to import them all: it is left out for the usual one.
        if driver != DEFAULT_PANEL_DRIVER and driver not in (drivers := load.drivers("displays")):
            hint = did_you_mean(driver, drivers)
            self._add_problem(f"panel.driver: no driver '{driver}', {hint}", "panel", at, "driver")
            return PanelConfig(driver, own, side)
        problems = load.problems("displays", driver, own, ("driver", "side"))
        for problem in problems:
            self._add_problem(f"panel.{problem}", "panel", at, problem.partition(":")[0])
        if not problems:
            self._wide_enough(at, load.display(driver, own).size[0])
        return PanelConfig(driver, own, side)

    def _wide_enough(self, at: str, columns: int) -> None:
        if columns < FEWEST_COLUMNS:
            sentence = (
                f"panel.size: the screens want {FEWEST_COLUMNS} columns or more, not {columns}"
            )
            self._add_problem(sentence, "panel", at, "size")

    def _parse_lamps(self) -> Mapping[str, int]:
        lamps = self._values.get("lamps", DEFAULT_LAMPS)
        if not isinstance(lamps, dict):
            self._add_problem("lamps: is a section, write it as [lamps]", "lamps")
            return {}
        for side, pin in lamps.items():
            if side not in SIDES:
                self._add_problem(f"lamps.{side}: a side is A, B or C", "lamps", side)
            elif type(pin) is not int:
                self._add_problem(f"lamps.{side}: wants the number of a pin", "lamps", side)
            else:
                for problem in load.problems("outputs", "lamp", {"pin": pin}):
                    self._add_problem(f"lamps.{side}: {problem}", "lamps", side)
        return lamps


def _build_settings(
    table: TableSection, guards: GuardsSection, light: LightSection, sound: SoundSection
) -> Settings:
    return Settings(
        layout=Layout(table.layout),
        offers_rematch=table.rematch,
        slap_s=guards.slap,
        slap_call_s=guards.slap_call,
        echo_s=guards.echo,
        hand_closed_s=guards.closed,
        offer_s=guards.offer,
        forgotten_s=guards.forgotten,
        paid_hand_s=guards.paid_hand,
        paid_bet_s=guards.paid_bet,
        trick_by_trick=guards.trick_by_trick,
        dim_after_s=light.dim,
        dark_after_s=light.dark,
        dark_pending_after_s=light.dark_pending,
        shift_every_s=light.shift,
        brightness=Brightness(light.brightness),
        large_digits=light.large_digits,
        pairs_page=light.pairs_page,
        lamps=tuple(map(LampColour, table.lamps)),
        quiet_hours=parse_hours(sound.quiet),
    )
