"""The packets of a box over Wi-Fi, and their MAC."""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import struct
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scorer.radio.packets import (
    HEAD_BYTES,
    MAX_PACKET,
    NO_NONCE,
    PacketKind,
    is_authentic,
    make_packet,
    packet_mac,
    split_packet,
)
from tests.paths import ROOT

KEY, START, NONCE = bytes(range(32)), b"startsta", bytes(range(16))
LINE = b"T1 3f2a 0017 0010 918233 +4:0 -6:35 b1946ac9"

# The test cases of RFC 4231: key, data, HMAC-SHA-256 in hexadecimal. The fifth is cut to 16 bytes.
RFC_4231 = {
    1: (
        b"\x0b" * 20,
        b"Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ),
    2: (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    3: (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
    4: (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    5: (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    6: (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    7: (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
}


def firmware() -> ModuleType:
    """radio.py of the board, whose modules are stood in for while it is imported."""
    path = ROOT / "firmware" / "box" / "radio.py"
    spec = importlib.util.spec_from_file_location("board_radio", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    stand_ins = {name: ModuleType(name) for name in ("machine", "network")}
    sys.modules.update(stand_ins)
    try:
        spec.loader.exec_module(module)
    finally:
        for name in stand_ins:
            del sys.modules[name]
    return module


@pytest.mark.parametrize("case", RFC_4231)
def test_the_mac_is_that_of_rfc_4231_cut_to_16_bytes(case: int) -> None:
    key, data, wanted = RFC_4231[case]
    # The nonce comes first; any cut of the data gives the same MAC.
    for cut in (0, 5, len(data)):
        assert packet_mac(key, data[:cut], data[cut:]) == bytes.fromhex(wanted)[:16]


@pytest.mark.parametrize("case", RFC_4231)
def test_the_mac_of_the_firmware_is_that_of_rfc_4231(case: int) -> None:
    key, data, wanted = RFC_4231[case]
    assert firmware().Hmac(key).digest(data).hex().startswith(wanted)


def test_a_packet_is_documented_byte_for_byte() -> None:
    """docs/reference/radio-protocol.md, the layout of a packet."""
    head = b"TR1" + b"L" + b"norte\0\0\0" + START + struct.pack(">I", 7)
    mac = hmac.new(KEY, NONCE + head + LINE, hashlib.sha256).digest()[:16]
    made = make_packet(KEY, PacketKind.LINE, "norte", START, 7, body=LINE, nonce=NONCE)
    assert made == head + LINE + mac
    assert len(head) == HEAD_BYTES == 24
    packet = split_packet(made)
    assert packet is not None
    assert packet[:5] == (PacketKind.LINE, "norte", START, 7, LINE)
    assert is_authentic(packet, KEY, NONCE)


def test_a_mac_covers_nonce_box_start_counter_and_line() -> None:
    """Each bit of each of them, and of the MAC itself."""
    made = make_packet(KEY, PacketKind.LINE, "norte", START, 7, body=LINE, nonce=NONCE)
    for at in range(len(made)):
        for bit in range(8):
            wrong = made[:at] + bytes([made[at] ^ 1 << bit]) + made[at + 1 :]
            packet = split_packet(wrong)
            assert packet is None or not is_authentic(packet, KEY, NONCE), (at, bit)
    packet = split_packet(made)
    assert packet is not None
    for bit in range(8 * len(NONCE)):
        other = bytearray(NONCE)
        other[bit // 8] ^= 1 << bit % 8
        assert not is_authentic(packet, KEY, bytes(other))
    assert not is_authentic(packet, KEY, NO_NONCE)
    assert not is_authentic(packet, KEY[::-1], NONCE)


def test_macs_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    packet = split_packet(
        make_packet(KEY, PacketKind.LINE, "norte", START, 7, body=LINE, nonce=NONCE)
    )
    assert packet is not None
    assert not is_authentic(packet, KEY, NONCE)
    assert compared == [(packet.mac, packet.mac)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(b"", b"", True), (b"a", b"a", True), (b"ab", b"ac", False), (b"ab", b"a", False)],
)
def test_the_firmware_compares_whole_macs(one: bytes, other: bytes, same: bool) -> None:
    assert firmware().is_same(one, other) is same


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"TR1L",
        b"TR2L" + bytes(60),
        b"TR1X" + bytes(60),
        b"TR1L" + b"\xff" * 8 + bytes(60),  # no name
        b"TR1L" + bytes(MAX_PACKET),
    ],
)
def test_what_cannot_be_a_packet_has_no_parts(data: bytes) -> None:
    assert split_packet(data) is None


def test_the_charge_of_a_cell_falls_with_its_voltage() -> None:
    percent = firmware().percent
    assert [percent(volt) for volt in (2500, 3300, 3600, 3800, 4100, 4300)] == [
        0,
        0,
        20,
        60,
        100,
        100,
    ]
    levels = [percent(volt) for volt in range(3200, 4200)]
    assert levels == sorted(levels)


def test_the_packets_of_the_firmware_have_the_documented_sizes() -> None:
    board = firmware()
    assert struct.calcsize(board.HEAD) == HEAD_BYTES
    assert (board.VERSION, board.MAC, len(board.NO_NONCE)) == (b"TR1", 16, 16)
    # Lines come often enough that seven in a row may be lost.
    assert board.BEAT * 8 <= 2000
    assert Path(board.SETTINGS).name == "radio.json"
