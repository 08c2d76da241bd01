"""The desk: login, boxes and alarms, over HTTPS only."""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
import secrets
import time
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.hall.events import Resend
from scorer.hub import audit, passwords
from scorer.hub.alarms import Counted
from scorer.hub.decisions import DecisionError, DecisionFault
from scorer.hub.desk_files import FILE_PATH, DeskFiles, tournament_in
from scorer.hub.desk_message import DeskAction, Json, boolean, named_tournament, number, text
from scorer.hub.desk_tournament import (
    change_text,
    desk_tournament,
    desk_tournaments,
    people_document,
)
from scorer.hub.forget_actions import ForgetActions
from scorer.hub.formats import formats_document
from scorer.hub.hub import Hub
from scorer.hub.logins import SESSION_SECONDS, Login
from scorer.hub.page_addresses import PAGE_PATHS, HallPage, PageAddresses, is_screen
from scorer.hub.paper.reports import file_sentences
from scorer.hub.passwords import ROLES, Person
from scorer.hub.state import TableWish
from scorer.hub.state_changes import SentStates
from scorer.hub.store.log import Author
from scorer.hub.store.projections import Resolution
from scorer.hub.tournament_actions import TournamentActions, decidable_events
from scorer.hub.tournament_file import read_tournament
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import TournamentDesk
from scorer.hub.troubles import trouble_document
from scorer.hub.wall import Pages
from scorer.i18n import translator
from scorer.plain_values import json_object
from scorer.rules.assigned import LIMITS, parse_assigned
from scorer.serving import csrf
from scorer.serving.json_responses import compressed_response, json_response
from scorer.serving.middleware import address_group, client_address
from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank
from scorer.system.log_limit import LogLimit
from scorer.system.rate_limit import RateLimit
from scorer.tournament import Reader
from scorer.tournament.export import NoTournamentFile

COOKIE = "__Host-truco-desk"
ACT_PATH = "/desk/act"  # a list of teams is long
_DESK, _ORGANISE, _CODE = PAGE_PATHS
MAX_FILE_BYTES = 2_000_000  # some thousand matches
_OWN = ("127.0.0.1", address_group("::1"))  # a browser on the machine itself
_LOG = logging.getLogger("scorer.hub.desk")  # strangers fill it: it has a limit
_LOG.addFilter(LogLimit())


class DeskRoutes:
    """One method per path or action."""

    def __init__(self, hub: Hub, pages: Pages, addresses: PageAddresses) -> None:
        self._hub, self._pages, self._addresses = hub, pages, addresses
        self._files = DeskFiles(hub, pages, addresses, partial(self._require, role="desk"))
        self._sent = SentStates()
        self._login_limit = RateLimit(rate=0.2, burst=10)
        self._all_logins_limit = RateLimit(rate=1.0, burst=20)
        # One at a time: scrypt is slow on purpose, and a table may be on the same machine.
        self._checking = asyncio.Lock()
        self.actions = {
            "accept": DeskAction("admin", self._accept),
            "refuse": DeskAction("admin", self._refuse),
            "reinstate": DeskAction("admin", self._reinstate),
            "close_counted": DeskAction("director", self._close_counted),
            "leave_games": DeskAction("director", self._leave_games),
            "name": DeskAction("admin", self._name),
            "revoke": DeskAction("admin", self._revoke),
            "end_session": DeskAction("admin", self._end_session),
            "resolve": DeskAction("director", self._resolve),
            "renew": DeskAction("director", self._renew),
            "assign": DeskAction("director", self._assign),
            "release": DeskAction("director", self._release),
            "scan": DeskAction("desk", self._scan),
            **TournamentActions(hub, pages).actions,
            **ForgetActions(hub, pages).actions,
        }

    def routes(self) -> list[PricedRoute]:
        page = Price(1000, 20_000, AnswerSource.FILES, rank=Rank.DESK)
        words = Price(1000, 100_000, AnswerSource.FILES, rank=Rank.DESK)
        refused = Price(1000, 4000, AnswerSource.REFUSED, rank=Rank.DESK)
        limited = Price(1000, 4000, AnswerSource.LIMITED, rank=Rank.DESK)
        return [
            PricedRoute(_DESK, self.page, page),
            # The code of a panel opens the desk, which asks before it accepts the result.
            PricedRoute(_CODE, self.page, page),
            PricedRoute(_ORGANISE, self.organise, page),
            PricedRoute("/desk/code/{code}", self.code, refused),
            PricedRoute("/desk/words/{language}.json", self._pages.desk_words, words),
            PricedRoute("/desk/state", self.state, refused),
            PricedRoute("/desk/formats", self.formats, refused),
            PricedRoute("/desk/addresses", self.addresses, refused),
            PricedRoute("/desk/login", self.login, limited, ("POST",)),
            PricedRoute("/desk/logout", self.logout, refused, ("POST",)),
            PricedRoute(ACT_PATH, self.act, refused, ("POST",)),
            PricedRoute(FILE_PATH, self.import_tournament, refused, ("POST",)),
            PricedRoute(audit.PATH, self.greetings, refused, ("POST",)),
            *self._files.routes(),
        ]

    async def page(self, request: Request) -> Response:
        return self._pages.page(request, "desk")

    async def organise(self, request: Request) -> Response:
        return self._pages.page(request, "organise")

    async def state(self, request: Request) -> Response:
        """The state; to a page that has the one of ``since``, its changes."""
        session = await self._require(request, "desk")
        language = self._pages.language_of(request)
        wanted, with_others = tournament_in(request), "others" in request.query_params
        may = [name for name in self.actions if self._may(session, name)]
        sessions = []
        if self._may(session, "end_session"):
            listed = await self._hub.state.read(self._hub.logins.listed)
            sessions = [{**each._asdict(), "own": each.id == session.id} for each in listed]
        troubles = await self._hub.troubles()
        await self._hub.state.read_closed(wanted)
        found = {
            "role": session.role,
            "may": may,
            "may_decide": decidable_events(session.role),
            **self._hub.desk_document(language),
            "troubles": [trouble_document(each, translator(language)) for each in troubles],
            "tournament": desk_tournament(self._hub, language, wanted),
            "others": desk_tournaments(self._hub, language)[1:] if with_others else [],
            **people_document(self._hub, language),
            "publishes": self._hub.publisher is not None,
            "sessions": sessions,
        }
        tag, body = self._sent.answer(found, request.query_params.get("since", ""))
        return compressed_response(request, body, {"ETag": f'"{tag}"'})

    def _may(self, session: Login, action: str) -> bool:
        return ROLES.index(self.actions[action].role) <= ROLES.index(session.role)

    async def formats(self, request: Request) -> Response:
        """The formats and variants of a new tournament, with their words."""
        await self._require(request, "desk")
        language = self._pages.language_of(request)
        listed = self._hub.matches.all_tournaments()
        last_used = max(listed, key=lambda each: each.id).format if listed else ""
        return json_response(formats_document(self._hub.formats_folder, language, last_used))

    async def addresses(self, request: Request) -> Response:
        """The addresses of all pages, and of each television that has a choice."""
        await self._require(request, "desk")
        screens = [code for code in sorted(self._hub.state.tournaments.screens) if is_screen(code)]
        listed = [
            *((page, "") for page in HallPage),
            *((HallPage.SCREEN, each) for each in screens),
        ]
        found = [
            {
                "page": page,
                "screen": screen,
                "address": self._addresses.of(request, page, screen),
                "code": f"/qr/{page}.svg{f'?screen={screen}' if screen else ''}",
            }
            for page, screen in listed
        ]
        return json_response({"pages": found})

    async def code(self, request: Request) -> Response:
        """What the code of a panel says, before it is accepted."""
        await self._require(request, "desk")
        return json_response(await self._hub.read_code(request.path_params["code"]))

    async def login(self, request: Request) -> Response:
        _require_own_page(request)
        await self._limit_logins(request)
        message = await _message(request)
        name, password = message.get("name"), message.get("password")
        if not isinstance(name, str) or not isinstance(password, str):
            raise HTTPException(400, "name and password are texts")
        person = await self._checked(name, password)
        address = client_address(request.scope)
        if person is None:
            self._hub.counted[Counted.LOGINS] += 1
            _LOG.warning("scorer hub: wrong name or password at the desk, from %s", address)
            raise HTTPException(403, "name or password is wrong")
        self._login_limit.give_back(address)
        token = secrets.token_hex(16)
        open_login = partial(self._hub.logins.open, person=person, address=address, token=token)
        await self._hub.state.write(open_login)
        response = json_response({"ok": True, "role": person.role})
        response.set_cookie(
            COOKIE,
            token,
            max_age=int(SESSION_SECONDS),
            secure=True,
            httponly=True,
            samesite="strict",
        )
        return response

    async def _limit_logins(self, request: Request) -> None:
        """Refuse more attempts than a person makes. Raises HTTPException.

        Those of one address never lock out another one; those of all together lock out neither who
        is at the machine itself nor who is logged in.
        """
        now, address = time.monotonic(), client_address(request.scope)
        wait = self._login_limit.acquire(address, now)
        if not wait and address not in _OWN and await self._session(request) is None:
            wait = self._all_logins_limit.acquire("all", now)
        if wait:
            seconds = math.ceil(wait)
            sentence = f"too many attempts; wait {seconds} s"
            raise HTTPException(429, sentence, {"Retry-After": str(seconds)})

    async def _checked(self, name: str, password: str) -> Person | None:
        """The person with this name and password, or None."""
        if len(name) > passwords.MOST_NAME_CHARS or len(password) > passwords.MOST_CHARS:
            return None
        person = await self._hub.find_person(name)
        known = person.password if person is not None else None
        async with self._checking:
            is_right = await asyncio.to_thread(passwords.is_password, password, known)
        return person if is_right else None

    async def logout(self, request: Request) -> Response:
        """End the session, so that a copied cookie is worth nothing."""
        await _message(request)
        session = await self._session(request)
        if session is not None:
            await self._hub.state.write(partial(self._hub.logins.end, id=session.id))
        response = json_response({"ok": True})
        response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict")
        return response

    async def greetings(self, request: Request) -> Response:
        """Let every box greet again, for an audit; of a command on this machine."""
        wanted = f"Hub {audit.authorization(self._hub.identity)}"
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), wanted.encode()):
            raise HTTPException(403, "only the commands of this hub may ask for that")
        self._hub.state.presence.send_all(Resend())
        return json_response({"ok": True})

    async def act(self, request: Request) -> Response:
        _require_own_page(request)
        # A body is read only after its session is found.
        session = await self._require(request, ROLES[0])
        message = await _message(request)
        name = message.get("do")
        action = self.actions.get(name) if isinstance(name, str) else None
        if action is None:
            raise HTTPException(400, f"do is one of {', '.join(self.actions)}")
        if not self._may(session, str(name)):
            raise HTTPException(403, f"this needs the role {action.role}")
        try:
            await self._hub.state.read_closed(named_tournament(message))
            found = await action.act(Author(session.name, session.role), message)
        except DecisionError as error:
            document = _refusal_document(error)
            if error.change is not None:
                # Another process of the hub may have made that decision.
                await self._hub.state.refresh()
                language = self._pages.language(text(message, "language"))
                document["change"]["text"] = change_text(self._hub, error.change, language)
            return json_response(document, 409)
        return json_response({"ok": True, **(found or {})})

    async def import_tournament(self, request: Request) -> Response:
        """Begin the tournament of a file beside the others.

        ``check`` in the query: answer the same, and begin nothing. ``seen``: refuse it if another
        one was begun since that entry of the log.
        """
        session = await self._require(request, "director")
        _require_own_page(request)
        seen = request.query_params.get("seen", "")
        # In a thread: thousands of events take a second.
        found = await asyncio.to_thread(read_tournament, await request.body())
        if isinstance(found, NoTournamentFile):
            lines = file_sentences(found, self._pages.language_of(request))
            return json_response({"error": found.text, "key": "t.file", "lines": lines}, 409)
        state, made = found.state, {}
        if "check" not in request.query_params:
            begin = partial(
                TournamentDesk.begin,
                format_=state.format,
                events=found.log,
                seen=int(seen) if seen.isdecimal() else None,
            )
            author = Author(session.name, session.role)
            made = {"tournament": await self._hub.state.direct(author, begin)}
        title = Phrases(Reader(state), self._pages.language_of(request)).title
        counts = {"teams": len(state.teams), "results": len(state.results)}
        return json_response({"ok": True, "title": title, **counts, **made})

    async def _session(self, request: Request) -> Login | None:
        """The session of the request, or None."""
        token = request.cookies.get(COOKIE, "")
        if not token:
            return None
        address = client_address(request.scope)
        # The read of a stranger's token waits behind rows and desks.
        rank = max(Rank.DESK, self._hub.rank_of(address))
        found = await self._hub.state.read(partial(self._hub.logins.find, token=token), rank)
        if found is not None:
            self._hub.know_address(address)
        return found

    async def _require(self, request: Request, role: str) -> Login:
        """The session of the request, if its role is enough. Raises HTTPException."""
        session = await self._session(request)
        if session is None:
            # The body of a stranger is not read.
            closing = {"Connection": "close"} if request.method == "POST" else None
            raise HTTPException(401, "log in first", closing)
        if ROLES.index(session.role) < ROLES.index(role):
            raise HTTPException(403, f"this needs the role {role}")
        return session

    # ---- actions

    async def _accept(self, author: Author, message: Json) -> None:
        table, name, replaces = number(message, "table"), text(message, "name"), _replaces(message)
        await self._hub.accept(author, text(message, "key"), table, name, replaces)

    async def _reinstate(self, author: Author, message: Json) -> None:
        device, table = number(message, "device"), number(message, "table")
        await self._hub.reinstate(author, device, table, _replaces(message))

    async def _refuse(self, author: Author, message: Json) -> None:
        self._hub.joins.refuse(text(message, "key"), time.monotonic())

    async def _close_counted(self, author: Author, message: Json) -> None:
        what = text(message, "what")
        if what not in list(Counted):
            raise HTTPException(400, f"what is one of {', '.join(Counted)}")
        del self._hub.counted[Counted(what)]

    async def _leave_games(self, author: Author, message: Json) -> None:
        await self._hub.leave_games(author)

    async def _name(self, author: Author, message: Json) -> None:
        device, table = number(message, "device"), number(message, "table")
        name = text(message, "name")
        await self._hub.state.decide(author, lambda desk: desk.name(device, table, name))

    async def _revoke(self, author: Author, message: Json) -> None:
        await self._hub.revoke(author, number(message, "device"))

    async def _end_session(self, author: Author, message: Json) -> None:
        end = partial(self._hub.logins.end, id=text(message, "session"))
        await self._hub.state.write(end)

    async def _resolve(self, author: Author, message: Json) -> None:
        how = text(message, "how")
        if how not in list(Resolution):
            raise HTTPException(400, f"how is one of {', '.join(Resolution)}")
        await self._hub.resolve(
            author, number(message, "alarm"), Resolution(how), text(message, "machine")
        )

    async def _renew(self, author: Author, message: Json) -> None:
        await self._hub.renew_epoch(number(message, "device"))

    async def _assign(self, author: Author, message: Json) -> None:
        values = {"header": message.get("header"), "lock": boolean(message, "lock")}
        document = {"do": "assign", **values, **{key: message.get(key) for key in LIMITS}}
        # What the table would refuse must not be in the log.
        assigned = parse_assigned(document)
        if isinstance(assigned, str):
            raise HTTPException(400, assigned)
        await self._hub.state.desire(author, [TableWish(number(message, "device"), document)])

    async def _release(self, author: Author, message: Json) -> None:
        await self._hub.state.desire(
            author, [TableWish(number(message, "device"), {"do": "release"})]
        )

    async def _scan(self, author: Author, message: Json) -> None:
        await self._hub.accept_code(author, text(message, "code"))


def _replaces(message: Json) -> int:
    """The box that gives up its table; 0 if the message names none."""
    return number({"replaces": 0, **message}, "replaces")


async def refused(request: Request, error: Exception) -> Response:
    """A decision that is refused, as JSON; a handler of Starlette."""
    assert isinstance(error, DecisionError)
    return json_response(_refusal_document(error), 409)


def _refusal_document(error: DecisionError) -> Json:
    return {
        "error": str(error),
        "key": error.key,
        "change": None if error.change is None else error.change._asdict(),
        "field": error.field,
        "numbers": dict(error.numbers),
    }


async def unavailable(request: Request, error: Exception) -> Response:
    """The answer while the database cannot be used; a handler of Starlette."""
    sentence = "the hub cannot use its database now; try again"
    return json_response({"error": sentence, "key": DecisionFault.STORE}, 503)


async def gone(request: Request, error: Exception) -> Response:
    """The answer that a client does not read: it left while its body arrived."""
    return Response(status_code=400)


def _require_own_page(request: Request) -> None:
    """Refuse a request of a page that is not of this hub. Raises HTTPException."""
    refusal = csrf.refusal(request.headers, "https")
    if refusal is not None:
        raise HTTPException(*refusal)


async def _message(request: Request) -> Json:
    """The JSON object of a request of our page. Raises HTTPException."""
    _require_own_page(request)
    message = json_object(await request.body())
    if message is None:
        raise HTTPException(400, "the body is a JSON object")
    return message
