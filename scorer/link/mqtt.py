"""The process that publishes states at an MQTT broker; it only ever publishes.

It reads a line of settings, then a line for each state with the name of the box, from its standard
input, and ends with it. While the broker is away or slow, newer states replace older ones.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import ssl
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from scorer import __version__
from scorer.config.link_section import MqttSection
from scorer.link.link_log import write_log
from scorer.link.topics import Topics

_MARK_DIGITS: Final = 4  # of the id, after the name: two boxes may have one name
KEEP_ALIVE: Final = 60  # seconds
ONLINE, OFFLINE = "online", "offline"
_LONGEST: Final = 1 << 20  # bytes of a file of certificates: OpenSSL needs eight times as many
MAX_MEMORY: Final = 512 * 1024 * 1024  # bytes of address space: a broker may send without end
_RECONNECT: Final = (1, 60)  # seconds, the first and the longest pause
_LEAVE: Final = 2.0  # seconds for the last message


def discovery(topics: Topics, box: str, device: str) -> dict[str, Any]:
    """The document by which Home Assistant finds the box and its sensors."""
    components = {
        key: {
            "platform": "sensor",
            "unique_id": f"{topics.id}_{key}",
            "name": name,
            "value_template": template,
            "icon": icon,
        }
        for key, name, template, icon in _SENSORS
    }
    return {
        "device": {
            "identifiers": [topics.id],
            "name": f"{device} {box[:_MARK_DIGITS]}",
            "manufacturer": "Truco Scorer",
            "model": "Truco Scorer",
            "sw_version": __version__,
        },
        "origin": {"name": "Truco Scorer", "sw": __version__},
        "components": components,
        "state_topic": topics.state,
        "availability_topic": topics.availability,
        "qos": 1,
    }


_SENSORS: Final = (
    ("score_a", "A", "{{ value_json.score.A }}", "mdi:cards-playing"),
    ("score_b", "B", "{{ value_json.score.B }}", "mdi:cards-playing"),
    ("hand", "Hand", "{{ value_json.hand }}", "mdi:cards"),
    ("winner", "Winner", "{{ value_json.winner or '-' }}", "mdi:trophy"),
)


class Publisher:
    """One broker, one box; a state is sent once the one before is acknowledged.

    The client sends what is unacknowledged again after a reconnection: with two states on the way,
    the older could arrive last, and the broker would retain it.
    """

    def __init__(self, settings: MqttSection, box: str, device: str, former: list[str]) -> None:
        """``former``: topics that the box uses no more; what they retain is cleared.

        Raises OSError or ValueError if the certificate cannot be used.
        """
        self._topics, self._former = Topics.of(settings, box), former
        self._box, self._device = box, device
        # Callbacks take it while they hold locks of the client: no call of the client under it.
        self._changed = threading.Condition()
        self._newest: bytes | None = None  # not yet published
        self._last: bytes | None = None  # published last, and published again after a reconnection
        self._acknowledged: set[int] = set()  # ids of messages since the last state was sent
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=f"{self._topics.id}_{os.getpid()}"
        )
        if settings.user:
            self._client.username_pw_set(settings.user, settings.password or None)
        self._client.will_set(self._topics.availability, OFFLINE, qos=1, retain=True)
        self._client.reconnect_delay_set(*_RECONNECT)
        self._client.connect_callback()(self._on_connect)
        self._client.connect_fail_callback()(self._on_connect_fail)
        self._client.publish_callback()(self._on_publish)
        if settings.certificate:
            if Path(settings.certificate).stat().st_size > _LONGEST:
                raise ValueError("it is longer than any")
            self._client.tls_set(settings.certificate)
        self._client.connect_async(settings.address.host, settings.address.port, KEEP_ALIVE)

    def start(self) -> None:
        """Connect and publish in the background."""
        for target in (self._loop, self._send):
            threading.Thread(target=target, daemon=True).start()

    def rename(self, device: str) -> None:
        """Let Home Assistant show another name from now on."""
        if device != self._device:
            self._device = device
            if self._client.is_connected():
                self._publish_discovery()

    def publish(self, state: bytes) -> None:
        """Publish a state; a later one replaces it if it has to wait."""
        with self._changed:
            self._newest = state
            self._changed.notify_all()

    def publish_event(self, event: bytes) -> None:
        """Publish an event of this moment; without a broker it is dropped."""
        if self._client.is_connected():
            self._client.publish(self._topics.event, event)

    def close(self) -> None:
        """Say that the box is offline, if the broker listens."""
        left = self._client.publish(self._topics.availability, OFFLINE, qos=1, retain=True)
        with contextlib.suppress(ValueError, RuntimeError):
            left.wait_for_publish(_LEAVE)
        self._client.disconnect()

    def _loop(self) -> None:
        try:
            self._client.loop_forever(retry_first_connection=True)
        except Exception as error:
            # The parent starts another process after a pause.
            write_log(f"the broker is of no use: {error}")
            os._exit(1)

    def _on_connect(self, client: mqtt.Client, *_: object) -> None:
        for topic in self._former:
            client.publish(topic, b"", qos=1, retain=True)
        client.publish(self._topics.availability, ONLINE, qos=1, retain=True)
        self._publish_discovery()
        with self._changed:
            self._newest = self._newest or self._last
            self._changed.notify_all()

    def _on_connect_fail(self, *_: object) -> None:
        """Log why TLS has failed, from the handler of the error."""
        error = sys.exc_info()[1]
        if isinstance(error, ssl.SSLError):
            write_log(f"no TLS with the broker: {error}")

    def _publish_discovery(self) -> None:
        if self._topics.discovery:
            found = json.dumps(discovery(self._topics, self._box, self._device))
            self._client.publish(self._topics.discovery, found, qos=1, retain=True)

    def _on_publish(self, _: mqtt.Client, __: object, id: int, *___: object) -> None:
        with self._changed:
            self._acknowledged.add(id)
            self._changed.notify_all()

    def _send(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest and self._client.is_connected())
                state = self._last = self._newest
                self._newest = None
            id = self._client.publish(self._topics.state, state, qos=1, retain=True).mid
            with self._changed:
                self._changed.wait_for(partial(self._acknowledged.__contains__, id))
                self._acknowledged.clear()


def main(lines: BinaryIO) -> None:
    """Publish until the end of ``lines``."""
    # Let this process fail before the others of its service.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    values = json.loads(lines.readline())
    box, device, former = (values.pop(key) for key in ("box", "device", "former"))
    section = MqttSection(**values)
    try:
        publisher = Publisher(section, box, device, former)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        write_log(f"{section.certificate} is no certificate to use: {why}")
        sys.exit(1)
    publisher.start()
    for line in lines:
        message = json.loads(line)
        publisher.rename(message["device"])
        if "event" in message:
            publisher.publish_event(json.dumps(message["event"]).encode())
        else:
            publisher.publish(json.dumps(message["state"]).encode())
    publisher.close()


if __name__ == "__main__":
    main(sys.stdin.buffer)
