"""Tables that play the matches of a tournament, and its director at the desk."""

from __future__ import annotations

import http.client
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from scorer.hub.titles import title_text
from scorer.i18n import translator
from scorer.rules import Action, Phase, Side, Step
from tests.hub.hub_process import Client, HubProcess
from tests.longrun import made_up_games, recorded_games
from tests.longrun.hall.playing import PlayedTable
from tests.longrun.recorded_games import Player

Hand = Sequence[tuple[str, str]]  # the side and the action of each step
Json = dict[str, Any]

FORMAT = "zones_and_bracket"
NAME, PASSWORD = "directora", "la revancha"
SEED = "20261123"
WAIT = 5.0  # seconds at the table between two looks at the assignment
_FIRST_CALLS = ("truco", *recorded_games.ENVIDO_CALLS)
# What ends a hand whose recorded steps are not legal at this score.
_CLOSING = ("no_quiero", "no_flor", "envido_won", "flor_won", "hand_won")
_SURNAMES = "Acosta Benítez Cabrera Duarte Escobar Ferreyra Godoy Herrera Ibáñez Juárez".split()


def hands() -> Sequence[Hand]:
    """Hands without flor: of the games that are kept, and the recorded ones."""
    listed = [*recorded_games.recorded(recorded_games.HANDS), *made_up_games.kept("gaucho")]
    found: list[list[tuple[str, str]]] = []
    for game in listed:
        found.append([])
        for side, action in game["steps"]:
            if action == Action.NEW_HAND:
                found.append([])
            else:
                found[-1].append((side, action))
    return [hand for hand in found if hand[0][1] in _FIRST_CALLS]


def team_list(count: int) -> str:
    """A list of teams as it is pasted at the desk."""
    return "\n".join(
        f"Los {_SURNAMES[turn % len(_SURNAMES)]} {turn // len(_SURNAMES) + 1}"
        for turn in range(count)
    )


class MatchTable(PlayedTable):
    """A table that plays each assigned match and agrees to the result."""

    def __init__(
        self, folder: Path, number: int, hands: Sequence[Hand], speed: float, seed: int
    ) -> None:
        super().__init__(folder, number, "argentine", "A", speed)
        self._hands, self._chance = hands, Random(seed)

    def play_with(self, player: Player) -> str:
        while True:
            match = player.state["match"]
            match match["phase"] if match else "":
                case "offered":
                    player.press("A.quiero")
                case "accepted" | "playing":
                    self._play_on(player)
                case "ended":
                    _press_both(player)
                    self.games_played += 1
                case _:
                    player.wait(WAIT)

    def _play_on(self, player: Player) -> None:
        """Play the next hand, or begin the next game."""
        if player.state["phase"] == Phase.GAME_OVER:
            _press_both(player)
            return
        hand = self._chance.choice(self._hands)
        if player.state["phase"] == Phase.HAND_OVER:
            # The first press of a hand deals it.
            player.wait(recorded_games.NEXT_HAND)
            player.say(_step(*hand[0]), first_trick=True)
            hand = hand[1:]
        self._press_hand(player, hand)

    def _press_hand(self, player: Player, hand: Hand) -> None:
        """Press the steps that are legal, and then what ends the hand."""
        first_trick = True
        for side, action in hand:
            if action == Action.FIRST_TRICK_DONE:
                first_trick = False
            elif not _say(player, side, action, first_trick=first_trick):
                break
        while steps := [each for each in _legal(player) if each[1] in _CLOSING]:
            if not _say(player, *self._chance.choice(steps), first_trick=first_trick):
                return


def _step(side: str, action: str) -> Step:
    return Step(Side(side), Action(action))


def _legal(player: Player) -> list[tuple[str, str]]:
    """What may be said in this hand."""
    if player.state["phase"] in (Phase.HAND_OVER, Phase.GAME_OVER, Phase.MATCH_OVER):
        return []
    return [(str(side), str(action)) for side, action in player.state["legal"]]


def _say(player: Player, side: str, action: str, *, first_trick: bool) -> bool:
    """Press a step if it is legal now; whether it was."""
    if (side, action) not in _legal(player):
        return False
    player.say(_step(side, action), first_trick=first_trick)
    return True


def _press_both(player: Player) -> None:
    for side in ("A", "B"):
        player.press(f"{side}.quiero")


class Director:
    """Leads a tournament over the HTTPS of the desk, as the page does."""

    def __init__(self, hub: HubProcess) -> None:
        self._hub = hub
        self._client: Client | None = None

    def set_password(self) -> None:
        """Give the director a password, which ends older sessions."""
        words = "password", NAME, "--role", "admin"
        self._hub.run(*words, text=f"{PASSWORD}\n").check_returncode()

    def begin(self, teams: int) -> None:
        """Enter a list, draw, open the first phase and let the hub call the matches."""
        listed, replaces = team_list(teams), (self._tournament() or {"id": 0})["id"]
        self.act("t.begin", format=FORMAT, teams=listed, replaces=replaces)
        self._event("Draw", seed=SEED)
        self.open_next_phase()
        self.act("t.by_itself", on=True)

    def begin_another(self, format_: str, listed: str) -> None:
        """Begin a tournament beside the others, and let the hub call its matches."""
        form = {"format": format_, "teams": listed, "seen": self.state()["seq"]}
        number = self.act("t.begin", **form)["tournament"]
        self._decide(number, "Draw", seed=SEED)
        self.lead()
        self.act("t.by_itself", tournament=number, on=True)

    def answer_about_people(self, *, is_same_person: bool, names: int) -> None:
        """Answer about the first names that two tournaments have."""
        (asked, *_) = self.state()["people"]
        first = [each["name"] for each in asked["names"][:names]]
        values = {"names": first, "tournaments": asked["tournaments"]}
        self.act("t.people", **values, is_same_person=is_same_person)

    def lead(self) -> None:
        """Open every phase that can begin, and pair every round that is due."""
        events = {"start": "StartPhase", "pair": "PairRound", "playoff": "PairRound"}
        is_done = False
        while not is_done:
            due = [
                (each["id"], events[phase["todo"]], phase["id"])
                for each in self.tournaments()
                for phase in each["phases"]
                if phase["todo"] in events
            ]
            for number, do, phase_id in due:
                self._decide(number, do, phase=phase_id)
            is_done = not due

    def tournaments(self) -> list[Json]:
        """The open ones, the oldest first. Raises OSError and RuntimeError."""
        found = self._ask("GET", "/desk/state?lang=es-AR&others=yes", {})
        return [found["tournament"], *found["others"]] if found["tournament"] else []

    def open_next_phase(self) -> None:
        """Open a phase that can begin."""
        for phase in self._phases():
            if phase["todo"] == "start":
                self._event("StartPhase", phase=phase["id"])
                return

    def progress(self) -> Mapping[str, tuple[int, int]]:
        """Official and all matches of each phase that has begun."""
        return {
            title_text(phase["title"], translator("en")): (phase["official"], len(phase["matches"]))
            for phase in self._phases()
            if phase["is_begun"]
        }

    def champion(self) -> str:
        """The winner of the final, or ""."""
        found = self._tournament()
        finals = [each for each in (found or {})["official"] if each["stage"]["key"] == "final"]
        if not finals or not all(each["is_over"] for each in self._phases()):
            return ""
        return str(finals[0]["sides"][finals[0]["result"]["winner"]]["name"])

    def _phases(self) -> list[Json]:
        return list((self._tournament() or {"phases": []})["phases"])

    def _tournament(self) -> Json | None:
        found: Json | None = self.state()["tournament"]
        return found

    def state(self) -> Json:
        """What the page of the desk is shown. Raises OSError and RuntimeError."""
        return self._ask("GET", "/desk/state?lang=es-AR", {})

    def act(self, do: str, **values: object) -> Json:
        """Decide something. Raises OSError without a hub, RuntimeError if it refuses."""
        return self._ask("POST", "/desk/act", {"do": do, **values})

    def _decide(self, tournament: int, do: str, **values: object) -> None:
        seen = self.state()["seq"]
        self.act("t.event", tournament=tournament, event={"do": do, **values}, seen=seen)

    def _event(self, do: str, **values: object) -> None:
        seen = (self._tournament() or {})["seq"]
        self.act("t.event", event={"do": do, **values}, seen=seen)

    def _ask(self, how: str, path: str, message: Json) -> Json:
        """The answer; OSError without a hub, RuntimeError if it refuses."""
        try:
            client = self._client or self._log_in()
            answer = client.get(path) if how == "GET" else client.desk(path, message)
        except (OSError, http.client.HTTPException) as error:
            self._client = None
            raise OSError(f"the hub does not answer: {error}") from error
        if answer.status != 200:
            raise RuntimeError(f"{message.get('do', path)}: {answer.status} {answer.body!r}")
        return dict(answer.document)

    def _log_in(self) -> Client:
        client = self._hub.client()
        client.desk("/desk/login", {"name": NAME, "password": PASSWORD})
        self._client = client
        return client
