"""D-Bus client of logind: shutdown signals, an inhibitor lock, and power-off.

Needs no sudo. Callbacks run on a thread of its own. Without a system bus it does nothing and raises
nothing.
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

# Seconds between attempts to connect to the bus: a restarting logind is back soon; a machine
# without a bus will not get one, and an idle table should sleep.
PAUSES = (1.0, 5.0, 30.0, 300.0)
REPLY_TIMEOUT_S = 5.0  # seconds for one reply on the bus

LOGIN = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = "org.freedesktop.login1.Manager"
BUS = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"
# Not a refusal: logind is not running now. Going on without a delay lock would be permanent.
NO_LOGIND_ERRORS = tuple(
    f"{BUS}.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "NoReply")
)


class PowerCallbacks(NamedTuple):
    """Callbacks, called on another thread: they must only enqueue."""

    on_shutdown: Callable[[], None]
    on_poweroff_denied: Callable[[], None]  # power-off was refused


class Logind:
    """Reports a shutdown of the machine, and delays it until ``close``.

    ``address`` of the bus, by default the system bus.
    """

    def __init__(self, callbacks: PowerCallbacks, address: str = "SYSTEM") -> None:
        self._callbacks, self._address = callbacks, address
        self._closing = threading.Event()
        self._lock = threading.Lock()  # guards the connection being listened to
        self._connection: DBusConnection | None = None
        self._was_connected = False
        self._thread = threading.Thread(target=self._run, name="logind", daemon=True)

    def start(self) -> None:
        """Start to listen; a second call has no effect."""
        if self._thread.ident is None:
            self._thread.start()

    def switch_off(self) -> None:
        """Request power-off without waiting; ``on_poweroff_denied`` is called on refusal."""
        threading.Thread(target=self._request_poweroff, name="switch off", daemon=True).start()

    def close(self) -> None:
        """Stop listening and release the delay lock. Idempotent; allowed before ``start``."""
        self._closing.set()
        with self._lock:
            if self._connection is not None:
                _shut_down_socket(self._connection)
        if self._thread.ident is not None:
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        logged, failures = "", 0
        while not self._closing.is_set():
            self._was_connected = False
            try:
                self._listen()
            except _failure_types() as error:
                # Once per new reason: a machine without a bus must not fill its log.
                if str(error) != logged and not self._closing.is_set():
                    logged = str(error)
                    _log(f"is not heard: {logged}")
            failures = 0 if self._was_connected else failures + 1
            self._closing.wait(PAUSES[min(failures, len(PAUSES) - 1)])

    def _listen(self) -> None:
        """Listen until the connection breaks. Raises ``_failure_types()``."""
        with _connect(self._address) as connection:
            with self._lock:
                self._connection = connection
            try:
                # close() may have been called before there was a connection to shut down.
                if not self._closing.is_set():
                    self._receive_signals(connection)
            finally:
                with self._lock:
                    self._connection = None

    def _receive_signals(self, connection: DBusConnection) -> None:
        signals: deque[Message] = deque()
        with contextlib.ExitStack() as stack:
            for rule in _subscribe(connection):
                stack.enter_context(connection.filter(rule, queue=signals))
            lock = _take_inhibitor(connection)
            if lock is not None:
                stack.callback(lock.close)
            (owner,) = _call(connection, BUS, BUS_PATH, BUS, "GetNameOwner", LOGIN)
            self._was_connected = True
            while not self._closing.is_set():
                self._handle_signal(connection.recv_until_filtered(signals), owner)

    def _handle_signal(self, message: Message, owner: str) -> None:
        from jeepney import HeaderFields

        fields = message.header.fields
        if fields.get(HeaderFields.member) == "NameOwnerChanged":
            if not message.body[1]:
                return  # logind has just started, activated by our call
            # The lock was lost with the old logind: reconnect to take another.
            raise ConnectionError("logind has started anew")
        # Any process may send us a signal of this name; only logind's counts.
        if fields.get(HeaderFields.sender) == owner and message.body == (True,):
            self._callbacks.on_shutdown()

    def _request_poweroff(self) -> None:
        try:
            with _connect(self._address) as connection:
                # False: no interactive authentication, there is no keyboard.
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
    # Closing alone would not wake the thread that blocks in recv.
    with contextlib.suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _subscribe(connection: DBusConnection) -> list[MatchRule]:
    """Subscribe to the signals; return filters for them."""
    from jeepney import MatchRule, message_bus

    down = {"interface": MANAGER, "member": "PrepareForShutdown", "path": PATH}
    moved = {"interface": BUS, "member": "NameOwnerChanged", "path": BUS_PATH}
    wanted = MatchRule(type="signal", sender=LOGIN, **down)
    owner = MatchRule(type="signal", sender=BUS, **moved)
    owner.add_arg_condition(0, LOGIN)
    for rule in (wanted, owner):
        _send(connection, message_bus.AddMatch(rule))
    # Signals carry the sender's unique name, not its well-known name.
    return [MatchRule(type="signal", **down), owner]


def _take_inhibitor(connection: DBusConnection) -> Any:  # noqa: ANN401 - a descriptor of the library
    """Take a delay lock for shutdown: an object to close, None if refused."""
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
    """Call a method with string and boolean arguments. Raises ``_failure_types()``."""
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
    """Exceptions of the bus, including the missing library."""
    try:
        # ValueError: authentication or protocol error; KeyError: no bus address.
        return (OSError, ValueError, KeyError, RuntimeError, *_refusal_types())
    except ImportError:
        return (ImportError,)


def _log(sentence: str) -> None:
    sys.stderr.write(f"scorer run: logind {sentence}\n")
