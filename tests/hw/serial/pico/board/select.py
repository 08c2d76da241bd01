"""What arrives on USB, for a firmware that asks before it reads."""

import world

POLLIN = 1


class poll:
    def register(self, stream: object, events: int) -> None:
        pass

    def poll(self, timeout: int) -> list[str]:
        return ["stdin"] if world.usb_waiting() else []
