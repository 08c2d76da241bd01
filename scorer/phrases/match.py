"""The match of a tournament, and the hall of the table, in words."""

from __future__ import annotations

import re

from scorer.i18n import Say
from scorer.phrases.names import name_wordings, refusing_press
from scorer.phrases.scene import Scene
from scorer.session.values.shown import HallState, HallView
from scorer.session.view.view import MatchPhase, MatchView

UNSENT = "unsent"  # calm marks: nothing is wrong
WAITING = "match_waiting"
SHORT_MINUTES = 5  # from here on the time of a match is in words
_OF_ZONE = re.compile(r"(?:.*-)?Z(\d+)-R(\d+)-M\d+")
_PHASE = re.compile(r".*-(?=[A-Z]+\d+-M\d+$)")


def match_name(say: Say, match_id: str) -> str:
    """The zone and round of a match, else its id without that of its phase."""
    if found := _OF_ZONE.fullmatch(match_id):
        return say("phrase.stage.zone", zone=found[1], round=found[2])
    return _PHASE.sub("", match_id)


def rules_wordings(scene: Scene, match: MatchView) -> tuple[str, ...]:
    """Variant, target, series or legs, and how many rules differ; then shorter."""
    terms = terms_wordings(scene, match)
    return (*(f"{match.variant} {each}" for each in terms[:1]), *terms)


def terms_wordings(scene: Scene, match: MatchView) -> tuple[str, ...]:
    """Target, series or legs, differing rules: "a 30 · mejor de 3 · +2 reglas"."""
    view = scene.view
    target = scene.say("match.target", points=view.target)
    series = ""
    if match.legs > 1:
        series = scene.say("match.leg", leg=match.leg, legs=match.legs)
    elif view.best_of > 1:
        series = scene.say("match.best_of", number=view.best_of)
    count = len(match.options)
    more = scene.say("match.options", number=count) if count > 1 else ""
    more = scene.say("match.options.one") if count == 1 else more
    parts = ((target, series, more), (target, series))
    return tuple(dict.fromkeys(" · ".join(filter(None, each)) for each in parts))


def accept_words(scene: Scene) -> str:
    """How the match is accepted: "QUIERO: jugar"."""
    return scene.say("match.accept", yes=scene.say("label.quiero"))


def result_wordings(scene: Scene, match: MatchView) -> tuple[str, ...]:
    """What the result of a match waits for, or what was said of it."""
    if match.phase is MatchPhase.CONTESTED:
        return (scene.say("match.contested"),)
    if match.phase is MatchPhase.AGREED:
        is_unsent = UNSENT in scene.view.marks
        return (scene.say("match.agreed.unsent" if is_unsent else "match.agreed"),)
    yes, no = scene.say("label.quiero"), refusing_press(scene)
    missing = [side for side in scene.order if side not in scene.view.confirmed]
    if match.agreed and missing:
        names = name_wordings(scene, missing[0], 40)
        return tuple(scene.say("game.wait", word=yes, side=name) for name in names)
    keys = ("match.ask", "match.ask.short", "match.ask.bare")
    return tuple(scene.say(key, yes=yes, no=no) for key in keys)


def table_words(scene: Scene, hall: HallView) -> str:
    """The number of the table, or "" if it is unknown."""
    return scene.say("hall.table", number=hall.table) if hall.table else ""


def connection_wordings(scene: Scene, hall: HallView) -> tuple[str, ...]:
    """The connection to the hall in a sentence, then shorter."""
    if hall.is_calling:
        return (scene.say("hall.calling"),)
    state = scene.say(f"hall.{hall.state}")
    is_away = hall.state in (HallState.OFFLINE, HallState.OFF)
    return (scene.say("hall.kept"), state) if is_away and UNSENT in scene.view.marks else (state,)


def time_wordings(scene: Scene) -> tuple[str, ...]:
    """The minutes that the match may still take; none without a cap."""
    match = scene.view.match
    minutes = None if match is None else match.minutes_left
    if match is None or minutes is None:
        return ()
    if minutes == 0:
        if match.cap_start is None:
            return (scene.say("match.time_over"),)
        return next_start_wordings(scene, match) or (scene.say("match.time_over.goes_on"),)
    key = "match.left.one" if minutes == 1 else "match.left"
    return (scene.say(key, minutes=minutes), f"{minutes}'")


def next_start_wordings(scene: Scene, match: MatchView) -> tuple[str, ...]:
    """Where the next game begins as the time is over; none if it begins as ever."""
    if match.cap_start is None or not match.has_next_game:
        return ()
    keys = (
        "match.time_over.start",
        "match.time_over.start.short",
        "match.time_over.start.bare",
    )
    return tuple(scene.say(key, points=match.cap_start) for key in keys)


def is_later_leg(match: MatchView | None) -> bool:
    """True from the second leg on, whose winner may have lost the match."""
    return match is not None and match.leg > 1


def tolerance_wordings(scene: Scene) -> tuple[str, ...]:
    """The minutes that an offered match waits for a team; none if unknown."""
    minutes = None if scene.view.match is None else scene.view.match.tolerance_left
    if minutes is None:
        return ()
    if minutes == 0:
        return tuple(map(scene.say, ("match.tolerance_over", "match.tolerance_over.short")))
    return (scene.say("match.tolerance", minutes=minutes), f"{minutes}'")


def span_wordings(scene: Scene) -> tuple[str, ...]:
    """When the match began and is to end, or how long an offered one waits."""
    match = scene.view.match
    if match is None or match.tolerance_left is not None:
        return tolerance_wordings(scene)
    if times := time_wordings(scene):
        return (*(f"{match.span} · {each}" for each in times if match.span), *times)
    if match.span:
        return (scene.say("match.began", time=match.span),)
    if match.minutes_played is not None:
        return (scene.say("match.began.ago", minutes=max(1, match.minutes_played)),)
    return ()


def is_time_short(scene: Scene) -> bool:
    """True in the last minutes of the time of a match, and after them."""
    match = scene.view.match
    return (
        match is not None
        and match.minutes_left is not None
        and (match.minutes_left <= SHORT_MINUTES)
    )


def call_wordings(scene: Scene) -> tuple[str, ...]:
    """How the director is called, then shorter."""
    yes = scene.say("label.quiero")
    return tuple(scene.say(key, yes=yes) for key in ("hall.call", "hall.call.short"))
