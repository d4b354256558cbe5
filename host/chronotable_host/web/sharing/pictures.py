"""A position of a game as a picture, still or with the turn that led to it."""

from __future__ import annotations

from chronotable_host import boards, chapters
from chronotable_host.action_replay import play_actions
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.drawings.table import board_svg
from chronotable_host.drawings.turn import turn_svg
from chronotable_host.errors import UserError
from chronotable_host.glyphs import looks_of
from chronotable_host.language import names, tr
from chronotable_host.turn_story import story_of
from ttykm import layout, objects

BOARD = "reference"
"""The board that pictures are drawn on."""


def position_picture(reading: ParsedRecord, turn: int) -> str:
    """Return the position after a turn as SVG, 0 for the start; raises LockedError."""
    record = reading.record
    chapters.require(objects.modules_of(record.start), record.options)
    caption = _told(reading, turn) if turn else tr("The start")
    return board_svg(boards.read_data(BOARD), looks_of(reading.states[turn]), caption)


def turn_picture(reading: ParsedRecord, turn: int) -> str:
    """Return a turn, counted from 1, as SVG that moves; raises UserError and LockedError."""
    record = reading.record
    chapters.require(objects.modules_of(record.start), record.options)
    if turn == 0:
        raise UserError(tr("nothing moves at the start: name a turn from 1 on"))
    before, packed = reading.states[turn - 1], record.turns[turn - 1]
    codes = [code for code in (packed >> 6 & 63, packed & 63) if code]
    steps = play_actions(before, packed >> 12 & 15, codes, record.options) if codes else []
    states = [before, *(step.state for step in steps), reading.states[turn]]
    path = story_of(before, packed, record.options).path
    frames = [looks_of(state) for state in states]
    return turn_svg(boards.read_data(BOARD), frames, path, _told(reading, turn))


def _told(reading: ParsedRecord, turn: int) -> str:
    before = reading.states[turn - 1]
    story = story_of(before, reading.record.turns[turn - 1], reading.record.options)
    player = names.PLAYERS[layout.mover(before)]
    return f"{turn}. {player}: {story.says}"
