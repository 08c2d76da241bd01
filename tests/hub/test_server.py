"""The hub as a process: boxes join, send and are shown; the desk decides."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import ssl
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scorer.config.link_section import HostAddress
from scorer.hall import joining, wire
from scorer.hall.events import Beat, Desired, RenewEpoch, Resend
from scorer.hall.joining import BeginRequest, JoinReply, JoinState, WaitRequest
from scorer.hall.rows import Opening
from scorer.hub import administration
from scorer.link.https import open_connection
from tests.hub.boxes import HEADER, digest_of, greet, row, rows_message
from tests.hub.hub_process import (
    TIMEOUT,
    Client,
    EventStream,
    HubProcess,
    PinError,
    StreamEnded,
    running_hub,
)
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.support.certificate import Certificate, make_certificate, run_openssl

TOKEN = "1" * 32


async def _connect(hub: HostAddress, pin: str) -> None:
    """Raises WrongCertificate for another certificate than the pinned one."""
    (await open_connection(hub, pin)).connection.close()


OPENED = Opening(1, 1, HEADER)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club Tres de Copas"') as running:
        yield running


@pytest.fixture(scope="module")
def desk(hub: HubProcess) -> Client:
    return log_in(hub)


def wait_for(condition: Callable[[], bool]) -> None:
    """Poll; a busy machine may take a while."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def wall(hub: HubProcess) -> dict[int, dict[str, object]]:
    connection = http.client.HTTPConnection(*hub.wall, timeout=TIMEOUT)
    connection.request("GET", "/api/v1/hall")
    document = json.loads(connection.getresponse().read())
    connection.close()
    return {each["table"]: each for each in document["tables"]}


def connected_box(hub: HubProcess, token: str) -> EventStream:
    """A stream that has had its first beat: from now on the box is connected."""
    stream = hub.client().events(wire.EVENTS_PATH, token)
    assert isinstance(stream.next(), Beat)
    return stream


def test_a_box_joins_with_the_digits_that_the_desk_shows(hub: HubProcess, desk: Client) -> None:
    box = JoiningBox(hub.client(), hub.pin, "7" * 32)
    code = box.show_digits()
    assert box.wait().state is JoinState.WAITING
    candidates = desk.get("/desk/state").document["candidates"]
    (waiting,) = [each for each in candidates if each["key"] == box.key]
    assert (waiting["code"], waiting["machine"]) == (code, "a91c")
    refused = box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token)
    assert refused.status == 401
    desk.desk("/desk/act", {"do": "accept", "key": waiting["key"], "table": 40})
    accepted = box.wait()
    assert (accepted.state, accepted.table) == (JoinState.ACCEPTED, 40)
    assert accepted.hall == "Club Tres de Copas"
    assert box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token).status == 200


def test_a_box_of_an_earlier_version_is_refused_with_a_reason(hub: HubProcess) -> None:
    box = JoiningBox(hub.client(), hub.pin, "8" * 32)
    for step in ({"do": "commit", "commitment": "c" * 64}, {"do": "reveal", "nonce": "d" * 32}):
        answer = box.client.post(
            wire.JOIN_PATH, json.dumps({"v": 1, "key": box.key, **step}).encode()
        )
        found = answer.document
        assert (found["state"], "program of the box" in found["text"]) == ("refused", True)


def test_refused_tries_to_join_are_one_alarm(hub: HubProcess, desk: Client) -> None:
    boxes = [JoiningBox(hub.client(), hub.pin, f"{number:032x}") for number in range(4)]
    for box in boxes[:2]:
        box.show_digits()
    for box in boxes[2:]:
        refused = box.send(BeginRequest(box.key, "a91c", "1.4"))
        assert refused.state is JoinState.REFUSED
        assert 590 < refused.wait <= 600
    assert desk.get("/desk/state").document["counted"] == {"joins": 2}
    for box in boxes[:2]:
        desk.desk("/desk/act", {"do": "refuse", "key": box.key})
    boxes[2].show_digits()
    desk.desk("/desk/act", {"do": "refuse", "key": boxes[2].key})
    assert desk.desk("/desk/act", {"do": "close_counted", "what": "joins"}).status == 200
    assert desk.get("/desk/state").document["counted"] == {}


def test_a_refused_box_is_informed(hub: HubProcess, desk: Client) -> None:
    box = JoiningBox(hub.client(), hub.pin, "9" * 32)
    box.show_digits()
    desk.desk("/desk/act", {"do": "refuse", "key": box.key})
    assert box.wait().state is JoinState.REFUSED


def test_rows_are_on_the_wall_and_in_the_audit(
    hub: HubProcess, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(administration, "_PATIENCE", 0.1)
    box = join_box(hub, desk, TOKEN, table=7)
    stream = connected_box(hub, TOKEN)
    box.client.post(wire.GREET_PATH, wire.encode(greet()), TOKEN)
    rows = [row(1), row(2, "B no_quiero"), row(3, "- new_hand")]
    message = rows_message(rows, openings=(OPENED,))
    answer = box.client.post(wire.ROWS_PATH, wire.encode(message), TOKEN)
    assert (answer.status, answer.document) == (200, {"last": 3})
    wait_for(lambda: wall(hub)[7]["game"] is not None)
    game = wall(hub)[7]["game"]
    assert isinstance(game, dict)
    assert [side["score"] for side in game["sides"]] == [1, 0]
    assert wall(hub)[7]["silent"] is False
    # The box greets again when the audit asks for it.
    box.client.post(wire.GREET_PATH, wire.encode(greet(3, digest_of(rows[2]))), TOKEN)
    audit = hub.run("audit", "--hub", f"127.0.0.1:{hub.desk[1]}")
    assert "table 7: 3 rows at the table = 3 rows at the hub (3 of its epoch), digest equal" in (
        audit.stdout
    )
    assert stream.next_wish() == Resend()
    # A box that does not greet again may have more rows.
    assert "digest equal, not asked" in audit.stdout
    assert audit.stdout.splitlines()[-1].startswith(
        "no difference was found, but not all tables could be asked: "
    )
    assert audit.returncode == 3
    stream.close()


def test_a_box_that_was_switched_off_after_its_rows_is_no_difference(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        box = join_box(hub, log_in(hub), TOKEN, table=7)
        box.client.post(wire.GREET_PATH, wire.encode(greet()), TOKEN)
        message = rows_message([row(1), row(2, "B no_quiero")], openings=(OPENED,))
        assert box.client.post(wire.ROWS_PATH, wire.encode(message), TOKEN).status == 200
        hub.stop()
        found = hub.run("audit")
    assert found.stdout.splitlines()[1:] == [
        "table 7: 0 rows at its last greeting, 2 rows at the hub (2 of its epoch), digest equal,"
        " not asked",
        "no difference was found, but not all tables could be asked: table 7",
    ]
    assert found.returncode == 3


def make_chain(folder: Path) -> tuple[Certificate, Path]:
    """A certificate with its chain, and the certificate of its authority."""
    root = make_certificate(folder, "root")
    leaf = Certificate(folder / "fullchain.pem", folder / "privkey.pem")
    extensions, request = folder / "extensions", folder / "request"
    extensions.write_text("subjectAltName=DNS:truco.example\nauthorityKeyIdentifier=keyid\n")
    run_openssl(
        "req", "-new", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        "-subj", "/CN=truco.example", "-keyout", str(leaf.key), "-out", str(request),
    )  # fmt: skip
    signed = run_openssl(
        "x509", "-req", "-in", str(request), "-CA", str(root.certificate), "-CAkey", str(root.key),
        "-CAcreateserial", "-days", "2", "-extfile", str(extensions),
    )  # fmt: skip
    chain = root.certificate.read_text("ascii")
    leaf.certificate.write_text(f"subject=CN = truco.example\n{signed}{chain}")
    return leaf, root.certificate


@pytest.mark.sampled(0)
def test_the_owners_certificate_is_for_browsers_and_boxes_keep_their_pin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(administration, "_PATIENCE", 0.1)
    with running_hub(tmp_path / "hub") as hub:
        pin = hub.pin
        box = join_box(hub, log_in(hub), TOKEN, table=7)
        box.client.post(wire.GREET_PATH, wire.encode(greet()), TOKEN)
        hub.stop()
        # From now on it has a certificate of the owner, which is renewed once.
        for renewal in ("first", "second"):
            (folder := tmp_path / renewal).mkdir()
            pair, authority = make_chain(folder)
            words = f'certificate = "{pair.certificate}"\nkey = "{pair.key}"\n'
            hub.config.write_text(
                f'[hub]\naddress = "127.0.0.1"\nsecure_port = {hub.desk[1]}\n{words}'
            )
            hub.start()
            assert hub.pin == pin
            assert hub.client().post(wire.GREET_PATH, wire.encode(greet()), TOKEN).status == 200
            trusted = ssl.create_default_context(cafile=str(authority))
            with (
                socket.create_connection(hub.desk) as plain,
                trusted.wrap_socket(plain, server_hostname="truco.example") as browser,
            ):
                subject = browser.getpeercert()
            assert subject is not None
            assert subject["subjectAltName"] == (("DNS", "truco.example"),)
            # A box that names its hall for a proxy gets the certificate that it pins.
            asyncio.run(_connect(HostAddress(*hub.desk, "norte"), pin))
            assert f'pin = "{pin}"' in hub.run("cards", "--tables", "1").stdout
            stream = connected_box(hub, TOKEN)
            # The running hub is asked, at the address of its section.
            said = hub.run("audit").stdout.splitlines()
            assert stream.next_wish() == Resend()
            assert said[-1] == (
                "no difference was found, but not all tables could be asked: table 7"
            )
            stream.close()
            hub.stop()


def test_a_score_below_zero_is_stored_and_shown(hub: HubProcess, desk: Client) -> None:
    box = join_box(hub, desk, "a" * 32, table=15)
    box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token)
    steps = ("A envido", "B quiero", "A envido_won", "A correct 0", "A envido_reversed")
    rows = [row(seq, step) for seq, step in enumerate(steps, 1)]
    shown = wire.Shown(1, 412, len(rows), {"A": -2, "B": 2})
    message = rows_message(rows, openings=(OPENED,), shown=shown)
    answer = box.client.post(wire.ROWS_PATH, wire.encode(message), box.token)
    assert (answer.status, answer.document) == (200, {"last": len(rows)})
    wait_for(lambda: wall(hub)[15]["game"] is not None)
    game = wall(hub)[15]["game"]
    assert isinstance(game, dict)
    assert [side["score"] for side in game["sides"]] == [-2, 2]
    assert wall(hub)[15]["alarm"] is False


def test_the_desk_asks_a_table_for_a_new_epoch(hub: HubProcess, desk: Client) -> None:
    box = join_box(hub, desk, "3" * 32, table=3)
    box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token)
    stream = connected_box(hub, box.token)
    (device,) = [
        each["device"] for each in desk.get("/desk/state").document["boxes"] if each["table"] == 3
    ]
    desk.desk("/desk/act", {"do": "renew", "device": device})
    assert stream.next_wish() == RenewEpoch("5f3a9c01d2e4b687")
    stream.close()


def test_a_table_with_a_later_decision_than_the_hub_gets_the_one_of_the_desk_again(
    hub: HubProcess, desk: Client
) -> None:
    box = join_box(hub, desk, "b" * 32, table=14)
    stream = connected_box(hub, box.token)
    boxes = desk.get("/desk/state").document["boxes"]
    (device,) = [each["device"] for each in boxes if each["table"] == 14]
    header = f'{HEADER}\n[Match "M1"]\n'
    assigned = {"do": "assign", "device": device, "header": header, "lock": True, "cap": None}
    assert desk.desk("/desk/act", assigned).status == 200
    first = stream.next_wish()
    assert isinstance(first, Desired)
    # Made by the hub before its disk went back to an old copy.
    forgotten = greet()._replace(rev=first.rev + 500, decision="ab" * 8)
    assert box.client.post(wire.GREET_PATH, wire.encode(forgotten), box.token).status == 200
    assert stream.next_wish() == first._replace(rev=first.rev + 501)
    assert desk.desk("/desk/act", assigned).status == 200
    assert stream.next_wish() == first._replace(rev=first.rev + 502)
    stream.close()


def test_an_alarm_is_at_the_desk_with_its_buttons_until_one_is_pressed(
    hub: HubProcess, desk: Client
) -> None:
    box = join_box(hub, desk, "4" * 32, table=4)
    box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token)
    box.client.post(
        wire.ROWS_PATH, wire.encode(rows_message([row(1)], openings=(OPENED,))), box.token
    )
    other = wire.encode(rows_message([row(1, "B truco")], openings=(OPENED,)))
    held = box.client.post(wire.ROWS_PATH, other, box.token)
    assert (held.status, held.document["reason"]) == (423, "fork")

    def alarms() -> list[dict[str, object]]:
        return [each for each in desk.get("/desk/state").document["alarms"] if each["table"] == 4]

    wait_for(lambda: bool(alarms()))
    (alarm,) = alarms()
    assert (alarm["kind"], alarm["buttons"]) == ("fork", ["true", "ignore", "replace"])
    assert wall(hub)[4]["alarm"] is True
    act = {"do": "resolve", "alarm": alarm["id"], "how": "true", "machine": "a91c"}
    assert desk.desk("/desk/act", act).status == 200
    assert alarms() == []
    assert desk.desk("/desk/act", act).status == 409


def test_a_revoked_box_is_unknown_at_once(hub: HubProcess, desk: Client) -> None:
    box = join_box(hub, desk, "5" * 32, table=5)
    stream = connected_box(hub, box.token)
    (device,) = [
        each["device"] for each in desk.get("/desk/state").document["boxes"] if each["table"] == 5
    ]
    assert desk.desk("/desk/act", {"do": "revoke", "device": device}).status == 200
    with pytest.raises(StreamEnded):
        stream.next_wish()
    stream.close()
    assert box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token).status == 401
    assert hub.client().post(wire.ROWS_PATH, b"{}", box.token).status == 401
    assert 5 not in wall(hub)


def test_a_card_counts_for_one_box(hub: HubProcess) -> None:
    made = hub.run("cards", "--tables", "31-32", "--address", "hub.local:8443")
    texts = made.stdout.split("# table ")[1:]
    links = {int(text.partition("\n")[0]): tomllib.loads(text.partition("\n")[2]) for text in texts}
    assert links[32]["link"]["hub"] == "hub.local:8443"
    assert links[32]["link"]["pin"] == hub.pin
    card = links[32]["link"]["key"]
    box = JoiningBox(hub.client(), hub.pin, "6" * 32)
    assert (box.show_card(card).state, box.show_card(card).table) == (JoinState.ACCEPTED, 32)
    other = JoiningBox(hub.client(), hub.pin, "67" * 16)
    assert other.show_card(card).state is JoinState.REFUSED
    assert other.show_card("00" * 16).state is JoinState.REFUSED
    assert box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token).status == 200


# ---- bad input


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"X-Truco": "1", "Origin": "https://evil.example"}, 403),
        ({"X-Truco": "1", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"X-Truco": "1", "Content-Type": "text/plain"}, 415),
        ({"X-Truco": "1"}, 401),
    ],
    ids=["no header", "origin", "fetch site", "type", "no cookie"],
)
def test_the_desk_takes_requests_of_its_own_page_with_a_cookie_only(
    hub: HubProcess, headers: dict[str, str], status: int
) -> None:
    body = json.dumps({"do": "revoke", "device": 1}).encode()
    assert hub.client().post("/desk/act", body, headers=headers).status == status


def test_the_cookie_is_for_https_and_not_for_scripts(hub: HubProcess, desk: Client) -> None:
    login = hub.client().desk("/desk/login", {"name": "ana", "password": "secret word"})
    cookie = login.headers["set-cookie"].lower()
    assert cookie.startswith("__host-truco-desk=")
    for flag in ("secure", "httponly", "samesite=strict", "path=/"):
        assert flag in cookie
    client = hub.client()
    client.cookie = desk.cookie[:-4] + "0000"
    assert client.get("/desk/state").status == 401


def test_a_wrong_password_is_refused_and_then_slowed_down(hub: HubProcess) -> None:
    client = hub.client("127.0.66.5")
    wrong = {"name": "ana", "password": "wrong word"}
    statuses = [client.desk("/desk/login", wrong).status for _ in range(12)]
    assert statuses[0] == 403
    assert statuses[-1] == 429


def test_neither_boxes_nor_desk_are_served_without_tls(hub: HubProcess) -> None:
    for path in ("/desk/state", "/desk/login", wire.GREET_PATH, wire.EVENTS_PATH, wire.JOIN_PATH):
        connection = http.client.HTTPConnection(*hub.wall, timeout=TIMEOUT)
        connection.request("GET", path)
        assert connection.getresponse().status == 404
        connection.close()


def test_another_pin_ends_the_connection_before_anything_is_sent(hub: HubProcess) -> None:
    with pytest.raises(PinError):
        Client(hub.desk, "0" * 64)


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        (wire.ROWS_PATH, 10_000_000, 413),
        (wire.ROWS_PATH, 300_000, 413),
        (wire.CALL_PATH, 5_000, 413),
        (wire.ROWS_PATH, 200_000, 401),
    ],
)
def test_long_bodies_are_refused(hub: HubProcess, path: str, size: int, status: int) -> None:
    client = hub.client()
    headers = {"Content-Length": str(size), "Authorization": f"Bearer {'0' * 32}"}
    # The answer comes before the body.
    assert client.request("POST", path, b"x", headers).status == status


def test_many_long_bodies_of_a_box_are_one_alarm(hub: HubProcess, desk: Client) -> None:
    box = join_box(hub, desk, "c" * 32, table=16)

    def alarms() -> list[str]:
        listed = desk.get("/desk/state").document["alarms"]
        return [each["text"] for each in listed if each["table"] == 16]

    for token in ("0" * 32, box.token, box.token, box.token):
        assert hub.client().post(wire.CALL_PATH, b"x" * 5000, token).status == 413
    wait_for(lambda: alarms() != [])
    assert hub.client().post(wire.CALL_PATH, b"x" * 5000, box.token).status == 413
    box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token)
    assert alarms() == ["a message is too long: 4096 bytes at most"]


def test_a_body_is_read_only_after_its_token_is_found(hub: HubProcess, desk: Client) -> None:
    own = {"X-Truco": "1", "Content-Type": "application/json", "Content-Length": "4000"}
    for path, headers in (
        (wire.ROWS_PATH, {"Authorization": f"Bearer {'0' * 32}", "Content-Length": "250000"}),
        (wire.CALL_PATH, {"Authorization": f"Bearer {'0' * 32}", "Content-Length": "4000"}),
        ("/desk/act", own),
        ("/desk/tournament.json", {**own, "Content-Length": "1900000"}),
    ):
        client = hub.client()
        # The answer comes although the body does not.
        client.send_head("POST", path, headers)
        answer = client.answer()
        assert (answer.status, answer.headers["connection"]) == (401, "close"), path


def test_the_public_document_has_a_tag(hub: HubProcess, desk: Client) -> None:
    viewer = hub.client()
    first = viewer.get("/api/v1/hall")
    headers = {"If-None-Match": first.headers["etag"]}
    assert viewer.request("GET", "/api/v1/hall", b"", headers).status == 304
    join_box(hub, desk, "d" * 32, table=61)
    assert viewer.request("GET", "/api/v1/hall", b"", headers).status == 200


@pytest.mark.sampled(0)
def test_viewers_have_one_limit_on_both_ports(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub", "viewers_each = 1") as hub:
        stranger = hub.client("127.0.66.1")
        answers = [stranger.get("/api/v1/hall").status for _ in range(31)]
        assert answers[:30] == [200] * 30
        assert answers[30] in (200, 429)
        # All paths count together: one of the next two is too much.
        answers = [hub.client("127.0.66.1").get("/desk").status for _ in range(2)]
        assert 429 in [*answers, *[stranger.get("/api/v1/hall").status for _ in range(2)]]
        # A desk that is logged in goes on, and so do others.
        desk = log_in(hub)
        assert [desk.get("/desk/state").status for _ in range(60)] == [200] * 60


def test_an_address_that_joins_too_often_has_to_wait(hub: HubProcess) -> None:
    client = hub.client("127.0.66.2")
    request = joining.encode(WaitRequest(joining.key_of("9" * 32)))
    replies = [
        joining.parse_join_reply(client.post(wire.JOIN_PATH, request).body) for _ in range(120)
    ]
    waits = [each.wait for each in replies if isinstance(each, JoinReply)]
    assert len(waits) == 120
    assert set(waits[:30]) == {0}
    assert set(waits[30:]) <= {0, 1} and 1 in waits


@pytest.mark.sampled(0)
def test_an_address_of_boxes_is_known_after_a_restart(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub", "viewers_each = 1") as hub:
        join_box(hub, log_in(hub), TOKEN, table=7)
        box = hub.client("127.0.66.1")
        assert box.post(wire.GREET_PATH, wire.encode(greet()), TOKEN).status == 200
        for is_new in (False, True):
            if is_new:
                hub.stop()
                hub.start()
            box = hub.client("127.0.66.1")
            # More than a stranger may send at once.
            answers = [box.post(wire.GREET_PATH, b"{}", TOKEN).status for _ in range(60)]
            assert answers == [422] * 60


def test_a_foreign_host_name_is_refused(hub: HubProcess) -> None:
    answer = hub.client().request("GET", "/desk", b"", {"Host": "evil.example"})
    assert answer.status == 421


def test_pages_are_served_in_every_language(hub: HubProcess) -> None:
    client = hub.client()
    for path in ("/", "/desk"):
        page = client.get(f"{path}?lang=pt-BR")
        assert b'lang="pt-BR"' in page.body
        assert "default-src 'self'" in page.headers["content-security-policy"]
    for name in ("wall.js", "wall.css", "hall.css", "desk.js", "desk.css", "words.js"):
        assert client.get(f"/static/{name}").status == 200
    assert client.get("/words/es-AR.json").document["hub.free"] == "libre"
    assert client.get("/desk/words/en.json").document["desk.login"] == "Log in"


# ---- restarts and copies


@pytest.mark.sampled(0)
def test_a_new_hub_restored_from_a_backup_is_the_old_one_for_its_boxes(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with running_hub(tmp_path / "old") as hub:
        box = join_box(hub, log_in(hub), TOKEN, table=7)
        box.client.post(wire.GREET_PATH, wire.encode(greet()), TOKEN)
        message = rows_message([row(1), row(2)], openings=(OPENED,))
        box.client.post(wire.ROWS_PATH, wire.encode(message), TOKEN)
        assert hub.run("backup", str(copy)).returncode == 0
        assert hub.run("backup", str(copy)).returncode == 1
        # What is in the memory of a running hub would not follow.
        refused = hub.run("--secure", f"127.0.0.1:{hub.desk[1]}", "restore", str(copy))
        assert (refused.returncode, "the hub runs: stop it" in refused.stderr) == (1, True)
        more = rows_message([row(3)], prev=digest_of(row(2)))
        box.client.post(wire.ROWS_PATH, wire.encode(more), TOKEN)
        pin, fingerprint = hub.pin, hub.run("rebuild").stdout
        assert "the same as before" in fingerprint
    assert copy.stat().st_mode & 0o077 == 0
    new = HubProcess(tmp_path / "new", hub.config)
    restored = new.run("restore", str(copy))
    assert (restored.returncode, "restored 2 rows" in restored.stdout) == (0, True)
    assert new.run("rebuild").stdout == fingerprint
    new.start()
    try:
        assert new.pin == pin
        client = new.client()
        answer = client.post(wire.GREET_PATH, wire.encode(greet(3, digest_of(row(3)))), TOKEN)
        assert (answer.status, answer.document["last"]) == (200, 2)
        again = client.post(wire.ROWS_PATH, wire.encode(more), TOKEN)
        assert (again.status, again.document) == (200, {"last": 3})
    finally:
        new.stop()


def test_a_file_that_is_no_copy_changes_nothing(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        log_in(hub)
        (tmp_path / "rubbish").write_bytes(b"x" * 5000)
        before = hub.run("rebuild").stdout
        found = hub.run("restore", str(tmp_path / "rubbish"))
        assert found.returncode == 1
        assert found.stderr.startswith("scorer hub: ")
        assert hub.run("rebuild").stdout == before
