"""A moment of a game: as a picture, still or with the turn that led to it, or as plain text."""

from chronotable_host import chapters
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.hardware.drawings.turn import turn_svg
from chronotable_host.language import names, tr
from chronotable_host.rules.action_replay import play_actions
from chronotable_host.rules.board_drawing import draw
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.sharing.game_page import end_of, players
from ttykm import layout, objects

BOARD = "reference"
"""The board that pictures are drawn on."""


def position_picture(reading: ParsedRecord, turn: int) -> str:
    """Return the position after a turn as SVG, 0 for the start; raises LockedError."""
    record = reading.record
    chapters.require(objects.modules_of(record.start), record.options)
    caption = _turn_caption(reading, turn) if turn else tr("The start")
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
    return turn_svg(boards.read_data(BOARD), frames, path, _turn_caption(reading, turn))


def _turn_caption(reading: ParsedRecord, turn: int) -> str:
    before = reading.states[turn - 1]
    story = story_of(before, reading.record.turns[turn - 1], reading.record.options)
    player = names.PLAYERS[layout.mover(before)]
    return f"{turn}. {player}: {story.says}"


def game_text(reading: ParsedRecord, turn: int) -> str:
    """Return a game up to a turn, 0 for the start, as lines of text; raises LockedError."""
    record = reading.record
    chapters.require(objects.modules_of(record.start), record.options)
    white, black = players(record)
    count = len(record.turns)
    where = tr("Turn {at} of {turns}", at=turn, turns=count) if turn else tr("The start")
    lines = [
        tr("{white} against {black}", white=white, black=black),
        f"{where}. {end_of(record) if turn == count else ''}".rstrip(),
        "",
        *(line.rstrip() for line in draw(reading.states[turn]).plain.splitlines()),
        "",
    ]
    first = layout.mover(record.start)
    for at, packed in enumerate(record.turns[:turn]):
        player = names.PLAYERS[(first + at) % 2]
        lines.append(f"{at + 1}. {player}: {format_turn(packed)}")
    return "\n".join(lines).rstrip() + "\n"
