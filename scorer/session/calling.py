"""The call on the panel: who made it, who must answer, and what either answer pays.

Every worth is found by playing the answer; nothing is reckoned here a second time.
"""

from __future__ import annotations

from scorer.rules import Action, Game, Phase, Side, Status, Step, phase_of, stake_of
from scorer.rules import envido as envidos
from scorer.rules import flor as flores
from scorer.session import telling
from scorer.session.meanings import owing, pending_by
from scorer.session.questions import credits_of, play
from scorer.session.view import CallView, Worth


def call_view(game: Game) -> CallView | None:
    match phase_of(game):
        case Phase.PENDING_TRUCO | Phase.PENDING_ENVIDO | Phase.PENDING_FLOR:
            return _pending(game)
        case Phase.AWAITING_ENVIDO:
            return _awaiting(game, "envido", game.hand.envido.caller)
        case Phase.AWAITING_FLOR:
            return _awaiting(game, "flor", game.hand.flor.caller)
        case Phase.MAO_DECISION:
            return _decision(game)
        case _:
            return None


def _pending(game: Game) -> CallView:
    rules, family = game.rules, _family(game)
    by, owes = pending_by(game), owing(game)[0]
    assert by is not None
    plain = family == "flor" and not game.hand.flor.raises
    no = Step(owes, Action.NO_FLOR if plain else Action.NO_QUIERO)
    return CallView(
        word=newest_word(game, family),
        family=family,
        by=rules.actors.index(by),
        owes=rules.actors.index(owes),
        quiero=_accepted(game, family, owes),
        no_quiero=_certain(game, (no,)),
        suspended=_suspended(game),
    )


def _family(game: Game) -> str:
    phase = phase_of(game)
    if phase is Phase.PENDING_FLOR:
        return "flor"
    return "envido" if phase is Phase.PENDING_ENVIDO else "truco"


def newest_word(game: Game, family: str) -> str:
    """The newest call of a family, in the variant's own words."""
    hand, rules = game.hand, game.rules
    if family == "flor":
        return telling.word_of(rules, hand.flor.raises[-1] if hand.flor.raises else Action.FLOR)
    if family == "envido":
        return telling.word_of(rules, hand.envido.chain[-1])
    return telling.word_of(rules, rules.ladder[hand.truco.rung].action)


def _suspended(game: Game) -> str:
    """The truco that waits until the envido or the flor is settled."""
    return newest_word(game, "truco") if game.hand.truco.pending and _bet_waits(game) else ""


def _bet_waits(game: Game) -> bool:
    waits = (Status.PENDING, Status.ACCEPTED)
    return game.hand.envido.status in waits or game.hand.flor.status in waits


def _accepted(game: Game, family: str, owes: Side) -> Worth:
    """What a quiero pays to whoever wins then; of a plain flor, what one more flor would pay."""
    plain = family == "flor" and not game.hand.flor.raises
    yes = Step(owes, Action.FLOR if plain else Action.QUIERO)
    agreed = play(game, (yes,))
    if agreed is None:
        return Worth((0,), None)
    return _open(agreed, family)


def _open(game: Game, family: str) -> Worth:
    """What is to be won now by either side."""
    rules = game.rules
    outcome = {
        "flor": Action.FLOR_WON,
        "envido": Action.ENVIDO_WON,
        "truco": Action.HAND_WON,
        "mao": Action.HAND_WON,
    }[family]
    ends = any(_ends(game, Step(side, outcome)) for side in rules.actors)
    if family == "envido":
        each = tuple(envidos.accepted_worth(game, side) for side in rules.actors)
    elif family == "flor":
        each = tuple(flores.accepted_worth(game, side) for side in rules.actors)
    else:
        each = (stake_of(game),)
    same = len(set(each)) == 1
    return Worth(each[:1] if same else each, None, None, ends)


def _ends(game: Game, step: Step) -> bool:
    after = play(game, (step,))
    return after is not None and after.winner is not None


def _certain(game: Game, steps: tuple[Step, ...]) -> Worth:
    """What ``steps`` pay to one side for certain, and the scores after it."""
    rules, after = game.rules, play(game, steps)
    credits = credits_of(game, steps)
    if after is None or not credits:
        return Worth((0,), None)
    points = sum(credit.points for credit in credits)
    to = rules.sides.index(credits[0].to)
    scores = tuple(min(score, rules.target) for score in after.score)
    return Worth((points,), to, scores, after.winner is not None)


def _awaiting(game: Game, family: str, by: Side | None) -> CallView:
    rules = game.rules
    caller = 0 if by is None else rules.actors.index(by)
    owes = next(at for at in range(len(rules.actors)) if at != caller)
    worth = _open(game, family)
    word, suspended = newest_word(game, family), _suspended(game)
    return CallView(word, family, caller, owes, worth, Worth((0,), None), suspended)


def _decision(game: Game) -> CallView:
    rules, decider = game.rules, owing(game)[0]
    at = rules.actors.index(decider)
    played = play(game, (Step(decider, Action.MAO_PLAY),))
    assert played is not None
    run = _certain(game, (Step(decider, Action.MAO_RUN),))
    return CallView("", "mao", at, at, _open(played, "mao"), run)
