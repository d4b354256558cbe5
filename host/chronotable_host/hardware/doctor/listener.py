"""What the table's doctor sends: steps, findings, learned wiring, the result."""

from collections.abc import Callable
from typing import Any, NamedTuple

from chronotable.link.happenings import Message
from chronotable.link.identity import Identity
from chronotable_host.hardware.doctor.step_texts import ask_text, head, waiting_text
from chronotable_host.link.doctor_names import ORDERS
from chronotable_host.link.pc_link import CommandLost
from chronotable_host.link.unpacking import unpack_sensors
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.texts.finding_texts import (
    finding_text,
    is_unseen,
    kind_name,
    unseen_text,
)


class DoctorFinding(NamedTuple):
    """What the doctor found, in the numbers of the link."""

    kind: int
    sensor: int
    other: int

    @property
    def text(self) -> str:
        """The finding as a sentence."""
        return finding_text(*self)


class LearnedWiring(NamedTuple):
    """Where a sensor really is."""

    cell: int
    led: int


class DoctorListener(Mirror):
    """A mirror that keeps no games and listens to the doctor.

    `step` is what the doctor asks for, None before it runs; `findings`, `learned` and `unseen`
    (names of what was not examined) what it has said since it began; `result` what it said at its
    end, and `examined_peer` who was examined, as it was before; `lacks_doctor` that the table has
    none. Beside the mirror's happenings it tells `step`, `finding`, `unseen` and `examined`.
    """

    def __init__(self, tell: Callable[[Happening], None]) -> None:
        super().__init__(tell)
        self.step: dict[str, Any] | None = None
        self.findings: list[DoctorFinding] = []
        self.unseen: list[str] = []
        self.learned: dict[int, LearnedWiring] = {}
        self.result: dict[str, int] | None = None
        self.current_ma = 0
        self.plays = False  # the table is in a game
        self.lacks_doctor = False
        self.examined_peer: Identity | None = None
        self._hears |= {
            "step": self._on_step,
            "learned": self._on_learned,
            "examined": self._on_examined,
        }

    @property
    def is_supply_weak(self) -> bool:
        """Tell whether the table started anew in the middle because its supply gave way."""
        return any(kind_name(finding.kind) == "supply_weak" for finding in self.findings)

    @property
    def has_learned(self) -> bool:
        """Tell whether the table is wired otherwise than its board file said."""
        return bool(self.learned) or self.colour_order is not None

    @property
    def colour_order(self) -> str | None:
        """The order of the LEDs' colours, None where it is that of the board file."""
        for finding in self.findings:
            if kind_name(finding.kind) == "colour_order" and finding.sensor < len(ORDERS):
                return ORDERS[finding.sensor]
        return None

    def hear(self, event: object, now_ms: int) -> None:
        """Take one event of the link."""
        if isinstance(event, CommandLost) and event.name == "doctor":
            return  # it restarts because of that very command: nothing is lost
        if isinstance(event, Message) and event.name == "snapshot":
            self.plays = True  # the doctor has none
        super().hear(event, now_ms)

    def _meet(self, info: Any, is_fresh: bool) -> None:
        self.plays = self.plays and not is_fresh
        if is_fresh and self.step is None:  # what follows is of an examination, if anything is
            self.findings.clear()
            self.unseen.clear()
            self.learned.clear()
        super()._meet(info, is_fresh)

    def _on_step(self, at_ms: int, put: str, ma: int, **step: Any) -> None:
        if self.step is None:
            self.examined_peer = self.table.peer
        self.step = {**step, "put": unpack_sensors(put), "ma": ma}
        self.current_ma = ma or self.current_ma
        text = ask_text(step["asks"], step["about"], self.step["put"])
        left_s = step["left_s"]
        waiting = waiting_text(step["asks"], left_s) if left_s else ""
        words = {"head": head(step["step"]), "text": text, "waiting": waiting}
        self._tell(happenings.Step(at_ms, {**self.step, **words}))

    def _on_finding(self, at_ms: int, kind: int, sensor: int, other: int) -> None:
        if is_unseen(kind):
            text = unseen_text(kind, sensor, other)
            if text not in self.unseen:
                self.unseen.append(text)
                what = {"kind": kind_name(kind), "first": sensor, "last": other}
                self._tell(happenings.Unseen(at_ms, what))
            return
        finding = DoctorFinding(kind, sensor, other)
        if finding not in self.findings:
            self.findings.append(finding)
            names = {"kind": kind_name(kind), "first": sensor, "second": other}
            self._tell(happenings.Finding(at_ms, {**names, "text": finding.text}))

    def _on_learned(self, _at_ms: int, sensor: int, cell: int, led: int) -> None:
        self.learned[sensor] = LearnedWiring(cell, led)

    def _on_examined(self, at_ms: int, findings: int, stored: int, complete: int) -> None:
        count = max(findings, len(self.findings))
        self.result = {"findings": count, "stored": bool(stored), "complete": bool(complete)}
        self._tell(happenings.Examined(at_ms, self.result))

    def _on_unsupported(self, at_ms: int, letter: str) -> None:
        self.lacks_doctor = letter == "z"
        super()._on_unsupported(at_ms, letter)
