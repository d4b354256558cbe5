"""TIMEmiT on the table: the ship's track in the first two rows, triangles in the other two.

The track goes from left to right, Nora's goal to Aron's, up and down in each column: the ship is
as far to the right as it is in time. That has room for 24 spaces; the last one of the longest track
is below the corner where it ends. Triangles are counted from the left for Nora, in the third row,
and from the right for Aron, in the fourth.
"""

from collections.abc import Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import State
from chronotable_night.games.surface import COLUMNS, SurfaceError, TablePicture, Track, focus, place
from chronotable_night.games.timemit.kind import Timemit

_TRACK_ROWS = 2
_CORNER = _TRACK_ROWS * COLUMNS  # the number of the space below it, behind those of the rows
_LONGEST = _CORNER // 2  # spaces on each side of the middle
_TRIANGLES = 6  # of a player, who loses with the last (TM14)
_PRESENT = 1  # the board of the spots that say who decides

SHIP = "copy"
MARKS = "mover"  # the two goals, and the middle between them
LAST = "push"  # the place of the triangle that loses
NEXT_LOSES = "squish"  # the same, where it would be the next
DECIDES = "focus"  # at the left player's spot or the right one's
WINS = "win"


def surface(game: Timemit, view: State, names: Sequence[str]) -> TablePicture:
    """Return where the ship is, who has how many triangles, and who decides.

    Raises SurfaceError for a longer track than the table has room for.
    """
    length: int = game.printed["length"]
    if length > _LONGEST:
        raise SurfaceError(
            tr(
                "the table has room for a track of {most} spaces to each side, not of {length}",
                most=_LONGEST,
                length=length,
            )
        )
    track = [_on_track(ship) for ship in range(-length, length + 1)]
    ship = _on_track(view["ship"])
    year = game.printed["years"][view["ship"] + length]
    lights = {track[0]: MARKS, track[length]: MARKS, track[-1]: MARKS, ship: SHIP}
    tracks = [Track(track, [ship], tr("The ship goes to {year}.", year=year))]
    for seat, name in enumerate(names):
        columns = range(COLUMNS - 1, -1, -1) if seat else range(COLUMNS)
        places = [place(_TRACK_ROWS + seat, column) for column in columns[:_TRIANGLES]]
        count = view["triangles"][seat]
        says = tr_n(
            "{player} has {n} paradox triangle.",
            "{player} has {n} paradox triangles.",
            count,
            player=name,
        )
        tracks.append(Track(places, places[:count], says))
        lights[places[-1]] = NEXT_LOSES if count == _TRIANGLES - 1 else LAST
    lights |= {focus(seat, _PRESENT): DECIDES for seat in game.deciding(view)}
    outcome = game.outcome(view)
    for seat in outcome.winners if outcome else ():
        lights |= {track[-seat]: WINS, ship: WINS}
    return TablePicture(tracks, lights)


def _on_track(ship: int) -> int:
    """Return the place of a space, by its distance from the middle, - toward Nora's goal (TM1)."""
    number = ship + _LONGEST
    if number == _CORNER:
        return place(_TRACK_ROWS, COLUMNS - 1)
    return place(number % _TRACK_ROWS, number // _TRACK_ROWS)
