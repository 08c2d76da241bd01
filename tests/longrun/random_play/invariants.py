"""Invariants that hold for a table after every line of random play.

They compare the journal, read and replayed independently, with session, view, lamps and published
states.
"""

from __future__ import annotations

import json
from typing import Any

from scorer.records import replay
from scorer.rules import (
    Action,
    Game,
    Phase,
    Side,
    Step,
    attempt,
    parse_step,
    read_header,
    split_comment,
    state_document,
)
from scorer.session.values import seating
from scorer.session.values.dimming import Light, burn_in_shift, light_of
from scorer.session.values.game_queries import current_hand
from scorer.session.values.record import Record, append_press, new_record, with_change
from scorer.session.values.seating import CONSOLES
from scorer.session.values.state import Session, Verdict, new_session
from scorer.session.view.build_view import view_of, view_of_rivals
from scorer.session.view.view import View
from scorer.table.panel_schedule import CHECK_INTERVAL_S
from tests.longrun.random_play.stored_game import stored_game
from tests.longrun.random_play.table_rig import Box

ANSWERS = (
    Action.QUIERO,
    Action.NO_QUIERO,
    Action.PRIVO,
    Action.NO_PRIVO,
    Action.NO_FLOR,
    Action.MAO_PLAY,
    Action.MAO_RUN,
)
# Fields of a view that depend on the game alone, not on questions or notices over it.
STORED = (
    "target", "half", "stake", "ladder", "hand", "special", "special_worth", "call",
    "next_hand", "winner", "best_of", "duel", "duels", "duel_points", "gallo", "pot", "accept",
    "refuse",
)  # fmt: skip
OF_A_SIDE = ("name", "key", "score", "spoken", "half", "games", "mano", "may_raise")


class Wrong(AssertionError):
    """An invariant does not hold; the text says which."""


class Watch:
    """Checks one table after every line of random play. Methods raise Wrong."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._games: dict[int, Record] = {}
        self._seq = self._newest = 0
        self._running = 0
        self.steps = self.undos = 0
        self.look()

    @property
    def running(self) -> int:
        """The number of the current game."""
        return self._running

    @property
    def start(self) -> Record:
        """The first game of the night."""
        return self._games[1]

    @property
    def record(self) -> Record:
        """The current game as recorded in the journal."""
        return self._games[self._running]

    def look(self) -> list[Verdict]:
        """Make the cheap checks; return the verdicts since the last call."""
        verdicts = self._box.take_seen()
        before = self._seq
        presses = self._read()
        if presses > verdicts.count(Verdict.ACCEPTED) and before and not self._box.heard.answer:
            raise Wrong(f"{presses} presses were stored, and {verdicts} is what people were told")
        self._session_is_the_journal()
        self._lamps_wait()
        due = self._box.table.deadline()
        if due is not None and due < self._box.now:
            raise Wrong(f"a deadline at {due} has gone by at {self._box.now}")
        return verdicts

    def look_closely(self) -> None:
        """Make all checks: the whole store, the view, the published state, the panels."""
        self._everything_is_stored()
        self._view_is_the_journal()
        self._published_is_stored()
        self._glass_is_right()

    def _read(self) -> int:
        """Replay the new rows of the journal; return the number of presses in them."""
        journal = self._box.journal
        if (journal.last_seq(), journal.newest_game()) == (self._seq, self._newest):
            return 0
        rows = journal.since(self._seq + 1, 10_000)
        if [row.seq for row in rows] != list(range(self._seq + 1, journal.last_seq() + 1)):
            raise Wrong("the journal has a hole")
        presses = list(dict.fromkeys(row.press for row in rows))
        for press in presses:
            lines = [row for row in rows if row.press == press]
            self._play(lines[0].game, [row.line for row in lines])
        opened_game = journal.newest_game() != self._newest
        self._seq, self._newest = journal.last_seq(), journal.newest_game()
        running = journal.latest_game()
        assert running is not None
        self._running = running
        if self._game(running).taken_back:
            found = replay.find_current_game(journal)
            assert found is not None
            self._running = found.number
        self._game(self._running)
        return max(len(presses), int(opened_game))

    def _game(self, number: int) -> Record:
        if number not in self._games:
            header = self._box.journal.header(number)
            self._games[number] = new_record(read_header(header).game())
            # Steps undone before another game began cannot be redone after it.
            for other in range(1, number):
                self._games[other] = self._game(other)._replace(future=())
        return self._games[number]

    def _play(self, number: int, lines: list[str]) -> None:
        record = self._game(number)
        rules = record.game.rules
        steps = [parse_step(split_comment(line)[0], rules) for line in lines]
        after = append_press(record, steps)
        if not isinstance(after, Record):
            raise Wrong(f"the journal holds a press that is refused: {lines} ({after})")
        self._games[number] = after
        self.steps += len(lines)
        self.undos += lines[0] == "- undo"

    def _session_is_the_journal(self) -> None:
        # A change of rules that is chosen is stored beside the rows.
        shown, stored = with_change(self._box.table.session.record, None), self.record
        for name in ("start", "game", "taken_back", "undo_home"):
            if getattr(shown, name) != getattr(stored, name):
                raise Wrong(f"the table's {name} is not what is stored")
        for name in ("past", "future"):
            ours = [(done.step, done.before) for done in getattr(shown, name)]
            if ours != [(done.step, done.before) for done in getattr(stored, name)]:
                raise Wrong(f"the table's {name} is not what is stored")

    def _everything_is_stored(self) -> None:
        """An independent reader of the file must get the same state."""
        box = self._box
        running = stored_game(box)
        document = box.table.document()
        kept = {**document, **state_document(running.record.game)}
        if _text(document) != _text(kept):
            raise Wrong(f"the table tells\n{_text(document)}\nand stored is\n{_text(kept)}")
        session = box.table.session
        if (session.has_earlier_game, session.has_later_game) != (
            running.has_earlier,
            running.redo_game is not None,
        ):
            raise Wrong(
                f"earlier, later: {session.has_earlier_game, session.has_later_game}; "
                f"stored {running.has_earlier, running.redo_game}"
            )

    def _view_is_the_journal(self) -> None:
        session, shown = self._box.table.session, self._box.table.view
        fresh = new_session(
            self.record, session.settings, now=session.now, names=session.names, box=session.box
        )
        # Some seconds after the last press the next hand is shown.
        left = session.next_hand_seen
        kept = view_of(fresh._replace(touched_at=session.touched_at, next_hand_seen=left))
        for name in STORED:
            if getattr(shown, name) != getattr(kept, name):
                raise Wrong(f"{name} on the panel is {getattr(shown, name)}, not what is stored")
        for ours, theirs in zip(shown.sides, kept.sides, strict=True):
            for name in OF_A_SIDE:
                if getattr(ours, name) != getattr(theirs, name):
                    raise Wrong(f"{ours.key}'s {name} on the panel is not what is stored")

    def _published_is_stored(self) -> None:
        """The published state must be the stored one; number and question are extra."""
        published = self._box.heard
        stored = self._box.table.document()
        if published.seq != self._box.journal.last_seq():
            raise Wrong(
                f"the socket was told {published.seq}, stored is {self._box.journal.last_seq()}"
            )
        extra = ("number", "question")
        state = {key: value for key, value in published.state.items() if key not in extra}
        # Names may change at any time and are published with the next state.
        if _text({**state, "names": {}}) != _text({**stored, "names": {}}):
            raise Wrong("the socket was told another state than the one that is stored")

    def _lamps_wait(self) -> None:
        """A lamp is lit while its side may answer, decide or enter a winner, else dark."""
        box, session = self._box, self._box.table.session
        wired = session.settings.consoles.count
        flash = session.flashing_console if session.now < session.flash_until else None
        waits = set(_waited_for(session))
        for at, console in enumerate(seating.consoles_in_use(session.rules, wired)):
            lamp = box.lamps.get(console)
            if lamp is None or box.lamps_unknown or box.lamps_tested:
                continue
            sits = waits & set(seating.sides_at(console, session.rules, wired))
            lit = bool(sits) is not (flash == at)
            if lamp.on is not lit:
                raise Wrong(f"lamp {console} is {lamp.on}; waited for: {sorted(waits)}, {flash=}")

    def _glass_is_right(self) -> None:
        box = self._box
        table = box.table
        if light_of(table.session) is Light.DARK:
            return
        views = self._views_due(table.session)
        due = [box.pictures(views, shift) for shift in _shifts_due(table.session)]
        for at, wanted in enumerate(zip(*due, strict=True)):
            shown = box.displays[at].picture().tobytes()
            if box.glass_known(at) and shown not in [picture.tobytes() for picture in wanted]:
                raise Wrong(f"panel {at} shows another picture than the one that is due")

    def _views_due(self, session: Session) -> list[View]:
        """The view of each panel: an offer is on that of its console, if it has one."""
        shown = self._box.table.view  # of the first panel
        session = session._replace(marks=shown.marks, link=shown.link or session.link)
        whole, hidden = view_of(session), view_of_rivals(session)
        consoles = CONSOLES[: len(self._box.displays)]
        asked = session.question.console if session.question is not None else ""
        if hidden is None or len(consoles) < 2 or asked not in consoles:
            return [whole] * len(consoles)
        return [whole if console == asked else hidden for console in consoles]


def _shifts_due(session: Session) -> set[int]:
    """The shift of the pictures; a dimmed one moves only when its panel is checked."""
    before = session._replace(now=session.now - CHECK_INTERVAL_S)
    is_dimmed = light_of(session) is light_of(before) is Light.DIM
    return {burn_in_shift(each) for each in ((session, before) if is_dimmed else (session,))}


def _waited_for(session: Session) -> tuple[Side, ...]:
    """The sides whose press is awaited, according to the rules alone."""
    if session.setup is not None and session.setup.level.confirmed is not None:
        return session.setup.level.confirmed
    game = session.game
    if game.winner is not None:
        return session.confirmed
    if session.phase in (Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR) or _is_forgotten(session):
        return game.rules.speaking_sides
    hand = current_hand(game)
    return tuple(
        side
        for side in hand.rules.speaking_sides
        if any(isinstance(attempt(hand, Step(side, word)), Game) for word in ANSWERS)
    )


def _is_forgotten(session: Session) -> bool:
    """Whether the winner of an accepted truco is asked of all sides, long after it."""
    since, settings = session.awaits_winner_since, session.settings
    is_asked = since is not None and session.now >= since + settings.forgotten_lamps_s
    return is_asked and bool(settings.guards.forgotten) and light_of(session) is not Light.DARK


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, sort_keys=True)
