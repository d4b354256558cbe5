"""What the units of a game in the journal say: at power-on it is replayed.

The table loads this for as long as that takes, and lets it go again.
"""

from binascii import hexlify

from chronotable.journal import units
from chronotable.link.packed import DRAWN, OPTIONS
from chronotable.link.unpacked import unpack_position
from ttykm.game import RULES_VERSION, is_conserved
from ttykm.layout import NOBODY, new_state

if False:
    from ttykm.game import Game

HEADER = "format:1 rules:1 game_id:4 boot:2 options:2 start:4 position:15"
"""The fields of the beginning and their bytes; `start` is table time in tenths of a second.

`options` are those of the rules, and DRAWN (packed.py).
"""


def _body(data: bytes, begin: int, end: int) -> bytes:
    """Return what the units `begin`..`end`-1 say."""
    return b"".join([data[at * units.UNIT + 1 : at * units.UNIT + 6] for at in range(begin, end)])


def read_header(data: bytes) -> "dict[str, int | bytes]":
    """Return the fields of the beginning of a game, `position` as bytes."""
    body = _body(data, 0, units.HEADER_UNITS)
    fields: dict[str, int | bytes] = {}
    at = 0
    for word in HEADER.split():
        name, _, size = word.partition(":")
        raw = body[at : at + int(size)]
        fields[name] = raw if name == "position" else int.from_bytes(raw, "little")
        at += int(size)
    return fields


def start_game(game: "Game", data: bytes) -> "dict[str, int | bytes]":
    """Put a game at its beginning, and return its fields; raises ValueError for other rules."""
    fields = read_header(data)
    if fields["format"] != units.FORMAT or fields["rules"] != RULES_VERSION:
        raise ValueError("a game of another version")
    options = int(fields["options"])
    if options & ~(DRAWN | OPTIONS):
        raise ValueError("options of other rules")
    text = hexlify(bytes(fields["position"])).decode()[1:]
    objects = _body(data, units.HEADER_UNITS, units.count_begin(data))[: units.OBJECT_BYTES]
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
    if kind in units.TURNS:
        game.apply(int.from_bytes(unit[1:4], "little"))
    elif kind == units.TAKEN_BACK:
        if not game.turns or game.undo() != int.from_bytes(unit[1:4], "little"):
            raise ValueError("another turn was taken back than there was")
    return kind == units.OVER or game.winner() != NOBODY


class Replayed:
    """Where the units of a game have led."""

    def __init__(self) -> None:
        self.game_id = 0  # 0 where not even its beginning can be played
        self.seats = 0  # who played, as the last unit of that says
        self.ended = -1  # what `ENDED` says, where that is the last unit
        self.is_over = False


def replay(game: "Game", data: bytes, count: int) -> Replayed:
    """Put a game where its first `count` units, which are in order, lead.

    A game of other rules is over: it stays for the PC.
    """
    found = Replayed()
    unit = b""
    try:
        found.game_id = int(start_game(game, data)["game_id"])
        for index in range(units.count_begin(data), count):
            unit = data[index * units.UNIT : (index + 1) * units.UNIT]
            found.is_over = play_unit(game, unit)
            if unit[:1] == units.SEATS:
                found.seats = unit[1]
        if unit[:1] == units.ENDED:
            found.ended = int.from_bytes(unit[1:4], "little")
            game.apply(found.ended & (1 << units.HOW) - 1)
            found.is_over = game.winner() != NOBODY
    except ValueError:
        found.is_over = True
        found.ended = -1
    return found


def is_start(game: "Game") -> bool:
    """Tell whether a game stands at the start of the standard game, under the usual options."""
    return not game.options and game.state == new_state(game.mover)
