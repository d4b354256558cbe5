"""Positions that a browser asks about: texts of strangers, which name no locked chapter."""

from __future__ import annotations

from array import array

from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.notation import parse_options, parse_position
from ttykm import objects

_LONGEST = 1000  # characters


def asked_state(text: str) -> array[int]:
    """Return the state of a position that may be shown here.

    Raises NotationError, UserError where the text is too long, and LockedError.
    """
    if len(text) > _LONGEST:
        raise UserError(tr("a position has at most {most} characters", most=_LONGEST))
    chapters.require(chapters.modules_in(text))
    with chapters.discretion(text):
        state = parse_position(text)
    chapters.require(objects.modules_of(state))
    return state


def asked_options(text: str) -> int:
    """Return the bits of options that may be played here; raises NotationError and LockedError."""
    chapters.require(0, chapters.options_in(text))
    with chapters.discretion(text):
        return parse_options(text)
