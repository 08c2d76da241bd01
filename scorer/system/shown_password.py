"""Passwords that a box makes and its panel shows."""

import secrets
from typing import Final

LETTERS: Final = "abcdefghjkmnprstwxyz23456789"  # without those that look alike on a panel
LENGTH: Final = 10


def new_password() -> str:
    """Random letters: 48 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
