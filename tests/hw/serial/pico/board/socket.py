"""MicroPython's UDP socket; ``world`` carries the packets as hexadecimal digits."""

import binascii

import world

AF_INET, SOCK_DGRAM = 2, 2


class socket:
    def __init__(self, family: int, kind: int) -> None:
        assert (family, kind) == (AF_INET, SOCK_DGRAM)

    def setblocking(self, is_blocking: bool) -> None:
        assert not is_blocking

    def sendto(self, packet: bytes, address: tuple[str, int]) -> None:
        assert address == ("192.168.4.1", 7747)
        world.send_packet(binascii.hexlify(packet).decode())

    def recv(self, size: int) -> bytes:
        packet = str(world.receive_packet())
        if not packet:
            raise OSError(11)
        return binascii.unhexlify(packet)[:size]
