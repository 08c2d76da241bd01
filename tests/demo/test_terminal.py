"""The demo on a real terminal (tmux): a hand, the panel read back, a clean exit.

The panel on the terminal is compared with the frames that the script player writes for the same
presses.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from scorer.demo.pixels import BRAILLE, HALF_BLOCKS, Glyphs
from scorer.i18n import languages, translator
from scorer.store.archive import Archive
from tests.commands.test_printed_text import named_store
from tests.demo.read_pixels import read_back
from tests.sampling import sample

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux to be looked at"),
]
PANEL = (128, 64)
PATIENCE = 20.0  # seconds; a busy machine is not a failure


class Terminal:
    """A tmux session with a shell in it."""

    def __init__(self, folder: Path, columns: int, rows: int) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(folder / "tmux")]
        size = ["-x", str(columns), "-y", str(rows)]
        self._run("new-session", "-d", *size, "env PS1='$ ' bash --norc --noprofile")
        # Text typed before the shell reads it is echoed twice.
        self.until(lambda: self.screen()[0].startswith("$"))

    def close(self) -> None:
        """Kill the tmux server, which closes the window. Idempotent."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def type(self, text: str) -> None:
        """Type a line at the shell."""
        self._run("send-keys", "-l", text)
        self._run("send-keys", "Enter")

    def key(self, name: str) -> None:
        """Press one key by tmux's name."""
        self._run("send-keys", name)

    def screen(self) -> list[str]:
        return self._run("capture-pane", "-p").splitlines() or [""]

    def is_full_screen(self) -> bool:
        """Whether a program uses the alternate screen."""
        return self._run("display-message", "-p", "#{alternate_on}").strip() == "1"

    def title(self) -> str:
        """The title of the window, which programs may set."""
        return self._run("display-message", "-p", "#{pane_title}")

    def until(self, seen: Callable[[], bool]) -> None:
        """Wait until ``seen`` is true; on a timeout fail with the screen."""
        _until(seen, lambda: "\n".join(self.screen()))

    def panel(self, glyphs: Glyphs) -> Image.Image:
        """The picture between its walls; black without walls."""
        lines = self.screen()
        columns, rows = glyphs.cells(PANEL)
        top = next((row for row, line in enumerate(lines) if "│" in line), None)
        if top is None:
            return Image.new("1", PANEL)
        left = lines[top].index("│") + 1
        inside = [line[left : left + columns] for line in lines[top : top + rows]]
        return read_back(inside, glyphs, PANEL)

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words], check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout


def _until(seen: Callable[[], bool], describe: Callable[[], str]) -> None:
    end = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < end, describe()
        # tmux sends no event to wait for.
        time.sleep(0.05)


@pytest.fixture
def terminal_of(tmp_path: Path) -> Iterator[Callable[[int, int], Terminal]]:
    made: list[Terminal] = []

    def terminal(columns: int, rows: int) -> Terminal:
        made.append(Terminal(tmp_path, columns, rows))
        return made[0]

    yield terminal
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[bytes]]:
    """The frames of panel A after each press of a hand, from the script player."""
    folder = tmp_path_factory.mktemp("frames")
    script, answers = folder / "lines", folder / "answers"
    # Long enough for guards and notices to expire, and for both phases of a blinking text.
    presses = ("wait 1", "A truco", "B quiero", "A tantos", "power cut")
    script.write_text("".join(f"{line}\nwait 8\n" for line in presses))
    with answers.open("w") as out:
        words = [sys.executable, "-m", "scorer", "demo", "--script", str(script), "--json"]
        words += ["--language", "es-AR", "--frames", str(folder)]
        subprocess.run(words, check=True, stdout=out)
    results = [json.loads(line) for line in answers.read_text().splitlines()]
    return {
        first["line"]: {
            _pixels(folder / file)
            for file in [*first["files"], *then["files"]]
            if file.startswith("A-") and _pixels(folder / file).strip(b"\0")
        }
        for first, then in zip(results[::2], results[1::2], strict=True)
    }


def _pixels(file: Path) -> bytes:
    with Image.open(file) as picture:
        return picture.tobytes()


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    ("columns", "rows", "glyphs"),
    [(80, 24, BRAILLE), (132, 40, HALF_BLOCKS)],
    ids=["80x24", "132x40"],
)
def test_a_hand_is_played_and_read_from_the_screen(
    terminal_of: Callable[[int, int], Terminal],
    pictures: dict[str, set[bytes]],
    columns: int,
    rows: int,
    glyphs: Glyphs,
) -> None:
    terminal = terminal_of(columns, rows)
    _start(terminal)
    assert any(re.search(r" http://127\.0\.0\.1:[0-9]+$", row) for row in terminal.screen())
    for key, line in (("q", "A truco"), ("j", "B quiero"), ("d", "A tantos")):
        terminal.key(key)
        terminal.until(lambda line=line: terminal.panel(glyphs).tobytes() in pictures[line])  # type: ignore[misc]
        assert any("anotado" in row for row in terminal.screen())
    terminal.key("F9")
    terminal.until(lambda: terminal.panel(glyphs).getbbox() is None)
    terminal.until(lambda: terminal.panel(glyphs).tobytes() in pictures["power cut"])
    _leaves(terminal, lambda: terminal.key("F10"), "left with 0")


def test_a_new_store_opens_with_a_guided_hand_that_does_not_count(
    terminal_of: Callable[[int, int], Terminal], tmp_path: Path
) -> None:
    terminal = terminal_of(80, 24)
    options = ("--store", str(tmp_path / "store"))
    _start(terminal, *options, guided=True)
    for at, key in enumerate(("w", "j", "d", "u", "s"), 1):
        following = f"{at} de 5 · ahora"
        terminal.until(lambda following=following: following in _text(terminal))  # type: ignore[misc]
        assert f"tecla {key}" in _text(terminal)
        terminal.key(key)
    terminal.until(lambda: "Fin de la guía" in _text(terminal))
    # The whole legend is there, and the panel in its walls.
    assert "F10: salir" in _text(terminal) and "│" in _text(terminal)
    # The next press is the first of the evening.
    played = ["A truco", "B quiero", "A hand_won"]
    for count, key in enumerate("qjd", 1):
        terminal.key(key)
        terminal.until(lambda count=count: _rows(tmp_path / "store") == played[:count])  # type: ignore[misc]
    _leaves(terminal, lambda: terminal.key("F10"), "A 2 · B 0")
    assert _rows(tmp_path / "store") == played
    terminal.type("clear")
    terminal.until(lambda: "as it was" not in terminal.screen())
    _start(terminal, *options, guided=True)
    assert "de 5 · ahora" not in _text(terminal)


@pytest.mark.sampled(0)
def test_a_name_in_a_store_does_not_steer_the_terminal(
    terminal_of: Callable[[int, int], Terminal], tmp_path: Path
) -> None:
    store = named_store(tmp_path, "A\x1b]0;X\x07")
    terminal = terminal_of(100, 30)
    title = terminal.title()
    _start(terminal, "--store", store)
    terminal.until(lambda: r"A\u001b]0;X\u0007" in _text(terminal))
    assert terminal.title() == title
    _leaves(terminal, lambda: terminal.key("F10"), r"A\u001b]0;X\u0007 1")
    assert terminal.title() == title


@pytest.mark.sampled(0)
@pytest.mark.parametrize("leave", ["Escape", "F10"])
def test_a_guided_hand_that_is_left_does_not_count_either(
    terminal_of: Callable[[int, int], Terminal], tmp_path: Path, leave: str
) -> None:
    terminal = terminal_of(80, 24)
    _start(terminal, "--store", str(tmp_path / "store"), guided=True)
    for at, key in enumerate("wjd", 1):
        following = f"{at} de 5 · ahora"
        terminal.until(lambda following=following: following in _text(terminal))  # type: ignore[misc]
        terminal.key(key)
    terminal.until(lambda: "4 de 5 · ahora" in _text(terminal))
    if leave == "Escape":
        terminal.key("Escape")
        terminal.until(lambda: "de 5 · ahora" not in _text(terminal))
    _leaves(terminal, lambda: terminal.key("F10"), "A 0 · B 0")
    assert _rows(tmp_path / "store") == []


@pytest.mark.sampled(0)
@pytest.mark.parametrize("key", ["C-q", "C-c"])
def test_every_exit_key_restores_the_terminal(
    terminal_of: Callable[[int, int], Terminal], key: str
) -> None:
    terminal = terminal_of(80, 24)
    _start(terminal)
    _leaves(terminal, lambda: terminal.key(key), "left with 0")


@pytest.mark.sampled(0)
def test_a_table_that_dies_is_reported_on_a_restored_terminal(
    terminal_of: Callable[[int, int], Terminal], tmp_path: Path
) -> None:
    terminal = terminal_of(80, 24)
    store = tmp_path / "store"
    _start(terminal, "--store", str(store))
    _leaves(terminal, lambda: os.kill(_table_of(store), signal.SIGKILL), "left with 1")
    assert "scorer demo: the table ended by signal 9" in terminal.screen()


@pytest.mark.sampled(0)
def test_closing_the_terminal_ends_the_table_and_removes_its_store(
    terminal_of: Callable[[int, int], Terminal], tmp_path: Path
) -> None:
    terminal = terminal_of(80, 24)
    stores = tmp_path / "stores"
    stores.mkdir()
    terminal.type(f"export TMPDIR={shlex.quote(str(stores))}")
    _start(terminal)
    (store,) = stores.iterdir()
    table = Path("/proc") / str(_table_of(store))
    terminal.key("q")
    terminal.close()
    _until(lambda: not table.exists() and not any(stores.iterdir()), lambda: str(store))


@pytest.mark.sampled(0)
def test_a_terminal_lost_without_a_signal_ends_the_demo(tmp_path: Path) -> None:
    window, inside = pty.openpty()
    termios.tcsetwinsize(window, (24, 80))
    words = [sys.executable, "-m", "scorer", "demo", "--language", "es-AR"]
    # In a session of its own, without this controlling terminal: no SIGHUP is sent.
    demo = subprocess.Popen(
        words,
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", "TMPDIR": str(tmp_path)},
    )
    os.close(inside)
    drawn = b""
    while b"TRUCO" not in drawn:
        drawn += os.read(window, 4096)
    os.close(window)
    try:
        demo.wait(PATIENCE)
    finally:
        demo.kill()
        demo.wait()
    assert not any(tmp_path.iterdir())


@pytest.mark.sampled(0)
@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (60, 16), (60, 20)])
def test_a_window_that_is_too_small_shows_the_words_of_the_panel(
    terminal_of: Callable[[int, int], Terminal], columns: int, rows: int
) -> None:
    terminal = terminal_of(columns, rows)
    _start(terminal, until="?: ayuda")
    terminal.key("q")
    terminal.until(lambda: "NO 1" in "\n".join(terminal.screen()))
    assert "agrandá la ventana" in " ".join(map(str.strip, terminal.screen()))
    assert not any("…" in line for line in terminal.screen())


@pytest.mark.sampled(0)
def test_a_low_window_shows_the_panel_before_the_whole_legend(
    terminal_of: Callable[[int, int], Terminal], pictures: dict[str, set[bytes]]
) -> None:
    terminal = terminal_of(80, 19)
    _start(terminal, until="?: ayuda")
    terminal.key("q")
    terminal.until(lambda: terminal.panel(BRAILLE).tobytes() in pictures["A truco"])


@pytest.mark.sampled(0)
def test_a_wide_window_shows_both_panels_and_whose_they_are(
    terminal_of: Callable[[int, int], Terminal], pictures: dict[str, set[bytes]]
) -> None:
    terminal = terminal_of(200, 60)
    _start(terminal)
    terminal.key("q")
    terminal.until(lambda: terminal.panel(HALF_BLOCKS).tobytes() in pictures["A truco"])
    (top,) = (row for row in terminal.screen() if "╭" in row)
    assert top.index("la ve el equipo A") < top.index("la ve el equipo B")


@pytest.mark.sampled(0)
def test_the_words_below_a_panel_are_its_own(
    terminal_of: Callable[[int, int], Terminal],
) -> None:
    terminal = terminal_of(80, 24)
    _start(terminal)
    terminal.key("q")
    for panel, owes in (("A", "responde: Ellos"), ("B", "responde: Nosotros")):
        shown = (owes, f"pantalla {panel}: la ve el equipo {panel}")
        terminal.until(lambda shown=shown: all(each in _text(terminal) for each in shown))  # type: ignore[misc]
        terminal.key("Tab")


@pytest.mark.sampled(0)
def test_a_question_mark_shows_the_help_and_any_key_leaves_it(
    terminal_of: Callable[[int, int], Terminal],
) -> None:
    terminal = terminal_of(80, 24)
    _start(terminal)
    terminal.key("?")
    terminal.until(lambda: "Una mano para probar" in _text(terminal))
    terminal.key("q")
    terminal.until(lambda: "Una mano para probar" not in _text(terminal))
    assert "anotado" not in _text(terminal)
    _leaves(terminal, lambda: terminal.key("F10"), "A 0 · B 0; no se guardó")


def _text(terminal: Terminal) -> str:
    return "\n".join(terminal.screen())


@pytest.mark.sampled(0)
@pytest.mark.parametrize("language", sample(languages(), 1))
def test_no_word_is_cut_on_80_columns(
    terminal_of: Callable[[int, int], Terminal], language: str
) -> None:
    terminal = terminal_of(80, 24)
    _start(terminal, "--language", language)
    terminal.key("q")
    say = translator(language)
    owes = say("pending.owes", side=say("side.theirs"))
    terminal.until(lambda: any(owes in row for row in terminal.screen()))
    assert not any("…" in row for row in terminal.screen())


def _start(
    terminal: Terminal, *options: str, until: str = "A  q TRUC", guided: bool = False
) -> None:
    words = [sys.executable, "-m", "scorer", "demo", "--language", "es-AR", *options]
    # One line: text typed while the shell is busy is echoed twice. Its last words must not end
    # a long command, which may be broken before them.
    terminal.type(
        f'was="$(stty -a)"; {shlex.join(words)}; echo left with $?;'
        ' test "$(stty -a)" = "$was" && echo "as it" was'
    )
    terminal.until(lambda: terminal.is_full_screen() and until in _text(terminal))
    if not guided:
        terminal.key("Escape")
        terminal.until(lambda: "Esc: " not in _text(terminal))


def _leaves(terminal: Terminal, leave: Callable[[], object], words: str) -> None:
    assert terminal.is_full_screen()
    leave()
    terminal.until(lambda: "as it was" in terminal.screen())
    assert any(row.startswith(words) for row in terminal.screen())
    assert not terminal.is_full_screen()


def _rows(store: Path) -> list[str]:
    with Archive.open(store) as archive:
        return [row.line for game in archive.games() for row in game.rows]


def _table_of(store: Path) -> int:
    """The process that the demo starts on this store, once the guide is left."""
    _until(lambda: _tables_of(store) != [], lambda: f"no table runs on {store}")
    return _tables_of(store)[0]


def _tables_of(store: Path) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended meanwhile
        if b"run" in words and bytes(store) in words:
            found.append(int(folder.name))
    return found
