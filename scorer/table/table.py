"""The table: the only owner of the state, from edge to storage and display.

The order is fixed: a press is judged, stored in one commit, adopted, and only then shown, so that
nothing on a panel can be lost by a power cut. Everything runs in one thread and takes time as an
argument; the main loop or the simulator passes edges, ticks and requests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from scorer.api.backup_protocol import BackupReport, BackupResult
from scorer.api.client_reports import ClientReports
from scorer.api.handlers import answer_request
from scorer.api.marks import Mark, Marks
from scorer.api.paired_phones import Phone, codes_match, new_pairing_code
from scorer.api.print_protocol import PrintResult
from scorer.api.request import Request
from scorer.hw.ports import DeviceError, Edge
from scorer.records import replay
from scorer.records.clock import local_minute
from scorer.records.game_log import GameLog
from scorer.records.row_source import with_user
from scorer.rules import Rules, Step
from scorer.session import reducer
from scorer.session.input.gestures import Gestures
from scorer.session.input.holds import has_hold, hold_time, repeats
from scorer.session.play.external_steps import enter_step, leave_match
from scorer.session.play.reactions import refuse
from scorer.session.play.timers import ask_same_game, expire, next_deadline
from scorer.session.setup.hall_menu import open_wish, set_hall
from scorer.session.setup.pairing_menu import (
    confirm_pairing,
    open_pairing,
    reject_code,
    set_phones,
    show_code,
    tries_left,
)
from scorer.session.setup.reducer import show_selftest
from scorer.session.values.box_settings import Choice
from scorer.session.values.effects import ClearNight, Effect, ForgetPhones, StoredEffect, Task
from scorer.session.values.hall import Wish
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.settings import is_within
from scorer.session.values.shown import HallState, LinkView, Notice, Screen
from scorer.session.values.state import GameMove, Reaction, Session, Sound, Verdict
from scorer.session.view.build_view import view_of
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table.access_log import choices_line
from scorer.table.hall import TableHall, wish_document
from scorer.table.hooks import AppliedSettings, TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.match_clock import MatchClock
from scorer.table.observers import (
    NullObserver,
    PressResult,
    StateObserver,
    new_press_log,
)
from scorer.table.outputs import Devices, TableOutputs
from scorer.table.phone_access import PhoneAccess
from scorer.table.selftest import check_store
from scorer.table.selftest_report import report_lines
from scorer.table.session_builder import MakeGame, SessionBuilder, names_by_side
from scorer.table.state_publisher import StatePublisher, first_number, table_document

if TYPE_CHECKING:
    from scorer.api.hall_report import HallReport
    from scorer.records.pair_names import RenameFault
    from scorer.session.phone_press import PhonePress
    from scorer.session.values.hall import Assignment, Decision

_STORE_NOTICES = {
    "full": NoticeKey.STORE_FULL,
    "read_only": NoticeKey.STORE_READ_ONLY,
    "replaced": NoticeKey.STORE_REPLACED,
}
_LOW_PANEL_ROWS = 48  # a panel of fewer rows is low


class Table:
    """One table. All methods are called by its loop, in one thread."""

    def __init__(
        self,
        journal: Journal,
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
    ) -> None:
        """Resume the journal's evening, else open the game that ``make_game`` returns.

        The inputs are open already. A button that is down now is stuck, unless ``is_restart``.
        ``needs_first_run``: until a hand was scored, it begins with the questions of a new box.
        Raises StoreError.
        """
        self._journal, self._devices, self._stamp = journal, devices, stamp
        self._outputs = TableOutputs(devices, now, self._is_quiet_hour)
        self._observer, self._hooks = observer or NullObserver(), hooks or TableHooks()
        self._web_status = ClientReports(self._observer.has_client, LinkView())
        self._request: Request | None = None  # the newest one
        self.game_log = GameLog(journal, stamp)
        has_low_panel = any(panel.size[1] < _LOW_PANEL_ROWS for panel in devices.panels)
        self._builder = SessionBuilder(self.game_log, applied, has_low_panel=has_low_panel)
        self._session = self._builder.resume_or_open(
            make_game, now, needs_first_run=needs_first_run
        )
        self.hall = TableHall(journal, self.game_log.first_row, self._observer.has_client)
        self._observer.set_epoch(self.hall.epoch_document())
        self._match_clock = MatchClock(self.game_log)
        self._refresh_hall()
        if not is_restart and self.game_log.starts_new_day(now):
            self._session = ask_same_game(self._session)
        self._phones = PhoneAccess(journal, stamp, self._hooks.log)
        self._refresh_phones(now)
        self._names_loaded_for: int | None = (
            None  # the newest game when the known names were looked up
        )
        self._gestures = Gestures(
            self._holds,
            self._read_levels(),
            now,
            debounce=self._builder.settings.debounce_s,
            release=self._builder.settings.release_s,
            hold_time=self._hold_time,
            chord=self._builder.settings.chord_s,
            without_levels=devices.lines_without_levels,
            repeats=lambda button: repeats(self._session, button),
        )
        self._publisher = StatePublisher(self._observer, first_number(stamp(now)))
        self.press_log = new_press_log()
        self.marks = Marks()  # set by the supervisors of the devices
        self._expected_down = frozenset(self._gestures.stuck_buttons) if is_restart else frozenset()
        if self._stuck:
            self.show_notice(NoticeKey.STUCK, now, self._stuck[0].rpartition(".")[2])

    @property
    def session(self) -> Session:
        """The state; only this class replaces it."""
        return self._session

    @property
    def rules(self) -> Rules:
        """The rules of the current game."""
        return self._session.rules

    @property
    def language(self) -> str:
        """The language of the panels."""
        return self._builder.box.language

    @property
    def time_zone(self) -> str:
        """The time zone chosen for the box."""
        return self._builder.box.time_zone

    @property
    def _stuck(self) -> tuple[str, ...]:
        """Buttons that have been down since the start without a press."""
        return tuple(
            name for name in self._gestures.stuck_buttons if name not in self._expected_down
        )

    @property
    def view(self) -> View:
        """The view on the first panel."""
        session = self._with_marks(self._session)
        return next(iter(self._outputs.views(session)), None) or view_of(session)

    def handle_edge(self, edge: Edge) -> None:
        """Process a button edge."""
        due = self.deadline()
        made = self._gestures.feed(edge)
        for gesture in made:
            self._on_gesture(gesture)
        # A chattering contact must not cause a picture per edge.
        if made or (due is not None and due <= edge.time):
            self._advance(edge.time)

    def tick(self, now: float) -> None:
        """Advance time to ``now``: holds fire, notices expire, changes are shown."""
        if self._gestures.is_holding:
            # The kernel may have dropped the release: a tap must not become a hold.
            self.resync(now)
        self._advance(now)

    def _advance(self, now: float) -> None:
        """Advance time to that of an edge, at which the present levels say nothing."""
        for gesture in self._gestures.tick(now):
            self._on_gesture(gesture)
        is_disturbed = self._gestures.has_repeated_interference(now)
        self.marks.set(Mark.INTERFERENCE, is_set=is_disturbed)
        self._session = expire(self._session, now)
        self._refresh_hall()
        self._clear_stuck_notice()
        self._auto_print(now)
        self._outputs.tick(now)
        self._outputs.show(self._with_marks(self._session), now)
        self._publisher.publish(
            self._session, self.game_log.seq, self.game_log.began, self._wish_documents()
        )

    def check_devices(self, now: float) -> None:
        """Periodic check that the panels still answer."""
        self._outputs.check_panels(now)

    def resync(self, now: float) -> None:
        """Re-read every level; lost edges are processed now."""
        for gesture in self._gestures.resync(self._read_levels(), now):
            self._on_gesture(gesture)

    def reset_lines(self, levels: Mapping[str, bool], now: float) -> None:
        """Reset lines that were connected or lost, without a press or a release."""
        for gesture in self._gestures.reset_lines(levels, now):
            self._on_gesture(gesture)

    def _read_levels(self) -> Mapping[str, bool]:
        try:
            return self._devices.inputs.levels()
        except DeviceError:
            # The levels are unknown, so nothing is held; the loop reopens the inputs.
            return {}

    def deadline(self) -> float | None:
        """When ``tick`` is needed next if nothing else happens, or None."""
        moments = (
            self._gestures.deadline(),
            next_deadline(self._session),
            self._outputs.deadline(),
            None if self._hooks.print_client is None else self._hooks.print_client.deadline(),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    @property
    def seq(self) -> int:
        """The newest row of the journal."""
        return self.game_log.seq

    def document(self) -> dict[str, Any]:
        """The state document without its number (state.md#table-keys)."""
        return table_document(self._session, self.game_log.seq, self.game_log.began)

    @property
    def state_number(self) -> int:
        """The number of the newest published state (state.md#table-keys)."""
        return self._publisher.number

    def on_printed(self, result: PrintResult, now: float) -> None:
        """Show the result of a slip; a printer fault stays until a slip is printed."""
        self.marks.set_print_result(result)
        # A success expires soon: the winner and the next step are shown below it.
        self.show_notice(
            result, now, duration_s=None if result.is_failure else self._builder.settings.notice_s
        )
        self.tick(now)

    def _auto_print(self, now: float) -> None:
        """Print the slip of a game won some seconds ago, if configured."""
        if self._hooks.print_client is not None:
            won = self._session.game.winner is not None
            due = self._hooks.print_client.auto_print_due(self.game_log.current_game, now, won=won)
            if due is not None:
                self._request_slip(due, now)

    def _request_slip(self, number: int, now: float) -> None:
        if self._hooks.print_client is not None:
            key = self._hooks.print_client.request_slip(number, self.language)
            self.show_notice(key, now, duration_s=self._builder.settings.notice_s)

    def on_backup(self, report: BackupReport, now: float) -> None:
        """Show the result of a copy of the games, or that it is being made."""
        is_one = report.result is BackupResult.DONE and report.games == 1
        key = NoticeKey.BACKUP_DONE_ONE if is_one else report.result
        self.show_notice(key, now, report.label, number=report.games)
        self.tick(now)

    def _holds(self, button: str) -> bool:
        return has_hold(self._session, button)

    def show_notice(
        self,
        key: StrEnum,
        now: float,
        word: str = "",
        duration_s: float | None = None,
        *,
        number: int = 0,
    ) -> None:
        """Show a notice without a press, for ``duration_s`` seconds or until dismissed."""
        session = expire(self._session, now)
        until = now + (session.settings.page_s if duration_s is None else duration_s)
        notice = Notice(key, word, number=number, urgent=True)
        self._session = session._replace(notice=notice, notice_until=until)

    def _clear_stuck_notice(self) -> None:
        """Remove the stuck-button notice when no button is stuck."""
        notice = self._session.notice
        if notice is not None and notice.key is NoticeKey.STUCK and not self._stuck:
            self._session = self._session._replace(notice=None)

    def _hold_time(self, button: str) -> float:
        return hold_time(self._session, button)

    def _on_gesture(self, gesture: Gesture) -> None:
        if gesture.kind is GestureKind.SAFE and Mark.SAFE not in self.marks:
            self._hooks.on_command(LoopCommand.SAFE_MODE)
        reaction = reducer.press(self._session, gesture, gesture.time)
        console = gesture.button.partition(".")[0] if "." in gesture.button else "menu"
        reaction = self._commit(reaction, reaction.source or console, gesture.time)
        for effect in reaction.effects:
            self._carry_out(effect, gesture.time)
        self._load_page_data(gesture.time)

    def _carry_out(self, effect: Effect, now: float) -> None:
        """Hand an effect of an adopted press to the function that handles it."""
        match effect:
            case Wish():
                self._add_wish(effect)
            case Task.SWITCH_OFF:
                self._hooks.on_command(LoopCommand.SWITCH_OFF)
            case Task.SELFTEST:
                lines = report_lines(self.run_selftest(now))
                self._session = show_selftest(self._session, lines)
            case Task.SLIP:
                # Before the first press of a game, use the previous game.
                before = 0 if self._session.record.past else 1
                self._request_slip(max(1, self.game_log.current_game - before), now)
            case Task.BACKUP:
                self.on_backup(self._hooks.request_backup(), now)
            case Task.PAIRING_CODE:
                self._session = show_code(self._session, new_pairing_code())

    def _store_effect(self, effect: StoredEffect, source: str, now: float) -> None:
        """Store an effect before the session is adopted. Raises StoreError."""
        match effect:
            case ClearNight(is_over):
                self.game_log.clear_evening(over=is_over)
                self._hooks.log(f"set-up: the night was cleared, by {source}")
            case ForgetPhones(ids):
                self._phones.remove(ids, source, now)

    def _commit(self, reaction: Reaction, source: str, now: float, reason: str = "") -> Reaction:
        """Acknowledge, store, then adopt the reaction; a failed commit discards the press."""
        applied = None
        try:
            if reaction.choices:
                applied = self._save_choices(reaction.choices, source)
                reaction = reaction if applied is not None else self._reject_choice(now)
            if reaction.must_store:
                reaction = self._store(reaction, source, now, reason or reaction.reason)
            for effect in reaction.stored_effects:
                self._store_effect(effect, source, now)
            self._session = reaction.session
        except StoreError as error:
            reaction = self._reject_unsaved(error, now)
        if applied is not None:
            self._apply_settings(applied)
        if reaction.verdict is not Verdict.NONE or reaction.sound is not Sound.NONE:
            self.press_log.append(PressResult(reaction.verdict, reaction.sound))
        self._play(reaction.sound, now)
        return reaction

    def _save_choices(self, choices: Sequence[Choice], source: str) -> AppliedSettings | None:
        """Save what was chosen in set-up; None if it is impossible. Raises StoreError."""
        applied = self._hooks.save_choices(choices)
        if applied is not None:
            self._hooks.log(choices_line(choices, source))
        return applied

    def _store(self, reaction: Reaction, source: str, now: float, reason: str) -> Reaction:
        opens = None
        reaction = self._builder.with_names(reaction, self._session)
        if reaction.new_game is not None:
            opens = replay.build_header(reaction.new_game, names_by_side(reaction.session))
        lines, forward = (
            replay.journal_lines(reaction.steps, reason),
            reaction.move is GameMove.FORWARD,
        )
        self.game_log.append(lines, source, now, opens=opens, forward=forward)
        self._hooks.on_stored()
        if reaction.move is not GameMove.STAY:
            return reaction._replace(session=self._builder.resume_after(reaction, now))
        return reaction

    def _reject_choice(self, now: float) -> Reaction:
        """Reject choices that make an invalid configuration with the owner's file."""
        session = expire(self._session, now)
        notice, until = Notice(NoticeKey.CANNOT_CHOOSE, urgent=True), now + session.settings.page_s
        session = session._replace(notice=notice, notice_until=until)
        return Reaction(session, Verdict.REFUSED, Sound.REFUSED)

    def _apply_settings(self, applied: AppliedSettings) -> None:
        """Apply choices at once; a change of the inputs restarts the table."""
        is_other_layout = applied.settings.layout is not self._builder.settings.layout
        # Safe mode continues: the settings that caused it must not be applied.
        if is_other_layout and Mark.SAFE not in self.marks:
            self._hooks.on_command(LoopCommand.RESTART)
        self._session = self._builder.apply(applied, self._session)
        self._outputs.redraw()

    def _load_page_data(self, now: float) -> None:
        """Load the journal data of set-up and standings when they are opened."""
        if self._session.setup is not None:
            self._refresh_phones(now)
        try:
            if self._session.page in (Screen.NIGHT, Screen.PAIRS):
                self._session = self._session._replace(night=self.game_log.standings())
            if self._session.setup is not None:
                self._load_known_names()
        except StoreError:
            # Not part of the score: the page stays empty, and names must be spelled.
            pass

    def _load_known_names(self) -> None:
        """Look up the names of earlier games, once in a game. Raises StoreError."""
        if self._names_loaded_for != self.game_log.current_game:
            self._names_loaded_for = self.game_log.current_game
            self._builder.set_known_names(self.game_log.known_names())
            self._session = self._session._replace(box=self._builder.box)

    def _reject_unsaved(self, error: StoreError, now: float) -> Reaction:
        """Discard the press; the panel shows why for as long as it lasts."""
        session = expire(self._session, now)
        until = now + session.settings.page_s
        if error.kind == "replaced":
            self._hooks.on_command(LoopCommand.STORE_REPLACED)
        key = _STORE_NOTICES.get(error.kind, NoticeKey.UNSAVED)
        notice = Notice(key, urgent=True)
        self._session = session._replace(notice=notice, notice_until=until)
        return Reaction(self._session, Verdict.REFUSED, Sound.REFUSED)

    def _with_marks(self, session: Session) -> Session:
        marks = [*session.marks, *self.marks.words()]
        if self._stuck:
            marks.append(Mark.STUCK)
        if session.has_match_waiting:
            marks.append("match_waiting")
        if self.hall.is_unsent(self.game_log.seq, is_match=session.game.match is not None):
            marks.append("unsent")
        return session._replace(marks=tuple(marks), link=self._web_status.newest())

    def _play(self, sound: Sound, now: float) -> None:
        if not self.is_quiet(now):
            self._outputs.play(sound, now)

    def is_quiet(self, now: float) -> bool:
        """Whether the box makes no sound: it is switched off, or it is a quiet hour."""
        return not self._builder.box.sound or self._is_quiet_hour(now)

    def _is_quiet_hour(self, now: float) -> bool:
        hours = self._builder.settings.quiet_hours
        return hours is not None and is_within(hours, local_minute(self._stamp(now)))

    # The hall.

    def set_hall_report(self, report: HallReport, now: float) -> None:
        """Store what the link reports, per requesting client. Raises StoreError."""
        assert self._request is not None
        self.hall.put_report(self._request.client, report)
        if report.view.state is HallState.ALONE and self.hall.decision.rev:
            # The next hall counts its decisions anew.
            self.hall.forget_decisions()
            self._show_released(now)

    def decide(self, decision: Decision, assigned: Assignment | None, now: float) -> bool:
        """Store a decision of the hub: a match, or None for none.

        False if a newer one is stored, or another one of its number. Raises StoreError.
        """
        if assigned is not None:
            assigned = assigned._replace(arrived=self._stamp(now))
        is_stored = self.hall.decide(decision, assigned, self._session.game.match)
        if is_stored and assigned is None:
            self._show_released(now)
        else:
            self._show_assigned(now)
        return is_stored

    def _show_released(self, now: float) -> None:
        """A match without a step makes room for a game of the house."""
        self._show_assigned(now)
        if self._session.game.match is not None and not self._session.record.past:
            self._commit(leave_match(self._session, now), "menu", now)

    def _show_assigned(self, now: float) -> None:
        """Light the panels for a match that is offered or released."""
        before = self._session.offer
        self._refresh_hall()
        if self._session.offer != before:
            self._session = expire(self._session, now)._replace(touched_at=now)

    def renew_epoch(self, old: str | None) -> dict[str, Any] | None:
        """Begin a new epoch of the store; return the present one. Raises StoreError."""
        self.hall.renew_epoch(old)
        self._observer.set_epoch(self.hall.epoch_document())
        return self.hall.epoch_document()

    def _refresh_hall(self) -> None:
        """Pass the hall and the assigned matches to the session if they have changed."""
        self.hall.follow_setup(open_wish(self._session))
        view = self.hall.view(self.game_log.seq)
        if view != self._session.hall:
            self._session = set_hall(self._session, view)
        if self.hall.assignments is not self._session.assignments:
            self._session = self._session._replace(assignments=self.hall.assignments)
        self._session = self._match_clock.refresh(self._session)

    def _add_wish(self, wish: Wish) -> None:
        match = table_document(self._session, self.game_log.seq)["match"]
        self.hall.add_wish(wish, None if match is None else match["id"])

    def _wish_documents(self) -> list[dict[str, Any]]:
        return [wish_document(*wish) for wish in self.hall.wishes()]

    # Interface for requests and devices.

    def handle_request(self, request: Request, now: float) -> None:
        """Answer one request of the socket."""
        self._request = request
        answer = answer_request(self, request, now)
        # A client that receives "ok" and reconnects must not get the previous score.
        self.tick(now)
        self._observer.reply(request.client, answer)

    def set_web_status(self, link: LinkView) -> None:
        """Store the address shown for phones, per requesting client."""
        assert self._request is not None
        self._web_status.put(self._request.client, link)

    def enter_step(self, step: Step, sender: str, now: float, reason: str = "") -> Reaction:
        """Enter a step that came from no button; judged and stored like a press."""
        reaction = enter_step(self._session, step, now)
        return self._commit(reaction, self._source(sender), now, reason)

    def _source(self, sender: str) -> str:
        """The source of the rows of a request: its sender and the user of its process."""
        return sender if self._request is None else with_user(sender, self._request.user)

    @property
    def _user(self) -> str:
        """The user of the process that sent the newest request."""
        return "" if self._request is None else self._request.user

    def handle_phone_press(self, press: PhonePress, sender: str, now: float) -> Reaction:
        """Process a press of a phone unless a button of the box is being pressed.

        A refusal is returned to the phone only and does not appear at the table.
        """
        from scorer.session import phone_press  # imported lazily: needed only with a paired phone

        if self._gestures.is_undecided:
            return refuse(self._session, Notice(NoticeKey.PHONE_BUSY, urgent=True))
        reaction = phone_press.press(self._session, press, now)
        if reaction.verdict not in (Verdict.ACCEPTED, Verdict.QUESTION):
            return reaction
        return self._commit(reaction, self._source(sender), now)

    @property
    def names(self) -> dict[str, str]:
        """The names of the scoring sides, "" where none was chosen."""
        sides = self._session.rules.scoring_sides
        names = self._session.names or ("",) * len(sides)
        return {side.value: name for side, name in zip(sides, names, strict=True)}

    def known_pairs(self) -> tuple[tuple[str, ...], ...]:
        """Names that played against each other, the newest first. Raises StoreError."""
        self._load_known_names()
        count = len(self._session.rules.scoring_sides)
        return tuple(pair for pair in self._session.box.known_pairs if len(pair) == count)

    def name_sides(self, names: tuple[str, ...], sender: str, now: float) -> Reaction:
        """Name all sides, as chosen on a phone; a refusal goes to the phone only."""
        from scorer.session import phone_names  # imported lazily: needed only with a paired phone

        reaction = phone_names.name_sides(self._session, names, now)
        if reaction.verdict is not Verdict.ACCEPTED:
            return reaction
        return self._commit(reaction, self._source(sender), now)

    def rename_pair(self, pair: str, name: str, sender: str, now: float) -> RenameFault | None:
        """Rename a pair of tonight's standings, as chosen on a phone. Raises StoreError."""
        fault = self.game_log.rename_pair(pair, name)
        if fault is None:
            self._hooks.log(f"standings: {pair!r} is named {name!r}, by {self._source(sender)}")
            self._load_page_data(now)
        return fault

    def pairing_tries(self, address: str, now: float) -> int | None:
        """Remaining attempts of an address; None while the panels show no code."""
        self._session = expire(self._session, now)
        shown = open_pairing(self._session, now)
        return None if shown is None else tries_left(shown, address)

    def pair(self, name: str, code: object, address: str, now: float) -> tuple[Phone, str] | None:
        """Pair a phone that knows the code on the panels; return it and its key.

        None for a wrong code, which costs ``address`` one attempt. The panels must show a code
        (``pairing_tries``). Raises StoreError.
        """
        shown = open_pairing(self._session, now)
        assert shown is not None
        if not codes_match(shown.code, code):
            self._session = reject_code(self._session, address)
            is_void = open_pairing(self._session, now) is None
            tries = 0 if is_void else tries_left(shown, address) - 1
            self._phones.on_wrong_code(address, self._user, tries, is_void=is_void)
            return None
        phone, key = self._phones.add(name, address, self._user, now)
        self._session = confirm_pairing(self._session, phone.name)
        self._refresh_phones(now)
        return phone, key

    def authenticate(self, phone_id: object, key: object, now: float) -> Phone | None:
        """The phone with this id, if ``key`` is its own and has not expired."""
        return self._phones.authenticate(phone_id, key, self._user, now)

    def unpair(self, phone: Phone, now: float) -> None:
        """Remove a phone at its own request. Raises StoreError."""
        self._phones.remove((phone.id,), self._source(f"phone {phone.name}"), now)
        self._refresh_phones(now)

    def _refresh_phones(self, now: float) -> None:
        """Pass the list of phones to the session if it has changed."""
        listed = self._phones.listed(now)
        if listed != self._session.box.phones:
            self._builder.set_phones(listed)
            self._session = set_phones(self._session, listed)

    def run_selftest(self, now: float) -> dict[str, Any] | None:
        """Test devices and store; return the report, None shortly after another test."""
        report = self._outputs.run_selftest(self._stuck, now)
        if report is None:
            return None
        state = {"store": check_store(self._journal), "clients": self._observer.client_count()}
        return {**report, **state, "marks": self.marks.words()}
