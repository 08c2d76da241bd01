"""``scorer doctor``: what is well, what wants a look and what is broken, and what to do about it.

Where a table runs it is asked to try itself; its devices are never opened from outside. Whatever
cannot be looked at is a finding, not the end.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from scorer.config.loader import Config
from scorer.config.schema import SocketSection
from scorer.config.sources import OWNERS_FILE
from scorer.doctor import devices, keys, machine, running, storage
from scorer.doctor.devices import Hands, Press
from scorer.doctor.findings import Finding, Level, bad, line, look, ok
from scorer.doctor.machine import Machine
from scorer.doctor.running import Asked, There
from scorer.doctor.storage import Chosen
from scorer.i18n import LANGUAGES, translator

EXAMPLE = """example:
  sudo scorer doctor
  sudo scorer doctor --buttons     with the table stopped: press each button when asked
  sudo scorer doctor --keys        names the keys of a keypad as they are pressed

Each line: ok, look or bad, what it is about, and what to do.
0: nothing is bad; 1: something is; 2: used wrongly."""


class Wish(NamedTuple):
    """What was asked for on the command line."""

    config: Path
    mock: bool = False
    language: str | None = None
    buttons: bool = False
    salvage: bool = False
    keys: bool = False


def main(argv: list[str]) -> int:
    """Prints the findings; 0 where nothing is bad, 1 where something is, 2 used wrongly."""
    arguments = _parser().parse_args(argv)
    path = arguments.config or OWNERS_FILE
    if arguments.config is not None and not _is_file(path):
        sys.stderr.write(f"scorer doctor: there is no file {path}\n")
        return 2
    words = (arguments.language, arguments.buttons, arguments.salvage, arguments.keys)
    wish = Wish(path, arguments.mock, *words)
    hands = Hands(seams=devices.simulated) if wish.mock else Hands()
    return visit(wish, Machine(), hands, _tell)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer doctor",
        description="Look at buttons, panels, lamps, buzzer, store, rights and supply.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"({OWNERS_FILE})")
    parser.add_argument("--language", metavar="L", help=f"of the findings: {', '.join(LANGUAGES)}")
    parser.add_argument("--buttons", action="store_true", help="wait for each button in turn")
    parser.add_argument("--keys", action="store_true", help="name each key that is pressed")
    parser.add_argument("--salvage", action="store_true", help="rescue a damaged store")
    parser.add_argument("--mock", action="store_true", help="simulated pins and panels")
    return parser


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return True  # it cannot be seen: a finding, not a mistake of whoever asks


def _tell(text: str) -> None:
    stream = sys.stdout
    encoding = stream.encoding or "utf-8"
    # A terminal that has no accents shows question marks; it must not end the visit.
    stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    stream.flush()


def visit(options: Wish, host: Machine, io: Hands, report: Callable[[str], None]) -> int:
    """Looks at everything and tells each finding at once; 1 where one is bad, else 0."""
    if options.mock:
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "mock")
    chosen = storage.chosen(options.config)
    say = translator(options.language or chosen.config.table.language)

    def press(button: str) -> None:
        report(say("doctor.press", name=button))

    if options.keys:
        return keys.told(say, report, io.now)
    found_bad = False
    for part in _parts(options, chosen, host, io, press):
        for finding in _safely(part):
            report(line(finding, say))
            found_bad |= finding.level is Level.FAIL
    return int(found_bad)


def _parts(
    options: Wish, chosen: Chosen, host: Machine, io: Hands, press: Press
) -> Iterator[Callable[[], Iterable[Finding]]]:
    """What is looked at, in order; each part is begun when the one before is told."""
    config = chosen.config
    yield lambda: chosen.findings
    asked = Asked(There.NO) if _would_start(config.socket, host) else running.ask(config.socket)
    if asked.presence is There.NO and not options.mock and machine.runs(host):
        # A table without a socket: what it has in its hands is not to be touched.
        asked = Asked(There.SILENT)
    if asked.presence is There.NO:
        yield partial(_by_hand, options, config, io, press)
    else:
        yield partial(_by_asking, options, asked)
    yield partial(storage.store, config.store, machine.USER)
    if options.mock:
        yield lambda: [look("doctor.mock")]
    else:
        yield partial(machine.rights, host, config.panels)
        yield partial(machine.service, host)
        yield partial(machine.power, host)
    yield partial(machine.versions, host, mock=options.mock)


def _would_start(socket: Path, host: Machine) -> bool:
    """Whether to connect would start a table that its owner has stopped."""
    return socket == Path(SocketSection().path) and machine.held_back(host)


def _by_hand(options: Wish, config: Config, io: Hands, press: Press) -> Iterator[Finding]:
    """No table runs: everything is tried from here."""
    yield ok("table.off")
    if options.salvage:
        yield storage.salvaged(config.store)
    yield from devices.buttons(config, io, press if options.buttons else None)
    yield from devices.consoles(config)
    yield from devices.outputs(config, io)


def _by_asking(options: Wish, reply: Asked) -> Iterator[Finding]:
    """A table runs, or may: it is the one who tries its devices."""
    yield from running.findings(reply)
    if options.buttons or options.salvage:
        yield look("table.stop")


def _safely(check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of a part; what nobody foresaw is one more of them."""
    try:
        yield from check()
    except Exception as error:
        yield bad("doctor.failed", why=f"{type(error).__name__}: {error}")
