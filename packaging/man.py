"""Write a man page to stdout: `man.py scorer.1 MOMENT` or `scorer.toml.5 MOMENT`.

Commands and options are taken from the program's parsers, settings from the example configuration,
so that a page always matches the program.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scorer import __version__  # noqa: E402
from scorer.cli import COMMANDS  # noqa: E402

INTRODUCTION = r"""A box in the middle of the truco table keeps the score: buttons for what is said,
panels for the points, the ladder of calls and what the pending call pays.
.B scorer run
is that table, and
.I scorer.service
runs it. The other commands query a box, or need none."""

FILES = (
    ("/etc/scorer/scorer.toml", "The owner's settings, see scorer.toml(5). The file is optional."),
    ("/boot/firmware/scorer.toml", "The same, on a card prepared on a PC; taken over once."),
    ("/var/lib/scorer", "The games, with every press."),
    ("/etc/scorer/variants", "Variants of the owner, one file each; see club.toml.example."),
    ("/etc/scorer/formats", "Formats of tournaments of the owner, one file each."),
    ("/etc/scorer/www", "A bar's own pages, which scorer web shows under /own/."),
    ("/var/lib/scorer-hub", "The database of scorer hub, with the key of its certificate."),
    ("/var/lib/scorer-link", "The hall that the box has joined, with its token, of scorer link."),
    ("/var/lib/scorer-radio", "The keys of the button boxes over Wi-Fi, of scorer radio."),
    ("/run/scorer/radio.sock", "The socket of scorer radio, for the table."),
    ("/run/scorer/table.sock", "The socket of the table for programs that keep score."),
    ("/run/scorer/table-hall.sock", "Its socket for the hall of a tournament, of scorer-link."),
    ("/run/scorer/table-phone.sock", "Its socket for paired phones, of scorer web."),
    ("/run/scorer/table-read.sock", "Its socket for reading, of scorer print and voice."),
)
EXIT_CODES = (
    ("0", "Done, or the answer is yes."),
    ("1", "The answer is no."),
    ("2", "Wrong usage, with a message."),
    ("78", "No table can run with this configuration."),
)
LAYERS = """Only the owner writes this file. Choices made in the menu of the box override it; the
same settings on a card,
.IR /boot/firmware/scorer.toml ,
are imported once, when the box starts with them.
.B scorer check
shows the resulting settings, and every error at once with its line.
With an invalid file the box starts with the last valid settings and shows a message on the panel.
.PP
The file is TOML. These are all settings; behind each # is the default."""


class Shown(Exception):
    """Raised instead of printing a help text; carries its parser."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        super().__init__(parser.prog)
        self.parser = parser


def main() -> int:
    """0, and the page on standard output; 2: no such page."""
    page, moment = sys.argv[1], datetime.fromtimestamp(int(sys.argv[2]), UTC)
    pages = {"scorer.1": commands_page, "scorer.toml.5": settings_page}
    if page not in pages:
        print(f"man.py: no page {page}; there are {', '.join(pages)}", file=sys.stderr)
        return 2
    name, _, section = page.rpartition(".")
    title = f'.TH {name.upper()} {section} {moment:%Y-%m-%d} "Truco Scorer {__version__}"'
    print("\n".join([title, *pages[page]()]))
    return 0


def commands_page() -> list[str]:
    """scorer(1): every command with every option."""
    lines = [".SH NAME", r"scorer \- a scorekeeper for a real truco table"]
    lines += [".SH SYNOPSIS", ".B scorer", r".I COMMAND", r"[\fIARGUMENTS\fR]"]
    lines += [".SH DESCRIPTION", INTRODUCTION, ".SH COMMANDS"]
    for name, module, what in COMMANDS:
        lines += command(name, what, parser_of(module))
    lines += [".SH FILES", *entries(FILES, "I"), ".SH EXIT STATUS", *entries(EXIT_CODES, "B")]
    return [*lines, ".SH SEE ALSO", ".BR scorer.toml (5),", ".BR systemctl (1)"]


def settings_page() -> list[str]:
    """scorer.toml(5): the complete example configuration."""
    example = (ROOT / "packaging" / "scorer.toml").read_text(encoding="utf-8")
    lines = [".SH NAME", r"scorer.toml \- the settings of a truco table"]
    lines += [".SH SYNOPSIS", ".I /etc/scorer/scorer.toml", ".SH DESCRIPTION", LAYERS]
    lines += [".SH SETTINGS", *verbatim(example)]
    return [*lines, ".SH SEE ALSO", ".BR scorer (1)"]


def parser_of(module: str) -> argparse.ArgumentParser:
    """The parser of a command, caught before it prints its help."""

    def show(parser: argparse.ArgumentParser, file: object = None) -> NoReturn:
        raise Shown(parser)

    with patch.object(argparse.ArgumentParser, "print_help", show):
        try:
            importlib.import_module(module).main(["--help"])
        except Shown as shown:
            return shown.parser
    raise SystemExit(f"man.py: {module} has no --help")


def command(name: str, what: str, parser: argparse.ArgumentParser) -> list[str]:
    """A command: description, usage, options, example."""
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    lines = [f".SS {name}", f"{roff(parser.description or what)}", *verbatim(usage)]
    for action in parser._actions:
        if action.help != argparse.SUPPRESS and action.dest != "help":
            lines += option(action)
    return [*lines, *verbatim(parser.epilog)] if parser.epilog else lines


def option(action: argparse.Action) -> list[str]:
    """One option or argument, with its choices and description."""
    wants = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    wants = " ".join(wants) if isinstance(wants, tuple) else wants
    if action.choices and not action.metavar:
        wants = "|".join(str(choice) for choice in action.choices)
    words = [rf"\fB{roff(word)}\fR" for word in action.option_strings[-1:]]
    words += [rf"\fI{roff(wants)}\fR"] if wants else []
    return [".TP", " ".join(words), roff((action.help or "") % {**vars(action), "prog": "scorer"})]


def entries(table: tuple[tuple[str, str], ...], font: str) -> list[str]:
    """A list of names, each with a sentence."""
    return [
        line for name, text in table for line in (".TP", rf"\f{font}{roff(name)}\fR", roff(text))
    ]


def verbatim(text: str) -> list[str]:
    """Verbatim lines."""
    return [".PP", ".nf", ".RS 4", *[roff(line) for line in text.splitlines()], ".RE", ".fi"]


def roff(text: str) -> str:
    """Escape plain text for roff."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").strip("\n")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    sys.exit(main())
