"""The file of the settings page: what an owner has saved in a browser.

It is a layer of its own, over the owner's file and the card's, under the choices of the box.
``scorer settings`` alone writes it: a JSON object that every service may read, and one more file
per section for its secrets, which only the service of that section may read. The first names the
others, so that replacing it makes all of a change valid at once. Pins and drivers that no press
has confirmed are in it with what they replace, which all but the table that tries them out read.

A value that is wrong is left out with a message; it never stops a program.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from scorer.config.nested_values import merge_values, remove_value, set_value
from scorer.config.toml_reader import Problem, Values, find_unusable_values
from scorer.plain_values import Found, WrongValues, json_object, read
from scorer.plain_values import Path as ValuePath

FOLDER: Final = Path("/var/lib/scorer-settings")  # StateDirectory= of scorer-settings.service
FILE_NAME: Final = "page.json"
LAYER: Final = "the settings page"
_MAX_BYTES = 256 * 1024
_REMEDY = "take it back on the settings page, or delete the file"


class Trial(NamedTuple):
    """Wiring that no press has confirmed: its section, and the values of it before.

    ``id`` differs for every trial.
    """

    id: str
    section: str
    before: Mapping[str, Any]

    def find_problems(self) -> Iterator[Found]:
        if not _has_sections({self.section: self.before}):
            yield "before", "has values that no section has"


class PageSettings(NamedTuple):
    """The values of the page, by section, and the problems of its file.

    ``secrets``: the paths of those that are set, also where this process may not read them.
    ``trial``: the one that has not ended.
    """

    values: Mapping[str, Any] = {}
    problems: tuple[Problem, ...] = ()
    secrets: frozenset[ValuePath] = frozenset()
    trial: Trial | None = None

    @property
    def digest_text(self) -> str:
        """A text that differs for other values; "" without any."""
        return json.dumps(self.values, sort_keys=True) if self.values else ""


NO_PAGE: Final = PageSettings()


def read_page(folder: Path = FOLDER, *, with_trial: bool = False) -> PageSettings:
    """The values of the page; an unreadable file is a problem, and sets nothing.

    ``with_trial``: with the wiring that is on trial.
    """
    file = folder / FILE_NAME
    try:
        text = _read(file)
    except FileNotFoundError:
        return NO_PAGE
    except OSError as error:
        return _unreadable(file, error.strerror or "error")
    found = json_object(text) or {}
    values = found.get("values")
    if not isinstance(values, dict) or not _has_sections(values):
        return _unreadable(file, "it is not as the settings page writes it")
    try:
        trial = read(Trial, found["trial"]) if "trial" in found else None
    except WrongValues:
        return _unreadable(file, "its trial is not as the settings page writes it")
    if trial is not None and not with_trial:
        values = without_trial(values, trial)
    merged: dict[str, Any] = dict(values)
    secrets: set[ValuePath] = set()
    named = found.get("secrets")
    for section, entry in (named if isinstance(named, Mapping) else {}).items():
        keys = entry.get("keys") if isinstance(entry, Mapping) else None
        for key in keys if isinstance(keys, list) else ():
            secrets.add((section, *str(key).split(".")))
        # Only its own service may read it.
        with suppress(OSError, TypeError, KeyError):
            own = json_object(_read(folder / Path(entry["file"]).name)) or {}
            merged[section] = merge_values(merged.get(section, {}), own)
    return PageSettings(merged, secrets=frozenset(secrets), trial=trial)


def without_trial(values: Values, trial: Trial) -> dict[str, Any]:
    """The values as they were before the trial."""
    kept = {name: each for name, each in values.items() if name != trial.section}
    return {**kept, trial.section: trial.before} if trial.before else kept


def problem_of(sentence: str) -> Problem:
    """The problem of a value of the page that is left out."""
    return Problem(0, f"{LAYER}: {sentence}; {_REMEDY}")


def changed(
    values: Values, section: str, sets: Mapping[str, object], back: tuple[str, ...]
) -> dict[str, Any]:
    """The values with those of ``sets`` in ``section``, and without those of ``back``.

    Keys below a section of a section have a dot: "mqtt.broker", "lines.A.truco".
    """
    own = json.loads(json.dumps(values.get(section, {})))
    for key, value in sets.items():
        set_value(own, path_of(key), value)
    for key in back:
        remove_value(own, path_of(key))
    kept = {name: each for name, each in values.items() if name != section}
    return {**kept, section: own} if own else kept


def path_of(key: str) -> tuple[str, ...]:
    """The path of a key in its section; the name of a button has a dot of its own."""
    above, _, button = key.partition(".")
    return (above, button) if above == "lines" and button else tuple(key.split("."))


def _read(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(_MAX_BYTES + 1).decode("utf-8", "replace")


def _has_sections(values: Values) -> bool:
    has_tables = all(isinstance(each, dict) for each in values.values())
    return has_tables and not any(find_unusable_values(values))


def _unreadable(file: Path, why: str) -> PageSettings:
    sentence = f"{file} cannot be read ({why}); nothing of it counts: save again on the page"
    return PageSettings(problems=(Problem(0, f"{LAYER}: {sentence}, or delete the file"),))
