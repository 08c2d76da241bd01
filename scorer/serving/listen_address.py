"""The address and port that a command line names."""

from __future__ import annotations

import argparse

HIGHEST_PORT = 65535


def parse_address(text: str) -> tuple[str, int]:
    """Address and port of "127.0.0.1:8080" or "[::1]:8080". Raises ArgumentTypeError."""
    address, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"'{text}' is not like 127.0.0.1:8080 or [::1]:8080")
    return address.removeprefix("[").removesuffix("]"), int(port)
