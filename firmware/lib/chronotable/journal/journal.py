"""The games that the table keeps in its flash until the PC has stored them.

Two rules: a file only grows, by units that each say with a CRC which unit of which game they are,
so what a power cut left of it is its longest valid prefix; and a game goes only when the PC has
confirmed all of it, or when nothing was played.

Units are those of units.py, a store keeps the files: see store.pyi. What is in them is read by
reader.py, which is loaded at power-on and when a PC wants a game.
"""

from binascii import crc32, unhexlify

from chronotable.journal import units
from chronotable.journal.units import UNIT
from chronotable.link.messages import is_hex
from ttykm.game import RULES_VERSION
from ttykm.mp import const

if False:
    from chronotable.journal.store import Store
    from ttykm.game import Game

_MOST_NUMBER = const(0xFFFF)
_MOST_TIME = const(0xFFFF)
_ROOM = const(49152)  # bytes free for a new game: a long one, and what else is written
_DELIVERED_MAX = const(8)
_NEW = const(".new")  # the PC has not confirmed it
_OLD = const(".old")


class Journal:
    """The games in a `store`, which has the files, and the one that goes on.

    A flash that fails is a full one: the game goes on without it.
    """

    def __init__(self, store: "Store", boot: int) -> None:
        self.current = 0  # the number of the game that goes on, if one does
        self.is_full = False  # a new game cannot be kept
        self.changed = True  # the PC is to hear of it
        self.game_id = 0
        self.seats = 0  # who played the game that goes on after a power cut, as a unit has it
        self.store = store
        self._boot = boot
        self._files: dict[int, str] = {}  # the ending of each game's file
        self._number = 0  # of the latest game, over or not
        self._units = 0  # of it
        self._begun = 0  # of these, its beginning
        self._tenths = 0  # when the last of them happened

    @property
    def kept(self) -> int:
        """How many games wait for the PC."""
        return list(self._files.values()).count(_NEW)

    # ---- at power-on

    def open(self, game: "Game") -> bool:
        """See what is there; return whether a game goes on, at whose position `game` is then."""
        try:
            for name in self.store.names():
                ending = name[4:]
                if ending in (_NEW, _OLD) and is_hex(name[:4]):
                    self._files[int(name[:4], 16)] = ending
            if self._files:
                self._number = max(self._files)
                if self._resume(game):
                    return True
        except OSError:
            self.is_full = True
            return False
        self._make_room()
        return False

    def _resume(self, game: "Game") -> bool:
        """Put `game` where the latest game is; return whether it goes on."""
        from chronotable.journal.reader import is_start, replay

        number = self._number
        data = self.store.read(self._name(number))
        count = units.count_valid(data, number)
        if not count:
            self._remove(number)
            return False
        self._begun = units.count_begin(data)
        self._units = count
        found = replay(game, data, count)
        self.game_id, self.seats = found.game_id, found.seats
        if found.is_over and found.ended < 0:
            return False
        if count == self._begun and is_start(game):  # nothing was played
            self._remove(number)
            return False
        if count * UNIT < len(data):  # torn
            self.store.replace(self._name(number), data[: count * UNIT])
        self.current = number
        self._tenths = 0
        self.add(units.POWER, self._boot.to_bytes(2, "little") + b"\0", 0)
        if found.ended >= 0:  # the marker stood when the power went
            self.turn(found.ended & (1 << units.HOW) - 1, found.ended >> units.HOW, 0)
        if found.is_over:
            self.current = 0
        return not found.is_over

    # ---- what happens in the game

    def begin(
        self, position: str, options: int, game_id: int, at_ms: int, objects: str = ""
    ) -> None:
        """A game begins, at a packed position; one before that was not over is abandoned.

        `objects` are its objects, where it says that they are told apart; `options` are those of
        `HEADER` in reader.py.
        """
        if self.current and self._units == self._begun:
            self._try_remove(self.current)  # nothing was played
        self.current = 0
        self.game_id = game_id
        self._make_room()
        if self.is_full:
            return
        self._number += 1
        self._tenths = at_ms // 100
        body = (
            bytes((units.FORMAT, RULES_VERSION))
            + game_id.to_bytes(4, "little")
            + self._boot.to_bytes(2, "little")
            + options.to_bytes(2, "little")
            + self._tenths.to_bytes(4, "little")
            + unhexlify("0" + position)
            + b"\0"
        )
        if objects:
            body += unhexlify("0" + objects) + bytes(5 * units.OBJECT_UNITS - units.OBJECT_BYTES)
        number = self._number
        self._begun = len(body) // 5
        data = b""
        for index in range(self._begun):
            data += units.seal(units.BEGIN, body[5 * index : 5 * index + 5], number, index)
        self._units = 0
        self._files[number] = _NEW
        self.current = number
        self._append(data)

    def turn(self, turn: int, understood: int, at_ms: int) -> None:
        """A turn is final; `understood` as the tracker numbers it."""
        self.add(units.TURNS[understood : understood + 1], turn.to_bytes(3, "little"), at_ms)

    def taken_back(self, turn: int, at_ms: int) -> None:
        """The last turn does not count any more; a game that was over goes on."""
        if not self.current and self._units:
            self._reopen()
        self.add(units.TAKEN_BACK, turn.to_bytes(3, "little"), at_ms)

    def over(self, winner: str, by: str, at_ms: int) -> None:
        """The game is over; `winner` is w, b or -, `by` is n, r or a."""
        self.add(units.OVER, (winner + by).encode() + b"\0", at_ms)
        self.current = 0
        self._make_room()

    def _reopen(self) -> None:
        """The latest game goes on after all; the PC has not the whole of it any more."""
        number = self._number
        try:
            if self._files.get(number) == _OLD:
                self._mark(number, _NEW)
            if number in self._files:
                self.current = number
        except OSError:
            self._give_up()
        self.changed = True

    def add(self, kind: bytes, data: bytes, at_ms: int) -> None:
        """Add a unit to the game that goes on, with three bytes of `data`."""
        if not self.current:
            return
        tenths = at_ms // 100
        passed = max(0, min(tenths - self._tenths, _MOST_TIME))
        self._tenths = tenths
        self._append(
            units.seal(kind, data + passed.to_bytes(2, "little"), self._number, self._units)
        )

    def _append(self, data: bytes) -> None:
        try:
            self.store.append(self._name(self._number), data)
            self._units += len(data) // UNIT
        except OSError:
            self._give_up()

    def _give_up(self) -> None:
        """The latest game cannot be kept on."""
        self.current = self._units = 0
        self.is_full = self.changed = True

    # ---- room

    def _make_room(self) -> None:
        """Let games go that the PC has, the oldest first; see whether another fits."""
        self.changed = True
        try:
            delivered = sorted([key for key in self._files if self._files[key] == _OLD])
            while delivered and (len(delivered) > _DELIVERED_MAX or self.store.room() < _ROOM):
                self._remove(delivered.pop(0))
            self.is_full = self._number >= _MOST_NUMBER or self.store.room() < _ROOM
            if not self.is_full:
                self.store.prepare()
        except OSError:
            self.is_full = True

    def _remove(self, number: int) -> None:
        self.store.remove(self._name(number))
        del self._files[number]

    def _try_remove(self, number: int) -> None:
        try:
            self._remove(number)
        except OSError:
            return

    def _mark(self, number: int, ending: str) -> None:
        self.store.rename(self._name(number), _file(number, ending))
        self._files[number] = ending

    def _name(self, number: int) -> str:
        return _file(number, self._files[number])

    # ---- the PC

    def first(self, after: int = 0) -> int:
        """Return the first game behind number `after` that waits and does not go on, or 0."""
        files, current = self._files, self.current
        waiting = [at for at in files if at > after and at != current and files[at] == _NEW]
        return min(waiting) if waiting else 0

    def read(self, number: int) -> bytes:
        """Return the units of a game; none where it is not kept or cannot be read."""
        if number not in self._files:
            return b""
        try:
            data = self.store.read(self._name(number))
        except OSError:
            return b""
        return data[: units.count_valid(data, number) * UNIT]

    def forget(self, number: int, units: int, crc: int) -> bool:
        """Let a game go that the PC has stored; return False where that is not all of it."""
        if number == self.current or number not in self._files:
            return False
        data = self.read(number)
        if len(data) != units * UNIT or crc32(data) != crc:
            return False
        try:
            if not units:
                self._remove(number)
            elif self._files[number] == _NEW:
                self._mark(number, _OLD)
        except OSError:
            return False
        self._make_room()
        return True


def _file(number: int, ending: str) -> str:
    return "%04x%s" % (number, ending)
