"""Helping hands: they know what the lights mean, and not what turn is wanted."""

from chronotable.meanings import (
    CONFIRM_BLACK,
    CONFIRM_WHITE,
    PUT_BLACK,
    PUT_WHITE,
    TODO_PUT,
    TODO_TAKE,
)
from chronotable.sensors import FOCUS, SPACES
from ttykm import layout

_MOST_GESTURES = 60
_PAUSE_MS = 150
_SETTLE_MS = 300


class AtScene:
    """What a helper sees and does at a scripted scene (hands.py)."""

    def __init__(self, scene):
        self._scene = scene
        self.game = scene.game

    def leds(self):
        """Return what the LEDs mean."""
        self._scene.hints.paint()
        return self._scene.hints.leds

    def gesture(self, sensor, closed):
        """Lift or place."""
        self._scene.gesture(sensor, closed, _PAUSE_MS)

    def wait(self):
        """Wait until what lies there has settled."""
        self._scene.wait(_SETTLE_MS)


class Helper:
    """Does at a table what its lights say, one gesture after the other; `lying` is what lies there.

    A piece is the player it belongs to. What is taken away is put where the lights ask for one of
    its colour, or back into the box; `gestures` counts lifts and places.
    """

    def __init__(self, at):
        self._at = at
        self.gestures = 0
        self.lying = {}
        state = at.game.state
        for player in range(2):
            for era in range(3):
                for space in range(16):
                    if state[3 * player + era] >> space & 1:
                        self.lying[16 * era + space] = player
            self.lying[FOCUS + 3 * player + layout.focus(state, player)] = player

    def carry_out(self):
        """Do what is lit until a turn counts; return False where that takes far too long."""
        turns = len(self._at.game.turns)
        for _ in range(_MOST_GESTURES):
            if len(self._at.game.turns) > turns:
                return True
            if not self.do_next():
                self._at.wait()
        return False

    def do_next(self):
        """Do the next thing that is lit; return whether anything was."""
        leds = self._at.leds()
        for sensor in range(FOCUS + 6):
            if leds[sensor] == TODO_TAKE:
                self._lift(sensor)
                return True
        for sensor in range(FOCUS + 6):
            if PUT_WHITE <= leds[sensor] <= PUT_BLACK:
                self._place(sensor, leds[sensor] - PUT_WHITE)
                return True
            if leds[sensor] == TODO_PUT:
                self._place(sensor, (sensor - FOCUS) // 3 if sensor >= SPACES else None)
                return True
        for sensor in range(SPACES):
            if CONFIRM_WHITE <= leds[sensor] <= CONFIRM_BLACK:
                piece = self.lying[sensor]
                self._lift(sensor)
                if piece == leds[sensor] - CONFIRM_WHITE:
                    self._place(sensor, piece)
                return True
        return False

    def _lift(self, sensor):
        del self.lying[sensor]
        self.gestures += 1
        self._at.gesture(sensor, False)

    def _place(self, sensor, piece):
        self.lying[sensor] = piece
        self.gestures += 1
        self._at.gesture(sensor, True)
