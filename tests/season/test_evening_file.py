"""The file of an evening: written, read, and refused with what to do."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.season.evening import (
    Evening,
    EveningHall,
    EveningMatch,
    EveningPhase,
    EveningPlayer,
    EveningTeam,
    EveningTournament,
    NamesKind,
)
from scorer.season.evening_file import (
    MAX_BYTES,
    EveningFault,
    EveningRefusal,
    HallKey,
    SignedEvening,
    read_evening,
    write_evening,
)
from scorer.season.members import member_hash
from scorer.season.signing import public_key_of, sign
from scorer.tournament.format import PhaseKind
from scorer.tournament.model import Ending

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/api/evening.schema.json").read_text("utf-8"))
PAGE = (ROOT / "docs/reference/evening.md").read_text("utf-8")
KEY, OTHER = "11" * 32, "22" * 32
KEYS = [HallKey(public_key_of(KEY))]
EVENING = Evening(
    id="5f" * 16,
    revision=412,
    date="2026-11-28",
    names=NamesKind.PUBLIC,
    hall=EveningHall("Club Ñandú", public_key_of(KEY)),
    tournament=EveningTournament("Copa de los viernes", "", "swiss", "format.swiss"),
    is_complete=True,
    phases=(EveningPhase("rondas", "", PhaseKind.ROUNDS, "argentine"),),
    teams=(
        EveningTeam(1, 2, "Los Ñatos", (EveningPlayer("Ana"), EveningPlayer("#2.2", "ab" * 32))),
        EveningTeam(2, 1, "#1", phase="rondas"),
        EveningTeam(2, 3, "Mônica e Zé", club="Ouro", is_withdrawn=True),
    ),
    matches=(
        EveningMatch("rondas-R1-M1", "rondas", 0, 1, 3, (1, 2), (0, 1), (12, 30), 1, Ending.PLAYED),
        EveningMatch(
            "rondas-R1-M2", "rondas", 0, 1, 0, (3, 0), (0, 0), (0, 0), None, Ending.WALKOVER
        ),
    ),
)
FILE = write_evening(EVENING, KEY)


def refused(data: bytes, keys: list[HallKey] = KEYS) -> EveningRefusal:
    found = read_evening(data, keys)
    assert isinstance(found, EveningRefusal), found
    return found


def signed(document: dict[str, Any], key: str = KEY) -> bytes:
    """A document that a hall has signed by the recipe of docs/reference/evening.md."""
    d = {k: v for k, v in document.items() if k not in ("digest", "signature")}
    message = json.dumps(d, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    d |= {"digest": sha256(message).hexdigest(), "signature": sign(key, message)}
    return json.dumps(d).encode()


def test_an_evening_is_read_as_it_was_written() -> None:
    found = read_evening(FILE, KEYS)
    assert found == SignedEvening(EVENING, json.loads(FILE)["digest"])
    assert write_evening(EVENING, KEY) == FILE


def test_a_file_has_the_schema_and_every_documented_key() -> None:
    document = json.loads(FILE)
    jsonschema.validate(document, SCHEMA)
    documented = {
        key
        for line in PAGE.splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`([a-z_]+)`", line.split("|")[1])
    }
    objects = [document, *document["teams"], *document["matches"]]
    assert documented == {key for each in objects for key in each}


def test_the_layout_of_a_file_makes_no_difference() -> None:
    pretty = json.dumps(json.loads(FILE), indent=2, ensure_ascii=False, sort_keys=False).encode()
    assert read_evening(pretty, KEYS) == read_evening(FILE, KEYS)


def test_a_newer_program_may_add_keys_and_its_signature_covers_them() -> None:
    document = json.loads(FILE) | {"weather": {"rain": True}}
    newer = signed(document)
    found = read_evening(newer, KEYS)
    assert isinstance(found, SignedEvening)
    assert found.evening == EVENING
    assert refused(newer.replace(b"rain", b"snow")).fault is EveningFault.ALTERED


def test_the_signature_is_that_of_the_page() -> None:
    assert json.loads(signed(json.loads(FILE))) == json.loads(FILE)


@given(st.data())
def test_no_changed_byte_leaves_another_evening(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FILE) - 1))
    byte = data.draw(st.integers(0, 255))
    found = read_evening(FILE[:at] + bytes([byte]) + FILE[at + 1 :], KEYS)
    assert isinstance(found, EveningRefusal) or found.evening == EVENING


def change(path: str, value: object) -> bytes:
    """The evening, signed by its hall with another value at a path."""
    document = json.loads(FILE)
    inner, keys = document, path.split(".")
    for key in keys[:-1]:
        inner = inner[int(key)] if isinstance(inner, list) else inner[key]
    inner[keys[-1]] = value
    return signed(document)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("teams.0.name", "x" * 10_000, "one line"),
        ("teams.0.name", "a\nb", "one line"),
        ("teams.0.place", 2, "teams.0.place"),
        ("teams.2.place", 1, "teams.2.place"),
        ("teams.1.team", 2, "teams: has one twice"),
        ("teams.1.phase", "final", "teams.1.phase"),
        ("teams", [], "no teams of the evening"),
        ("matches.0.teams", [1, 9], "no teams of the evening"),
        ("matches.0.winner", 2, "matches.0.winner"),
        ("matches.0.phase", "final", "no phase of the evening"),
        ("matches.0.games", [1], "matches.0.games"),
        ("matches.1.id", "rondas-R1-M1", "matches: has one twice"),
        ("date", "2026-02-30", "no day of the calendar"),
        ("id", "../../etc/passwd", "id"),
        ("revision", 0, "revision"),
        ("revision", True, "revision"),
        ("teams.0.players.1.member", "1234", "member"),
    ],
)
def test_what_a_hall_has_signed_is_checked_all_the_same(
    path: str, value: object, words: str
) -> None:
    found = refused(change(path, value))
    assert found.fault is EveningFault.FIELD
    assert words in found.text
    assert len(found.text) < 1000


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", EveningFault.NO_JSON),
        (b"\xff", EveningFault.NO_JSON),
        (b"[" * 200_000, EveningFault.NO_JSON),
        (b'{"truco_evening":1,"truco_evening":1}', EveningFault.NO_JSON),
        (b'{"truco_evening":1.0}', EveningFault.NO_JSON),
        (b'{"truco_evening":NaN}', EveningFault.NO_JSON),
        (b'{"truco_evening":' + b"9" * 10_000 + b"}", EveningFault.NO_JSON),
        (b"[]", EveningFault.NO_EVENING),
        (b'{"truco_site":1}', EveningFault.NO_EVENING),
        (b'{"truco_evening":2}', EveningFault.VERSION),
        (b'{"truco_evening":true}', EveningFault.VERSION),
        (b'{"truco_evening":1}', EveningFault.UNSIGNED),
        (FILE[:-40], EveningFault.NO_JSON),
        (FILE.replace(b"12,30", b"30,12"), EveningFault.ALTERED),
        (b" " * (MAX_BYTES + 1), EveningFault.TOO_LONG),
    ],
)
def test_a_damaged_file_is_refused(data: bytes, fault: EveningFault) -> None:
    assert refused(data).fault is fault


def test_another_key_cannot_sign_in_the_name_of_a_hall() -> None:
    forged = signed(json.loads(FILE), OTHER)
    assert refused(forged).fault is EveningFault.SIGNATURE
    its_own = write_evening(
        EVENING._replace(hall=EveningHall("Club Ñandú", public_key_of(OTHER))), OTHER
    )
    found = refused(its_own)
    assert (found.fault, found.key) == (EveningFault.UNKNOWN_KEY, public_key_of(OTHER))
    with pytest.raises(ValueError, match="another key"):
        write_evening(EVENING, OTHER)


def test_the_key_of_a_hall_has_days() -> None:
    key = public_key_of(KEY)
    for days in (("", ""), ("2026-11-28", ""), ("", "2026-11-28"), ("2026-11-28", "2026-11-28")):
        assert isinstance(read_evening(FILE, [HallKey(key, *days)]), SignedEvening)
    for days in (("2026-11-29", ""), ("", "2026-11-27")):
        assert refused(FILE, [HallKey(key, *days)]).fault is EveningFault.KEY_DATE
    both = [HallKey(key, until="2026-01-01"), HallKey(key, since="2026-11-01")]
    assert isinstance(read_evening(FILE, both), SignedEvening)


def test_a_member_is_the_same_in_all_evenings_of_a_season_and_in_no_other() -> None:
    assert member_hash(KEY, " a 1234") == member_hash(KEY, "A1234")
    assert len({member_hash(key, number) for key in (KEY, OTHER) for number in ("1", "2")}) == 4
    # What another program computes: openssl dgst -sha256 -mac HMAC -macopt hexkey:1111...
    found = "a7d21a6d2aae8df8c943da51157c991719a78564b6081df533ca6dbac0eee32f"
    assert member_hash(KEY, "1234") == found
