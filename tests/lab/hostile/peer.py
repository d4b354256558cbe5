"""The hostile peer: opens a session as it should be, and then says what a case tells it to.

Its cases are stories as an honest peer would tell them, whole or in part, with any bytes in
between, and frames with right numbers and CRC whose fields are anything.
"""

from __future__ import annotations

from binascii import crc32
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from chronotable.hardware.sensors import BUTTON, INPUTS
from chronotable.journal.units import UNIT
from chronotable.link.frames import LocalLinkError, crc_of_plain, encode
from chronotable.link.identity import TABLE
from chronotable.link.link import Link
from chronotable.link.messages import EVENT, TO_HOST, TO_TABLE, decode_fields, encode_fields, row_of
from chronotable.link.packed import pack_objects, pack_position
from chronotable_host.link.unpacking import decode
from chronotable_host.live.texts.message_texts import ROWS
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.hand import act_out
from tests.lab.hostile.case import NUMBER, SESSION, Case, Frame, Pause, Step, Touch
from tests.lab.hostile.flash import file_of, files_of, make_files, make_pieces, number_of
from tests.lab.hostile.mutations import mutated, mutated_bytes
from tests.lab.hostile.texts import any_payload, games, games_with_modules, lines, start_of
from tests.lab.store import known_board
from ttykm.game import RULES_VERSION, Game, digest

_BEGINS_MS = 1000
_STEP_MS = 5
_SLICE_MS = 200
_MOST_SLICES = 60
_MOST_STEPS = 100
_STRANGER = "0000000000e6"  # the table that an honest one is, too: others are turned away
_PAUSES_MS = (*(1, 20, 60, 100, 500, 900) * 3, 3000, 70_000, 1 << 28)
_PAYLOAD = 52
_TYPED = ("undo", "new", "status", "resign w", "a", "none", "set palette=standard")
_GAME_ID = 0x600D
_UNITS_IN_LINE = 3
_WITH_FILES = 0.3


class End(Protocol):
    """What the peer talks to: one end of the link, with all that stands behind it."""

    link: Link

    def take(self, data: bytes, now_ms: int) -> bytes:
        """Take what has come, let the application see to it, and return what is to be sent."""

    def touch(self, touch: Touch) -> None:
        """Let a hand do something; there may be nothing to feel it."""
        return

    def type(self, line: str) -> None:
        """Let somebody type a line; there may be no keyboard."""
        return

    def check(self) -> None:
        """Raise Unsound where something is not as it has to be, whatever was said."""

    def friend(self) -> End:
        """Return an honest peer that has something to say."""

    def is_well(self, friend: Any) -> bool:
        """Tell whether everything between this end and that peer is in order."""


class Peer:
    """Says what a case tells it to, with the numbers that are due."""

    def __init__(self, end: End) -> None:
        self.now_ms = _BEGINS_MS
        self._end = end
        self._is_host = end.link.role == TABLE
        self._due = 0  # the number that the end expects next
        self._heard = 0  # the number that comes next from there
        self._number = 1  # of the next event
        self._session = 1
        self._is_asked = False  # for a HELLO

    def open(self) -> None:
        self._end.link.open(self.now_ms)
        self._say(b"")
        self._greet()

    def _greet(self) -> None:
        self._is_asked = False
        self._send(Frame("H", hello_of("q" if self._is_host else "r")))

    def do(self, step: Step) -> None:
        if self._is_asked:
            self._greet()
        if isinstance(step, Touch):
            self._end.touch(step)
        elif isinstance(step, str):
            self._end.type(step)
        elif isinstance(step, Pause):
            self._wait(step.ms)
        elif isinstance(step, Frame):
            self._send(step)
        elif isinstance(step, bytes):
            self._say(step)

    def _wait(self, ms: int) -> None:
        end = self.now_ms + ms
        for _ in range(_MOST_SLICES):
            if end - self.now_ms <= _SLICE_MS:
                break
            self.now_ms += _SLICE_MS
            self._say(b"")
        self.now_ms = end
        self._say(b"")

    def _say(self, data: bytes) -> None:
        self.now_ms += _STEP_MS
        for line in self._end.take(data, self.now_ms).splitlines(keepends=True):
            self._hear(line)

    def _signed(self, frame: Frame) -> bytes:
        payload = frame.payload.replace(NUMBER, f"{self._number & 0xFFFF:04x}")
        payload = payload.replace(SESSION, f"{self._session:04x}")
        seq, ack = self._due + frame.seq_shift, self._heard + frame.ack_shift
        if frame.letter == "H":
            seq = ack = 0
        return signed(seq & 0xFF, ack & 0xFF, frame.letter, payload)

    def _send(self, frame: Frame) -> None:
        line = self._signed(frame)
        due = self._due
        if frame.letter == "H":
            self._due = 0
        elif frame.letter != "K" and not frame.seq_shift:
            self._due += 1
        self._say(line)
        if self._due != due and NUMBER in frame.payload:
            self._number += 1

    def _hear(self, line: bytes) -> None:
        """Learn the numbers that the end goes on with, as an enemy would."""
        seq, ack, letter, payload = decode(line)
        if letter == "H":
            fields: dict[str, Any] = dict(decode_fields(row_of("hello"), payload))
            self._session = fields["session"]
            self._due = self._heard = 0
            self._is_asked = fields["kind"] != "r"
            return
        self._due = ack
        self._heard = seq if letter == "K" else seq + 1


def signed(seq: int, ack: int, letter: str, payload: str) -> bytes:
    """Return a line with its CRC, also one that an honest end cannot write."""
    try:
        return encode(seq, ack, letter, payload)
    except LocalLinkError:
        body = f"{seq:02x}{ack:02x}{letter}{payload}".encode("utf-8", "surrogatepass")
        crc = crc_of_plain(body, 0, len(body))  # type: ignore[arg-type]  # any buffer
        return b"$%s*%04x\n" % (body, crc & 0xFFFF)


def hello_of(kind: str, major: int = 1, rules: int = RULES_VERSION, boot: int = 7) -> str:
    return f"{kind}{major:02x}00{rules:02x}{SESSION}{boot:04x}0000{0:08x}{_STRANGER}evil"


# ---- what it is told to say


def case_between(rng: Random, way: str, story: Callable[[Random], Case]) -> Case:
    """Return a case: bits of a story as it should be, with nonsense in between."""
    case: Case = []
    told = story(rng)
    honesty = rng.choice((0.3, 0.6, 0.9))
    while len(case) < _MOST_STEPS and rng.random() > 1 / _MOST_STEPS:
        if told and rng.random() < honesty:
            case.append(told.pop(0))
        else:
            case.append(_nonsense(rng, way))
    return case


def _nonsense(rng: Random, way: str) -> Step:
    kind = rng.random()
    if kind < 0.15:
        return Pause(rng.choice(_PAUSES_MS))
    if kind < 0.35:
        return mutated_bytes(rng, lines())
    if kind < 0.4 and way == TO_HOST:
        return rng.choice(_TYPED)
    if kind < 0.45:
        hello = hello_of(
            rng.choice("qra"),
            rng.choice((1, 1, 1, 1, 0, 2, 255)),
            rng.choice((RULES_VERSION, RULES_VERSION, 0, 255)),
            rng.choice((7, 7, 0, 8, 65535)),
        )
        return Frame("H", hello if rng.random() < 0.8 else _plain(mutated(rng, [hello])))
    fitting = [row for row in ROWS if row[2] in (way, "both")]
    row = rng.choice(fitting if rng.random() < 0.9 else ROWS)
    payload = any_payload(rng, row)
    if row[3] == EVENT and rng.random() < 0.9:
        payload = NUMBER + payload[len(NUMBER) :]
    letter = row[0]
    if kind < 0.6:
        payload = _plain(mutated(rng, [payload]))
        letter = rng.choice((letter, letter, letter, "Z", "?", "K", "\x7f"))
    shifts = (1, -1, rng.randrange(256))
    seq_shift, ack_shift = (rng.choice(shifts) if rng.random() < 0.1 else 0 for _ in range(2))
    return Frame(letter, payload, seq_shift, ack_shift)


def _plain(text: str) -> str:
    """Return the text as far as a line can have it, so that its CRC can be right."""
    return "".join(char for char in text if " " <= char <= "~" and char not in "$*")[:_PAYLOAD]


def game_told(rng: Random) -> Case:
    """Return a game as an honest table tells it, some of its turns taken back."""
    told = rng.choice((*games(), *games_with_modules()))
    turns = told.turns
    game = Game()
    game.start(start_of(told))
    story: Case = [*begun(game, rng.getrandbits(32))]
    for number, turn in enumerate(turns, 1):
        at_ms = 1000 * number
        if rng.random() < 0.2:
            edge = {"sensor": rng.randrange(INPUTS), "closed": rng.randrange(2)}
            story.append(said("edge", time_ms=at_ms, **edge))
        if rng.random() < 0.3:
            story.append(said("provisional", time_ms=at_ms, turn=turn))
        game.apply(turn)
        story.append(taken(game, at_ms, rng.choice("ccax")))
        if rng.random() < 0.1:
            story.append(said("taken_back", time_ms=at_ms, turn_no=number))
            game.undo()
            break
        if rng.random() < 0.1:
            story += [*laid(game), shown(game, _GAME_ID, "t")]
    winner = rng.choice("wb-")
    by = "a" if winner == "-" else rng.choice("nr")
    return [*story, said("over", time_ms=0xFFFFFF, winner=winner, by=by)]


def begun(game: Game, game_id: int) -> list[Frame]:
    position = pack_position(game.state)
    begin = said("game", time_ms=1000, position=position, options=game.options, game_id=game_id)
    return [shown(game, 0, "s"), begin]


def taken(game: Game, at_ms: int, how: str = "c") -> Frame:
    return said(
        "turn",
        time_ms=at_ms,
        turn_no=len(game.turns),
        turn=game.turns[-1],
        digest=digest(game.state),
        understood=how,
    )


def _journal_told(rng: Random) -> Case:
    """Return how a table tells a game of its journal, one that goes on or one that waits."""
    number = rng.choice((1, 1, 2, 0xFFFF))
    name = f"{number:04x}.new"
    data = file_of(name, make_pieces(rng))
    game = rng.choice((*games(), *games_with_modules()))
    story: Case = [*laid(game), shown(game, _GAME_ID, "t")]
    if rng.random() < 0.7:
        story = [said("journal", first=number, current=0, kept=1, full=0)]
    units = len(data) // UNIT
    for index in range(0, units, _UNITS_IN_LINE):
        text = data[index * UNIT : (index + _UNITS_IN_LINE) * UNIT].hex()
        story.append(said("page", index=index, units=text))
    end = {"game": number, "units": units, "crc": crc32(data), "next": rng.choice((0, 0, 2))}
    return [*story, said("page_end", **end)]


def all_told(rng: Random) -> Case:
    """Return what a table tells that has played alone."""
    stories = [game_told(rng), _journal_told(rng)]
    rng.shuffle(stories)
    return [step for story in stories[: rng.choice((1, 2))] for step in story]


def said(name: str, **fields: Any) -> Frame:
    row = row_of(name)
    if row[3] != EVENT:
        return Frame(row[0], encode_fields(row, fields))
    payload = encode_fields(row, {"number": 0, **fields})
    return Frame(row[0], NUMBER + payload[len(NUMBER) :])


def shown(game: Game, game_id: int, phase: str) -> Frame:
    return said(
        "snapshot",
        position=pack_position(game.state),
        turn_no=len(game.turns),
        digest=digest(game.state),
        phase=phase,
        settings=0x11,
        game_id=game_id,
    )


def laid(game: Game) -> list[Frame]:
    things = pack_objects(game.state, pack_position(game.state))
    return [said("objects", objects=things)] if things else []


def _game_played(rng: Random) -> Case:
    """Return what reeds feel of a set-up and some turns, buttons in between."""
    story = played(rng.choice(games()).turns[:4], rng)
    cell_of = known_board().cell_of
    for _ in range(rng.choice((0, 0, 1, 2))):
        button = cell_of[rng.randrange(BUTTON, INPUTS)]
        at = rng.randrange(len(story))
        story[at:at] = [Touch(button, True), Touch(button, False)]
    return story[rng.choice((0, 0, 0, rng.randrange(len(story)))) :]


def played(turns: Sequence[int], rng: Random) -> Case:
    """Return what reeds feel of a set-up and these turns, acted out by a clean hand."""
    game = Game()
    cell_of = known_board().cell_of
    story: Case = [Touch(cell_of[sensor], True) for sensor in pieces_of(game.state)]
    story.append(Pause(1000))
    for turn in turns:
        for gesture in act_out(game, turn, rng):
            story += [Pause(gesture.after_ms), Touch(cell_of[gesture.sensor], gesture.closed)]
        game.apply(turn)
    return [*story, Pause(2000)]


def table_case(rng: Random) -> Case:
    """Return a case for a whole table, which may have games in its flash."""
    files = make_files(rng) if rng.random() < _WITH_FILES else []
    told: Case = []
    for name, data in files_of(files).items():
        number = number_of(name)
        end = {"units": len(data) // UNIT, "crc": crc32(data)}
        told += [said("fetch", game=number), Pause(500), said("forget", game=number, **end)]
    story = [*told, *_game_played(rng)]
    return [*files, *case_between(rng, TO_TABLE, lambda _rng: story)]


def nothing(_rng: Random) -> Case:
    return []
