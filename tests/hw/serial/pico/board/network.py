"""MicroPython's ``network``: one Wi-Fi that ``world`` switches on and off."""

import world

STA_IF = 0


class WLAN:
    PM_NONE = 0

    def __init__(self, interface: int) -> None:
        assert interface == STA_IF

    def active(self, is_active: bool) -> None:
        assert is_active

    def config(self, *, pm: int) -> None:
        assert pm == self.PM_NONE

    def isconnected(self) -> bool:
        return bool(world.is_joined())

    def disconnect(self) -> None:
        pass

    def connect(self, name: str, password: str | None) -> None:
        world.join(name, password or "")

    def ifconfig(self) -> tuple[str, str, str, str]:
        return ("192.168.4.2", "255.255.255.0", "192.168.4.1", "192.168.4.1")
