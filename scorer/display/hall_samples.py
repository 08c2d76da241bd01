"""Sample views of a match and of the hall, for preview and golden images."""

from __future__ import annotations

from scorer.session.values.keys import PlainKey, SetupKey
from scorer.session.values.shown import HallState, HallView, Screen
from scorer.session.view.view import MatchPhase, MatchView, SetupItem, SetupView, SideView, View

_QR = "HTTPS://192.168.1.34:8443/Q/QF1K2Z-H-10E-A-1.0-U.9-5F3A9C01D2E4"
_NAMES = ("Los Pibes del Fondo", "La Yunta")


def hall_views(screen: View) -> dict[str, View]:
    """Offer, end and page of the hall; ``screen`` is one of the playing game."""
    sides = tuple(side._replace(name=name) for side, name in zip(screen.sides, _NAMES, strict=True))
    shown = screen._replace(sides=sides)
    fresh = tuple(SideView(side.name, side.key, 0, 0) for side in sides)
    match = MatchView("Z2-R1-M3", MatchPhase.OFFERED, variant="Truco argentino")
    offer = shown._replace(screen=Screen.MATCH_OFFER, sides=fresh, match=match)
    rules = match._replace(options=(("flor", "con"), ("falta", "match")))
    online = HallView(HallState.ONLINE, "Copa del club", 7, 1304)
    return {
        "offer": offer,
        "offer-series": offer._replace(match=rules, best_of=3),
        "offer-legs": offer._replace(match=match._replace(leg=1, legs=2)),
        "offer-tolerance": offer._replace(match=match._replace(tolerance_left=12)),
        "offer-series-over": offer._replace(match=rules._replace(tolerance_left=0), best_of=3),
        **_pages(shown, online),
        **_results(shown, match),
    }


def _pages(shown: View, online: HallView) -> dict[str, View]:
    pages = {
        "hall": online,
        "hall-calling": online._replace(is_calling=True),
        "hall-offline": online._replace(state=HallState.OFFLINE),
        "hall-qr": online._replace(state=HallState.OFFLINE, table=12, qr=_QR),
        "hall-held": online._replace(state=HallState.HELD),
        "hall-time": online,
        "hall-began": online,
        "hall-age": online,
        "hall-tolerance": online,
        "hall-refused": online._replace(state=HallState.REFUSED, table=0),
    }
    views = {name: shown._replace(screen=Screen.HALL, hall=hall) for name, hall in pages.items()}
    timed = _timed(23)
    any_time = timed._replace(minutes_left=None, span="20:14")
    waiting = timed._replace(phase=MatchPhase.OFFERED, tolerance_left=12)
    views["hall-time"] = views["hall-time"]._replace(match=timed)
    views["hall-began"] = views["hall-began"]._replace(match=any_time)
    aged = any_time._replace(span="", minutes_played=35)
    views["hall-age"] = views["hall-age"]._replace(match=aged)
    views["hall-tolerance"] = views["hall-tolerance"]._replace(match=waiting)
    unsent = {name: views[name]._replace(marks=("unsent",)) for name in ("hall-offline", "hall-qr")}
    return {**views, **unsent}


def _timed(minutes: int) -> MatchView:
    """A match with a limit of time."""
    match = MatchView("Z2-R1-M3", MatchPhase.PLAYING, variant="Truco argentino")
    return match._replace(minutes_left=minutes, span="20:14-21:44")


def _results(shown: View, match: MatchView) -> dict[str, View]:
    def over(phase: MatchPhase, agreed: tuple[int, ...] = ()) -> View:
        sides = (shown.sides[0]._replace(score=30, spoken=15), shown.sides[1])
        ended = match._replace(phase=phase, agreed=agreed, is_result=True)
        return shown._replace(
            screen=Screen.MATCH_OVER, sides=sides, winner=0, match=ended, confirmed=agreed
        )

    playing = shown._replace(screen=Screen.PLAYING)
    late = _timed(0)._replace(cap_start=10, has_next_game=True)
    won = shown._replace(
        screen=Screen.GAME_OVER,
        sides=(shown.sides[0]._replace(score=30, spoken=15, games=1), shown.sides[1]),
        winner=0,
        best_of=3,
        match=late,
    )
    leg = over(MatchPhase.ENDED)
    assert leg.match is not None
    leg = leg._replace(match=leg.match._replace(leg=2, legs=2))
    return {
        "match_over-ended": over(MatchPhase.ENDED),
        "match_over-agreed-one": over(MatchPhase.ENDED, (0,)),
        "match_over-agreed": over(MatchPhase.AGREED, (0, 1)),
        "match_over-unsent": over(MatchPhase.AGREED, (0, 1))._replace(marks=("unsent",)),
        "match_over-contested": over(MatchPhase.CONTESTED, (0,)),
        "playing-unsent": playing._replace(marks=("unsent",)),
        "playing-time": playing._replace(match=_timed(23)),
        "playing-time-short": playing._replace(match=_timed(4)),
        "playing-time-over": playing._replace(match=_timed(0)),
        "playing-time-start": playing._replace(match=late),
        "playing-time-goes-on": playing._replace(match=late._replace(has_next_game=False)),
        "game_over-time-start": won,
        "match_over-leg": leg,
        "match_over-leg-time": leg._replace(ended="time", sides=shown.sides),
        "playing-match-waiting": playing._replace(marks=("match_waiting", "unsent")),
    }


def setup_views() -> dict[str, SetupView]:
    """The levels of set-up > hall."""
    found = (
        SetupItem(PlainKey.HALL_FOUND, text="Copa del club"),
        SetupItem(PlainKey.HALL_FOUND, text="Liga"),
    )
    wishes = (
        SetupItem(SetupKey.CALL_DIRECTOR),
        SetupItem(SetupKey.WRONG_TABLE),
        SetupItem(SetupKey.LEAVE_HALL),
    )
    return {
        "setup-hall": SetupView(SetupKey.HALL, found),
        "setup-hall-none": SetupView(SetupKey.HALL, (SetupItem(SetupKey.HALL_NONE),)),
        "setup-hall-member": SetupView(SetupKey.HALL, wishes, 1),
        "setup-hall-wait": SetupView(SetupKey.HALL_JOIN, hall="Copa del club"),
        "setup-hall-digits": SetupView(SetupKey.HALL_JOIN, code="408153", hall="Copa del club"),
    }
