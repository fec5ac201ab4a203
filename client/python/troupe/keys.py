"""Keys: how a client shows who it is without showing its key. PROTOCOL.md has the equations."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
import ssl
import stat
from typing import NamedTuple, Optional

SALT_SIZE = 16
KEY = re.compile(r"([a-z0-9-]{1,47})\.([A-Za-z0-9_-]{64})")


class Proof(NamedTuple):
    name: str
    proof: bytes


def _mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


def prove(key: str, nonce: bytes) -> Proof:
    """What shows `key`, the text NAME.SECRET, for the nonce of a Challenge. ValueError: not a key."""
    parts = KEY.fullmatch(key.strip())
    if parts is None:
        raise ValueError("not a key: expected NAME.SECRET, as it was told when it was made")
    try:
        secret = base64.urlsafe_b64decode(parts[2])
    except binascii.Error as error:
        raise ValueError("not a key: its secret is no base64url") from error
    name = parts[1].encode()
    client_key = _mac(secret[SALT_SIZE:], b"troupe client key" + secret[:SALT_SIZE] + name)
    mask = _mac(hashlib.sha256(client_key).digest(), b"troupe login" + nonce + name)
    return Proof(parts[1], bytes(a ^ b for a, b in zip(client_key, mask)))


def read_key(path: str) -> str:
    """The key in a file that nobody else can read; PermissionError when others can."""
    with open(path, encoding="ascii") as file:
        if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise PermissionError(f"{path}: others can read it; expected chmod 600")
        return file.readline().strip()


def key_of_environment() -> Optional[str]:
    """The key in the file that TROUPE_KEY_FILE names, if it is set."""
    path = os.environ.get("TROUPE_KEY_FILE", "")
    return read_key(path) if path else None


def secure_context(ca: Optional[str] = None) -> ssl.SSLContext:
    """TLS 1.3 to a daemon whose certificate is signed by one in the PEM file `ca`, or by whom the system believes."""
    context = ssl.create_default_context(cafile=ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context
