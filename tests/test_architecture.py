"""The import contracts of pyproject.toml, and imports without side effects."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.paths import ROOT

# Importing these starts threads, changes the working directory, opens something, or takes long: the
# function that opens the device imports them.
LATE = ("gpiozero", "lgpio", "luma", "smbus2", "spidev", "evdev", "serial", "escpos", "jeepney")

# For each contract a line that breaks it, and the module to which it is appended.
BROKEN = {
    "layers":    ("commands/replay.py",      "import scorer.cli"),
    "processes": ("web/app.py",              "from scorer.table import table"),
    "stateless": ("web/timeline.py",         "from scorer.store import journal"),
    "page":      ("browser/hardware.py",     "import socket"),
    "hub":       ("hub/decisions.py",        "from scorer.api import replies"),
    "hub_layers": ("hub/state.py",           "from scorer.hub import match_caller"),
    "hub_words": ("hub/paper/sheets.py",     "from scorer.hub.store import log"),
    "database":  ("link/status.py",          "import sqlalchemy"),
    "networkx":  ("hub/decisions.py",        "import networkx"),
    "link":      ("link/status.py",          "from scorer.records import replay"),
    "radio":     ("radio/station.py",        "from scorer.store import journal"),
    "mqtt":      ("link/outlet.py",          "import paho.mqtt"),
    "shared":    ("serving/csrf.py",         "from scorer.session.values import settings"),
    "session":   ("session/values/state.py", "from scorer.session.input import keymap"),
    "view":      ("session/view/history.py", "from scorer.session.play import questions"),
    "rules":     ("rules/seating.py",        "from scorer.rules.variant import Rules"),
    "displays":  ("display/oled/canvas.py",  "from scorer.session.input import gestures"),
    "store":     ("store/rows.py",           "from scorer.rules import engine"),
    "pure":      ("rules/engine.py",         "def f(): import time"),
    "gpiozero":  ("hw/displays/fake_bus.py", "import gpiozero"),
    "luma":      ("hw/inputs/gpio.py",       "import luma.core"),
    "buses":     ("hw/serial/port.py",       "def f(): import smbus2"),
    "serial":    ("table/panels.py",         "import serial"),
    "logind":    ("system/power.py",         "import jeepney"),
    "sqlite3":   ("table/selftest.py",       "import sqlite3"),
    "pillow":    ("config/loader.py",        "from PIL import Image"),
    "babel":     ("i18n/__init__.py",        "import babel"),
    "segno":     ("api/server.py",           "import segno"),
    "labels":    ("makers/wiring/svg.py",    "import fpdf"),
    "escpos":    ("table/print_client.py",   "def f(): import escpos"),
    "textual":   ("commands/preview.py",     "import textual"),
    "jinja2":    ("serving/csrf.py",         "import jinja2"),
    "templates": ("table/selftest.py",       "from scorer.serving import templates"),
    "network":   ("api/server.py",           "import asyncio"),
}  # fmt: skip


def import_linter(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run lint-imports in a folder with a pyproject.toml and a package."""
    call = "from importlinter.cli import lint_imports_command as lint; lint()"
    return subprocess.run(
        [sys.executable, "-c", call, "--no-logo", "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def contracts() -> dict[str, str]:
    """The contracts of pyproject.toml: id -> name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {each["id"]: each["name"] for each in project["tool"]["importlinter"]["contracts"]}


def test_every_contract_can_fail(tmp_path: Path) -> None:
    assert set(BROKEN) == set(contracts()), "give each contract one line in BROKEN that breaks it"
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "scorer", tmp_path / "scorer", ignore=unwanted)
    assert import_linter(tmp_path).returncode == 0
    for file, line in BROKEN.values():
        path = tmp_path / "scorer" / file
        path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    report = import_linter(tmp_path).stdout
    broken = set(re.findall(r"^(.+) BROKEN", report, re.MULTILINE))
    assert broken == set(contracts().values()), report


def test_a_package_without_a_layer_fails(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "scorer", tmp_path / "scorer", ignore=unwanted)
    (tmp_path / "scorer" / "karaoke.py").write_text("import scorer.rules\n", encoding="utf-8")
    report = import_linter(tmp_path)
    assert report.returncode == 1
    assert "karaoke" in report.stdout


def test_the_top_of_the_package_holds_packages_only() -> None:
    files = {path.name for path in (ROOT / "scorer").iterdir() if path.is_file()}
    written_by_the_build = {"_version.py"}
    assert files - written_by_the_build == {"__init__.py", "__main__.py", "cli.py", "py.typed"}


# ---- importing has no effect --------------------------------------------------------------------

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
    """The side effects of importing every module of a tree."""
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


def test_importing_a_module_has_no_side_effect() -> None:
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
def test_a_module_with_a_side_effect_is_found(tmp_path: Path, line: str, words: str) -> None:
    package = tmp_path / "ours"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "note.txt").write_text("", encoding="utf-8")
    (package / "busy.py").write_text(line, encoding="utf-8")
    assert any(words in sentence for sentence in watched_import(package))
