# A button box for Truco Scorer: Raspberry Pi Pico (RP2040, RP2350) or ESP32, with MicroPython.
#
# It reports its buttons on USB and on a UART, in the lines of docs/makers/button-box.md, or over
# Wi-Fi with radio.py beside it. The table debounces. Each button is a switch from its pin to GND.

import binascii
import os
import select
import sys
import time
from collections import namedtuple

from machine import UART, WDT, Pin

try:
    import radio
except ImportError:  # a board without Wi-Fi, or without that file
    radio = None

# ---- configuration ------------------------------------------------------------------------------

CONSOLES = 1  # consoles in this box; 2: those of `second` are there too

# GPIO numbers by the family of the board. `first` is in the order of docs/makers/button-box.md:
# TRUCO, ENVIDO, FLOR, QUIERO, NO QUIERO, TANTOS; `second` has the same six of the other console,
# `shared` UNDO and MENU. `uart`: its number, out, in. `setup`: tied to GND at power-on the program
# does not run, so that files can be changed. `battery`: an ADC pin, see docs/makers/radio.md.
Board = namedtuple("Board", ("first", "second", "shared", "uart", "setup", "led", "battery"))
BOARDS = {
    "rp2": Board((2, 3, 4, 5, 6, 7), (10, 11, 12, 13, 14, 15), (8, 9), (0, 0, 1), 22, "LED", 28),
    "esp32": Board(
        (13, 14, 25, 26, 27, 32), (18, 19, 21, 22, 23, 5), (33, 4), (2, 17, 16), 15, 2, 34
    ),
}
BAUD = 115200  # of the UART; USB ignores it

# ---- times in milliseconds; the table relies on them --------------------------------------------

BEAT = 10000  # between lines while idle
REPEAT = 100  # between lines while active
AFTER = 300  # active for this long after the last change, when all buttons are up
HELD = 4000  # the same while a button is down
MEMORY = 2000  # a change is repeated in every line for this long
SPIKE = 4  # one change per button in this time, so that contact bounce does not fill lines
MOST = 16  # changes per line
WATCHDOG = 8000  # a program that hangs for this long is started again; an RP2040 has 8388 at most


class Box:
    """The state of the buttons, and the line that reports it."""

    def __init__(self, pins: list[Pin], start: str, now: int) -> None:
        self.pins, self.start = pins, start
        self.levels = self.seq = self.clock = self.said = 0
        self.now = now
        self.changes: list[tuple[int, int, bool]] = []  # clock, button, down; the newest first
        self.moved = [-SPIKE] * len(pins)  # clock of each button's newest change
        # A button that is down at start is reported down, not as pressed.
        for button, pin in enumerate(pins):
            self.levels |= (not pin.value()) << button

    def look(self, now: int) -> bool:
        """Read every pin; return True if a button changed. ``now`` is time.ticks_ms()."""
        self.clock += time.ticks_diff(now, self.now)
        self.now = now
        seq = self.seq
        for button, pin in enumerate(self.pins):
            down = not pin.value()
            if down != bool(self.levels >> button & 1) and self.clock - self.moved[button] >= SPIKE:
                self.levels ^= 1 << button
                self.seq += 1
                self.moved[button] = self.clock
                self.changes.insert(0, (self.clock, button, down))
        del self.changes[MOST:]
        return self.seq != seq

    def is_due(self, beat: int = BEAT) -> bool:
        """Whether the next periodic line is due; ``beat``: ms between idle lines."""
        since = self.clock - self.changes[0][0] if self.changes else BEAT
        lively = since <= (HELD if self.levels else AFTER)
        return self.clock - self.said >= (REPEAT if lively else beat)

    def line(self, battery: int | None = None) -> str:
        """The line with the whole state and its checksum.

        ``battery``: percent, if it is known. The line begins with an end of line too: a garbled one
        costs the line that it ends, not the next.
        """
        self.said = self.clock
        clock = self.clock & 0xFFFFFFFF
        words = f"T1 {self.start} {self.seq & 0xFFFF:04x} {self.levels:04x} {clock}"
        if battery is not None:
            words += f" b{battery}"
        for changed, button, down in self.changes:
            age = self.clock - changed
            if age <= MEMORY:
                words += f" {'+' if down else '-'}{button}:{age}"
        return f"\n{words} {binascii.crc32(words.encode()):08x}\n"


def run(board: Board) -> None:
    """Poll the buttons and send lines, without end."""
    start = binascii.hexlify(os.urandom(2)).decode()  # new for every start
    numbers = board.first + (board.second if CONSOLES == 2 else ()) + board.shared
    pins = [Pin(number, Pin.IN, Pin.PULL_UP) for number in numbers]
    led = Pin(board.led, Pin.OUT)
    number, out, in_ = board.uart
    uart = UART(number, BAUD, tx=Pin(out), rx=Pin(in_), txbuf=512)
    usb = select.poll()
    usb.register(sys.stdin, select.POLLIN)
    box = Box(pins, start, time.ticks_ms())
    air = radio.open_radio(board.battery) if radio else None
    settings = radio.Setup() if radio else None
    is_lit = False
    watchdog = WDT(timeout=WATCHDOG)
    while True:
        watchdog.feed()
        now = time.ticks_ms()
        changed = box.look(now)
        asked = uart.any() and b"?" in uart.read()
        while usb.poll(0):
            # Any byte means that the port was opened; read it and answer.
            byte = sys.stdin.buffer.read(1)
            asked = byte == b"?" or asked
            if settings:
                settings.feed(byte)
        if air:
            air.turn(now)
            if changed or box.is_due(radio.BEAT):
                air.send(box.line(air.battery.read(now)))
        if asked or (not air and (changed or box.is_due())):
            line = box.line()
            sys.stdout.write(line)
            uart.write(line)
        # A box that is not heard blinks.
        is_unheard = air and not air.is_heard(now)
        lit = box.levels != 0 or bool(is_unheard and now // 500 % 2)
        if lit != is_lit:
            is_lit = lit
            led.value(lit)
        time.sleep_ms(1)


if __name__ == "__main__":
    here = BOARDS[os.uname().sysname]
    if Pin(here.setup, Pin.IN, Pin.PULL_UP).value():
        # Bytes on USB must not stop it: a stray Ctrl-C is ignored.
        import micropython

        micropython.kbd_intr(-1)
        run(here)
