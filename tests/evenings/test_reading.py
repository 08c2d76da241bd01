"""The parser of evenings: errors are explained, and every expectation can fail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evenings.evening import PHONE_WORDS, WORDS, Evening, EveningError, failures, parse

TOLD: dict[str, Any] = {
    "line": "A truco",
    "state": {
        "score": {"A": 2, "B": 0},
        "games": {"A": 0, "B": 1},
        "rematches": {"A": 1, "B": 1},
        "phase": "pending_truco",
        "stake": 1,
        "winner": None,
        "hand": 3,
        "mano": "B",
        "pending": {"by": "A", "call": "truco", "quiero": 2, "no_quiero": 1},
        "suspended": None,
        "last": [{"to": "A", "points": 2, "why": "envido"}],
        "match": {"phase": "ended", "agreed": ["A"]},
        "names": {"A": "Los Pibes", "B": ""},
        "seq": 7,
    },
    "press": "guarded",
    "presses": ["taken", "guarded"],
    "sound": "call",
    "screen": "pending",
    "text": ["TRUCO", "responde: Ellos"],
    "lamps": {"A": "off", "B": "on"},
    "light": ["#ffaa00", "#000000"],
    "says": ["¡truco! vale dos.", "quiero."],
    "cut": [],
    "seq": 7,
    "pid": 1,
}
PHONED = {"id": 1, "ok": False, "error": "STALE"}

TRUE_AND_FALSE = (
    ("score A 2 B 0",         "score A 2 B 1"),
    ("games A 0 B 1",         "games A 0 B 0"),
    ("rematches A 1 B 1",     "rematches A 1 B 0"),
    ("phase pending_truco",   "phase playing"),
    ("stake 1",               "stake 2"),
    ("winner none",           "winner A"),
    ("hand 3",                "hand 2"),
    ("mano B",                "mano A"),
    ("match ended A",         "match ended"),
    ("names Los Pibes · -",   "names Los Pibes"),
    ("pending truco",         "pending none"),
    ("pending truco by A",    "pending truco by B"),
    ("pending truco by A quiero 2 no_quiero 1", "pending truco by A quiero 2 no_quiero 2"),
    ("suspended none",        "suspended truco"),
    ("paid A 2 envido",       "paid none"),
    ("press taken guarded",   "press guarded"),
    ("sound call",            "sound refused"),
    ("screen pending",        "screen playing"),
    ("text responde: Ellos",  "text responde: Nosotros"),
    ("no_text Nosotros",      "no_text Ellos"),
    ("lamp B on",             "lamp A on"),
    ("light yellow dark",     "light dark yellow"),
    ("says ¡truco! vale dos. | quiero.", "says none"),
    ("cut none",              "cut quiero."),
    ("pid changed",           "pid same"),
    ("stored 7",              "stored nothing"),
)  # fmt: skip


def evening(*lines: str) -> Evening:
    return parse("evening", "\n".join(["# Something happens.", "A truco", *lines]))


@pytest.mark.parametrize(("right", "wrong"), TRUE_AND_FALSE)
def test_every_expectation_can_be_true_and_false(right: str, wrong: str) -> None:
    assert failures(evening(f"  = {right}"), [TOLD]) == []
    (sentence,) = failures(evening(f"  = {wrong}"), [TOLD])
    assert sentence.startswith("line 3, after 'A truco': ")


def test_every_word_has_an_example() -> None:
    tried = {right.split()[0] for right, _ in TRUE_AND_FALSE}
    assert tried | {"remember", "same_as"} == set(WORDS)
    assert set(PHONE_WORDS) == {"answer"}


def test_a_remembered_state_is_compared_without_its_place_in_the_journal() -> None:
    read = parse("e", "# x\nA truco\n= remember then\nundo\n= same_as then")
    later = {**TOLD, "state": {**TOLD["state"], "seq": 9}}
    assert failures(read, [TOLD, later]) == []
    other = {**TOLD, "state": {**TOLD["state"], "stake": 2}}
    assert len(failures(read, [TOLD, other])) == 1


def test_the_reply_to_a_phone_is_checked() -> None:
    refused = parse("e", "# x\nphone A concede\n= answer STALE")
    assert failures(refused, [PHONED]) == []
    taken = parse("e", "# x\nphone A concede\n= answer ok")
    assert len(failures(taken, [PHONED])) == 1


def test_an_incomplete_evening_fails() -> None:
    assert failures(evening("= score A 2 B 0"), []) != []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A truco\n= score A 2 B 0", "begin with a comment"),
        ("# Nothing is checked.\nA truco", "nothing that must be true"),
        ("# The end is not checked.\nA truco\n= stake 1\nB quiero", "nothing that must be true"),
        ("# Nobody plays.", "nothing that must be true"),
        ("# Too early.\n= stake 1\nA truco", "nothing was pressed yet"),
        ("# A slip.\nA truco\n= scoer A 1 B 0", "'scoer' is none of"),
        ("# Of a phone.\nphone A concede\n= score A 1 B 0", "'score' is none of answer"),
        ("# Of no phone.\nA truco\n= answer ok", "'answer' is none of"),
    ],
)
def test_an_invalid_evening_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(EveningError, match=sentence):
        parse("evening", text)


@pytest.mark.parametrize(
    "said",
    ["score A", "score A two B 0", "lamp A bright", "lamp C on", "pid other", "text",
     "pending truco for A", "same_as never", "stored some", "screen", "phase a b"],
)  # fmt: skip
def test_an_expectation_without_a_meaning_is_an_error(said: str) -> None:
    with pytest.raises(EveningError, match="cannot be understood"):
        failures(evening(f"= {said}"), [TOLD])


def test_options_and_comments_are_read() -> None:
    options = '@ --variant gaucho --options "target=12 tied=mano"'
    read = parse("evening", f"# One.\n# Two.\n{options}\nA truco # said\n= stake 1")
    assert read.story == "One. Two."
    assert read.options == ("--variant", "gaucho", "--options", "target=12 tied=mano")
    assert read.moments[0].line == "A truco"
