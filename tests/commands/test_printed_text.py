"""No command lets the text of a stranger steer a terminal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorer.cli import COMMANDS, main
from scorer.store import file
from scorer.store.journal import Journal, Stamp
from scorer.tournament.export import encode
from tests.paths import ROOT
from tests.tournament.play import Played, built_in

# Titles and colours of a terminal, in seven and eight bits, and letters from right to left.
HOSTILE = "\x1b]0;PWNED\x07\x1b[31m\x9b31m\u202e\u2066\x7f"
SHOWN = "\\u001b]0;PWNED\\u0007\\u001b[31m\\u009b31m\\u202e\\u2066\\u007f"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command has printed, none of which steers a terminal."""
    try:
        main([*words])
    except SystemExit as ended:
        assert ended.code in (0, 1, 2)
    found = capsys.readouterr()
    text = found.out + found.err
    assert all(letter.isprintable() or letter in "\n\t" for letter in text), ascii(text)
    return text


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_a_command_shows_a_foreign_word_by_its_numbers(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    text = printed(capsys, name, f"--no-such{HOSTILE}", HOSTILE)
    assert "PWNED" in text
    # Some show the word as Python writes it.
    assert SHOWN in text or repr(HOSTILE)[1:-1] in text


def sheet(folder: Path) -> str:
    path = folder / "x.truco"
    path.write_text(f'[Variant "argentine"]\n[NameA "A{HOSTILE}"]\n\nA truco\n', "utf-8")
    return str(path)


def configuration(folder: Path) -> str:
    path = folder / "x.toml"
    text = '[table]\nvariant = "argentine#"\n"x#" = 1\n'.replace("#", HOSTILE[-3:-1])
    path.write_text(text, "utf-8")
    return str(path)


def named_store(folder: Path, name: str = f"A{HOSTILE}") -> str:
    """The folder of a store in which a team has this name."""
    stamp = Stamp("b", 0, "2026-01-01T21:00:00+00:00", trusted=True)
    with Journal.open(folder / "store") as journal:
        opens = f'[Variant "argentine"]\n[NameA "{name}"]\n[NameB "B"]\n'
        journal.append(game=1, lines=["A award 1"], source="A", stamp=stamp, opens=opens)
    return str(folder / "store")


def store(folder: Path) -> str:
    """A store in which a stranger has written, as on a stick that was found."""
    named_store(folder, "A")
    path = folder / "store" / file.FILE_NAME
    with closing(sqlite3.connect(path)) as database, database:
        (table,) = database.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE '%line%' AND type = 'table' LIMIT 1"
        ).fetchone()
        database.execute(f"UPDATE {table} SET line = ?", (f"A award{HOSTILE}",))
    return str(path)


def script(folder: Path, line: str = "A quiero") -> str:
    path = folder / "script"
    path.write_text(f"wait 9\n{line}\n", "utf-8")
    return str(path)


def tournament(folder: Path) -> str:
    """The file of a tournament with a title that a stranger wrote."""
    played = Played(built_in("swiss"), 4).draw()
    document = json.loads(encode(played.state.format, played.log))
    document["format"]["title"] = f"T{HOSTILE}"
    path = folder / "tournament.json"
    path.write_text(json.dumps(document), "utf-8")
    return str(path)


def teams(folder: Path) -> str:
    path = folder / "teams.csv"
    path.write_text(f"Los Pibes{HOSTILE}\nLos Pibes{HOSTILE}\nLa Yunta\n", "utf-8")
    return str(path)


def hub(folder: Path, *words: str) -> list[str]:
    """A command of a hub."""
    none = ["--config", "/dev/null", "--card", "/dev/null", "--state", f"{folder}/hub"]
    return ["hub", *none, *words]


def hub_with_a_tournament(folder: Path, *words: str) -> list[str]:
    """A command of a hub that has the tournament of a stranger."""
    main(hub(folder, "tournament", "import", tournament(folder)))
    return hub(folder, *words)


CASES: dict[str, Callable[[Path], list[str]]] = {
    "replay": lambda folder: ["replay", sheet(folder)],
    "replay of a file that is not there": lambda folder: ["replay", f"{folder}/{HOSTILE}"],
    "print": lambda folder: ["print", "--sheet", sheet(folder)],
    "check": lambda folder: ["check", configuration(folder)],
    "demo, its script": lambda folder: [
        "demo", "--script", script(folder, f"A {HOSTILE}")
    ],
    "demo, a store": lambda folder: [
        "demo", "--script", script(folder), "--store", named_store(folder)
    ],
    "demo, a store, as JSON": lambda folder: [
        "demo", "--json", "--script", script(folder), "--store", named_store(folder)
    ],
    "hub, a file": lambda folder: hub(folder, "restore", f"{folder}/{HOSTILE}"),
    "hub, a tournament of others": lambda folder: hub(
        folder, "tournament", "import", tournament(folder)
    ),
    "hub, its tournaments": lambda folder: hub_with_a_tournament(folder, "tournament", "list"),
    "hub, a copy": lambda folder: hub_with_a_tournament(
        folder, "tournament", "export", f"{folder}/{HOSTILE}"
    ),
    "hub, a draw": lambda folder: ["hub", "tournament", "draw", tournament(folder)],
    "hub, entries": lambda folder: [
        "hub", "tournament", "entries", teams(folder), "--format", "swiss"
    ],
    "hub, its site": lambda folder: hub_with_a_tournament(folder, "publish", f"{folder}/site"),
    "restore": lambda folder: ["restore", "--store", f"{folder}/new", store(folder)],
    "backup": lambda folder: ["backup", "--store", f"{folder}/{HOSTILE}", f"{folder}/copy"],
    "export": lambda folder: ["export", "--store", f"{folder}/{HOSTILE}", f"{folder}/out"],
    "phones": lambda folder: ["phones", "--config", configuration(folder)],
    "doctor": lambda folder: ["doctor", "--config", configuration(folder)],
    "preview": lambda folder: ["preview", HOSTILE],
    "perft": lambda folder: ["perft", HOSTILE],
    "variants": lambda folder: ["variants", HOSTILE],
    "no command": lambda folder: [HOSTILE],
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_file_steers_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, case: Callable[[Path], list[str]]
) -> None:
    words = case(tmp_path)
    capsys.readouterr()
    assert printed(capsys, *words)


def test_names_of_a_sheet_are_shown_and_letters_stay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert f"A{SHOWN}" in printed(capsys, "replay", sheet(tmp_path))
    path = tmp_path / "y.truco"
    path.write_text('[Variant "argentine"]\n[NameA "Ñandú 🃏"]\n\nA truco\n', "utf-8")
    assert "Ñandú 🃏" in printed(capsys, "replay", str(path))


def test_json_stays_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for line in printed(capsys, "replay", "--json", sheet(tmp_path)).splitlines():
        assert json.loads(line)["game"] == 1


def test_no_module_writes_beside_the_printable_output() -> None:
    """``sys.__stdout__`` and ``os.write`` to a terminal would go round it."""
    for path in (ROOT / "scorer").rglob("*.py"):
        text = path.read_text("utf-8")
        assert "sys.__std" not in text, path
        assert "os.write(1" not in text and "os.write(2" not in text, path
