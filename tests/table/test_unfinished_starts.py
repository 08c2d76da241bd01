"""After two unfinished starts the table plays with the configuration before."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.config.schema import ChosenDriver
from scorer.config.sources import ResolvedConfig, resolve, save_choices
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.system.start_attempts import FILE_NAME, StartAttempts
from scorer.table import service
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import InboxItem
from tests.support.fake_settings import FakeSettings
from tests.support.service_process import Service, configuration, running_service
from tests.support.simulated_service import SimulatedPower, simulated_seams
from tests.support.table_client import TableClient
from tests.table.test_service import TELLING, first_view, marks_of_disk, shown

READY, PING, FATAL = "READY=1", "WATCHDOG=1", "STATUS=fatal"
KILLERS = ('[consoles]\ndriver = "fatal"\n', '[[panel]]\ndriver = "fatal"\n')
KILLER = KILLERS[0]


def good(folder: Path) -> str:
    """A configuration that is not the one of a new box."""
    return configuration(folder, 'table.device = "before"\n')


@contextmanager
def started(folder: Path, config: str) -> Iterator[tuple[Service, list[str], str]]:
    """The service after its start: its marks, and the device of its configuration."""
    with running_service(folder, config) as table:
        table.messages_until(PING)
        with TableClient(table.path) as calling:
            yield table, calling.ask(do="selftest")["marks"], calling.hello["device"]


def killed(folder: Path, config: str) -> None:
    """A start that its configuration ends."""
    with running_service(folder, config) as table:
        table.messages_until(FATAL)
        assert table.process.wait(60) == -9


def pulled(folder: Path, config: str) -> None:
    """A plug that is pulled while the buttons are opened."""
    (folder / "wait").touch()
    with running_service(folder, config) as table:
        table.messages_until(FATAL)
        table.kill()
    (folder / "wait").unlink()


def line_of(config: str, text: str) -> str:
    """The mark of the line that begins with ``text``."""
    return f"config_line {[line.startswith(text) for line in config.splitlines()].index(True) + 1}"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("killer", KILLERS, ids=["buttons", "panel"])
def test_the_third_start_plays_with_the_configuration_before(tmp_path: Path, killer: str) -> None:
    """operators/service.md#a-configuration-with-which-the-table-does-not-start"""
    config = good(tmp_path)
    with started(tmp_path, config) as (table, marks, device):
        assert (device, "config" in " ".join(marks)) == ("before", False)
        with TableClient(table.path) as calling:
            assert calling.ask(do="step", line="A truco", seq=0)["ok"] is True
        table.kill()
    config = config.replace("before", "newest") + killer
    for _ in range(2):
        killed(tmp_path, config)
    line = line_of(config, "table.device")
    for _ in range(2):
        with started(tmp_path, config) as (table, marks, device):
            assert (device, line in marks) == ("before", True)
            log = table.stderr_text
            assert f"{line.replace('config_line', 'configuration, line')}: two starts " in log
            with TableClient(table.path) as calling:
                assert calling.next_state()["pending"]["call"] == "truco"
            table.kill()
        killed(tmp_path, config)  # every later start tries the newest once


def test_the_first_picture_says_so_with_the_line(tmp_path: Path) -> None:
    config = configuration(tmp_path, f'table.variant = "argentine"\n{TELLING}')
    with started(tmp_path, config):
        pass
    for _ in range(2):
        killed(tmp_path, config + KILLER)
    with running_service(tmp_path, config + KILLER) as table:
        mark = line_of(config + KILLER, "[consoles]")
        view = first_view(mark, *marks_of_disk(tmp_path))
        view = view._replace(notice=Notice(NoticeKey.UNFINISHED_STARTS, urgent=True))
        assert table.messages_until("STATUS=shows")[-1] == shown(view)


def test_the_line_that_is_corrected_is_tried_at_once(tmp_path: Path) -> None:
    with started(tmp_path, good(tmp_path)):
        pass
    for _ in range(2):
        killed(tmp_path, good(tmp_path) + KILLER)
    corrected = good(tmp_path).replace("before", "corrected")
    with started(tmp_path, corrected) as (_, marks, device):
        assert (device, "config" in " ".join(marks)) == ("corrected", False)
    assert not (tmp_path / "store" / FILE_NAME).exists()


@pytest.mark.sampled(0)
def test_two_pulled_plugs_are_taken_for_it_until_the_next_start(tmp_path: Path) -> None:
    """Nothing is wrong with this configuration."""
    with started(tmp_path, good(tmp_path)):
        pass
    newest = good(tmp_path).replace("before", "newest")
    for _ in range(2):
        pulled(tmp_path, newest + KILLER)
    # The same text starts now: the driver does no longer end the process.
    (tmp_path / "mended").touch()
    with started(tmp_path, newest + KILLER) as (_, marks, device):
        assert (device, line_of(newest, "table.device") in marks) == ("before", True)
    with started(tmp_path, newest + KILLER) as (_, marks, device):
        assert (device, "config" in " ".join(marks)) == ("newest", False)
    assert not (tmp_path / "store" / FILE_NAME).exists()


@pytest.mark.sampled(0)
def test_pulled_plugs_with_the_same_configuration_are_not_counted(tmp_path: Path) -> None:
    newest = good(tmp_path) + KILLER
    (tmp_path / "mended").touch()
    with started(tmp_path, newest):
        pass
    (tmp_path / "mended").unlink()
    for _ in range(3):
        pulled(tmp_path, newest)
        assert not (tmp_path / "store" / FILE_NAME).exists()
    (tmp_path / "mended").touch()
    with started(tmp_path, newest) as (_, marks, device):
        assert (device, "config" in " ".join(marks)) == ("before", False)


def test_without_a_start_before_the_newest_configuration_is_tried_on(tmp_path: Path) -> None:
    for _ in range(3):
        killed(tmp_path, good(tmp_path) + KILLER)
    (tmp_path / "mended").touch()
    with started(tmp_path, good(tmp_path) + KILLER) as (_, marks, device):
        assert (device, "config" in " ".join(marks)) == ("before", False)


@pytest.mark.sampled(0)
def test_a_folder_that_cannot_be_written_does_not_stop_the_start(tmp_path: Path) -> None:
    with started(tmp_path, good(tmp_path)):
        pass
    (tmp_path / "store" / f"{FILE_NAME}.new").mkdir()
    for _ in range(3):
        killed(tmp_path, good(tmp_path) + KILLER)
    with started(tmp_path, good(tmp_path)) as (_, marks, device):
        assert (device, "config" in " ".join(marks)) == ("before", False)


# Restarts within the process.


class Script(queue.SimpleQueue[InboxItem]):
    """Commands in the order in which a table takes them."""

    def __init__(self, *commands: LoopCommand) -> None:
        super().__init__()
        for command in commands:
            self.put(command)

    def get(self, *, timeout: float | None = None) -> InboxItem:  # type: ignore[override]
        return super().get(timeout=timeout)


class Unplugged(Exception):
    """The process ends here."""


def panels_of(file: Path, *commands: LoopCommand) -> list[object]:
    """The address of the first panel of each table of one process; 0x3F ends it."""
    addresses: list[object] = []

    def seams(device: ChosenDriver) -> Mapping[str, object]:
        addresses.append(device.options.get("address"))
        if addresses[-1] == 0x3F:
            raise Unplugged
        return simulated_seams(device)

    inbox = Script(*commands)
    platform = service.Platform(seams, lambda inbox, _: SimulatedPower(inbox.put))
    service.serve(file, None, inbox, platform=platform)
    return addresses


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that was changed after a start; two starts were not finished since."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    path = tmp_path / "scorer.toml"
    path.write_text(configuration(tmp_path, "[[panel]]\naddress = 0x3d\n"), encoding="utf-8")
    assert panels_of(path, LoopCommand.STOP) == [0x3D]
    path.write_text(configuration(tmp_path, "[[panel]]\naddress = 0x3f\n"), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(Unplugged):
            panels_of(path)
    return path


def test_the_configuration_before_stays_through_restarts(file: Path) -> None:
    commands = (LoopCommand.RESTART, LoopCommand.SAFE_MODE, LoopCommand.RESTART, LoopCommand.STOP)
    assert panels_of(file, *commands) == [0x3D, 0x3D, 0x3C, 0x3D, 0x3D]


def test_the_settings_of_safe_mode_are_no_configuration_before(file: Path) -> None:
    assert panels_of(file, LoopCommand.SAFE_MODE, LoopCommand.STOP)[0] == 0x3D
    with pytest.raises(Unplugged):
        panels_of(file)
    assert panels_of(file, LoopCommand.STOP) == [0x3D]


# The choice, start by start.

OLD = '[table]\nvariant = "paulista"\nlanguage = "pt-BR"\n'
NEW = f'{OLD}layout = "compact"\n'
PANELS = "[[panel]]\n[[panel]]\naddress = 61\n"


def start(
    folder: Path, text: str, kept: FakeSettings, *, card: str | None = None, is_finished: bool
) -> ResolvedConfig:
    attempts = StartAttempts(folder, text, card)
    attempts.begin(kept)
    resolved = attempts.choose(resolve(text, card, kept), kept)
    if is_finished:
        attempts.finish(resolved, kept)
    return resolved


def after_two_unfinished(
    folder: Path, before: str, text: str, card: str | None = None
) -> tuple[FakeSettings, ResolvedConfig]:
    """The third start, after one with the text before."""
    kept = FakeSettings()
    start(folder, before, kept, is_finished=True)
    for _ in range(2):
        assert not start(folder, text, kept, card=card, is_finished=False).is_fallback
    return kept, start(folder, text, kept, card=card, is_finished=True)


def test_both_configurations_take_turns_while_neither_starts(tmp_path: Path) -> None:
    """What ends the service may have nothing to do with the configuration."""
    kept = FakeSettings()
    start(tmp_path, OLD, kept, is_finished=True)
    tried = [start(tmp_path, NEW, kept, is_finished=False).is_fallback for _ in range(8)]
    assert tried == [False, False, True, True] * 2


@pytest.mark.parametrize(
    ("before", "text", "line"),
    [
        (OLD, NEW, 4),
        (NEW, OLD, 1),  # the line is gone: that of its section
        (OLD, OLD.replace("paulista", "mineiro"), 2),
        ("", OLD, 1),
        (OLD, "", 0),
        (OLD, f"{OLD}[sound]\non = false\n", 4),
        (f"{OLD}[sound]\non = false\n", OLD, 1),
        (PANELS, PANELS.replace("61", "62"), 3),
        ("[[panel]]\n", PANELS, 2),
    ],
)
def test_the_mark_has_the_first_line_that_has_changed(
    tmp_path: Path, before: str, text: str, line: int
) -> None:
    _, resolved = after_two_unfinished(tmp_path, before, text)
    assert resolved.is_fallback
    assert resolved.config == resolve(before, None, FakeSettings()).config
    assert [problem.line for problem in resolved.problems] == [line]


def test_a_new_comment_is_no_other_configuration(tmp_path: Path) -> None:
    _, resolved = after_two_unfinished(tmp_path, OLD, f"# Bar\n{OLD}")
    assert not resolved.is_fallback and resolved.problems == ()


def test_a_new_card_is_a_new_configuration(tmp_path: Path) -> None:
    card = '# Bar\n[table]\nlayout = "compact"\n'
    kept, resolved = after_two_unfinished(tmp_path, OLD, OLD, card)
    assert resolved.is_fallback and resolved.config.table.layout == "full"
    assert [problem.line for problem in resolved.problems] == [2]
    corrected = card.replace("compact", "full")
    resolved = start(tmp_path, OLD, kept, card=corrected, is_finished=True)
    assert not resolved.is_fallback and resolved.problems == ()


def test_an_invalid_file_after_two_unfinished_starts_names_its_own_line(tmp_path: Path) -> None:
    """Its last valid settings are those with which the table has not started."""
    kept = FakeSettings()
    start(tmp_path, OLD, kept, is_finished=True)
    start(tmp_path, NEW, kept, is_finished=False)
    for _ in range(2):
        resolved = start(tmp_path, f"{NEW}x = 1\n", kept, is_finished=False)
        assert resolved.config.table.layout == "compact"
    resolved = start(tmp_path, f"{NEW}x = 1\n", kept, is_finished=True)
    assert resolved.config.table.layout == "full"
    assert [problem.line for problem in resolved.problems] == [5, 0]


def test_what_is_chosen_on_the_box_holds_with_both_configurations(tmp_path: Path) -> None:
    kept, resolved = after_two_unfinished(tmp_path, OLD, NEW)
    chosen = save_choices(NEW, kept, [(("table", "language"), "en")], is_fallback=True)
    assert (chosen.config.table.language, chosen.config.table.layout) == ("en", "full")
    attempts = StartAttempts(tmp_path, NEW, None)
    attempts.begin(kept)
    resolved = attempts.choose(resolve(NEW, None, kept), kept)
    assert (resolved.config.table.language, resolved.config.table.layout) == ("en", "compact")
    attempts.begin(kept)
    resolved = attempts.choose(resolve(NEW, None, kept), kept)
    assert (resolved.config.table.language, resolved.config.table.layout) == ("en", "full")


@pytest.mark.parametrize("rubbish", ["", "[]", '{"digest": 1}', '{"owner": 1, "card": {}}',
    '{"owner": {"table": {"x": 1}}, "card": {}}'])  # fmt: skip
def test_a_damaged_record_is_as_none(tmp_path: Path, rubbish: str) -> None:
    kept = FakeSettings(started=rubbish)
    for _ in range(3):
        assert not start(tmp_path, NEW, kept, is_finished=False).is_fallback
    (tmp_path / FILE_NAME).write_text(rubbish, encoding="utf-8")
    assert not start(tmp_path, NEW, kept, is_finished=True).is_fallback
