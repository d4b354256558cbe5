"""What happened in a game: the turns by how they went, and each that was not simply understood."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

WRONG = "taken for another turn"
TWIN = "taken for a twin"
LOST = "not understood"
DECIDED = "decided without an answer"
TAKEN_BACK = "taken back"
OVERLOOKED = "overlooked"
ASKED = "asked"
GUIDED = "guided"


@dataclass
class Incident:
    """A turn that was not simply understood: `what` happened, and what the hands had done."""

    what: str
    number: int
    turn: str
    habits: list[str]
    script: list[str]
    taken_for: str = ""

    def __str__(self) -> str:
        """Tell it in a line, without the script."""
        taken = f" ({self.taken_for})" if self.taken_for else ""
        habits = f", {', '.join(self.habits)}" if self.habits else ""
        return f"turn {self.number} {self.turn}{habits}: {self.what}{taken}"


@dataclass
class Fault:
    """A reed that breaks during a turn, and how the table coped.

    `touching` counts the turns since then in which a piece or marker came to the sensor, left it
    or was replaced there; one that only passes is not always felt where nothing is broken. What
    `touching` was when the table named the fault is `named_after`.
    """

    sensor: int
    how: bool | str
    number: int
    touching: int = 0
    named_after: int | None = None
    is_broken: bool = False


@dataclass
class Account:
    """What happened in a game, counted by turns but for `bumps`, `taken_back` and `overlooked`."""

    turns: int = 0
    asked: int = 0
    guided: int = 0  # needed guidance back, bumps apart
    bumps: int = 0
    taken_back: int = 0
    overlooked: int = 0  # questions and guides that nobody looked at for a while
    finished: bool = False
    incidents: list[Incident] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)

    def of(self, what: str) -> list[Incident]:
        return [incident for incident in self.incidents if incident.what == what]
