"""What the application hears from its end of the link; the PC also what pc_link.py there has."""

if False:
    from chronotable.link.identity import Identity
    from chronotable.link.messages import Values


class Connected:
    """The session is open. `info` is the peer's Identity; not `fresh`: a lost one goes on."""

    def __init__(self, info: "Identity", fresh: bool) -> None:
        self.info = info
        self.fresh = fresh


class Message:
    """The peer says `name`, with `values` by field name."""

    def __init__(self, name: str, values: "Values") -> None:
        self.name = name
        self.values = values


class PeerLost:
    """The peer has been silent for three seconds."""


class Refused:
    """The peer speaks another protocol, of this major number."""

    def __init__(self, major: int) -> None:
        self.major = major


class Violation:
    """The peer sent a frame that the protocol does not allow; it was passed over."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
