"""The records of a room's games: written from the logs alone, so they are the same at both ends.

Only the place, the header Board, is each end's own.
"""

from __future__ import annotations

from chronotable_far.course import Course, PlayedTurn, RoomGame
from chronotable_far.entries import ENDS
from chronotable_host.archive.comments import Comments, clock_left, join_comments, turn_comment
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.rules.record import DRAW, Record
from ttykm import objects

SOURCE = "Source"
"""Header that says which game this is, so that it is kept once."""
TIME_CONTROL = "TimeControl"

_DRAWER = "convergence"


def record_of(course: Course, number: int | None = None) -> Record:
    """Return the record of a room's game `number`, from 1 on; of the present one without that.

    The game has begun: there is a `begin`.
    """
    begin = course.begin
    assert begin is not None
    parts = (*course.earlier, course.part)
    number = len(parts) if number is None else number
    part = parts[number - 1]
    record = Record(begin.start, begin.options)
    for end in ENDS:
        record.headers[PLAYER_NAMES[part.sides[end]]] = course.names.get(end, "?")
    record.headers["Date"] = part.date
    record.headers[SOURCE] = f"far-{begin.id}-{number}"
    if begin.clock:
        record.headers[TIME_CONTROL] = begin.clock
    if _has_drawn(begin.draw, objects.modules_of(begin.start)):
        record.headers[DRAW] = begin.draw
    for played, comment in zip(part.line, _comments(part), strict=True):
        record.add(played.turn, comment)
    if part.result is not None:
        record.finish(*part.result)
    return record


def _comments(part: RoomGame) -> list[str]:
    """Return the comment of each turn that counts, with what was taken back."""
    comments = Comments()
    line: list[PlayedTurn] = []
    for played in part.history:
        if played is None:
            comments.take_back(line.pop().turn)
            continue
        left = "" if played.left_s is None else clock_left(played.left_s)
        comments.add(join_comments(turn_comment(played.at_ms, played.how), left))
        line.append(played)
    return comments.texts


def _has_drawn(draw: str, modules: int) -> bool:
    """Tell whether a header Draw is canonical, and draws just these modules."""
    name, _, seed = draw.partition(" ")
    is_seed = seed.isascii() and seed.isdecimal() and str(int(seed)) == seed and int(seed) < 1 << 32
    return name == _DRAWER and is_seed and objects.convergence(int(seed)) == modules
