"""Keys: a client proves that it has one without sending it. SCRAM-SHA-256: RFC 5802, RFC 7677; PROTOCOL.md."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
import secrets
import ssl
import stat
from typing import Optional, Sequence

from troupe.errors import ProtocolError

MECHANISM = "SCRAM-SHA-256"
KEY = re.compile(r"([a-z0-9-]{1,47})\.([A-Za-z0-9_-]{64})")
SERVER_FIRST = re.compile(r"r=([!-+\--~]+),s=([A-Za-z0-9+/=]+),i=([1-9][0-9]{3,6})(?:,.*)?")
HEADER = "n,,"  # Python's ssl offers no channel binding for TLS 1.3
ITERATIONS = range(4096, 1000001)


def _mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Login:
    """One login with a key, the text NAME.SECRET: send `first` and `final`, and pass the daemon's proof to `check`."""

    def __init__(self, key: str, nonce: Optional[str] = None) -> None:
        """ValueError: not a key."""
        parts = KEY.fullmatch(key.strip())
        if parts is None:
            raise ValueError("not a key: expected NAME.SECRET, as printed by trouped --make-key")
        self._password = parts[2].encode()
        self._nonce = nonce or secrets.token_urlsafe(24)
        self._bare = f"n={parts[1]},r={self._nonce}"
        self._signature = b""

    def first(self, mechanisms: Sequence[str]) -> str:
        """SCRAM's client-first, for a daemon whose Challenge offers these mechanisms."""
        if MECHANISM not in mechanisms:
            raise ProtocolError(f"the daemon does not offer {MECHANISM}, the login of this client: it is older")
        return HEADER + self._bare

    def final(self, server_first: str) -> str:
        """client-final, for the daemon's server-first."""
        parts = SERVER_FIRST.fullmatch(server_first)
        if parts is None or not parts[1].startswith(self._nonce) or parts[1] == self._nonce:
            raise ProtocolError("the daemon's answer to the login is not SCRAM's server-first")
        if int(parts[3]) not in ITERATIONS:
            raise ProtocolError(f"the daemon asks for {parts[3]} iterations: expected 4096 to 1000000")
        try:
            salt = base64.b64decode(parts[2], validate=True)
        except binascii.Error as error:
            raise ProtocolError(f"the daemon's salt: {error}") from error
        salted = hashlib.pbkdf2_hmac("sha256", self._password, salt, int(parts[3]))
        client_key = _mac(salted, b"Client Key")
        bare = f"c={_encode(HEADER.encode())},r={parts[1]}"
        message = f"{self._bare},{server_first},{bare}".encode()
        signature = _mac(hashlib.sha256(client_key).digest(), message)
        self._signature = _mac(_mac(salted, b"Server Key"), message)
        return f"{bare},p={_encode(bytes(a ^ b for a, b in zip(client_key, signature)))}"

    def check(self, server_final: str) -> None:
        """ProtocolError: the daemon has not proved that it knows the key."""
        expected = f"v={_encode(self._signature)}"
        if not self._signature or not hmac.compare_digest(server_final.encode(), expected.encode()):
            raise ProtocolError("the daemon has not shown that it knows this key: it may be a different daemon")


def read_key(path: str) -> str:
    """Reads the key from a file; PermissionError if other users can read it."""
    with open(path, encoding="ascii") as file:
        if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise PermissionError(f"{path}: other users can read it; expected chmod 600")
        return file.readline().strip()


def key_of_environment() -> Optional[str]:
    """Reads the key from the file that TROUPE_KEY_FILE names, if it is set."""
    path = os.environ.get("TROUPE_KEY_FILE", "")
    return read_key(path) if path else None


def secure_context(ca: Optional[str] = None) -> ssl.SSLContext:
    """TLS 1.3 to a daemon whose certificate is signed by one in the PEM file `ca`, or by one that the system trusts."""
    context = ssl.create_default_context(cafile=ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context
