"""Errors between a client and the daemon."""

from enum import IntEnum


class Code(IntEnum):
    """Status of a response: the values and meanings of google.rpc.Code (proto/troupe/session.proto)."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class TroupeError(Exception):
    """Any of the errors below."""


class Refused(TroupeError):
    """The daemon refused a request; nothing has changed. `code` is the kind, the text says what was expected."""

    def __init__(self, code: int, message: str):
        self.code = Code(code) if code in Code._value2member_map_ else Code.UNKNOWN
        super().__init__(f"{self.code.name}: {message}")
        self.message = message


class Disconnected(TroupeError):
    """There is no connection, or it ended; the text is the daemon's reason if it gave one."""


class Timeout(TroupeError):
    """No answer in time. A request that timed out may still take effect."""


class ProtocolError(TroupeError):
    """The peer violated the protocol."""
