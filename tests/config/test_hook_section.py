"""[[hook]]: what is accepted, and messages without its secrets."""

from __future__ import annotations

import pytest

from scorer.config.hook_section import HookSection, HookTarget
from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError

ADDRESS = "http://192.168.1.30/api/webhook/123456789"


def test_each_heading_is_an_address() -> None:
    text = f"""
[[hook]]
address = "{ADDRESS}"

[[hook]]
address = "https://[fd00::7]:8443"
events = ["call.truco", "match.called"]
secret = "long"
body = '{{"team": "$team"}}'
public = true
"""
    first, second = parse_config(text).hooks
    assert first == HookSection(ADDRESS)
    assert first.target == HookTarget(False, "192.168.1.30", 80, "/api/webhook/123456789")
    assert second.target == HookTarget(True, "fd00::7", 8443, "/")
    assert second == HookSection(
        "https://[fd00::7]:8443", ("call.truco", "match.called"), "long", '{"team": "$team"}', True
    )


@pytest.mark.parametrize(
    ("events", "event", "wants"),
    [
        (("call",), "call.truco", True),
        (("call.truco",), "call.truco", True),
        (("call.truco",), "call.retruco", False),
        (("score",), "score", True),
        (("match.called",), "match.over", False),
    ],
)
def test_an_address_gets_what_it_wants(events: tuple[str, ...], event: str, *, wants: bool) -> None:
    assert HookSection(ADDRESS, events).wants(event) is wants


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("", "hook.address: is not like http://"),
        ('address = "ftp://a/123456789"', "hook.address: is not like http://"),
        ('address = "http://a:99999/123456789"', "hook.address: is not like http://"),
        ('address = "http://a b/123456789"', "hook.address: is not like http://"),
        (f'address = "{ADDRESS}"\nevents = ["truco"]', "is none of call, answer, score"),
        (f'address = "{ADDRESS}"\nevents = []', "events"),
        (f'address = "{ADDRESS}"\nbody = "on"', "body: is no JSON"),
        (f'address = "{ADDRESS}"\nbody = \'{{"a": "$colour"}}\'', "body: is no JSON"),
        (f'address = "{ADDRESS}"\nadress = 1', "did you mean 'address'"),
        ('secret = 123456789\naddress = "x"', "hook.secret"),
    ],
)
def test_a_mistake_is_named_and_no_secret_is_quoted(lines: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f"[[hook]]\n{lines}\n")
    text = "; ".join(each.sentence for each in caught.value.problems)
    assert words in text
    assert "123456789" not in text
