"""The table: the only owner of the state, from an edge of a button to what is stored and shown.

Order is law: a press is judged, stored in one commit, adopted, and only then shown; nothing is on
a panel that a power cut could still lose. All of it runs in one thread and takes time as an
argument; who turns the loop (``run`` on a Pi, ``desk`` beside it) brings edges, ticks and requests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.api.handlers import answered
from scorer.api.paired_phones import Phones, new_digits
from scorer.api.server import Request
from scorer.api.web_status import Notices
from scorer.hw.ports import DeviceError, Edge
from scorer.records import replay
from scorer.records.clock import minute_of
from scorer.records.game_log import Ledger
from scorer.rules import Game, Step, state_document
from scorer.session.input.gestures import Gesture, Gestures, Kind
from scorer.session.play import reducer as sessions
from scorer.session.play.reactions import refuse
from scorer.session.settings import Settings, within
from scorer.session.setup import first_run as first_questions
from scorer.session.setup.box_settings import Box, Choice
from scorer.session.setup.pairing_menu import coded
from scorer.session.setup.pairing_menu import known as phones_known
from scorer.session.setup.reducer import found
from scorer.session.state import Moves, Question, Reaction, Session, Sound, Verdict
from scorer.session.view.build_view import view_of
from scorer.session.view.view import LinkView, Notice, Screen, View
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table.loop_commands import Order
from scorer.table.observers import Nobody, Outside, Printed, Seen, nothing_seen
from scorer.table.outputs import Devices, Showing
from scorer.table.selftest import store_found
from scorer.table.selftest_report import findings

if TYPE_CHECKING:
    from scorer.session.play.phone_press import Wish
    from scorer.table.print_client import Slips

_LOW, _LINES_LOW, _LINES = 48, 3, 5  # rows of a low panel; lines of a rule card with its title


class Applied(NamedTuple):
    """What was chosen, as a running table takes it up."""

    settings: Settings
    box: Box = Box()
    names: tuple[str, ...] | None = None  # None: nobody chose any on the box


class Table:
    """One table. ``edge``, ``tick`` and ``request`` are called by its loop, by no other thread."""

    def __init__(
        self,
        journal: Journal,
        devices: Devices,
        fresh: Callable[[], tuple[Game, tuple[str, ...]]],
        *,
        stamp: Callable[[float], Stamp],
        applied: Applied,
        now: float,
        outside: Outside | None = None,
        anew: bool = False,
        asks_first: bool = False,
    ) -> None:
        """Takes the night up where the journal left it, else opens the game that ``fresh`` makes.

        The inputs are open already; a button that is down now is stuck, unless the table is only
        begun ``anew``. ``asks_first``: a new night begins with the questions of a new box. Raises
        StoreError.
        """
        self._journal, self._devices, self._stamp = journal, devices, stamp
        self._showing = Showing(devices, now)
        self._outside = outside or Nobody()
        self._notices, self._asking = Notices(self._outside.has), 0
        self._settings, self._names = applied.settings, applied.names
        self._box = self._on_these_panels(applied.box)
        self.ledger = Ledger(journal, stamp)
        self.session = self._take_up(fresh, now, asks_first)
        if not anew and self.ledger.is_another_day(now):
            self.session = sessions.ask_day(self.session)
        self.phones = Phones(journal)
        self.list_phones()
        self._named_at: int | None = None  # the newest game when the known names were looked up
        self._gestures = Gestures(
            self._holds,
            self._levels(),
            now,
            self._settings.debounce,
            hold_time=self._hold_time,
            chord=self._settings.chord,
            only_told=devices.only_told,
        )
        self._published: tuple[int, Game, Question | None] | None = None
        self.seen = nothing_seen()
        self.stored: Callable[[], None] = _nothing
        self.marks: set[str] = set()  # what is wrong with the box, by those who look after it
        self.order: Callable[[Order], object] = _nobody  # what the table wants of who runs it
        # Keeps what was chosen on the box; None where it makes no configuration.
        self.choose: Callable[[Sequence[Choice]], Applied | None] = _chooses_nothing
        self.slips: Slips | None = None  # where there is a printer
        self._expected = frozenset(self._gestures.stuck) if anew else frozenset()
        if self._stuck:
            self.tell("stuck", now, self._stuck[0].rpartition(".")[2])

    @property
    def language(self) -> str:
        """What the panels speak."""
        return self._box.language

    @property
    def _stuck(self) -> tuple[str, ...]:
        """Buttons that have been down since the beginning, and that nobody pressed for it."""
        return tuple(name for name in self._gestures.stuck if name not in self._expected)

    @property
    def view(self) -> View:
        """What the panels show."""
        return view_of(self._marked(self.session))

    def edge(self, edge: Edge) -> None:
        """A button went down or up."""
        due = self.deadline()
        made = self._gestures.feed(edge)
        for gesture in made:
            self._gesture(gesture)
        # A contact that chatters for ever must not cost a picture an edge.
        if made or (due is not None and due <= edge.time):
            self.tick(edge.time)

    def tick(self, now: float) -> None:
        """Time has come to ``now``: holds fire, notices end, what changed is shown."""
        if self._gestures.holding:
            # The kernel may have dropped the release: a tap must not become a hold.
            self.resync(now)
        for gesture in self._gestures.tick(now):
            self._gesture(gesture)
        self.session = sessions.tick(self.session, now)
        self._freed()
        self._follow_slips(now)
        self._showing.tick(now)
        self._showing.show(self.session, self.view, now)
        self._publish()

    def probe(self, now: float) -> None:
        """Nothing has happened for a while: are the panels still there?"""
        self._showing.probe(now)

    def resync(self, now: float) -> None:
        """Reads every level again: an edge that was lost happens now."""
        for gesture in self._gestures.resync(self._levels(), now):
            self._gesture(gesture)

    def renew(self, levels: Mapping[str, bool], now: float) -> None:
        """These lines have come or gone: nobody pressed or released them by that."""
        for gesture in self._gestures.renew(levels, now):
            self._gesture(gesture)

    def _levels(self) -> Mapping[str, bool]:
        try:
            return self._devices.inputs.levels()
        except DeviceError:
            # Nothing is known of the buttons, so nothing is held; who turns the loop reopens them.
            return {}

    def deadline(self) -> float | None:
        """When ``tick`` is needed next if nothing else happens, or None."""
        moments = (
            self._gestures.deadline(),
            sessions.deadline(self.session),
            self._showing.deadline(),
            None if self.slips is None else self.slips.deadline(),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def document(self) -> dict[str, Any]:
        """The state document of the running table (contract.md section 2)."""
        sides = self.session.rules.sides
        names = dict(zip(sides, self.session.names or ("",) * len(sides), strict=True))
        return {
            **state_document(self.session.game),
            "seq": self.ledger.seq,
            "names": names,
        }

    def printed(self, done: Printed, now: float) -> None:
        """What came of a slip; what is wrong with the printer stays until one is printed."""
        self.marks -= {mark for mark in self.marks if mark.startswith("slip_")}
        if done.failed:
            self.marks.add(done.key)
            self.tell(done.key, now)
        else:
            # Soon gone: who has won, and how to go on, stands under it.
            self.tell(done.key, now, lasts=self._settings.notice)
        self.tick(now)

    def _follow_slips(self, now: float) -> None:
        """A game that was won some seconds ago gets its slip, where that is wanted."""
        if self.slips is not None:
            won = self.session.game.winner is not None
            due = self.slips.follow(self.ledger.running, now, won=won)
            if due is not None:
                self._want_slip(due, now)

    def _want_slip(self, number: int, now: float) -> None:
        if self.slips is not None:
            key = self.slips.ask(number, self.language)
            self.tell(key, now, lasts=self._settings.notice)

    def _holds(self, button: str) -> bool:
        return sessions.holds(self.session, button)

    def tell(self, key: str, now: float, word: str = "", lasts: float | None = None) -> None:
        """A notice that no press has brought about; it stays ``lasts`` seconds, or like a page."""
        session = sessions.tick(self.session, now)
        until = now + (session.settings.page if lasts is None else lasts)
        self.session = session._replace(notice=Notice(key, word, urgent=True), notice_until=until)

    def _freed(self) -> None:
        """Nobody is told of a stuck button any more when there is none."""
        notice = self.session.notice
        if notice is not None and notice.key == "stuck" and not self._stuck:
            self.session = self.session._replace(notice=None)

    def _hold_time(self, button: str) -> float:
        return sessions.hold_time(self.session, button)

    def _gesture(self, gesture: Gesture) -> None:
        if gesture.kind is Kind.SAFE and "safe" not in self.marks:
            self.order(Order.SAFE)
        reaction = sessions.press(self.session, gesture, gesture.time)
        console = gesture.button.partition(".")[0] if "." in gesture.button else "menu"
        self._react(reaction, reaction.source or console, gesture.time, reaction.reason)
        if reaction.switch_off:
            self.order(Order.SWITCH_OFF)
        if reaction.selftest:
            self.session = found(self.session, findings(self.selftest(gesture.time)))
        if reaction.slip:
            # Before the first press of a game the one before is meant.
            before = 0 if self.session.record.past else 1
            self._want_slip(max(1, self.ledger.running - before), gesture.time)
        if reaction.pairs:
            self.session = coded(self.session, new_digits())
        self._look_up()

    def _react(self, reaction: Reaction, source: str, now: float, reason: str = "") -> Reaction:
        """Acknowledges, stores, and only then adopts; what could not be stored did not happen."""
        applied = None
        try:
            if reaction.chooses and (applied := self.choose(reaction.chooses)) is None:
                reaction = self._cannot(now)
            elif reaction.stores:
                reaction = self._store(reaction, source, now, reason)
            elif reaction.clears_night:
                self.ledger.clear_night(over=self.session.game.winner is not None)
            elif reaction.forgets:
                self.phones.forget(reaction.forgets)
            self.session = reaction.session
        except StoreError as error:
            reaction = self._not_saved(error, now)
        if applied is not None:
            self._apply(applied)
        if reaction.forgets:
            self.list_phones()
        if reaction.verdict is not Verdict.NONE or reaction.sound is not Sound.NONE:
            self.seen.append(Seen(reaction.verdict, reaction.sound))
        self._play(reaction.sound, now)
        return reaction

    def _store(self, reaction: Reaction, source: str, now: float, reason: str) -> Reaction:
        opens = None
        if reaction.opens is not None:
            opens = replay.header_for(reaction.opens, self._named(reaction.session))
        lines, forward = replay.lines_of(reaction.steps, reason), reaction.moves is Moves.FORWARD
        self.ledger.append(lines, source, now, opens=opens, forward=forward)
        self.stored()
        if reaction.moves is not Moves.STAYS:
            return reaction._replace(session=self._moved(reaction, now))
        return reaction

    def _cannot(self, now: float) -> Reaction:
        """What was chosen makes no configuration together with the owner's file."""
        session = sessions.tick(self.session, now)
        notice, until = Notice("cannot_choose", urgent=True), now + session.settings.page
        session = session._replace(notice=notice, notice_until=until)
        return Reaction(session, Verdict.REFUSED, Sound.REFUSED)

    def _apply(self, applied: Applied) -> None:
        """What was chosen counts at once; other buttons want a table that is begun anew."""
        layout = self._settings.layout
        # Safe mode goes on as it is: what it was meant to get out of must not come back by itself.
        if applied.settings.layout is not layout and "safe" not in self.marks:
            self.order(Order.ANEW)
        consoles = self._settings.consoles
        self._settings = applied.settings._replace(layout=layout, consoles=consoles)
        known = self.session.box.names_known
        box = self._on_these_panels(applied.box)
        self._box = box._replace(names_known=known, phones=self.phones.names)
        self._names = applied.names
        self._showing.redraw()
        names = self._names_of(self.session.game, self.session.names)
        self.session = self.session._replace(settings=self._settings, box=self._box, names=names)

    def _on_these_panels(self, box: Box) -> Box:
        """A rule card is cut into pages that the lowest panel has room for."""
        low = any(panel.size[1] < _LOW for panel in self._devices.panels)
        return box._replace(lines=_LINES_LOW if low else _LINES)

    def _look_up(self) -> None:
        """What set-up and the page of the night want of the journal, when they are opened."""
        try:
            if self.session.page is Screen.NIGHT:
                self.session = self.session._replace(night=self.ledger.night.view())
            if self.session.setup is not None and self._named_at != self.ledger.running:
                self._named_at = self.ledger.running
                self._box = self._box._replace(names_known=self.ledger.names_known())
                self.session = self.session._replace(box=self._box)
        except StoreError:
            # Nothing of it is a score: the page stays empty, the names are spelled.
            pass

    def _moved(self, reaction: Reaction, now: float) -> Session:
        """The session of the game that goes on now, with the notice of how it came to it."""
        running = self.ledger.resume()
        assert running is not None
        session = self._session_of(running, now)
        kept = reaction.session
        return session._replace(notice=kept.notice, notice_until=kept.notice_until)

    def _not_saved(self, error: StoreError, now: float) -> Reaction:
        """The press did not happen: the panel says why, for as long as it stays so."""
        session = sessions.tick(self.session, now)
        until = now + session.settings.page
        if error.kind == "replaced":
            self.order(Order.EXCHANGED)
        known = error.kind in ("full", "read_only", "replaced")
        notice = Notice(f"store_{error.kind}" if known else "unsaved", urgent=True)
        self.session = session._replace(notice=notice, notice_until=until)
        return Reaction(self.session, Verdict.REFUSED, Sound.REFUSED)

    def _take_up(
        self, fresh: Callable[[], tuple[Game, tuple[str, ...]]], now: float, asks_first: bool
    ) -> Session:
        running = self.ledger.resume()
        if running is not None:
            return self._session_of(running, now)
        game, names = fresh()
        header = replay.header_for(game, dict(zip(game.rules.sides, names, strict=False)))
        self.ledger.append([], "menu", now, opens=header, forward=False)
        session = sessions.begin(game, self._settings, now=now, names=names, box=self._box)
        return first_questions.asked(session) if asks_first else session

    def _names_of(self, game: Game, played: tuple[str, ...]) -> tuple[str, ...]:
        """The names chosen on the box, else those that the game was opened under."""
        if self._names is None:
            return played
        count = len(game.rules.sides)
        return (*self._names, *("",) * count)[:count]

    def _session_of(self, opened: replay.Opened, now: float) -> Session:
        return sessions.begin(
            opened.record,
            self._settings,
            now=now,
            names=self._names_of(opened.record.game, opened.names),
            earlier=opened.earlier,
            later=opened.later is not None,
            box=self._box,
        )

    def _named(self, session: Session) -> dict[Any, str]:
        return dict(zip(session.rules.sides, session.names, strict=False))

    def _marked(self, session: Session) -> Session:
        marks = [*session.marks, *sorted(self.marks)]
        if self._stuck:
            marks.append("stuck")
        return session._replace(marks=tuple(marks), link=self._notices.newest())

    def _play(self, sound: Sound, now: float) -> None:
        if not self._is_quiet(now):
            self._showing.play(sound, now)

    def _is_quiet(self, now: float) -> bool:
        if not self._box.sound:
            return True
        hours = self._settings.quiet
        return hours is not None and within(hours, minute_of(self._stamp(now)))

    # The world beside the table.

    def request(self, request: Request, now: float) -> None:
        """Answers one request of the socket."""
        self._asking = request.client
        answer = answered(self, request.message, now)
        # Whoever hears "ok" and connects anew must not be greeted with the score of before.
        self.tick(now)
        self._outside.reply(request.client, answer)

    def notice(self, link: LinkView) -> None:
        """Where phones find the score, as the client says whose request is being answered."""
        self._notices.put(self._asking, link)

    def enter(self, step: Step, source: str, now: float, reason: str = "") -> Reaction:
        """A step that no button made, judged and stored like any other."""
        return self._react(sessions.enter(self.session, step, now), source, now, reason)

    def pressed(self, wish: Wish, source: str, now: float) -> Reaction:
        """A press of a phone, unless a finger is at the box; a refusal is told to the phone alone.

        Nobody at the table is disturbed by what somebody else could not do.
        """
        from scorer.session.play import phone_press  # what only a phone wants, as in ``phones``

        if self._gestures.busy:
            return refuse(self.session, Notice("phone_busy", urgent=True))
        reaction = phone_press.press(self.session, wish, now)
        if reaction.verdict not in (Verdict.TAKEN, Verdict.QUESTION):
            return reaction
        return self._react(reaction, source, now)

    def list_phones(self) -> None:
        """Some have come or gone: set-up tells those there are now."""
        self._box = self._box._replace(phones=self.phones.names)
        self.session = phones_known(self.session, self.phones.names)

    def selftest(self, now: float) -> dict[str, Any] | None:
        """The table tries its devices and its store: what it found, None where it just did."""
        tried = self._showing.selftest(self._stuck, now)
        if tried is None:
            return None
        told = {"store": store_found(self._journal), "clients": self._outside.clients()}
        return {**tried, **told, "marks": sorted(self.marks)}

    def _publish(self) -> None:
        newest = (self.ledger.seq, self.session.game, self.session.question)
        if newest != self._published:
            self._published = newest
            self._outside.publish({**self.document(), **self._asked()}, newest[0])

    def _asked(self) -> dict[str, Any]:
        """The question of the moment, for those beside the table; mostly there is none."""
        question = self.session.question
        if question is None:
            return {}
        # Imported here: no start pays for it.
        from scorer.session.play import phone_press

        return {"question": phone_press.told(question, self.session.rules.sides)}


def _nothing() -> None:
    """Nobody waits for the moment between commit and frame."""


def _nobody(order: Order) -> None:
    """Nobody runs this table but who made it."""


def _chooses_nothing(choices: Sequence[Choice]) -> Applied | None:
    """Nobody keeps what is chosen at this table."""
    return None
