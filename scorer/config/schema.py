"""Sections of the owner's file that every table has and that no session uses.

Values as ``plain_values`` reads them; ``loader`` checks what sections say against each other.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, Protocol

from scorer.config import time_zone
from scorer.hw import load
from scorer.i18n import has_language, languages
from scorer.plain_values import Found, Like, Range, suggestion
from scorer.rules.notation import shorten
from scorer.session.values.settings import NOTHING, Rest, SoundSection, TableSection, parse_hours

MAX_VIEWERS = 1000  # what MemoryMax= of scorer-web and scorer-hub carries
FEWEST_COLUMNS = 96  # of a panel
DEFAULT_PANEL_DRIVER = "luma_oled"
SIDES = ("A", "B", "C")

Port = Annotated[int, Range(1, 65535)]
Viewers = Annotated[int, Range(1, MAX_VIEWERS)]
_IP_ADDRESS = r"[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
Address = Annotated[str, Like(_IP_ADDRESS, "is not like 0.0.0.0 or ::")]
Host = Annotated[str, Like(r"[A-Za-z0-9.-]+", "is no name like truco.example.org, without a port")]
_ProxyAddress = Annotated[str, Like(_IP_ADDRESS, "is no address like 127.0.0.1")]


class CheckedTable(TableSection):
    """The section with the checks that need languages and time zones."""

    __slots__ = ()

    def find_problems(self) -> Iterator[Found]:
        if not has_language(self.language):
            there = ", ".join(languages())
            yield "language", f"no language '{shorten(self.language)}'; there are {there}"
        yield from super().find_problems()
        if self.time_zone and (problem := time_zone.find_problem(self.time_zone)):
            yield "time_zone", problem


class CheckedSound(SoundSection):
    """The section with the checks of its hours and its pin."""

    __slots__ = ()

    def find_problems(self) -> Iterator[Found]:
        if self.quiet and parse_hours(self.quiet) is None:
            yield "quiet", f"'{shorten(self.quiet)}' is not like '23:00-08:00'"
        for found in load.problems("outputs", "buzzer", {"pin": self.pin}):
            yield found.path, found.sentence


class StoreSection(NamedTuple):
    """The folder of the journal."""

    directory: str = "/var/lib/scorer"


class SocketSection(NamedTuple):
    """Path of the API socket; a socket passed by systemd takes precedence."""

    path: str = "/run/scorer/table.sock"


class BackupSection(NamedTuple):
    """The label of the USB stick for copies of the games; capitals do not matter."""

    # What FAT and exFAT can have as a label, and what needs no escapes in /dev/disk/by-label.
    label: Annotated[str, Like("[A-Za-z0-9_-]{1,11}", "is not 1 to 11 letters, digits, - or _")] = (
        "TRUCO"
    )


class WebSection(NamedTuple):
    """Address and limits of ``scorer web``, and the folder of the owner's pages.

    ``viewers_each``: maximum per address; phones behind a second router share one. ``hosts``: host
    names that browsers may use, besides the machine's addresses, localhost and <hostname>.local.
    ``certificate`` and ``key``: PEM files for HTTPS. ``proxies``: addresses of proxies, whose
    X-Forwarded-Proto and X-Forwarded-For are believed; browsers reach them as the first host.
    """

    address: Address = "0.0.0.0"
    port: Port = 8080
    hosts: tuple[Host, ...] = ()
    viewers: Viewers = 200
    viewers_each: Viewers = 40
    pages: str = "/etc/scorer/www"
    certificate: str = ""
    key: str = ""
    proxies: tuple[_ProxyAddress, ...] = ()

    def find_problems(self) -> Iterator[Found]:
        yield from tls_problems(self.certificate, self.key)
        if self.proxies and not self.hosts:
            yield "proxies", "write the name that browsers use for the proxy into hosts"


def tls_problems(certificate: str, key: str) -> Iterator[Found]:
    """Problems of the paths for HTTPS; ``serving.tls`` checks the files."""
    for name, path in (("certificate", certificate), ("key", key)):
        if path and not path.startswith("/"):
            yield name, f"'{shorten(path)}' is no whole path like /etc/scorer/tls/{name}.pem"
    if certificate and not key:
        yield "certificate", "HTTPS needs its key too"
    if key and not certificate:
        yield "key", "HTTPS needs the certificate too"


class ChosenDriver(Protocol):
    """A section that names a driver, and the options of that driver."""

    @property
    def driver(self) -> str: ...
    @property
    def options(self) -> Mapping[str, object]: ...


class PanelConfig(NamedTuple):
    """A panel: its driver, that driver's options, and the side on the left."""

    driver: str = DEFAULT_PANEL_DRIVER
    options: Rest = NOTHING
    side: Literal["A", "B", "C"] = "A"

    def find_problems(self) -> Iterator[Found]:
        # To list the drivers is to import them all: it is left out for the usual one.
        if self.driver != DEFAULT_PANEL_DRIVER and self.driver not in (
            drivers := load.drivers("displays")
        ):
            yield "driver", f"no driver '{self.driver}'{suggestion(self.driver, drivers)}"
            return
        problems = load.problems("displays", self.driver, self.options, ("driver", "side"))
        yield from problems
        if not problems:
            columns = load.display(self.driver, self.options).size[0]
            if columns < FEWEST_COLUMNS:
                yield (
                    "size",
                    f"the screens want {FEWEST_COLUMNS} columns or more, not {columns}",
                )

    @property
    def place(self) -> str:
        """The bus and the address, as the doctor and the log name it."""
        options = self.options
        if self.driver == "framebuffer":
            return f"HDMI, {options.get('device', '/dev/fb0')}"
        port = options.get("port")
        if options.get("interface", "i2c") == "spi":
            return f"SPI {0 if port is None else port}.{options.get('device', 0)}"
        address = options.get("address", 0x3C)
        return f"I2C {1 if port is None else port}, {address:#04x}"

    @property
    def summary(self) -> str:
        """The options that are in effect; addresses as the papers write them."""
        options: Any = load.options("displays", self.driver, self.options)
        options = getattr(options, "in_effect", options)
        unused = getattr(options, "unused_keys", ())
        values = {key: value for key, value in options._asdict().items() if key not in unused}
        if "address" in values:
            values["address"] = f"{values['address']:#x}"
        if "size" in values:
            values["size"] = "x".join(map(str, values["size"]))
        shown = ", ".join(f"{key} = {value_text(value)}" for key, value in values.items())
        return f"{self.driver}: side = {self.side}, {shown}"


class LampsSection(NamedTuple):
    """The pin (BCM) of each side's lamp; None: no lamp."""

    A: int | None = None
    B: int | None = None
    C: int | None = None

    def find_problems(self) -> Iterator[Found]:
        for side, pin in self.pins.items():
            for found in load.problems("outputs", "lamp", {"pin": pin}):
                yield side, found.sentence

    @property
    def pins(self) -> dict[str, int]:
        """The pins by side."""
        return {side: pin for side, pin in self._asdict().items() if pin is not None}


def value_text(value: object) -> str:
    """A value of a key, as ``scorer check`` prints it."""
    if isinstance(value, Mapping):
        value = tuple(f"{key} = {inner}" for key, inner in value.items())
    return (", ".join(value) if isinstance(value, tuple) else str(value)) or "none"
