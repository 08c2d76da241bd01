"""[hub]: what is accepted, and every mistake with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.cli import main
from scorer.config.hub_section import HubSection
from scorer.config.loader import parse_config
from scorer.config.sources import resolve
from scorer.config.standalone import Program, load_for_program
from scorer.config.toml_reader import ConfigError
from scorer.hub.store.database import find_url_problem
from tests.support.fake_settings import FakeSettings

ADDRESS = "postgresql+psycopg://hub:secret@localhost/hub"


def test_without_the_section_there_is_none() -> None:
    assert parse_config("").hub is None
    assert parse_config("[hub]\n").hub == HubSection()


def test_all_keys_are_read() -> None:
    text = f"""
[hub]
name = "Club"
address = "::"
port = 80
secure_port = 443
hosts = ["hub.example.org"]
viewers = 10
viewers_each = 5
database = "{ADDRESS}"
copies = "/media/truco-hub"
publish = "/srv/truco"
site = "https://club.example/truco"
certificate = "/etc/scorer/tls/certificate.pem"
key = "/etc/scorer/tls/key.pem"
"""
    assert parse_config(text).hub == HubSection(
        "Club",
        "::",
        80,
        443,
        ("hub.example.org",),
        10,
        5,
        ADDRESS,
        "/media/truco-hub",
        "/srv/truco",
        "https://club.example/truco",
        "/etc/scorer/tls/certificate.pem",
        "/etc/scorer/tls/key.pem",
    )


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ('nane = "Club"', "name"),
        ('name = ""', "1 to 40"),
        ("name = 5", "name"),
        ('address = "hub"', "0.0.0.0"),
        ("port = 0", "65535"),
        ("port = 8443", "port of the wall"),
        ("secure_port = 70000", "65535"),
        ('hosts = ["a b"]', "hosts"),
        ("viewers = 0", "viewers"),
        ("viewers_each = 9999", "viewers_each"),
        ('database = "mysql://hub@localhost/hub"', "postgresql"),
        ('database = "hub"', "postgresql"),
        ('database = "postgresql://hub@localhost:notaport/hub"', "postgresql"),
        ('certificate = "/c.pem"', "needs its key"),
        ('copies = "stick"', "/media/truco-hub"),
        ('publish = "site"', "/srv/truco"),
        ('key = "/k.pem"', "needs the certificate"),
        ('certificate = "c.pem"\nkey = "/k.pem"', "whole path"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(line: str, word: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(f"[hub]\n{line}\n")
    assert any(word in each.sentence for each in error.value.problems)
    assert all(each.line in (1, 2, 3) for each in error.value.problems)


def test_every_mistake_is_reported() -> None:
    with pytest.raises(ConfigError) as error:
        parse_config('[hub]\nport = 0\nviewers = 0\nname = ""\n')
    assert len(error.value.problems) == 3


def test_check_shows_no_password_of_the_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    for address in (ADDRESS, "mysql://hub:secret@localhost/hub"):
        file.write_text(f'[hub]\ndatabase = "{address}"\n')
        main(["check", str(file)])
        found = capsys.readouterr()
        assert "secret" not in found.out + found.err


@pytest.mark.parametrize(
    "address",
    [
        ADDRESS,
        "postgresql://hub@localhost/hub",
        "postgresql:///hub",
        "postgresql+psycopg://hub:s:e/c?r#t@[::1]:5432/hub?sslmode=require",
        "sqlite:////a",
    ],
)
def test_what_the_configuration_accepts_the_database_understands(address: str) -> None:
    HubSection(database=address)
    assert find_url_problem(address) is None


def test_check_prints_the_section_without_the_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text(f'[hub]\ndatabase = "{ADDRESS}"\n', encoding="utf-8")
    assert main(["check", str(file)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "hub        port = 8090" in printed
    assert "hub        database = hidden" in printed


def test_the_database_of_the_last_good_settings_is_read_from_the_file_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without it they would be another hall, in a file."""
    hub, file = Program("scorer hub", ("hub",), {}, tmp_path), tmp_path / "scorer.toml"
    good = f'[hub]\nname = "Sur"\ndatabase = "{ADDRESS}"\n'
    for text in (good, f"{good}port = 0\n"):
        file.write_text(text, encoding="utf-8")
        config, is_narrowed = load_for_program(hub, file, tmp_path / "none")
        assert config.hub == HubSection("Sur", database=ADDRESS) and not is_narrowed
    assert ":secret@" not in (tmp_path / "last_good.json").read_text(encoding="utf-8")
    for text in ('[hub]\nname = "Sur"\nport = 0\n', good + "port = \n"):
        file.write_text(text, encoding="utf-8")
        assert load_for_program(hub, file, tmp_path / "none").is_narrowed


def test_a_wrong_section_leaves_the_table_its_settings(tmp_path: Path) -> None:
    assert resolve("[hub]\nport = 0\n", None, FakeSettings()).problems == ()
    file = tmp_path / "scorer.toml"
    file.write_text('[table]\nlanguage = "pt-BR"\n[hub]\nport = 0\n')
    table = Program("table", ("table",), {})
    found = load_for_program(table, file, tmp_path / "none")
    assert not found.is_narrowed
    assert found.config.table.language == "pt-BR"
