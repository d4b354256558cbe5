"""Time Chase on the table: a lane for each traveler, a column for each place in time.

The first column is the invariant, the next ten are the events by number, in both modes (H19).
"""

from collections.abc import Sequence

from chronotable_host.language import tr
from chronotable_night.games.interface import NOBODY, Game, State
from chronotable_night.games.surface import ROWS, SurfaceError, TablePicture, Track, place

_COLUMNS = 11

CONTROL = "move"  # in the controller's lane
PRESENT = "mover"  # in all lanes, until somebody controls it
DECIDES = "lifted"  # under the travelers that are waited for
WINS = "win"


def surface(game: Game, view: State, names: Sequence[str]) -> TablePicture:
    """Return where the travelers stand, who controls what, and who decides.

    Raises SurfaceError for more travelers than there are lanes.
    """
    players = view["players"]
    if players > ROWS:
        raise SurfaceError(
            tr(
                "the table has lanes for {lanes} travelers, not for {players}",
                lanes=ROWS,
                players=players,
            )
        )
    tracks = [_lane(view, seat, name) for seat, name in zip(range(players), names, strict=True)]
    return TablePicture(tracks, _lights(game, view))


def _lane(view: State, seat: int, name: str) -> Track:
    at = view["travelers"][seat]
    says = (
        tr("{player}'s traveler goes to event {event}.", player=name, event=at)
        if at
        else tr("{player}'s traveler goes to the invariant.", player=name)
    )
    places = [place(seat, column) for column in range(_COLUMNS)]
    spare = [place(seat, event) for event in _controlled(view, seat)]
    return Track(places, [place(seat, at)], says, spare)


def _controlled(view: State, seat: int) -> list[int]:
    return [
        event
        for event, owner in zip(view["timeline"], view["control"], strict=True)
        if owner == seat
    ]


def _lights(game: Game, view: State) -> dict[int, str]:
    seats = range(view["players"])
    lights = {place(seat, view["present"]): PRESENT for seat in seats}
    for event, owner in zip(view["timeline"], view["control"], strict=True):
        if owner != NOBODY:
            lights |= {place(seat, event): "off" for seat in seats}
            lights[place(owner, event)] = CONTROL
    outcome = game.outcome(view)
    for seat in outcome.winners if outcome else ():
        lights |= {place(seat, event): WINS for event in _controlled(view, seat)}
    if view["phase"] in ("event", "invariant"):
        lights |= {place(seat, view["travelers"][seat]): DECIDES for seat in game.deciding(view)}
    return lights
