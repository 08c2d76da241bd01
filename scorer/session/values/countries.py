"""The trucos and the time zone that set-up proposes for a language."""

from typing import Final, NamedTuple


class Country(NamedTuple):
    """``variants``: ids of those played there; the list of trucos begins with them."""

    variants: tuple[str, ...]
    proposed: str
    zone: str  # a name of tzdata


COUNTRIES: Final = {
    "es-AR": Country(
        ("argentine", "argentine_flor", "pica_pica", "pata_gallo", "destantado"),
        "argentine",
        "America/Argentina/Buenos_Aires",
    ),
    "es-UY": Country(("uruguayan", "uruguayan_six"), "uruguayan", "America/Montevideo"),
    "es-VE": Country(("venezuelan",), "venezuelan", "America/Caracas"),
    "pt-BR": Country(
        (
            *("br_general", "paulista", "mineiro"),
            *("gaucho", "gaucho_six", "amostra", "amostra_six"),
        ),
        "paulista",
        "America/Sao_Paulo",
    ),
    "ca": Country(("valencian",), "valencian", "Europe/Madrid"),
}
_ELSEWHERE: Final = COUNTRIES["es-AR"]._replace(variants=())


def country_of(language: str) -> Country:
    """The country of ``language``; without variants for one that is of none."""
    return COUNTRIES.get(language, _ELSEWHERE)
