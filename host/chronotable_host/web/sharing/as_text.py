"""A game as plain text for a letter or a chat: who, the boards, and the turns."""

from __future__ import annotations

from chronotable_host import chapters
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.board_drawing import draw
from chronotable_host.language import names, tr
from chronotable_host.rules.notation import format_turn
from chronotable_host.web.sharing.game_page import end_of, players
from ttykm import layout, objects


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
