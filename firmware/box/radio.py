# The Wi-Fi side of a button box: Raspberry Pi Pico W, Pico 2 W or ESP32 with MicroPython.
#
# It sends the lines of main.py in UDP packets with a MAC (docs/reference/radio-protocol.md).
# `scorer radio key` writes the settings, over USB or as the file radio.json. Without them the box
# uses its cable.

import binascii
import hashlib
import json
import os
import socket
import struct
import sys
import time

import machine
import network

SETTINGS = "radio.json"
MAX_SETTINGS = 512  # bytes of the line with settings over USB

# ---- times in milliseconds -----------------------------------------------------------------------

BEAT = 250  # between lines while idle: the table takes the box for away after 2000
ASK = 1000  # between hellos while they are answered
ASK_SOON = 250  # the same while they are not
UNANSWERED = 1500  # without an answer for this long the radio is not heard
JOIN = 15000  # between attempts to join the network
MEASURE = 10000  # between measurements of the battery

HEAD = ">3s1s8s8sI"  # version, kind, name, start, counter
VERSION = b"TR1"
MAC = 16
NO_NONCE = bytes(16)
# A lithium cell under light load: millivolts, percent. Rough, which a mark at 20 % may be.
CELL = ((3300, 0), (3500, 10), (3600, 20), (3700, 40), (3800, 60), (3950, 80), (4100, 100))


class Hmac:
    """HMAC-SHA-256 (RFC 2104) with one key."""

    def __init__(self, key: bytes) -> None:
        if len(key) > 64:
            key = hashlib.sha256(key).digest()
        key += bytes(64 - len(key))
        self.inner = bytes(byte ^ 0x36 for byte in key)
        self.outer = bytes(byte ^ 0x5C for byte in key)

    def digest(self, message: bytes) -> bytes:
        """The whole MAC, 32 bytes."""
        inside = hashlib.sha256(self.inner + message).digest()
        return hashlib.sha256(self.outer + inside).digest()


def is_same(one: bytes, other: bytes) -> bool:
    """Whether two MACs are equal, in a time that does not depend on where they differ."""
    differs = len(one) ^ len(other)
    for left, right in zip(one, other):
        differs |= left ^ right
    return differs == 0


def percent(millivolts: int) -> int:
    """The charge of a cell."""
    below = CELL[0]
    for point in CELL:
        if millivolts < point[0]:
            if point is below:
                return 0
            span = (point[0] - below[0]) / (point[1] - below[1])
            return below[1] + int((millivolts - below[0]) / span)
        below = point
    return 100


class Battery:
    """A cell at an ADC pin, through two equal resistors; without a pin it is unknown."""

    def __init__(self, pin: int | None) -> None:
        self.adc = None if pin is None else machine.ADC(machine.Pin(pin))
        if self.adc is not None and sys.platform == "esp32":
            self.adc.atten(machine.ADC.ATTN_11DB)
        self.measured: int | None = None  # when, time.ticks_ms()
        self.level: int | None = None

    def read(self, now: int) -> int | None:
        """The charge in percent; None without a battery."""
        if self.adc is None:
            return None
        if self.measured is None or time.ticks_diff(now, self.measured) >= MEASURE:
            self.measured = now
            raw = sum(self.adc.read_u16() for _ in range(16)) // 16
            self.level = percent(2 * 3300 * raw // 65535)
        return self.level


class Radio:
    """The network, the nonce of the radio, and packets."""

    def __init__(self, settings: dict, pin: int) -> None:
        self.name = settings["box"].encode()
        self.hmac = Hmac(binascii.unhexlify(settings["key"]))
        self.network, self.password = settings["network"], settings.get("password", "")
        self.host, self.port = settings.get("host", ""), settings.get("port", 7747)
        self.battery = Battery(pin if settings.get("battery") else None)
        self.start = os.urandom(8)  # new for every start
        self.nonce: bytes | None = None
        self.hellos = self.lines = 0
        self.asked = self.answered = self.joined = None
        self.wlan = network.WLAN(network.STA_IF)
        self.wlan.active(True)
        try:
            # Power saving delays packets by up to 300 ms.
            self.wlan.config(pm=network.WLAN.PM_NONE)
        except (AttributeError, ValueError):
            pass
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)

    def turn(self, now: int) -> None:
        """Join the network, ask for the nonce and read the answer, whatever is due."""
        if not self.wlan.isconnected():
            if self.joined is None or time.ticks_diff(now, self.joined) >= JOIN:
                self.joined = now
                self.join()
            return
        self.receive(now)
        pause = ASK if self.is_heard(now) else ASK_SOON
        if self.asked is None or time.ticks_diff(now, self.asked) >= pause:
            self.asked = now
            self.hellos += 1
            self.transmit(b"H", self.hellos, b"", NO_NONCE)

    def is_heard(self, now: int) -> bool:
        """Whether the radio has answered lately."""
        return self.answered is not None and time.ticks_diff(now, self.answered) < UNANSWERED

    def send(self, line: str) -> None:
        """Send a line, once there is a nonce."""
        if self.nonce is not None and self.wlan.isconnected():
            self.lines += 1
            self.transmit(b"L", self.lines, line.strip().encode(), self.nonce)

    def join(self) -> None:
        """Begin to join; it goes on in the background."""
        try:
            self.wlan.disconnect()
            self.wlan.connect(self.network, self.password or None)
        except OSError:
            pass  # it is still at the attempt before

    def transmit(self, kind: bytes, counter: int, body: bytes, nonce: bytes) -> None:
        """Send one packet; a network that has no room loses it, as the air does."""
        packet = struct.pack(HEAD, VERSION, kind, self.name, self.start, counter) + body
        packet += self.hmac.digest(nonce + packet)[:MAC]
        # The Pi that opened the network is its gateway.
        host = self.host or self.wlan.ifconfig()[2]
        try:
            self.socket.sendto(packet, (host, self.port))
        except OSError:
            pass

    def receive(self, now: int) -> None:
        """Take the nonce from answers to the newest hello; drop all else."""
        for _ in range(8):
            try:
                packet = self.socket.recv(128)
            except OSError:
                return
            size = struct.calcsize(HEAD)
            if len(packet) != size + len(NO_NONCE) + MAC:
                continue
            head = struct.pack(HEAD, VERSION, b"N", self.name, self.start, self.hellos)
            if packet[:size] != head:
                continue
            if is_same(self.hmac.digest(NO_NONCE + packet[:-MAC])[:MAC], packet[-MAC:]):
                self.nonce, self.answered = packet[size:-MAC], now


class Setup:
    """Settings that arrive over USB, in a line `K1 JSON CRC`; a restart follows.

    They replace those of the same name, and `{}` all of them.
    """

    def __init__(self) -> None:
        self.received = b""

    def feed(self, byte: bytes) -> None:
        """Process a byte; a line that is not complete or not right changes nothing."""
        if byte != b"\n":
            self.received = (self.received + byte)[-MAX_SETTINGS:]
            return
        line, self.received = self.received, b""
        words, _, crc = line.rpartition(b" ")
        if not words.startswith(b"K1 ") or b"%08x" % binascii.crc32(words) != crc:
            return
        try:
            given = json.loads(words[3:])
            settings = dict(read_settings(), **given) if given else {}
        except (ValueError, TypeError):
            return
        if settings and not settings.get("network"):
            self.answer("K1 lacks network")
            return
        # The file system replaces a whole file at its closing: a power cut leaves one of both.
        with open(SETTINGS, "w") as file:
            json.dump(settings, file)
        self.answer("K1 stored" if settings else "K1 forgotten")
        time.sleep_ms(200)
        machine.reset()

    def answer(self, words: str) -> None:
        """Write a line with its CRC."""
        sys.stdout.write(f"\n{words} {binascii.crc32(words.encode()):08x}\n")


def read_settings() -> dict:
    """The stored settings; none of a file that is missing or damaged."""
    try:
        with open(SETTINGS) as file:
            return dict(json.load(file))
    except (OSError, ValueError, TypeError):
        return {}


def open_radio(pin: int) -> Radio | None:
    """The radio with the stored settings; None without, or with wrong ones.

    `pin`: of a battery.
    """
    try:
        settings = read_settings()
        return Radio(settings, pin) if settings else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
