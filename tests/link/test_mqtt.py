"""The outlet to a real mosquitto, and to missing, slow and hostile brokers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
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
from scorer.link import outlet as outlet_module
from scorer.link.mqtt import Topics, discovery
from scorer.link.outlet import Outlet

PATIENCE = 30.0  # seconds for what takes milliseconds
CONNACK = b"\x20\x02\x00\x00"
STATE: dict[str, Any] = {
    "variant": "argentine", "sides": ["A", "B"], "target": 30, "score": {"A": 12, "B": 9},
    "hand": 3, "winner": None, "legal": [["A", "truco"]], "seq": 41,
}  # fmt: skip


class Broker:
    """A running mosquitto and a subscriber to everything."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        config = self.folder / "mosquitto.conf"
        config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\nuser root\n"
            f"password_file {self.folder / 'passwords'}\npersistence false\n",
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
def published(section: MqttSection) -> Iterator[subprocess.Popen[bytes]]:
    """The process of the outlet, with its first state."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scorer.link.mqtt"], stdin=subprocess.PIPE, env={**os.environ}
    )
    assert process.stdin is not None
    values = {
        "device": "Mesa 4", "broker": section.broker, "user": section.user,
        "password": section.password, "topic": section.topic, "discovery": section.discovery,
    }  # fmt: skip
    send(process, values)
    send(process, STATE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()


def send(process: subprocess.Popen[bytes], document: object) -> None:
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
            state = next_on(received, "club/truco/mesa_4/state")
        assert json.loads(state) == STATE
        with broker.messages() as received:
            topics = {received.get(timeout=PATIENCE) for _ in range(3)}
        assert {(topic, retained) for topic, _, retained in topics} == {
            ("club/truco/mesa_4/state", True),
            ("club/truco/mesa_4/availability", True),
            ("homeassistant/device/club_truco_mesa_4/config", True),
        }


def test_the_will_says_offline_if_the_box_is_gone(broker: Broker) -> None:
    broker.start()
    with broker.messages() as received, published(settings(broker.port)) as process:
        assert next_on(received, "club/truco/mesa_4/availability") == b"online"
        process.kill()
        assert next_on(received, "club/truco/mesa_4/availability") == b"offline"


def test_the_end_says_offline_too(broker: Broker) -> None:
    broker.start()
    with broker.messages() as received, published(settings(broker.port)) as process:
        next_on(received, "club/truco/mesa_4/state")
        assert process.stdin is not None
        process.stdin.close()
        assert next_on(received, "club/truco/mesa_4/availability", b"offline") == b"offline"
        assert process.wait(PATIENCE) == 0


def test_a_broker_that_comes_later_gets_the_newest_state(broker: Broker) -> None:
    with published(settings(broker.port)) as process:
        send(process, {**STATE, "hand": 4})
        broker.start()
        with broker.messages() as received:
            payload = json.dumps({**STATE, "hand": 4}).encode()
            assert next_on(received, "club/truco/mesa_4/state", payload)
            broker.stop()
            broker.start()
            assert next_on(received, "club/truco/mesa_4/state", payload)


class ScriptedBroker:
    """One connection at a time; the test reads and acknowledges its messages."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self.port = self._listener.getsockname()[1]
        self._connection = socket.socket()

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
    topics = Topics.of(MqttSection(topic="club/truco"), "Mesa 4")
    document = discovery(topics, "Mesa 4")
    assert document["device"]["identifiers"] == ["club_truco_mesa_4"]
    assert document["origin"]["name"] == "Truco Scorer"
    assert (document["state_topic"], document["availability_topic"]) == (
        "club/truco/mesa_4/state",
        "club/truco/mesa_4/availability",
    )
    components = document["components"].values()
    assert {each["platform"] for each in components} == {"sensor"}
    assert len({each["unique_id"] for each in components}) == len(components)


def test_names_that_are_no_topics_become_one() -> None:
    assert Topics.of(MqttSection(), "Bar/#+ ñ").state == "truco/bar/state"
    assert Topics.of(MqttSection(discovery=""), "///").discovery == ""
    assert Topics.of(MqttSection(), "").availability == "truco/box/availability"


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


@pytest.mark.parametrize("reply", HOSTILE, ids=["silent", "noise", "http", "connacks", "endless"])
def test_the_loop_of_the_link_never_waits_for_a_bad_broker(
    reply: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlet_module, "PAUSE", 0.01)
    bad = BadBroker(reply)

    async def evening() -> None:
        outlet = Outlet(settings(bad.port))
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
        outlet = Outlet(settings(broker.port))
        running = asyncio.create_task(outlet.run())
        outlet.publish(STATE, "Mesa 4")
        for _ in range(2):
            await asyncio.to_thread(next_on, received, "club/truco/mesa_4/availability", b"online")
            assert outlet.process is not None
            outlet.process.kill()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    with broker.messages() as received:
        asyncio.run(evening(received))
