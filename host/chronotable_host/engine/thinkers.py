"""Who thinks of turns for a side while the table goes on: asked, then looked at now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Protocol

from chronotable_host.engine.client import EngineError, EngineProcess
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.engine.person import Guest, Person, Position, position_of
from chronotable_host.engine.seats import (
    GUEST,
    HANDS,
    PAGE,
    RANDOM,
    ProgramSeat,
    own_engine,
    parse_seat,
    player_name,
    spoken_name,
)
from chronotable_host.language import names, tr
from chronotable_host.rules.notation import PLAYERS
from ttykm.game import Game

_SEEDS = 1 << 30


class Thinker(Protocol):
    """Chooses turns; `name` is the seat's, such as `level:3`.

    A person takes draws and turns back as people at the table do, and is asked about both by them.
    `thought` is what it thinks so far, as the engine protocol's `info` has it, "" for nothing.
    """

    name: str
    is_person: bool

    @property
    def thought(self) -> str:
        """What it thinks so far."""
        ...

    def begin(self, game: Game, /) -> None:
        """Think about the turn of the player to move; raises EngineError."""
        ...

    def poll(self) -> int | None:
        """Return the turn, packed, once it is there; raises EngineError."""
        ...

    def cancel(self) -> None:
        """Stop thinking about that turn; raises EngineError."""
        ...

    def close(self) -> None:
        """Think no more."""
        ...


class AtOnce:
    """Answers when it is asked, for players that need no time."""

    is_person = False
    thought = ""

    def __init__(self, name: str, choose: Callable[[Game], int | None]) -> None:
        self.name = name
        self._choose = choose
        self._turn: int | None = None

    def begin(self, game: Game) -> None:
        """Choose."""
        self._turn = self._choose(game)

    def poll(self) -> int | None:
        """Return what was chosen, once."""
        turn, self._turn = self._turn, None
        return turn

    def cancel(self) -> None:
        """Forget what was chosen."""
        self._turn = None

    def close(self) -> None:
        """Have nothing to end."""


class InProcess:
    """An engine in a process of its own, started when it is first asked."""

    is_person = False

    def __init__(self, name: str, engine: EngineProcess) -> None:
        self.name = name
        self._engine = engine
        self._is_open = False

    @property
    def thought(self) -> str:
        """What it said last that it thinks."""
        return self._engine.info

    def begin(self, game: Game) -> None:
        """Ask it; raises EngineError."""
        if not self._is_open:
            self._engine.open()
            self._is_open = True
        self._engine.think(game)

    def poll(self) -> int | None:
        """Return its turn, once it is there; raises EngineError."""
        return self._engine.poll()

    def cancel(self) -> None:
        """Have it stop; raises EngineError."""
        self._engine.cancel()

    def close(self) -> None:
        """End the process."""
        self._engine.close()
        self._is_open = False


class Seats:
    """Who plays the sides of a table; those that no thinker plays are left to hands.

    `thinkers` has who thinks, by side, and `away` who gave the seat up for a while; one position is
    thought about at a time. `problem` says why
    the last one that failed plays no further, "" once another has its seat. `named` is told what
    records call who plays a side from now on, "" for hands.
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
        """Who thinks about a turn, as people are told it; "" where nobody does."""
        return "" if self._asked is None else spoken_name(self._asked[0].name)

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
        """Have a side played by `HANDS`, or by a player as `engine.seats` names them.

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
    if seat == PAGE:
        return Person(seat)
    found = parse_seat(seat)
    if found.name == RANDOM:
        return AtOnce(seat, by_chance(Random(seed)))
    if found.level:
        options = {"Level": str(found.level), "Seed": str(seed)}
        return InProcess(seat, EngineProcess(own_engine(), seat, options))
    return InProcess(seat, EngineProcess(found.command, seat))


@contextmanager
def chooser_of(seat: ProgramSeat, seed: int, limits: str = "") -> Iterator[Callable[[Game], int]]:
    """Have who plays a seat choose turns, and wait for each; a level thinks in this process.

    With `limits`, as they stand behind `go`, it thinks within those, in a process of its own.
    Raises EngineError.
    """
    if seat.name == RANDOM:
        yield by_chance(Random(seed))
    elif seat.level and not limits:
        yield LevelPlayer(seat.level, seed).choose
    else:
        with EngineProcess(seat.command or own_engine(), seat.name) as engine:

            def ask(game: Game) -> int:
                engine.think(game, limits)
                return engine.wait()

            yield ask


def by_chance(rng: Random) -> Callable[[Game], int]:
    """Return who takes any legal turn."""
    return lambda game: rng.choice([*game.legal_turns()])
