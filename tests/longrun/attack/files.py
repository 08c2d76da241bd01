"""Files: mistyped configurations, and stores with foreign objects."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import tempfile
import tomllib
from pathlib import Path
from random import Random

from scorer.config.standalone import Program, load_for_program
from scorer.store import file
from scorer.store.errors import StoreError
from scorer.store.journal import Journal
from scorer.web.command import NARROWEST
from tests.longrun.attack.checks import Checks

CONFIG = """[table]
variant = "uruguayan"
language = "es-UY"
[web]
address = "127.0.0.1"
port = 19090
viewers = 50
[guards]
slap = 1.5
[[panel]]
driver = "ssd1306"
"""
LETTERS = 'abcde019[]="._-\n \ufeff\x00\xff'
TABLES = ("game", "journal", "newest", "setting")
FOREIGN = (
    "CREATE INDEX {name} ON {table} (length(replace(hex(zeroblob({size})), '0', 'aa')))",
    "CREATE UNIQUE INDEX {name} ON {table} ({size})",
    "CREATE VIEW {name} AS SELECT * FROM {table} LIMIT {size}",
    "CREATE TABLE {name} (who TEXT DEFAULT '{size}')",
    "CREATE TRIGGER {name} BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE) FROM game; END",
    "CREATE TRIGGER {name} AFTER UPDATE ON {table} BEGIN DELETE FROM journal; END",
)


def mistype_configurations(checks: Checks, share: int) -> None:
    """One to three wrong letters in a file that binds the server to this machine."""
    count, random, narrowed = 5000 // share, Random(4), 0
    with tempfile.TemporaryDirectory() as name:
        written, card = Path(name) / "scorer.toml", Path(name) / "none.toml"
        program = Program("scorer web", ("web", "socket"), NARROWEST)
        for _ in range(count):
            text = _mistyped(random)
            written.write_bytes(text.encode("utf-8", "surrogateescape"))
            with contextlib.redirect_stderr(io.StringIO()):
                config, is_narrowed = load_for_program(program, written, card)
            narrowed += is_narrowed
            address = config.web.address
            is_written = address in (NARROWEST["web"]["address"], _written_address(text))
            checks.check(is_written, f"{address}: {text!r}")
    checks.note = f"{count} files, {narrowed} of them refused; none listens wider than written"


def _mistyped(random: Random) -> str:
    text = CONFIG
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text))
        kept = random.choice((text[at], ""))
        text = text[:at] + random.choice(("", *LETTERS)) + kept + text[at + 1 :]
    return text


def _written_address(text: str) -> object:
    """The address that the file names; None if it has no [web] with one."""
    try:
        section = tomllib.loads(text.removeprefix("\ufeff")).get("web")
    except tomllib.TOMLDecodeError:
        return None
    return section.get("address") if isinstance(section, dict) else None


def add_foreign_objects(checks: Checks, share: int) -> None:
    """Indexes, views, tables and triggers of others in a copied store."""
    rounds, random = 100 // share, Random(5)
    with tempfile.TemporaryDirectory() as name:
        for number in range(rounds):
            for kind, statement in enumerate(FOREIGN):
                folder = Path(name) / f"{number}-{kind}"
                Journal.open(folder).close()
                words = {
                    "name": f"n{number}",
                    "table": random.choice(TABLES),
                    "size": random.randrange(1, 10_000),
                }
                added = _add(folder / file.FILE_NAME, statement.format(**words))
                checks.check(not added or _is_rejected(folder), f"{statement} is accepted")
    checks.note = f"{rounds * len(FOREIGN)} stores"


def _add(path: Path, statement: str) -> bool:
    """Whether SQLite accepts the statement (a table without rowid has none to index)."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        try:
            database.execute(statement)
        except sqlite3.OperationalError:
            return False
        database.commit()
    return True


def _is_rejected(folder: Path) -> bool:
    try:
        Journal.open(folder).close()
    except StoreError as error:
        return error.kind == "damaged"
    return False
