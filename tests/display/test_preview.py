"""``scorer preview``: the pictures of the panels as files, and errors of use."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from scorer.commands import preview
from scorer.display import render
from scorer.samples import samples


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.iterdir()}


def test_without_a_name_every_sample_is_drawn(tmp_path: Path) -> None:
    assert preview.main(["--out", str(tmp_path / "new" / "folder"), "--scale", "1"]) == 0
    assert names(tmp_path / "new" / "folder") == set(samples())


def test_a_screen_draws_all_its_samples_and_a_sample_only_itself(tmp_path: Path) -> None:
    assert preview.main(["--out", str(tmp_path), "mao", "pending-falta"]) == 0
    assert names(tmp_path) == {"mao", "pending-falta"}


def test_a_picture_is_the_panel_enlarged_without_blur(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--language", "pt-BR", "--size", "128x32", "--scale", "3", "--out", str(tmp_path)]
    assert preview.main([*asked, "mao"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'mao.png'}\n"
    panel = render(samples()["mao"], "pt-BR", (128, 32))
    with Image.open(tmp_path / "mao.png") as image:
        assert image.size == (384, 96)
        shrunk = image.resize((128, 32), Image.Resampling.NEAREST)
        assert shrunk.tobytes() == panel.tobytes()


def test_the_size_of_a_television_shows_what_a_television_shows(tmp_path: Path) -> None:
    assert preview.main(["--out", str(tmp_path), "--size", "1280x720", "tally-paulista"]) == 0
    with Image.open(tmp_path / "tally-paulista.png") as picture:
        assert (picture.mode, picture.size) == ("RGB", (1280, 720))


def test_an_unknown_screen_is_refused_with_the_nearest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert preview.main(["--out", str(tmp_path / "none"), "pendin"]) == 2
    assert "did you mean 'pending'?" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--size", "128"),
        ("--size", "0x0"),
        ("--size", "axb"),
        ("--size", "9999x64"),
        ("--scale", "0"),
        ("--scale", "-1"),
        ("--scale", "x"),
        ("--scale", "1000000"),
    ],
)
def test_a_wrong_option_is_an_error_of_use(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        preview.main([f"{option}={value}"])
    assert left.value.code == 2
    assert value in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert preview.main(["--out", str(blocked), "mao"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_help_fits_one_screen_and_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        preview.main(["--help"])
    text = capsys.readouterr().out
    assert "example:" in text
    assert text.count("\n") < 24
