"""Scripted hands at a tracker: what they do is one line of text, and so is what it told.

    -pr6 +pr7    lift from present 6, place on present 7; eras are pa, pr, fu
    -wpa +wfu    white's focus marker goes from the past to the future; black's are bpa, bpr, bfu
    .300         nobody does anything for 300 ms
    !action      the button of the player to move is pressed
    /a /undo:w   a button is pressed at once; the second is white's
    -fu16:20     20 ms after what was before
    ~pa7 ~pa7:6  its reed flickers: ten edges, or six, 40 ms apart
    put_up       all lies there at once as the game has it; put_up:START as that position
    cut:pr1,pr9  the power is cut, and comes on when the reeds of these have changed
    pc:answer:0  the PC does what it may: answer, undo, resign:w, draw:b, set_up, want_nothing,
                 rest:400 and settle:600 (times in ms), hints:0 (the mover's level)
    no:undo      the PC may not; try:undo where it does not matter

Between two lifts or places 150 ms pass. There is no runtime: edges and times go straight in.
"""

from chronotable.core import buttons, why
from chronotable.core.progress import ASKED, CERTAIN, CORRECTED
from chronotable.core.tracker import Tracker
from chronotable.hardware.sensors import BUTTONS, FOCUS, SENSORS, SHARED, SPACES
from chronotable.lights import meanings
from chronotable.lights.hints import Hints
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.rules.notation import format_turn, parse_position
from ttykm import layout, objects, reasons
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE
from ttykm.turns import RECORDS_IN_GAMES

START = "w..............b/w..............b/w..............b 0 2 4 4 w"
PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"
PARADOX = "w..............b/..b...w...w...../w..............b 1 1 4 4 b"
TWINS = "................/.w......b.wb...b/...b.w...w....b. 1 2 1 0 w"
"""11 W W and 11 S E look alike to the reeds."""
LAST_STAND = "w.............../w.....wb......../................ 1 1 4 4 w"
WIN = "-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa"
"""7 E N wins there."""

TWO_EAST = "-pa1 +pa2 -pa2 +pa3 -wpa +wpr"
"""1 E E >present at the start."""

_OBJECTS = {
    objects.SHRUB: "shrub",
    objects.TREE: "tree",
    objects.STATUE: "statue",
    objects.STATUE + 1: "white_statue",
    objects.STATUE + 2: "black_statue",
    objects.ELEPHANT: "dark_elephant",
    objects.ELEPHANT + 1: "light_elephant",
}
for fallen in range(objects.FALLEN, objects.STATUE):
    _OBJECTS[fallen] = "fallen_tree"
_ERAS = ("pa", "pr", "fu")
_SIDES = {"w": WHITE, "b": BLACK}
_GESTURE_MS = 150
_ROUND_MS = 50
_UNDERSTOOD = {CERTAIN: "certain", ASKED: "asked", CORRECTED: "corrected"}
_BY = ("rules", "resignation", "agreement")
_WHY = {
    why.SET_UP: "set up",
    why.UNFINISHED: "unfinished",
    why.NOT_A_TURN: "not a turn",
    why.MARKER_MISPLACED: "marker misplaced",
    why.WRONG_COPY: "wrong copy",
    why.RESTORE: "restore",
    why.UNANSWERED: "unanswered",
    why.WANTED: "wanted",
    why.NEW_GAME: "new game?",
    why.GO_BACK: "go back?",
    why.MIXED: "mixed",
    why.DOCTOR: "run the doctor",
    reasons.NO_COPY_THERE: "no copy there",
    reasons.ACTIONS_DUE: "actions due",
    reasons.SECOND_ACTION_DUE: "second action due",
    reasons.CHOOSE_ABLER_COPY: "choose abler copy",
}


def says(meaning):
    """Return what a light says: one that asks for an object names its kind."""
    kind = meaning - meanings.PUT_OBJECT
    return NAMES[meaning] if kind < 0 else "put_" + _OBJECTS[kind]


def sensor_of(text):
    """Return the sensor of `pr6` or `wpa`."""
    if text[0] in "wb":
        return FOCUS + 3 * "wb".find(text[0]) + _ERAS.index(text[1:])
    return 16 * _ERAS.index(text[:2]) + int(text[2:]) - 1


def name_of(sensor):
    """Return the short name of a sensor."""
    if sensor < SPACES:
        return _ERAS[sensor >> 4] + str((sensor & 15) + 1)
    return "wb"[(sensor - FOCUS) // 3] + _ERAS[(sensor - FOCUS) % 3]


def named(flags):
    """Return the short names of the sensors whose flag is set."""
    return " ".join([name_of(sensor) for sensor in range(SENSORS) if flags[sensor]])


class Scene:
    """A tracker with its hints and a game, told about by hands; also the tracker's listener.

    The position given is put up at once and a game begins there; `free` leaves it to the markers
    who begins, as a table does that has just been switched on.
    """

    def __init__(self, position=START, options=0, free=False):
        state = parse_position(position)
        self.game = Game(RECORDS_IN_GAMES)
        self.tracker = Tracker(self.game, self)
        self.hints = Hints(self.tracker)
        self.now_ms = 1000
        self.magnets = set()
        self._told = []
        if free:
            self.tracker.set_up()
        else:
            self.tracker.set_up(state, options)
        self.put_up(state)
        self.wait(300)
        if not free:
            assert self.heard() == ["started"], position

    # ---- what the hands do

    def do(self, script):
        """Act a script out; return what the tracker told meanwhile."""
        for word in script.split():
            what, _, more = word[1:].partition(":")
            who, _, does = word.partition(":")
            if who in ("pc", "no", "try"):
                assert self._command(*does.split(":")) == (who == "pc") or who == "try", word
            elif word[:6] == "put_up":
                self.put_up(parse_position(START) if more else self.game.state)
            elif word[:3] == "cut":
                self._cut_power(more)
            elif word[0] == ".":
                self.wait(int(what))
            elif word[0] == "!":
                self.press(what, _SIDES.get(more))
            elif word[0] == "/":
                number = BUTTONS.index((what, _SIDES.get(more, SHARED)))
                buttons.press(self.tracker, number, self.now_ms)
            elif word[0] == "~":
                sensor = sensor_of(what)
                for _ in range(int(more or 10)):
                    self.gesture(sensor, sensor not in self.magnets, 40)
            else:
                self.gesture(sensor_of(what), word[0] == "+", int(more or _GESTURE_MS))
        return self.heard()

    def press(self, name, side=None):
        """Press a button of a player, the one to move if none is named."""
        self.wait(_GESTURE_MS)
        side = self.game.mover if side is None else side
        buttons.press(self.tracker, BUTTONS.index((name, side)), self.now_ms)
        self.tracker.update(self.now_ms)

    def gesture(self, sensor, closed, after_ms):
        """Lift from or place on a sensor, some time after what was before."""
        self.wait(after_ms)
        assert (sensor in self.magnets) != closed, name_of(sensor)
        if closed:
            self.magnets.add(sensor)
        else:
            self.magnets.discard(sensor)
        self.tracker.edge(sensor, closed, self.now_ms)
        self.tracker.update(self.now_ms)

    def wait(self, duration_ms):
        """Let time pass."""
        end = self.now_ms + duration_ms
        while self.now_ms < end:
            self.now_ms = min(end, self.now_ms + _ROUND_MS)
            self.tracker.update(self.now_ms)

    def put_up(self, state):
        """Make a position lie there, markers included, all at once."""
        wanted = set()
        for era in range(3):
            for space in range(16):
                is_object = objects.kind_at(state, era, space) > objects.SEED
                if is_object or (state[era] | state[3 + era]) >> space & 1:
                    wanted.add(16 * era + space)
        for player in range(2):
            wanted.add(FOCUS + 3 * player + layout.focus(state, player))
        for sensor in sorted(self.magnets):
            self.tracker.edge(sensor, False, self.now_ms)
        for sensor in sorted(wanted):
            self.tracker.edge(sensor, True, self.now_ms)
        self.magnets = wanted

    def _command(self, name, value=""):
        """Have the PC do something; return whether it may."""
        track = self.tracker
        if name == "answer":
            return track.answer(int(value), self.now_ms)
        if name == "hints":
            self.hints.levels[self.game.mover] = int(value)
        elif name in ("rest", "settle"):
            setattr(track, name + "_ms", int(value))
        elif name in ("set_up", "want_nothing"):
            getattr(track, name)()
        if name not in ("undo", "resign", "draw"):
            return True
        calls = {"undo": track.undo, "resign": track.resign, "draw": track.offer_draw}
        return calls[name](_SIDES.get(value, SHARED))

    def _cut_power(self, changed):
        """Start anew with what lies there, and the game as it was."""
        self.magnets ^= {sensor_of(name) for name in changed.split(",") if name}
        self.tracker = Tracker(self.game, self)
        self.hints = Hints(self.tracker)
        self.tracker.resume()
        for sensor in sorted(self.magnets):
            self.tracker.edge(sensor, True, self.now_ms)
        self.wait(300)

    # ---- what is seen

    def heard(self):
        """Return what the tracker told since the last time, one text each."""
        told, self._told = self._told, []
        return told

    def picture(self):
        """Return the LEDs that are lit: `pr6 copy, pr7 move`, without those of the markers."""
        return self._painted(0, SPACES)

    def marker_picture(self):
        """Return the LEDs of the markers that are lit."""
        return self._painted(FOCUS, SENSORS)

    def _painted(self, first, end):
        self.hints.paint()
        leds = self.hints.leds
        return ", ".join(
            [
                name_of(sensor) + " " + says(leds[sensor])
                for sensor in range(first, end)
                if leds[sensor]
            ]
        )

    # ---- what the tracker tells

    def started(self):
        self._told.append("started")

    def provisional(self, turn):
        self._told.append("provisional " + format_turn(turn))

    def reopened(self):
        self._told.append("reopened")

    def final(self, turn, understood):
        self._told.append("final " + format_turn(turn) + ", " + _UNDERSTOOD[understood])

    def taken_back(self, turn):
        self._told.append("taken back " + format_turn(turn))

    def ask(self, choices):
        self._told.append("ask " + " | ".join([format_turn(turn) for turn in choices]))

    def guide(self, take, put, why):
        self._told.append(f"take {named(take) or '-'}, put {named(put) or '-'}: {_WHY[why]}")

    def fault(self, sensor, kind):
        self._told.append(f"fault {name_of(sensor)} {kind}")

    def over(self, winner, by):
        who = "draw" if winner == NOBODY else ("white", "black")[winner]
        self._told.append(f"over {who} by {_BY[by]}")


def press(scene, name, side=SHARED):
    """Press a button, with no pause before it; return what the tracker told."""
    buttons.press(scene.tracker, BUTTONS.index((name, side)), scene.now_ms)
    return scene.heard()
