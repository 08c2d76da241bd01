"""Sources of each value of each option: codes of books, with articles if known.

A value without an entry is undocumented, and the card says so. Names of books are not translated;
the kind of text is a key.
"""

from __future__ import annotations

from scorer.rulecards.content.model import OptionValue, RuleSource, Value
from scorer.rules.options import value_text
from scorer.rules.variant import Option, Variant

RULE_SOURCES = (
    RuleSource("S0", "encyclopaedia", "Truco"),
    RuleSource("S1", "website", "Envido y Truco", "envidoytruco.com"),
    RuleSource("S2", "article", "Truco Paulista"),
    RuleSource("S3", "website", "Truco Gaudério", "gamevelvet.com/truco-gauderio-online"),
    RuleSource("S4", "program", "miniTruco"),
    RuleSource("ACA", "regulation", "Reglamentos de juegos de naipes", "acanomas.com"),
    RuleSource("AGC", "program", "AgusCarretto/Truco-Uruguayo", "github.com"),
    RuleSource("BDJ", "program", "Bureau de Juegos"),
    RuleSource("CAS", "regulation", "Casino de naipes", "naipes-casino.com.ar"),
    RuleSource("CEU", "championship", "CEUE/UFRGS", "epage.pub"),
    RuleSource("CLA", "newspaper", "Clarín", "rojas.com.ar"),
    RuleSource("COP", "website", "Copag"),
    RuleSource("DSS", "program", "Truco mineiro"),
    RuleSource("FAB", "program", "fabiodemo/Truco", "github.com"),
    RuleSource("FJD", "program", "Truc valencià", "truc-valenciano-fjd.appstor.io"),
    RuleSource("FOD", "program", "fodo24yt-maker/truco-uruguayo-web", "github.com"),
    RuleSource("GA", "rulebook", "Truco Uruguayo, Reglamento", "granaventura.com"),
    RuleSource("GEN", "program", "Truco gaúcho"),
    RuleSource("GIA", "program", "Giampiga/truco-venezolano", "github.com"),
    RuleSource("GLB", "newspaper", "Globo MG", "redeglobo.globo.com"),
    RuleSource("GSV", "program", "Servidor de truco gaúcho", "github.com"),
    RuleSource("HND", "hands", "UFSM"),
    RuleSource("JAT", "website", "Jugar al Truco", "jugaraltruco.com"),
    RuleSource("JGM", "website", "Jogada de Mestre", "jogadamestra.com.br"),
    RuleSource("JOG", "website", "Jogatina"),
    RuleSource("KIP", "regulation", "Reglas generales de juego", "kipdf.com"),
    RuleSource("LU", "website", "Ludoteka", "ludoteka.com"),
    RuleSource("MEN", "program", "miniTruco (en)"),
    RuleSource("MGA", "website", "Mundo Gaúcho", "mundogaucho.blogspot.com"),
    RuleSource("MIN", "program", "chesterbr/minitruco-android", "github.com"),
    RuleSource("MNG", "program", "marianogappa/truco", "github.com"),
    RuleSource("MTG", "regulation", "Regulamento de Esportes"),
    RuleSource("MXG", "program", "maxogod/Truco (Pagat)", "github.com"),
    RuleSource("NHF", "maker", "Naipes Heraclio Fournier", "nhfournier.es"),
    RuleSource("OOG", "website", "Truco cego", "oocities.com"),
    RuleSource("REN", "championship", "Empleados de Rentas", "scribd.com"),
    RuleSource("RSG", "website", "RS Gaudério", "rsgauderio.blogspot.com"),
    RuleSource("RT", "rulebook", "Reglamento de ReTruco", "retruco.com"),
    RuleSource("S24", "booklet", "Truco a 24", "scribd.com"),
    RuleSource("SLV", "sheet", "Truc valencià", "studylib.es"),
    RuleSource("TES", "program", "DasLatam/trucoestrella", "github.com"),
    RuleSource("TRS", "program", "jfrader/trucoshi", "github.com"),
    RuleSource("UNI", "championship", "Olimpiadas Universitarias 2008", "studylib.es"),
    RuleSource("UTN", "regulation", "Reglamento Oficial del Truco", "utnianos.com.ar"),
    RuleSource("UY1", "rulebook", "EnzoP7/TrucoUruguayo", "github.com"),
    RuleSource("UY2", "program", "EnzoP7/TrucoUruguayo", "github.com"),
    RuleSource("UY3", "rulebook", "eltopouy/truco-uruguayo", "github.com"),
    RuleSource("UY4", "program", "truquito/gotruco", "github.com"),
    RuleSource("UY5", "website", "Truco de amostra", "rsgauderio.blogspot.com"),
    RuleSource("UY6", "regulation", "CBTG, anexo 06", "scribd.com"),
    RuleSource("UY7", "regulation", "Truco uruguayo", "taringa.net"),
    RuleSource("VE2", "encyclopaedia", "Truco venezolano", "buenastareas.com"),
    RuleSource("VE3", "program", "Truco venezolano"),
    RuleSource("VEP", "rulebook", "Reglas del truco venezolano", "github.com"),
    RuleSource("VPU", "website", "Truc, Alconchel", "verpueblos.com"),
    RuleSource("WHY", "website", "Pagat", "whystudio.eu"),
    RuleSource("WP", "encyclopaedia", "Truco uruguayo", "es.wikipedia.org"),
)

Table = dict[str, dict[str, str]]

# Option -> value -> sources, for variants without a row of their own below.
_GENERAL_CITATIONS: Table = {
    "best_of": {"1": "REN", "3": "S0, UTN, ACA, NHF"},
    "finish": {"immediate": "S0", "end_of_hand": "S0"},
    "buenas": {"auto": "S1", "false": "S1"},
    "half_inclusive": {"malas": "S1", "buenas": "TRS, UY4"},
    "falta": {
        "malas_match": "S1",
        "leader_to_target": "TRS",
        "loser_to_target": "TES",
        "leader_half": "REN, TRS",
        "loser_half": "MXG",
        "winner_half": "UY4",
        "match": "MXG",
    },
    "envido_refused": {"previous_sum": "S1, MNG", "plus_one": "MXG"},
    "real_envido_again": {"false": "S1", "true": "S0"},
    "falta_floor": {"false": "S1, MNG"},
    "fold_first": {"2": "MNG, TES, JAT", "1": "UY4"},
    "tied": {"mano": "S0, S1"},
    "flor": {"false": "S1", "true": "S1"},
    "players": {"2": "S0, S1", "4": "S0, S1", "6": "S0, S1"},
    "flor_vs_flor": {
        "own": "S1",
        "per_flor": "S0, S24, MXG",
        "four": "CLA, TRS, MNG, BDJ",
        "six": "TES",
    },
    "flor_value": {"3": "S0, S1"},
    "resto_floor": {"false": "S1"},
    "me_achico": {"3": "S1, CLA, TRS, MNG, BDJ", "4": "S24"},
    "contraflor_refused": {"3": "S1", "4": "CLA, TRS, MNG, BDJ, MXG"},
    "resto": {"leader_to_target": "S1", "match": "S24", "leader_plus_flor": "ACA"},
    "resto_refused_direct": {"3": "S1", "4": "TRS, MNG"},
    "resto_refused_after_contra": {"6": "MNG", "3": "S1"},
    "mao_truco": {"lose_hand": "S0", "forbidden": "S4, MIN", "lose_match": "JOG"},
    "no_useless_raise": {"false": "S0", "true": "WHY"},
}

_ARGENTINE_TARGET = {
    "9": "S1",
    "15": "S1",
    "18": "S1, CAS",
    "24": "S24",
    "30": "S0, S1, UTN, UNI",
    "40": "KIP",
}

_ARGENTINE_END = {"immediate": "S0, S1", "end_of_hand": "S0"}

_URUGUAYAN: Table = {
    "target": {"20": "UY4", "24": "UY5", "30": "UY1, UY3, UY7", "40": "UY1, UY3, UY7"},
    "buenas": {"auto": "UY1, UY7"},
    "half_inclusive": {"buenas": "UY4"},
    "falta": {"leader_to_target": "UY1, UY3", "winner_half": "UY4"},
    "envido_refused": {"previous_sum": "UY1"},
    "real_envido_again": {},
    "free_envido": {"true": "GA 24, UY5"},
    "falta_cap": {"true": "GA 36, RT 27"},
    "falta_floor": {},
    "flor_value": {"3": "GA 20, UY1"},
    "con_flor_envido_pays": {"adds": "GA 31, UY1", "six": "FOD"},
    "flor_bet_refused": {"own": "UY1", "all": "AGC"},
    "resto_floor": {},
    "fold_first": {"1": "UY4", "2": "UY6"},
    "tied": {"mano": "UY7"},
    "players": {"2": "UY1, UY3", "4": "UY1, UY3, UY7", "6": "UY1, UY3"},
    "flor_announced": {"bets": "GA 16-20, GA 31, WP"},
    "flor_bids": {"envido": "WP", "all": "GA 23, GA 31, LU"},
    "contraflor_pays": {"all_flores": "GA 31", "six": "UY5"},
    "flor_vs_flor": {"own": "GA 20, UY1", "per_flor": "UY2"},
    "resto": {"match": "UY1, UY2", "leader_plus_flor": "GA 31, UY4"},
    "best_of": {},
}

_URUGUAYAN_SIX: Table = {
    **_URUGUAYAN,
    "players": {"6": "GA 83, UY1"},
    "pica_from": {"0": "GA 83"},
    "pica_until": {"19": "GA 84"},
    "pica_cap": {"6": "WP", "10": "GA 86"},
    "pica_resto_cap": {"10": "GA 86", "12": "WP"},
    "pica_add": {"end": "S1"},
    "duels": {"3": "S0, GA 83", "2": "S1"},
}

_GAUCHO: Table = {
    "target": {"18": "RSG", "24": "S3, MGA, CEU"},
    "buenas": {"auto": "RSG"},
    "half_inclusive": {},
    "falta": {"loser_to_target": "S3", "leader_to_target": "FAB, GEN"},
    "real_envido_again": {},
    "falta_floor": {},
    "envido_refused": {"previous_sum": "OOG"},
    "fold_first": {"1": "S3, HND"},
    "tied": {"none": "S3", "mano": "GSV"},
    "players": {"2": "RSG", "4": "S3", "6": "CEU"},
    "flor_vs_flor": {"per_flor": "S3"},
    "flor_value": {"3": "S3"},
    "contraflor_refused": {"3": "S3", "4": "GEN"},
    "resto": {"leader_to_target": "S3", "leader_plus_contraflor": "FAB, GEN"},
    "resto_floor": {},
    "resto_refused_after_contra": {"6": "S3"},
    "best_of": {},
}

# What the regulations of the amostra say; the rest is of Uruguay.
_AMOSTRA: Table = {"target": {"30": "MTG, UY6"}, "flor_value": {"3": "UY6"}}

# Sources specific to a variant.
_VARIANT_CITATIONS: dict[str, Table] = {
    "amostra": {**_URUGUAYAN, **_AMOSTRA, "players": {"6": "MTG, UY6", "4": "MTG", "2": "MTG"}},
    "amostra_six": {
        **_URUGUAYAN_SIX,
        **_AMOSTRA,
        "players": {"6": "UY6"},
        "pica_until": {"14": "GA 84"},
    },
    "argentine": {"target": _ARGENTINE_TARGET, "finish": _ARGENTINE_END},
    "argentine_flor": {"target": _ARGENTINE_TARGET, "finish": _ARGENTINE_END},
    "br_general": {
        "target": {"12": "S4"},
        "tied": {"none": "S4"},
        "best_of": {"3": "S0"},
    },
    "destantado": {"target": {"10": "S1"}, "destantado_plain_hand": {}, "best_of": {}},
    "gaucho": _GAUCHO,
    "gaucho_six": {
        **_GAUCHO,
        "players": {"6": "CEU, MTG, UY6"},
        "pica_from": {"0": "CEU"},
        "pica_until": {},
        "pica_cap": {},
        "pica_add": {},
        "duels": {"3": "S0, CEU", "2": "S1"},
    },
    "mineiro": {
        "target": {"12": "S0, GLB, MIN"},
        "mineiro_ladder": {
            "2-4-6-10-12": "MIN, GLB, DSS, JOG",
            "2-4-8-10-12": "COP",
            "2-4-6-9-12": "JGM",
        },
        "tied": {"none": "DSS, JGM"},
        "best_of": {"3": "S0"},
        "mao_truco": {"lose_hand": "S0", "forbidden": "MIN", "lose_match": "JOG"},
        "mao_run": {"2": "MIN", "1": "S0"},
    },
    "pata_gallo": {
        "target": {"30": "S1"},
        "falta": {},
        "gallo_fijo": {"false": "S1", "true": "ACA, NHF"},
        "tied": {"mano": "S1"},
    },
    "paulista": {
        "target": {"12": "S0, S2"},
        "tied": {"none": "S0, MEN"},
        "match_rung": {"true": "S0"},
        "best_of": {"3": "S0"},
    },
    "pica_pica": {
        "target": {"30": "S0, S1"},
        "pica_from": {"5": "S0"},
        "pica_until": {"15": "S1", "20": "S0", "25": "S0, UTN"},
        "pica_cap": {"6": "S0"},
        "pica_resto_cap": {"none": "S0"},
        "pica_add": {"end": "S1"},
        "duels": {"3": "S0", "2": "S1"},
        "players": {"6": "S0, S1", "4": "S1"},
    },
    "uruguayan": _URUGUAYAN,
    "uruguayan_six": _URUGUAYAN_SIX,
    "valencian": {
        "target": {"18": "SLV"},
        "buenas": {"auto": "SLV"},
        "half_inclusive": {},
        "falta": {"malas_match": "VPU"},
        "envido_refused": {"previous_sum": "VPU"},
        "falta_floor": {},
        "fold_first": {},
        "tied": {"mano": "VPU, FJD"},
        "best_of": {"3": "SLV"},
        "finish": {},
    },
    "venezuelan": {
        "target": {"12": "VE2", "24": "VEP 7"},
        "buenas": {"auto": "VEP 7"},
        "half_inclusive": {},
        "falta": {"leader_to_target": "VEP 12"},
        "envido_refused": {"previous_sum": "VEP 11-12"},
        "players": {"2": "VEP", "4": "VEP"},
        "falta_floor": {"false": "VEP 12", "true": "GIA"},
        "flor_vs_flor": {"own": "VEP 53"},
        "flor_value": {"3": "VEP 52"},
        "flor_over_refused": {"closed": "VEP 51", "annuls": "GIA"},
        "cantando": {"true": "VEP 83-89, VE3"},
        "fold_first": {"2": "VEP p. 17"},
        "tied": {"mano": "VEP p. 17"},
        "best_of": {"3": "VEP 7"},
        "finish": {"immediate": "VEP 20, VEP 40"},
    },
}


def option_values(variant: Variant, option: Option) -> tuple[OptionValue, ...]:
    """Every value of ``option`` with its sources; for a number, the documented ones."""
    table = _VARIANT_CITATIONS.get(variant.id, {}).get(
        option.key, _GENERAL_CITATIONS.get(option.key, {})
    )
    values: list[Value] = list(option.choices)
    if not values:
        values = sorted({int(each) for each in table} | {int(option.default)})
    ladders = dict(variant.ladders)
    return tuple(
        OptionValue(
            each,
            tuple(code for code in table.get(value_text(each), "").split(", ") if code),
            # The calls of the ladder of this name, and their points.
            " · ".join(
                f"{variant.word(rung.action)} {rung.value}" for rung in ladders.get(str(each), ())
            ),
        )
        for each in values
    )


def source_texts(variant: Variant, option: Option) -> dict[Value, str]:
    """The first source of each documented value, "S1 +2" if there are two others."""
    documented = (each for each in option_values(variant, option) if each.sources)
    return {
        each.value: f"{each.sources[0]} +{len(each.sources) - 1}".removesuffix(" +0")
        for each in documented
    }


def cited_sources(choices: tuple[OptionValue, ...]) -> tuple[RuleSource, ...]:
    """The cited books, in the order of their codes."""
    cited = {source.split()[0] for choice in choices for source in choice.sources}
    return tuple(book for book in RULE_SOURCES if book.code in cited)
