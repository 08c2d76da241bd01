"""Keys of Ed25519 as hexadecimal texts, and signatures with them."""

from __future__ import annotations


def public_key_of(private_key: str) -> str:
    """The public key that belongs to a private one, which is any 32 bytes."""
    # Imported here, as in the functions below: the library is large, and rarely needed.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private_key)).public_key()
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def sign(private_key: str, message: bytes) -> str:
    """The signature of a message, 128 hexadecimal digits; always the same one."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private_key)).sign(message).hex()


def is_signed_by(public_key: str, signature: str, message: bytes) -> bool:
    """Whether the private key of this public one has signed the message."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True
