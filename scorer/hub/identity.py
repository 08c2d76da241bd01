"""The identity of a hub: its certificate, which the boxes pin, and its secrets.

It is kept in the database, so that a backup brings it to another machine and every process of a hub
has the same one.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from scorer.hall.joining import is_of_box, pin_of
from scorer.hub.store.tables import LOG_HEAD, SECRET

_CERTIFICATE, _KEY, _SESSIONS = "certificate", "key", "sessions"
_SIGNING = "evenings "  # before the first day of a key, in its name; alone: of the first key


class Identity(NamedTuple):
    """PEM texts of certificate and key, and the hexadecimal key of the sessions."""

    certificate: str
    key: str
    sessions: str

    @property
    def pin(self) -> str:
        """SHA-256 of the certificate."""
        return pin_of(ssl.PEM_cert_to_DER_cert(self.certificate))


def load_identity(connection: Connection, random_hex: Callable[[int], str]) -> Identity:
    """The identity in the database, which is made on the first start.

    So is the first key that signs evenings, also of a hall of before: see ``signing_keys``.
    """
    # Two processes that start at once must not make two.
    connection.execute(select(LOG_HEAD).with_for_update()).one()
    found = {each.name: each.value for each in connection.execute(select(SECRET))}
    if _CERTIFICATE not in found:
        certificate, key = make_certificate(socket.gethostname())
        found = {_CERTIFICATE: certificate, _KEY: key, _SESSIONS: random_hex(64)}
        connection.execute(
            SECRET.insert(), [{"name": name, "value": value} for name, value in found.items()]
        )
    if _SIGNING not in found:
        connection.execute(insert(SECRET).values(name=_SIGNING, value=random_hex(64)))
    return Identity(found[_CERTIFICATE], found[_KEY], found[_SESSIONS])


class SigningKey(NamedTuple):
    """A private key of Ed25519, which signs evenings of a day and later ones.

    ``private``: in hexadecimal; ``since``: the day, such as ``2026-11-28``; "": of the first key.
    """

    since: str
    private: str


class SigningKeys(NamedTuple):
    """The keys of a hall, the oldest first.

    ``hall``: what identifies it, which stays when it changes its key.
    """

    hall: str
    keys: tuple[SigningKey, ...]

    def of_day(self, day: str) -> SigningKey:
        """The key that signs an evening of a day."""
        return [each for each in self.keys if each.since <= day][-1]


def signing_keys(connection: Connection) -> SigningKeys:
    """The keys in the database of a hall that sign evenings."""
    kept = {each.name: each.value for each in connection.execute(select(SECRET))}
    pin = pin_of(ssl.PEM_cert_to_DER_cert(kept[_CERTIFICATE]))
    found = sorted(name for name in kept if name.startswith(_SIGNING))
    keys = (SigningKey(name.removeprefix(_SIGNING), kept[name]) for name in found)
    return SigningKeys(pin, tuple(keys))


def change_signing_key(connection: Connection, random_hex: Callable[[int], str], day: str) -> None:
    """Let a new key sign the evenings from a day on.

    Raises ValueError if the newest key is of that day or a later one.
    """
    newest = signing_keys(connection).keys[-1]
    if newest.since >= day:
        raise ValueError(f"the newest key is of {newest.since}: another one is of a later day")
    connection.execute(insert(SECRET).values(name=_SIGNING + day, value=random_hex(64)))


def has_identity(connection: Connection) -> bool:
    """Whether the database is that of a hall."""
    return connection.execute(select(SECRET.c.name).limit(1)).first() is not None


def identity_file(folder: Path) -> Path:
    """Where ``server_context`` writes the identity."""
    return folder / "identity.pem"


def server_context(
    identity: Identity, folder: Path, owned: ssl.SSLContext | None = None
) -> ssl.SSLContext:
    """The context of the HTTPS server; ``owned``: with the certificate of the owner.

    Boxes get the hub's own certificate, which they pin, so that the owner may renew the other one.
    TLS distinguishes them: a browser sends the host name of its address, a box none, or one by
    which a proxy finds its hall.

    OpenSSL reads certificate and key from a file, which is written into ``folder``.
    """
    path = identity_file(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(identity.key + identity.certificate, encoding="ascii")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(path)
    if owned is not None:

        def choose(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
            if not is_of_box(name):
                connection.context = owned

        context.sni_callback = choose
    return context


def make_certificate(host: str) -> tuple[str, str]:
    """A self-signed certificate and its key as PEM.

    It is valid from 2000 to 2100: boxes pin it, and no clock has to be right.
    """
    # Imported here: it is large, and needed once.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Truco Scorer hub")])
    short = host.partition(".")[0][:63] or "localhost"
    names = [x509.DNSName(each) for each in dict.fromkeys(("localhost", short, f"{short}.local"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return (
        certificate.public_bytes(serialization.Encoding.PEM).decode("ascii"),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode("ascii"),
    )
