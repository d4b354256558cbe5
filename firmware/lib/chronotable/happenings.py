"""What the application hears from its end of the link."""

if False:
    from chronotable.identity import Identity
    from chronotable.messages import Values


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


class Gap:
    """The events `first` to `last` are gone for good: the ring overflowed."""

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last


class PeerLost:
    """The peer has been silent for three seconds."""


class Refused:
    """The peer speaks another protocol; `sentence` names the remedy."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


class CommandLost:
    """A command was not confirmed and is not repeated: nobody knows whether it was executed."""

    def __init__(self, name: str, values: "Values") -> None:
        self.name = name
        self.values = values


class LogLine:
    """A line that is no frame: the device's log, or garbage."""

    def __init__(self, text: str) -> None:
        self.text = text


class Violation:
    """The peer sent a frame that the protocol does not allow; it was passed over."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
