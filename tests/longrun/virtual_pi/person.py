"""A person with a shell of the guest, who types the commands of the guides."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.docs.reading import blocks
from tests.longrun.virtual_pi.guest import Guest

NAME = "ana"  # of the guides
# The first user of Raspberry Pi OS.
_CREATE = f"""
id {NAME} >/dev/null 2>&1 || useradd --create-home --groups sudo --shell /bin/bash {NAME}
echo '{NAME} ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/010_{NAME}
chmod 440 /etc/sudoers.d/010_{NAME}
"""


class Person:
    """The first user of a Raspberry Pi OS, at a shell."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        guest.shell(_CREATE)

    def type(
        self, command: str, answer: str = "", seconds: float = 300.0, *, check: bool = True
    ) -> str:
        """Type a command, and ``answer`` to its question; return what it prints.

        GuestError if it failed and ``check``.
        """
        typed = f"runuser --login {NAME} --command {shlex.quote(command)}"
        return self._guest.shell(f"{typed} <<<{shlex.quote(answer)}", seconds, check=check)


def section(page: Path, heading: str) -> str:
    """What stands below a heading of a page. Raises AssertionError."""
    _, found, rest = f"\n{page.read_text(encoding='utf-8')}".partition(f"\n## {heading}\n")
    assert found, f"{page.name} has no heading {heading!r}"
    return rest.partition("\n## ")[0]


def commands(text: str) -> list[str]:
    """The commands of a section, in order; blocks with a prompt are examples."""
    plain = [block for block in blocks(text, "") if not block.startswith("$ ")]
    return [line for block in plain for line in block.splitlines()]


def promises(text: str) -> list[tuple[str, str]]:
    """Commands of a section with what they print, where it says "`x` prints `y`"."""
    return re.findall(r"`([^`]+)` prints `([^`]+)`", " ".join(text.split()))
