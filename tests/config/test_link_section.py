"""[link]: what is accepted, and messages without its secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.cli import main
from scorer.config.link_section import HostAddress, LinkSection, MqttSection, parse_host, parse_hub
from scorer.config.loader import parse_config
from scorer.config.sources import resolve
from scorer.config.toml_reader import ConfigError
from tests.support.fake_settings import FakeSettings

PIN, KEY = "ab" * 32, "cd" * 16


def test_without_the_section_there_is_none() -> None:
    assert parse_config("").link is None
    assert parse_config("[link]\n").link == LinkSection()


def test_all_keys_are_read() -> None:
    text = f"""
[link]
hub = "192.168.1.20"
pin = "{PIN}"
key = "{KEY}"
[link.mqtt]
broker = "broker.local:1884"
user = "box"
password = "secret"
topic = "club/truco"
discovery = ""
"""
    mqtt = MqttSection("broker.local:1884", "box", "secret", "club/truco", "")
    assert parse_config(text).link == LinkSection("192.168.1.20", PIN, KEY, mqtt)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20",      HostAddress("192.168.1.20", 8443)),
        ("truco.local:1",     HostAddress("truco.local", 1)),
        ("[fe80::1%eth0]:99", HostAddress("fe80::1%eth0", 99)),
    ],
)  # fmt: skip
def test_a_host_may_have_a_port(text: str, address: HostAddress) -> None:
    assert parse_host(text, 8443) == address
    assert parse_host(str(address), 1) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20",          HostAddress("192.168.1.20", 8443)),
        ("norte@halls.example",   HostAddress("halls.example", 8443, "norte")),
        ("la-plata@[fe80::1]:99", HostAddress("fe80::1", 99, "la-plata")),
    ],
)  # fmt: skip
def test_the_address_of_a_hub_may_name_its_hall(text: str, address: HostAddress) -> None:
    assert parse_hub(text) == address
    assert parse_hub(str(address)) == address
    assert parse_host(address.place, 1) == address._replace(hall="")


@pytest.mark.parametrize(
    "text", ["@host", "Norte@host", "-a@host", "a-@host", "a/b@host", "a@b@host", "peña@host", "a@"]
)
def test_what_is_no_name_of_a_hall_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not like 192\.168\.1\.20:8443"):
        parse_hub(text)


def test_a_broker_has_no_hall() -> None:
    with pytest.raises(ConfigError, match="is not like"):
        parse_config('[link.mqtt]\nbroker = "norte@host"\n')


@pytest.mark.parametrize("text", ["", "a b", "host:0", "host:65536", "host:", "::1", "http://x"])
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not like 192\.168\.1\.20:8443"):
        parse_host(text, 8443)


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('link = 1\n',                              1, "link: is a section, write it as [link]"),
        ('[link]\nhub = "a b"\n',                   2, "link.hub: 'a b' is not like"),
        ('[link]\nhubb = "a"\n',                    2, "link.hubb: no such key; did you mean"),
        ('[link]\npin = "12"\n',                    2, "link.pin: 64 hexadecimal digits"),
        (f'[link]\nkey = "{KEY}"\n',                2, "link.key: a key needs the hub and its pin"),
        ('[link]\nmqtt = 1\n',                      2, "link.mqtt: is a section"),
        ('[link.mqtt]\nbroker = ":"\n',             2, "link.mqtt.broker: ':' is not like"),
        ('[link.mqtt]\ntopic = "truco/#"\n',        2, "link.mqtt.topic: 'truco/#' is no topic"),
        ('[link.mqtt]\ntopic = ""\n',               2, "link.mqtt.topic: '' is no topic"),
        ('[link.mqtt]\npassword = "x"\n',           2, "link.mqtt.password: a password needs its"),
        ('[link.mqtt]\nbrokker = "x"\n',            2, "link.mqtt.brokker: no such key"),
    ],
)  # fmt: skip
def test_a_problem_has_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    (problem,) = caught.value.problems
    assert problem.line == line
    assert problem.sentence.startswith(sentence)


@pytest.mark.parametrize(
    "text",
    ["[link]\nkey = 123456789\n", "[link.mqtt]\npassword = 123456789\n",
     '[link]\nkey = "123456789"\n', '[link.mqtt]\npassword = "123456789\\u0007"\n'],
)  # fmt: skip
def test_no_message_has_a_secret(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    assert "123456789" not in str(caught.value)


def test_check_prints_the_section_without_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f'[link]\nhub = "hub.local"\npin = "{PIN}"\nkey = "{KEY}"\n[link.mqtt]\nuser = "box"\n'
    file = tmp_path / "scorer.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["check", str(file)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "link       hub = hub.local" in printed
    assert "link       key = hidden" in printed
    assert "link.mqtt  user = box" in printed
    assert "link.mqtt  password = none" in printed


def test_a_wrong_section_is_of_no_matter_for_the_table() -> None:
    resolved = resolve('[table]\nlanguage = "pt-BR"\n[link]\nhub = "?"\n', None, FakeSettings())
    assert resolved.problems == ()
    assert resolved.config.table.language == "pt-BR"
