"""Builds a legal turn choice by choice: a copy, its actions, and where the focus goes (T6).

Everything is read off the engine's turn tree, so that nothing can be chosen that is not legal.
"""

from array import array
from typing import NamedTuple

from chronotable.hardware.sensors import FOCUS as FIRST_SPOT
from chronotable.lights import meanings
from chronotable.lights.hints import meaning_of
from chronotable.lights.meanings import COPY
from chronotable.lights.meanings import FOCUS as FOCUS_LIGHT
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.notation import ACTIONS, ERAS, format_turn
from chronotable_host.rules.refusals import why_illegal
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import (
    ACTIVE,
    BARRED,
    COMPLETE,
    EFFECTS,
    GONE,
    PARENT,
    RECORD_WORDS,
    SEQUENCE,
    STATUS,
    TARGET,
)

_CHOSEN = (
    (layout.COMMAND, meanings.COMMAND),
    (layout.TRAIN, meanings.TRAIN),
    (layout.BUILD, meanings.BUILD),
    (layout.DIG, meanings.DIG),
    (layout.PLANT, meanings.PLANT),
)
"""Of each kind of action that the action button offers: its first code, and its light."""


def kind_of(code: int) -> int:
    """Return the light that offers a kind of action, or OFF for one that is just made."""
    return next((meaning for first, meaning in _CHOSEN if code >= first), meanings.OFF)


class TurnChoice(NamedTuple):
    """What can be chosen next.

    `at` is the sensor that it aims at (0..47 a space, from 48 on a focus spot), `text` what a
    turn's text has for it (`7`, `N`, `>past`), `meaning` how the table would light it.
    """

    at: int
    text: str
    meaning: int


class TurnBuilder:
    """The turn that somebody puts together in a position.

    It is whole with its focus. Where no copy can act there is only that to choose (T10, T13).
    """

    def __init__(self, game: Game) -> None:
        self._game = Game()
        self._game.start(game.state, game.options)
        self._path: list[int] = []  # records of the tree: the copy, then each action
        self._focus = -1
        self._choices: dict[str, tuple[TurnChoice, int]] = self._next()

    @property
    def turn(self) -> int | None:
        """Return the turn, packed, None while something is still to be chosen."""
        if self._focus < 0:
            return None
        return self._focus << 16 | self._word(SEQUENCE)

    @property
    def side(self) -> int:
        """Return the player who puts it together."""
        return self._game.mover

    def why_not(self, action: int) -> int:
        """Return the code of the reason why the chosen copy cannot take an action now."""
        chosen = self._word(SEQUENCE)
        elsewhere = (layout.focus(self._game.state, self.side) + 1) % len(ERAS)
        sequence = chosen | action << (0 if chosen & 0xFC0 else 6)
        return why_illegal(self._game, elsewhere << 16 | sequence)

    @property
    def text(self) -> str:
        """Return the text of what was chosen so far, "" for nothing."""
        turn = self.turn
        if turn is not None:
            return format_turn(turn)
        if not self._path:
            return ""
        sequence = self._word(SEQUENCE)
        actions = [ACTIONS[code] for code in (sequence >> 6 & 63, sequence & 63) if code]
        return " ".join([str((sequence >> 12) + 1), *actions])

    @property
    def due(self) -> str:
        """Return what is to be chosen next: `copy`, `action`, `focus`, or `nothing` any more."""
        if self._focus >= 0:
            return "nothing"
        if self._word(STATUS) & COMPLETE:
            return "focus"
        return "action" if self._path else "copy"

    @property
    def actions_left(self) -> int:
        """Return how many actions the chosen copy may still take, 0 to 2 (T11)."""
        return max(0, 3 - len(self._path)) if self.due == "action" else 0

    @property
    def choices(self) -> list[TurnChoice]:
        """Return what can be chosen next, none once the turn is whole."""
        return [choice for choice, _ in self._choices.values()]

    @property
    def state(self) -> "array[int]":
        """Return the position after what was chosen so far; a whole turn ends with the mover's."""
        state = array("H", self._game.state)
        if self._focus < 0:
            self._game.turn_tree.copy(self._at, state)
        else:
            self._game.turn_tree.after(self._at, self._focus, state)
        return state

    @property
    def wins(self) -> bool:
        """Return whether the game is won wherever the focus goes, which is still to be chosen."""
        return self.due == "focus" and layout.eras_held(self.state, 1 - self.side) <= 1  # T29

    @property
    def active(self) -> int | None:
        """Return where the copy is that acts, 0..47; None where none is chosen, or it is dead."""
        place = self._word(ACTIVE)
        return None if place == GONE else place

    @property
    def effects(self) -> int:
        """Return what the last action did, as flags of `layout` (PARADOX, ACTIVE_DIES)."""
        return self._word(EFFECTS)

    def choose(self, text: str) -> None:
        """Choose what has this text; raises UserError where nothing has."""
        chosen = self._choices.get(text)
        if chosen is None:
            raise UserError(tr("this cannot be chosen now"))
        if text.startswith(">"):
            self._focus = chosen[1]
        else:
            self._path.append(chosen[1])
        self._choices = self._next()

    def back(self) -> None:
        """Take the last choice back; raises UserError where there is none."""
        if self._focus >= 0:
            self._focus = -1
        elif self._path:
            self._path.pop()
        else:
            raise UserError(tr("nothing is chosen yet"))
        self._choices = self._next()

    @property
    def _at(self) -> int:
        return self._path[-1] if self._path else 0

    def _word(self, word: int, record: int | None = None) -> int:
        at = self._at if record is None else record
        return self._game.turn_tree.records[at * RECORD_WORDS + word]

    def _next(self) -> dict[str, tuple[TurnChoice, int]]:
        """Return what can be chosen next and the record, or the era, that it leads to, by text."""
        tree = self._game.legal()
        if self.due == "nothing":
            return {}
        if self.due == "focus":
            mover = self._game.mover
            here, first = layout.focus(self._game.state, mover), FIRST_SPOT + len(ERAS) * mover
            return {
                f">{name}": (TurnChoice(first + era, f">{name}", FOCUS_LIGHT), era)
                for era, name in enumerate(ERAS)
                if era != here
            }
        bounds = 1, tree.firsts, tree.seconds, tree.end
        begin, end = bounds[len(self._path) : len(self._path) + 2]
        found = {}
        for record in range(begin, end):
            if self._word(PARENT, record) == self._at and not self._word(STATUS, record) & BARRED:
                choice = self._choice(record)
                found[choice.text] = choice, record
        return found

    def _choice(self, record: int) -> TurnChoice:
        sequence = self._word(SEQUENCE, record)
        code = sequence & 63 or sequence >> 6 & 63
        if not code:
            return TurnChoice(self._word(ACTIVE, record), str((sequence >> 12) + 1), COPY)
        made = meaning_of(self._game.turn_tree.records, record * RECORD_WORDS)
        meaning = kind_of(code) or made
        return TurnChoice(self._word(TARGET, record), ACTIONS[code], meaning)


def offers_of(game: Game, turn: int) -> list[int]:
    """Return the lights that offer the actions of a packed turn that is legal in the position."""
    builder, found = TurnBuilder(game), []
    for text in format_turn(turn).split():
        found += [each.meaning for each in builder.choices if each.text == text]
        builder.choose(text)
    return [meaning for meaning in found if meaning not in (COPY, FOCUS_LIGHT)]
