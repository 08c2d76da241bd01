"""The part of MicroPython's ``machine`` that the firmware uses.

Pins and the UART come from the module ``world``, provided by the runner of the firmware.
"""

import world


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int | str, mode: int = IN, pull: int | None = None) -> None:
        self.number = number

    def value(self, level: bool | None = None) -> int:
        if level is None:
            return int(world.pin(self.number))
        world.light(level)
        return int(level)


class UART:
    def __init__(self, number: int, baud: int, *, tx: Pin, rx: Pin, txbuf: int) -> None:
        assert (number, tx.number, rx.number) in ((0, 0, 1), (2, 17, 16))

    def any(self) -> int:
        return int(world.uart_waiting())

    def read(self) -> bytes:
        return bytes(world.uart_read() for _ in range(world.uart_waiting()))

    def write(self, text: str) -> None:
        world.uart_write(text)


class ADC:
    ATTN_11DB = 3

    def __init__(self, pin: Pin) -> None:
        self.pin = pin

    def atten(self, attenuation: int) -> None:
        assert attenuation == self.ATTN_11DB

    def read_u16(self) -> int:
        return int(world.voltage(self.pin.number)) * 65535 // 3300


def reset() -> None:
    world.reset()


class WDT:
    def __init__(self, *, timeout: int) -> None:
        world.watch(timeout)

    def feed(self) -> None:
        world.feed()
