"""Hearing from logind that the machine goes down, and asking it to: over the system bus, no sudo.

It knows nothing of truco, of panels or of the loop: what happens is told by calling back, from a
thread of its own. Where there is no bus nothing is heard and nothing fails.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from jeepney import MatchRule, Message
    from jeepney.io.blocking import DBusConnection

# Seconds between attempts to reach the bus: a logind that restarts is back at once; where there is
# no bus at all there will be none, and an idle table should sleep.
PAUSES = (1.0, 5.0, 30.0, 300.0)
REPLY_TIMEOUT_S = 5.0  # seconds for one answer of the bus

LOGIN = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = "org.freedesktop.login1.Manager"
BUS = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"
# Nobody said no: there is no logind just now. Going on without a delay would be for good.
NO_LOGIND_ERRORS = tuple(
    f"{BUS}.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "NoReply")
)


class PowerCallbacks(NamedTuple):
    """Whom to call, from another thread: each only puts something somewhere."""

    on_shutdown: Callable[[], None]
    on_poweroff_denied: Callable[[], None]  # switching off was refused


class Logind:
    """Hears that the machine goes down, and holds it up until the table has said goodbye.

    ``address`` is that of the bus, by default the system's.
    """

    def __init__(self, callbacks: PowerCallbacks, address: str = "SYSTEM") -> None:
        self._callbacks, self._address = callbacks, address
        self._closing = threading.Event()
        self._lock = threading.Lock()  # around the connection that is being listened to
        self._connection: DBusConnection | None = None
        self._was_connected = False
        self._thread = threading.Thread(target=self._run, name="logind", daemon=True)

    def start(self) -> None:
        """Begins to listen; a second call changes nothing."""
        if self._thread.ident is None:
            self._thread.start()

    def switch_off(self) -> None:
        """Asks for the machine to go down; ``stays_on`` is called where it will not. At once."""
        threading.Thread(target=self._request_poweroff, name="switch off", daemon=True).start()

    def close(self) -> None:
        """Ends the listening and lets the machine go down. Allowed twice, and before ``start``."""
        self._closing.set()
        with self._lock:
            if self._connection is not None:
                _shut_down_socket(self._connection)
        if self._thread.ident is not None:
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        said, failures = "", 0
        while not self._closing.is_set():
            self._was_connected = False
            try:
                self._listen()
            except _failure_types() as error:
                # Once for each new reason: a box without a bus must not fill its log.
                if str(error) != said and not self._closing.is_set():
                    said = str(error)
                    _log(f"is not heard: {said}")
            failures = 0 if self._was_connected else failures + 1
            self._closing.wait(PAUSES[min(failures, len(PAUSES) - 1)])

    def _listen(self) -> None:
        """Listens until the connection breaks. Raises what ``_failures`` lists."""
        with _connect(self._address) as connection:
            with self._lock:
                self._connection = connection
            try:
                # close() may have come just before there was anything to hang up.
                if not self._closing.is_set():
                    self._receive_signals(connection)
            finally:
                with self._lock:
                    self._connection = None

    def _receive_signals(self, connection: DBusConnection) -> None:
        heard: deque[Message] = deque()
        with contextlib.ExitStack() as stack:
            for rule in _subscribe(connection):
                stack.enter_context(connection.filter(rule, queue=heard))
            lock = _take_inhibitor(connection)
            if lock is not None:
                stack.callback(lock.close)
            (owner,) = _call(connection, BUS, BUS_PATH, BUS, "GetNameOwner", LOGIN)
            self._was_connected = True
            while not self._closing.is_set():
                self._handle_signal(connection.recv_until_filtered(heard), owner)

    def _handle_signal(self, message: Message, owner: str) -> None:
        from jeepney import HeaderFields

        fields = message.header.fields
        if fields.get(HeaderFields.member) == "NameOwnerChanged":
            if not message.body[1]:
                return  # it has only just come, called by us
            # The lock was with the logind that has gone: ask the new one for another.
            raise ConnectionError("logind has started anew")
        # Anybody may send a signal of this name to us; only logind means it.
        if fields.get(HeaderFields.sender) == owner and message.body == (True,):
            self._callbacks.on_shutdown()

    def _request_poweroff(self) -> None:
        try:
            with _connect(self._address) as connection:
                # False: nobody is asked for a password, there is no keyboard.
                _call(connection, LOGIN, PATH, MANAGER, "PowerOff", False)
        except _failure_types() as error:
            _log(f"cannot switch off: {error}")
            self._callbacks.on_poweroff_denied()


@contextlib.contextmanager
def _connect(address: str) -> Iterator[DBusConnection]:
    from jeepney.io.blocking import open_dbus_connection

    with open_dbus_connection(address, enable_fds=True) as connection:
        yield connection


def _shut_down_socket(connection: DBusConnection) -> None:
    # Closing alone would not wake the thread that waits for it.
    with contextlib.suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _subscribe(connection: DBusConnection) -> list[MatchRule]:
    """Asks the bus for what is to be heard; filters for what then comes."""
    from jeepney import MatchRule, message_bus

    down = {"interface": MANAGER, "member": "PrepareForShutdown", "path": PATH}
    moved = {"interface": BUS, "member": "NameOwnerChanged", "path": BUS_PATH}
    wanted = MatchRule(type="signal", sender=LOGIN, **down)
    owner = MatchRule(type="signal", sender=BUS, **moved)
    owner.add_arg_condition(0, LOGIN)
    for rule in (wanted, owner):
        _send(connection, message_bus.AddMatch(rule))
    # What comes bears the sender's number and not its name.
    return [MatchRule(type="signal", **down), owner]


def _take_inhibitor(connection: DBusConnection) -> Any:  # noqa: ANN401 - a descriptor of the library
    """Asks for a moment before the machine goes down: something to close, None where refused."""
    why = ("shutdown", "Truco Scorer", "the panel says goodbye", "delay")
    try:
        (lock,) = _call(connection, LOGIN, PATH, MANAGER, "Inhibit", *why)
    except _refusal_types() as error:
        if getattr(error, "name", "") in NO_LOGIND_ERRORS:
            raise
        _log(f"gives no delay: {error}")
        return None
    return lock


def _call(
    connection: DBusConnection,
    name: str,
    path: str,
    interface: str,
    method: str,
    *values: str | bool,
) -> tuple[Any, ...]:
    """The answer of a method that takes texts and truths. Raises what ``_failures`` lists."""
    from jeepney import DBusAddress, new_method_call

    signature = "".join("b" if isinstance(value, bool) else "s" for value in values)
    address = DBusAddress(path, name, interface)
    return _send(connection, new_method_call(address, method, signature, values))


def _send(connection: DBusConnection, message: Message) -> tuple[Any, ...]:
    from jeepney.wrappers import unwrap_msg

    body: tuple[Any, ...] = unwrap_msg(
        connection.send_and_get_reply(message, timeout=REPLY_TIMEOUT_S)
    )
    return body


def _refusal_types() -> tuple[type[Exception], ...]:
    from jeepney import DBusErrorResponse

    return (DBusErrorResponse,)


def _failure_types() -> tuple[type[Exception], ...]:
    """What a bus may raise, the missing library included."""
    try:
        # ValueError: a bus that lets us not in, or speaks strangely; KeyError: it has no address.
        return (OSError, ValueError, KeyError, RuntimeError, *_refusal_types())
    except ImportError:
        return (ImportError,)


def _log(sentence: str) -> None:
    sys.stderr.write(f"scorer run: logind {sentence}\n")
