"""The games that the table keeps in its flash until the PC has stored them.

Two rules: a file only grows, by units that each say with a CRC which unit of which game they are,
so what a power cut left of it is its longest valid prefix; and a game goes only when the PC has
confirmed all of it, or when nothing was played.

| unit | its five bytes |
|---|---|
| `g`, six times | the beginning: see `HEADER` |
| `g`, six times more | its objects, where the position says that they are told apart |
| `c`, `a`, `x` | a final turn (certain, asked, corrected): 3 bytes packed, time |
| `b` | it was taken back: the turn, time |
| `e` | the game is over: winner `w`, `b` or `-`, by `n`, `r` or `a`, 0, time |
| `p` | the table was switched on again and the game went on: boot, 0, time |

A time is two bytes: tenths of a second since the unit before, after `p` since power-on. Numbers are
little-endian. A unit ends in a CRC-16 over the game's number, the unit's and its own six bytes.

A store keeps the files: see store.pyi.
"""

from binascii import crc32, hexlify, unhexlify

from chronotable.messages import encode, is_hex
from chronotable.packed import DRAWN, OPTIONS, unpack_position
from ttykm.game import RULES_VERSION, is_conserved
from ttykm.layout import NOBODY, new_state
from ttykm.mp import const

if False:
    from chronotable.store import Store
    from ttykm.game import Game

UNIT = const(8)
"""Bytes of a unit."""
HEADER_UNITS = const(6)
HEADER = "format:1 rules:1 game_id:4 boot:2 options:2 start:4 position:15"
"""The fields of the beginning and their bytes; `start` is table time in tenths of a second.

`options` are those of the rules, and DRAWN (packed.py).
"""

TURNS = const(b"cax")
TAKEN_BACK = const(b"b")
OVER = const(b"e")
POWER = const(b"p")
BEGIN = const(b"g")

_FORMAT = const(1)
_MOST_NUMBER = const(0xFFFF)
_MOST_TIME = const(0xFFFF)
_OBJECT_UNITS = const(6)
_OBJECT_BYTES = const(26)  # "0" and 51 digits
_APART = const(42)  # the byte that has bit 3 where the objects are told apart
_ROOM = const(49152)  # bytes free for a new game: a long one, and what else is written
_DELIVERED_MAX = const(8)
_NEW = const(".new")  # the PC has not confirmed it
_OLD = const(".old")
_UNITS_IN_LINE = const(3)


def seal(kind: bytes, data: bytes, number: int, index: int) -> bytes:
    """Return unit `index` of game `number`; `data` are its five bytes."""
    unit = kind + data
    return unit + _crc(unit, number, index).to_bytes(2, "little")


def _crc(unit: bytes, number: int, index: int) -> int:
    key = (index << 16 | number).to_bytes(4, "little")
    return crc32(unit, crc32(key)) & 0xFFFF


def count_valid(data: bytes, number: int) -> int:
    """Return how many units from the first on are in order; a beginning that is not whole is 0."""
    count = 0
    due = HEADER_UNITS
    while (count + 1) * UNIT <= len(data):
        at = count * UNIT
        crc = int.from_bytes(data[at + 6 : at + UNIT], "little")
        is_begin = data[at : at + 1] == BEGIN
        if crc != _crc(data[at : at + 6], number, count) or is_begin != (count < due):
            break
        count += 1
        if count == HEADER_UNITS:
            due = count_begin(data)
    return count if count >= due else 0


def count_begin(data: bytes) -> int:
    """Return how many units the beginning has, the first six of which are in order."""
    return HEADER_UNITS + _OBJECT_UNITS if data[_APART] & 8 else HEADER_UNITS


def _body(data: bytes, begin: int, end: int) -> bytes:
    """Return what the units `begin`..`end`-1 say."""
    return b"".join([data[at * UNIT + 1 : at * UNIT + 6] for at in range(begin, end)])


def read_header(data: bytes) -> "dict[str, int | bytes]":
    """Return the fields of the beginning of a game, `position` as bytes."""
    body = _body(data, 0, HEADER_UNITS)
    fields: dict[str, int | bytes] = {}
    at = 0
    for word in HEADER.split():
        name, _, size = word.partition(":")
        raw = body[at : at + int(size)]
        fields[name] = raw if name == "position" else int.from_bytes(raw, "little")
        at += int(size)
    return fields


def start_game(game: "Game", data: bytes) -> "dict[str, int | bytes]":
    """Put a game at the beginning that its units tell; return the fields of it.

    Raises ValueError where the rules here cannot play it.
    """
    fields = read_header(data)
    if fields["format"] != _FORMAT or fields["rules"] != RULES_VERSION:
        raise ValueError("a game of another version")
    options = int(fields["options"])
    if options & ~(DRAWN | OPTIONS):
        raise ValueError("options of other rules")
    text = hexlify(bytes(fields["position"])).decode()[1:]
    objects = _body(data, HEADER_UNITS, count_begin(data))[:_OBJECT_BYTES]
    state = unpack_position(text, hexlify(objects).decode()[1:])
    if not is_conserved(state):
        raise ValueError("more pieces than the box has")
    game.start(state, options & OPTIONS)
    return fields


def play_unit(game: "Game", unit: bytes) -> bool:
    """Do to a game what a unit behind the beginning says; return whether it is over then.

    Raises ValueError for what the rules do not allow.
    """
    kind = unit[:1]
    if kind in TURNS:
        game.apply(int.from_bytes(unit[1:4], "little"))
    elif kind == TAKEN_BACK:
        if not game.turns or game.undo() != int.from_bytes(unit[1:4], "little"):
            raise ValueError("another turn was taken back than there was")
    return kind == OVER or game.winner() != NOBODY


class Journal:
    """The games in a `store`, and the one that goes on: `current`, a number, or 0.

    `store` has the files, `boot` is the table's boot number. `is_full` tells that a new game cannot
    be kept, `changed` that the PC is to hear of it, `kept` how many games wait for the PC. A flash
    that fails is a full one: the game goes on without it.
    """

    def __init__(self, store: "Store", boot: int) -> None:
        self.current = 0
        self.is_full = False
        self.changed = True
        self.game_id = 0
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
        number = self._number
        data = self.store.read(self._name(number))
        count = count_valid(data, number)
        if not count:
            self._remove(number)
            return False
        is_over = False
        self._begun = count_begin(data)
        try:
            self.game_id = int(start_game(game, data)["game_id"])
            for index in range(self._begun, count):
                is_over = play_unit(game, data[index * UNIT : (index + 1) * UNIT])
        except ValueError:  # of other rules: it stays for the PC
            is_over = True
        self._units = count
        if is_over:
            return False
        if count == self._begun and _is_plain(game):  # nothing was played
            self._remove(number)
            return False
        if count * UNIT < len(data):  # torn
            self.store.replace(self._name(number), data[: count * UNIT])
        self.current = number
        self._tenths = 0
        self._add(POWER, self._boot.to_bytes(2, "little") + b"\0", 0)
        return True

    # ---- what happens in the game

    def begin(
        self, position: str, options: int, game_id: int, at_ms: int, objects: str = ""
    ) -> None:
        """A game begins, at a packed position; one before that was not over is abandoned.

        `objects` are its objects, where it says that they are told apart; `options` see `HEADER`.
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
            bytes((_FORMAT, RULES_VERSION))
            + game_id.to_bytes(4, "little")
            + self._boot.to_bytes(2, "little")
            + options.to_bytes(2, "little")
            + self._tenths.to_bytes(4, "little")
            + unhexlify("0" + position)
            + b"\0"
        )
        if objects:
            body += unhexlify("0" + objects) + bytes(5 * _OBJECT_UNITS - _OBJECT_BYTES)
        number = self._number
        self._begun = len(body) // 5
        data = b""
        for index in range(self._begun):
            data += seal(BEGIN, body[5 * index : 5 * index + 5], number, index)
        self._units = 0
        self._files[number] = _NEW
        self.current = number
        self._append(data)

    def turn(self, turn: int, understood: int, at_ms: int) -> None:
        """A turn is final; `understood` as the tracker numbers it."""
        self._add(TURNS[understood : understood + 1], turn.to_bytes(3, "little"), at_ms)

    def taken_back(self, turn: int, at_ms: int) -> None:
        """The last turn does not count any more; a game that was over goes on."""
        if not self.current and self._units:
            self._reopen()
        self._add(TAKEN_BACK, turn.to_bytes(3, "little"), at_ms)

    def over(self, winner: str, by: str, at_ms: int) -> None:
        """The game is over; `winner` is w, b or -, `by` is n, r or a."""
        self._add(OVER, (winner + by).encode() + b"\0", at_ms)
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

    def _add(self, kind: bytes, data: bytes, at_ms: int) -> None:
        if not self.current:
            return
        tenths = at_ms // 100
        passed = max(0, min(tenths - self._tenths, _MOST_TIME))
        self._tenths = tenths
        self._append(seal(kind, data + passed.to_bytes(2, "little"), self._number, self._units))

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
        except OSError:
            self.is_full = True

    def _remove(self, number: int) -> None:
        self.store.remove(self._name(number))
        del self._files[number]

    def _try_remove(self, number: int) -> bool:
        try:
            self._remove(number)
        except OSError:
            return False
        return True

    def _mark(self, number: int, ending: str) -> None:
        self.store.rename(self._name(number), _file(number, ending))
        self._files[number] = ending

    def _name(self, number: int) -> str:
        return _file(number, self._files[number])

    # ---- the PC

    def first(self, after: int = 0) -> int:
        """Return the first game behind number `after` that waits and does not go on, or 0."""
        found = 0
        for number in self._files:
            if (
                number > after
                and (not found or number < found)
                and number != self.current
                and self._files[number] == _NEW
            ):
                found = number
        return found

    def read(self, number: int) -> bytes:
        """Return the units of a game; none where it is not kept or cannot be read."""
        if number not in self._files:
            return b""
        try:
            data = self.store.read(self._name(number))
        except OSError:
            return b""
        return data[: count_valid(data, number) * UNIT]

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


def _is_plain(game: "Game") -> bool:
    return not game.options and game.state == new_state(game.mover)


def _file(number: int, ending: str) -> str:
    return "%04x%s" % (number, ending)


class Pages:
    """What the journal has of a game, 0 for the one that goes on, as lines for the PC.

    Units that are written meanwhile are sent, too: at the end the PC knows what the table knows.
    """

    def __init__(self, journal: Journal, number: int) -> None:
        self._journal = journal
        self._number = number or journal.current
        self._data = journal.read(self._number)
        self._at = 0  # units that were sent
        self._is_over = False

    def next_line(self) -> str:
        """Return letter and payload of the next line, "" behind the last."""
        if self._is_over:
            return ""
        journal, number = self._journal, self._number
        at = self._at * UNIT
        if at == len(self._data):
            self._data = journal.read(number)
        units = self._data[at : at + _UNITS_IN_LINE * UNIT]
        if units:
            index = self._at
            self._at += len(units) // UNIT
            return encode("page", index=index, units=hexlify(units).decode())
        self._is_over = True
        return encode(
            "page_end",
            game=number,
            units=self._at,
            crc=crc32(self._data),
            next=journal.first(number),
        )
