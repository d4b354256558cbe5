"""A game as it is played: its actions so far, answers that wait, and what can be taken back.

Pure: no clock, no chance of its own, nothing that is sent. Actions count from 0.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple, Protocol

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_night.games import telling
from chronotable_night.games.interface import (
    EVERYBODY,
    NOBODY,
    SPECTATOR,
    Decision,
    Game,
    GameHappening,
    IllegalActionError,
    State,
)

_DRAWS = 6
"""States that could be, in which an action is tried to see whether it reveals anything."""


class ActionLog(Protocol):
    """Puts on disk what is played; each raises OSError, and then nothing has changed."""

    def action(self, seat: int, action: str) -> None:
        """Keep an action."""

    def sealed(self, seat: int, action: str | None) -> None:
        """Keep an answer that waits, or with None that there is none any more."""


class PlayedAction(NamedTuple):
    """An action that was played, the state before it, and what it led to."""

    seat: int
    action: str
    before: State
    happenings: Sequence[GameHappening]


class Play:
    """A game that goes on, from its first state.

    `sealed` are answers of seats that may decide, but not yet: they wait here until it is theirs
    to decide. The seats that are `passing` let pass what they may, and are not asked. `refused`
    tells a seat why such an answer could not be played after all. `moment` counts the actions,
    those that were taken back and each taking back, too: it never comes again.
    """

    def __init__(self, game: Game, state: State, players: int, kept: ActionLog) -> None:
        self.game = game
        self.state = state
        self.steps: list[PlayedAction] = []
        self.taken_back: list[PlayedAction] = []
        self.moment = 0
        self.sealed: dict[int, str] = {}
        self.passing: set[int] = set()
        self.refused: dict[int, str] = {}
        self._kept = kept
        self._since: dict[int, int] = {}  # the moment when a seat's decision began
        self._taken_over: dict[int, int] = {}  # by seat: what its player has not played
        self._since_back = 0  # the moment when something was taken back last
        self._is_quiet: dict[int, bool] = {}  # by the number of an action; see `_reveals`
        self.players = players
        self._nobody = [str(seat) for seat in range(players)]
        self._note_deciding()

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.game.to_decide(self.state) == NOBODY

    def deciding(self) -> Sequence[int]:
        """Return the seats that may decide now, the one whose answer is due first."""
        return () if self.is_over else self.game.deciding(self.state)

    def known(self, shown: int) -> int:
        """Return the moment that phones may know of when screens are at this one.

        A taking back has nothing to show: what it undoes was seen by all who agreed.
        """
        return min(self.moment, max(shown, self._since_back))

    def as_known(self, moment: int) -> tuple[State, Sequence[PlayedAction], Sequence[int]]:
        """Return the state at a moment that is known, the actions that led to it, and who decides.

        Those are the seats that were asked by then and have not answered yet.
        """
        unseen = self.moment - moment
        asked = [seat for seat in self.deciding() if self._since[seat] <= moment]
        steps = self.steps[: len(self.steps) - unseen]
        return self.steps[-unseen].before if unseen else self.state, steps, asked

    # ---- actions

    def act(self, seat: int, action: str, moment: int) -> None:
        """Play an action, or seal it where others come first; raises UserError and OSError.

        `moment` is the one that the seat knew of. It lies in the decision that is due: a message
        that comes too late, or twice, is not played.
        """
        if self.is_over:
            raise UserError(tr("the game is over"))
        if seat not in self.deciding():
            raise UserError(tr("it is not yours to decide now"))
        if not self._since[seat] <= moment <= self.moment:
            raise UserError(tr("this was meant for another moment of the game; look again"))
        if self.game.to_decide(self.state) != seat:
            self._seal(seat, action)
            return
        self._play(seat, action)
        self._open()

    def let_pass(self, seat: int, on: bool) -> None:
        """Have a seat let all pass until it says otherwise, or be asked again."""
        if not on:
            self.passing.discard(seat)
            return
        self.passing.add(seat)
        self._fill_in()
        self._open()

    def unseal(self, seat: int) -> None:
        """Take back an answer that waits; raises UserError where none does."""
        if seat not in self.sealed:
            raise UserError(tr("no answer of yours waits"))
        self._kept.sealed(seat, None)
        del self.sealed[seat]

    def _seal(self, seat: int, action: str) -> None:
        """Keep an answer that can be read from the seat's own decision."""
        decision = self._asked(self.state, seat)
        choices = () if decision is None else decision.choices
        if choices and action not in [each.action for each in choices if not each.refused]:
            raise UserError(tr("this cannot be chosen now"))
        self._kept.sealed(seat, action)
        self.sealed[seat] = action
        self.refused.pop(seat, None)

    def _open(self) -> None:
        """Play the answers that waited for their turn."""
        while not self.is_over:
            seat = self.game.to_decide(self.state)
            action = self.sealed.pop(seat, None)
            if action is None:
                return
            try:
                self._play(seat, action)
            except UserError as error:
                self.refused[seat] = error.args[0]  # said anew to whoever reads it
                return

    def _play(self, seat: int, action: str, is_kept: bool = False) -> None:
        happenings: list[GameHappening] = []
        try:
            after = self.game.apply(self.state, seat, action, happenings)
        except IllegalActionError as error:
            raise UserError(error.why) from error
        if not is_kept:
            self._kept.action(seat, action)
        before, self.state = self.state, after
        self.steps.append(PlayedAction(seat, action, before, happenings))
        self.moment += 1
        self.refused.pop(seat, None)
        self._since.pop(seat, None)
        self._note_deciding(before)

    def _note_deciding(self, before: State | None = None) -> None:
        """Note since when each seat has had to decide what it is asked now."""
        since = {}
        for seat in self.deciding():
            is_same = seat in self._since and (
                self._asked(before or self.state, seat) == self._asked(self.state, seat)
            )
            since[seat] = self._since[seat] if is_same else self.moment
        self.sealed = {
            seat: text
            for seat, text in self.sealed.items()
            if seat in since and since[seat] == self._since.get(seat)
        }
        self._since = since
        self._fill_in()

    def _asked(self, state: State, seat: int) -> Decision | None:
        """Return what a seat is asked, by no names."""
        return self.game.decision(self.game.view(state, seat), seat, self._nobody)

    def _fill_in(self) -> None:
        """Answer for the seats whose answer is known."""
        for seat in self.deciding():
            asked = None if seat in self.sealed else self._asked(self.state, seat)
            if asked and (asked.known or (asked.passes and seat in self.passing)):
                self.sealed[seat] = asked.known or asked.passes

    def resume(
        self, actions: Sequence[tuple[int, str]], sealed: Mapping[int, tuple[str, int]]
    ) -> None:
        """Play actions that are on disk already; raises UserError where one is illegal.

        `sealed` are answers that waited, by seat, each with the number of actions before it; one
        of a decision that is over by now waits for nothing.
        """
        for seat, action in actions:
            self._play(seat, action, is_kept=True)
        for seat, (action, moment) in sealed.items():
            with suppress(UserError):
                self.act(seat, action, moment)
        self._open()

    # ---- taking back

    def may_take_back(self, seat: int) -> bool:
        """Tell whether the last action is the seat's, who chose it, and revealed nothing.

        Of what others did meanwhile a seat must not learn whether that depended on hidden cards.
        """
        last = len(self.steps) - 1
        is_own = last >= self._taken_over.get(seat, 0) and self.steps[last].seat == seat
        asked = self._asked(self.steps[last].before, seat) if is_own else None
        return bool(asked and not asked.known and not self._reveals(last))

    def hand_over(self, seat: int) -> None:
        """Note that somebody else plays a seat from now on."""
        self._taken_over[seat] = len(self.steps)

    def take_back(self) -> None:
        """Go back to before the last action."""
        step = self.steps.pop()
        self.taken_back.append(step)
        self.state = step.before
        self.moment += 1
        self._since_back = self.moment
        self._is_quiet.clear()
        self.sealed.clear()
        self.refused.clear()
        self._since.clear()
        self._note_deciding()

    def _reveals(self, number: int) -> bool:
        """Tell whether an action showed anybody what its player did not know before.

        It is tried in other states that the player could not have told from the real one: where
        the player or a spectator sees something else after it in one of them, it depended on what
        was hidden.
        """
        if number not in self._is_quiet:
            self._is_quiet[number] = self._shows_nothing(number)
        return not self._is_quiet[number]

    def _shows_nothing(self, number: int) -> bool:
        step, game = self.steps[number], self.game
        after = self.steps[number + 1].before if number + 1 < len(self.steps) else self.state
        if game.to_decide(after) == NOBODY:
            return False
        if any(each.to not in (EVERYBODY, step.seat) for each in step.happenings):
            return False
        chance = Random(number)
        seen = [game.view(after, seat) for seat in (step.seat, SPECTATOR)]
        view = game.view(step.before, step.seat)
        for _ in range(_DRAWS):
            try:
                other = game.apply(game.possible(view, step.seat, chance), step.seat, step.action)
            except IllegalActionError:
                return False
            if [game.view(other, seat) for seat in (step.seat, SPECTATOR)] != seen:
                return False
        return True


def visible(steps: Sequence[PlayedAction], seat: int) -> list[GameHappening]:
    """Return what a seat or the SPECTATOR may know of what happened."""
    return telling.visible((each for step in steps for each in step.happenings), seat)
