"""Write shell completion to stdout: `completion.py bash` or `completion.py zsh`.

Commands and options are taken from the program's parsers.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

import shtab

sys.path.insert(0, str(Path(__file__).resolve().parent))
man = importlib.import_module("man")


def whole_parser() -> argparse.ArgumentParser:
    """One parser with every command as a sub-command."""
    parser = argparse.ArgumentParser("scorer")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    for name, module, what in man.COMMANDS:
        own = man.parser_of(module)
        commands.add_parser(name, parents=[own], add_help=False, help=what)
    return parser


if __name__ == "__main__":
    print(shtab.complete(whole_parser(), shell=sys.argv[1]))
