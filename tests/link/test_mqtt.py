"""The outlet to a real mosquitto, and to missing, slow and hostile brokers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from scorer.config.link_section import MqttSection
from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError
from scorer.link import outlet as outlet_module
from scorer.link.machine import box_id
from scorer.link.mqtt import discovery
from scorer.link.outlet import Outlet
from scorer.link.topics import FILE_NAME, Topics, note_topics
from tests.support.certificate import Certificate, make_certificate

PATIENCE = 30.0  # seconds for what takes milliseconds
BOX = "b0c5"
CONNACK = b"\x20\x02\x00\x00"
STATE: dict[str, Any] = {
    "variant": "argentine", "sides": ["A", "B"], "target": 30, "score": {"A": 12, "B": 9},
    "hand": 3, "winner": None, "legal": [["A", "truco"]], "seq": 41,
}  # fmt: skip


class Broker:
    """A running mosquitto and a subscriber to everything."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.tls: Certificate | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        config = self.folder / "mosquitto.conf"
        config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\nuser root\n"
            f"password_file {self.folder / 'passwords'}\npersistence false\n"
            + (f"certfile {self.tls.certificate}\nkeyfile {self.tls.key}\n" if self.tls else ""),
            encoding="ascii",
        )
        words = ["mosquitto_passwd", "-b", "-c", str(self.folder / "passwords"), "box", "secret"]
        subprocess.run(words, check=True, capture_output=True)
        self.process = subprocess.Popen(["mosquitto", "-c", str(config)], stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @contextlib.contextmanager
    def messages(self) -> Iterator[queue.SimpleQueue[tuple[str, bytes, bool]]]:
        """What is published: topic, payload, and whether it was retained."""
        received: queue.SimpleQueue[tuple[str, bytes, bool]] = queue.SimpleQueue()
        client = mqtt.Client(CallbackAPIVersion.VERSION2)
        client.username_pw_set("box", "secret")
        client.reconnect_delay_set(1, 1)
        if self.tls is not None:
            client.tls_set(str(self.tls.certificate))

        def subscribe(client: mqtt.Client, *_: object) -> None:
            client.subscribe("#", 1)

        def receive(_: mqtt.Client, __: object, message: mqtt.MQTTMessage) -> None:
            received.put((message.topic, bytes(message.payload), message.retain))

        client.on_connect, client.on_message = subscribe, receive
        client.connect_async("127.0.0.1", self.port)
        client.loop_start()
        try:
            yield received
        finally:
            client.disconnect()
            client.loop_stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if shutil.which("mosquitto") is None:
        pytest.skip("no mosquitto here: apt-get install mosquitto")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    made = Broker(tmp_path, port)
    try:
        yield made
    finally:
        made.stop()


def settings(port: int) -> MqttSection:
    return MqttSection(f"127.0.0.1:{port}", "box", "secret", "club/truco")


@contextlib.contextmanager
def published(
    section: MqttSection, box: str = BOX, device: str = "Mesa 4"
) -> Iterator[subprocess.Popen[bytes]]:
    """The process of the outlet, with its first state."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scorer.link.mqtt"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE if section.certificate else None,
        env={**os.environ},
    )
    assert process.stdin is not None
    values = {
        "box": box, "device": device, "former": [], "broker": section.broker, "user": section.user,
        "password": section.password, "topic": section.topic, "discovery": section.discovery,
        "certificate": section.certificate,
    }  # fmt: skip
    send_line(process, values)
    send(process, STATE, device)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        if process.stderr is not None:
            process.stderr.close()


def send(process: subprocess.Popen[bytes], state: object, device: str = "Mesa 4") -> None:
    send_line(process, {"device": device, "state": state})


def send_line(process: subprocess.Popen[bytes], document: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(document).encode() + b"\n")
    process.stdin.flush()


def next_on(
    received: queue.SimpleQueue[tuple[str, bytes, bool]], topic: str, wanted: bytes | None = None
) -> bytes:
    """The next message on a topic, or the next of this payload."""
    while True:
        found, payload, _ = received.get(timeout=PATIENCE)
        if found == topic and wanted in (None, payload):
            return payload


def test_birth_state_and_discovery_are_retained(broker: Broker) -> None:
    broker.start()
    with published(settings(broker.port)):
        with broker.messages() as received:
            state = next_on(received, "club/truco/b0c5/state")
        assert json.loads(state) == STATE
        with broker.messages() as received:
            topics = {received.get(timeout=PATIENCE) for _ in range(3)}
        assert {(topic, retained) for topic, _, retained in topics} == {
            ("club/truco/b0c5/state", True),
            ("club/truco/b0c5/availability", True),
            ("homeassistant/device/club_truco_b0c5/config", True),
        }


def test_an_event_is_published_when_it_happens_and_not_retained(broker: Broker) -> None:
    broker.start()
    with published(settings(broker.port)) as process:
        with broker.messages() as received:
            next_on(received, "club/truco/b0c5/state")
            event = {"event": "match.called", "device": "Mesa 4", "teams": ["Uno", "Dos"]}
            send_line(process, {"device": "Mesa 4", "event": event})
            assert json.loads(next_on(received, "club/truco/b0c5/event")) == event
        with broker.messages() as received:
            topics = {received.get(timeout=PATIENCE)[0] for _ in range(3)}
        assert "club/truco/b0c5/event" not in topics


def test_with_a_certificate_the_connection_is_tls(broker: Broker) -> None:
    broker.tls = make_certificate(broker.folder)
    broker.start()
    section = settings(broker.port)._replace(certificate=str(broker.tls.certificate))
    with broker.messages() as received, published(section):
        assert json.loads(next_on(received, "club/truco/b0c5/state")) == STATE


def test_a_broker_with_another_certificate_gets_nothing(broker: Broker) -> None:
    broker.tls = make_certificate(broker.folder)
    other = make_certificate(broker.folder, "other")
    broker.start()
    section = settings(broker.port)._replace(certificate=str(other.certificate))
    with published(section) as process:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
    assert said.startswith("scorer link: no TLS with the broker: ") and "certificate" in said
    with broker.messages() as received, published(section._replace(certificate=str(broker.tls[0]))):
        assert next_on(received, "club/truco/b0c5/availability") == b"online"


def test_no_password_goes_before_the_handshake(tmp_path: Path) -> None:
    listener = ScriptedBroker()
    section = settings(listener.port)._replace(certificate=str(make_certificate(tmp_path)[0]))
    with contextlib.closing(listener), published(section):
        first = listener.first_bytes()
    assert first[:1] == b"\x16", "a record of a TLS handshake"
    assert b"secret" not in first


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    section = settings(1883)._replace(certificate=str(tmp_path / "none.pem"))
    with published(section) as process:
        assert process.stderr is not None
        assert f"{tmp_path / 'none.pem'} is no certificate" in process.stderr.readline().decode()
        assert process.wait(PATIENCE) == 1


def test_the_usual_port_of_tls_is_another() -> None:
    section = MqttSection("broker.local", certificate="/etc/scorer/broker.pem")
    assert (section.address.port, section._replace(certificate="").address.port) == (8883, 1883)
    with pytest.raises(ConfigError, match=r"mqtt.certificate: 'x.pem' is no whole path"):
        parse_config('[link.mqtt]\ncertificate = "x.pem"\n')


def test_the_will_says_offline_if_the_box_is_gone(broker: Broker) -> None:
    broker.start()
    with broker.messages() as received, published(settings(broker.port)) as process:
        assert next_on(received, "club/truco/b0c5/availability") == b"online"
        process.kill()
        assert next_on(received, "club/truco/b0c5/availability") == b"offline"


def test_the_end_says_offline_too(broker: Broker) -> None:
    broker.start()
    with broker.messages() as received, published(settings(broker.port)) as process:
        next_on(received, "club/truco/b0c5/state")
        assert process.stdin is not None
        process.stdin.close()
        assert next_on(received, "club/truco/b0c5/availability", b"offline") == b"offline"
        assert process.wait(PATIENCE) == 0


def test_a_broker_that_comes_later_gets_the_newest_state(broker: Broker) -> None:
    with published(settings(broker.port)) as process:
        send(process, {**STATE, "hand": 4})
        broker.start()
        with broker.messages() as received:
            payload = json.dumps({**STATE, "hand": 4}).encode()
            assert next_on(received, "club/truco/b0c5/state", payload)
            broker.stop()
            broker.start()
            assert next_on(received, "club/truco/b0c5/state", payload)


class ScriptedBroker:
    """One connection at a time; the test reads and acknowledges its messages."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self.port = self._listener.getsockname()[1]
        self._connection = socket.socket()

    def first_bytes(self) -> bytes:
        """What a client sends first."""
        self._connection.close()
        self._connection, _ = self._listener.accept()
        self._connection.settimeout(PATIENCE)
        return self._connection.recv(4096)

    def accept(self) -> None:
        self._connection.close()
        self._connection, _ = self._listener.accept()
        self._connection.settimeout(PATIENCE)
        self._packet()
        self._connection.sendall(CONNACK)

    def published(self) -> tuple[str, bytes, bytes]:
        """The next message of QoS 1: its topic, its payload and its id."""
        content = self._packet()
        end = 2 + int.from_bytes(content[:2], "big")
        return content[2:end].decode(), content[end + 2 :], content[end : end + 2]

    def acknowledge(self, id: bytes) -> None:
        self._connection.sendall(b"\x40\x02" + id)

    def close(self) -> None:
        self._connection.close()
        self._listener.close()

    def _packet(self) -> bytes:
        """The content of the next packet, without its header."""
        self._read(1)
        length = shift = 0
        while True:
            digit = self._read(1)[0]
            length |= (digit & 0x7F) << shift
            shift += 7
            if digit < 0x80:
                return self._read(length)

    def _read(self, size: int) -> bytes:
        read = b""
        while len(read) < size:
            part = self._connection.recv(size - len(read))
            assert part, "the client closed the connection"
            read += part
        return read


def hand(payload: bytes) -> int:
    return int(json.loads(payload)["hand"])


@pytest.fixture
def scripted() -> Iterator[ScriptedBroker]:
    broker = ScriptedBroker()
    try:
        yield broker
    finally:
        broker.close()


def next_hand(broker: ScriptedBroker) -> tuple[int, bytes]:
    """The next state's hand and message id; other messages are acknowledged."""
    while True:
        topic, payload, id = broker.published()
        if topic.endswith("/state"):
            return hand(payload), id
        broker.acknowledge(id)


def test_a_state_that_waits_for_an_acknowledgement_is_sent_after_it(
    scripted: ScriptedBroker,
) -> None:
    with published(settings(scripted.port)) as process:
        scripted.accept()
        first, id = next_hand(scripted)
        for number in (4, 5):
            send(process, {**STATE, "hand": number})
        scripted.acknowledge(id)
        hands = [first]
        while hands[-1] != 5:
            number, id = next_hand(scripted)
            scripted.acknowledge(id)
            hands.append(number)
    assert hands == sorted(hands)


def test_an_unacknowledged_state_never_follows_a_newer_one(scripted: ScriptedBroker) -> None:
    with published(settings(scripted.port)) as process:
        scripted.accept()
        first, _ = next_hand(scripted)
        send(process, {**STATE, "hand": 4})
        scripted.accept()
        hands = [first]
        for newest in (4, 5):
            send(process, {**STATE, "hand": newest})
            while hands[-1] != newest:
                number, id = next_hand(scripted)
                scripted.acknowledge(id)
                hands.append(number)
    assert hands == sorted(hands)


def test_the_document_of_discovery_names_its_sensors_once() -> None:
    topics = Topics.of(MqttSection(topic="club/truco"), BOX)
    document = discovery(topics, BOX, "Mesa 4")
    assert document["device"]["identifiers"] == ["club_truco_b0c5"]
    assert document["device"]["name"] == "Mesa 4 b0c5"
    assert document["origin"]["name"] == "Truco Scorer"
    assert (document["state_topic"], document["availability_topic"]) == (
        "club/truco/b0c5/state",
        "club/truco/b0c5/availability",
    )
    components = document["components"].values()
    assert {each["platform"] for each in components} == {"sensor"}
    assert len({each["unique_id"] for each in components}) == len(components)


# ---- several boxes, other names, other topics ----------------------------------------------------


def retained(broker: Broker, last: str) -> dict[str, bytes]:
    """What the broker retains; ``last`` is a topic that is certainly among it."""
    with broker.messages() as received:
        found: dict[str, bytes] = {}
        while last not in found:
            topic, payload, is_retained = received.get(timeout=PATIENCE)
            if is_retained:
                found[topic] = payload
        # The retained messages of a subscription come before its own ones.
        with published(settings(broker.port)._replace(topic="end", discovery=""), box="end"):
            while (message := received.get(timeout=PATIENCE))[0] != "end/end/state":
                found |= {message[0]: message[1]} if message[2] else {}
    return found


def test_a_renamed_box_keeps_its_topics(broker: Broker) -> None:
    broker.start()
    found = "homeassistant/device/club_truco_b0c5/config"
    with broker.messages() as received, published(settings(broker.port)) as process:
        assert json.loads(next_on(received, found))["device"]["name"] == "Mesa 4 b0c5"
        send(process, {**STATE, "hand": 9}, "La del fondo")
        assert json.loads(next_on(received, found))["device"]["name"] == "La del fondo b0c5"
        next_on(received, "club/truco/b0c5/state", json.dumps({**STATE, "hand": 9}).encode())
        assert len(retained(broker, "club/truco/b0c5/state")) == 3


@pytest.mark.sampled(0)
def test_topics_that_are_used_no_more_are_cleared(broker: Broker, tmp_path: Path) -> None:
    broker.start()
    old = settings(broker.port)
    news = [old._replace(topic="truco"), old._replace(topic="truco", discovery="")]

    async def evening(received: queue.SimpleQueue[tuple[str, bytes, bool]]) -> None:
        for section, other in ((old, BOX), (news[0], BOX), (news[1], BOX), (news[0], "77aa")):
            outlet = Outlet(section, other, tmp_path)
            running = asyncio.create_task(outlet.run())
            outlet.publish(STATE, "Mesa 4")
            topic = Topics.of(section, other).state
            await asyncio.to_thread(next_on, received, topic)
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running

    with broker.messages() as received:
        asyncio.run(evening(received))
    left = retained(broker, "truco/77aa/state")
    assert {topic for topic in left if BOX in topic} == {
        "truco/b0c5/state",
        "truco/b0c5/availability",
    }
    assert len(left) == 5


def test_a_file_of_topics_that_is_damaged_counts_as_none(tmp_path: Path) -> None:
    topics = Topics.of(MqttSection(), BOX)
    for text in ("", "{}", "[1]", "[" * 5000):
        (tmp_path / FILE_NAME).write_text(text)
        assert note_topics(topics, BOX, tmp_path) == ()
    assert note_topics(Topics.of(MqttSection(topic="bar"), BOX), BOX, tmp_path) == topics.retained
    assert note_topics(topics, BOX, None) == ()


def test_each_table_of_each_machine_has_an_id_of_its_own(tmp_path: Path) -> None:
    sockets = (tmp_path / "a.sock", tmp_path / "b.sock")
    ids = {box_id(machine, socket) for machine in ("a91c", "b0c5") for socket in sockets}
    assert len(ids) == 4
    assert all(re.fullmatch("[0-9a-f]{12}", each) for each in ids)


# ---- what a bad broker does to the link ----------------------------------------------------------


class BadBroker:
    """Accepts connections, then sends ``reply`` again and again, or nothing."""

    def __init__(self, reply: bytes) -> None:
        self._reply = reply
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.connections: queue.SimpleQueue[socket.socket] = queue.SimpleQueue()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()
        for each in self._open:
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted, _ = self._listener.accept()
                self._open.append(accepted)
                self.connections.put(accepted)
                threading.Thread(target=self._flood, args=(accepted,), daemon=True).start()

    def _flood(self, accepted: socket.socket) -> None:
        with contextlib.suppress(OSError):
            accepted.recv(1000)
            while self._reply:
                accepted.sendall(self._reply)


# A PUBLISH of 256 MB, and packets that are none.
HOSTILE = [b"", b"\xff" * 4096, b"HTTP/1.1 400 Bad Request\r\n\r\n", CONNACK,
           CONNACK + b"\x30\xff\xff\xff\x7f" + b"a" * 65536]  # fmt: skip


@pytest.mark.sampled(1)
@pytest.mark.parametrize("reply", HOSTILE, ids=["silent", "noise", "http", "connacks", "endless"])
def test_the_loop_of_the_link_never_waits_for_a_bad_broker(
    reply: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlet_module, "PAUSE", 0.01)
    bad = BadBroker(reply)

    async def evening() -> None:
        outlet = Outlet(settings(bad.port), BOX)
        running = asyncio.create_task(outlet.run())
        loop, slowest = asyncio.get_running_loop(), 0.0
        outlet.publish(STATE, "Mesa 4")
        connected = loop.run_in_executor(None, lambda: bad.connections.get(timeout=PATIENCE))
        turn = 0
        while not connected.done() or turn < 300:
            before = loop.time()
            outlet.publish({**STATE, "hand": turn}, "Mesa 4")
            await asyncio.sleep(0)
            slowest = max(slowest, loop.time() - before)
            turn += 1
            await asyncio.sleep(0.001)
        assert not running.done()
        assert slowest < 5.0
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    try:
        asyncio.run(evening())
    finally:
        bad.close()


def test_a_process_that_dies_is_started_again(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlet_module, "PAUSE", 0.01)
    broker.start()

    async def evening(received: queue.SimpleQueue[tuple[str, bytes, bool]]) -> None:
        outlet = Outlet(settings(broker.port), BOX)
        running = asyncio.create_task(outlet.run())
        outlet.publish(STATE, "Mesa 4")
        for _ in range(2):
            await asyncio.to_thread(next_on, received, "club/truco/b0c5/availability", b"online")
            assert outlet.process is not None
            outlet.process.kill()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    with broker.messages() as received:
        asyncio.run(evening(received))
