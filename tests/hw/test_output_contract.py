"""The contract of all lamp and buzzer drivers, real ones on mock pins and fakes."""

from __future__ import annotations

import pytest

from scorer.hw.outputs import buzzer, lamp
from scorer.hw.outputs.player import PhrasePlayer
from scorer.hw.ports import Buzzer, DeviceError, Lamp, Phrase
from scorer.plain_values import WrongValues, read
from tests.hw.rigs import BUZZERS, LAMPS, PIN, Pin, PinUnderTest

LampRig = tuple[Lamp, Pin]
BuzzerRig = tuple[Buzzer, Pin]


@pytest.fixture(params=LAMPS.values(), ids=list(LAMPS))
def lamp_rig(request: pytest.FixtureRequest) -> LampRig:
    made: LampRig = request.param()
    return made


@pytest.fixture(params=BUZZERS.values(), ids=list(BUZZERS))
def buzzer_rig(request: pytest.FixtureRequest) -> BuzzerRig:
    made: BuzzerRig = request.param()
    return made


def test_a_lamp_is_dark_when_opened_and_follows_set(lamp_rig: LampRig) -> None:
    device, pin = lamp_rig
    device.open()
    assert not pin.is_on()
    for lit in (True, True, False, True):
        device.set(lit)
        assert pin.is_on() == lit
    device.close()
    assert not pin.is_on()
    device.close()


def test_a_lamp_that_is_not_open_is_a_device_error(lamp_rig: LampRig) -> None:
    device, _ = lamp_rig
    device.close()
    with pytest.raises(DeviceError):
        device.set(True)


def test_a_lamp_whose_pin_is_taken_is_a_device_error_and_reopening_recovers(
    lamp_rig: LampRig,
) -> None:
    device, pin = lamp_rig
    pin.take_away()
    with pytest.raises(DeviceError, match=r"\w+ \w+"):
        device.open()
    device.close()
    pin.give_back()
    device.open()
    device.set(True)
    assert pin.is_on()


def test_a_lamp_that_breaks_is_a_device_error_and_can_be_closed(lamp_rig: LampRig) -> None:
    device, pin = lamp_rig
    device.open()
    pin.break_off()
    with pytest.raises(DeviceError):
        device.set(True)
    device.close()


def test_a_buzzer_plays_a_phrase_by_ticks(buzzer_rig: BuzzerRig) -> None:
    device, pin = buzzer_rig
    device.open()
    assert not pin.is_on()
    due = device.play([(0.1, 0.05), (0.2, 0.0)], 10.0)
    states = [(10.0, pin.is_on())]
    while due is not None:
        now, due = due, device.tick(due)
        states.append((round(now, 3), pin.is_on()))
    assert states == [(10.0, True), (10.1, False), (10.15, True), (10.35, False)]


def test_a_buzzer_is_silenced_by_stop_and_by_close(buzzer_rig: BuzzerRig) -> None:
    device, pin = buzzer_rig
    for silence in (device.stop, device.close):
        device.open()
        device.play([(1.0, 1.0), (1.0, 1.0)], 0.0)
        assert pin.is_on()
        silence()
        assert not pin.is_on()
        assert device.tick(1000.0) is None
    device.close()


def test_reopening_drops_the_old_phrase(buzzer_rig: BuzzerRig) -> None:
    device, pin = buzzer_rig
    device.open()
    device.play([(1.0, 1.0), (1.0, 1.0)], 0.0)
    device.close()
    device.open()
    assert device.tick(2.0) is None
    assert not pin.is_on()


def test_a_buzzer_whose_pin_is_taken_is_a_device_error_and_reopening_recovers(
    buzzer_rig: BuzzerRig,
) -> None:
    device, pin = buzzer_rig
    pin.take_away()
    with pytest.raises(DeviceError):
        device.open()
    with pytest.raises(DeviceError):
        device.play([(1.0, 0.0)], 0.0)
    device.close()
    pin.give_back()
    device.open()
    device.play([(1.0, 0.0)], 0.0)
    assert pin.is_on()


def test_a_buzzer_that_breaks_is_a_device_error_and_can_be_closed(buzzer_rig: BuzzerRig) -> None:
    device, pin = buzzer_rig
    device.open()
    pin.break_off()
    with pytest.raises(DeviceError):
        device.play([(1.0, 0.0)], 0.0)
    device.close()


@pytest.mark.parametrize(
    ("phrase", "ticks", "switched"),
    [
        # (seconds on, seconds off); times of ticks; (time, state) of the switch
        ([], [0.5], [(0.0, False)]),
        ([(0.1, 0.0)], [0.05, 0.1, 0.2], [(0.0, False), (0.0, True), (0.1, False)]),
        ([(0.0, 0.1), (0.1, 0.0)], [0.1, 0.2],
         [(0.0, False), (0.0, False), (0.1, True), (0.2, False)]),
        # late ticks: both beeps sound at full length
        ([(0.1, 0.1), (0.1, 0.1)], [1.0, 2.0, 2.1, 2.2],
         [(0.0, False), (0.0, True), (1.0, False), (2.0, True), (2.1, False), (2.2, False)]),
    ],
    ids=["nothing", "one beep", "a pause first", "a late loop"],
)  # fmt: skip
def test_a_player_switches_at_the_right_times(
    phrase: Phrase, ticks: list[float], switched: list[tuple[float, bool]]
) -> None:
    switchings: list[tuple[float, bool]] = []
    now = 0.0
    player = PhrasePlayer(lambda on: switchings.append((now, on)))
    due = player.play(phrase, now)
    for now in ticks:
        due = player.tick(now)
    assert switchings == switched
    assert due is None


def test_a_late_tick_counts_from_when_it_came() -> None:
    player = PhrasePlayer(lambda on: None)
    dues = [player.play([(0.5, 0.25), (0.5, 0.0)], 1.0), *map(player.tick, (1.25, 2.0, 4.0, 4.5))]
    assert dues == [1.5, 1.5, 2.25, 4.5, None]


def test_a_new_phrase_replaces_the_old_one() -> None:
    switchings: list[bool] = []
    player = PhrasePlayer(switchings.append)
    player.play([(5.0, 5.0), (5.0, 5.0)], 0.0)
    assert player.play([(0.1, 0.0)], 1.0) == 1.1
    assert player.tick(1.05) == 1.1
    assert player.tick(1.2) is None
    assert switchings[-1] is False


def test_an_output_that_is_active_low_rests_high() -> None:
    pin = PinUnderTest()
    device = lamp.create(lamp.Options(PIN, active_high=False), pin_factory=pin.pins)
    device.open()
    assert pin.is_on()
    device.set(True)
    assert not pin.is_on()


@pytest.mark.parametrize("options", [lamp.Options, buzzer.Options])
def test_outputs_are_refused_on_reserved_pins(
    options: type[lamp.Options] | type[buzzer.Options],
) -> None:
    with pytest.raises(WrongValues, match="pin: GPIO 3 is SCL"):
        read(options, {"pin": 3})
