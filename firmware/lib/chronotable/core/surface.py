"""The picture of the PC: in games that the table does not know, the PC says what the lights say.

The table's own game is kept meanwhile, and hears nothing of the hands; what the reeds say is told
as a state. A PC that has not said for ten seconds what is to be seen is gone: the spots of the
markers say so for a moment, and then the table goes back to its own game.
"""

from chronotable.core.match import TRUSTED
from chronotable.core.ownership import UNKNOWN
from chronotable.core.progress import OVER, PROVISIONAL
from chronotable.hardware.sensors import FOCUS, SENSORS, SPACES
from chronotable.lights.meanings import FAULT, OFF
from chronotable.link.messages import LED_ALPHABET
from chronotable.link.packed import pack_sensors
from ttykm.mp import const

if False:
    from chronotable.core.tracker import Tracker
    from chronotable.link.link import Link

GONE_MS = const(10000)  # so long after it said last what is to be seen, the PC is gone
SAID_MS = const(3000)  # so long the lights say that
_BESIDE = ("surface", "set", "fetch", "forget", "doctor", "resync")
"""Commands that are not about the own game on the table: any other one goes back to that."""


class Surface:
    """What the PC has the lights say; `tracker` is that of the own game, which is interrupted.

    `modules` are those it needs. It `is_over` when the PC is gone, and the lights have said so.
    """

    modules = "chronotable.core.surface"

    def __init__(self, link: "Link", tracker: "Tracker") -> None:
        self._link = link
        self._tracker = tracker
        self._text = ""
        self._leds = bytearray(SENSORS)
        self._heard_ms = 0
        self._is_gone = self.is_over = False
        self._reeds_due = True
        if tracker.phase == PROVISIONAL:
            tracker.finalise()  # it counts: something else is played from now on

    def show(self, text: str, now_ms: int) -> None:
        """Take the meanings of all LEDs, packed as the link has them; the PC is there."""
        self._heard_ms = now_ms
        self._is_gone = self.is_over = False
        if text == self._text:
            return
        self._text = text
        bits = count = led = 0
        for letter in text:  # six bits each, and five make a meaning
            bits = (bits << 6 | LED_ALPHABET.find(letter)) & 0x7FF
            count += 6
            while count >= 5 and led < SENSORS:
                count -= 5
                self._leds[led] = bits >> count & 31
                led += 1

    def outlasts(self, command: str) -> bool:
        """Tell whether the picture stays when the PC sends a command."""
        return command in _BESIDE

    def edge(self, sensor: int, closed: bool) -> None:
        """Take a change of a reed: what lies there may be anybody's."""
        evidence = self._tracker.evidence
        evidence.set_reed(sensor, closed)
        if sensor < SPACES:
            era, bit = sensor >> 4, 1 << (sensor & 15)
            if evidence.observed[TRUSTED + era] & bit:
                evidence.ownership.touch(era, bit, closed, UNKNOWN)
                evidence.occupy(era, bit, closed)
        self._reeds_due = True

    def step(self, now_ms: int) -> bool:
        """Let time pass; tell whether that changes anything."""
        silent_ms = now_ms - self._heard_ms
        was_gone, was_over = self._is_gone, self.is_over
        self._is_gone = silent_ms >= GONE_MS
        self.is_over = silent_ms >= GONE_MS + SAID_MS
        return self._is_gone != was_gone or self.is_over != was_over

    def paint(self, leds: bytearray) -> None:
        """Paint the picture of the PC, or that it is gone."""
        for led in range(SENSORS):
            leds[led] = self._leds[led]
            if self._is_gone:
                leds[led] = OFF if led < FOCUS else FAULT

    def tell(self) -> None:
        """Tell the PC what the reeds say, if that is new."""
        if self._reeds_due:
            self._reeds_due = False
            self._tell_reeds(True)

    def end(self, now_ms: int) -> None:
        """Go back to the own game: ask for its position, or for another start."""
        self._tell_reeds(False)
        tracker = self._tracker
        tracker.begin_at(now_ms)
        if tracker.phase == OVER:
            tracker.set_up_again()
        elif tracker.recovery.is_new_game:
            tracker.restore()
        else:
            tracker.resume()

    def _tell_reeds(self, is_shown: bool) -> None:
        evidence = self._tracker.evidence
        closed = bytearray(SENSORS)
        for sensor in range(SENSORS):
            closed[sensor] = evidence.is_closed(sensor)
        self._link.send("reeds", surface=int(is_shown), closed=pack_sensors(closed))
