"""[hub] of the owner's file: the hub of a hall.

Imported only for a file with such a section, so that tables start faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from scorer.config.schema import Address, Host, Port, Viewers, tls_problems
from scorer.plain_values import SECRET, Found, Like
from scorer.rules.notation import shorten
from scorer.session.values.settings import MAX_NAME_CHARS

# As SQLAlchemy reads it: a file, or user and password, host and port, name of the database.
_DATABASE = (
    r"(?:sqlite://\S+|postgresql(?:\+psycopg2?)?://"
    r"(?:[^\s:/@]*(?::[^\s@]*)?@)?(?:\[[^\s/?\]]*\]|[^\s:/?@]*)(?::\d+)?(?:[/?]\S*)?)?"
)
# It becomes a QR code on slips and pages: short, and without what a page adds.
_SITE = r"(?:https?://[A-Za-z0-9.:\[\]-]{1,60}(?:/[A-Za-z0-9._~/-]{0,60})?)?"
_LIKE_SITE = "is not like https://club.example/truco, with at most 120 characters"
_LIKE_DATABASE = "is not like postgresql+psycopg://hub@localhost/hub"


class HubSection(NamedTuple):
    """Name, address and database of ``scorer hub``.

    ``name``: of the hall. ``port``: of the wall (HTTP); ``secure_port``: of boxes and desk (HTTPS).
    ``database``: "" for SQLite in its own folder; ``copies``: a further folder for copies of it.
    ``publish``: a folder for the site of the tournaments, "" for none; ``site``: where others see
    it, such as ``https://club.example/truco``.
    ``hosts``, ``viewers``, ``viewers_each``: as in [web]. ``certificate`` and ``key``: of browsers,
    "" for the hub's own.
    """

    name: str = "Truco"
    address: Address = "0.0.0.0"
    port: Port = 8090
    secure_port: Port = 8443
    hosts: tuple[Host, ...] = ()
    viewers: Viewers = 200
    viewers_each: Viewers = 40
    database: Annotated[str, Like(_DATABASE, _LIKE_DATABASE), SECRET] = ""
    copies: str = ""
    publish: str = ""
    site: Annotated[str, Like(_SITE, _LIKE_SITE)] = ""
    certificate: str = ""
    key: str = ""

    def find_problems(self) -> Iterator[Found]:
        if not 1 <= len(self.name) <= MAX_NAME_CHARS:
            yield "name", f"1 to {MAX_NAME_CHARS} letters, not {len(self.name)}"
        if self.port == self.secure_port:
            yield "secure_port", f"{self.secure_port} is the port of the wall too"
        folders = {"copies": "/media/truco-hub", "publish": "/srv/truco"}
        for key, like in folders.items():
            folder = getattr(self, key)
            if folder and not folder.startswith("/"):
                yield key, f"'{shorten(folder)}' is no whole path like {like}"
        yield from tls_problems(self.certificate, self.key)
