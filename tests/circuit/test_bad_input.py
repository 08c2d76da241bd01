"""Wrong files: each is named with what to do, and the site stays as it was."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.circuit import sources
from scorer.circuit.command import main
from scorer.season.evening import NamesKind
from scorer.season.evening_file import write_evening
from scorer.season.signing import public_key_of
from tests.circuit.few_evenings import (
    KEY,
    OTHER_KEY,
    POINTS,
    evening,
    made,
    season_text,
    team,
    write_season,
)

FIRST = evening(1, ["Uno", "Dos"], [(1, 2)])


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


def failure(path: Path, capsys: pytest.CaptureFixture[str], code: int = 1) -> str:
    """What the command says; it writes nothing."""
    before = snapshot(path.parent)
    capsys.readouterr()
    assert main([str(path)]) == code
    assert snapshot(path.parent) == before
    error = capsys.readouterr().err
    assert error.endswith("scorer circuit: no site is written\n"), error
    return error


# ---- the file of the season ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('title = "x"\n', 0, "season: is missing"),
        ('title = "x"\n', 1, "title: no such key; known are clubs, counting, final, key"),
        (season_text("[counting]\nbset = 3\n"), 7, "did you mean 'best'?"),
        (season_text(points="[points]\nplaces = [10, -6]\n"), 5, "-6 is not from 0 to 1000000"),
        (season_text(points="[points]\nplaces = [1]\nformula = 'teams'\n"), 6, "there are places"),
        (season_text(points="[points]\nformula = 'teams ++'\n"), 5, "points.formula: cannot be"),
        (season_text(points="[points]\n"), 4, "no evening gives a point"),
        (season_text("[counting]\nbest = 3\ndiscards = 1\n"), 8, "there is best too"),
        (season_text('[counting]\nties = ["wins", "coin"]\n'), 7, "wants one of wins, firsts, dir"),
        (season_text('[counting]\nties = ["wins", "wins"]\n'), 7, "it has one twice"),
        (season_text(season='ranked = "trios"\n'), 4, "wants one of pairs, persons"),
        (season_text(season='language = "xx"\n'), 4, "there are no texts in 'xx'"),
        (season_text().replace('"evenings"', '"/etc"'), 3, "'/etc' leaves the folder of the"),
        (season_text().replace('"evenings"', '"../x"'), 3, "'../x' leaves the folder of the"),
        (season_text().replace('"evenings"', '"http://a/b"'), 3, "begins with https://"),
        (season_text().replace('["evenings"]', "[]"), 3, "has 0 entries, not 1 to 1000"),
        (season_text().replace(public_key_of(KEY), "abc"), 8, "is not 64 hexadecimal digits"),
        (season_text() + "since = 2026-02-30\n", 12, "this is no TOML"),
        (season_text() + "since = '2026-02-30'\n", 12, "is no day; write it like 2026-03-06"),
        (season_text() + "since = 2026-03-02\nuntil = 2026-03-01\n", 13, "is before since"),
        (f'[season]\ntitle = "x"\nevenings = ["a"]\n{POINTS}', 0, "key: is missing"),
        ('[season]\ntitle = "' + "x" * 10_000 + '"\n', 2, "is not a text of one line, of 1 to 80"),
    ],
)
def test_the_file_of_a_season_is_wrong_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, sentence: str
) -> None:
    error = failure(write_season(tmp_path, [FIRST], text), capsys, 78)
    place = f"season.toml:{line}: " if line else "season.toml: "
    assert any(place in each and sentence in each for each in error.splitlines()), error


def test_without_its_file_there_is_no_season(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "season.toml")]) == 1
    assert "season.toml: No such file or directory" in capsys.readouterr().err


# ---- evenings -----------------------------------------------------------------------------------


def altered(data: bytes) -> bytes:
    return data.replace(b'"Uno"', b'"Ino"')


def unsigned(data: bytes) -> bytes:
    document = json.loads(data)
    del document["signature"]
    return json.dumps(document).encode()


def with_a_long_name(_: bytes) -> bytes:
    long = evening(1, [team("Uno")._replace(name="x" * 10_240)])
    return write_evening(long, KEY)


def of_a_stranger(_: bytes) -> bytes:
    key = "33" * 32
    return write_evening(evening(1, ["Uno"], key=key), key)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (altered, "the file was changed or damaged: its digest is another one; fetch it again"),
        (unsigned, "the file is not signed: export the evening again on its hub"),
        (with_a_long_name, "name: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        (of_a_stranger, "and write it under [[key]] in the file of the season"),
        (lambda data: data[: len(data) // 2], "the file is no JSON of an evening"),
        (lambda data: b"", "the file is no JSON of an evening"),
        (lambda data: b"{}", "this is no file of an evening"),
        (lambda data: b" " * 4_000_001, "the file has more than 4000000 bytes"),
    ],
)
def test_a_damaged_evening_is_named_and_the_old_site_stays(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[bytes], bytes],
    sentence: str,
) -> None:
    made(tmp_path, [FIRST])
    path = tmp_path / "evenings" / "0001-1.json"
    path.write_bytes(change(path.read_bytes()))
    error = failure(tmp_path / "season.toml", capsys)
    assert f"evenings/0001-1.json: {sentence}"[:90] in error or sentence in error, error
    assert len(error) < 2000


def test_every_wrong_file_is_named_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_season(tmp_path, [FIRST, evening(2, ["Uno"]), evening(3, ["Uno"])])
    for number in (1, 3):
        file = tmp_path / "evenings" / f"000{number}-1.json"
        file.write_bytes(altered(file.read_bytes()))
    error = failure(path, capsys)
    assert [line.split(":")[0] for line in error.splitlines()] == [
        "evenings/0001-1.json", "evenings/0003-1.json", "scorer circuit",
    ]  # fmt: skip


def test_a_key_signs_the_evenings_of_its_days_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = season_text().replace('hall = "Otro club"', 'hall = "Otro club"\nuntil = "2026-03-01"')
    made(tmp_path, [evening(1, ["Uno"], key=OTHER_KEY)], text)
    path = write_season(tmp_path, [evening(2, ["Uno"], key=OTHER_KEY)], text)
    assert "the evening is of 2026-03-02, and its key signs those of" in failure(path, capsys)


def test_names_without_consent_are_published_on_a_word_of_the_organiser_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evenings = [evening(1, [team("Uno", "Ana Ruiz", "Luis Paz")], names=NamesKind.ALL)]
    error = failure(write_season(tmp_path, evenings), capsys)
    assert "names of players who did not agree" in error and "all_names = true" in error
    made(tmp_path, evenings, season_text(season="all_names = true\n"))


def test_evenings_of_other_days_are_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evenings = [FIRST, evening(2, ["Uno"]), evening(3, ["Tres"])]
    text = season_text(season="since = 2026-03-02\nuntil = 2026-03-02\n")
    document = made(tmp_path, evenings, text)
    assert [each["date"] for each in document["evenings"]] == ["2026-03-02"]
    path = write_season(tmp_path / "new", evenings, season_text(season="since = 2027-01-01\n"))
    assert "Copa del año: there is no evening of this season yet" in failure(path, capsys)


def test_a_category_that_the_season_does_not_have_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = season_text(season='categories = ["Primera"]\n')
    path = write_season(tmp_path, [evening(1, ["Uno"], category="Damas")], text)
    assert "its category is 'Damas', which is not one of categories" in failure(path, capsys)


@pytest.mark.sampled(0)
def test_ten_thousand_evenings_are_refused_before_one_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_season(tmp_path, [FIRST])
    for number in range(10_000):
        (tmp_path / "evenings" / f"{number}.json").touch()
    read: list[object] = []
    monkeypatch.setattr(sources, "_read", lambda *given: read.append(given))
    error = failure(path, capsys)
    assert "evenings: the season has more than 3000 files; part it in two seasons" in error
    assert read == []


# ---- paths --------------------------------------------------------------------------------------


def test_a_link_that_leaves_the_folder_is_not_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season, outside = tmp_path / "season", tmp_path / "outside.json"
    path = write_season(season, [FIRST])
    outside.write_bytes((season / "evenings" / "0001-1.json").read_bytes())
    (season / "evenings" / "link.json").symlink_to(outside)
    error = failure(path, capsys)
    assert "evenings/link.json: leaves the folder of the season; put the file itself" in error
    (season / "evenings" / "link.json").unlink()
    (season / "evenings" / "link.json").symlink_to("link.json")
    assert "evenings/link.json: " in failure(path, capsys)


def test_a_name_that_no_list_can_have_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_season(tmp_path, [FIRST])
    (tmp_path / "evenings" / "0001-1.json").rename(tmp_path / "evenings" / "a\nb.json")
    assert "its name cannot be written in a list; rename the file" in failure(path, capsys)


def test_what_is_no_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_season(tmp_path, [], season_text().replace('"evenings"', '"x.json", "evenings"'))
    os.mkfifo(tmp_path / "evenings" / "pipe.json")
    error = failure(path, capsys)
    assert "x.json: there is no such file or folder" in error
    assert "evenings/pipe.json: is no file" in error
    (tmp_path / "evenings" / "pipe.json").unlink()
    assert "evenings: the folder has no file whose name ends with .json" in failure(path, capsys)


def test_a_folder_of_another_program_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "photo.jpg").write_bytes(b"x")
    assert main([str(write_season(tmp_path, [FIRST]))]) == 1
    assert "site: it has another folder of that name" in capsys.readouterr().err
    assert [each.name for each in (tmp_path / "site").iterdir()] == ["photo.jpg"]
    assert not (tmp_path / "circuit.lock").exists()


# ---- corrections and the lock -------------------------------------------------------------------


def test_a_newer_revision_takes_the_place_of_the_older_one(tmp_path: Path) -> None:
    newer = evening(1, ["Dos", "Uno"], revision=2)
    document = made(tmp_path, [FIRST, newer])
    assert [each["revision"] for each in document["evenings"]] == [2]
    assert document["tables"][0]["rows"][0]["name"] == "Dos"


def test_a_missing_an_altered_and_an_older_evening_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evenings = [FIRST, evening(2, ["Uno"], revision=5), evening(3, ["Uno"])]
    made(tmp_path, evenings)
    folder = tmp_path / "evenings"
    (folder / "0001-1.json").unlink()
    (folder / "0002-5.json").unlink()
    path = write_season(tmp_path, [evening(2, ["Uno"], revision=4), evening(3, ["Tres"])])
    error = failure(path, capsys)
    assert "evenings/0001-1.json: the evening is missing; put it back, or take its line" in error
    assert "evenings/0002-4.json: revision 4 is older than 5, which the last site has" in error
    assert "evenings/0003-1.json: it was altered, with the same revision 1; ask the hall" in error


def test_a_file_that_was_moved_is_not_missing(tmp_path: Path) -> None:
    made(tmp_path, [FIRST])
    folder = tmp_path / "evenings" / "club"
    folder.mkdir()
    (tmp_path / "evenings" / "0001-1.json").rename(folder / "march.json")
    assert main([str(tmp_path / "season.toml")]) == 0
    assert "evenings/club/march.json" in (tmp_path / "circuit.lock").read_text("utf-8")


def test_an_evening_whose_line_is_taken_out_of_the_lock_does_not_count_any_more(
    tmp_path: Path,
) -> None:
    made(tmp_path, [FIRST, evening(2, ["Uno"])])
    (tmp_path / "evenings" / "0002-1.json").unlink()
    lock = tmp_path / "circuit.lock"
    kept = [line for line in lock.read_text("utf-8").splitlines() if "0002-1.json" not in line]
    lock.write_text("\n".join(kept), "utf-8")
    assert main([str(tmp_path / "season.toml")]) == 0


def test_two_files_of_one_revision_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_season(tmp_path, [FIRST])
    other = evening(1, ["Tres", "Dos"])
    (tmp_path / "evenings" / "copy.json").write_bytes(write_evening(other, KEY))
    assert "evenings/copy.json: it is another file than evenings/0001-1.json" in failure(
        path, capsys
    )


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"truco_circuit_lock": 2}', '{"truco_circuit_lock": 1}\n{"evening": 3}'],
)
def test_a_lock_that_cannot_be_read_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = write_season(tmp_path, [FIRST])
    (tmp_path / "circuit.lock").write_text(text, "utf-8")
    assert "circuit.lock: cannot be read" in failure(path, capsys, 78)


# ---- what is odd and stops nothing --------------------------------------------------------------


def test_a_team_in_two_evenings_of_one_day_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = ("Ana Ruiz", "Luis Paz")
    evenings = [
        evening(1, [team("Los Ñatos", *players)], date="2026-03-06"),
        evening(2, [team("Los Natos", *players)], date="2026-03-06", key=OTHER_KEY),
        evening(3, [team("Otros", "Ana Ruiz", "Eva Sosa")], date="2026-03-13"),
        evening(4, [team("Otros más", "Eva Sosa", "Raúl Vega")], date="2026-03-13"),
    ]
    document = made(tmp_path, evenings)
    assert [(each["name"], each["evenings"]) for each in document["notices"]] == [
        ("Los Natos", [0, 1]), ("Eva Sosa", [2, 3]),
    ]  # fmt: skip
    assert "Los Natos: same day: 2026-03-06 Club Tres de Copas" in capsys.readouterr().out
    page = (tmp_path / "site" / "es" / "index.html").read_text("utf-8")
    assert "Los Natos está en dos fechas del mismo día: 06/03/2026 · Club Tres de Copas" in page


def test_an_evening_that_was_closed_early_is_named(tmp_path: Path) -> None:
    document = made(tmp_path, [evening(1, ["Uno"], is_complete=False)])
    assert [each["kind"] for each in document["notices"]] == ["incomplete"]


# ---- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('[[question]]\nkind = "dog"\none = "a"\nother = "b"\n', 2, "wants one of person, team"),
        ('[[question]]\nkind = "team"\none = "a"\nother = "b"\nsame = "yes"\n', 5, "without quo"),
        ("[[question]]\nkind = 3\n", 2, "wants one of person, team, club"),
        (
            '[[question]]\nkind = "team"\none = "a"\nother = "b"\nsame = true\n'
            '[[question]]\nkind = "team"\none = "B"\nother = "A"\nsame = false\n',
            6,
            "the same question has another answer in line 1; keep one",
        ),
    ],
)
def test_answers_that_cannot_be_read_are_said_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, sentence: str
) -> None:
    path = write_season(tmp_path, [FIRST])
    (tmp_path / "people.toml").write_text(text, "utf-8")
    error = failure(path, capsys, 78)
    assert f"people.toml:{line}: " in error and sentence in error
