"""``scorer replay``: its output, its messages about bad sheets, its exit codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from scorer.api.refusal_messages import SENTENCES
from scorer.cli import main
from scorer.rules import Refusal

HAND = '[Variant "argentine"]\n[NameA "Los Pibes"]\n\nA envido\nB quiero\nB envido_won\nA truco\n'


def replay(sheet: str | bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    raw = sheet.encode() if isinstance(sheet, str) else sheet
    command = [sys.executable, "-m", "scorer", "replay", *(arguments or ("-",))]
    done = subprocess.run(command, input=raw, capture_output=True, check=False)
    return subprocess.CompletedProcess(
        command, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def replay_here(sheet: str | bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The exit code and the standard error, in this process: a start is slow."""
    raw = sheet.encode() if isinstance(sheet, str) else sheet
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    with redirect_stdout(io.StringIO()), redirect_stderr(errors):
        code = main(["replay", "-"])
    return code, errors.getvalue()


def test_a_sheet_becomes_a_table_of_hands_and_scores() -> None:
    done = replay(HAND + "B no_quiero\n- new_hand\nB hand_won\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Game 1: Truco argentino, Los Pibes - B, to 30",
        "    1    1 - 2  A envido, B quiero, B envido_won, A truco, B no_quiero",
        "    2    1 - 3  B hand_won",
        "  A 1, B 3; hand over",
        "",
    ]


def test_json_gives_the_deal_and_every_step_a_line() -> None:
    done = replay(HAND + "A quiero\n", "--json", "-")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [record["step"] for record in records] == [0, 1, 2, 3, 4, 5]
    assert set(records[0]) == {"game", "step", "state"}
    assert records[-1]["refusal"] == {"reason": "OWN_CALL", "text": SENTENCES[Refusal.OWN_CALL]}
    assert records[-1]["state"] == {**records[-2]["state"]}
    assert records[-1]["state"]["pending"] == {
        "by": "A",
        "call": "truco",
        "quiero": 2,
        "no_quiero": 1,
    }


def test_every_refusal_has_a_sentence() -> None:
    assert set(SENTENCES) == set(Refusal)


BAD_SHEETS = (
    # what is wrong, the sheet, what stderr says
    ("a typo", HAND + "B quierro\n", "-:8: unknown word 'quierro'; did you mean 'quiero'?"),
    ("a typo in the variant", '[Variant "argentin"]\n', "did you mean 'argentine'?"),
    (
        "a typo in a tag",
        '[Varient "argentine"]\n\nA truco\n',
        "-:1: the tag Variant is missing; did you mean 'Variant'?",
    ),
    (
        "a tag that contradicts an option",
        '[Variant "argentine"]\n[Options "mano=B"]\n[Mano "A"]\n',
        '-:3: the tag Mano says "A", the option mano says "B"; keep one of them',
    ),
    (
        "an option of another variant",
        '[Variant "paulista"]\n[Options "falta=match"]\n',
        "-:2: paulista has no option 'falta'",
    ),
    (
        "an option out of range",
        '[Variant "paulista"]\n[Options "best_of=2"]\n',
        "-:2: best_of=2: an odd number from 1 to 99",
    ),
    ("half a line", HAND + "B", "-:8: 'B' is half a step"),
    ("a side that does not play", HAND + "C quiero\n", "the sides are A and B"),
    ("a side for a word that has none", HAND + "A undo\n", "write '- undo'"),
    ("no side for a word that has one", HAND + "- quiero\n", "nobody cannot say quiero"),
    ("a number that is none", HAND + "A award many\n", "'many' is not a number"),
    ("a missing number", HAND + "A award\n", "award needs a number"),
    ("a number too much", HAND + "B quiero 3\n", "quiero takes no argument"),
    ("tricks of nobody", HAND + "- tricks A,D\n", "'D' is no trick"),
    ("too many words", HAND + "B quiero the truco\n", "too many words"),
    ("a start that has won already", '[Variant "paulista"]\n[Start "A=12"]\n', "already won"),
    ("a start of nobody", '[Variant "paulista"]\n[Start "C=1"]\n', "the sides are A and B"),
    ("a tag among the steps", HAND + '[Event "x"]\n', "leave a blank line before it"),
    ("a tag that is none", "[Variant argentine]\n", "is no tag"),
    ("two tags on a line", '[Variant "argentine"] [Mano "B"]\n', "a line of its own"),
    ("a tag twice", '[Variant "argentine"]\n[Mano "A"]\n[Mano "B"]\n', "is written twice"),
    ("a step before any tag", "A truco\n", "before any tag"),
    ("nothing at all", "", "no game here"),
    ("only comments", "# nothing\n\n", "no game here"),
    ("a binary file", b"\x7fELF\x02\x01\x01\0\0\xff\xfe", "-:1: this is"),
    ("a zip in UTF-8", b"PK\x03\x04\0\0", "this is a binary file"),
    ("another encoding", '[Variant "argentine"]\n[NameA "Ñandú"]\n'.encode("latin-1"), "UTF-8"),
    ("a line without end", b"A" * 100_000, "no score sheet"),
)


@pytest.mark.parametrize(
    ("sheet", "sentence"), [case[1:] for case in BAD_SHEETS], ids=[case[0] for case in BAD_SHEETS]
)
def test_an_unreadable_sheet_gets_one_sentence(
    sheet: str | bytes, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = replay_here(sheet, monkeypatch)
    assert code == 2
    assert sentence in said
    assert len(said.splitlines()) == 1


def test_what_came_before_a_bad_line_stays_printed() -> None:
    done = replay(HAND + "B quierro\n", "--json", "-")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 5
    assert "A truco" in replay(HAND + "B quierro\n").stdout


def test_a_word_of_another_truco_is_refused_and_the_game_goes_on() -> None:
    done = replay(HAND + "B seis\nB quiero\n", "--json", "-")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert records[-2]["refusal"]["reason"] == "NOT_IN_THIS_VARIANT"
    assert records[-1]["ok"] is True


def test_a_missing_file_a_folder_and_a_good_file_after_it(tmp_path: Path) -> None:
    good = tmp_path / "good.truco"
    good.write_text(HAND, encoding="utf-8")
    missing = replay("", str(good), str(tmp_path / "none.truco"), str(good))
    assert missing.returncode == 2
    assert missing.stderr.endswith("none.truco: there is no such file\n")
    assert missing.stdout.count("Game") == 1
    assert "this is a folder" in replay("", str(tmp_path)).stderr


def test_line_ends_of_other_systems_and_a_byte_order_mark_are_read() -> None:
    done = replay(b"\xef\xbb\xbf" + HAND.replace("\n", "\r\n").encode(), "--json", "-")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 5)


def test_a_quoted_name_keeps_its_quotes() -> None:
    done = replay('[Variant "argentine"]\n[NameA "Los \\"Pibes\\" \\\\ 3"]\n\nA truco\n')
    assert 'Los "Pibes" \\ 3 - B' in done.stdout


def test_one_word_names_are_read() -> None:
    assert "Pibes - Yunta" in replay('[Variant "argentine"]\n[Names "Pibes Yunta"]\n').stdout
