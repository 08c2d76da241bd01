"""The time zones that set-up offers: where truco is played."""

from __future__ import annotations

from typing import Final

# Names of tzdata and the cities shown for them, from west to east within a country.
CITIES: Final = {
    "America/Argentina/Buenos_Aires": "Buenos Aires",
    "America/Montevideo": "Montevideo",
    "America/Asuncion": "Asunción",
    "America/Santiago": "Santiago",
    "America/Caracas": "Caracas",
    "America/Rio_Branco": "Rio Branco",
    "America/Manaus": "Manaus",
    "America/Sao_Paulo": "São Paulo",
    "America/Noronha": "F. de Noronha",
    "Atlantic/Canary": "Canarias",
    "Europe/Madrid": "Madrid",
    "Europe/Lisbon": "Lisboa",
}


def city(zone: str) -> str:
    """The city of a zone; of one that is not offered, the last part of its name."""
    return CITIES.get(zone) or zone.rpartition("/")[2].replace("_", " ")
