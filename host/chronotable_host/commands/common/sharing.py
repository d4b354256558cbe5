"""What `export` writes to share: a page, a picture or a text of one game, by the file's ending."""

from collections.abc import Sequence
from pathlib import Path

from chronotable_host.archive.comments import without
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.record import Record
from chronotable_host.web import sharing

PAGE, PICTURE, TEXT = ".html", ".svg", ".txt"

_KINDS = (PAGE, PICTURE, TEXT)
_OTHER_PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".webp")


def is_meant(to: str, turn: int | None, moving: bool) -> bool:
    """Tell whether a file is to be shared; raises UserError for what cannot be written so."""
    ending = Path(to).suffix.lower()
    if ending in _OTHER_PICTURES:
        raise UserError(
            tr(
                "{to}: pictures are written as .svg, which every browser shows; the page saves a "
                "position as PNG, too (Games, Record)",
                to=to,
            )
        )
    if moving and ending != PICTURE:
        raise UserError(tr("--moving goes with a file that ends in .svg"))
    if turn is not None and ending not in _KINDS:
        raise UserError(tr("--turn goes with a file that ends in .html, .svg or .txt"))
    return ending in _KINDS


def only_one(ids: Sequence[str], to: str, everything: bool) -> str:
    """Return the one game that is named; raises UserError."""
    if everything or len(ids) != 1:
        raise UserError(tr("{to}: such a file has one game; name it", to=to))
    return ids[0]


def no_night(to: str) -> str:
    """Return why a game of a night cannot be written so."""
    return tr("{to}: a game of a night is written as a record, so the file ends in .night", to=to)


def left_out_note(record: Record, to: str) -> str:
    """Return what the file `to` has no place for, "" where that is nothing.

    A page tells the analysis, and the comment in front of the first turn.
    """
    lost = without(record)
    if Path(to).suffix.lower() == PAGE:
        opening = bool(record.starting_comment)
        lost = lost._replace(analyses=0, comments=lost.comments - opening)
    return tr("left out, as only a record has them: {what}", what=lost) if any(lost) else ""


def shared_text(reading: ParsedRecord, to: str, at: int, moving: bool) -> str:
    """Return what the file `to` holds of a game after a turn; raises UserError and LockedError."""
    kind = {PAGE: sharing.PAGE, TEXT: sharing.TEXT}.get(Path(to).suffix.lower(), sharing.PICTURE)
    return sharing.text_of(reading, sharing.TURN if moving else kind, at)
