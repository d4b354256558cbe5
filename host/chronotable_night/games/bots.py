"""Players for free seats: by chance, by rules of thumb, and one that plays possible games out.

Each knows the view of its seat and nothing else. `sampling` draws states in which the seat would
see just this view, tries each candidate in the same states, and plays on by rules of thumb. After
each round of draws the worse half of the candidates is left out (sequential halving: Karnin,
Koren, Somekh, "Almost optimal exploration in multi-armed bandits", 2013). What it may spend is
counted in actions, not in seconds, so that a seed gives the same choice on every machine.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random

from chronotable_night.games.interface import NOBODY, Foresight, Game, State

_SURE = 2.0
"""By how many standard errors another action is to do better than what is sensible."""

Bot = Callable[[Game, State, int, Random], str]
"""Returns an action for a seat that decides, from its view."""


def by_chance(game: Game, view: State, seat: int, chance: Random) -> str:
    """Return any legal action, or any candidate where there are too many."""
    legal = game.legal(view)
    return chance.choice(game.candidates(view, seat, chance) if legal is None else legal)


def by_rules_of_thumb(game: Game, view: State, seat: int, chance: Random) -> str:
    """Return what the game holds for sensible."""
    return game.sensible(view, seat, chance)


def by_sampling(
    game: Game, view: State, seat: int, chance: Random, foresight: Foresight | None = None
) -> str:
    """Return the candidate that does best in states that could be.

    What the game holds for sensible stands unless another does better by more than chance.
    """
    budget, horizon = foresight or game.foresight
    sensible = game.sensible(view, seat, chance)
    found = dict.fromkeys(game.candidates(view, seat, chance))
    left: Sequence[str] = [action for action in found if action != sensible]
    ahead = dict.fromkeys(left, 0.0)  # of what is sensible
    squares = dict.fromkeys(left, 0.0)
    rounds = len(left).bit_length()
    for _ in range(rounds):
        spent = 0
        while spent * rounds < budget:
            state, luck = game.possible(view, seat, chance), chance.getrandbits(64)
            stands, actions = _play_out(game, state, seat, sensible, Random(luck), horizon)
            spent += actions
            for action in left:
                worth, actions = _play_out(game, state, seat, action, Random(luck), horizon)
                ahead[action] += worth - stands
                squares[action] += (worth - stands) ** 2
                spent += actions
        best_first = sorted(left, key=lambda action: -ahead[action])
        left = best_first[: (len(left) + 1) // 2]
    is_better = left and ahead[left[0]] > _SURE * sqrt(squares[left[0]])
    return left[0] if is_better else sensible


BOTS: Mapping[str, Bot] = {
    "random": by_chance,
    "sensible": by_rules_of_thumb,
    "sampling": by_sampling,
}
"""All of them by their names, the weakest first."""


def _play_out(
    game: Game, state: State, seat: int, action: str, chance: Random, horizon: int
) -> tuple[float, int]:
    """Return what the state is worth to a seat some actions later, and how many those were."""
    state = game.apply(state, seat, action)
    for number in range(1, horizon):
        mover = game.to_decide(state)
        if mover == NOBODY:
            return game.worth(state, seat), number
        state = game.apply(state, mover, game.sensible(state, mover, chance))
    return game.worth(state, seat), horizon
