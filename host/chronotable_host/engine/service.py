"""`chronotable engine`: the built-in player behind a line protocol, made after UCI.

`protocol.md` has its words. Lines are read by a thread of their own, so that `stop` is heard while
the engine thinks.
"""

import queue
import threading
import time
from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from chronotable_host import chapters
from chronotable_host.engine.levels import DEFAULT, LEVELS, LevelPlayer, rules_of, states_of
from chronotable_host.engine.search import Limits, Search, Thought
from chronotable_host.engine.thinkers import LEVEL, info_of, parse_program
from chronotable_host.errors import UserError
from chronotable_host.game_choice import read_position, unlocked_state
from chronotable_host.language import tr
from chronotable_host.rules.notation import format_turn, parse_options, parse_turn
from chronotable_host.rules.refusals import rule, why_illegal
from ttykm.game import Game, IllegalTurnError
from ttykm.layout import NOBODY, new_state

NAME = "Chronotable"
_NUMBERS = ("nodes", "movetime", "depth")
_MOST = (1 << 31) - 1


class _Order(NamedTuple):
    """A line, and what ends the thinking that it asks for."""

    line: str
    is_stopped: threading.Event


class Engine:
    """Understands lines and answers with lines; `say` is called with each, without a line break.

    `clock` gives seconds.
    """

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say = say
        self._clock = clock
        self._level: float = DEFAULT
        self._seed = 0
        self._player: LevelPlayer | None = None
        self._options = 0
        self._game = self._played(new_state(), "")
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()

    def serve(self, lines: Iterable[str]) -> None:
        """Answer lines until `quit`, or the end of them."""
        reader = threading.Thread(target=self._read, args=(lines,), name="engine", daemon=True)
        reader.start()
        while (order := self._orders.get()) is not None:
            self._try(order)

    def _read(self, lines: Iterable[str]) -> None:
        asked = [threading.Event()]  # what ends the thinking that each `go` asks for
        try:
            for line in lines:
                words = line.split()
                if words == ["stop"]:
                    asked[-1].set()
                elif words == ["quit"]:
                    break
                elif words:
                    if words[0] == "go":
                        asked.append(threading.Event())
                    self._orders.put(_Order(line.strip(), asked[-1]))
        except (OSError, ValueError):
            pass  # the terminal is gone, or what stands for it: the end of the input
        finally:
            for each in asked:
                each.set()
            self._orders.put(None)

    def _try(self, order: _Order) -> None:
        try:
            self._answer(order)
        except UserError as error:
            self._say(f"error {chapters.discreet(str(error), order.line, may_quote=True)}")

    def _answer(self, order: _Order) -> None:
        word, _, rest = order.line.partition(" ")
        if word == "ttykm":
            self._say(f"id name {NAME}")
            self._say(f"option name Level type spin default {DEFAULT} min 1 max {len(LEVELS)}")
            self._say(f"option name Seed type spin default 0 min 0 max {_MOST}")
            self._say("option name Options type string default")
            self._say("ttykmok")
        elif word == "isready":
            self._say("readyok")
        elif word == "newgame":
            self._game = self._played(new_state(), "")
        elif word == "setoption":
            self._set(rest)
        elif word == "position":
            position, _, turns = rest.partition(" turns ")
            self._game = self._played(unlocked_state(read_position(position)), turns)
        elif word == "go":
            self._go(rest.split(), order.is_stopped)
        else:
            raise UserError(tr("'{word}' is no word of this protocol", word=word))

    def _set(self, rest: str) -> None:
        words = rest.split(maxsplit=3)
        if len(words) < 3 or words[0] != "name" or words[2] != "value":
            raise UserError(tr("an option is set as in 'setoption name Level value 3'"))
        name, value = words[1].lower(), words[3] if len(words) > 3 else ""
        if name == "level":
            self._level = parse_program(LEVEL + value).level
            self._player = None
        elif name == "seed":
            self._seed = _number("Seed", value, 0, _MOST)
            self._player = None
        elif name == "options":
            chapters.require(0, chapters.options_in(value))
            self._options = parse_options(value)
        else:
            raise UserError(
                tr("there is no option '{name}'; 'ttykm' lists those there are", name=words[1])
            )

    def _played(self, start: "array[int]", turns: str) -> Game:
        game = Game()
        game.start(start, self._options)
        for text in turns.split(";"):
            if text.strip():
                turn = parse_turn(text)
                try:
                    game.apply(turn)
                except IllegalTurnError as error:
                    why = rule(why_illegal(game, turn))
                    raise UserError(
                        tr("'{turn}' is not legal ({why})", turn=text.strip(), why=why)
                    ) from error
        return game

    def _go(self, words: list[str], is_stopped: threading.Event) -> None:
        if self._game.winner() != NOBODY:
            raise UserError(tr("the game is over; there is no turn to find"))
        asked, is_endless = _limits(words)
        begun_s = self._clock()

        def tell(thought: Thought) -> None:
            passed_ms = round((self._clock() - begun_s) * 1000)
            self._say(f"info {info_of(thought, passed_ms)}")

        if asked or is_endless:
            turn = self._think(asked, tell, is_stopped)
            if is_endless:
                is_stopped.wait()
        else:
            if self._player is None:
                self._player = LevelPlayer(self._level, self._seed)
            turn = self._player.choose(self._game, tell, is_stopped.is_set)
        self._say(f"bestturn {format_turn(turn)}")

    def _think(
        self, asked: dict[str, int], tell: Callable[[Thought], None], is_stopped: threading.Event
    ) -> int:
        begun = self._clock()
        most_s = asked["movetime"] / 1000 if "movetime" in asked else None

        def is_over() -> bool:
            return is_stopped.is_set() or (most_s is not None and self._clock() - begun >= most_s)

        rules = rules_of(self._game.state, self._game.options)
        played = [rules.node(state) for state in states_of(self._game)]
        limits = Limits(asked.get("nodes"), asked.get("depth"), is_over)
        turn = 0
        for thought in Search(rules).think(played[-1], limits, played):
            tell(thought)
            turn = thought.line[0]
        return turn


def _limits(words: list[str]) -> tuple[dict[str, int], bool]:
    """Return the numbers behind `go`, and whether it is to think until it is stopped."""
    found: dict[str, int] = {}
    is_endless = False
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            is_endless = True
        elif word in _NUMBERS:
            found[word] = _number(word, next(rest, ""), 1, _MOST)
        else:
            raise UserError(
                tr("'{word}' is no limit; there are nodes, movetime, depth and infinite", word=word)
            )
    return found, is_endless


def _number(name: str, text: str, least: int, most: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most:
        return int(text)
    raise UserError(
        tr(
            "{name} is a whole number from {least} to {most}, not '{text}'",
            name=name,
            least=least,
            most=most,
            text=text,
        )
    )
