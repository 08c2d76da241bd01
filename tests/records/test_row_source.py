"""The source of a row: a console, or a sender with the user of its process."""

from __future__ import annotations

import pytest

from scorer.records.row_source import sender_of, with_user


@pytest.mark.parametrize(
    ("sender", "user", "source"),
    [
        ("tablet", "hub", "tablet (hub)"),
        ("phone Ana", "scorer-web", "phone Ana (scorer-web)"),
        ("phone Ana (root)", "scorer-web", "phone Ana (root) (scorer-web)"),
        ("socket", "uid 61234", "socket (uid 61234)"),
        ("x", "a) (b\n", "x (a b)"),
        ("x", "u" * 100, f"x ({'u' * 32})"),
        ("x", "", "x ()"),
    ],
)
def test_the_user_follows_the_sender_in_brackets(sender: str, user: str, source: str) -> None:
    assert with_user(sender, user) == source
    assert sender_of(source) == sender


@pytest.mark.parametrize(
    "source", ["A", "menu", "phone Ana", "socket", "tablet", "", "phone (", "a)"]
)
def test_a_row_of_an_older_version_has_its_sender_alone(source: str) -> None:
    assert sender_of(source) == source
