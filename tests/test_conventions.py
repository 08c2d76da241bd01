"""Conventions of the code: owners of state, long signatures, late imports."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import pytest

from tests.paths import ROOT

PACKAGE = ROOT / "scorer"
MAX_POSITIONAL = 5  # parameters of a function, besides self
MAX_FIELDS = 7  # positional arguments of a constructor: small values in tables

DEVICE = "opens a device: nothing of its library is loaded where there is none"
EXTRA = "needs an extra of pip, or says which"
ONCE = "is large, and needed at the first start alone"
START = "costs every start of the table, and most tables do not need it"
SCREEN = "is loaded when a screen first shows a code"
WEB = "`scorer web` checks the options of this driver and draws nothing"

# Every import inside a function: module -> imported module -> why it is there.
LATE_IMPORTS = {
    "scorer/api/paired_phones.py": {"hashlib": START, "hmac": START, "secrets": START},
    "scorer/circuit/command.py": {
        "scorer.circuit.evenings": EXTRA,
        "scorer.circuit.results": EXTRA,
        "scorer.circuit.site": EXTRA,
        "scorer.season.evening_file": EXTRA,
        "scorer.static_site.folder": EXTRA,
    },
    "scorer/commands/check.py": {"scorer.serving.tls": EXTRA},
    "scorer/commands/run.py": {
        "scorer.commands.simulator": START,
        "scorer.table.simulated_table": START,
    },
    "scorer/config/config.py": {"scorer.config.input_boxes": START},
    "scorer/config/owner_variants.py": {"scorer.rules.definition": START},
    "scorer/config/sources.py": {"hashlib": START},
    "scorer/config/time_zone.py": {"zoneinfo": START},
    "scorer/demo/interactive.py": {
        "scorer.demo.front.server": EXTRA,
        "scorer.demo.terminal": EXTRA,
    },
    "scorer/display/__init__.py": {"scorer.display.oled.pair_page": START},
    "scorer/display/deferred.py": {
        "scorer.display.tv": START,
        "scorer.display.tv.enlarged": START,
    },
    "scorer/hub/formats.py": {"scorer.rulecards.content.sources": START},
    "scorer/hubs/command.py": {"scorer.hubs.administration": EXTRA},
    "scorer/hw/displays/chip_simulator.py": {"PIL": DEVICE},
    "scorer/hw/displays/framebuffer.py": {"PIL": WEB, "luma.core.device": DEVICE},
    "scorer/hw/displays/luma_oled.py": {
        "luma.core.device": DEVICE,
        "luma.core.interface.serial": DEVICE,
        "luma.oled.device": DEVICE,
        "smbus2": DEVICE,
        "spidev": DEVICE,
    },
    "scorer/hw/displays/partial_update.py": {"PIL.Image": WEB},
    "scorer/hw/inputs/gpio.py": {"gpiozero": DEVICE},
    "scorer/hw/inputs/keypad.py": {"evdev": DEVICE},
    "scorer/hw/outputs/hd44780.py": {
        "luma.core.device": DEVICE,
        "luma.core.interface.serial": DEVICE,
        "luma.lcd.device": DEVICE,
        "smbus2": DEVICE,
    },
    "scorer/hw/outputs/i2c_chip.py": {"smbus2": DEVICE},
    "scorer/hw/outputs/rgb_led.py": {"gpiozero": DEVICE},
    "scorer/hw/outputs/shift_register.py": {"gpiozero": DEVICE},
    "scorer/hw/outputs/switch.py": {"gpiozero": DEVICE},
    "scorer/hw/outputs/ws2812.py": {"spidev": DEVICE},
    "scorer/hw/pins.py": {
        "gpiozero": DEVICE,
        "gpiozero.pins.lgpio": DEVICE,
        "gpiozero.pins.mock": DEVICE,
    },
    "scorer/hw/serial/port.py": {"serial": DEVICE},
    "scorer/hw/simulated.py": {"gpiozero.pins.mock": DEVICE},
    "scorer/hub/announcing.py": {"jeepney": DEVICE},
    "scorer/hub/command.py": {
        "scorer.hub.administration": EXTRA,
        "scorer.hub.tournament_command": EXTRA,
    },
    "scorer/hub/identity.py": {
        "cryptography": ONCE,
        "cryptography.hazmat.primitives": ONCE,
        "cryptography.hazmat.primitives.asymmetric": ONCE,
        "cryptography.x509.oid": ONCE,
    },
    "scorer/link/command.py": {"scorer.link.service": EXTRA},
    "scorer/link/finding.py": {"jeepney": DEVICE},
    "scorer/makers/labels/__init__.py": {"pypdfium2": EXTRA},
    "scorer/makers/labels/page.py": {"fpdf": EXTRA},
    "scorer/plain_values/problems.py": {"difflib": START},
    "scorer/receipts/escpos_encoder.py": {"escpos.printer": EXTRA},
    "scorer/records/game_log.py": {
        "scorer.records.pair_names": START,
        "scorer.records.standings": START,
    },
    "scorer/rules/sheet.py": {"difflib": START, "scorer.rules.definition": START},
    "scorer/serving/avahi.py": {
        "jeepney": DEVICE,
        "jeepney.io.asyncio": DEVICE,
        "jeepney.io.common": DEVICE,
        "jeepney.wrappers": DEVICE,
    },
    "scorer/serving/qr_svg.py": {"segno": SCREEN},
    "scorer/season/signing.py": {
        "cryptography.exceptions": ONCE,
        "cryptography.hazmat.primitives.asymmetric.ed25519": ONCE,
        "cryptography.hazmat.primitives.serialization": ONCE,
    },
    "scorer/session/setup/house_rules_menu.py": {
        "scorer.rulecards.content.pages": START,
        "scorer.rulecards.content.sources": START,
    },
    "scorer/system/logind.py": {
        "jeepney": DEVICE,
        "jeepney.io.blocking": DEVICE,
        "jeepney.wrappers": DEVICE,
    },
    "scorer/system/start_attempts.py": {"scorer.system.replace_text": START},
    "scorer/table/access_log.py": {"logging": START, "scorer.system.log_limit": START},
    "scorer/table/hall.py": {"scorer.api.assignment": START},
    "scorer/table/handlers.py": {
        "scorer.table.hall_handlers": START,
        "scorer.table.owner_handlers": START,
        "scorer.table.phone_handlers": START,
    },
    "scorer/table/outputs.py": {
        "scorer.table.button_lights": START,
        "scorer.table.team_light": START,
        "scorer.table.words": START,
    },
    "scorer/table/backups.py": {"scorer.store.restore": START},
    "scorer/table/resets.py": {"scorer.system.replace_text": START},
    "scorer/table/service.py": {
        "scorer.config.input_boxes": START,
        "scorer.hw.boards.scoreboard": START,
        "scorer.hw.outputs.newest_value": START,
        "scorer.system.battery": START,
        "scorer.table.backup_client": START,
        "scorer.table.battery_watch": START,
        "scorer.table.button_lights": START,
        "scorer.table.desk_client": START,
        "scorer.hw.serial.radio_port": START,
        "scorer.table.network_client": START,
        "scorer.table.print_client": START,
        "scorer.table.radio_client": START,
        "scorer.table.scoreboard_publisher": START,
        "scorer.table.settings_client": START,
        "scorer.table.words": START,
    },
    "scorer/tournament/swiss.py": {"networkx": EXTRA},
    "scorer/web/command.py": {
        "scorer.serving.tls": EXTRA,
        "scorer.serving.server": EXTRA,
        "scorer.web.server": EXTRA,
    },
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """Every module of the program: its path and its syntax tree."""
    return tuple(
        (str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    )


def functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


# ---- owners of state ----------------------------------------------------------------------------


def sessions_assigned(tree: ast.Module) -> list[int]:
    """Lines that assign ``session`` of another object."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr in ("session", "_session")
    ]


def test_only_the_table_replaces_the_session() -> None:
    assigning = {path for path, tree in trees() if sessions_assigned(tree)}
    # A sample is played without a table.
    assert assigning == {"scorer/table/table.py", "scorer/samples/table.py"}


@pytest.mark.parametrize(
    "line", ["table.session = expire(table.session, now)", "a, table._session = 1, 2"]
)
def test_an_assigned_session_is_found(line: str) -> None:
    assert sessions_assigned(ast.parse(line)) == [1]


def callbacks_assigned(tree: ast.Module) -> list[str]:
    """Callbacks (``on_...``) that are set on another object than ``self``."""
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr.startswith("on_")
        and ast.unparse(node.value) != "self"
    ]


def test_callbacks_are_arguments_of_constructors() -> None:
    assert {path: found for path, tree in trees() if (found := callbacks_assigned(tree))} == {}
    assert callbacks_assigned(ast.parse("table.on_stored = print")) == ["table.on_stored"]


# ---- names --------------------------------------------------------------------------------------


def public_classes() -> dict[str, list[str]]:
    """The modules that define each public class, by its name."""
    found: dict[str, list[str]] = {}
    for path, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path)
    return found


def test_the_name_of_a_public_class_is_used_once() -> None:
    # Each driver has its own Options, which the loader of drivers looks for.
    twice = {name: paths for name, paths in public_classes().items() if len(paths) > 1}
    assert len(twice.pop("Options")) > 1
    assert twice == {}


# ---- positional parameters ----------------------------------------------------------------------


def long_signatures(tree: ast.Module) -> list[str]:
    """Functions with more positional parameters than a caller can tell apart."""
    found = []
    for function in functions(tree):
        positional = [*function.args.posonlyargs, *function.args.args]
        names = [each.arg for each in positional if each.arg not in ("self", "cls")]
        found += [f"{function.name}, line {function.lineno}"] * (len(names) > MAX_POSITIONAL)
    return found


def test_functions_take_at_most_five_positional_parameters() -> None:
    assert {path: found for path, tree in trees() if (found := long_signatures(tree))} == {}
    assert long_signatures(ast.parse("def f(self, a, b, c, d, e, *, g): pass")) == []
    assert long_signatures(ast.parse("def f(a, b, c, d, e, g): pass")) == ["f, line 1"]


def long_constructions(tree: ast.Module) -> list[str]:
    """Constructor calls with more positional arguments than a table row."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    long = (call for call in calls if len(call.args) > MAX_FIELDS)
    names = ((ast.unparse(call.func).rpartition(".")[2], call.lineno) for call in long)
    return [f"{name}, line {at}" for name, at in names if name[:1].isupper() and name != "TypeVar"]


def test_values_of_many_fields_are_made_by_keyword() -> None:
    assert {path: found for path, tree in trees() if (found := long_constructions(tree))} == {}
    assert long_constructions(ast.parse("table.Options(1, 2, 3, 4, 5, 6, 7, 8)"))


# ---- imports inside functions -------------------------------------------------------------------


def late_imports(tree: ast.Module) -> set[str]:
    found = set()
    for node in (node for function in functions(tree) for node in ast.walk(function)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {f"{node.module}.{each.name}" for each in node.names}
            modules = {name for name in names if is_module(name)}
            found |= modules or {node.module}
    return found


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def test_every_import_inside_a_function_is_listed_with_its_reason() -> None:
    found = {path: late for path, tree in trees() if (late := late_imports(tree))}
    assert found == {path: set(listed) for path, listed in LATE_IMPORTS.items()}


def test_an_import_inside_a_function_is_found() -> None:
    line = "def f(): from scorer.api import server; import json; from typing import Any"
    assert late_imports(ast.parse(line)) == {"scorer.api.server", "json", "typing"}


def loaded_by(module: str, then: str = "") -> set[str]:
    """The modules that are loaded after importing ``module`` and running ``then``."""
    call = f"import json, sys, {module}\n{then}\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", call],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    return set(json.loads(done.stdout))


def test_the_table_starts_without_what_is_imported_late() -> None:
    late = {name for listed in LATE_IMPORTS.values() for name in listed if listed[name] == START}
    assert late & loaded_by("scorer.commands.run") == set()


# What a section that most tables do not have needs: its record, drivers and pictures.
OF_SECTIONS = (
    *("button_lights", "lit_buttons", "channel_lights", "newest_value", "i2c_chip"),
    *("team_light", "colour_light", "light_scene", "light_frames", "ws2812"),
    *("word_display", "two_lines", "hd44780", "table.words"),
)


def test_a_table_as_installed_imports_nothing_of_the_sections_that_it_lacks() -> None:
    read = "from scorer.config.loader import default_config; default_config()"
    loaded = loaded_by("scorer.table.service", read)
    assert [name for name in loaded if name.endswith(OF_SECTIONS)] == []


def test_a_simulated_table_needs_no_socket_process_or_device() -> None:
    outside = {"socket", "select", "selectors", "subprocess", "multiprocessing", "asyncio"}
    loaded = loaded_by("scorer.table.simulated_table")
    assert loaded & (outside | {"gpiozero", "luma", "smbus2", "spidev", "serial"}) == set()
    assert "subprocess" in loaded_by("scorer.demo.table_process")


def test_named_tuples_of_the_start_have_annotations_that_are_not_strings() -> None:
    """Each string is compiled again: 50 million instructions of the start."""
    paths = {
        name: ROOT / f"{name.replace('.', '/')}.py" for name in loaded_by("scorer.commands.run")
    }
    sources = {name: path.read_text("utf-8") for name, path in paths.items() if path.is_file()}
    assert "scorer.session.view.view" in sources
    costly = [
        name
        for name, source in sources.items()
        if name.startswith("scorer.") and "(NamedTuple):" in source
        # A name that is imported for the type checker alone cannot be evaluated.
        if "TYPE_CHECKING" not in source and "from __future__ import annotations" in source
    ]
    assert costly == [], "remove the import; quote a class that is defined later"


def test_html_is_made_by_templates_which_escape_every_text() -> None:
    for package in ("hub", "serving", "web"):
        for path in sorted((PACKAGE / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            assert "html import escape" not in text, path
            assert "html.escape" not in text, path


def test_one_function_of_the_pages_parses_html() -> None:
    parsing = re.compile(r"innerHTML|outerHTML =(?!=)|insertAdjacentHTML|document\.write|srcdoc")
    found = [
        f"{path.relative_to(PACKAGE)}:{line.strip()}"
        for path in sorted(PACKAGE.rglob("*.js"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if parsing.search(line)
    ]
    assert found == ["hub/pages/fragment.js:made.innerHTML = html;"]
