"""What happens at a table: one class for each kind, whose `line` is what is printed as JSON.

A line has `t_ms`, table time, then the name of the kind with its main value, then what else belongs
to it, as `chronotable table` prints it. Turns, positions and sensors are texts (`rules.notation`,
`chronotable.hardware.naming`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

JsonLine = dict[str, Any]


@dataclass(frozen=True)
class Happening:
    """What happened, and when; `t_ms` is None for what is said of no moment at the table."""

    kind: ClassVar[str]
    """Its first field, which has its main value, unless a class says otherwise."""
    is_nested: ClassVar[bool] = False
    """Whether its fields stand in a dict of their own."""

    t_ms: int | None

    def __init_subclass__(cls) -> None:
        """Name the kind."""
        if "kind" not in vars(cls):
            cls.kind = next(iter(cls.__annotations__))

    def line(self) -> JsonLine:
        """Return the happening as a JSON object; what is None is left out."""
        own = {each.name: getattr(self, each.name) for each in fields(self)[1:]}
        own = {name: value for name, value in own.items() if value is not None}
        time = {} if self.t_ms is None else {"t_ms": self.t_ms}
        return {**time, self.kind: own} if self.is_nested else {**time, **own}


# ---- the line


@dataclass(frozen=True)
class Connected(Happening):
    """A table is there; `connected` is its board, `table` its id."""

    connected: str
    table: str | None = None
    port: str | None = None


@dataclass(frozen=True)
class Refused(Happening):
    """The table, or this program, does not do something; `refused` says why."""

    refused: str


@dataclass(frozen=True)
class Gap(Happening):
    """The events with these numbers, first and last, were lost."""

    gap: list[int]


@dataclass(frozen=True)
class Lost(Happening):
    """The table is away; `lost` says how that is known."""

    lost: str


@dataclass(frozen=True)
class Log(Happening):
    """A line of the table that was no frame: its own words, or garbage."""

    log: str


@dataclass(frozen=True)
class Notice(Happening):
    """A sentence for people."""

    notice: str


@dataclass(frozen=True)
class Frame(Happening):
    """A line of the link itself; `link` is "in" or "out"."""

    link: str
    text: str

    def line(self) -> JsonLine:
        """Return the happening as a JSON object."""
        return {"t_ms": self.t_ms, "link": self.link, "line": self.text}


@dataclass(frozen=True)
class Status(Happening):
    """How line and table are; see live/status.py."""

    status: Mapping[str, Any]


# ---- the game


@dataclass(frozen=True)
class Started(Happening):
    """A game begins in a position."""

    started: str


@dataclass(frozen=True)
class Joined(Happening):
    """A game that goes on is followed from a position on."""

    joined: str


@dataclass(frozen=True)
class Turn(Happening):
    """A turn is final, and on disk; `position` is the one after it."""

    turn: str
    position: str
    understood: str


@dataclass(frozen=True)
class Clock(Happening):
    """How many seconds white and black have left, after a turn."""

    clock: dict[str, int]


@dataclass(frozen=True)
class TakenBack(Happening):
    """A turn does not count any more."""

    taken_back: str


@dataclass(frozen=True)
class GameOver(Happening):
    """A game is over; `game_over` is the winner or "draw", `understood` counts how turns were."""

    game_over: str
    by: str
    understood: dict[str, int]


@dataclass(frozen=True)
class Fetched(Happening):
    """A game came out of the table's journal."""

    kind = "fetched"
    is_nested = True
    game: str
    turns: int
    result: str


@dataclass(frozen=True)
class Mismatch(Happening):
    """A turn of the table does not fit the position that is known here, `mirror`."""

    kind = "mismatch"
    is_nested = True
    turn_no: int
    turn: str
    mirror: str


# ---- on the way to a turn


@dataclass(frozen=True)
class Provisional(Happening):
    """The marker has ended a turn, for now."""

    provisional: str


@dataclass(frozen=True)
class Reopened(Happening):
    """The provisional turn goes on."""

    reopened: bool = True


@dataclass(frozen=True)
class Asked(Happening):
    """Which turn was it? `ask` has them by the letters of the buttons."""

    ask: dict[str, str]


@dataclass(frozen=True)
class Guide(Happening):
    """Sensors from which something is to be taken, and where something is to be put."""

    kind = "guide"
    is_nested = True
    take: list[str]
    put: list[str]
    why: str


# ---- what the table is like


@dataclass(frozen=True)
class Fault(Happening):
    """A reed is broken in a way, which `fault` says, or works again."""

    kind = "fault"
    space: str
    fault: str

    def line(self) -> JsonLine:
        """Return the happening as a JSON object."""
        return {"t_ms": self.t_ms, "fault": {"space": self.space, "kind": self.fault}}


@dataclass(frozen=True)
class Leds(Happening):
    """What the LEDs say, by sensor; those that are off are left out."""

    leds: dict[str, str]


@dataclass(frozen=True)
class Reed(Happening):
    """A reed or a button closed or opened."""

    reed: str
    closed: bool


@dataclass(frozen=True)
class About(Happening):
    """Which firmware and MicroPython the table has."""

    firmware: str
    micropython: str


@dataclass(frozen=True)
class Installed(Happening):
    """Which build is installed, and in which slot."""

    installed: dict[str, Any]


# ---- the doctor


@dataclass(frozen=True)
class Step(Happening):
    """What the doctor asks for: the fields of the message `step`, and words for them."""

    step: dict[str, Any]


@dataclass(frozen=True)
class Finding(Happening):
    """What the doctor has found."""

    finding: dict[str, Any]


@dataclass(frozen=True)
class Unseen(Happening):
    """What the doctor has not examined."""

    unseen: dict[str, Any]


@dataclass(frozen=True)
class Examined(Happening):
    """How an examination ended."""

    examined: dict[str, Any]


@dataclass(frozen=True)
class Unusual(Happening):
    """What is remarkable about a table before it is examined."""

    unusual: str


@dataclass(frozen=True)
class Well(Happening):
    """What is well with a table before it is examined."""

    well: str


@dataclass(frozen=True)
class Keys(Happening):
    """What may be typed, after something that is `unknown`, or "" where that was asked."""

    keys: list[str]
    unknown: str


NEW_POSITION = (Turn, Started, Joined, TakenBack)
"""What leads to another position of the game."""
