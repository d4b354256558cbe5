"""Who thinks of turns: programs, as they are named (`level:3`, `random`, `engine:PATH`).

A table goes on meanwhile: they are asked, then looked at now and then.
"""

import os
import re
import shlex
import shutil
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from chronotable_host import elsewhere
from chronotable_host.engine.client import EngineError, EngineProcess
from chronotable_host.engine.levels import LEVELS, LevelPlayer, start_of
from chronotable_host.engine.search import Thought, turns_to_end
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_c
from chronotable_host.rules.notation import format_turn
from ttykm.game import Game

RANDOM = "random"
LEVEL, ENGINE = "level:", "engine:"
"""How the names of players begin that are levels of the built-in one, or programs of others."""
_RECORDED = "Chronotable, level "
LEVEL_NAMES = tuple(f"{LEVEL}{number}" for number in range(1, len(LEVELS) + 1))
KNOWN = tr(
    "{weakest} to {strongest}, {random}, or {engine} and the path of a program",
    weakest=LEVEL_NAMES[0],
    strongest=LEVEL_NAMES[-1],
    random=RANDOM,
    engine=ENGINE,
)


class ProgramSeat(NamedTuple):
    """A player that is no person; `level` is 0, and `command` empty, where it is none of that."""

    name: str
    level: float = 0
    command: tuple[str, ...] = ()

    @property
    def record_name(self) -> str:
        """What a record calls it."""
        if self.level:
            return f"{_RECORDED}{self.level:g}"
        return Path(self.command[0]).name if self.command else "Chronotable, by chance"


def parse_program(text: str) -> ProgramSeat:
    """Return the player that is called so; raises UserError."""
    if text == RANDOM:
        return ProgramSeat(text)
    if text.startswith(LEVEL):
        number = text.removeprefix(LEVEL)
        if re.fullmatch(r"[0-9](\.[0-9])?", number) and 1 <= float(number) <= len(LEVELS):
            return ProgramSeat(f"{LEVEL}{float(number):g}", level=float(number))
        raise UserError(
            tr(
                "'{name}': levels are {weakest} to {strongest}",
                name=text,
                weakest=LEVEL_NAMES[0],
                strongest=LEVEL_NAMES[-1],
            )
        )
    if text.startswith(ENGINE):
        words = _words(text.removeprefix(ENGINE))
        if words and (program := shutil.which(words[0])):
            return ProgramSeat(text, command=(program, *words[1:]))
        raise UserError(
            tr(
                "'{name}': {program} is no program that can be started here",
                name=text,
                program=words[0] if words else tr_c("program", "nothing"),
            )
        )
    raise UserError(tr("'{name}' plays no side; there are {known}", name=text, known=KNOWN))


def level_of(record_name: str) -> float:
    """Return the level that a record calls so, 0 where it is another player."""
    if record_name.startswith(_RECORDED):
        with suppress(UserError):
            return parse_program(record_name.replace(_RECORDED, LEVEL)).level
    return 0


def _words(command: str) -> list[str]:
    """Return a command's words; in quotes they may have spaces. Raises UserError."""
    try:  # on Windows a backslash is a part of paths
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise UserError(
            tr("'{command}': a quotation mark is not closed", command=command)
        ) from error
    return [word.strip('"') for word in words] if os.name == "nt" else words


def own_engine() -> tuple[str, ...]:
    """Return the command that starts the built-in engine."""
    return (sys.executable, "-m", "chronotable_host", "engine")


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

    def begin(self, game: Game, /) -> None:
        """Think about the turn of the player to move; raises EngineError."""

    def poll(self) -> int | None:
        """Return the turn, packed, once it is there; raises EngineError."""

    def cancel(self) -> None:
        """Stop thinking about that turn; raises EngineError."""

    def close(self) -> None:
        """Think no more."""


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
    """Somebody else's engine in a process of its own, started when it is first asked."""

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


class LevelElsewhere:
    """A level that thinks elsewhere, in a place that is begun when it is first asked."""

    is_person = False

    def __init__(self, name: str, level: float, seed: int) -> None:
        self.name = name
        self.thought = ""
        self._level = level
        self._seed = seed
        self._place: elsewhere.Place | None = None

    def begin(self, game: Game) -> None:
        """Ask it; raises EngineError."""
        self.thought = ""
        if self._place is None:
            self._place = elsewhere.start("engine", False)
        with self._watched():
            asked = self._level, self._seed, start_of(game), game.options, tuple(game.turns)
            self._place.ask(choose_turn, *asked)

    def poll(self) -> int | None:
        """Return its turn, once it is there; raises EngineError."""
        if self._place is None or not self._place.is_busy:
            return None
        with self._watched():
            for said in self._place.told():
                if isinstance(said, int):
                    return said
                self.thought = said
        return None

    def cancel(self) -> None:
        """Have it stop, and want no answer."""
        if self._place is not None:
            self._place.forget()

    def close(self) -> None:
        """End the place."""
        if self._place is not None:
            self._place.end()
        self._place = None

    @contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except (elsewhere.GoneError, RuntimeError) as error:
            self.close()
            raise EngineError(tr("the engine {engine} has stopped", engine=self.name)) from error


def choose_turn(
    caller: elsewhere.Caller,
    level: float,
    seed: int,
    start: "array[int]",
    options: int,
    turns: tuple[int, ...],
) -> None:
    """Tell what a level thinks of a game, as `info_of` has it, and then its turn, packed."""
    game = Game()
    game.start(start, options)
    for turn in turns:
        game.apply(turn)
    begun_s = time.monotonic()

    def tell(thought: Thought) -> None:
        caller.tell(info_of(thought, round((time.monotonic() - begun_s) * 1000)))

    caller.tell(_player(level, seed).choose(game, tell, caller.is_over))


@lru_cache(1)
def _player(level: float, seed: int) -> LevelPlayer:
    """Return a player, who keeps the rules of a game with modules for the next turn."""
    return LevelPlayer(level, seed)


def info_of(thought: Thought, passed_ms: int) -> str:
    """Return what is thought, as the engine protocol's `info` has it."""
    end = turns_to_end(thought.score)
    points = f"{'win' if end > 0 else 'loss'} {abs(end)}" if end else str(thought.score)
    line = "; ".join(format_turn(turn) for turn in thought.line)
    return f"depth {thought.depth} nodes {thought.nodes} time {passed_ms} score {points} pv {line}"


def program_of(seat: ProgramSeat, seed: int) -> Thinker:
    """Return who plays a seat, and makes nobody wait."""
    if seat.name == RANDOM:
        return AtOnce(seat.name, by_chance(Random(seed)))
    if seat.level:
        return LevelElsewhere(seat.name, seat.level, seed)
    return InProcess(seat.name, EngineProcess(seat.command, seat.name))


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


# ---- hints

COPY, TURN = 1, 2
"""The steps of a hint: who asks first hears which copy acts, who asks again the whole turn."""

HINT_LEVEL = len(LEVELS)
"""The level that thinks of them, the strongest.

It overlooks nothing and looks at so many positions, so the same position has the same hint on every
computer.
"""


def adviser() -> Thinker:
    """Return who thinks of the turns that hints tell, in a process of its own."""
    seed = 0  # the level that overlooks nothing never draws
    return program_of(parse_program(LEVEL_NAMES[HINT_LEVEL - 1]), seed)
