"""Open the own network when the known ones are away, and leave it to join one.

One radio is in one network at a time. So joining closes the own network, which is opened again if
joining has failed; and while it is open, the known networks are looked for now and then, but not
under the phones or the game of those who use it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from scorer.config.wifi_section import WifiNetwork
from scorer.system.wifi.joining import JoinOutcome
from scorer.system.wifi.state import JoinStatus, WifiState
from scorer.system.wifi.watch_request import WATCH_VALID_S, WatchRequest

LOST_S: Final = 180.0  # seconds without a known network until the box opens its own
CLOSING_S: Final = 8.0  # seconds between a request to join and the end of the own network
LOOK_S: Final = 600.0  # seconds between two looks for the known networks
AGAIN_S: Final = 60.0  # seconds after which opening is tried again


class Radio(Protocol):
    """What the watch needs of the machine. Every method may raise OSError."""

    def is_connected(self) -> bool | None:
        """Whether a network other than the own one is connected; None: unknown."""

    def is_open(self) -> bool:
        """Whether the own network is open."""

    def knows_networks(self) -> bool:
        """Whether there is a network that could come back."""

    def has_phones(self) -> bool:
        """Whether a phone is in the own network."""

    def open(self) -> tuple[JoinOutcome, WifiState | None]:
        """Open the own network, on a radio that is switched on for it."""

    def leave(self) -> bool:
        """Close the own network; whether a known network is connected then."""

    def join(self, network: WifiNetwork) -> JoinOutcome:
        """Join a network, and keep it if that succeeds."""


class _Pending(NamedTuple):
    """A network that is joined at a time."""

    network: WifiNetwork
    at: float


class NetworkWatch:
    """The state of the watch. Times are seconds of a monotonic clock."""

    def __init__(
        self, radio: Radio, save: Callable[[WifiState], object], log: Callable[[str], object]
    ) -> None:
        """``save``: the state for panel and pages; ``log``: a sentence for the owner."""
        self._radio, self._save, self._log = radio, save, log
        self._watch, self._watch_until = WatchRequest(is_on=False), float("-inf")
        self._open_at: float | None = None  # unless a known network comes back before
        self._look_at: float | None = None
        self._pending: _Pending | None = None
        self._own: WifiState | None = None

    def watch(self, request: WatchRequest, now: float) -> None:
        """Note the choice of set-up, which holds for a while."""
        if self._watch.is_on and not request.is_on and self._look_at is not None:
            # At once: it was opened for the choice that is taken back.
            self._look_at = now
        self._watch, self._watch_until = request, now + WATCH_VALID_S

    def ask(self, network: WifiNetwork, now: float) -> bool:
        """Join a network soon; False if another one is about to be joined.

        Panel and page have CLOSING_S to say so.
        """
        if self._pending is not None:
            return False
        self._pending = _Pending(network, now + CLOSING_S)
        own = self._own
        if own is None and self._radio.is_open():
            # Another process has opened it.
            own = self._radio.open()[1]
        if own is not None:
            self._save(own._replace(target=network.name, fault=None))
        return True

    def tick(self, now: float) -> None:
        """Do what is due. Blocks while networks are joined. Raises OSError."""
        if self._pending is not None:
            if now >= self._pending.at:
                network, self._pending = self._pending.network, None
                self._join(network)
            return
        if self._radio.is_open():
            self._look(now)
            return
        self._look_at = None
        is_connected = self._radio.is_connected() if self.is_watching(now) else True
        if is_connected is None:
            return
        if is_connected:
            self._open_at = None
        elif self._open_at is None:
            self._open_at = now + LOST_S
        elif now >= self._open_at:
            self._open_at = now + AGAIN_S
            self._reopen()

    def is_watching(self, now: float) -> bool:
        """Whether the table has asked for the own network, and still runs."""
        return self._watch.is_on and now < self._watch_until

    def is_idle(self, now: float) -> bool:
        """Whether nothing would happen without a further request."""
        return not (self.is_watching(now) or self._pending is not None or self._look_at is not None)

    def _reopen(self, target: str = "", fault: JoinStatus | None = None) -> None:
        """Open the own network. ``fault``: why ``target`` was not joined."""
        outcome, opened = self._radio.open()
        self._log(outcome.sentence)
        self._own = opened
        if opened is not None:
            self._open_at = None
            self._save(opened._replace(target=target, fault=fault))

    def _join(self, network: WifiNetwork) -> None:
        was_open = self._radio.is_open()
        self._save(WifiState(JoinStatus.JOINING, network.name))
        try:
            outcome = self._radio.join(network)
        except OSError as error:
            outcome = JoinOutcome(JoinStatus.FAILED, f"{network.name}: {error.strerror}")
        self._log(outcome.sentence)
        if outcome.status is JoinStatus.JOINED or not was_open:
            self._own = self._look_at = None
            self._save(WifiState(outcome.status, network.name))
        else:
            self._reopen(network.name, outcome.status)

    def _look(self, now: float) -> None:
        """Leave the own network for a known one that may be back."""
        if self._look_at is None:
            if self.is_watching(now) and self._radio.knows_networks():
                self._look_at = now + LOOK_S
            return
        if now < self._look_at:
            return
        self._look_at = now + LOOK_S
        is_wanted = self._watch.is_on
        if is_wanted and (self._watch.is_playing or self._radio.has_phones()):
            return
        self._save(WifiState(JoinStatus.JOINING, ""))
        if self._radio.leave():
            self._own = self._look_at = None
            self._save(WifiState(JoinStatus.JOINED, ""))
            self._log("a known network is back: the own one is closed")
        elif is_wanted:
            self._reopen()
        else:
            self._look_at = None
