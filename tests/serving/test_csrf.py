"""State-changing requests are accepted from our pages and non-browser clients."""

from __future__ import annotations

import pytest

from scorer.serving.csrf import refusal

HOST = "192.168.1.7:8080"
OURS = {
    "host": HOST,
    "x-truco": "1",
    "content-type": "application/json",
    "origin": f"http://{HOST}",
    "sec-fetch-site": "same-origin",
}


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"content-type": "Application/JSON; charset=utf-8"},
        {"origin": "https://192.168.1.7:8080"},   # behind a proxy with a certificate
        {"host": "Truco.local", "origin": "http://truco.LOCAL"},
    ],
    ids=str,
)  # fmt: skip
def test_our_own_page_is_let_in(other: dict[str, str]) -> None:
    assert refusal({**OURS, **other}) is None


def test_a_page_that_was_loaded_without_encryption_is_not_our_encrypted_one() -> None:
    secure = {**OURS, "origin": f"https://{HOST}"}
    assert refusal(secure, "https") is None
    assert refusal(OURS, "https") == (403, "this was sent by a page of somebody else")


@pytest.mark.parametrize("left_out", ["origin", "sec-fetch-site"])
def test_what_a_browser_does_not_say_is_not_held_against_it(left_out: str) -> None:
    headers = {name: value for name, value in OURS.items() if name != left_out}
    assert refusal(headers) is None


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("x-truco",        "",                              403),
        ("x-truco",        "2",                             403),
        ("origin",         "http://evil.example",           403),
        ("origin",         "null",                          403),
        ("origin",         "",                              403),
        ("origin",         "http://192.168.1.7",            403),   # another port
        ("origin",         "http://192.168.1.7:8080.evil",  403),
        ("origin",         "http://evil@192.168.1.7:8080",  403),
        ("origin",         "file://192.168.1.7:8080",       403),
        ("origin",         "http://[",                      403),
        ("sec-fetch-site", "cross-site",                    403),
        ("sec-fetch-site", "same-site",                     403),
        ("sec-fetch-site", "none",                          403),
        ("content-type",   "text/plain",                    415),
        ("content-type",   "application/x-www-form-urlencoded", 415),
        ("content-type",   "multipart/form-data",           415),
        ("content-type",   "",                              415),
        ("content-type",   "text/plain; application/json",  415),
    ],
)  # fmt: skip
def test_what_another_page_can_send_is_refused(name: str, value: str, status: int) -> None:
    found = refusal({**OURS, name: value})
    assert found is not None and found[0] == status


def test_a_form_of_another_page_lacks_the_header() -> None:
    headers = {name: value for name, value in OURS.items() if name != "x-truco"}
    assert refusal(headers) == (403, "say X-Truco: 1")
