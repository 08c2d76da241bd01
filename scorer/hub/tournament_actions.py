"""What the page of the desk does in a tournament, and who may do it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

from starlette.exceptions import HTTPException

from scorer.hub.decisions import DecisionError, DecisionFault, impossible_result
from scorer.hub.desk_message import (
    DeskAction,
    Json,
    boolean,
    named_tournament,
    number,
    numbers,
    require_role,
    seen_of,
    text,
    texts,
)
from scorer.hub.desk_tournament import desk_results
from scorer.hub.formats import offered_formats, with_changes
from scorer.hub.hub import Hub
from scorer.hub.match_place import MatchKey
from scorer.hub.paper.reports import (
    entry_sentences,
    heading_sentence,
    preview,
    size_sentences,
)
from scorer.hub.passwords import ROLES
from scorer.hub.store.log import Author
from scorer.hub.tournament_documents import consequences_document
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import PRIORITIES, TournamentDesk
from scorer.hub.wall import Pages
from scorer.tournament import (
    Event,
    EventRefusal,
    Format,
    FormatError,
    NoEvent,
    Reader,
    Result,
    Tournament,
    begin,
    parse,
)
from scorer.tournament.consequences import annulled_by_rule, departure
from scorer.tournament.entry_list import EntryList, may_be_listed, read_entries
from scorer.tournament.events import (
    AllowRematch,
    AnnulResult,
    AttendRound,
    ChangeTeam,
    CorrectResult,
    EndPhase,
    Enter,
    EnterAgain,
    ExchangeTeams,
    MarkMissing,
    MarkPresent,
    MissRound,
    NameTournament,
    PairByHand,
    RecordResult,
    Withdraw,
)
from scorer.tournament.fold import may_annul
from scorer.tournament.model import Ending, Reason
from scorer.tournament.results import check
from scorer.tournament.sizes import ImpossiblePhase, sizes

# Presence and paper results; every other event is the director's.
_OF_THE_DESK = (
    Enter,
    ChangeTeam,
    MarkMissing,
    MarkPresent,
    MissRound,
    AttendRound,
    EnterAgain,
    RecordResult,
)
# They change what others rely on.
_WITH_REASON = (
    Withdraw,
    CorrectResult,
    AnnulResult,
    PairByHand,
    ExchangeTeams,
    AllowRematch,
    EndPhase,
)
_MAX_REASON = 200  # characters
_MAX_MINUTES = 600
_MOST_MINUTES_MORE = 120  # at once
VIEWS = ("all", "where", "standings", "bracket", "scores")  # of a television


class TournamentActions:
    """One method per action of the page."""

    def __init__(self, hub: Hub, pages: Pages) -> None:
        self._hub, self._pages = hub, pages
        self.actions = {
            "t.check": DeskAction("desk", self._check),
            "t.begin": DeskAction("director", self._begin),
            "t.event": DeskAction("desk", self._event),
            "t.consequences": DeskAction("desk", self._consequences),
            "t.leaving": DeskAction("desk", self._leaving),
            "t.questions": DeskAction("desk", self._questions),
            "t.results": DeskAction("desk", self._results),
            "t.correct": DeskAction("director", self._correct),
            "t.call": DeskAction("desk", self._call),
            "t.take_back": DeskAction("desk", self._take_back),
            "t.more_time": DeskAction("director", self._more_time),
            "t.exchange": DeskAction("director", self._exchange),
            "t.by_itself": DeskAction("director", self._by_itself),
            "t.presence": DeskAction("desk", self._presence),
            "t.consent": DeskAction("director", self._consent),
            "t.publish": DeskAction("desk", self._publish),
            "t.publish_after": DeskAction("director", self._publish_after),
            "t.why": DeskAction("desk", self._why),
            "t.screen": DeskAction("desk", self._screen),
            "t.close": DeskAction("director", self._close),
            "t.reopen": DeskAction("director", self._reopen),
            "t.priority": DeskAction("director", self._priority),
            "t.people": DeskAction("desk", self._people),
        }

    async def _check(self, author: Author, message: Json) -> Json:
        """What is wrong with a list of teams, before anything is created.

        ``format`` "": of teams that enter the tournament that has begun; ``team``: the one that is
        changed.
        """
        language = self._pages.language(text(message, "language"))
        if message.get("format") == "":
            state = self._reader(message).state
            changed = 0 if message.get("team") is None else number(message, "team")
            others = {id_: team for id_, team in state.teams.items() if id_ != changed}
            found = _entries(state._replace(teams=others), message)
            return {
                **_list_report(found, language),
                "has_errors": bool(found.errors),
                "lines": entry_sentences(found, language),
            }
        format_ = _changed(offered_formats(self._hub.formats_folder), message)
        found = _entries(begin(format_), message)
        size = sizes(format_, len(found.entries))
        lines = entry_sentences(found, language)
        # A team whose line is wrong is not counted.
        if not found.errors:
            lines += size_sentences(format_, size, language)
        phases = None if isinstance(size, ImpossiblePhase) else size.values()
        return {
            **_list_report(found, language),
            "matches": sum(each.matches for each in phases or ()),
            "has_errors": bool(found.errors) or phases is None,
            "lines": lines,
        }

    async def _begin(self, author: Author, message: Json) -> Json:
        """Begin a tournament beside the others.

        ``closes``: ids of those that end with it. ``replaces``: the only open one, which ends with
        it, or 0: there is none.
        """
        format_ = _changed(offered_formats(self._hub.formats_folder), message)
        found = _entries(begin(format_), message)
        if found.errors or isinstance(sizes(format_, len(found.entries)), ImpossiblePhase):
            raise DecisionError("the list of teams has errors", DecisionFault.LIST)
        named = NameTournament(*(text(message, key) for key in ("name", "date", "category")))
        _require_listable(named)
        closes = numbers(message, "closes")
        replaces = None if message.get("replaces") is None else number(message, "replaces")
        decision = partial(
            TournamentDesk.begin,
            format_=format_,
            events=[*([named] if any(named) else []), *found.entries],
            seen=seen_of(message),
            closes=[replaces] if replaces else closes,
            is_alone=replaces == 0,
        )
        return {"tournament": await self._hub.state.direct(author, decision)}

    async def _event(self, author: Author, message: Json) -> None:
        """Any event of the tournament; ``seen``: the newest entry that the page shows."""
        values = message.get("event")
        event = parse(values) if isinstance(values, Mapping) else NoEvent("event is an object")
        if isinstance(event, NoEvent):
            raise HTTPException(400, event.text)
        is_decided = isinstance(event, RecordResult) and event.result.ending is Ending.DECIDED
        if not (isinstance(event, _OF_THE_DESK) and not is_decided):
            require_role(author, "director")
        if (reason := _needed_reason(event)) is not None:
            _require_reason(reason)
        if isinstance(event, Enter | ChangeTeam) and (field := _unlisted_field(event)):
            raise DecisionError(
                "a text is too long or has a character that is refused",
                DecisionFault.CELLS,
                field=field,
            )
        if isinstance(event, NameTournament):
            _require_listable(event)
        # A round by hand has a pair for every two teams.
        pairs = 20 * len(self._reader(message).state.teams)
        if len(json.dumps(values)) > 10 * _MAX_REASON + pairs:
            raise HTTPException(400, "the event is too long")
        seen, tournament = number(message, "seen"), named_tournament(message)
        await self._hub.decide(author, event, seen, tournament)

    async def _consequences(self, author: Author, message: Json) -> Json:
        """What another result of a match changes; without ``result``: that it is annulled."""
        reader, match = self._reader(message), text(message, "match")
        if reader.state.match(match) is None:
            raise DecisionError("unknown_match", Reason.UNKNOWN_MATCH)
        result = None if message.get("result") is None else _result(message)
        if result is not None:
            _require_possible(reader, match, result)
        phrases = self._phrases(message)
        return {"consequences": consequences_document(phrases, match, result)}

    async def _leaving(self, author: Author, message: Json) -> Json:
        """What follows when a team leaves.

        ``annuls``: whether its matches of zones are annulled; null: as the format says.
        """
        reader, team = self._reader(message), number(message, "team")
        if message.get("annuls") is None:
            annuls = annulled_by_rule(reader, team)
        else:
            annuls = may_annul(reader.state, team) if boolean(message, "annuls") else ()
        found = departure(reader.state, team, annuls)
        if isinstance(found, EventRefusal):
            raise DecisionError(found.reason.value, found.reason)
        return {"annuls": [*annuls], "lines": self._phrases(message).departure(found)}

    async def _questions(self, author: Author, message: Json) -> Json:
        """What to ask of a result before it is recorded: whether it is meant so."""
        reader, match_id = self._reader(message), text(message, "match")
        match, result = reader.state.match(match_id), _result(message)
        if match is None:
            raise DecisionError("unknown_match", Reason.UNKNOWN_MATCH)
        _require_possible(reader, match_id, result)
        return {"questions": self._phrases(message).questions(match, result)}

    async def _results(self, author: Author, message: Json) -> Json:
        """The official results of a phase and a team, to be corrected."""
        phase, team = text(message, "phase"), number(message, "team")
        language = self._pages.language(text(message, "language"))
        tournament = named_tournament(message)
        return {"results": desk_results(self._hub, language, phase, team, tournament)}

    async def _correct(self, author: Author, message: Json) -> None:
        """Another result of a match, or none; what rests on the old one is annulled."""
        match, reason = text(message, "match"), text(message, "reason")
        _require_reason(reason)
        event = (
            AnnulResult(match, reason)
            if message.get("result") is None
            else CorrectResult(match, _result(message), reason)
        )
        decision = partial(
            TournamentDesk.correct,
            event=event,
            seen=number(message, "seen"),
            annuls=set(texts(message, "annuls")),
            takes_back=set(texts(message, "takes_back")),
        )
        await self._hub.state.direct(author, decision, named_tournament(message))

    async def _call(self, author: Author, message: Json) -> None:
        key, device = self._match(message), number(message, "device")
        await self._hub.matches.call(author, key, device, seen_of(message))

    async def _take_back(self, author: Author, message: Json) -> None:
        await self._hub.matches.take_back(author, self._match(message), seen_of(message))

    async def _more_time(self, author: Author, message: Json) -> None:
        """Let a match go on for some ``minutes`` beyond its limit."""
        key, minutes = self._match(message), number(message, "minutes")
        if not 1 <= minutes <= _MOST_MINUTES_MORE:
            raise HTTPException(400, f"minutes is 1 to {_MOST_MINUTES_MORE}")
        await self._hub.matches.add_time(author, key, minutes, seen_of(message))

    async def _exchange(self, author: Author, message: Json) -> None:
        """Two tables exchange their matches; ``other_tournament``: of the second one."""
        key, tournament = self._match(message), message.get("other_tournament")
        other = MatchKey(
            key.tournament if tournament is None else number(message, "other_tournament"),
            text(message, "other"),
        )
        await self._hub.matches.exchange(author, key, other, seen_of(message))

    async def _presence(self, author: Author, message: Json) -> None:
        """Mark all teams as ``present``, or as missing until they come."""
        seen, is_present = seen_of(message), boolean(message, "present")
        decision = partial(TournamentDesk.mark_all, is_present=is_present, seen=seen)
        await self._hub.state.direct(author, decision, named_tournament(message))

    async def _consent(self, author: Author, message: Json) -> None:
        """The players of all teams agree to be named in public."""
        decision = partial(TournamentDesk.consent, seen=seen_of(message))
        await self._hub.state.direct(author, decision, named_tournament(message))

    async def _by_itself(self, author: Author, message: Json) -> None:
        await self._set(author, message, "calls_by_itself", boolean(message, "on"))

    async def _priority(self, author: Author, message: Json) -> None:
        """Whose matches are called first: 1, 2 as ever, 3 last."""
        value = number(message, "priority")
        if value not in PRIORITIES:
            raise HTTPException(400, f"priority is {PRIORITIES[0]} to {PRIORITIES[-1]}")
        await self._set(author, message, "priority", value)

    async def _set(self, author: Author, message: Json, name: str, value: object) -> None:
        decision = partial(TournamentDesk.set, name=name, value=value, seen=seen_of(message))
        await self._hub.state.direct(author, decision, named_tournament(message))

    async def _close(self, author: Author, message: Json) -> None:
        """Put a tournament into the archive."""
        tournament = self._hub.matches.running(named_tournament(message)).id
        await self._hub.matches.close(author, tournament, seen_of(message))

    async def _reopen(self, author: Author, message: Json) -> None:
        decision = partial(TournamentDesk.reopen, seen=seen_of(message))
        await self._hub.state.direct(author, decision, number(message, "tournament"))

    async def _people(self, author: Author, message: Json) -> None:
        """Whether names in two tournaments are one person each; null: it is asked again.

        ``other_names``: those of the second tournament, "" where it is the same.
        """
        tournaments, names = numbers(message, "tournaments"), texts(message, "names")
        if len(tournaments) != 2:
            raise HTTPException(400, "tournaments are two ids")
        other_names = texts(message, "other_names") or ("",) * len(names)
        if len(other_names) != len(names):
            raise HTTPException(400, "other_names has one for each of names")
        answer = message.get("is_same_person", "")
        one, other = tournaments
        decision = partial(
            TournamentDesk.compare_people,
            names=names,
            other_names=other_names,
            tournaments=(one, other),
            is_same_person=None if answer is None else boolean(message, "is_same_person"),
        )
        await self._hub.state.direct(author, decision)

    async def _publish(self, author: Author, message: Json) -> None:
        await self._hub.matches.publish(author, self._match(message), seen_of(message))

    async def _publish_after(self, author: Author, message: Json) -> None:
        """``minutes``; null: with the last match of the round."""
        minutes = None if message.get("minutes") is None else number(message, "minutes")
        if minutes is not None and minutes > _MAX_MINUTES:
            raise HTTPException(400, f"minutes is at most {_MAX_MINUTES}")
        await self._set(author, message, "publish_after", minutes)

    async def _why(self, author: Author, message: Json) -> Json:
        """Why the teams of a match meet."""
        reader, match = self._reader(message), text(message, "match")
        if reader.state.match(match) is None:
            raise DecisionError("unknown_match", Reason.UNKNOWN_MATCH)
        return {"why": self._phrases(message).why(match)}

    def _phrases(self, message: Json) -> Phrases:
        """The words of the tournament in the language of the page. Raises DecisionError."""
        language = self._pages.language(text(message, "language"))
        return Phrases(self._reader(message), language)

    def _reader(self, message: Json) -> Reader:
        return self._hub.matches.reader(named_tournament(message))

    def _match(self, message: Json) -> MatchKey:
        """The match of a message. Raises DecisionError if there is no such tournament."""
        running = self._hub.matches.running(named_tournament(message))
        return MatchKey(running.id, text(message, "match"))

    async def _screen(self, author: Author, message: Json) -> None:
        """What the television with a code shows."""
        screen, show, phase = (text(message, key) for key in ("screen", "show", "phase"))
        if show not in VIEWS:
            raise HTTPException(400, f"show is one of {', '.join(VIEWS)}")
        listed = numbers(message, "tournaments")
        known = self._hub.state.tournaments
        if not set(listed) <= known.by_id.keys() | known.archive.keys():
            raise DecisionError("there is no such tournament", DecisionFault.NO_TOURNAMENT)
        shows = {
            "show": show,
            **({"phase": phase} if phase else {}),
            **({"tournaments": [*listed]} if listed else {}),
        }
        await self._hub.state.direct(
            author, partial(TournamentDesk.show, screen=screen, shows=shows)
        )


def decidable_events(role: str) -> list[str]:
    """The names of the events that a role may decide."""
    is_director = ROLES.index(role) >= ROLES.index("director")
    return [each.__name__ for each in get_args(Event) if is_director or each in _OF_THE_DESK]


def _changed(offered: Mapping[str, Format], message: Json) -> Format:
    """The format of a message with its ``changes``. Raises DecisionError."""
    name, changes = text(message, "format"), message.get("changes", {})
    if name not in offered:
        raise HTTPException(400, f"format is one of {', '.join(offered)}")
    if not isinstance(changes, Mapping):
        raise HTTPException(400, "changes is an object")
    try:
        return with_changes(offered[name], changes)
    except FormatError as error:
        raise DecisionError(str(error), DecisionFault.FORMAT) from None


def _entries(state: Tournament, message: Json) -> EntryList:
    listed = message.get("teams")
    if not isinstance(listed, str):
        raise HTTPException(400, "teams is a text, one team on each line")
    return read_entries(listed, state)


def _list_report(found: EntryList, language: str) -> Json:
    """What is taken from a list, and its reports as values."""
    reports = [
        *((each, False) for each in found.errors),
        *((each, True) for each in found.questions),
    ]
    return {
        "teams": len(found.entries),
        "names": [each.name for each in found.entries],
        "heading": heading_sentence(found.columns, language),
        "preview": preview(found, language)._asdict(),
        "columns": [each._asdict() for each in found.columns],
        "reports": [
            {**each._asdict(), "is_question": is_question} for each, is_question in reports
        ],
    }


def _unlisted_field(team: Enter | ChangeTeam) -> str:
    """The field with a text that no list may have; "" if there is none."""
    for field in ("name", "players", "reserves", "club"):
        if not may_be_listed(Enter("x")._replace(**{field: getattr(team, field)})):
            return field
    return ""


def _require_possible(reader: Reader, match: str, result: Result) -> None:
    """Raises DecisionError for a result that no match of the phase has."""
    phase = reader.phase_of(match)
    if (refusal := check(phase, result)) is not None:
        raise impossible_result(phase, refusal.fault)


def _needed_reason(event: Event) -> str | None:
    """The reason of an event that must have one; None of the others."""
    if isinstance(event, RecordResult):
        return None if event.result.ending is Ending.PLAYED else event.reason
    return event.reason if isinstance(event, _WITH_REASON) else None


def _require_listable(event: NameTournament) -> None:
    if not may_be_listed(event):
        raise DecisionError(
            "a text is too long or has a character that is refused", DecisionFault.CELLS
        )


def _require_reason(reason: str) -> None:
    if not 0 < len(reason.strip()) <= _MAX_REASON:
        raise DecisionError("a reason is missing", DecisionFault.REASON, field="reason")


def _result(message: Json) -> Result:
    values: Any = message["result"]
    event = parse({"do": "RecordResult", "match": "", "result": values})
    if isinstance(event, RecordResult) and event.result.ending in list(Ending):
        return event.result
    raise HTTPException(400, "result has winner, games, points and ending")
