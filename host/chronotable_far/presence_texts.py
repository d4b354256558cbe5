"""Whether the other end is there, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_far.entries import other
from chronotable_far.news import name_of
from chronotable_host.language import tr, tr_n

if TYPE_CHECKING:
    from chronotable_far.table import FarTable

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def presence(far: FarTable) -> str:
    """Return in a sentence whether who plays the other side is at their table."""
    room = far.room
    course = room.course
    if course.join is None:
        return tr("Nobody has come by the invitation yet.")
    name = name_of(course, other(room.end))
    if room.there:
        return tr("{name} is there.", name=name)
    if not room.is_connected:
        return tr("Whether {name} is there cannot be seen: the broker is away.", name=name)
    if far.seen_s is None:
        return tr("{name} is not there just now.", name=name)
    return tr("{name} was there {ago}.", name=name, ago=_ago(far.clock() - far.seen_s))


def _ago(seconds: float) -> str:
    if seconds >= _DAY:
        return tr_n("{n} day ago", "{n} days ago", int(seconds // _DAY))
    if seconds >= _HOUR:
        return tr_n("{n} hour ago", "{n} hours ago", int(seconds // _HOUR))
    if seconds >= _MINUTE:
        return tr_n("{n} minute ago", "{n} minutes ago", int(seconds // _MINUTE))
    return tr("a moment ago")
