"""[hub] of the owner's file: the hub of a hall.

Imported only for a file with such a section, so that tables start faster.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scorer.config.schema import MAX_VIEWERS
from scorer.config.toml_reader import SECRET
from scorer.hw.options import OptionsError
from scorer.rules.notation import shorten

_IP_ADDRESS = r"[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
# As SQLAlchemy reads it: a file, or user and password, host and port, name of the database.
_DATABASE = (
    r"sqlite://\S+|postgresql(?:\+psycopg2?)?://"
    r"(?:[^\s:/@]*(?::[^\s@]*)?@)?(?:\[[^\s/?\]]*\]|[^\s:/?@]*)(?::\d+)?(?:[/?]\S*)?"
)
_MAX_NAME_CHARS = 40


@dataclass(frozen=True, slots=True)
class HubSection:
    """Name, address and database of ``scorer hub``.

    ``name``: of the hall. ``port``: of the wall (HTTP); ``secure_port``: of boxes and desk (HTTPS).
    ``database``: "" for SQLite in its own folder; ``copies``: a further folder for copies of it.
    ``hosts``, ``viewers``, ``viewers_each``: as in [web]. ``certificate`` and ``key``: of browsers,
    "" for the hub's own.
    """

    name: str = "Truco"
    address: str = "0.0.0.0"
    port: int = 8090
    secure_port: int = 8443
    hosts: tuple[str, ...] = ()
    viewers: int = 200
    viewers_each: int = 40
    database: str = field(default="", metadata=SECRET)
    copies: str = ""
    certificate: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        problems = [*self._network_problems(), *self._file_problems()]
        if not self.name or len(self.name) > _MAX_NAME_CHARS:
            problems.append(f"name: 1 to {_MAX_NAME_CHARS} letters, not {len(self.name)}")
        if self.database and not re.fullmatch(_DATABASE, self.database):
            # Not quoted: it may have a password.
            problems.append("database: it is not like postgresql+psycopg://hub@localhost/hub")
        for key in ("viewers", "viewers_each"):
            if not 1 <= (value := getattr(self, key)) <= MAX_VIEWERS:
                problems.append(f"{key}: {value} is not from 1 to {MAX_VIEWERS}")
        if problems:
            raise OptionsError(problems)

    def _network_problems(self) -> list[str]:
        problems = []
        if not re.fullmatch(_IP_ADDRESS, self.address):
            problems.append(f"address: '{shorten(self.address)}' is not like 0.0.0.0 or ::")
        for key in ("port", "secure_port"):
            if not 1 <= (value := getattr(self, key)) <= 65535:
                problems.append(f"{key}: {value} is not from 1 to 65535")
        if self.port == self.secure_port:
            problems.append(f"secure_port: {self.secure_port} is the port of the wall too")
        if wrong := [host for host in self.hosts if not re.fullmatch(r"[A-Za-z0-9.-]+", host)]:
            problems.append(
                f"hosts: '{shorten(wrong[0])}' is no name like truco.example.org, without a port"
            )
        return problems

    def _file_problems(self) -> list[str]:
        """``serving.tls`` checks the files themselves."""
        examples = {
            "copies": "/media/truco-hub",
            "certificate": "/etc/scorer/tls/certificate.pem",
            "key": "/etc/scorer/tls/key.pem",
        }
        problems = [
            f"{name}: '{shorten(path)}' is no whole path like {example}"
            for name, example in examples.items()
            if (path := getattr(self, name)) and not path.startswith("/")
        ]
        if self.certificate and not self.key:
            problems.append("certificate: HTTPS needs its key too")
        if self.key and not self.certificate:
            problems.append("key: HTTPS needs the certificate too")
        return problems
