"""Address and network status reported by the web process (socket.md#notice)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

from scorer.plain_values import SECRET, Found, Like, OneLine, Range, Text, read
from scorer.session.values.shown import LinkState, LinkView

MAX_ADDRESS_CHARS: Final = 100
MAX_NAME_CHARS: Final = 64  # letters of <hostname>.local: a host name has 63 at most
MAX_WIFI_BYTES: Final = 32  # bytes of an SSID (IEEE 802.11)
MAX_PASSWORD_CHARS: Final = 12  # of the box's own network
MAX_VIEWERS: Final = 100_000
# Why there is no address; beside OFFLINE, which is all that is known of most boxes.
NO_ADDRESS_REASONS: Final = (
    LinkState.OFFLINE,
    LinkState.WAITING,
    LinkState.PASSWORD,
    LinkState.ABSENT,
    LinkState.FAILED,
    LinkState.LOCAL,
)

# Why the box has not joined a network, and has opened its own again.
JOIN_FAULTS: Final = ("", LinkState.PASSWORD, LinkState.ABSENT, LinkState.FAILED)

_ADDRESS = Like(
    r"(https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[!-~]*)?)?",
    "is not like http://192.168.1.7:8080/; without a network it is empty",
)
_NAME = Like(r"((?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+)?", "is not like truco.local")
_PASSWORD = Like("[!-~]*", "is not of printable characters without accents")


class _Status(NamedTuple):
    """The keys of the message; ``network`` says why there is no address."""

    address: Annotated[str, Text(MAX_ADDRESS_CHARS, 0), _ADDRESS]
    name: Annotated[str, Text(MAX_NAME_CHARS, 0), _NAME] = ""
    wifi: Annotated[str, OneLine(MAX_WIFI_BYTES, 0)] = ""
    clients: Annotated[int, Range(0, MAX_VIEWERS)] = 0
    password: Annotated[str, Text(MAX_PASSWORD_CHARS, 0), _PASSWORD, SECRET] = ""
    network: object = LinkState.OFFLINE
    target: Annotated[str, OneLine(MAX_WIFI_BYTES, 0)] = ""
    fault: object = ""

    def find_problems(self) -> Iterator[Found]:
        if len(self.wifi.encode("utf-8", "surrogatepass")) > MAX_WIFI_BYTES:
            yield "wifi", f"has more than {MAX_WIFI_BYTES} bytes"
        if not self.address and self.network not in NO_ADDRESS_REASONS:
            yield "network", f"wants one of {', '.join(NO_ADDRESS_REASONS)} without an address"
        if self.fault not in JOIN_FAULTS:
            yield "fault", f"wants one of {', '.join(JOIN_FAULTS[1:])}, or is empty"


def parse(message: Mapping[str, Any]) -> LinkView:
    """The status to show. Raises WrongValues."""
    status = read(_Status, message, skips_unknown=True)
    return LinkView(
        state=LinkState.ONLINE if status.address else LinkState(str(status.network)),
        address=status.address,
        name=status.name,
        wifi=status.wifi,
        clients=status.clients,
        password=status.password,
        target=status.target,
        fault=LinkState(str(status.fault)) if status.fault else None,
    )
