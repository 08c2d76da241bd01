"""Keep the text of the kernel and the login off a television.

Three words of cmdline.txt switch off the kernel's cursor, its blanking and its logo, and
``console=tty1`` becomes ``console=tty3``. A drop-in stops the login on the screen. The copy of
cmdline.txt and the drop-in are the stamps of what was changed here: only that is taken back.
"""

from __future__ import annotations

from pathlib import Path

QUIET_WORDS = ("vt.global_cursor_default=0", "consoleblank=0", "logo.nologo")
_SHOWN_CONSOLE, _HIDDEN_CONSOLE = "console=tty1", "console=tty3"
GETTY = "getty@tty1.service"
DROP_IN = Path("/etc/systemd/system") / f"{GETTY}.d" / "truco-scorer.conf"
DROP_IN_TEXT = """\
# Written by scorer setup, removed by scorer setup --remove: the table draws on this screen.
[Unit]
ConditionPathExists=!/etc/systemd/system/getty@tty1.service.d/truco-scorer.conf
"""


def quiet(line: str) -> str:
    """The text of cmdline.txt with the words that keep the kernel off the screen."""
    words = [_HIDDEN_CONSOLE if word == _SHOWN_CONSOLE else word for word in line.split()]
    return " ".join([*words, *(word for word in QUIET_WORDS if word not in words)]) + "\n"


def is_quiet(line: str) -> bool:
    """Whether the kernel that was started with these words leaves the screen alone."""
    words = line.split()
    return _SHOWN_CONSOLE not in words and all(word in words for word in QUIET_WORDS)


def restored(line: str, original: str) -> str:
    """The text of cmdline.txt without what ``quiet`` has added to ``original``.

    Words that the owner or the system has changed since are kept.
    """
    before = original.split()
    added = [word for word in QUIET_WORDS if word not in before]
    is_moved = _SHOWN_CONSOLE in before and _HIDDEN_CONSOLE not in before
    words = [
        _SHOWN_CONSOLE if word == _HIDDEN_CONSOLE and is_moved else word
        for word in line.split()
        if word not in added
    ]
    return " ".join(words) + "\n"
