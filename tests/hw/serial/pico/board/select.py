"""Polling of USB input."""

import world

POLLIN = 1


class poll:
    def register(self, stream: object, events: int) -> None:
        pass

    def poll(self, timeout: int) -> list[str]:
        return ["stdin"] if world.usb_waiting() else []
