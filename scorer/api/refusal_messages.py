"""English sentence of every refusal of the rules, for programs and terminals.

The panel has shorter texts, in the languages of the table.
"""

from __future__ import annotations

from scorer.rules import Refusal

SENTENCES: dict[Refusal, str] = {
    Refusal.GAME_OVER: "the game is over; only a new hand of a series or a foul can follow",
    Refusal.HAND_OVER: "the hand is over; deal the next one with '- new_hand'",
    Refusal.ANSWER_FIRST: "a call is waiting for its answer",
    Refusal.NOTHING_TO_ANSWER: "nothing was called that could be answered so",
    Refusal.OWN_CALL: "a side does not answer its own call",
    Refusal.NOT_YOUR_RAISE: "the next raise belongs to the side that accepted the last call",
    Refusal.OUT_OF_ORDER: "that is not the next call here",
    Refusal.TOO_LATE: "that has already been told",
    Refusal.ENVIDO_CLOSED: "the envido is closed in this hand",
    Refusal.WINNER_FIRST: "tell first who won the envido or the flor",
    Refusal.NO_WINNER_WANTED: "nothing was accepted that could be won so",
    Refusal.DECIDE_FIRST: "the side that this hand waits for decides first",
    Refusal.NO_RAISING_HERE: "nobody may raise in this hand",
    Refusal.TOO_MUCH: "that is more than the game allows",
    Refusal.TIED: "the scores are equal; nobody leads",
    Refusal.NOT_IN_THIS_VARIANT: "this variant does not know that",
    Refusal.NOTHING_TO_UNDO: "nothing is left to take back",
    Refusal.NOTHING_TO_REDO: "nothing was taken back",
    Refusal.NOTHING_TO_REVERSE: "that side won no such points in this hand",
    Refusal.NOTHING_TO_DECIDE: "there is nothing to decide in this hand",
    Refusal.FLOR_CLOSED: "the flor is closed in this hand",
    Refusal.FLOR_OR_NO: "a plain flor is answered with flor, no_flor, me_achico or a contraflor",
    Refusal.NO_MORE_FLORES: "that side has announced all the flores it can have",
    Refusal.NOT_OVER: "the hand, or the match, is not over yet",
    Refusal.TOO_LITTLE: "that is less than the game allows",
    Refusal.MUST_PLAY: "this hand must be played",
}
