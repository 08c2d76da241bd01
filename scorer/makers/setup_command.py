"""``scorer setup``: prepare a Raspberry Pi for the table, as root.

Writes a block of config.txt for the configured wires, loads the driver of the panels' bus, keeps
kernel and login off a television, and writes the example configuration if there is none.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from scorer.config.loader import parse_config
from scorer.config.sources import OWNER_FILE
from scorer.config.toml_reader import ConfigError, read_optional, read_text
from scorer.makers.boot_config import BEGIN, boot_lines, with_block, without_block
from scorer.system import kernel_console
from scorer.system.replace_text import replace_text

BOOT_CONFIG = Path("/boot/firmware/config.txt")
EXAMPLE_CONFIG = Path("/usr/share/doc/truco-scorer/examples/scorer.toml")
EXAMPLE = """example:
  sudo scorer setup             once, and again after the wiring has changed
  scorer setup --dry-run        print the block of config.txt and change nothing
  sudo scorer setup --remove    take the block back, and the settings if they are unchanged"""


class SetupError(Exception):
    """The machine cannot be prepared; the text says why and what to do."""


def main(argv: list[str]) -> int:
    """0: the machine is prepared; 1: it is not, with the reason."""
    arguments = _parser().parse_args(argv)
    try:
        if arguments.remove:
            return _remove(arguments)
        config = parse_config(read_optional(arguments.config) or "")
        lines = boot_lines(config.claims)
        if arguments.dry_run:
            print("\n".join(lines))
            return 0
        changed = _write_boot_config(arguments.boot_config, lines)
        if any(panel.driver == "framebuffer" for panel in config.panels):
            changed |= _quiet_television(arguments.boot_config, arguments.getty)
        else:
            changed |= _restore_television(arguments.boot_config, arguments.getty)
        _load_bus_driver()
        _write_example(arguments.config, arguments.example)
    except ConfigError as error:
        for problem in error.problems:
            print(f"{arguments.config}:{problem.line}: {problem.sentence}", file=sys.stderr)
        print("scorer setup: correct the file first; nothing was changed", file=sys.stderr)
        return 1
    except SetupError as error:
        print(f"scorer setup: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        hint = "; try it with sudo" if isinstance(error, PermissionError) else ""
        print(f"scorer setup: {error.filename}: {error.strerror}{hint}", file=sys.stderr)
        return 1
    print(
        "next: restart with `sudo reboot`, then `scorer doctor`"
        if changed
        else "next: `scorer doctor`"
    )
    return 0


def _write_boot_config(path: Path, lines: tuple[str, ...]) -> bool:
    """Write the block; False if it was there already. Raises SetupError, OSError."""
    try:
        before = read_text(path)
    except FileNotFoundError:
        raise SetupError(
            f"there is no {path}: this is not a Raspberry Pi with its card mounted there"
        ) from None
    after = with_block(before, lines)
    if after == before:
        print(f"{path}: as it should be")
        return False
    original = _copy_of(path)
    if not original.exists():
        replace_text(original, before)
    replace_text(path, after)
    print(f"{path}: written; the file before is {original.name}")
    return True


def _quiet_television(boot_config: Path, drop_in: Path) -> bool:
    """Keep kernel and login off the screen; False if they are. Raises OSError."""
    path = boot_config.with_name("cmdline.txt")
    changed = False
    if (before := read_optional(path)) is not None and not kernel_console.is_quiet(before):
        original = _copy_of(path)
        if not original.exists():
            replace_text(original, before)
        replace_text(path, kernel_console.quiet(before))
        print(f"{path}: written; the file before is {original.name}")
        changed = True
    if read_optional(drop_in) != kernel_console.DROP_IN_TEXT:
        drop_in.parent.mkdir(parents=True, exist_ok=True)
        replace_text(drop_in, kernel_console.DROP_IN_TEXT)
        print(f"{drop_in}: written; no login on the television from the next start")
        changed = True
    return changed


def _restore_television(boot_config: Path, drop_in: Path) -> bool:
    """Take back ``_quiet_television``; False without anything to do. Raises OSError."""
    path = boot_config.with_name("cmdline.txt")
    changed = False
    if (original := read_optional(_copy_of(path))) is not None:
        if (now := read_optional(path)) is not None:
            replace_text(path, kernel_console.restored(now, original))
        _copy_of(path).unlink()
        print(f"{path}: the words for the television are removed")
        changed = True
    if drop_in.exists():
        drop_in.unlink()
        with suppress(OSError):  # other drop-ins are there
            drop_in.parent.rmdir()
        print(f"{drop_in}: removed")
        changed = True
    return changed


def _remove(arguments: argparse.Namespace) -> int:
    """Take back what was written, except an owner's file with settings in it."""
    path: Path = arguments.boot_config
    before = read_optional(path) or ""
    without = without_block(before)
    is_there = BEGIN in before.splitlines() and without != before
    if is_there:
        replace_text(path, without)
        print(f"{path}: the block is removed")
    _copy_of(path).unlink(missing_ok=True)
    is_there |= _restore_television(path, arguments.getty)
    if (settings := read_optional(arguments.config)) is not None:
        if settings == read_optional(arguments.example):
            arguments.config.unlink()
            print(f"{arguments.config}: removed, there were no settings in it")
        else:
            print(f"{arguments.config}: has your settings and is kept")
    print("next: restart with `sudo reboot`" if is_there else "there is no block to remove")
    return 0


def _copy_of(path: Path) -> Path:
    """The file as it was before the first set-up."""
    return path.with_name(f"{path.name}.before-truco")


def _load_bus_driver() -> None:
    """Load i2c-dev, which gives the bus its device file until the next start."""
    if (modprobe := shutil.which("modprobe")) is not None:
        subprocess.run([modprobe, "--quiet", "i2c-dev"], check=False)


def _write_example(path: Path, example: Path) -> None:
    """Write the example configuration, all of it comments, if there is no file."""
    if path.exists() or not example.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, read_text(example))
    print(f"{path}: written; every setting is in it, behind a #")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer setup",
        description="Prepare a Raspberry Pi for the table: config.txt and the settings, as root.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--config", type=Path, default=OWNER_FILE, metavar="FILE", help=f"({OWNER_FILE})"
    )
    parser.add_argument(
        "--boot-config", type=Path, default=BOOT_CONFIG, metavar="FILE", help=f"({BOOT_CONFIG})"
    )
    parser.add_argument(
        "--example", type=Path, default=EXAMPLE_CONFIG, metavar="FILE", help=argparse.SUPPRESS
    )
    parser.add_argument(
        "--getty", type=Path, default=kernel_console.DROP_IN, metavar="FILE", help=argparse.SUPPRESS
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--dry-run", action="store_true", help="print the lines, change nothing")
    either.add_argument("--remove", action="store_true", help="take back what setup has written")
    return parser
