"""What a turn did: all that a lesson asks about, read off the engine's own records."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from chronotable_host.action_replay import Death, play_actions
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import BACK, FORWARD


class TurnOutcome(NamedTuple):
    """What one turn did.

    `actions` are its codes (layout.py), `pushes` counts those of them that moved a copy of the
    other player, or killed one; `deaths` says who died, `focus` where the mover's focus went,
    `after` is the position then and `winner` who has won, or NOBODY.
    """

    mover: int
    actions: tuple[int, ...]
    pushes: int
    deaths: tuple[Death, ...]
    focus: int
    after: array[int]
    winner: int

    @property
    def travels(self) -> tuple[int, ...]:
        """Return those of its actions that are travels, FORWARD or BACK (T24, T25)."""
        return tuple(code for code in self.actions if code in (FORWARD, BACK))

    @property
    def lost(self) -> int:
        """Return how many copies the mover lost."""
        return sum(death.player == self.mover for death in self.deaths)

    def killed(self, cause: str) -> int:
        """Return how many copies of the other player died of this, one of CAUSES."""
        return sum(death.player != self.mover and death.cause == cause for death in self.deaths)

    def has_copies(self, era: int) -> bool:
        """Tell whether the mover has a copy in an era."""
        return self.after[3 * self.mover + era] != 0


def outcome_of(state: array[int], turn: int) -> TurnOutcome:
    """Return what a turn, packed and legal in the position, does there."""
    mover = layout.mover(state)
    actions = tuple(code for code in (turn >> 6 & 63, turn & 63) if code)
    steps = play_actions(state, turn >> 12 & 15, actions)
    others = slice(3 * (1 - mover), 3 * (1 - mover) + 3)  # in the three eras
    pushes, before = 0, state
    for step in steps:
        pushes += before[others] != step.state[others]
        before = step.state
    game = Game()
    game.start(state)
    game.apply(turn)
    return TurnOutcome(
        mover,
        actions,
        pushes,
        tuple(death for step in steps for death in step.deaths),
        layout.turn_focus(turn),
        array("H", game.state),
        game.winner(),
    )
