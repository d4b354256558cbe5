"""What the table is like, as far as it has told: who it is, its lights, reeds and counters."""

from collections import deque
from collections.abc import Callable
from typing import Any

from chronotable.core.health import HEALED, TURNED
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights.hints import HINTS_CONSEQUENCES
from chronotable.link.identity import Identity
from chronotable_host.link.unpacking import unpack_leds, unpack_sensors
from chronotable_host.live.happenings import About, Fault, Happening, Installed, Leds, Reed
from chronotable_host.live.settings import settings_told
from chronotable_host.live.texts.light_names import LIGHTS, NAMES, NO_PC, PLAYED_BLACK, PLAYED_WHITE
from chronotable_host.live.texts.table_texts import FAULTS, rules_problem, unknown

PHASES = {"s": "set-up", "t": "turn", "p": "provisional", "q": "question", "o": "over"}

_LOG_LINES = 8
_TOLD_MS = 1 << 32  # 49.7 days: then the time of an event begins at 0 again
_BACK_MS = 1 << 28  # so much earlier than the last may be one that is told again
_OF_SPOTS = ((PLAYED_WHITE, 1), (PLAYED_BLACK, 1), (NO_PC, 6))  # and so many beside each other
_OFFERS = 8  # beside a level: this side offers a draw


def by_place(leds: bytes) -> bytes:
    """Return what LEDs mean where they are: at focus spots some say something else."""
    spots = leds[FOCUS:]
    for meaning, count in _OF_SPOTS:
        spots = spots.replace(bytes([LIGHTS[meaning]] * count), bytes([meaning] * count))
    return leds[:FOCUS] + spots


class TableState:
    """What a table has told of itself.

    `leds` has the meaning of each of the 54 LEDs; `is_turn_wanted` says whether it shows the hands
    a turn to carry out, and `snapshots` counts how often it has said that. By sensor, `reeds` has
    what each reed said last (since an event was missed), and `doubted` what is wrong with those
    that the table does not trust (since it was switched on). `peer` is who it says it is, by `id`
    and number of the `boot`; `refusal` says why it cannot be mirrored, "" where it can. `logs` has
    its last lines that were no frames, `own_levels` how white and black are played without hands
    (chronotable.player.seats), `offers` the sides that offer a draw while one is played elsewhere,
    `event_ms` the table time of its last event, `clock_ms` that at which it started, where times
    go on after those of an earlier start. `is_hinted` is set by who shows a turn to hands that may
    play another one (live/players/hinter.py), and `listeners` are told each sensor that closed or
    opened, and when. With `trace` every edge is told as a happening, and the versions of the
    firmware.
    """

    def __init__(self, tell: Callable[[Happening], None], trace: bool) -> None:
        self.leds = bytes(SENSORS)
        self.phase = ""
        self.is_turn_wanted = False
        self.hints = HINTS_CONSEQUENCES, HINTS_CONSEQUENCES  # levels of white and black
        self.own_levels = 0, 0
        self.offers: set[int] = set()
        self.snapshots = 0
        self.reeds: dict[int, bool] = {}
        self.doubted: dict[int, str] = {}
        self.surface: frozenset[int] | None = None
        self.counters: dict[str, Any] = {}
        self.about: dict[str, Any] = {}
        self.installed: dict[str, Any] = {}
        self.peer: Identity | None = None
        self.id, self.boot = "", 0  # of the peer; empty before it is known
        self.refusal = ""
        self.logs: deque[str] = deque(maxlen=_LOG_LINES)
        self.event_ms: int | None = None
        self.clock_ms = 0
        self._last_ms: int | None = None  # the last event, whoever forgets `event_ms`
        self._is_restarted = False  # and no event has come since
        self.is_hinted = False
        self.listeners: list[Callable[[int, bool, int], None]] = []
        self._tell = tell
        self._trace = trace
        self.hears: dict[str, Callable[..., None]] = {
            "snapshot": self._on_snapshot,
            "seats": self._on_seats,
            "reeds": self._on_reeds,
            "fault": self._on_fault,
            "leds": self._on_leds,
            "edge": self._on_edge,
            "counters": self._on_counters,
            "about": self._on_about,
            "installed": self._on_installed,
        }

    def meet(self, info: Identity) -> bool:
        """Take note of who the table is; return whether it was switched on, or another was."""
        is_new = (info.unique_id, info.boot) != (self.id, self.boot)
        if is_new:
            self.reeds.clear()
            self.doubted.clear()
            self.surface = None
            self.own_levels = 0, 0
            self.offers = set()
            self._is_restarted = self._last_ms is not None
        self.peer, self.id, self.boot = info, info.unique_id, info.boot
        self.refusal = rules_problem(info.rules)
        return is_new

    def at_ms(self, fields: dict[str, Any], now_ms: int) -> int:
        """Return when a message was sent, and take that out of its fields.

        The time of an event has 32 bits and begins at 0 whenever the table starts; here times go
        on. Where nobody has set `clock_ms` at a new start, it is the latest that the events allow:
        they may have waited, but none comes before it has happened.
        """
        told_ms: int | None = fields.pop("time_ms", None)
        if told_ms is None:
            return now_ms
        last_ms = self._last_ms
        if last_ms is None or self._is_restarted:
            if last_ms is not None and self.clock_ms <= last_ms:
                self.clock_ms = max(last_ms, now_ms - told_ms)
            at_ms = self.clock_ms + told_ms
        else:
            at_ms = last_ms + passed_ms(last_ms - self.clock_ms, told_ms)
        if self.clock_ms and (late_ms := at_ms - max(now_ms, last_ms or 0)) > 0:
            self.clock_ms -= late_ms
            at_ms -= late_ms
        self._is_restarted = False
        self.event_ms = self._last_ms = at_ms
        return at_ms

    def _on_snapshot(self, _at_ms: int, phase: str, settings: int, **_: Any) -> None:
        """Take what the table waits for."""
        self.phase = PHASES.get(phase, phase)
        told = settings_told(settings)
        self.is_turn_wanted = told.is_turn_wanted
        self.hints = told.hints
        self.snapshots += 1

    def _on_seats(self, _at_ms: int, white: int, black: int) -> None:
        """Take which sides are played without hands, and who offers a draw."""
        self.own_levels = white & ~_OFFERS, black & ~_OFFERS
        self.offers = {side for side, told in enumerate((white, black)) if told & _OFFERS}

    def _on_reeds(self, _at_ms: int, surface: int, closed: str) -> None:
        """Take what the reeds say while the table shows the PC's picture."""
        self.surface = frozenset(unpack_sensors(closed)) if surface else None

    def _on_fault(self, at_ms: int, sensor: int, kind: str) -> None:
        """Take which reed is broken, or healed, or where a copy's magnet is the wrong way round."""
        what = FAULTS.get(kind, kind)
        if self.doubted.get(sensor) == what:
            return  # a table repeats them whenever a session begins
        if kind == HEALED:
            self.doubted.pop(sensor, None)
        elif sensor < SENSORS and kind != TURNED:
            self.doubted[sensor] = what
        self._tell(Fault(at_ms, sensor_text(sensor), what))

    def _on_leds(self, at_ms: int, leds: str) -> None:
        """Take what the LEDs say."""
        self.leds = by_place(unpack_leds(leds))
        lit = {
            sensor_name(sensor): NAMES[meaning]
            for sensor, meaning in enumerate(self.leds)
            if meaning
        }
        self._tell(Leds(at_ms, lit))

    def _on_edge(self, at_ms: int, sensor: int, closed: int) -> None:
        """Take what a reed or a button says."""
        if sensor < SENSORS:
            self.reeds[sensor] = bool(closed)
        for listener in self.listeners:
            listener(sensor, bool(closed), at_ms)
        if self._trace:
            self._tell(Reed(at_ms, sensor_text(sensor), bool(closed)))

    def _on_counters(self, _at_ms: int, **counters: Any) -> None:
        """Take the counters."""
        self.counters = counters

    def _on_about(self, at_ms: int, firmware: str, micropython: str) -> None:
        """Take the versions."""
        self.about = {"firmware": firmware, "micropython": micropython}
        if self._trace:
            self._tell(About(at_ms, firmware, micropython))

    def _on_installed(self, at_ms: int, build: int, slot: str, trial: int) -> None:
        """Take which build runs."""
        self.installed = {"build": f"{build:08x}", "slot": slot, "trial": bool(trial)}
        if self._trace:
            self._tell(Installed(at_ms, self.installed))


def passed_ms(then_ms: int, told_ms: int) -> int:
    """Return how much later than `then_ms` a time is that was told in 32 bits."""
    return (told_ms - then_ms + _BACK_MS) % _TOLD_MS - _BACK_MS


def sensor_text(sensor: int) -> str:
    """Return the name of a sensor, also of one that is not known here."""
    try:
        return sensor_name(sensor)
    except ValueError:
        return unknown(sensor)
