"""Parse the owner's file to frozen values; report every error with its line.

Each section is read by its row in ``config.SECTIONS``; here is what sections say against each
other. It checks text only; a driver checks its own options (``hw.load``), a variant its own
(``rules``). Unknown keys are errors: an ignored setting would be discovered only in use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scorer.config.config import (
    MAX_PANELS,
    NO_PINS,
    SECTIONS,
    Config,
    Section,
    sentence_of,
    takes_pins,
)
from scorer.config.misplaced import place_of
from scorer.config.pin_claims import Claim, find_conflicts
from scorer.config.schema import SIDES
from scorer.config.toml_reader import ConfigError, KeyLines, Problem, Values, parse_toml
from scorer.hw import load
from scorer.plain_values import NO_KEY, WrongValues, read, suggestion
from scorer.plain_values.names import are_different, is_visible
from scorer.rules import Header, RulesError, SheetError, header_of, rules_for
from scorer.rules.notation import one_line
from scorer.rules.options import value_text
from scorer.rules.registry import find_variant, variant_ids
from scorer.rules.rulebooks import find_rulebook, options_of
from scorer.session.values.settings import ConsolesSection, TableSection

_NO_SECTION = "no such section"
_CONSOLE_KEYS = tuple(key for key in ConsolesSection._fields if key != "options")


def parse_config(text: str) -> Config:
    """Parse the configuration in ``text``. Raises ConfigError with every problem."""
    return validate(parse_toml(text), KeyLines(text))


def default_config() -> Config:
    """The configuration without any settings."""
    return parse_config("")


def validate(values: Values, lines: KeyLines, *, has_chosen_names: bool = False) -> Config:
    """Validate these values; ``lines`` has the line of each.

    ``has_chosen_names``: the names of the teams are from the box, where one may be without a name.
    Raises ConfigError with every problem, and no other error: a check that fails is a problem of
    its section, because a table without a configuration does not start.
    """
    checking = _Validator(values, lines, has_chosen_names=has_chosen_names)
    try:
        config = checking.config()
    except Exception as error:  # from any check, whatever the values are
        # Each section is checked alone, to name those that raise. Values and the text of the error
        # are not quoted: they may have a password.
        failed = []
        for name, section in values.items():
            try:
                _Validator({name: section}, lines, has_chosen_names=True).config()
            except Exception:  # as above
                failed.append(name)
        sentence = f"cannot be read ({type(error).__name__}); write it as in the example"
        found = [Problem(lines.line_of(name), one_line(f"{name}: {sentence}")) for name in failed]
        raise ConfigError(found or [Problem(0, f"the sections together: {sentence}")]) from error
    if checking.problems:
        raise ConfigError(checking.problems)
    return config


class _Validator:
    """One pass over the values that collects problems."""

    def __init__(self, values: Values, lines: KeyLines, *, has_chosen_names: bool) -> None:
        self._values, self._lines = values, lines
        self._has_chosen_names = has_chosen_names
        self.problems: list[Problem] = []

    def config(self) -> Config:
        """The configuration; if there are problems, with defaults for the wrong sections."""
        found: dict[str, Any] = {}
        for name, written in self._values.items():
            section = SECTIONS.get(name)
            if section is None:
                self._add(f"{_NO_SECTION}{suggestion(name, SECTIONS)}", name)
            elif section.is_list:
                found[section.field] = self._read_list(section, written)
            elif (record := self._read(section, written, name)) is not None and section.field:
                found[section.field] = record
        table = found.get("table", TableSection())
        if not self._has_chosen_names:
            self._check_names(table)
        header = self._header(table)
        config = Config(header, **found)
        self._check_buttons(config)
        taken = self._check_console_driver(config)
        self._check_boxes(config, taken)
        self._check_scoreboards(config, taken)
        self._check_panels(config)
        self._check_chips(config)
        claims = config.claims
        for conflict in find_conflicts(claims, self._written_keys(claims)):
            self._add_sentence(conflict.sentence, conflict.claim.path)
        return config

    def _read(self, section: Section, written: object, *path: str) -> Any:  # noqa: ANN401
        """The record of a section, or None; ``path`` is its own."""
        try:
            return read(section.record, written)
        except WrongValues as error:
            for problem in error.below(*path):
                self._add(sentence_of(problem), *problem.path)
            return None

    def _read_list(self, section: Section, written: object) -> tuple[Any, ...]:
        """The devices of a section; none if one of them is wrong, as they are counted."""
        name = section.name
        if not isinstance(written, list | tuple) or not all(isinstance(o, dict) for o in written):
            self._add(f"write each {name} under a heading of its own, [[{name}]]", name)
            return ()
        records = [self._read(section, each, name, str(at)) for at, each in enumerate(written)]
        return () if None in records else tuple(records)

    def _add(self, sentence: str, *path: str) -> None:
        key = ".".join(part for part in path if not part.isdecimal())
        if sentence.startswith((NO_KEY, _NO_SECTION)):
            sentence = place_of(path[-1], self._lines.text, self._lines.line_of(*path)) or sentence
        self._add_sentence(f"{key}: {sentence}", path)

    def _add_sentence(self, sentence: str, path: tuple[str, ...]) -> None:
        self.problems.append(Problem(self._lines.line_of(*path), one_line(sentence)))

    def _header(self, table: TableSection) -> Header:
        """The header of the first game; if there are problems, the default one."""
        usual = [("Variant", TableSection().variant), ("Options", "")]
        written = self._values.get("table")
        # Check the variant even if something else in the section is wrong.
        wanted = written.get("variant", "") if isinstance(written, dict) else ""
        try:
            book = find_rulebook(table.rulebook).variants if table.rulebook else (table.variant,)
            variant = find_variant(str(wanted) or book[0])
            by_book = options_of(table.rulebook, variant.id)
        except RulesError as error:
            is_variant = str(wanted or table.variant) not in variant_ids()
            self._add(str(error), "table", "variant" if is_variant else "rulebook")
            return header_of(usual)
        for key, value in table.house.items():
            try:
                rules_for(variant, {key: value})
            except RulesError as error:
                where = f"scorer variants {variant.id} tells them all"
                self._add_sentence(f"table.house: {error}; {where}", ("table", "house", key))
        house = {**by_book, **table.house}
        options = " ".join(f"{key}={value_text(value)}" for key, value in house.items())
        names = [(f"Name{s}", name) for s, name in zip("ABC", table.names, strict=False)]
        own = [("Variant", variant.id), ("Options", options), *names]
        try:
            return header_of(usual if self.problems else own)
        except SheetError as error:
            self._add(str(error), "table")
            return header_of(usual)

    def _check_names(self, table: TableSection) -> None:
        """Check that every team has a visible name of its own, or none has one."""
        if len(table.names) == 1:
            self._add("two teams need two names; write both, or none", "table", "names")
        elif not all(map(is_visible, table.names)):
            self._add("a name needs a character that can be seen", "table", "names")
        elif not are_different(table.names):
            self._add("two teams need two different names", "table", "names")

    def _check_buttons(self, config: Config) -> None:
        """Check the moved buttons, and that every console has some."""
        for button in config.consoles.lines:
            if button not in config.known_buttons:
                hint = suggestion(button, config.known_buttons)
                self._add(f"no button '{button}'{hint}", "consoles", "lines")
            elif button[0] in config.plugged:
                sentence = f"consoles.lines: console {button[0]} is a box and hangs on no pins"
                self._add_sentence(sentence, ("consoles", "lines", button))
        sides = SIDES[: config.consoles.count]
        missing = [side for side in sides if side not in config.plugged]
        if config.consoles.driver == NO_PINS and missing:
            sentence = f"no pins, and no [[box]] for console {missing[0]}"
            self._add(sentence, "consoles", "driver")

    def _check_console_driver(self, config: Config) -> dict[str, str]:
        """Check the driver of [consoles] and its options; its device, with its section."""
        driver = config.consoles.driver
        if driver == NO_PINS:
            for key in config.consoles.options:
                self._add(f"{NO_KEY}{suggestion(key, _CONSOLE_KEYS)}", "consoles", key)
            return {}
        if driver == "keypad":
            sentence = (
                "a keypad is a [[box]]: write it under [[box]] with console = ..., and here "
                'driver = "none" if no console is on pins'
            )
            self._add(sentence, "consoles", "driver")
            return {}
        problems = load.problems("inputs", driver, config.console_values, _CONSOLE_KEYS)
        for problem in problems:
            self._add(problem.sentence, "consoles", *problem.path)
        if problems:
            return {}
        if config.consoles.lines and not takes_pins(driver):
            sentence = f"moves buttons to other pins; '{driver}' has no pins"
            self._add(sentence, "consoles", "lines")
        return {load.resource_id("inputs", driver, config.console_values): "[consoles]"}

    def _check_boxes(self, config: Config, taken: dict[str, str]) -> None:
        consoles: dict[str, str] = {}
        for at, box in enumerate(config.boxes):
            place = ("box", str(at))
            for console in box.consoles:
                self._check_console(config, console, consoles, place)
                consoles.setdefault(console, f"box {at + 1} is console {console}")
            if box.port in taken:
                # The key of the owner's file that names the device.
                key = next((k for k in ("port", "device", "name", "place") if k in box.options), "")
                self._add(f"{taken[box.port]} is on {box.port} already", *place, key or "port")
            taken.setdefault(box.port, f"box {at + 1}")

    def _check_console(
        self, config: Config, console: str, taken: dict[str, str], place: tuple[str, str]
    ) -> None:
        """Check that the table has this console, and no entry before has it."""
        if console in taken:
            self._add(f"{taken[console]} already; one must go", *place, "console")
        elif console not in SIDES[: config.consoles.count]:
            sentence = f"no console {console} here; write [consoles] count = 3"
            self._add(sentence, *place, "console")

    def _check_scoreboards(self, config: Config, taken: dict[str, str]) -> None:
        for at, board in enumerate(config.scoreboards):
            if board.port in taken:
                sentence = f"something else is on {board.port} already"
                self._add(sentence, "scoreboard", str(at), "port")
            taken.setdefault(board.port, f"scoreboard {at + 1}")

    def _check_panels(self, config: Config) -> None:
        if len(config.panels) > MAX_PANELS:
            self._add(f"{MAX_PANELS} panels at most", "panel", str(MAX_PANELS))
        taken: dict[str, int] = {}
        for at, panel in enumerate(config.panels, 1):
            place = load.resource_id("displays", panel.driver, panel.options)
            if place and place in taken:
                sentence = f"panel: panel {taken[place]} is on {place} too"
                path = ("panel", str(at - 1), "address")
                self._add_sentence(f"{sentence}; give each panel its own place", path)
            taken.setdefault(place, at)

    def _check_chips(self, config: Config) -> None:
        """Check that chips and panels have places, and chips consoles of their own."""
        lit: dict[str, str] = {}
        taken: dict[str, str] = {}
        for at, panel in enumerate(config.panels, 1):
            place_of_panel = load.resource_id("displays", panel.driver, panel.options)
            taken[place_of_panel] = f"panel {at}"
        for at, chip in enumerate(config.button_lights):
            place = ("button_lights", str(at))
            for console in chip.consoles:
                self._check_console(config, console, lit, place)
                lit.setdefault(console, f"chip {at + 1} lights console {console}")
            if chip.place in taken:
                sentence = f"{taken[chip.place]} is on {chip.place} too"
                self._add(f"{sentence}; give each device its own place", *place, "address")
            taken.setdefault(chip.place, f"chip {at + 1}")
        if (words := config.word_display) is not None and words.place in taken:
            sentence = f"{taken[words.place]} is on {words.place} too"
            self._add(f"{sentence}; give each device its own place", "word_display", "address")

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
