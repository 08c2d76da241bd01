"""Faults found by the fuzzer, as minimal examples."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from scorer.api.server import MAX_LINE_BYTES, MAX_PENDING_REQUESTS, Client, listen
from scorer.commands import check
from scorer.config.loader import parse_config
from scorer.config.sources import resolve, store_directory
from scorer.config.toml_reader import ConfigError, parse_toml, read_text
from scorer.records.replay import local_time
from scorer.records.standings import game_result
from scorer.rules import SheetError, header_text, parse_step, read_header, rules_for
from scorer.rules.registry import find_variant
from scorer.rules.sheet import LineError
from scorer.store.journal import StoredRow
from scorer.table.handlers import handle_request
from scorer.table.table import Table
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.sockets import LAST, PATIENCE, Wire
from tests.longrun.fuzz.tables import started
from tests.support.fake_settings import FakeSettings
from tests.support.in_process_table import START

ARGENTINE = rules_for(find_variant("argentine"))


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x7f", "\x1c", "\r", "\n"])
def test_a_name_with_a_line_end_in_it_is_read_again(end: str) -> None:
    text = header_text([("Variant", "argentine"), ("NameA", f"Los{end}Pibes")])
    assert list(read_header(text).names.values()) == ["Los Pibes"]


def test_an_empty_header_is_an_error_with_a_message() -> None:
    with pytest.raises(LineError, match="the tag Variant is missing"):
        read_header("")


@pytest.mark.parametrize("word", ["\x1b[2Jtruco", "tru\u2028co", "\u202etruco", "x" * 60_000])
def test_a_quoted_word_is_one_short_printable_line(word: str) -> None:
    with pytest.raises(SheetError) as error:
        parse_step(f"A {word}", ARGENTINE)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200


def problems_of(text: str) -> list[tuple[int, str]]:
    """The problems of a configuration as (line, sentence)."""
    with pytest.raises(ConfigError) as wrong, bounded():
        parse_config(text)
    return [(problem.line, problem.sentence) for problem in wrong.value.problems]


WRONG = (
    # what is wrong, the file, the line, part of the message
    ("brackets without end", "\nx = " + "[" * 2000 + "]" * 2000, 2, "brackets in brackets"),
    ("a key without end", "[table]\nnames" + ".a" * 3000 + " = 1", 2, "8 parts"),
    ("a number of many digits", "[consoles]\ncount = " + "9" * 5000, 2, "too large"),
    ("a number of TOML's own bound", "[lamps]\nA = 0x" + "f" * 4000, 2, "too large"),
    ("an hour of many digits", "[sound]\nquiet = '" + "9" * 5000 + ":00-08:00'", 2, "not like"),
    ("a time that is none", "[guards]\nslap = nan", 2, "without an end"),
    ("a time without an end", "[light]\ndim = inf", 2, "without an end"),
    ("a path with a hole", '[store]\ndirectory = "/data/\\u0000"', 2, "cannot be written"),
    ("a name of two lines", '[table]\nnames = ["a\\u2028b"]', 2, "cannot be written"),
    ("a name that no panel shows", "[table]\nnames = ['" + "M" * 41 + "']", 2, "40 letters"),
    ("a panel as large as a wall", "[[panel]]\nsize = [100000, 8]", 2, "the glass of an SSD1309"),
    ("a bus that cannot be", "[[panel]]\nport = 99999999999", 2, "port: 0 to 255"),
    ("bytes that are no text", '[table]\n# la ca\udcf1a\nvariant = "gaucho"', 2, "UTF-8"),
    ("the end of the file", "[table]\nnames = [\n", 2, "no TOML"),
    ("a file that is no configuration", "#" * 70_000, 0, "longer than any"),
    ("lines as others count them", '# a\x85b\n[table]\nvariant = "no"', 3, "no variant"),
)


@pytest.mark.parametrize(
    ("text", "line", "sentence"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_a_fault_of_a_configuration_has_its_line_and_a_sentence(
    text: str, line: int, sentence: str
) -> None:
    ((where, sentence_shown),) = problems_of(text)
    assert (where, sentence in sentence_shown) == (line, True), sentence_shown


def test_blanks_and_blank_lines_are_parsed_quickly() -> None:
    with bounded(2.0):
        problems_of("x = [\n[" + " " * 5000 + '"a",\n"b"]]')
        assert store_directory("\n" * 30_000 + "[") == Path("/var/lib/scorer")


def test_one_byte_of_another_encoding_leaves_the_store_and_the_last_good_settings(
    tmp_path: Path,
) -> None:
    kept, file = FakeSettings(), tmp_path / "scorer.toml"
    good = '[table]\nvariant = "gaucho"\n[store]\ndirectory = "/data/scorer"\n'
    resolve(good, None, kept)
    file.write_bytes(good.encode() + "# la caña\n".encode("latin-1"))
    text = read_text(file)
    settled = resolve(text, None, kept)
    assert settled.config == parse_config(good)
    assert settled.problems[0].line == 5
    assert store_directory(text) == Path("/data/scorer")


def test_a_file_with_bom_and_crlf_is_read(tmp_path: Path) -> None:
    file = tmp_path / "scorer.toml"
    file.write_bytes(b'\xef\xbb\xbf[table]\r\nvariant = "gaucho"\r\n')
    assert parse_toml(read_text(file)) == {"table": {"variant": "gaucho"}}


def test_a_key_with_control_characters_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text('"a\\nb\\u001b[2J" = 1\n', encoding="utf-8")
    assert check.main([str(file)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.isprintable()


@pytest.mark.parametrize(
    "rubbish", ["[" * 100_000, '{"table": {"names": ["\\ud800"]}}', '{"light": {"dim": NaN}}']
)
@pytest.mark.parametrize("key", ["box", "card", "last_good"])
def test_deep_or_unwritable_settings_of_a_store_are_ignored(key: str, rubbish: str) -> None:
    settled = resolve("", None, FakeSettings({key: rubbish}))
    assert settled.config == parse_config("")


def test_a_socket_never_replaces_a_file(tmp_path: Path) -> None:
    file = tmp_path / "scorer.sqlite3"
    file.write_text("the score", encoding="utf-8")
    with pytest.raises(OSError):
        listen(file)
    assert file.read_text(encoding="utf-8") == "the score"


@pytest.mark.parametrize(
    "wall", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "yesterday", ""]
)
def test_an_invalid_wall_time_loses_the_duration_and_no_score(wall: str) -> None:
    first = StoredRow(1, 1, 1, "A award 1", "A", "one boot", 0, "2026-05-01T21:00:00", True)
    last = StoredRow(2, 1, 2, "A concede", "A", "another boot", 0, wall, True)
    assert local_time(last) == ""
    result = game_result('[Variant "argentine"]\n', [first, last])
    assert result is not None and result.minutes == 0


def ask(table: Table, wire: Wire, path: Path, *lines: bytes) -> list[dict[str, object]]:
    """The replies to these lines, without states."""
    with socket.socket(socket.AF_UNIX) as end:
        end.settimeout(PATIENCE)
        end.connect(str(path))
        end.sendall(b"\n".join(lines) + LAST)
        received: list[dict[str, object]] = []
        end.settimeout(0.02)
        rest = b""
        while not any(each.get("id") == "the last word" for each in received):
            wire.serve(table)
            try:
                rest += end.recv(1 << 16)
            except TimeoutError:
                continue
            *whole, rest = rest.split(b"\n")
            assert all(len(line) < MAX_LINE_BYTES for line in whole)
            received += [json.loads(line) for line in whole]
    return [each for each in received if "ok" in each]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sock"


def test_true_is_not_the_number_one(tmp_path: Path, path: Path) -> None:
    wire = Wire(path)
    with started(tmp_path / "store", wire) as (table, _):
        assert not table.has_failed
        wire.server.start()
        first, *others, _ = ask(
            table,
            wire,
            path,
            b'{"id": 1, "do": "step", "line": "A truco", "seq": 0}',
            b'{"id": 2, "do": "step", "line": "B quiero", "seq": true}',
            b'{"id": 3, "do": "undo", "seq": true}',
        )
        wire.server.close()
        assert first["ok"] is True
        assert [each["error"] for each in others] == ["STALE", "STALE"]
        assert table.game_log.seq == 1


def test_no_reply_is_longer_than_a_line_and_nesting_is_limited(tmp_path: Path, path: Path) -> None:
    wire = Wire(path)
    deep = [b'{"do": ' + b"[" * n + b"]" * n + b"}" for n in range(940, 1000, 3)]
    with started(tmp_path / "store", wire) as (table, _):
        assert not table.has_failed
        wire.server.start()
        answers = ask(
            table,
            wire,
            path,
            b'{"id": "' + b"x" * 60_000 + b'", "do": "undo", "seq": 0}',
            b'{"do": "undo", "id": [' + b"1e15," * 10_000 + b"1]}",
            b'{"do": "step", "seq": 0, "line": "A ' + b"y" * 60_000 + b'"}',
            *deep,
        )
        wire.server.close()
        assert [each["ok"] for each in answers[:-1]] == [False] * (3 + len(deep))


def test_a_client_that_never_reads_does_not_fill_the_inbox(tmp_path: Path, path: Path) -> None:
    wire = Wire(path)
    with started(tmp_path / "store", wire) as (table, _):
        assert not table.has_failed
        wire.server.start()
        flood = socket.socket(socket.AF_UNIX)
        flood.settimeout(PATIENCE)
        flood.connect(str(path))
        flood.sendall(b'{"id": 1, "do": "journal"}\n' * 2000)
        phone = Client(path, timeout=PATIENCE)
        phone.send({"id": "phone", "do": "journal"})
        requests = [wire.inbox.get(timeout=PATIENCE) for _ in range(MAX_PENDING_REQUESTS)]
        while all(each.message["id"] != "phone" for each in requests):
            assert wire.inbox.empty(), "the socket has its share"
            assert len(requests) <= MAX_PENDING_REQUESTS + 1, "each client in turn"
            handle_request(table, requests[-1], START)
            requests.append(wire.inbox.get(timeout=PATIENCE))
        phone.close()
        flood.close()
        wire.server.close()
