"""Who speaks: what HELLO carries."""

from chronotable.link.messages import PROTOCOL_MAJOR, PROTOCOL_MINOR, encode_fields, row_of
from ttykm.mp import const

if False:
    from typing import Any

HOST = const("host")
TABLE = const("table")


class Identity:
    """Who speaks, as HELLO carries it.

    `boot` is a random number from 1 for each start of the table; the PC gives the last one that
    it knows, or 0, and in `last` the last event number that it has of it. `session` is where the
    PC's session numbers start, best a random one. `unique_id` is at most 12 hex digits, on the PC
    others for each process.
    """

    def __init__(
        self,
        board_name: str = "",
        board_hash: int = 0,
        unique_id: str = "",
        rules: int = 1,
        boot: int = 0,
        last: int = 0,
        session: int = 0,
    ) -> None:
        self.board_name = board_name
        self.board_hash = board_hash
        self.unique_id = "0" * (12 - len(unique_id)) + unique_id
        self.rules = rules
        self.boot = boot
        self.last = last
        self.session = session
        self.major = PROTOCOL_MAJOR
        self.minor = PROTOCOL_MINOR

    def payload(self, kind: str) -> str:
        """Return the payload of this HELLO of kind q, r or a; raises as `encode_fields`."""
        return encode_fields(
            row_of("hello"),
            {
                "kind": kind,
                "major": self.major,
                "minor": self.minor,
                "rules": self.rules,
                "session": self.session,
                "boot": self.boot,
                "last": self.last,
                "board_hash": self.board_hash,
                "unique_id": self.unique_id,
                "board_name": self.board_name,
            },
        )


def identity_of(fields: "dict[str, Any]") -> Identity:
    """Return who sent a HELLO with these fields."""
    names = ("board_name", "board_hash", "unique_id", "rules", "boot", "last", "session")
    info = Identity(*[fields[name] for name in names])
    info.minor = fields["minor"]
    return info
