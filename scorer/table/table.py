"""The table: the only owner of the state, from edge to storage and display.

The order is fixed: a press is judged, stored in one commit, adopted, and only then shown, so that
nothing on a panel can be lost by a power cut. Everything runs in one thread and takes time as an
argument; the main loop or the simulator passes edges, ticks and requests.

The table itself is gestures, commits and outputs. Every other matter is a guest (guest.py): the
hall, the phones, the slips, the copies, passwords of the desk, the standings, a chosen change of
rules, the self-test, the time of a match. A guest is one module and one line in ``_open_guests``.
It is called at four moments:

- ``store``, during a commit: an effect that has to be on the disk before the press counts. It may
  raise StoreError, which refuses the press. No other method may raise it.
- ``handle``, after a commit: an effect of a press that was stored and adopted, or the report of
  another process that an earlier effect started.
- ``refresh``, after each commit and before each picture: what the guest knows enters the session.
  Most calls find nothing new, and have to cost nothing then.
- ``tick``, after the picture is drawn and the state is published: work that no press waits for,
  such as the slip of a game that was won ten seconds ago. ``deadline`` says when it is due.

A guest gets a session and returns one. It never keeps a session, never steps the game and never
commits: a change of the score comes from a press or from a request (``commit``), which the rules
judge. It does not know of other guests; they are called in the order of ``_open_guests``. And it
never waits: what takes long runs in a thread or in another process, which reports through the inbox
of the loop. All guests together have the time that a player does not notice between two presses.

A table whose store cannot be opened has no session and no guests. It shows why, refuses every
press with a sound, and asks every five seconds whether the store is back.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from scorer.api.client_reports import ClientReports
from scorer.api.marks import Mark, Marks
from scorer.api.paired_phones import PhoneRegistry
from scorer.api.replies import Message, is_stale
from scorer.hw.ports import DeviceError, Edge
from scorer.records import replay
from scorer.records.clock import local_minute
from scorer.records.game_log import GameLog
from scorer.session import reducer
from scorer.session.input.edge_limit import EdgeLimit, Heard
from scorer.session.input.gestures import JAMMED, Gestures
from scorer.session.input.holds import has_hold, hold_time, repeats
from scorer.session.input.keymap import console_of
from scorer.session.input.touching import TouchingButtons
from scorer.session.play.external_steps import settle_question
from scorer.session.play.timers import (
    ask_same_game,
    expire,
    next_deadline,
    show_notice,
)
from scorer.session.values.effects import Effect, StoredEffect, Task
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.settings import Settings, is_within, parse_hours
from scorer.session.values.shown import LinkView, Notice
from scorer.session.values.state import GameMove, Reaction, Session, Sound, Verdict
from scorer.session.view.build_view import view_of
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table.access_log import choices_line
from scorer.table.desk_passwords import DeskPasswords
from scorer.table.device_faults import DeviceFaults, DeviceKind, DeviceStatus
from scorer.table.evening import EveningRecords
from scorer.table.game_pages import GamePages
from scorer.table.guest import Guest, ServiceReport
from scorer.table.hall import TableHall
from scorer.table.hooks import AppliedSettings, TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.match_clock import MatchClock
from scorer.table.observers import PRESS_LOG_SIZE, NullObserver, PressResult, StateObserver
from scorer.table.outputs import Devices, TableOutputs
from scorer.table.own_network import OwnNetwork, link_notice
from scorer.table.owner_code import OwnerCode
from scorer.table.owner_settings import OwnerSettings
from scorer.table.owners import Owners
from scorer.table.phone_access import PhoneAccess
from scorer.table.radio_boxes import RadioBoxes
from scorer.table.resets import Resets
from scorer.table.rule_changes import RuleChanges
from scorer.table.selftest import check_store
from scorer.table.selftest_report import SelfTestPage
from scorer.table.session_builder import MakeGame, SessionBuilder, names_by_side
from scorer.table.slips import Slips
from scorer.table.state_publisher import StatePublisher, first_number, table_document
from scorer.table.store_failure import store_failure_view
from scorer.table.switch_off import SwitchOff
from scorer.table.wiring_trial import WiringTrial

_STORE_NOTICES = {
    "full": NoticeKey.STORE_FULL,
    "read_only": NoticeKey.STORE_READ_ONLY,
    "replaced": NoticeKey.STORE_REPLACED,
}
_RETURN_S = 0.5  # seconds by which a question may come after the hold that asks it
_STUCK = "it stays down: it is jammed, or its wire touches ground"
_LOW_PANEL_ROWS = 48  # a panel of fewer rows is low
_RETRY_INTERVAL_S = 5.0  # seconds between two attempts to open a store that has failed


class Table:
    """One table. All methods are called by its loop, in one thread."""

    def __init__(
        self,
        journal: Journal | StoreError,
        devices: Devices,
        make_game: MakeGame,
        *,
        stamp: Callable[[float], Stamp],
        applied: AppliedSettings,
        now: float,
        observer: StateObserver | None = None,
        hooks: TableHooks | None = None,
        is_restart: bool = False,
        needs_first_run: bool = False,
        can_recover: Callable[[], bool] = lambda: False,
    ) -> None:
        """Resume the journal's evening, else open the game that ``make_game`` returns.

        A button that is down now is stuck, unless ``is_restart``; if the inputs are opened later,
        ``read_power_on_levels`` is called then.
        ``needs_first_run``: until a hand was scored, it begins with the questions of a new box.
        ``can_recover``: whether a store that has failed can be opened now. Raises StoreError.
        """
        self._journal, self._devices, self.stamp = journal, devices, stamp
        self._observer, self._hooks = observer or NullObserver(), hooks or TableHooks()
        self._can_recover, self._retry_at = can_recover, now + _RETRY_INTERVAL_S
        self._language = applied.settings.table.language
        self.web_status = ClientReports(self._observer.has_client, LinkView())
        self.press_log: deque[PressResult] = deque(maxlen=PRESS_LOG_SIZE)
        self.marks = Marks()
        self.faults = DeviceFaults(self.marks)
        self._edge_limit = EdgeLimit(devices.device_of_line)
        self._touching = TouchingButtons()
        self._is_restart = is_restart
        self._session: Session | None = None
        self._guests: tuple[Guest, ...] = ()
        self._expected_down = frozenset[str]()
        self._expected_until = now + JAMMED
        self._told_stuck: tuple[str, ...] = ()
        if isinstance(journal, StoreError):
            self._outputs = TableOutputs(
                devices._replace(team_light=None, button_lights=(), words=None), self.faults, now
            )
            self._gestures = Gestures(lambda _: False)
            self._observer.publish_unavailable()
            return
        self._outputs = TableOutputs(devices, self.faults, now, self._is_quiet_hour)
        self.game_log = GameLog(journal, stamp)
        has_low_panel = any(panel.size[1] < _LOW_PANEL_ROWS for panel in devices.panels)
        self._builder = SessionBuilder(self.game_log, applied, has_low_panel=has_low_panel)
        self._session = self._builder.resume_or_open(
            make_game, now, needs_first_run=needs_first_run
        )
        self.game_pages = GamePages(self.game_log)
        self._open_guests(journal)
        self.refresh(now)
        if not is_restart and self.game_log.starts_new_day(now):
            self._session = ask_same_game(self.session)
        self._publisher = StatePublisher(self._observer, first_number(stamp(now)))
        self.read_power_on_levels(now)

    def read_power_on_levels(self, now: float) -> None:
        """Begin with the buttons as they are now: those that are down are stuck.

        After a restart they are expected to be down.
        """
        if self._session is None:
            return
        settings = self.session.settings
        self._gestures = Gestures(
            lambda button: has_hold(self.session, button),
            self._read_levels(),
            now,
            debounce=settings.consoles.debounce,
            release=settings.consoles.release,
            hold_time=lambda button: hold_time(self.session, button),
            chord=settings.consoles.chord,
            without_levels=self._devices.lines_without_levels,
            repeats=lambda button: repeats(self.session, button),
        )
        if self._is_restart:
            self._expected_down = frozenset(self._gestures.stuck_buttons)
        if self._stuck:
            self.show_notice(NoticeKey.STUCK, now, self._stuck[0])

    def _open_guests(self, journal: Journal) -> None:
        """Each guest is a line here. Raises StoreError."""
        hooks = self._hooks
        # Requests use these.
        self.hall = TableHall(journal, self.game_log, self._observer)
        self.phones = PhoneAccess(PhoneRegistry(journal), self.stamp, hooks.log)
        code = OwnerCode(hooks.owner_code)
        self.owners = Owners(journal, self.stamp, hooks.log, code)
        files = hooks.settings_files
        self.owner_settings = OwnerSettings(journal, files, hooks.request_settings)
        self.wiring_trial = WiringTrial(hooks.trials, hooks.request_settings, hooks.on_command)
        self.copies = Resets(journal, code, hooks.request_backup, hooks.on_command, hooks.log)
        self.evening = EveningRecords(self.game_log, hooks.log)
        self._guests = (
            self.hall,
            self.phones,
            self.owners,
            self.owner_settings,
            self.wiring_trial,
            self.evening,
            RuleChanges(self.game_log, hooks.log),
            MatchClock(self.game_log),
            Slips(hooks.print_client, self.game_log, self.marks),
            DeskPasswords(hooks.request_password, hooks.has_hub),
            RadioBoxes(hooks.request_box_key),
            self.copies,
            OwnNetwork(hooks.tell_network),
            SelfTestPage(self.run_selftest),
            SwitchOff(hooks.on_command),
        )

    @property
    def has_failed(self) -> bool:
        """Whether the store could not be opened: there is no session."""
        return self._session is None

    @property
    def session(self) -> Session:
        """The state; only this class replaces it."""
        assert self._session is not None
        return self._session

    def put_web_status(self, client: int, status: LinkView, now: float) -> None:
        """Store how phones reach the box, by a client; show a notice of a change."""
        before = self.web_status.newest()
        self.web_status.put(client, status)
        notice = None if self._session is None else link_notice(before, status, self._session)
        if notice is not None:
            self._session = show_notice(self.session, notice, now)

    def adopt(self, session: Session) -> None:
        """Replace what need not be stored, such as a notice."""
        self._session = session

    @property
    def language(self) -> str:
        """The language of the panels."""
        return self._language if self._session is None else self._session.settings.table.language

    @property
    def view(self) -> View:
        """The view on the first panel."""
        if isinstance(self._journal, StoreError):
            return store_failure_view(self._journal.kind)
        session = self._with_marks()
        return next(iter(self._outputs.views(session)), None) or view_of(session)

    @property
    def _stuck(self) -> tuple[str, ...]:
        """Buttons that have been down since the start without a press, or for too long."""
        if self._session is None:
            return ()
        return tuple(
            name for name in self._gestures.stuck_buttons if name not in self._expected_down
        )

    # Gestures.

    def handle_edge(self, edge: Edge) -> None:
        """Process a button edge; those of a muted device are ignored."""
        heard = self._edge_limit.hear(edge.line, edge.down, edge.time)
        if heard is Heard.MUTES:
            # Release the lines of its device, which is ignored from now on.
            own = self._edge_limit.device_of(edge.line)
            lines = [line for line, device in self._devices.device_of_line.items() if device == own]
            self.reset_lines(dict.fromkeys(lines or [edge.line], False), edge.time)
            self._advance(edge.time)
        if heard is not Heard.TAKEN:
            return
        self._touching.hear(edge.line, edge.down, edge.time)
        due = self.deadline()
        made = self._gestures.feed(edge)
        self._on_gestures(made, edge.time)
        # A chattering contact must not cause a picture per edge.
        if made or (due is not None and due <= edge.time):
            self._advance(edge.time)

    @property
    def muted_devices(self) -> tuple[str, ...]:
        """The devices whose edges are ignored: there are too many."""
        return self._edge_limit.muted

    def tick(self, now: float) -> None:
        """Advance time to ``now``: holds fire, notices expire, changes are shown."""
        if back := self._edge_limit.release_quiet(now):
            # A button that is down now is stuck, as at power-on, and not pressed.
            levels = self._read_levels().items()
            of_them = {
                line: down for line, down in levels if self._edge_limit.device_of(line) in back
            }
            self.reset_lines(of_them, now)
        if self._gestures.is_holding:
            # The kernel may have dropped the release: a tap must not become a hold.
            self.resync(now)
        self._advance(now)
        if self._session is None and now >= self._retry_at:
            self._retry_at = now + _RETRY_INTERVAL_S
            if self._can_recover():
                self._hooks.on_command(LoopCommand.RESTART)

    def resync(self, now: float) -> None:
        """Re-read every level; lost edges are processed now."""
        # Without a session a level has no meaning.
        if self._session is not None:
            heard = {
                line: down
                for line, down in self._read_levels().items()
                if not self._edge_limit.is_muted(line)
            }
            self._on_gestures(self._gestures.resync(heard, now), now)

    def reset_lines(self, levels: Mapping[str, bool], now: float) -> None:
        """Reset lines that were connected or lost, without a press or a release."""
        self._on_gestures(self._gestures.reset_lines(levels, now), now)

    @property
    def is_being_pressed(self) -> bool:
        """Whether a button of the box is down, and what it means is still open."""
        return self._gestures.is_undecided

    def _read_levels(self) -> Mapping[str, bool]:
        try:
            return self._devices.inputs.levels()
        except DeviceError:
            # The levels are unknown, so nothing is held; the loop reopens the inputs.
            return {}

    def _on_gestures(self, gestures: Sequence[Gesture], now: float) -> None:
        for gesture in gestures:
            if self._session is None:
                if gesture.kind is not GestureKind.TOUCHED:
                    self._answer(Verdict.REFUSED, Sound.REFUSED, now)
                continue
            if gesture.kind is GestureKind.SAFE and Mark.SAFE not in self.marks:
                self._hooks.on_command(LoopCommand.SAFE_MODE)
            device = self._devices.device_of_line.get(gesture.button, "")
            if self.wiring_trial.takes(gesture, device):
                self.tick(gesture.time)
                continue
            self.settle_question(gesture.time)
            reaction = reducer.press(self.session, gesture, gesture.time)
            console = gesture.button.partition(".")[0] if "." in gesture.button else "menu"
            self.commit(reaction, reaction.source or console, gesture.time)

    # Commits.

    def settle_question(self, now: float) -> None:
        """Record what an expired question leaves; nothing if the commit fails.

        Nothing either if the button that asked was never released: it has jammed.
        """
        reaction = None if self._session is None else settle_question(self._session, now)
        if reaction is None:
            return
        question = self.session.question
        assert question is not None
        if not self._asking_button_is_down:
            self.commit(reaction, question.console or "menu", now)
        self._session = self.session._replace(question=None)

    @property
    def _asking_button_is_down(self) -> bool:
        """Whether the button that asked the open question has not been released since."""
        question, asked_at = self.session.question, self.session.asked_at
        if question is None:
            return False
        longest = self.session.settings.consoles.hold + _RETURN_S
        held = self._gestures.held_since(asked_at - longest, asked_at)
        if question.button or not question.console:
            return question.button in held
        return any(console_of(button) == question.console for button in held)

    def commit(self, reaction: Reaction, source: str, now: float, reason: str = "") -> Reaction:
        """Store, then adopt the reaction; a failed commit discards the press.

        Its effects are handed to the guests. ``source`` and ``reason`` are those of the rows.
        """
        applied = None
        try:
            if reaction.choices:
                applied = self._hooks.save_choices(reaction.choices)
                if applied is None:
                    # They make an invalid configuration with the owner's file.
                    reaction = self._refusal(NoticeKey.CANNOT_CHOOSE, now)
                else:
                    self._hooks.log(choices_line(reaction.choices, source))
            if reaction.must_store:
                reaction = self._store(reaction, source, now, reason or reaction.reason)
            for stored in reaction.stored_effects:
                for guest in self._guests_for(stored):
                    guest.store(stored, source, now)
        except StoreError as error:
            if error.kind == "replaced":
                self._hooks.on_command(LoopCommand.STORE_REPLACED)
            reaction = self._refusal(_STORE_NOTICES.get(error.kind, NoticeKey.UNSAVED), now)
        self._session = reaction.session
        if applied is not None:
            self._apply_settings(applied)
        self._answer(reaction.verdict, reaction.sound, now)
        for effect in reaction.effects:
            self._hand(effect, now)
        self.refresh(now)
        return reaction

    def _store(self, reaction: Reaction, source: str, now: float, reason: str) -> Reaction:
        opens = None
        reaction = self._builder.with_names(reaction, self.session)
        if reaction.new_game is not None:
            opens = replay.build_header(reaction.new_game, names_by_side(reaction.session))
        lines = replay.journal_lines(reaction.steps, reason)
        forward = reaction.move is GameMove.FORWARD
        self.game_log.append(lines, source, now, opens=opens, forward=forward)
        self.game_pages.forget(self.game_log.current_game)
        self._hooks.on_stored()
        if reaction.move is not GameMove.STAY:
            return reaction._replace(session=self._builder.resume_after(reaction, now))
        return reaction

    def _refusal(self, key: NoticeKey, now: float) -> Reaction:
        """Discard a press; the panel shows why for as long as it lasts."""
        session = show_notice(self.session, Notice(key, urgent=True), now)
        return Reaction(session, Verdict.REFUSED, Sound.REFUSED)

    def _apply_settings(self, applied: AppliedSettings) -> None:
        """Apply choices at once; a change of what is read at the start restarts the table."""
        needs_restart = _read_at_start(applied.settings) != _read_at_start(self.session.settings)
        # Safe mode continues: the settings that caused it must not be applied.
        if needs_restart and Mark.SAFE not in self.marks:
            self._hooks.on_command(LoopCommand.RESTART)
        self._session = self._builder.apply(applied, self.session)
        self._outputs.redraw()

    def _apply_waiting(self, now: float) -> None:
        """Apply what an owner has saved, between games and outside set-up."""
        session, settings = self.session, self.owner_settings
        if not settings.is_due or not session.is_between_games or session.setup is not None:
            return
        if settings.waiting:
            waiting = settings.waiting
            with contextlib.suppress(StoreError):  # the next press shows it
                settings.clear_waiting()
            self.commit(Reaction(session, Verdict.NONE, choices=waiting), "settings page", now)
        if settings.restarts:
            settings.restarts = False
            self._hooks.on_command(LoopCommand.RESTART)

    # Guests.

    def refresh(self, now: float) -> None:
        """Put what the guests know into the session."""
        for guest in self._guests:
            self._session = guest.refresh(self.session, now)

    def on_report(self, report: ServiceReport, now: float) -> None:
        """Process the report of another process."""
        self._hand(report, now)
        self.tick(now)

    def _hand(self, effect: Effect | ServiceReport, now: float) -> None:
        for guest in self._guests_for(effect):
            self._session = guest.handle(effect, self.session, now)

    def _guests_for(self, effect: Effect | StoredEffect | ServiceReport) -> list[Guest]:
        kind = effect if isinstance(effect, Task) else type(effect)
        return [guest for guest in self._guests if kind in guest.handles]

    # Outputs.

    def deadline(self) -> float | None:
        """When ``tick`` is needed next if nothing else happens, or None."""
        moments = [
            self._gestures.deadline(),
            self._edge_limit.deadline(),
            self._outputs.deadline(),
        ]
        if self._session is not None:
            moments.append(next_deadline(self._session))
        moments += [guest.deadline() for guest in self._guests]
        return min((moment for moment in moments if moment is not None), default=None)

    def _advance(self, now: float) -> None:
        """Advance time to that of an edge, at which the present levels say nothing."""
        self._on_gestures(self._gestures.tick(now), now)
        self._outputs.tick(now)
        if self._session is None:
            self._outputs.show_view(self.view, self.language, now)
            return
        is_disturbed = self._gestures.has_repeated_interference(now)
        self.marks.set(Mark.INTERFERENCE, is_set=is_disturbed)
        self.marks.set(Mark.MUTED, is_set=bool(self.muted_devices))
        self._report_stuck()
        if now >= self._expected_until:
            self._expected_down = frozenset()
        self.settle_question(now)
        self._session = expire(self.session, now)
        self._apply_waiting(now)
        self.refresh(now)
        notice = self._session.notice
        if notice is not None and notice.key is NoticeKey.STUCK and not self._stuck:
            self._session = self._session._replace(notice=None)
        self._show(now)
        shown = self._session
        for guest in self._guests:
            self._session = guest.tick(self._session, now)
        if self._session is not shown:
            self._show(now)

    def _report_stuck(self) -> None:
        """Tell of buttons that are stuck, and withdraw a question that one of them asked."""
        stuck = self._stuck
        if stuck == self._told_stuck:
            return
        for name in dict.fromkeys((*self._told_stuck, *stuck)):
            fault = _STUCK if name in stuck else ""
            self.faults.report(DeviceStatus(DeviceKind.BUTTON, name, fault))
        self._told_stuck = stuck
        if stuck and self._asking_button_is_down:
            self._session = self.session._replace(question=None)

    def _show(self, now: float) -> None:
        """Show the session on the devices, then publish its state."""
        self._outputs.show(self._with_marks(), now)
        wishes = self.hall.wish_documents()
        faults = self.marks.lost_devices
        self._publisher.publish(self.session, self.seq, self.game_log.began, wishes, faults)

    def _with_marks(self) -> Session:
        session = self.session
        marks = [*session.marks, *self.marks.words()]
        if session.has_match_waiting:
            marks.append("match_waiting")
        if self.hall.is_unsent(self.seq, is_match=session.game.match is not None):
            marks.append("unsent")
        return session._replace(marks=tuple(marks), link=self.web_status.newest())

    def _answer(self, verdict: Verdict, sound: Sound, now: float) -> None:
        """Note the result of a press, and play its sound."""
        if verdict is not Verdict.NONE or sound is not Sound.NONE:
            self.press_log.append(PressResult(verdict, sound))
        if not self.is_quiet(now):
            self._outputs.play(sound, now)

    def is_quiet(self, now: float) -> bool:
        """Whether the box makes no sound: it is switched off, or it is a quiet hour."""
        session = self._session
        return session is not None and (not session.settings.sound.on or self._is_quiet_hour(now))

    def _is_quiet_hour(self, now: float) -> bool:
        hours = parse_hours(self.session.settings.sound.quiet)
        return hours is not None and is_within(hours, local_minute(self.stamp(now)))

    # Interface for the loop and for requests.

    def reply(self, client: int, answer: Message) -> None:
        """Send the answer to a request of the socket."""
        self._observer.reply(client, answer)

    @property
    def seq(self) -> int:
        """The newest row of the journal; 0 without a store."""
        return 0 if self._session is None else self.game_log.seq

    def document(self) -> dict[str, Any]:
        """The state document without its number (state.md#table-keys)."""
        faults = self.marks.lost_devices
        return table_document(self.session, self.seq, self.game_log.began, faults)

    @property
    def state_number(self) -> int:
        """The number of the newest published state (state.md#table-keys)."""
        return self._publisher.number

    def is_stale(self, message: Mapping[str, Any]) -> bool:
        """Whether a request was meant for another state than the newest."""
        log, number = self.game_log, self.state_number
        names_a_game = log.seq_names_a_game
        return is_stale(message, seq=log.seq, number=number, seq_names_a_game=names_a_game)

    def show_notice(
        self,
        key: StrEnum,
        now: float,
        word: str = "",
        duration_s: float | None = None,
        number: int = 0,
    ) -> None:
        """Show a notice without a press, for ``duration_s`` seconds or until dismissed."""
        # Without a store its failure is always shown.
        if self._session is not None:
            notice = Notice(key, word, number=number, urgent=True)
            self._session = show_notice(self._session, notice, now, duration_s)

    def run_selftest(self, now: float) -> dict[str, Any] | None:
        """Test devices and store; return the report, None shortly after another test."""
        report = self._outputs.run_selftest(self._stuck, self._touching.pairs, now)
        if report is None:
            return None
        if isinstance(self._journal, StoreError):
            store = {"kind": self._journal.kind, "fault": ""}
        else:
            store = check_store(self._journal)
        clients = self._observer.client_count()
        return {**report, "store": store, "clients": clients, "marks": self.marks.words()}


def _read_at_start(settings: Settings) -> tuple[object, ...]:
    """What a table reads when it starts: its inputs, and its name."""
    return settings.table.layout, settings.table.device, settings.consoles
