"""The report of ``scorer doctor --report``, for the list of tested hardware.

Its points are those of docs/makers/build/tested.md, always in English. What only the builder can
know stays as a heading with a blank. Names, addresses and passwords of the configuration are left
out.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Sequence

from scorer import __version__
from scorer.doctor.findings import Finding, format_line
from scorer.doctor.machine import HostMachine
from scorer.i18n import translator

# First words of the lines of ``scorer check`` that describe the hardware and the game.
_SHARED = frozenset(
    (
        *("variant", "language", "layout", "lamps", "rematch", "house"),
        *("consoles", "guards", "light", "sound", "panel", "box", "scoreboard", "team_light"),
        *("battery", "button_lights", "word_display"),
        "pin",
    )
)
_BLANKS = {
    "6. Cables and buttons": ("length of the cables", "circuit of the buttons (1 or 2)"),
    "7. What surprised you, and where the guide was wrong": ("",),
}
_OF_A_PANEL = (
    "printed on its back",
    "resistors that were changed",
    "current in its VCC wire, dark",
    "current in its VCC wire, with the picture of the doctor",
)


def report_text(
    machine: HostMachine, config_lines: Iterable[str], findings: Sequence[Finding]
) -> str:
    """The report as Markdown."""
    say = translator("en")
    shared = [line for line in config_lines if line.split(" ", 1)[0] in _SHARED]
    tested = [format_line(each, say) for each in findings if each.subject == "panel"]
    # The device tree ends its strings with a zero byte.
    model = _read(machine, "proc/device-tree/model").strip("\0 \n")
    memory = re.search(r"MemTotal:\s*(\d+) kB", _read(machine, "proc/meminfo"))
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', _read(machine, "etc/os-release"), re.MULTILINE)
    parts = [
        "# Report of a box of Truco Scorer",
        "## 1. Board",
        model or _blank("model"),
        f"{int(memory[1]) // 1024} MB of memory" if memory else _blank("memory"),
        "## 2. System",
        system[1] if system else _blank("system"),
        f"kernel {platform.release()}, {platform.machine()}",
        "## 3. Program and doctor",
        f"scorer {__version__}",
        _block(format_line(finding, say) for finding in findings),
        "## 4. Configuration, without names and secrets",
        _block(shared),
        "## 5. Panels",
        *([_block(tested)] if tested else []),
    ]
    for line in shared:
        if line.startswith("panel "):
            parts += [f"### {line.removeprefix('panel').strip()}", *map(_blank, _OF_A_PANEL)]
    for heading, blanks in _BLANKS.items():
        parts += [f"## {heading}", *map(_blank, blanks)]
    return "\n\n".join(parts) + "\n"


def _read(machine: HostMachine, path: str) -> str:
    try:
        return (machine.root / path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _block(lines: Iterable[str]) -> str:
    return "\n".join(("```", *lines, "```"))


def _blank(what: str) -> str:
    return f"{what}: ____".removeprefix(": ")
