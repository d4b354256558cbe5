"""Time Breaker at the table: its tiles have no room there, so it shows whose turn it is."""

from collections.abc import Sequence

from chronotable_night.games.interface import NOBODY, Game, State
from chronotable_night.games.surface import COLUMNS, ROWS, TablePicture, place

TURN = "move"
IS_ASKED = "focus"  # another player, about a card of whose turn it is
WINS = "win"


def surface(game: Game, view: State, names: Sequence[str]) -> TablePicture:
    """Return a field of lights for each player, from left to right by seats, and no pieces."""
    lights: dict[int, str] = {}
    outcome = game.outcome(view)
    if outcome is None:
        lights |= _field(view["active"], len(names), TURN)
        asked = game.to_decide(view)
        if asked not in (view["active"], NOBODY):
            lights |= _field(asked, len(names), IS_ASKED)
    for seat in outcome.winners if outcome else ():
        lights |= _field(seat, len(names), WINS)
    return TablePicture((), lights)


def _field(seat: int, seats: int, light: str) -> dict[int, str]:
    width = COLUMNS // seats
    columns = range(seat * width, (seat + 1) * width)
    return {place(row, column): light for row in range(ROWS) for column in columns}
