"""One socket per right: what each answers, and the sender that its rows note."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.api.rights import Right, socket_path
from tests.api.test_requests import ME
from tests.docs.reading import rows_with, section, text_of, words
from tests.support.phone_pairing import show_new_code
from tests.support.table_client import Message, TableClient
from tests.table.table_process import TableDriver, running_table, table_on

PAGE = text_of("socket.md")
# A program that becomes another user; the folder is its own already.
STRANGER = """
import json, os, socket, sys
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[2]))
table = socket.socket(socket.AF_UNIX)
table.connect(sys.argv[1])
lines = table.makefile("rw")
state = None
while state is None:
    state = json.loads(lines.readline()).get("state")
request = {"id": 1, "do": "step", "line": "A truco", "seq": state["seq"], "who": "A"}
print(json.dumps(request), file=lines, flush=True)
while "ok" not in (answer := json.loads(lines.readline())):
    pass
print(json.dumps(answer))
"""
# Every request, and what a table answers that judges it.
JUDGED = {
    "step": "UNREADABLE",
    "undo": "STALE",
    "selftest": None,
    "journal": None,
    "game": None,
    "pair": "NO_CODE",
    "phone": "UNPAIRED",
    "unpair": "UNPAIRED",
    "press": "UNPAIRED",
    "correct": "UNPAIRED",
    "names": "UNPAIRED",
    "pair_name": "UNPAIRED",
    "notice": "UNREADABLE",
    "hall": "UNREADABLE",
    "assign": "UNREADABLE",
    "release": "UNREADABLE",
    "epoch": None,
    "owner_pair": "NO_CODE",
    "owner": "UNPAIRED",
    "owner_save": "UNPAIRED",
    "owner_copies": "UNPAIRED",
    "owner_restore": "UNPAIRED",
    "owner_leave": "UNPAIRED",
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rights") / "table.sock"


@pytest.fixture(scope="module")
def told(path: Path) -> Iterator[TableDriver]:
    with running_table(table_on(path.parent / "store", socket=path)) as playing:
        yield playing


def ask(path: Path, right: Right, **request: object) -> Message:
    """The answer to one request, on a connection of its own."""
    with TableClient(path, right) as client:
        return client.ask(**request)


def allowed(right: str) -> set[str]:
    """The requests that the reference lists for a right."""
    (row,) = [row for row in rows_with(section(PAGE, "rights"), "Right") if row["Right"] == right]
    return set(words(row["Requests"]))


@pytest.mark.parametrize("right", Right)
def test_a_socket_answers_the_requests_of_its_right_alone(
    told: TableDriver, path: Path, right: Right
) -> None:
    found = {do: ask(path, right, do=do).get("error") for do in JUDGED}
    refused = {do for do, error in found.items() if error == "FORBIDDEN"}
    assert {do: found[do] for do in found if do not in refused} == {
        do: JUDGED[do] for do in JUDGED if do not in refused
    }
    lower = [each for each in Right if right.includes(each)]
    assert found.keys() - refused == set().union(*(allowed(each.name.lower()) for each in lower))
    assert told.wait(0.1).seq == 0


def test_the_rights_are_in_the_reference_with_their_sockets() -> None:
    rows = rows_with(section(PAGE, "rights"), "Right")
    assert [row["Right"] for row in rows] == [right.name.lower() for right in reversed(Right)]
    for right, row in zip(reversed(Right), rows, strict=True):
        (path,) = words(row["Socket"])
        assert Path(path) == socket_path(Path("/run/scorer/table.sock"), right)


def test_each_socket_sends_the_state(told: TableDriver, path: Path) -> None:
    for right in Right:
        with TableClient(path, right) as client:
            assert client.state["score"] == {"A": 0, "B": 0}


def test_a_phone_pairs_and_presses_through_the_socket_for_phones(
    told: TableDriver, path: Path
) -> None:
    code = show_new_code(told)
    with TableClient(path, Right.PHONE) as web:
        paired = web.ask(do="pair", code=code, name="Ana")
        told.press("menu", duration_s=4.0)
        key = {"phone": paired["phone"], "key": paired["key"]}
        assert web.ask(do="press", button="truco", side="A", seq=0, **key)["verdict"] == "taken"
        assert web.ask(do="names", names={"A": "Los Pibes"}, **key)["ok"] is True
        assert web.ask(do="notice", address="http://192.168.1.7:8080/")["ok"] is True
        assert web.ask(do="unpair", **key)["ok"] is True
        assert web.ask(do="undo", seq=1)["error"] == "FORBIDDEN"
    assert told.wait(0.1).seq == 1


# ---- who is noted in the rows -------------------------------------------------------------------


def sources(path: Path, start: int) -> list[str]:
    rows = ask(path, Right.READ, do="journal", **{"from": start})["rows"]
    return [row["source"] for row in rows]


def test_every_row_notes_the_user_of_the_process_that_sent_it(
    told: TableDriver, path: Path
) -> None:
    with TableClient(path) as hub:
        for who in ("hub", None, "A", "Ana (root)"):
            seq = hub.ask(do="journal")["rows"][-1]["seq"]
            assert hub.ask(do="undo", seq=seq, who=who)["ok"] is True
            assert hub.ask(do="step", line="- redo", seq=seq + 1)["ok"] is True
            assert sources(path, seq + 1) == [f"{who or 'socket'} ({ME})", f"socket ({ME})"]
    told.press("undo")
    assert sources(path, told.report.seq) == ["menu"], "no user: a button"


def test_the_user_is_the_one_that_the_kernel_names(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    path = tmp_path / "table.sock"
    with running_table(table_on(tmp_path / "store", socket=path)) as told:
        tmp_path.chmod(0o711)
        path.chmod(0o666)
        run = subprocess.run(
            [sys.executable, "-I", "-c", STRANGER, path.name, str(pwd.getpwnam("daemon").pw_uid)],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert json.loads(run.stdout)["ok"] is True
        assert sources(path, told.wait(0.1).seq) == ["A (daemon)"]
