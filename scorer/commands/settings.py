"""``scorer settings``: keeps what the settings page saves.

systemd starts it as root by its socket, which the user of the table alone may open. It takes values
by their keys, never a path or a text of a configuration: it checks them itself, with the reader of
every service, writes to its own folder alone, and restarts the services that read them. The owner's
file is never written.
"""

from __future__ import annotations

import argparse
import grp
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from scorer.api.settings_protocol import MAX_LINE_BYTES, SettingsChange
from scorer.config.config import secrets_in, without_secrets
from scorer.config.nested_values import merge_values, set_value
from scorer.config.page_file import (
    FILE_NAME,
    FOLDER,
    PageSettings,
    Trial,
    changed,
    read_page,
    without_trial,
)
from scorer.config.page_keys import Way, problems_of_page, way_of
from scorer.config.sources import add_file_options
from scorer.config.toml_reader import ConfigError, Values, parse_toml, read_optional
from scorer.plain_values import WrongValues, json_object, read
from scorer.system import line_server
from scorer.system.replace_text import replace_text
from scorer.system.sd_notify import passed_sockets

# The group that may read the secrets of a section: that of the service that uses them.
READERS: Final[Mapping[str, str]] = {"owner": "scorer", "link": "scorer-link"}
# The units that read a section; each is restarted only if it runs.
UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "web": ("scorer-web.service",),
    "printer": ("scorer-print.service",),
    "voice": ("scorer-voice.service",),
    "backup": ("scorer-backup.service",),
    "link": ("scorer-link.service",),
    # The table itself reads these again.
    "owner": (),
    "consoles": (),
    "lamps": (),
    "sound": (),
}
_RESTART_S: Final = 20.0  # for systemd to take the job
EXAMPLE: Final = """example:
  scorer settings                what scorer-settings.service does for a request of the table

scorer check tells what the page has saved."""


def main(argv: list[str]) -> int:
    """0: some idle time has passed; 2: systemd has passed no socket."""
    parser = argparse.ArgumentParser(
        prog="scorer settings",
        description="Keep what the settings page saves.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file_options(parser)
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=f"({FOLDER})")
    arguments = parser.parse_args(argv)
    if not (passed := passed_sockets()):
        _log("it is started by scorer-settings.socket, not by hand")
        return 2
    keeper = SettingsKeeper(arguments.config, arguments.card, arguments.folder)
    line_server.serve(passed[0][1], keeper.answer, MAX_LINE_BYTES)
    return 0


class SettingsKeeper:
    """Answers the requests of the table, one at a time."""

    def __init__(self, owner_file: Path, card_file: Path, folder: Path) -> None:
        self._files, self._folder = (owner_file, card_file), folder

    def answer(self, line: bytes) -> dict[str, Any]:
        """Check and save the change of a request; the log has no value of it."""
        try:
            change = read(SettingsChange, json_object(line.decode("utf-8", "replace")))
        except WrongValues as error:
            _log(f"a request was refused: {error.problems[0].path}")
            return _refused("this is no request of the settings page")
        section, values, back, ended = change
        page = read_page(self._folder, with_trial=True)
        if ended:
            return self._end_trial(page, change)
        ways = {way_of(section, key) for key in (*values, *back)}
        if section not in UNITS or ways not in ({Way.SERVICE}, {Way.TRIAL}):
            _log(f"a request for another section or key was refused: {section[:40]!r}")
            return _refused("the settings page keeps no value of this key")
        before, trial = page.values, page.trial
        if Way.TRIAL in ways:
            # An older trial that no process has ended is over.
            before = before if trial is None else without_trial(before, trial)
            trial = Trial(token_hex(8), section, before.get(section, {}))
        after = changed(before, section, values, back)
        if problems := problems_of_page(self._written(), before, after, section):
            return _refused(*problems)
        told = f"[{section}] was changed: {', '.join((*values, *back))}"
        answer = self._save(after, trial, told)
        if answer["ok"]:
            _restart(UNITS[section])
        return answer

    def _end_trial(self, page: PageSettings, change: SettingsChange) -> dict[str, Any]:
        """Keep the wiring that is on trial, or take it back."""
        section, trial = change.section, page.trial
        if trial is None or trial.section != section or change.values or change.back:
            return _refused("no wiring of this section is on trial")
        if change.trial == "keep":
            return self._save(page.values, None, f"[{section}] is kept")
        return self._save(without_trial(page.values, trial), None, f"[{section}] is as before")

    def _save(self, values: Values, trial: Trial | None, sentence: str) -> dict[str, Any]:
        try:
            save_page(self._folder, values, trial)
        except OSError as error:
            _log(f"{self._folder} cannot be written: {error.strerror}")
            return _refused(f"the card cannot be written ({error.strerror}); nothing has changed")
        _log(sentence)
        return {"ok": True}

    def _written(self) -> dict[str, Any]:
        """The values of both files; none of one that is invalid."""
        written: dict[str, Any] = {}
        for file in self._files:
            with suppress(ConfigError):
                written = merge_values(written, parse_toml(read_optional(file) or ""))
        return written


def save_page(folder: Path, values: Values, trial: Trial | None = None) -> None:
    """Replace the file of the page by these values; a power cut leaves all or nothing.

    ``trial``: of those of its section. Raises OSError.
    """
    # Also the files of a change that a power cut has ended.
    before = {path.name for path in folder.glob("*-[0-9]*.json")}
    secrets: dict[str, dict[str, Any]] = {}
    for (section, *path), value in secrets_in(values).items():
        set_value(secrets.setdefault(section, {}), path, value)
    named: dict[str, object] = {}
    for section, own in secrets.items():
        number = 1
        while f"{section}-{number}.json" in before:
            number += 1
        name = f"{section}-{number}.json"
        keys = [".".join(path) for (of, *path) in secrets_in(values) if of == section]
        _write_secret(folder / name, json.dumps(own), READERS.get(section, ""))
        named[section] = {"file": name, "keys": keys}
    plain = {name: each for name, each in without_secrets(values).items() if each}
    tried = {} if trial is None else {"trial": trial._asdict()}
    text = json.dumps({"values": plain, "secrets": named, **tried}, indent=1)
    replace_text(folder / FILE_NAME, text)
    (folder / FILE_NAME).chmod(0o644)
    kept = {entry["file"] for entry in named.values() if isinstance(entry, dict)}
    for name in before - kept:
        (folder / name).unlink(missing_ok=True)


def _write_secret(file: Path, text: str, group: str) -> None:
    """Write a file that only root and ``group`` may read."""
    fresh = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fresh, text.encode())
        # Without the group, as on a developer's machine, the file stays its owner's alone.
        with suppress(KeyError, PermissionError):
            os.fchown(fresh, -1, grp.getgrnam(group).gr_gid)
            os.fchmod(fresh, 0o640)
        os.fsync(fresh)
    finally:
        os.close(fresh)


def _restart(units: tuple[str, ...]) -> None:
    """Restart the units that run; what was saved stays saved if systemd does not."""
    if not units:
        return
    command = ["systemctl", "--no-block", "try-restart", *units]
    try:
        subprocess.run(command, check=True, timeout=_RESTART_S, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        _log(f"{' '.join(units)} not restarted, the next start reads the change: {error}")


def _refused(*problems: str) -> dict[str, Any]:
    return {"ok": False, "problems": list(problems)}


def _log(sentence: str) -> None:
    sys.stderr.write(f"scorer settings: {sentence}\n")
    sys.stderr.flush()
