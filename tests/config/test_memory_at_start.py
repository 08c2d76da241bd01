"""The memory that a service needs to read its files at its start.

Each file is as long as it may be, and as dear as its text can be for its reader.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scorer.config.toml_reader import MAX_CHARS, MAX_KEY_PARTS, ConfigError, parse_toml
from tests.paths import ROOT
from tests.support.certificate import make_certificate

# The problem at the end has a line, for which the lines of all keys are found.
_END = "\nbig = 99999999999999999999999\n"


def repeated(text: str, end: str = _END, begin: str = "") -> str:
    """``text`` as often as a file takes it, with the number of each in place of ``#``."""
    parts, left = [begin], MAX_CHARS - len(begin) - len(end)
    number = 0
    while (part := text.replace("#", str(number))) and len(part) <= left:
        parts.append(part)
        left -= len(part)
        number += 1
    return "".join((*parts, end))


DEAR = {
    "a name of 8,000 parts": f"a{'.a' * 8000} = 1",
    "a name of most parts": repeated(".a", " = 1", "a"),
    "a heading of most parts": repeated(".a", "]", "[a"),
    "quoted parts": repeated('."\\""', " = 1", '"\\""'),
    "parts in braces": repeated(".a", " = 1}", "x = {a"),
    "a list that looks like a heading": repeated("a.", f'"],\n]{_END}', 'x = [\n["'),
    "a text that looks like keys": repeated("a.b.c.d.e.f.g.h.i = 1\n", f'"""{_END}', 'x = """\n'),
    "headings": repeated("[a.b.c.d.e.f.g#]\n"),
    "lists of sections": repeated("[[a.b]]\n"),
    "dotted keys": repeated("a#.b.c.d.e.f.g = 1\n"),
    "keys": repeated("a# = 1\n"),
    "braces": repeated("{b.c.d.e.f.g={}},", f"]{_END}", "a = ["),
    "brackets": repeated("[", ""),
    "wrong values": repeated("a# = nan\n"),
    "escapes": repeated('\\"', "", 'x = "'),
    "quotes": repeated('"', "........"),
    "one key": repeated("a", " ........ = 1"),
    "letters of four bytes": repeated("\U0001f0cf", f'"{_END}', 'x = "'),
    "unreadable letters": repeated("\x1b", f'"{_END}', 'x = "'),
}
# The same of JSON; the last good settings of a program may have four times the bytes of its file.
_LONGEST_JSON = 4 * MAX_CHARS
DEAR_JSON = {
    "lists": "[" + "[]," * (_LONGEST_JSON // 3 - 1) + "0]",
    "tables": "[" + "{}," * (_LONGEST_JSON // 3 - 1) + "0]",
    "numbers": '{"table":[' + "1e9," * (_LONGEST_JSON // 4 - 4) + "0]}",
    "nested lists": "[" * _LONGEST_JSON,
    "nested tables": '{"a":' * (_LONGEST_JSON // 5),
    "names": '{"table":{"names":[' + '"",' * (_LONGEST_JSON // 3 - 8) + '""]}}',
    "secrets": '{"secrets":[' + '[""],' * (_LONGEST_JSON // 5 - 4) + "[]]}",
    "keys": '{"table":{' + ",".join(f'"{at}":{{}}' for at in range(_LONGEST_JSON // 12)) + "}}",
}
_CHECK = "from scorer.commands.check import main; main([file])"
# The unit, what it calls at its start, and the name of the file.
READERS = {
    "scorer": (_CHECK, "scorer.toml"),
    "scorer, variants": ("from scorer.config.owner_variants import load; load(folder)", "own.toml"),
    "scorer-hub": (
        "from scorer.config.tournament_formats import load_owner_formats as load;"
        "load(folder); from scorer.hub import command;"
        "command.main(['--config', file, '--card', '/dev/null', '--state', str(folder),"
        " 'tournament', 'list'])",
        "own.toml",
    ),
    "scorer-link": (
        "from scorer.link.membership import *; MembershipFile(folder); AttemptFile(folder)",
        "hall.json",
    ),
    "scorer-wifi": (
        "from scorer.system.wifi import card, joining, state; joining.keyfile_text(folder / name);"
        "state.read(folder / name)\n"
        "try: card.remove_network(folder / name)\n"
        "except card.CannotRemove: pass",
        "truco.nmconnection",
    ),
}
_LAST_GOOD = (
    "from scorer.config.standalone import Program, load_for_program as load\n"
    "(folder / 'scorer.toml').write_text('[')\n"
    "load(Program('', ('table',), {}, folder), folder / 'scorer.toml', folder / 'none')"
)
READERS_OF_JSON = {
    **{
        f"scorer-{name}, last good settings": (_LAST_GOOD, "last_good.json")
        for name in ("backup", "desk", "hub", "link", "print", "voice", "web")
    },
    "scorer-link": READERS["scorer-link"],
    "scorer-link, topics": (
        "from scorer.config.link_section import MqttSection; from scorer.link.topics import *;"
        "note_topics(Topics.of(MqttSection(broker='localhost'), 'box'), 'box', folder)",
        "topics.json",
    ),
    "scorer-web, the state of Wi-Fi": (
        "from scorer.system.wifi import state; state.read(folder / name)",
        "state",
    ),
}
_DRIVER = """
import json, os, resource, sys
from pathlib import Path
code, name = sys.argv[1:3]
peaks = {}
for folder in map(Path, sys.argv[3:]):
    child = os.fork()
    if not child:
        sys.stdout = sys.stderr = open(os.devnull, "w")
        try:
            exec(code, {"file": str(folder / name), "folder": folder, "name": name})
        except (Exception, SystemExit) as error:
            os._exit(0 if isinstance(error, (SystemExit, ValueError, OSError)) else 1)
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    peaks[folder.name] = [os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024]
print(json.dumps(peaks))
"""


def most_bytes(unit: str) -> int:
    """MemoryMax of a unit."""
    text = (ROOT / "systemd" / f"{unit}.service").read_text(encoding="utf-8")
    found = re.search(r"^MemoryMax=(\d+)M$", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) << 20


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    ("reader", "code", "name", "dear"),
    [
        *((reader, *read, DEAR) for reader, read in READERS.items()),
        *((reader, *read, DEAR_JSON) for reader, read in READERS_OF_JSON.items()),
    ],
)
def test_a_file_at_its_limit_is_read_in_the_memory_of_the_unit(
    tmp_path: Path, reader: str, code: str, name: str, dear: dict[str, str]
) -> None:
    folders = []
    for number, text in enumerate(dear.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        folders.append(str(folder))
    command = [sys.executable, "-c", _DRIVER, code, name, *folders]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found = dict(zip(dear, json.loads(done.stdout).values(), strict=True))
    assert {text for text, (exit_code, _) in found.items() if exit_code} == set()
    most = most_bytes(reader.partition(",")[0])
    assert {text: peak >> 20 for text, (_, peak) in found.items() if peak > most // 2} == {}


@pytest.mark.sampled(0)
def test_a_certificate_of_any_length_is_read_in_the_memory_of_the_unit(tmp_path: Path) -> None:
    made = make_certificate(tmp_path)
    chain = made.certificate.read_text()
    folders = []
    for number, length in enumerate((1 << 20, 64 << 20)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "tls.pem").write_text(chain * (length // len(chain) - 1))
        folders.append(str(folder))
    code = (
        "from scorer.serving.tls import PemFiles, TlsError, load_context\n"
        f"try: load_context(PemFiles('web', str(folder / name), {str(made.key)!r}))\n"
        "except TlsError: pass"
    )
    command = [sys.executable, "-c", _DRIVER, code, "tls.pem", *folders]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    for exit_code, peak in json.loads(done.stdout).values():
        assert exit_code == 0
        assert peak <= most_bytes("scorer-web") // 2


@pytest.mark.sampled(0)
def test_a_certificate_of_a_broker_is_read_in_the_memory_of_the_unit(tmp_path: Path) -> None:
    chain = make_certificate(tmp_path).certificate.read_text()
    folders = []
    for number, length in enumerate((1 << 20, 64 << 20)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "broker.pem").write_text(chain * (length // len(chain)))
        folders.append(str(folder))
    code = (
        "import io; from scorer.link import mqtt\n"
        "section = {'broker': '127.0.0.1', 'certificate': str(folder / name)}\n"
        "line = json.dumps({**section, 'box': 'box', 'device': 'box', 'former': []})\n"
        "mqtt.main(io.BytesIO(line.encode()))"
    )
    command = [sys.executable, "-c", _DRIVER, f"import json\n{code}", "broker.pem", *folders]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    for exit_code, peak in json.loads(done.stdout).values():
        assert exit_code == 0
        assert peak <= most_bytes("scorer-link") // 2
    # The one beyond the limit: nothing of it was read.
    refused = subprocess.run(
        [sys.executable, "-m", "scorer.link.mqtt"],
        input=json.dumps(
            {"broker": "127.0.0.1", "certificate": f"{folders[1]}/broker.pem"}
            | {"box": "box", "device": "box", "former": []}
        ),
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert "is no certificate to use: it is longer than any" in refused.stderr


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d.e.f.g.h.i = 1",
        "[a.b.c.d.e.f.g.h.i]",
        "[[ a . b . c . d . e . f . g . h . i ]]",
        "x = {a.b.c.d.e.f.g.h.i = 1}",
        '"a.".\'b\'."\\"".d.e.f.g.h.i = 1',
        'x = "y" # z\na.b.c.d.e.f.g.h.i = 1',
        'x = """y\n""" \na.b.c.d.e.f.g.h.i = 1',
    ],
)
def test_a_key_of_more_than_eight_parts_is_refused_before_it_is_parsed(text: str) -> None:
    assert tomllib.loads(text)
    with pytest.raises(ConfigError, match=f"line .: a name of more than {MAX_KEY_PARTS} parts"):
        parse_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        "# a.b.c.d.e.f.g.h.i.j",
        'x = "a.b.c.d.e.f.g.h.i.j \\" a.b.c.d.e.f.g.h.i.j"',
        "x = 'a.b.c.d.e.f.g.h.i.j'",
        'x = """\na.b.c.d.e.f.g.h.i.j = 1 "" a.b.c.d.e.f.g.h.i.j"""',
        "x = '''\na.b.c.d.e.f.g.h.i.j = 1 '' a.b.c.d.e.f.g.h.i.j'''",
        "x = [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]",
        "a.b.c.d.e.f.g = 1.5",
    ],
)
def test_dots_elsewhere_are_no_parts(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)
