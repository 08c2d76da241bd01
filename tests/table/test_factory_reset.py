"""Set-up asks for a factory reset: owner's code, every team, never in a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.api.backup_protocol import BackupReport, BackupRequest, BackupResult
from scorer.api.reset_request import told_folder
from scorer.cli import main
from scorer.commands.reset import ResetFolders
from scorer.display import draw_view
from scorer.i18n import languages
from scorer.store.journal import Journal
from scorer.table import service
from scorer.table.hooks import TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.owner_code import CLOSED_S
from tests.support.in_process_table import InProcessTable, stamp, table_in_process

CODE = "403911"
CONFIG = f"""
[table]
variant = "argentine"
language = "es-AR"
[owner]
code = "{CODE}"
"""


class Stick:
    """A backup service whose reports the test gives."""

    def __init__(self, result: BackupResult = BackupResult.SENT) -> None:
        self.requests: list[BackupRequest] = []
        self.result = result

    def __call__(self, asked: BackupRequest) -> BackupReport:
        self.requests.append(asked)
        return BackupReport(self.result)


@contextmanager
def opened(
    store: Path, stick: Stick | None = None, config: str = CONFIG, code: str = CODE
) -> Iterator[tuple[InProcessTable, list[LoopCommand]]]:
    hooks = TableHooks(request_backup=stick or Stick(), owner_code=code)
    with table_in_process(store, config, stamp, None, hooks) as table:
        yield table, table.simulated.commands


def said(table: InProcessTable) -> str:
    return " ".join(table.text)


def ask(table: InProcessTable, code: str = CODE, *, has_games: bool = False) -> None:
    table.choose("reset")
    table.press(*(("B.tantos",) if has_games else ()), "A.quiero", then=0.9)
    table.enter_code(code)


def agree(table: InProcessTable) -> None:
    table.press("A.quiero", "B.quiero", then=1.0)


def request(store: Path) -> dict[str, object] | None:
    path = store / "reset.json"
    return dict(json.loads(path.read_text())) if path.exists() else None


def test_the_code_and_every_teams_yes_switch_off_and_the_next_start_resets(tmp_path: Path) -> None:
    store = tmp_path / "var/lib/scorer"
    with opened(store) as (table, commands):
        ask(table)
        assert request(store) is None, "every team is asked"
        table.press("A.quiero", then=1.0)
        assert request(store) is None
        table.press("B.quiero", then=1.0)
        assert "se borra al prender" in said(table)
        assert commands == [LoopCommand.SWITCH_OFF]
        assert request(store) == {"games": False, "row": None}
    with Journal.open(store) as journal:
        journal.set_setting("phones", "[]")
    assert main(["reset", "--root", str(tmp_path), "--config", str(tmp_path / "none")]) == 0
    with Journal.open(store) as journal:
        assert "phones" not in journal.settings()
    assert request(store) is None


@pytest.mark.sampled(0)
def test_a_wrong_code_is_refused_and_three_close_the_way_for_ten_minutes(tmp_path: Path) -> None:
    with opened(tmp_path) as (table, commands):
        for _ in range(3):
            ask(table, "403912")
            agree(table)
            assert "código equivocado" in said(table)
            table.wait(5.0)
        ask(table)
        agree(table)
        assert "esperá diez minutos" in said(table)
        table.wait(CLOSED_S)
        assert request(tmp_path) is None and commands == []
        ask(table)
        agree(table)
        assert request(tmp_path) is not None


def test_no_team_alone_resets_the_box(tmp_path: Path) -> None:
    with opened(tmp_path) as (table, commands):
        ask(table)
        table.press("A.quiero", "A.quiero", "B.no_quiero", then=1.0)
        table.wait(120.0)
    assert request(tmp_path) is None and commands == []


def test_no_quiero_takes_the_last_digit_back(tmp_path: Path) -> None:
    with opened(tmp_path) as (table, _):
        table.choose("reset")
        table.press("A.quiero", then=0.9)
        table.enter_code("49")
        table.press("A.no_quiero", then=0.9)
        table.enter_code(CODE[1:])
        agree(table)
    assert request(tmp_path) is not None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("presses", [("A.truco",), ("A.tantos",), ("A.truco", "B.quiero")])
def test_during_a_game_it_is_refused(tmp_path: Path, presses: tuple[str, ...]) -> None:
    with opened(tmp_path) as (table, _):
        table.press(*presses)
        table.choose("reset")
        assert "no durante un partido" in said(table)
        table.enter_code(CODE)
        agree(table)
    assert request(tmp_path) is None


def test_without_a_code_it_is_refused(tmp_path: Path) -> None:
    plain = CONFIG.replace(f'code = "{CODE}"', "")
    with opened(tmp_path, config=plain, code="") as (table, _):
        table.choose("reset")
        assert "falta el código del dueño" in said(table)
    assert request(tmp_path) is None


def test_the_games_go_only_after_a_copy_and_not_those_played_since(tmp_path: Path) -> None:
    store = tmp_path / "var/lib/scorer"
    stick = Stick()
    with opened(store, stick) as (table, commands):
        ask(table, has_games=True)
        agree(table)
        assert stick.requests == [BackupRequest()]
        assert request(store) is None and commands == [], "the copy is awaited"
        table.table.on_report(BackupReport(BackupResult.DONE, 1), table.now)
        assert request(store) == {"games": True, "row": 0}
        table.press("A.tantos", then=1.0)  # the machine was not switched off
    assert main(["reset", "--root", str(tmp_path), "--config", str(tmp_path / "none")]) == 0
    with Journal.open(store) as journal:
        assert journal.last_seq() == 1, "the game is in no copy"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "result", [BackupResult.ABSENT, BackupResult.FULL, BackupResult.READ_ONLY, BackupResult.FAILED]
)
def test_without_the_copy_nothing_is_asked_for(tmp_path: Path, result: BackupResult) -> None:
    with opened(tmp_path, Stick()) as (table, commands):
        ask(table, has_games=True)
        agree(table)
        table.table.on_report(BackupReport(result, 0, "TRUCO"), table.now)
        assert request(tmp_path) is None and commands == []
        # A copy that is made later is none of a reset.
        table.choose("backup")
        table.table.on_report(BackupReport(BackupResult.DONE, 1), table.now)
        assert request(tmp_path) is None


def test_a_store_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with opened(tmp_path) as (table, commands):
        (tmp_path / "reset.json.new").mkdir()
        ask(table)
        agree(table)
        assert "no se pudo borrar" in said(table)
        assert commands == []


@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_every_page_of_it_fits_and_never_shows_the_code(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with opened(tmp_path) as (table, _):
        table.choose("reset")
        table.press("A.quiero", then=0.9)
        for typed in range(5):
            for language in languages():
                canvas = draw_view(table.table.view, language, size)
                assert canvas.overflow == []
                assert CODE[: typed + 1] not in "".join(canvas.texts) or not typed
            table.enter_code(CODE[typed])
        assert CODE not in repr(table.table.session)


@pytest.mark.parametrize(
    ("name", "key"), [("done", "reset_done"), ("refused", "reset_refused"), ("other", "")]
)
def test_the_outcome_of_this_start_is_on_the_panel(tmp_path: Path, name: str, key: str) -> None:
    """The reset writes it into its runtime folder, beside that of the sockets."""
    folder = told_folder(tmp_path / "scorer" / "table.sock")
    assert told_folder(Path("/run/scorer/table.sock")) == ResetFolders().told
    folder.mkdir()
    (folder / name).write_text("the phones")
    with opened(tmp_path / "store") as (table, _):
        service._tell_reset(table.table, folder, table.now)
        notice = table.table.view.notice
        assert (notice.key if notice else "") == key
