"""The display of words of a real table: score, calls, darkness, test."""

from __future__ import annotations

from pathlib import Path

from scorer.hw.outputs.memory import MemoryValues
from scorer.session.values.settings import Settings
from scorer.table.device_faults import DeviceKind, DeviceStatus
from scorer.table.words import TEST_LINES, WordDevice
from tests.support.settings import settings_with
from tests.table.test_team_light import Lit

MemoryWords = MemoryValues[str]


def shown(words: MemoryWords) -> tuple[str, ...]:
    """The lines now; mypy takes an attribute for what it was compared with before."""
    return words.value


def table(folder: Path, words: MemoryWords, settings: Settings | None = None) -> Lit:
    device = WordDevice(16, words)
    return Lit(folder, None, settings or Settings(), target=30, words=device)


def test_score_and_call_are_shown_once_they_are_stored(tmp_path: Path) -> None:
    stored = list[int]()
    words = MemoryWords(lambda: stored.append(lit.journal.last_seq() if lit else 0))
    lit: Lit | None = None
    lit = table(tmp_path, words, settings_with(language="es-AR"))
    assert shown(words) == ("Amaril 0 0 Celes", "mano: Amarillos")
    before, stored[:] = lit.journal.last_seq(), []
    lit.press("A.truco", 10.0)
    assert shown(words) == ("Amaril 0 0 Celes", "TRUCO 2/1 Celes?")
    assert stored and all(seq > before for seq in stored)
    lit.press("B.no_quiero", 12.0)
    assert shown(words)[0] == "Amaril 1 0 Celes"
    lit.close()


def test_a_blinking_call_is_written_once(tmp_path: Path) -> None:
    words = MemoryWords()
    lit = table(tmp_path, words, settings_with(blink_s=0.5))
    lit.press("A.truco", 10.0)
    writes = words.writes
    lit.run(60.0)
    assert words.writes == writes
    lit.press("menu", 61.0)
    lit.run(62.0)
    assert lit.table.session.page is not None
    assert words.writes == writes, "a page of a panel changes no word"
    lit.close()


def test_a_question_of_one_console_is_not_shown_to_all(tmp_path: Path) -> None:
    words = MemoryWords()
    lit = table(tmp_path, words, settings_with(language="es-AR"))
    lit.press("A.envido", 10.0)
    lit.press("B.truco", 12.0)
    assert lit.table.session.question is not None
    assert shown(words)[1] == "ENVIDO 2/1 Cele?"
    lit.close()


def test_dark_panels_darken_the_words(tmp_path: Path) -> None:
    words = MemoryWords()
    lit = table(tmp_path, words)
    lit.run(1201.0)
    assert shown(words) == ()
    lit.press("A.truco", 1202.0)
    assert shown(words)[0].split()[1:3] == ["0", "0"]
    lit.close()


def test_the_self_test_shows_words_and_reports_a_fault(tmp_path: Path) -> None:
    words = MemoryWords()
    lit = table(tmp_path, words)
    before = shown(words)
    report = lit.table.run_selftest(10.0)
    assert report is not None
    assert (report["words"], shown(words)) == ({"fault": ""}, TEST_LINES)
    lit.run(11.0)
    assert shown(words) == before
    words.fault = "no answer"
    report = lit.table.run_selftest(20.0)
    assert report is not None
    assert report["words"] == {"fault": "no answer"}
    lit.table.faults.report(DeviceStatus(DeviceKind.WORDS, fault="no answer"))
    assert lit.table.marks.words() == ["words"]
    lit.close()
