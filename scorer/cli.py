"""The command line: selects the sub-command and passes it its arguments.

Each sub-command is a module with ``main(argv) -> exit code``, imported only when selected, so that
the table process does not load the terminal demo.
Exit codes: 0 done, 1 the answer is no, 2 usage error, 78 invalid configuration.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import ModuleType
from typing import TextIO, cast

from scorer import __version__
from scorer.i18n import MissingCatalogue
from scorer.plain_values import did_you_mean
from scorer.plain_values.names import printable

# name, module, description
COMMANDS = (
    ("demo", "scorer.demo.command", "play at a table with simulated buttons and panels"),
    ("run", "scorer.commands.run", "run the table (the daemon on the Pi)"),
    ("web", "scorer.web.command", "the score on phones and on the TV, over the network"),
    ("portal", "scorer.web.portal_command", "the page of the box's own Wi-Fi, to name another"),
    ("hub", "scorer.hub.command", "the hub of a hall: stores what its tables play, and shows it"),
    ("hubs", "scorer.hubs.command", "the hubs of many halls on one machine, strictly apart (root)"),
    ("circuit", "scorer.circuit.command", "the table of a season, from the files of its evenings"),
    ("link", "scorer.link.command", "join a hall, and send what is pressed to its hub"),
    ("print", "scorer.receipts.command", "the slip of a game, on a receipt printer"),
    ("voice", "scorer.voice.command", "the calls and the score, spoken at the table"),
    ("radio", "scorer.radio.command", "button boxes over Wi-Fi: their service and their keys"),
    ("wifi", "scorer.system.wifi.command", "join the wireless network that the card names (root)"),
    ("backup", "scorer.backup.backup_command", "copy all games into one file, or on a USB stick"),
    ("restore", "scorer.backup.restore_command", "put such a copy in the place of the games"),
    ("reset", "scorer.commands.reset", "a factory reset that the card or set-up asks for (root)"),
    ("settings", "scorer.commands.settings", "keep what the settings page saves (root)"),
    ("export", "scorer.backup.export_command", "every game as score sheet, JSON and CSV"),
    ("check", "scorer.commands.check", "is a configuration right, and what comes of it?"),
    ("setup", "scorer.makers.setup_command", "prepare a Raspberry Pi for the table (root)"),
    ("doctor", "scorer.doctor", "is everything well? buttons, panels, store, and what to do"),
    ("phones", "scorer.commands.phones", "the paired phones, and how they came and went"),
    (
        "variants",
        "scorer.commands.variants",
        "the variants and the rule card of each, in your language",
    ),
    ("replay", "scorer.commands.replay", "play score sheets through the rules"),
    ("perft", "scorer.commands.perft", "count every way a hand can go in a variant"),
    ("preview", "scorer.commands.preview", "draw the screens to PNG files"),
    (
        "wiring",
        "scorer.makers.wiring",
        "which pin is what, as a table or as a drawing to solder from",
    ),
    ("labels", "scorer.makers.labels", "labels, drilling templates and a quick card to print"),
)

# Units start these: they are in the manual, and not in the help.
STARTED_BY_UNITS = ("wifi", "portal", "reset", "settings")

# One line: with the listed commands it fits a terminal.
USAGE = "usage: scorer COMMAND [ARGUMENTS]; scorer COMMAND --help; example: scorer demo"


class PrintableOutput:
    """A stream that shows what is not printable as JSON escapes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text, and return its length."""
        self._stream.write(printable(text))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def main(argv: list[str] | None = None) -> int:
    """Run one sub-command; return the exit code."""
    words = sys.argv[1:] if argv is None else argv
    name, *rest = words or ["--help"]
    module = next((module for known, module, _ in COMMANDS if known == name), None)
    # The screen of the demo is drawn beside them.
    with (
        redirect_stdout(cast(TextIO, PrintableOutput(sys.stdout))),
        redirect_stderr(cast(TextIO, PrintableOutput(sys.stderr))),
    ):
        if name in ("-h", "--help"):
            listed = (
                f"  {name:9} {what}" for name, _, what in COMMANDS if name not in STARTED_BY_UNITS
            )
            print("\n".join([USAGE, *listed]))
            return 0
        if name == "--version":
            print(f"scorer {__version__}")
            return 0
        if module is None:
            hint = did_you_mean(name, [known for known, _, _ in COMMANDS])
            print(f"scorer: no command '{name}'{hint}; see scorer --help", file=sys.stderr)
            return 2
        return _run(module, rest)


def _import(module: str) -> ModuleType:
    # Modules live as long as the process: the garbage collector need not visit them.
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def _run(module: str, arguments: list[str]) -> int:
    try:
        code = _import(module).main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe (head, less) has closed it: not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MissingCatalogue as error:
        print(f"scorer: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    assert isinstance(code, int)
    return code
