"""The samples: score sheets, each with the presses that lead to its screen.

The name of a sample begins with the name of its screen. ``A``, ``B`` and ``C`` are consoles, the
tags are those of a score sheet, and the state is what a table learns from elsewhere than buttons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from scorer.phrases.usual_names import usual_names
from scorer.samples.evening import played_evening
from scorer.samples.table import BEGIN, Sample
from scorer.session.values.box_settings import BoxSettings, PairedPhone
from scorer.session.values.hall import Assignment, MatchTime
from scorer.session.values.night_view import NightView
from scorer.session.values.settings import LAMPS, LightSection, Settings, TableSection, Tally
from scorer.session.values.shown import HallState, HallView, LinkState, LinkView, NearbyHall

_WIN: Final = "A truco, B quiero, A tantos"  # two points for A, of a truco
_HANDS: Final = f"A envido, B quiero, A tantos, wait 9, B tantos, wait 9, {_WIN}, wait 9"
_RETRUCO: Final = "A truco, B truco, A quiero"
_TEAMS: Final = {"NameA": "Los Pibes del Fondo", "NameB": "La Yunta"}
_MATCH: Final = {**_TEAMS, "Match": "Z2-R1-M3"}
_GALLO: Final = {"NameA": "Ana", "NameB": "Beto", "NameC": "Caro", "Options": "gallo=B"}
_REACHABLE: Final = LinkView(LinkState.ONLINE, "http://192.168.1.7:8080/")
_ONLINE: Final = HallView(HallState.ONLINE, "Copa del club", 7, 1304)
_BEGAN: Final = BEGIN - 35 * 60  # seconds: a match that began 35 minutes ago
_NO_TAGS: Final[Mapping[str, str]] = {}
_QR: Final = "HTTPS://192.168.1.34:8443/Q/QF1K2Z-H-10E-A-1.0-U.9-5F3A9C01D2E4"


def sheets() -> dict[str, Sample]:
    """All samples by name, in the order of the preview."""
    return {
        **_playing(),
        **_pending(),
        **_results(),
        **_questions(),
        **_pages(),
        **_setup(),
        **_hall_setup(),
        **dict(_hall_pages()),
        **_offers(),
        **_matches(),
        **_three_sides(),
        **_venezuela(),
        **_uruguay(),
    }


def _tallied(tally: Tally, target: int, score: str, presses: str = "") -> Sample:
    """A game to ``target`` on a box with this tally."""
    settings = Settings(light=LightSection(tally=tally))
    tags = {"Options": f"target={target}"}
    return Sample("argentine", score, presses, tags=tags, settings=settings)


def _playing() -> dict[str, Sample]:
    large = Settings(light=LightSection(large_digits=True))
    truco = ("A=21 B=8 mano=B", "B truco, A quiero, wait 4")
    return {
        "playing": Sample("argentine", *truco),
        "playing-start": Sample("argentine", "A=0 B=0"),
        "playing-fours": _tallied(Tally.FOURS, 24, "A=15 B=8"),
        "playing-threes": _tallied(Tally.THREES, 18, "A=13 B=8"),
        "playing-late": Sample(
            "argentine",
            "A=29 B=24",
            "A truco, B truco, A truco, B quiero, wait 4",
            tags={"Games": "A=1 B=1", "Options": "best_of=3"},
        ),
        "playing-names": Sample(
            "argentine",
            "A=14 B=28",
            f"{_RETRUCO}, wait 4",
            tags={"NameA": "Los Pibes del Fondo", "NameB": "Ñandú"},
            marks=("stuck B.quiero",),
        ),
        "playing-paulista": Sample("paulista", "A=10 B=9 mano=B"),
        "playing-digits": Sample("argentine", *truco, settings=large),
        "playing-digits-mao": Sample(
            "paulista", "A=11 B=8 mano=A", "A quiero, wait 4", settings=large
        ),
        "playing-mao": Sample("paulista", "A=11 B=8 mano=A", "A quiero, wait 4"),
        "playing-iron": Sample("paulista", "A=11 B=11 mano=A"),
        "playing-gain": Sample("argentine", "A=21 B=7 mano=B", "B envido, A no_quiero"),
        "playing-refused": Sample("argentine", truco[0], f"{truco[1]}, B truco"),
        "playing-undone": Sample("argentine", "A=21 B=8 mano=B", "B truco, undo"),
        "playing-duel": Sample(
            "pica_pica", "A=8 B=8 mano=B", f"{_WIN}, wait 9", tags={"Options": "hand_kind=pica"}
        ),
    }


def _pending() -> dict[str, Sample]:
    return {
        "pending": Sample("argentine", "A=12 B=9 mano=B", "A truco"),
        "pending-falta": Sample(
            "argentine", "A=24 B=27 mano=B", "A truco, B envido hold, B no_quiero, B quiero"
        ),
        "pending-duel": Sample(
            "pica_pica",
            "A=8 B=8 mano=B",
            f"{_WIN}, wait 9, A envido",
            tags={"Options": "hand_kind=pica"},
        ),
        "pending-flor": Sample("argentine_flor", "A=12 B=9 mano=A", "B truco, A flor"),
        # Pressed half a second later, so that the called rung is drawn lit and dark.
        "pending-paulista": Sample("paulista", "A=9 B=8 mano=A", "A truco, B truco, wait 1.6"),
        "pending-undone": Sample("argentine", "A=12 B=9 mano=B", "A truco, B quiero, undo"),
        "pending-refused": Sample("argentine", "A=12 B=9 mano=B", "both truco"),
    }


def _results() -> dict[str, Sample]:
    rematch = Settings(table=TableSection(rematch=True))
    b_wins = "B truco, A quiero, B tantos, wait 5"
    return {
        "hand_over": Sample("argentine", "A=12 B=8 mano=B", "B truco, A truco, B no_quiero"),
        "hand_over-both": Sample(
            "argentine",
            "A=14 B=9 mano=B",
            f"B envido, A quiero, B tantos, wait 9, {_RETRUCO}, A tantos",
        ),
        "hand_over-mao": Sample("paulista", "A=8 B=9 mano=B", f"{_WIN}, wait 4"),
        "hand_over-iron": Sample("paulista", "A=11 B=10 mano=B", "A no_quiero, wait 4"),
        "game_over": Sample(
            "argentine", "A=28 B=22", f"{_WIN}, wait 5", tags={"Options": "best_of=3"}
        ),
        "match_over": Sample("paulista", "A=9 B=9", f"{b_wins}, wait 4, B quiero, wait 3"),
        "match_over-rematch": Sample("argentine", "A=28 B=22", f"{_WIN}, wait 5", settings=rematch),
        "match_over-decider": Sample(
            "argentine", "A=24 B=28", b_wins, settings=rematch, tags={"Rematches": "A=1 B=0"}
        ),
        "match_over-series": Sample(
            "argentine", "A=24 B=28", b_wins, settings=rematch, tags={"Rematches": "A=1 B=1"}
        ),
    }


def _questions() -> dict[str, Sample]:
    hand = f"{_WIN}, wait 9"
    return {
        "winner": Sample("argentine", "A=12 B=9 mano=B", "B envido hold, B quiero, A quiero"),
        "question": Sample("argentine", "A=12 B=9 mano=B", "A no_quiero hold"),
        "question-day": Sample("argentine", "A=12 B=9", "A tantos, wait 30000"),
        "question-undo": Sample("argentine", "A=6 B=9", f"{hand}, B tantos, wait 9, undo, undo"),
        "mao": Sample("paulista", "A=11 B=8 mano=B"),
    }


def _pages() -> dict[str, Sample]:
    night = played_evening()
    here = LinkView(LinkState.ONLINE, "http://192.168.1.7:8080/", "truco.local", "Bar El Ombú", 3)
    links = {
        "": here,
        "-own": LinkView(
            LinkState.ONLINE, "http://10.42.0.1:8080/", "truco.local", "Truco-7F3A", 0, "kx7m2p9dae"
        ),
        "-cable": LinkView(
            LinkState.ONLINE, "http://192.168.100.134:8080/", "raspberrypi.local", "", 1
        ),
        "-waiting": LinkView(LinkState.WAITING, wifi="Bar El Ombú"),
        "-password": LinkView(LinkState.PASSWORD, wifi="Bar El Ombú"),
        "-local": LinkView(LinkState.LOCAL),
        "-off": LinkView(),
    }
    score = "A=21 B=8"
    return {
        "tally": Sample("argentine", score, "to tally"),
        "tally-paulista": Sample("paulista", "A=7 B=10", "to tally"),
        "tally-fours": _tallied(Tally.FOURS, 24, "A=15 B=8", "to tally"),
        "tally-threes": _tallied(Tally.THREES, 18, "A=13 B=8", "to tally"),
        "ladder": Sample("argentine", score, "A truco, B quiero, wait 4, to ladder"),
        "ladder-paulista": Sample("paulista", "A=7 B=10", f"{_RETRUCO}, wait 4, to ladder"),
        "history": Sample("argentine", "A=10 B=7", f"{_HANDS}, to history"),
        "status": Sample("argentine", score, "to status"),
        "status-marks": Sample("argentine", score, "to status", marks=("power", "stuck A.truco")),
        "night": Sample("argentine", score, "to night", night=night),
        "pairs": Sample("argentine", score, "to pairs", night=night),
        "night-none": Sample("argentine", score, "to night", night=NightView()),
        **{
            f"connection{kind}": Sample("argentine", score, "to connection", link=link)
            for kind, link in links.items()
        },
    }


def _setup() -> dict[str, Sample]:
    won = "A truco, B quiero, A tantos, wait 9, menu hold"
    hands = f"{won.removesuffix(', menu hold')}, B envido, A quiero, A tantos, B truco, A no_quiero"
    hands += ", wait 9, A tantos, wait 9, menu hold, B tantos"
    phones = BoxSettings(
        phones=(
            PairedPhone("1", "Ana", 0),
            PairedPhone("2", "Beto de la mesa del fondo", 5 * 30),
        )
    )
    link = _REACHABLE
    named = {"NameA": "Los Pibes", "NameB": "La Yunta"}
    usual = usual_names("es-AR", LAMPS)._asdict()
    spelled = "menu hold, to names, A quiero, A quiero, to letters, A quiero"
    back = f"{_HANDS}, menu hold, to back, A quiero, B tantos"
    claim = "A tantos, wait 9, menu hold, to fouls, A quiero"
    return {
        "setup": Sample("argentine", "A=10 B=9", f"{won}, A no_quiero"),
        "setup-hands": Sample("argentine", "A=18 B=17", f"{hands}, A tantos"),
        "setup-hands-agreed": Sample("argentine", "A=18 B=17", f"{hands}, A quiero"),
        "setup-target": Sample("argentine", "A=10 B=9", f"{won}, to option.target, A quiero"),
        "setup-back": Sample("argentine", "A=10 B=7", back),
        "setup-back-agreed": Sample("argentine", "A=10 B=7", f"{back}, A quiero"),
        "setup-correct": Sample(
            "argentine", "A=12 B=9", "menu hold, to correct, A quiero, A quiero"
        ),
        "setup-fouls": Sample("argentine", "A=12 B=9", f"A envido, B quiero, {claim}"),
        "setup-award": Sample(
            "argentine",
            "A=12 B=9",
            f"{claim}, to award, A quiero, B tantos, A quiero, A tantos, A tantos",
        ),
        "setup-late": Sample(
            "argentine", "A=12 B=9", f"{claim}, to late_envido, A quiero, A quiero"
        ),
        "setup-surrender": Sample(
            "argentine", "A=12 B=9", "menu hold, to end, A quiero, A quiero, A quiero"
        ),
        "setup-new-game": Sample(
            "argentine", "A=12 B=9", "menu hold, to new_game, A quiero, to mano", tags=named
        ),
        "setup-house": Sample(
            "argentine", "A=12 B=9", "menu hold, to house, A quiero, to option.falta"
        ),
        "setup-number": Sample(
            "argentine",
            "A=12 B=9",
            "menu hold, to house, A quiero, to option.target, A quiero, A tantos",
        ),
        "setup-dim": Sample(
            "argentine", "A=12 B=9", "menu hold, to light, A quiero, to dim, A quiero"
        ),
        "setup-first": Sample(
            "argentine",
            "A=0 B=0",
            "first run, B tantos",
            box=BoxSettings(languages=("es-AR", "pt-BR", "ca")),
        ),
        "setup-found": Sample("argentine", "A=12 B=9", "menu hold, to selftest, A quiero"),
        "setup-names": Sample(
            "argentine",
            "A=12 B=9",
            "menu hold, to names, A quiero, B tantos, B tantos, B tantos",
            box=BoxSettings(known_pairs=(tuple(named.values()),), **usual),
        ),
        "setup-naming": Sample(
            "argentine",
            "A=12 B=9",
            "menu hold, to names, A quiero, A quiero, A tantos, A tantos",
            box=BoxSettings(known_names=tuple(named.values()), **usual),
        ),
        "setup-letters": Sample("argentine", "A=12 B=9", f"{spelled}, {_spell('LA YU')}"),
        "setup-letters-done": Sample(
            "argentine", "A=12 B=9", f"{spelled}, {_spell('CAMPEÕES')}, to done"
        ),
        "setup-card": Sample(
            "argentine",
            "A=12 B=9",
            "menu hold, to card, A quiero, B tantos, B tantos",
            box=BoxSettings(card_lines=3),  # of a low panel
        ),
        "setup-phones": Sample(
            "argentine",
            "A=12 B=9",
            "menu hold, to phones, A quiero, B tantos, B tantos",
            box=phones,
        ),
        "setup-code": Sample(
            "argentine", "A=12 B=9", "menu hold, to phones, A quiero, A quiero", link=link
        ),
        "setup-code-alone": Sample(
            "argentine", "A=12 B=9", "menu hold, to phones, A quiero, A quiero"
        ),
    }


def _spell(text: str) -> str:
    """The presses that enter ``text`` letter by letter."""
    return ", ".join(f"to {letter.strip() or 'space'}, A quiero" for letter in text)


def _hall_setup() -> dict[str, Sample]:
    found = (NearbyHall("1", "Copa del club"), NearbyHall("2", "Liga"))
    alone = HallView(HallState.ALONE, halls=found)
    joining = HallView(HallState.JOINING, halls=found, digits="408153")
    opened = "menu hold, to hall, A quiero"
    hub = BoxSettings(has_hub=True)
    asked = f"{opened}, to desk_password, A quiero"
    made = f"{asked}, A quiero, B quiero"
    return {
        "setup-hall": Sample("argentine", "A=12 B=9", opened, hall=alone),
        "setup-hall-none": Sample("argentine", "A=12 B=9", opened, hall=alone._replace(halls=())),
        "setup-hall-member": Sample(
            "argentine",
            presses=f"A tantos, wait 9, {opened}, B tantos",
            hall=_ONLINE,
            assignments=(_assigned(),),
        ),
        "setup-hall-wait": Sample("argentine", "A=12 B=9", f"{opened}, A quiero", hall=alone),
        "setup-hall-digits": Sample("argentine", "A=12 B=9", f"{opened}, A quiero", hall=joining),
        "setup-hall-same": Sample(
            "argentine", "A=12 B=9", f"{opened}, A quiero, wait 3, A quiero", hall=joining
        ),
        "setup-desk": Sample("argentine", "A=12 B=9", asked, hall=_ONLINE, box=hub),
        "setup-desk-agreed": Sample(
            "argentine", "A=12 B=9", f"{asked}, A quiero", hall=_ONLINE, box=hub
        ),
        "setup-desk-password": Sample(
            "argentine", "A=12 B=9", made, hall=_ONLINE, box=hub, link=_REACHABLE
        ),
        "setup-desk-password-alone": Sample("argentine", "A=12 B=9", made, hall=_ONLINE, box=hub),
    }


def _assigned(
    start: str = "A=0 B=0", tags: Mapping[str, str] = _NO_TAGS, cap_start: int | None = None
) -> Assignment:
    """The match as the desk assigns it."""
    header = Sample("argentine", start, tags={**_MATCH, **tags}).header
    return Assignment(1, header.game(), tuple(header.names.values()), cap_start=cap_start)


def _hall_pages() -> Iterator[tuple[str, Sample]]:
    offline = _ONLINE._replace(state=HallState.OFFLINE)
    for kind, hall, marks in (
        ("", _ONLINE, ()),
        ("-calling", _ONLINE._replace(is_calling=True), ()),
        ("-offline", offline, ("unsent",)),
        ("-qr", offline._replace(table=12, qr=_QR), ("unsent",)),
        ("-held", _ONLINE._replace(state=HallState.HELD), ()),
        ("-refused", _ONLINE._replace(state=HallState.REFUSED, table=0), ()),
    ):
        yield f"hall{kind}", Sample("argentine", "A=21 B=8", "to hall", hall=hall, marks=marks)
    for kind, time in (
        ("-time", _match_time(23)),
        ("-began", MatchTime(_BEGAN, None, "20:14")),
        ("-age", MatchTime(_BEGAN)),
    ):
        yield (
            f"hall{kind}",
            _in_match("A=21 B=8", "A tantos, wait 9, to hall")._replace(match_time=time),
        )
    yield "hall-tolerance", _offer(12, presses="to hall")


def _match_time(minutes_left: int) -> MatchTime:
    """The time of a match of ninety minutes, for some seconds to come."""
    return MatchTime(_BEGAN, BEGIN + 60 * minutes_left, "20:14-21:44")


def _offer(
    tolerance_left: int | None = None, tags: Mapping[str, str] = _NO_TAGS, presses: str = ""
) -> Sample:
    """A table with an offered match; ``tolerance_left`` in minutes."""
    return Sample(
        "argentine",
        presses=presses,
        hall=_ONLINE,
        assignments=(_assigned(tags=tags),),
        offer_until=None if tolerance_left is None else BEGIN + 60 * tolerance_left,
    )


def _offers() -> dict[str, Sample]:
    series = {"Options": "best_of=3 falta=match"}
    return {
        "offer": _offer(),
        "offer-series": _offer(tags=series),
        "offer-legs": _offer(tags={"Leg": "1/2"}),
        "offer-tolerance": _offer(12),
        "offer-series-over": _offer(0, series),
    }


def _in_match(
    start: str,
    presses: str,
    tags: Mapping[str, str] = _NO_TAGS,
    *,
    marks: tuple[str, ...] = (),
    minutes_left: int | None = None,
    cap_start: int | None = None,
) -> Sample:
    """A table that plays the match."""
    return Sample(
        "argentine",
        start,
        presses,
        {**_MATCH, **tags},
        marks=marks,
        hall=_ONLINE,
        assignments=(_assigned(start, tags, cap_start),),
        match_time=None if minutes_left is None else _match_time(minutes_left),
    )


def _matches() -> dict[str, Sample]:
    over = f"{_WIN}, wait 5"
    agreed = f"{over}, A quiero, wait 4"
    paid = "A envido, B no_quiero, wait 9"
    by_time = "menu hold, to time, A quiero, A quiero, B quiero, wait 6"
    series = {"Options": "best_of=3"}
    return {
        "playing-unsent": _in_match("A=20 B=8", paid, marks=("unsent",)),
        "playing-time": _in_match("A=20 B=8", paid, minutes_left=23),
        "playing-time-short": _in_match("A=20 B=8", paid, minutes_left=4),
        "playing-time-over": _in_match("A=20 B=8", paid, minutes_left=0),
        "playing-time-goes-on": _in_match("A=20 B=8", paid, minutes_left=0, cap_start=10),
        "playing-time-start": _in_match(
            "A=20 B=8", paid, tags=series, minutes_left=0, cap_start=10
        ),
        "playing-match-waiting": Sample(
            "argentine", "A=20 B=8", paid, hall=_ONLINE, marks=("match_waiting", "unsent")
        ),
        "game_over-time-start": _in_match(
            "A=28 B=22", over, tags=series, minutes_left=0, cap_start=10
        ),
        "match_over-ended": _in_match("A=28 B=22", over),
        "match_over-agreed-one": _in_match("A=28 B=22", agreed),
        "match_over-agreed": _in_match("A=28 B=22", f"{agreed}, B quiero, wait 4"),
        "match_over-unsent": _in_match(
            "A=28 B=22", f"{agreed}, B quiero, wait 4", marks=("unsent",)
        ),
        "match_over-contested": _in_match("A=28 B=22", f"{agreed}, B no_quiero, wait 4"),
        "match_over-leg": _in_match("A=28 B=22", over, tags={"Leg": "2/2"}),
        "match_over-leg-time": _in_match("A=20 B=8", f"{paid}, {by_time}", tags={"Leg": "2/2"}),
    }


def _three_sides() -> dict[str, Sample]:
    large = Settings(light=LightSection(large_digits=True))
    scores, piles = "A=12 B=9 C=21", "A=6 B=12 C=9 mano=B"
    taken = f"{_WIN}, B quiero, wait 3, A tantos, wait 3"
    return {
        "playing-gallo": Sample("pata_gallo", scores, tags=_GALLO),
        "playing-gallo-digits": Sample("pata_gallo", scores, settings=large, tags=_GALLO),
        "pending-gallo": Sample("pata_gallo", scores, "A truco", tags=_GALLO),
        "hand_over-gallo": Sample(
            "pata_gallo", scores, "A truco, B quiero, B tantos, wait 4", tags=_GALLO
        ),
        "match_over-gallo": Sample(
            "pata_gallo", "A=28 B=9 C=26", "A truco, B quiero, B tantos, wait 5", tags=_GALLO
        ),
        "playing-piles": Sample("destantado", piles),
        "pending-piles": Sample("destantado", piles, "A truco"),
        "hand_over-piles": Sample("destantado", piles, taken),
        "match_over-piles": Sample("destantado", "A=2 B=12 C=9", f"{taken}, wait 4"),
    }


def _venezuela() -> dict[str, Sample]:
    return {
        "singing": Sample("venezuelan", "A=23 B=17"),
        # From 22 the truco of a privo cannot be refused.
        "singing-must-play": Sample("venezuelan", "A=23 B=22"),
        "pending-privo": Sample("venezuelan", "A=23 B=17", "B quiero"),
        "pending-privo-must-play": Sample("venezuelan", "A=23 B=22", "B quiero"),
        "pending-stones": Sample("venezuelan", "A=11 B=9", "B envido, A envido, B envido"),
        "hand_over-singing": Sample("venezuelan", "A=20 B=17", f"{_WIN}, wait 4"),
    }


def _uruguay() -> dict[str, Sample]:
    both = "A flor, wait 1, B flor, wait 1"
    bids, others = {"Options": "flor_bids=all"}, "B no_quiero, B no_quiero"
    return {
        "winner-flores": Sample("uruguayan", "A=11 B=9", both),
        "winner-flores-truco": Sample(
            "uruguayan", "A=11 B=9", f"{both}, A truco, B quiero, wait 4"
        ),
        "pending-truco-flores": Sample("uruguayan", "A=11 B=9", f"{both}, A truco"),
        "pending-flor-bet": Sample("uruguayan", "A=11 B=9", f"{both}, A truco, wait 1, B flor"),
        "pending-flor-falta": Sample(
            "uruguayan", "A=11 B=9", f"A flor, B flor hold, {others}, B quiero", tags=bids
        ),
        "setup-rulebooks": Sample(
            "uruguayan",
            "A=11 B=9",
            "menu hold, to house, A quiero, A quiero",
            tags={"Options": "best_of=3 free_envido=true flor_bids=all resto=leader_plus_flor"},
        ),
        "setup-rulebook-differs": Sample(
            "uruguayan",
            "A=11 B=9",
            "menu hold, to house, A quiero",
            tags={"Options": "target=30 best_of=3 free_envido=true flor_bids=all"},
        ),
        "question-flor-bids": Sample("uruguayan", "A=11 B=9", f"{both}, A flor hold", tags=bids),
    }
