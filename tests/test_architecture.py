"""Who may import whom. The two tables are the architecture; the rest only reads them.

import-linter reads a coarser copy of the same thing in pyproject.toml; at the end both are shown a
tree that was broken on purpose, and both must see it.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.paths import ROOT

STANDARD = sys.stdlib_module_names
EVERYBODY = ("*",)

# Each part of scorer/ and the parts of ours it may import; whoever needs more argues for it here.
MAY_KNOW: dict[str, tuple[str, ...]] = {
    "rules":         (),
    "session":       ("rules",),
    "screen":        ("session.view", "locale"),
    "locale":        (),
    "store":         ("rules.notation",),
    "hw":            (),
    "socket":        (),
    "config":        (
        "rules", "sections", "session.settings", "boxes", "hw.load", "hw.options", "pins",
        "printer", "wifi.section", "written", "hw.boards",
    ),
    "sections":      ("hw.options", "rules.notation", "session.gestures", "session.settings"),
    "boxes":         (
        "hw.load", "hw.plugged", "hw.ports", "hw.together", "session.keymap", "session.seats",
        "session.settings",
    ),
    "layers":        ("config", "sections", "written"),
    "written":       ("rules.notation",),
    "cards":         ("rules", "locale"),
    "check_command": ("config", "layers", "store", "written"),
    "clock":         ("store",),
    "notices":       ("session.view",),
    "notify":        (),
    "orders":        (),
    "logind":        (),
    "power":         ("logind",),
    "panels":        ("hw.ports",),
    "sounds":        ("session.state",),
    "pins":          ("session.keymap", "session.settings"),
    "wiring":        ("pins", "session.keymap", "session.settings"),
    "labels":        ("locale", "session.keymap", "session.settings"),
    "books":         ("rules", "session", "store"),
    "night":         ("books", "rules", "session.record", "session.view"),
    "ledger":        ("books", "clock", "night", "store"),
    "requests":      (
        "answers", "ledger", "notices", "phone_requests", "phones", "refusal_words", "rules",
        "session", "store",
    ),
    # How a program is answered; what a phone may ask; the phones that may.
    "answers":       (),
    "phone_requests": ("answers", "ledger", "phones", "rules", "session"),
    "phones":        (),
    "refusal_words": ("rules",),
    "replay":        ("rules", "refusal_words"),
    "perft_command": ("rules",),
    "preview":       ("screen", "session.view", "locale"),
    "selftest":      ("hw.ports", "panels", "store"),
    "findings":      ("session.levels",),
    "outside":       ("session.state",),
    "showing":       (
        "hw.ports", "panels", "screen", "selftest", "session.light", "session.seats",
        "session.settings", "session.state", "session.view", "sounds",
    ),
    # It opens what the table opens and asks the running one, and knows nothing of its inside.
    "doctor":        (
        "boxes", "config", "hw", "layers", "locale", "pins", "power", "scoreboard", "screen",
        "sections", "selftest", "session.settings", "socket", "store", "written",
    ),
    # The desk: it knows the table's command line and socket, and how to read a panel's bytes.
    "demo":          ("hw.displays.controller_ram", "locale", "rules", "socket"),
    # The table's socket and the rules; history and night are told as the panel tells them.
    "web":           (
        "beside", "books", "layers", "locale", "night", "notify", "rules", "session.calling",
        "session.ending", "session.history", "session.meanings", "session.record",
        "session.remote", "session.seats", "session.settings", "socket",
        "wifi.state",
    ),
    # Root's own: it reads one table of the card and knows no score.
    "wifi":          ("hw.options", "written"),
    # The table's socket and the rules; a slip tells the calls as the panels' history does, and its
    # preview has their letters.
    "print":         (
        "beside", "layers", "locale", "night", "notify", "printer", "rules", "screen.fonts",
        "session.history", "session.record", "session.seats", "session.view", "slips", "socket",
    ),
    "printer":       ("hw.options",),
    "slips":         ("outside",),
    "scoreboard":    ("outside",),
    "beside":        ("config", "layers"),
    # What stands on the panels where no table does.
    "farewell":      ("hw.ports", "panels", "screen", "session.light", "showing"),
    "trouble":       (
        "answers", "hw.ports", "orders", "outside", "panels", "requests", "screen", "selftest",
        "session", "showing", "socket", "sounds",
    ),
    # Composition: these put the others together.
    "table":         EVERYBODY,
    "run":           EVERYBODY,
    "desk":          EVERYBODY,
    "begin":         EVERYBODY,
    "loop":          EVERYBODY,
    "service":       EVERYBODY,
    "cli":           EVERYBODY,
    "__main__":      ("cli",),
    "__init__":      (),
}  # fmt: skip
# And nobody but these may know them.
STARTED_ONLY = {
    "table": ("begin", "loop", "service", "desk"),
    "trouble": ("begin", "loop", "desk"),
    "begin": ("service", "desk"),
    "loop": ("service",),
    "farewell": ("service",),
    "service": ("run",),
    "desk": ("run",),
    "run": ("cli",),
    "cli": ("__main__",),
}

# What is not ours, and the files that may name it. Anything else needs a row, and an argument.
CONFINED: dict[str, tuple[str, ...]] = {
    "gpiozero":  ("hw/pins.py", "hw/inputs/gpio.py", "hw/outputs/", "hw/simulated.py"),
    "lgpio":     ("hw/displays/",),
    "luma":      ("hw/displays/luma_oled.py", "hw/displays/framebuffer.py"),
    "smbus2":    ("hw/displays/",),
    "spidev":    ("hw/displays/",),
    "evdev":     ("hw/inputs/",),
    "jeepney":   ("logind.py",),
    "serial":    ("hw/serial/",),
    "sqlite3":   ("store/",),
    "PIL":       (
        "screen/", "hw/", "panels.py", "preview.py", "demo/", "showing.py", "farewell.py",
        "trouble.py", "doctor/", "print/",
    ),
    "textual":   ("demo/",),
    "rich":      ("demo/",),
    "babel":     ("locale/__main__.py",),
    "segno":     ("screen/", "web/", "print/"),
    "fpdf":      ("labels/",),
    "pypdfium2": ("labels/",),
    "escpos":    ("print/",),
    "starlette": ("web/", "demo/front/"),
    "uvicorn":   ("web/", "demo/front/"),
    "_typeshed": ("hw/",),
    # The score never depends on the network.
    "asyncio":   ("web/", "demo/"),
    "http":      ("web/",),
    "urllib":    ("web/",),
}  # fmt: skip

# Importing these starts threads, changes the working directory, opens something, or only takes
# long: they are imported by the function that needs them.
LATE = ("gpiozero", "lgpio", "luma", "smbus2", "spidev", "evdev", "serial", "escpos", "jeepney")

VALUES = frozenset(
    {"__future__", "collections", "dataclasses", "enum", "functools", "itertools", "typing"}
)
# What the pure parts may take from the standard library: nothing with a clock, a file or a thread.
PURE = {
    "session": VALUES,
    # Variants are found by file name; sheets are read with expressions; perft makes digests.
    "rules": VALUES | {"difflib", "hashlib", "importlib", "pkgutil", "re"},
}


class Import(NamedTuple):
    """One imported name, and whether importing the file is enough to import it."""

    name: str
    line: int
    early: bool


def imports(tree: ast.Module) -> Iterator[Import]:
    """Every absolute import of a file; a relative one is told by a leading dot."""
    yield from _imports(tree, early=True)


def _imports(node: ast.AST, *, early: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, early) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            origin = "." * child.level + (child.module or "")
            names = [f"{origin}.{alias.name}" for alias in child.names]
            yield from (Import(name, child.lineno, early) for name in names)
        else:
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _imports(child, early=early and not inside and not _for_types(child))


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def offences(package: Path) -> list[str]:
    """Everything in a tree of ours that the tables do not allow, as sentences."""
    return [
        f"{path.relative_to(package)}:{found.line} {sentence}"
        for path in sorted(package.rglob("*.py"))
        for found in imports(ast.parse(path.read_text(encoding="utf-8")))
        for sentence in _problems(path.relative_to(package).as_posix(), found)
    ]


def _problems(file: str, found: Import) -> Iterator[str]:
    part = file.split("/")[0].removesuffix(".py")
    top, _, inner = found.name.partition(".")
    if not top:
        yield f"imports {found.name}: write the whole name"
    elif top == "scorer":
        yield from _inside(part, inner)
    else:
        yield from _outside(file, part, top, early=found.early)


def _inside(part: str, name: str) -> Iterator[str]:
    if part not in MAY_KNOW:
        yield f"has no row in MAY_KNOW: whom may {part} know?"
        return
    known = name.split(".")[0]
    if known == part or name == "__version__":
        return
    if part not in STARTED_ONLY.get(known, (part,)):
        yield f"imports {known}: only {STARTED_ONLY[known]} may"
    elif not any(_within(name, allowed) for allowed in MAY_KNOW[part]):
        yield f"imports {name}: {part} may know {MAY_KNOW[part]}"


def _within(name: str, allowed: str) -> bool:
    return allowed == "*" or f"{name}.".startswith(f"{allowed}.")


def _outside(file: str, part: str, top: str, *, early: bool) -> Iterator[str]:
    if top in CONFINED:
        if not file.startswith(CONFINED[top]):
            yield f"imports {top}: only {CONFINED[top]} may"
    elif top not in STANDARD:
        yield f"imports {top}: it has no row in CONFINED"
    if part in PURE and top not in PURE[part]:
        yield f"imports {top}: {part} is pure"
    if early and top in LATE:
        yield f"imports {top} on being imported: do it inside the function that opens the device"


def test_nobody_imports_what_the_tables_do_not_allow() -> None:
    assert offences(ROOT / "scorer") == []


def test_every_part_has_a_row() -> None:
    parts = {path.stem for path in (ROOT / "scorer").iterdir() if path.suffix == ".py"}
    parts |= {path.parent.name for path in (ROOT / "scorer").glob("*/__init__.py")}
    assert parts == set(MAY_KNOW)


# ---- a tree that was broken on purpose ----------------------------------------------------------

BROKEN = [
    # file                       the line put at its end               import-linter's contract
    ("rules/engine.py",          "import time",                        "pure"),
    ("rules/model.py",           "from scorer.hw import ports",        "layers"),
    ("rules/truco.py",           "def f(): import random",             "pure"),
    ("session/view.py",          "import logging",                     "pure"),
    ("session/view.py",          "from scorer.screen import canvas",   "layers"),
    ("hw/displays/memory.py",    "import gpiozero",                    "gpiozero"),
    ("hw/inputs/scripted.py",    "import luma.core",                   "luma"),
    ("hw/ports.py",              "from scorer.rules import Side",      "layers"),
    ("screen/canvas.py",         "import sqlite3",                     "sqlite3"),
    ("replay.py",                "import scorer.cli",                  "layers"),
    ("preview.py",               "import textual",                     "textual"),
    ("panels.py",                "import serial",                      "serial"),
    ("slips.py",                 "def f(): import escpos",             "escpos"),
    ("requests.py",              "import starlette",                   "starlette"),
    ("socket.py",                "import uvicorn",                     "starlette"),
]  # fmt: skip


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its contracts, free to be broken."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "scorer", tmp_path / "scorer", ignore=unwanted)
    return tmp_path


def import_linter(where: Path, contract: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs lint-imports there: every contract, or the one that is named."""
    call = "from importlinter.cli import lint_imports_command as lint; lint()"
    chosen = [] if contract is None else ["--contract", contract]
    return subprocess.run(
        [sys.executable, "-c", call, "--no-logo", "--no-cache", *chosen],
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
    )


def test_import_linter_finds_nothing_in_the_tree_as_it_is(copy: Path) -> None:
    linted = import_linter(copy)
    assert linted.returncode == 0, linted.stdout + linted.stderr


@pytest.mark.parametrize(("file", "line", "contract"), BROKEN)
def test_both_see_a_tree_that_was_broken(copy: Path, file: str, line: str, contract: str) -> None:
    path = copy / "scorer" / file
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\n{line}\n", encoding="utf-8")
    assert [o for o in offences(copy / "scorer") if o.startswith(f"{file}:")]
    linted = import_linter(copy, contract)
    assert linted.returncode == 1, linted.stdout + linted.stderr
    assert "scorer." + file.removesuffix(".py").replace("/", ".") in linted.stdout


@pytest.mark.parametrize(
    ("file", "line", "words"),
    [
        ("hw/pins.py", "import gpiozero", "on being imported"),
        ("screen/canvas.py", "from scorer.session import gestures", "may know"),
        ("store/extra.py", "from scorer.rules import engine", "may know"),
        ("hw/serial/box.py", "import requests", "no row in CONFINED"),
        ("hw/ports.py", "from . import load", "write the whole name"),
        ("karaoke.py", "import scorer.rules", "no row in MAY_KNOW"),
        ("demo/terminal.py", "from scorer import table", "only"),
        ("socket.py", "import asyncio", "only"),
    ],
)
def test_the_finer_table_sees_more(tmp_path: Path, file: str, line: str, words: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line, encoding="utf-8")
    (found,) = offences(tmp_path)
    assert words in found


# ---- importing is not doing ---------------------------------------------------------------------

WATCHED_IMPORT = """
import importlib, json, os, sys, threading
from pathlib import Path

package, modules, late = json.loads(sys.argv[1])
started_in, module, seen = os.getcwd(), None, []

def watch(event, arguments):
    if event in ("subprocess.Popen", "socket.connect", "socket.bind", "sqlite3.connect"):
        seen.append(f"{module}: {event}")
    if event == "open" and isinstance(arguments[0], str):
        ours = arguments[0].startswith(package) and not arguments[0].endswith((".py", ".pyc"))
        # With caches being written, Python opens <name>.pyc.<number>.
        if (ours and "__pycache__" not in arguments[0]) or arguments[0].startswith("/dev/"):
            seen.append(f"{module}: opens {arguments[0]}")

sys.addaudithook(watch)
for module in modules:
    before = set(sys.modules)
    importlib.import_module(module)
    new = {name.split(".")[0] for name in set(sys.modules) - before}
    seen += [f"{module}: imports {name}" for name in sorted(new.intersection(late))]
    if threading.active_count() != 1:
        seen.append(f"{module}: starts a thread")
        break
    if os.getcwd() != started_in:
        seen.append(f"{module}: changes the working directory")
        break
print(json.dumps(seen))
"""


def watched_import(package: Path) -> list[str]:
    """What importing every module of a tree does beside defining things."""
    paths = [path for path in package.rglob("*.py") if path.name != "__main__.py"]
    names = [path.relative_to(package.parent).with_suffix("").parts for path in paths]
    modules = sorted(".".join(name).removesuffix(".__init__") for name in names)
    task = json.dumps([str(package), modules, LATE])
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WATCHED_IMPORT, task],
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found: list[str] = json.loads(run.stdout)
    return found


def test_importing_our_modules_does_nothing() -> None:
    assert watched_import(ROOT / "scorer") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
         "starts a thread"),
        ("from pathlib import Path; Path(__file__).with_name('note.txt').read_text()", "opens"),
        ("open('/dev/null').close()", "opens"),
        ("import os; os.chdir('/')", "changes the working directory"),
        ("import serial", "imports serial"),
    ],
)  # fmt: skip
def test_a_module_that_does_something_is_seen(tmp_path: Path, line: str, words: str) -> None:
    package = tmp_path / "ours"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "note.txt").write_text("", encoding="utf-8")
    (package / "busy.py").write_text(line, encoding="utf-8")
    assert any(words in sentence for sentence in watched_import(package))
