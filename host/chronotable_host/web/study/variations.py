"""Variations that are kept in the record of an archived game, as the page asks for it."""

from __future__ import annotations

from pathlib import Path

from chronotable_host.archive.files import GameFile
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError, one_line, without_folders
from chronotable_host.language import tr
from chronotable_host.rules.notation import format_options, format_position
from chronotable_host.web.study.thinking import asked_question


def vary(folder: Path | None, name: str, number: int, line: str, is_kept: bool) -> None:
    """Keep turns that could have been played from turn `number` of a game on, or forget them.

    `line` has them as texts, parted by semicolons. Raises UserError where the game is not over or
    they are not legal there, or where the game cannot be read or written, and NotationError.
    """
    try:
        _vary(folder, name, number, line, is_kept)
    except OSError as error:
        raise UserError(without_folders(one_line(error) or "")) from error


def _vary(folder: Path | None, name: str, number: int, line: str, is_kept: bool) -> None:
    with Archive(folder) as archive:
        entry = archive.get(name)
        with GameFile.resume(archive.path(entry)) as file:
            record = file.record
            if record.headers["Result"] == "*":
                raise UserError(tr("this game is not over; variations are kept when it is"))
            positions = [format_position(game.state) for game in record.replay()]
            if not 1 <= number < len(positions):
                raise UserError(
                    tr("the game has no turn {number} that this could stand for", number=number)
                )
            question = asked_question(positions[number - 1], format_options(record.options), line)
            file.vary(number, question.turns, is_kept)
