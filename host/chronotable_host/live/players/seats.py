"""The seats of a table: who plays a side, person or program, as it is typed and as it is chosen."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.engine.client import EngineError
from chronotable_host.engine.thinkers import (
    ENGINE,
    LEVEL,
    LEVEL_NAMES,
    RANDOM,
    ProgramSeat,
    Thinker,
    parse_program,
    program_of,
)
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr, tr_c
from chronotable_host.live.players.person import Guest, Person, Position, position_of
from chronotable_host.live.texts.table_texts import plays_itself
from chronotable_host.rules.notation import PLAYERS
from ttykm.game import Game

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk

ME = "me"
"""How somebody is typed who plays a side on the table's page, as PAGE says."""
HANDS = "hands"
"""A side that a person's hands play, at the table."""
PAGE = "page"
"""A side that a person plays on the table's page, choice by choice."""
NOBODY = "nobody"
"""A side that has nobody to play it, in a lesson: the table waits there."""
GUEST = "guest"
"""A side that is played by a person elsewhere, in a browser, by an invitation."""
AS_YOU = f"{LEVEL}you"
"""A side that a level plays which is as strong as the other player: `live/players/matching.py`."""
YOU = "you"
"""Who plays at a table of this PC, in records, as long as nobody is named."""
FAR = "far"
"""A side that somebody plays at a table of their own, far away."""
_PERSONS = {HANDS: "", PAGE: "", NOBODY: "", FAR: "", GUEST: "A guest"}
_SHOWN = {
    AS_YOU: tr("your equal"),
    HANDS: "",
    PAGE: "",
    NOBODY: "",
    GUEST: tr("a guest"),
    FAR: tr("at another table"),
    RANDOM: tr_c("seat", "random"),
}
_ELSEWHERE = {
    GUEST: tr("a guest plays on the page of a table, and not here"),
    FAR: tr("who is far away is invited with `chronotable invite`"),
}
_SEEDS = 1 << 30


def is_seat(text: str) -> bool:
    """Tell whether a text names a player without hands at the table, be it wrongly."""
    return text in (GUEST, FAR, RANDOM) or text.startswith((LEVEL, ENGINE))


def parse_seat(text: str) -> ProgramSeat:
    """Return the program that is called so; raises UserError, also for who plays elsewhere."""
    if text in _ELSEWHERE:
        raise UserError(_ELSEWHERE[text])
    return ProgramSeat(text, 1) if text == AS_YOU else parse_program(text)


def player_name(name: str) -> str:
    """Return what a record calls who plays a seat of this name, "" for hands; raises UserError."""
    return _PERSONS[name] if name in _PERSONS else parse_seat(name).record_name


def shown_name(name: str) -> str:
    """Return how people are told who thinks: `level 3`, or an engine's program without folders.

    That somebody on the page does is told nobody: "".
    """
    kind, _, rest = name.partition(":")
    if name in _SHOWN:
        return _SHOWN[name]
    if kind == "level":
        number = float(rest) if "." in rest else int(rest)
        return tr("level {number}", number=names.number(number))
    return rest.replace("\\", "/").split("/")[-1]


class SeatCandidate(NamedTuple):
    """Who can be chosen for a `seat`, as it is typed.

    `face` is how the page draws who that is: calm (""), "wide", "glad", or sharper-eyed from "1" to
    "8". `name` is a word, `words` say what to expect.
    """

    seat: str
    face: str
    name: str
    words: str


_LEVELS = (
    (tr("easy"), tr("for a first game")),
    (tr("gentle"), tr("has understood the rules")),
    (tr("wary"), tr("sees some of what you threaten")),
    (tr("practised"), tr("plays every week")),
    (tr("sly"), tr("hard to surprise")),
    (tr("far-sighted"), tr("thinks ahead")),
    (tr("fierce"), tr("hardly lets go")),
    (tr("merciless"), tr("the strongest there is")),
)

CANDIDATES = (
    SeatCandidate(PAGE, "", tr("a person"), tr("who chooses here")),
    SeatCandidate(HANDS, "", tr("a person"), tr("with the pieces in the hand")),
    *(
        SeatCandidate(seat, str(number), *words)
        for number, (seat, words) in enumerate(zip(LEVEL_NAMES, _LEVELS, strict=True), 1)
    ),
    SeatCandidate(AS_YOU, "you", tr("your equal"), tr("as strong as you, by your last ten games")),
    SeatCandidate(RANDOM, "wide", tr("chance"), tr("has no idea")),
    SeatCandidate(GUEST, "glad", tr("a guest"), tr("elsewhere, by a link")),
)
"""All who can be chosen on the page; an engine's program is named by its path alone."""


class Seats:
    """Who plays the sides of a table; those that no thinker plays are left to hands.

    `thinkers` has who thinks, by side, and `away` who gave the seat up for a while; one position is
    thought about at a time. `problem` says why the last one that failed plays no further, "" once
    another has its seat. `named` is told what records call who plays a side from now on, "" for
    hands.
    """

    def __init__(
        self,
        rng: Random,
        named: Callable[[int, str], None],
        thinker: Callable[[str, int], Thinker] | None = None,
    ) -> None:
        self.thinkers: dict[int, Thinker] = {}
        self.away: dict[int, Thinker] = {}
        self.problem = ""
        self._rng = rng
        self._named = named
        self._thinker = thinker or thinker_of
        self._asked: tuple[Thinker, Position] | None = None

    @property
    def wanted(self) -> int | None:
        """The turn that hands at a table are to carry out now, None for none."""
        return None

    @property
    def thinking(self) -> str:
        """Which program thinks about a turn, as people are told it; "" where none does."""
        asked = None if self._asked is None else self._asked[0]
        return "" if asked is None or asked.is_person else shown_name(asked.name)

    @property
    def programs(self) -> set[int]:
        """Return the sides that no person plays, be it here or elsewhere."""
        return {side for side, thinker in self.thinkers.items() if not thinker.is_person}

    @property
    def thought(self) -> str:
        """Return what whoever thinks about a turn thinks so far, as `Thinker` has it."""
        return "" if self._asked is None else self._asked[0].thought

    def players(self) -> dict[str, str]:
        """Return who plays each side, white first."""
        return {
            player: self.thinkers[side].name if side in self.thinkers else HANDS
            for side, player in enumerate(PLAYERS)
        }

    def seat(self, side: int, who: str) -> None:
        """Have a side played by `HANDS`, or by a player as they are named above.

        A guest who is invited again keeps the seat, and the link. Raises UserError.
        """
        name = player_name(who)
        former = self.thinkers.get(side)
        if who == GUEST and isinstance(former, Guest):
            former.is_announced = False
            return
        seed = self._rng.randrange(_SEEDS)
        self.seat_thinker(side, None if who == HANDS else self._thinker(who, seed))
        if not {who, HANDS if former is None else former.name} <= {HANDS, PAGE}:
            self._named(side, name)  # else it is the same person, who plays another way

    def bring_along(self, side: int) -> None:
        """Have the guest of the other side, where one plays, play this one, by the same link."""
        guest = self.thinkers.get(1 - side)
        if isinstance(guest, Guest) and not isinstance(self.thinkers.get(side), Guest):
            self.seat_thinker(1 - side, None)
            self.seat_thinker(side, guest)

    def match(self, side: int, level: float) -> None:
        """Have a side that AS_YOU plays played at a level, and records say so."""
        thinker = self._thinker(f"{LEVEL}{level:g}", self._rng.randrange(_SEEDS))
        self._named(side, player_name(thinker.name))
        thinker.name = AS_YOU
        self.seat_thinker(side, thinker)

    def seat_thinker(self, side: int, thinker: Thinker | None) -> None:
        """Have a side played by this one, or by hands."""
        self.stop()
        former = self.thinkers.pop(side, None)
        if former is not None:
            former.close()
        if thinker is not None:
            self.thinkers[side] = thinker
            self.problem = ""

    def turn(self, game: Game) -> int | None:
        """Return the turn that the player to move thought of, None while it thinks.

        Whoever thought about another position stops; who fails plays no further (`problem`).
        """
        thinker = self.thinkers[game.mover]
        asked = thinker, position_of(game)
        try:
            if self._asked != asked:
                self.stop()
                self._asked = asked
                thinker.begin(game)
            turn = thinker.poll()
        except EngineError as error:
            self._asked = None
            side = game.mover
            self.seat(side, HANDS)
            self.problem = tr(
                "{problem}; hands play {player} now",
                problem=error,
                player=names.PLAYERS_WITHIN[side],
            )
            return None
        if turn is not None:
            self._asked = None
        return turn

    def stop(self) -> None:
        """Think about nothing any more."""
        asked, self._asked = self._asked, None
        if asked is not None:
            with suppress(EngineError):  # who asks next hears of it
                asked[0].cancel()

    def forget(self) -> None:
        """Think about nothing any more: another game begins, or the hands took turns back."""
        self.stop()
        for thinker in self.thinkers.values():
            if isinstance(thinker, Person):
                thinker.forget()

    def close(self) -> None:
        """Have nobody think any more."""
        for side in list(self.thinkers):
            self.seat_thinker(side, None)


def thinker_of(seat: str, seed: int) -> Thinker:
    """Return who plays a seat, without making anybody wait; raises UserError."""
    if seat == GUEST:
        return Guest(seat)
    return Person(seat) if seat == PAGE else program_of(parse_seat(seat), seed)


Seat = Callable[[int, "Thinker | None"], "Thinker | None"]
"""Returns who has a side meanwhile, for the side and who has it now."""


def to_hands(_side: int, _now: Thinker | None) -> Thinker | None:
    """Return nobody: hands play."""
    return None


class Vacancy:
    """The seats of a desk's table, given to those that `seat` returns and then back."""

    def __init__(self, desk: "Desk", seat: Seat) -> None:
        self._desk = desk
        self._session = desk.session
        self._seat = seat
        self._sat: dict[int, tuple[Thinker | None, Thinker | None]] = {}
        self._levels: dict[int, int] = {}  # of the table's own player

    def take(self) -> None:
        """Have nobody else play."""
        if self._sat or self._levels:
            return
        for side, level in enumerate(self._session.mirror.table.own_levels):
            if plays_itself(level):
                self._levels[side] = level
                self._session.set_own_level(side, 0)
        for side in range(len(PLAYERS)):
            before = self._desk.seats.thinkers.get(side)
            now = self._seat(side, before)
            if now is not before:
                self._sat[side] = before, now
                if before is not None:
                    self._desk.seats.away[side] = before
                self._desk.seats.seat_thinker(side, now)

    def give_back(self) -> None:
        """Have those play again who did before, where nobody else has taken the seat."""
        sat, self._sat = self._sat, {}
        self._desk.seats.away.clear()
        for side, (before, now) in sat.items():
            if self._desk.seats.thinkers.get(side) is now:
                self._desk.seats.seat_thinker(side, before)
        levels, self._levels = self._levels, {}
        for side, level in levels.items():
            self._session.set_own_level(side, level)
