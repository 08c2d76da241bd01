"""Load the configuration for the web and print processes.

They do not read the table's store, which has the choices made on the box. Each reads only its own
sections, so that a mistake elsewhere does not change them. If a mistake is in them, the last good
ones are used, and without such the narrowest ones. Secrets are not kept: those of the last good
settings are read from the files again, and without one of them the settings are not good.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from scorer.config.config import SECTIONS, Config, secrets_in, without_secrets
from scorer.config.loader import validate
from scorer.config.nested_values import merge_values
from scorer.config.page_file import FOLDER, problem_of, read_page
from scorer.config.toml_reader import (
    ConfigError,
    KeyLines,
    Problem,
    Values,
    parse_toml,
    read_optional,
)
from scorer.plain_values import Path as ValuePath
from scorer.plain_values import json_object, read

_LAST_GOOD_NAME = "last_good.json"
_SECRETS = "secrets"  # its key of the paths of the secrets that it lacks


class Program(NamedTuple):
    """The name of a process, its sections and its narrowest values.

    ``narrowest`` opens the least to others. ``folder`` keeps the last good values; None: nowhere.
    """

    name: str
    sections: tuple[str, ...]
    narrowest: Values
    folder: Path | None = None


class ProgramConfig(NamedTuple):
    """The settings of a process; ``is_narrowed`` if they are the narrowest."""

    config: Config
    is_narrowed: bool


def cache_folder() -> Path | None:
    """The CacheDirectory= of this service; None outside systemd."""
    named = os.environ.get("CACHE_DIRECTORY", "").partition(":")[0]
    return Path(named) if named else None


def load_for_program(
    program: Program, owner_file: Path, card_file: Path, page_folder: Path = FOLDER
) -> ProgramConfig:
    """The settings of ``program``, of the files of owner, card and settings page.

    Wrong values of the page are left out. Problems are printed on standard error, in the name of
    the program.
    """
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for where, path in (("", owner_file), ("on the card: ", card_file)):
        try:
            values = merge_values(values, _read_sections(program, path))
        except ConfigError as error:
            problems += (Problem(each.line, where + each.sentence) for each in error.problems)
    page = read_page(page_folder)
    own = {name: each for name, each in page.values.items() if name in program.sections}
    if not problems:
        try:
            config = validate(values, KeyLines(""))
        except ConfigError as error:  # each file is valid, both together are not
            problems += error.problems
        else:
            wrong = list(page.problems)
            for name, section in own.items():
                tried = merge_values(values, {name: section})
                try:
                    config, values = validate(tried, KeyLines("")), tried
                except ConfigError as error:
                    wrong += (problem_of(each.sentence) for each in error.problems)
            _print_problems(program, wrong)
            _save(program, values)
            return ProgramConfig(config, is_narrowed=False)
    _print_problems(program, problems)
    for good in _saved(program, (owner_file, card_file), own):
        sys.stderr.write(f"{program.name}: configuration, the last good settings are used\n")
        return ProgramConfig(good, is_narrowed=False)
    return ProgramConfig(validate(program.narrowest, KeyLines("")), is_narrowed=True)


def _print_problems(program: Program, problems: Iterable[Problem]) -> None:
    for problem in problems:
        where = f"line {problem.line}: " if problem.line else ""
        sys.stderr.write(f"{program.name}: configuration, {where}{problem.sentence}\n")


def _read_sections(program: Program, path: Path) -> dict[str, Any]:
    """The program's values in the file. Raises ConfigError if they are wrong.

    A section that nothing reads is wrong here too: it may be meant as one of the program.
    """
    text = read_optional(path)
    if text is None:
        return {}
    values = parse_toml(text)
    own = {
        name: section
        for name, section in values.items()
        if name in program.sections or name not in SECTIONS
    }
    validate(own, KeyLines(text))
    return {**own, **_language(values)}


def _language(values: Values) -> dict[str, Any]:
    """The language of the box, if it is one; messages can be read in any."""
    table = values.get("table")
    language = {"table": {"language": table.get("language")}} if isinstance(table, dict) else {}
    with suppress(ConfigError):
        validate(language, KeyLines(""))
        return language
    return {}


def _save(program: Program, values: Values) -> None:
    """Keep good values; a full or read-only disk does not stop the program."""
    if program.folder is None:
        return
    kept, new = program.folder / _LAST_GOOD_NAME, program.folder / f"{_LAST_GOOD_NAME}.new"
    saved = {**without_secrets(values), _SECRETS: [*secrets_in(values)]}
    with suppress(OSError):
        new.write_text(json.dumps(saved), encoding="utf-8")
        new.replace(kept)


def _saved(program: Program, files: Iterable[Path], page: Values) -> Iterator[Config]:
    """The last good configuration, if one is kept and still valid."""
    if program.folder is None:
        return
    # Whatever the file has, it is of this program or of none.
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        values = json_object(read_optional(program.folder / _LAST_GOOD_NAME) or "")
        if values is not None:
            missing = read(tuple[tuple[str, ...], ...], values.pop(_SECRETS, ()))
            written = {**_written_secrets(files), **secrets_in(page)} if missing else {}
            if not all(missing):
                raise ValueError("a secret without a key")
            for path in missing:
                _put(values, path, written.get(path))
            yield validate(values, KeyLines(""))


def _written_secrets(files: Iterable[Path]) -> dict[ValuePath, Any]:
    """The secrets in those of the files that are TOML."""
    found: dict[ValuePath, Any] = {}
    for path in files:
        with suppress(ConfigError):
            found |= secrets_in(parse_toml(read_optional(path) or ""))
    return found


def _put(values: Any, path: ValuePath, value: object) -> None:  # noqa: ANN401
    """Put a value at its path; None, for a missing one, is always wrong."""
    *above, last = path
    for key in above:
        values = values[int(key)] if isinstance(values, list) else values.setdefault(key, {})
    values[last] = value
