"""What a table shows people: its title, what is shouted, and what may be chosen, in which order.

The calls are the words as each region says them, the choices and defaults are those of
rules.md#options. Menus and rule cards are made from the tables in the order found here.
"""

from __future__ import annotations

import pytest

from scorer.rules import Action, RulesError, find_variant, rules_for, variant_ids
from scorer.rules.options import value_text
from scorer.rules.variant import Bid

TITLES = {
    "argentine": "Truco argentino",
    "argentine_flor": "Truco argentino con flor",
    "pica_pica": "Pica-pica",
    "pata_gallo": "Pata de gallo",
    "destantado": "Destantado",
    "uruguayan": "Truco uruguayo",
    "venezuelan": "Truco venezolano",
    "valencian": "Truc valencià",
    "gaucho": "Truco gaúcho",
    "paulista": "Truco paulista",
    "mineiro": "Truco mineiro",
    "br_general": "Truco (regra geral)",
}

# --- what is shouted -----------------------------------------------------------------------------

SPANISH = (
    "truco: truco, retruco: retruco, vale_cuatro: vale cuatro, envido: envido, "
    "real_envido: real envido, falta_envido: falta envido, flor: flor, contraflor: contraflor, "
    "contraflor_resto: contraflor al resto, quiero: quiero, no_quiero: no quiero, "
    "me_achico: me achico, no_flor: no tengo flor, fold: al mazo"
)
BRAZILIAN = (
    "truco: truco, seis: seis, nove: nove, dez: dez, doze: doze, vale_juego: vale a partida, "
    "quiero: desce, no_quiero: corro, fold: correr, mao_play: jogo, mao_run: corro"
)
WORDS = {
    **dict.fromkeys(("argentine", "argentine_flor", "pica_pica", "pata_gallo"), SPANISH),
    **dict.fromkeys(("paulista", "mineiro", "br_general"), BRAZILIAN),
    "destantado": SPANISH.replace("truco: truco", "truco: rabón", 1),
    "uruguayan": f"{SPANISH}, envido_mas: más, con_flor_envido: con flor envido",
    "venezuelan": (
        "truco: truco, retruco: retruco, vale_nueve: vale nueve, vale_juego: vale juego, "
        "envido: envido, envido_mas: piedras más, envido_igualar: envido hasta igualar, "
        "falta_envido: la falta, flor: flor, flor_envida: mi flor envida, "
        "flor_envida_mas: piedras más, quiero: quiero, no_quiero: no quiero, "
        "me_achico: la mía es chica, no_flor: sin ley, privo: privo y truco, "
        "no_privo: no privo, fold: al mazo"
    ),
    "valencian": (
        "truc: truc, retruc: retruc, quatre_val: quatre val, joc_fora: joc fora, envit: envit, "
        "torne: torne, falta: la falta, quiero: vull, no_quiero: no vull, fold: me'n vaig"
    ),
    "gaucho": (
        "truco: truco, retruco: retruco, vale_cuatro: vale quatro, envido: envido, "
        "real_envido: real envido, falta_envido: falta envido, flor: flor, "
        "contraflor: contra-flor, contraflor_resto: contra-flor e o resto, quiero: quero, "
        "no_quiero: não quero, me_achico: me achico, no_flor: não tenho flor, fold: ao baralho"
    ),
}


def test_every_truco_has_its_name() -> None:
    assert {name: find_variant(name).title for name in variant_ids()} == TITLES


@pytest.mark.parametrize("name", variant_ids())
def test_every_word_is_shouted_as_in_its_region(name: str) -> None:
    pairs = (pair.split(": ") for pair in WORDS[name].split(", "))
    wanted = {Action(action): word for action, word in pairs}
    variant = find_variant(name)
    assert {action: variant.word(action) for action, _ in variant.words} == wanted


def test_a_word_that_nobody_wrote_down_is_its_own_name() -> None:
    assert find_variant("argentine").word(Action.HAND_WON) == "hand won"


# --- what may be chosen --------------------------------------------------------------------------

FALTA = (
    "malas_match / leader_to_target / loser_to_target / leader_half / loser_half / winner_half / "
    "match / fixed"
)
RESTO = "leader_to_target / match / leader_plus_flor / leader_plus_contraflor"
CHOICES = {
    "buenas": "auto / true / false",
    "half_inclusive": "malas / buenas",
    "falta": FALTA,
    "envido_refused": "previous_sum / plus_one",
    "real_envido_again": "false / true",
    "free_envido": "false / true",
    "flor": "false / true",
    "flor_vs_flor": "own / per_flor / four / six",
    "me_achico": "3 / 4",
    "contraflor_refused": "3 / 4",
    "resto": RESTO,
    "resto_refused_direct": "3 / 4",
    "resto_refused_after_contra": "6 / 3",
    "fold_first": "2 / 1",
    "tied": "mano / none",
    "finish": "immediate / end_of_hand",
    "mao_truco": "lose_hand / forbidden / lose_match",
    "no_useless_raise": "false / true",
    "match_rung": "false / true",
    "mineiro_ladder": "2-4-6-10-12 / 2-4-8-10-12 / 2-4-6-9-12",
    "pica_cap": "6 / none",
    "pica_add": "end / live",
    "duels": "3 / 2",
    "gallo_fijo": "false / true",
    "destantado_plain_hand": "pot / rivals",
    "cantando": "true / false",
}
# Where a truco offers something else, or the same in another order.
CHOICES_OF = {
    ("gaucho", "flor_vs_flor"): "per_flor / own / four / six",
    ("uruguayan", "resto"): "match / leader_to_target / leader_plus_flor / leader_plus_contraflor",
    ("pata_gallo", "falta"): "leader_to_target / match / fixed",
}
NUMBERS = {"target": (1, 99), "best_of": (1, 99), "pica_from": (0, 99), "pica_until": (0, 99)}

HALVES = "buenas=auto half_inclusive=malas"
FLOR = (
    "flor_vs_flor=own me_achico=3 contraflor_refused=3 resto=leader_to_target "
    "resto_refused_direct=3 resto_refused_after_contra=6"
)
REFUSED = "envido_refused=previous_sum"
AGAIN = f"{REFUSED} real_envido_again=false"
END = "best_of=1 finish=immediate"
MENUS = {
    "argentine": f"target=30 {HALVES} falta=malas_match {AGAIN} fold_first=2 tied=mano {END}",
    "argentine_flor": (
        f"target=30 {HALVES} falta=malas_match {AGAIN} {FLOR} fold_first=2 tied=mano {END}"
    ),
    "pica_pica": (
        f"target=30 {HALVES} falta=malas_match {AGAIN} flor=false {FLOR} pica_from=5 "
        f"pica_until=20 pica_cap=6 pica_add=end duels=3 fold_first=2 tied=mano {END}"
    ),
    "pata_gallo": (
        f"target=30 {HALVES} falta=leader_to_target {AGAIN} flor=false {FLOR} gallo_fijo=false "
        f"fold_first=2 tied=mano {END}"
    ),
    "destantado": "target=10 destantado_plain_hand=pot best_of=1",
    "uruguayan": (
        f"target=40 {HALVES} falta=leader_to_target {AGAIN} free_envido=false flor_vs_flor=own "
        f"resto=match fold_first=1 tied=mano {END}"
    ),
    "venezuelan": (
        f"target=24 {HALVES} falta=leader_to_target {REFUSED} flor_vs_flor=own cantando=true "
        f"fold_first=2 tied=mano {END}"
    ),
    "valencian": f"target=18 {HALVES} falta=malas_match {REFUSED} fold_first=1 tied=mano {END}",
    "gaucho": (
        f"target=24 {HALVES} falta=loser_to_target {AGAIN} flor_vs_flor=per_flor "
        "contraflor_refused=3 resto=leader_to_target resto_refused_after_contra=6 "
        f"fold_first=1 tied=none {END}"
    ),
    "paulista": (
        f"target=12 mao_truco=lose_hand no_useless_raise=false match_rung=false tied=none {END}"
    ),
    "mineiro": (
        "target=12 mineiro_ladder=2-4-6-10-12 mao_truco=lose_hand no_useless_raise=false "
        f"tied=none {END}"
    ),
    "br_general": f"target=12 mao_truco=forbidden no_useless_raise=false tied=none {END}",
}


@pytest.mark.parametrize("name", variant_ids())
def test_the_menu_has_these_options_in_this_order_at_these_defaults(name: str) -> None:
    options = find_variant(name).options
    assert " ".join(f"{each.key}={value_text(each.default)}" for each in options) == MENUS[name]


@pytest.mark.parametrize("name", variant_ids())
def test_every_option_offers_these_values_in_this_order(name: str) -> None:
    for option in find_variant(name).options:
        if option.key in NUMBERS:
            assert not option.choices, "any number"
            continue
        wanted = CHOICES_OF.get((name, option.key), CHOICES[option.key])
        assert " / ".join(map(value_text, option.choices)) == wanted, option.key
        assert option.default in option.choices


@pytest.mark.parametrize(("key", "bounds"), NUMBERS.items())
def test_a_number_goes_from_its_least_to_its_most(key: str, bounds: tuple[int, int]) -> None:
    """A target is any from 1 to 99: rules.md#targets."""
    least, most = bounds
    for variant in map(find_variant, variant_ids()):
        option = variant.option(key)
        if option is None:
            continue
        assert (option.low, option.high) == bounds
        for value in (least, most):
            assert rules_for(variant, {key: value}) is not None
        for value in (least - 1, most + 1):
            with pytest.raises(RulesError):
                rules_for(variant, {key: value})


# rules.md#defaults and the articles of the variants: how many sit down, and with which cards.
SITTING = {
    "br_general": ((4,), "french_vira"),
    "mineiro": ((2, 4), "french_fixed"),
    "paulista": ((2, 4), "french_vira"),
    "valencian": ((2, 4), "spanish"),
    "venezuelan": ((2, 4), "spanish_vira"),
    "uruguayan": ((2, 4, 6), "spanish_muestra"),
    "pica_pica": ((6,), "spanish"),
    "pata_gallo": ((3,), "spanish"),
    "destantado": ((3,), "spanish"),
    **dict.fromkeys(("argentine", "argentine_flor", "gaucho"), ((2, 4, 6), "spanish")),
}


def test_every_truco_says_how_many_play_and_with_which_cards() -> None:
    told = {name: (find_variant(name).players, find_variant(name).deck) for name in variant_ids()}
    assert told == SITTING


# --- what is bet ---------------------------------------------------------------------------------

# A call, what it adds (0: the falta, -1: a number that is named, -2: up to the rival's score) and
# how often; "opens" and "raises" say where it may stand: rules.md#envido, #valencian, #venezuelan.
ARGENTINE_BIDS = (
    "envido 2 x2 opens raises, real_envido 3 x1 opens raises, falta_envido 0 x1 opens raises"
)
SPANISH_TRUCOS = (
    "argentine", "argentine_flor", "destantado", "gaucho", "pata_gallo", "pica_pica", "uruguayan",
)  # fmt: skip
BIDS = {
    **dict.fromkeys(SPANISH_TRUCOS, ARGENTINE_BIDS),
    **dict.fromkeys(("br_general", "mineiro", "paulista"), ""),
    "valencian": "envit 2 x1 opens raises, torne 2 x1 raises, falta 0 x1 opens raises",
    "venezuelan": (
        "envido 2 x2 opens raises, envido_igualar -2 x1 opens, envido_mas -1 x99 raises, "
        "falta_envido 0 x1 opens raises"
    ),
}
# rules.md#defaults: -1 is the game, -2 the whole series.
RUNGS = {
    **dict.fromkeys(SPANISH_TRUCOS, "truco: truco 2, retruco 3, vale_cuatro 4"),
    "br_general": "truco: truco 3, seis 6, nove 9, doze 12",
    "paulista": "truco: truco 3, seis 6, nove 9, doze 12, vale_juego -2",
    "mineiro": (
        "2-4-6-10-12: truco 4, seis 6, dez 10, doze 12; "
        "2-4-8-10-12: truco 4, seis 8, nove 10, doze 12; "
        "2-4-6-9-12: truco 4, seis 6, nove 9, doze 12"
    ),
    "valencian": "truc: truc 2, retruc 3, quatre_val 4, joc_fora -1",
    "venezuelan": "truco: truco 3, retruco 6, vale_nueve 9, vale_juego -1",
}
KINDS = {
    "argentine": "teams, no flor",
    "argentine_flor": "teams, fixed flor",
    "br_general": "teams, no flor",
    "destantado": "alone, no flor",
    "gaucho": "teams, doubling flor",
    "mineiro": "teams, no flor",
    "pata_gallo": "gallo, fixed flor",
    "paulista": "teams, no flor",
    "pica_pica": "duels, fixed flor",
    "uruguayan": "teams, with_envido flor",
    "valencian": "teams, no flor",
    "venezuelan": "teams, open flor, open bids, compared late",
}


def _bid(bid: Bid) -> str:
    places = [" opens"] * bid.opens + [" raises"] * bid.raises
    return f"{bid.action} {bid.adds} x{bid.times}{''.join(places)}"


@pytest.mark.parametrize("name", variant_ids())
def test_the_envido_of_every_truco_has_these_calls(name: str) -> None:
    assert ", ".join(map(_bid, find_variant(name).envido)) == BIDS[name]


@pytest.mark.parametrize("name", variant_ids())
def test_the_ladder_of_every_truco_has_these_rungs(name: str) -> None:
    ladders = (
        f"{key}: " + ", ".join(f"{rung.action} {rung.value}" for rung in rungs)
        for key, rungs in find_variant(name).ladders
    )
    assert "; ".join(ladders) == RUNGS[name]


@pytest.mark.parametrize("name", variant_ids())
def test_every_truco_is_of_its_kind(name: str) -> None:
    variant = find_variant(name)
    kinds = [str(variant.seats), f"{variant.flor or 'no'} flor"]
    kinds += ["open bids"] * variant.open_bids + [
        "compared late"
    ] * variant.bets_settled_at_showdown
    assert ", ".join(kinds) == KINDS[name]
