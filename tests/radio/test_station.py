"""Which packets count: a box and its attackers, in simulated time."""

from __future__ import annotations

import random

import pytest

from scorer.hw.serial.box_lines import BoxMessage, Change, UnknownVersion, encode_message
from scorer.hw.serial.lines import seal
from scorer.radio.packet_limit import MAX_ADDRESSES, PACKETS_PER_SECOND
from scorer.radio.packets import PacketKind, make_packet, split_packet
from scorer.radio.station import AWAY_AFTER, BoxLine, NonceAnswer, PacketRefusal, Refused, Station

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
HOME, ELSEWHERE = "192.168.4.2", "192.168.4.66"


class Box:
    """A box, or another sender with its name."""

    def __init__(self, station: Station, key: bytes = KEY, start: bytes = b"start001") -> None:
        self.station, self.key, self.start = station, key, start
        self.nonce = b""
        self.hellos = self.lines = 0
        self.address = HOME

    def hello(self, now: float) -> NonceAnswer | BoxLine | Refused:
        """Ask for the nonce, and take it from the answer."""
        self.hellos += 1
        packet = make_packet(self.key, PacketKind.HELLO, "norte", self.start, self.hellos)
        answer = self.give(packet, now)
        if isinstance(answer, NonceAnswer):
            found = split_packet(answer.packet)
            assert found is not None
            assert found[:4] == (PacketKind.NONCE, "norte", self.start, self.hellos)
            self.nonce = found.body
        return answer

    def packet(self, line: bytes = b"") -> bytes:
        """The next packet with a line."""
        self.lines += 1
        change = Change(0, True, 0)
        text = line or encode_message(BoxMessage("0001", 1, 1, self.lines, (change,))).strip()
        head = (self.key, PacketKind.LINE, "norte", self.start, self.lines)
        return make_packet(*head, body=text, nonce=self.nonce)

    def give(self, packet: bytes, now: float) -> NonceAnswer | BoxLine | Refused:
        list(self.station.expire(now))
        return self.station.receive(packet, self.address, now)

    def say(self, now: float) -> NonceAnswer | BoxLine | Refused:
        return self.give(self.packet(), now)


@pytest.fixture
def station() -> Station:
    return Station({"norte": KEY}, b"secret")


def why(outcome: object) -> PacketRefusal | None:
    return outcome.why if isinstance(outcome, Refused) else None


def test_a_box_asks_for_the_nonce_and_its_lines_count(station: Station) -> None:
    box = Box(station)
    assert isinstance(box.hello(10.0), NonceAnswer)
    first, second = box.say(10.1), box.say(10.2)
    assert isinstance(first, BoxLine) and isinstance(second, BoxLine)
    assert (first.is_first, second.is_first) == (True, False)
    assert first.line.startswith(b"T1 0001 0001 0001 1 +0:0 ")


def test_a_recorded_line_counts_neither_in_its_session_nor_in_a_later_one(
    station: Station,
) -> None:
    box, recorded, at = Box(station), [], 10.0
    for start in (b"start001", b"start002", b"start001"):
        box.start, box.lines = start, 0
        box.hello(at)
        for _ in range(20):
            recorded.append(box.packet())
            assert isinstance(box.give(recorded[-1], at), BoxLine)
            at += 0.1
        for packet in recorded:
            assert why(box.give(packet, at)) in (PacketRefusal.REPLAYED, PacketRefusal.FORGED)
        # Away, then heard again: also the same start has another nonce.
        at += AWAY_AFTER + 0.1
        box.hello(at)
        for packet in recorded:
            assert why(box.give(packet, at)) is PacketRefusal.FORGED


def test_an_older_line_that_arrives_late_is_dropped(station: Station) -> None:
    box = Box(station)
    box.hello(10.0)
    one, two = box.packet(), box.packet()
    assert isinstance(box.give(two, 10.0), BoxLine)
    assert why(box.give(one, 10.1)) is PacketRefusal.REPLAYED


@pytest.mark.parametrize("delay", [4.1, 60.0, 86400.0])
def test_lines_that_were_held_back_do_not_count_later(station: Station, delay: float) -> None:
    """An attacker jams a box, records what it sent, and replays it when it is off."""
    box = Box(station)
    box.hello(10.0)
    held = [box.packet() for _ in range(10)]
    assert {why(box.give(packet, 10.0 + delay)) for packet in held} == {PacketRefusal.FORGED}
    box.hello(200_000.0)
    assert isinstance(box.say(200_000.0), BoxLine)
    held = [box.packet() for _ in range(10)]
    assert {why(box.give(packet, 200_000.0 + delay)) for packet in held} == {PacketRefusal.FORGED}


def test_a_box_with_another_key_is_dropped_and_does_not_disturb(station: Station) -> None:
    box, stranger = Box(station), Box(station, OTHER_KEY, b"start666")
    stranger.address = ELSEWHERE
    assert why(stranger.hello(9.0)) is PacketRefusal.WRONG_KEY
    assert why(stranger.say(9.0)) is PacketRefusal.FORGED
    box.hello(10.0)
    for at in range(100):
        now = 10.0 + at / 10
        assert why(stranger.hello(now)) is PacketRefusal.WRONG_KEY
        assert why(stranger.say(now)) is PacketRefusal.FORGED
        assert isinstance(box.say(now), BoxLine)


def test_a_second_box_with_the_same_key_waits_until_the_first_is_away(station: Station) -> None:
    one, two = Box(station), Box(station, start=b"start002")
    one.hello(10.0)
    one.say(10.0)
    assert why(two.hello(11.0)) is PacketRefusal.SECOND
    assert why(two.say(11.0)) is PacketRefusal.FORGED
    assert isinstance(one.say(11.5), BoxLine)
    assert isinstance(two.hello(11.5 + AWAY_AFTER + 0.1), NonceAnswer)
    assert isinstance(two.say(13.7), BoxLine)


def test_replayed_and_made_up_hellos_displace_no_box(station: Station) -> None:
    box, old = Box(station), Box(station, start=b"start000")
    old.hello(5.0)
    replayed = make_packet(KEY, PacketKind.HELLO, "norte", b"start000", 1)
    box.hello(10.0)
    for at in range(50):
        outcome = box.give(replayed, 10.0 + at / 100)
        assert isinstance(outcome, NonceAnswer)
    assert isinstance(box.say(10.6), BoxLine)
    for at in range(50):
        assert why(box.give(replayed, 10.7 + at / 100)) is PacketRefusal.SECOND
    assert isinstance(box.say(11.9), BoxLine)


def test_another_radio_has_other_nonces(station: Station) -> None:
    """Two radios with the same keys: what is sent to one does not count at the other."""
    box, other = Box(station), Station({"norte": KEY}, b"another secret")
    box.hello(10.0)
    packet = box.packet()
    assert isinstance(box.give(packet, 10.0), BoxLine)
    assert why(other.receive(packet, HOME, 10.0)) is PacketRefusal.FORGED


def test_a_restarted_radio_gives_a_new_nonce(station: Station) -> None:
    box = Box(station)
    box.hello(10.0)
    box.say(10.0)
    box.station = Station({"norte": KEY}, b"after the restart")
    assert why(box.say(10.1)) is PacketRefusal.FORGED
    box.hello(10.2)
    assert isinstance(box.say(10.3), BoxLine)


def test_a_box_is_away_after_two_seconds_without_a_line(station: Station) -> None:
    box = Box(station)
    box.hello(10.0)
    box.say(10.0)
    box.hello(11.9)
    assert list(station.expire(12.0)) == []
    # A hello, a copy or a wrong line keeps no box.
    box.give(make_packet(KEY, PacketKind.HELLO, "norte", box.start, 1), 12.0)
    assert list(station.expire(12.01)) == ["norte"]
    assert station.session("norte") is None
    assert list(station.expire(13.0)) == []


def test_a_replaced_or_forgotten_key_counts_no_more(station: Station) -> None:
    box = Box(station)
    box.hello(10.0)
    box.say(10.0)
    station.set_key("norte", OTHER_KEY)
    assert why(box.say(10.1)) is PacketRefusal.FORGED
    assert why(box.hello(10.1)) is PacketRefusal.WRONG_KEY
    box.key = OTHER_KEY
    box.hello(10.2)
    assert isinstance(box.say(10.2), BoxLine)
    assert station.forget("norte")
    assert why(box.say(10.3)) is PacketRefusal.UNKNOWN
    assert not station.forget("norte")


def test_at_most_200_packets_a_second_of_a_box_and_address_are_checked(station: Station) -> None:
    flood, box = Box(station, OTHER_KEY), Box(station)
    flood.address = ELSEWHERE
    box.hello(10.0)
    reasons = [why(flood.say(10.5)) for _ in range(1000)]
    assert reasons.count(PacketRefusal.FORGED) == PACKETS_PER_SECOND == 200
    assert reasons.count(PacketRefusal.LIMITED) == 800
    assert isinstance(box.say(10.6), BoxLine), "another address has a limit of its own"
    assert why(flood.say(11.0)) is PacketRefusal.FORGED, "the next second"


def test_a_flood_from_many_addresses_does_not_displace_a_box_that_is_heard(
    station: Station,
) -> None:
    flood, box = Box(station, OTHER_KEY), Box(station)
    box.hello(10.0)
    box.say(10.0)
    reasons = []
    for at in range(1000):
        flood.address = f"10.0.{at // 250}.{at % 250}"
        reasons.append(why(flood.say(11.0)))
    assert reasons.count(PacketRefusal.FORGED) == MAX_ADDRESSES
    assert isinstance(box.say(11.5), BoxLine)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"T1 0001 0001 0001 5 +0:0 00000000", PacketRefusal.BROKEN),
        (b"", PacketRefusal.BROKEN),
        (b"T1 noise", PacketRefusal.BROKEN),
        (b"\n\n" + seal("T1 0001 0001 0001 5 -0:0"), PacketRefusal.BROKEN),
    ],
)
def test_an_authentic_packet_without_a_line_of_a_box_is_dropped(
    station: Station, line: bytes, reason: PacketRefusal
) -> None:
    box = Box(station)
    box.hello(10.0)
    box.lines += 1
    head = (KEY, PacketKind.LINE, "norte", box.start, box.lines)
    packet = make_packet(*head, body=line, nonce=box.nonce)
    assert why(box.give(packet, 10.0)) is reason


def test_a_line_of_a_newer_box_is_passed_on(station: Station) -> None:
    """The table shows that it is of another version."""
    box = Box(station)
    box.hello(10.0)
    outcome = box.give(box.packet(seal("T2 something new").strip()), 10.0)
    assert isinstance(outcome, BoxLine)
    assert outcome.message == UnknownVersion(2)


def test_nothing_is_read_before_its_mac_is_checked(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []
    monkeypatch.setattr("scorer.radio.station.decode_line", read.append)
    box, stranger = Box(station), Box(station, OTHER_KEY)
    box.hello(10.0)
    stranger.nonce = box.nonce
    stranger.say(10.0)
    replayed = box.packet()
    box.give(replayed, 10.0)
    assert len(read) == 1


def test_noise_is_no_packet(station: Station) -> None:
    noise = random.Random(62)
    for _ in range(5000):
        data = noise.randbytes(noise.randrange(300))
        if noise.random() < 0.5:
            data = b"TR1" + noise.choice(b"HNL").to_bytes(1, "big") + b"norte\0\0\0" + data
        outcome = station.receive(data, HOME, 10.0 + noise.random())
        assert isinstance(outcome, Refused)
