"""``scorer doctor``: diagnose the installation, one finding per line with advice.

A running table is asked for its self-test; its devices are not opened from outside. A check that
fails unexpectedly becomes a finding.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from scorer.config.config import Config
from scorer.config.schema import SocketSection
from scorer.config.sources import CARD_FILE, OWNER_FILE
from scorer.doctor import devices, keys, machine, running_table, storage
from scorer.doctor.devices import DeviceIo
from scorer.doctor.findings import Finding, Level, fail, format_line, ok, warn
from scorer.doctor.machine import HostMachine
from scorer.doctor.press_check import AskForPress
from scorer.doctor.report import report_text
from scorer.doctor.running_table import SelfTestReply, TablePresence
from scorer.doctor.storage import EffectiveConfig
from scorer.i18n import TERMINAL_LANGUAGE, languages, terminal_language, translator
from scorer.i18n.argument import parse_language

EXAMPLE = """example:
  sudo scorer doctor
  sudo scorer doctor --buttons     with the table stopped: press each button when asked
  sudo scorer doctor --keys        names the keys of a keypad as they are pressed
  sudo scorer doctor --report      also writes what was found, for the list of tested hardware

Each line: ok, look or bad, what it is about, and what to do.
0: nothing is bad; 1: something is; 2: used wrongly."""

REPORT_FILE = Path("truco-report.md")


class DoctorOptions(NamedTuple):
    """The command line options."""

    config: Path
    language: str | None = None
    buttons: bool = False
    salvage: bool = False
    keys: bool = False
    card: Path | None = None  # the settings file of a card
    report: Path | None = None  # the file of the report
    terminal: str = TERMINAL_LANGUAGE  # its language, where none was chosen


def main(argv: list[str]) -> int:
    """Print the findings; exit code 0: none is bad; 1: some are; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer doctor",
        description="Look at buttons, panels, lamps, buzzer, store, rights and supply.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"({OWNER_FILE})")
    parser.add_argument(
        "--card", type=Path, default=CARD_FILE, metavar="FILE", help=f"({CARD_FILE})"
    )
    known = f"of the findings: {', '.join(languages())}"
    parser.add_argument("--language", type=parse_language, metavar="L", help=known)
    parser.add_argument("--buttons", action="store_true", help="wait for each button in turn")
    parser.add_argument("--keys", action="store_true", help="name each key that is pressed")
    parser.add_argument(
        "--report",
        type=Path,
        nargs="?",
        const=REPORT_FILE,
        metavar="FILE",
        help=f"write a report without names and secrets ({REPORT_FILE})",
    )
    parser.add_argument("--salvage", action="store_true", help="rescue a damaged store")
    arguments = parser.parse_args(argv)
    path = arguments.config or OWNER_FILE
    if arguments.config is not None and not _is_file(path):
        sys.stderr.write(f"scorer doctor: there is no file {path}\n")
        return 2
    words = (arguments.language, arguments.buttons, arguments.salvage, arguments.keys)
    terminal = terminal_language(os.environ)
    wish = DoctorOptions(
        path, *words, card=arguments.card, report=arguments.report, terminal=terminal
    )
    return run_checks(wish, HostMachine(), DeviceIo(), _print_line)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return True  # not accessible: a finding, not a usage error


def _print_line(text: str) -> None:
    stream = sys.stdout
    encoding = stream.encoding or "utf-8"
    # A terminal without accented letters shows question marks instead of failing.
    stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    stream.flush()


def run_checks(
    options: DoctorOptions, host: HostMachine, io: DeviceIo, report: Callable[[str], None]
) -> int:
    """Run all checks, report each finding at once; return 1 if one is bad, else 0."""
    chosen = storage.read_config(options.config, options.card)
    own = chosen.config.table.language if chosen.has_language else options.terminal
    say = translator(options.language or own)

    def press(button: str) -> None:
        report(say("doctor.press", name=button))

    if options.keys:
        return keys.name_keys(say, report, io.now)
    findings = []
    for part in _checks(options, chosen, host, io, press):
        for finding in _run_check(part):
            report(format_line(finding, say))
            findings.append(finding)
    found_bad = any(finding.level is Level.FAIL for finding in findings)
    if options.report is not None:
        try:
            text = report_text(host, chosen.lines, findings)
            options.report.write_text(text, encoding="utf-8")
        except OSError as error:
            report(say("doctor.report.failed", path=options.report, why=error.strerror))
            return 1
        report(say("doctor.report.written", path=options.report))
    return int(found_bad)


def _checks(
    options: DoctorOptions,
    chosen: EffectiveConfig,
    host: HostMachine,
    io: DeviceIo,
    press: AskForPress,
) -> Iterator[Callable[[], Iterable[Finding]]]:
    """The checks in order, lazily: each starts after the findings of the one before."""
    config, has_pins = chosen.config, machine.has_pins(host)
    yield lambda: chosen.findings
    yield partial(machine.check_header, host)
    asked = (
        SelfTestReply(TablePresence.NO)
        if _would_start(config.socket_path, host)
        else running_table.request_selftest(config.socket_path)
    )
    if asked.presence is TablePresence.NO and machine.is_running(host):
        # A table without a socket: its devices must not be opened.
        asked = SelfTestReply(TablePresence.SILENT)
    if asked.presence is TablePresence.NO:
        yield partial(_check_devices, options, config, io, press, has_pins=has_pins)
    else:
        yield partial(_check_running_table, options, asked)
    yield partial(storage.check_store, config.store_folder, machine.USER)
    yield storage.check_card
    yield partial(machine.check_rights, host, config.panels if has_pins else ())
    yield partial(machine.check_television, host, config.panels)
    yield partial(machine.check_header_port, host, config.serial_ports.values())
    yield partial(machine.check_service, host)
    yield partial(machine.check_own_wifi, host, is_chosen=config.table.own_wifi)
    yield partial(machine.check_power, host)
    yield partial(machine.check_battery, host, config.battery)
    yield partial(machine.check_versions, host)


def _would_start(socket: Path, host: HostMachine) -> bool:
    """Whether connecting would start a table that its owner has stopped."""
    return socket == Path(SocketSection().path) and machine.is_stopped_with_socket(host)


def _check_devices(
    options: DoctorOptions, config: Config, io: DeviceIo, press: AskForPress, *, has_pins: bool
) -> Iterator[Finding]:
    """Test the devices directly, as no table runs; without pins the consoles only."""
    yield ok("table.off") if has_pins else ok("table.none")
    if options.salvage:
        yield storage.salvage_store(config.store_folder)
    asked = press if options.buttons else None
    yield from devices.check_inputs(config, io, asked, has_pins=has_pins)
    if has_pins:
        yield from devices.check_outputs(config, io)


def _check_running_table(options: DoctorOptions, reply: SelfTestReply) -> Iterator[Finding]:
    """Report the self-test of the running table."""
    yield from running_table.selftest_findings(reply)
    if options.buttons or options.salvage:
        yield warn("table.stop")


def _run_check(check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of a check; an unexpected exception is one of them."""
    try:
        yield from check()
    except Exception as error:
        yield fail("doctor.failed", why=f"{type(error).__name__}: {error}")
