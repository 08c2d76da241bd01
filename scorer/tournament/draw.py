"""The public draw: an order of teams from one number; everyone can repeat it.

The place of a team follows from the SHA-256 of three lines: the number of the draw, the purpose
(such as ``zones: draw``) and the number of the team's entry. The smallest digest is first. With
``commitment_to`` the desk publishes a digest before the entries close, and the number after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def commitment_to(seed: str) -> str:
    """The digest that binds the desk to a number that it has not shown yet."""
    return sha256(f"commitment\n{seed}".encode()).hexdigest()


def drawn_number(seed: str, purpose: str, subject: str) -> int:
    """A number of 256 bits for one subject: a team, or a pair."""
    return int.from_bytes(sha256(f"{seed}\n{purpose}\n{subject}".encode()).digest(), "big")


def drawn_order(seed: str, purpose: str, teams: Iterable[int]) -> list[int]:
    """The teams in the order of the draw."""
    return sorted(teams, key=lambda team: drawn_number(seed, purpose, str(team)))
