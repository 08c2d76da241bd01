"""The certificate and key of a process that serves: loads and checks them.

The files are checked here and not with the rest of the configuration, because the table, which
reads it too, has no access to them.
"""

from __future__ import annotations

import os
import ssl
import stat
from pathlib import Path
from typing import Final, NamedTuple

_GROUP: Final = "scorer-net"  # of the service
_READABLE: Final = stat.S_IRGRP | stat.S_IROTH
_MARKS: Final = {"certificate": b"-----BEGIN CERTIFICATE-----", "key": b"PRIVATE KEY-----"}
# OpenSSL's reasons for a key of another certificate, and of another kind.
_OTHER_KEY: Final = ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED")
_LONGEST = 1 << 20  # bytes of a file


class PemFiles(NamedTuple):
    """The paths of the two PEM files, "" for none, and the section that names them."""

    section: str
    certificate: str
    key: str


class TlsError(ValueError):
    """A certificate or key that cannot be used; the text says what to do."""

    def __init__(self, section: str, key: str, sentence: str) -> None:
        super().__init__(f"{section}.{key}: {sentence}")


def load_context(files: PemFiles) -> ssl.SSLContext | None:
    """The context of the server; None without a certificate. Raises TlsError."""
    if not files.certificate:
        return None
    for name, path in _paths(files):
        _check_file(files.section, name, path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # Without a callback OpenSSL asks for a password on the terminal.
        context.load_cert_chain(files.certificate, files.key, password=_no_password)
    except ssl.SSLError as error:
        sentence = f"OpenSSL refuses {files.certificate} with {files.key}: {error.reason or error}"
        if error.reason in _OTHER_KEY:
            together = "write the two that belong together"
            sentence = f"{files.key} is not the key of {files.certificate}; {together}"
        raise TlsError(files.section, "key", sentence) from None
    except _EncryptedKeyError:
        decrypt = f"openssl pkey -in {files.key} -out NEW"
        sentence = f"{files.key} has a password; remove it: {decrypt}"
        raise TlsError(files.section, "key", sentence) from None
    return context


def check_service_access(files: PemFiles) -> None:
    """Check the rights of files of root, which the service reads. Raises TlsError."""
    for name, path in _paths(files):
        mode = path.stat()
        if mode.st_uid == 0 and not mode.st_mode & _READABLE:
            sentence = f"the service cannot read {path}; {_grant(path)}"
            raise TlsError(files.section, name, sentence)


def _paths(files: PemFiles) -> list[tuple[str, Path]]:
    return [("certificate", Path(files.certificate)), ("key", Path(files.key))]


def _check_file(section: str, name: str, path: Path) -> None:
    try:
        with path.open("rb") as file:
            content = file.read(_LONGEST)
    except PermissionError:
        raise TlsError(section, name, f"{path} may not be read; {_grant(path)}") from None
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise TlsError(section, name, f"{path}: {why}; write the path of the PEM file") from None
    if len(content) == _LONGEST:
        raise TlsError(section, name, f"{path} is longer than any certificate or key")
    if _MARKS[name] not in content:
        raise TlsError(section, name, f"{path} has no PEM text '{_MARKS[name].decode()}'")


def _grant(path: Path) -> str:
    return f"grant it: chgrp {_GROUP} {path}; chmod 640 {path}"


class _EncryptedKeyError(Exception):
    """OpenSSL has asked for a password."""


def _no_password() -> str:
    raise _EncryptedKeyError
