"""Games and positions as files that need nothing else: pages, pictures, texts."""

from typing import TYPE_CHECKING

from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_n

if TYPE_CHECKING:
    from chronotable_host.archive.parsing import ParsedRecord

PAGE, PICTURE, TURN, TEXT, SERVED = "page", "picture", "turn", "text", "served"
KINDS = {
    PAGE: (".html", "text/html"),
    PICTURE: (".svg", "image/svg+xml"),
    TURN: (".svg", "image/svg+xml"),
    TEXT: (".txt", "text/plain"),
    SERVED: (".html", "text/html"),
}
"""What a game can be shared as, with the ending and the media type of such a file: a whole game
that opens at a turn, the position after the turn, the turn as it moves, all so far as text, and the
whole game as a guest's page serves it."""


def text_of(reading: "ParsedRecord", kind: str, turn: int) -> str:
    """Return a game as one of KINDS, after a turn; 0 is the start.

    Raises UserError where there is no such kind or turn, and LockedError.
    """
    from chronotable_host.web.sharing import game_page, moments  # noqa: PLC0415

    made = {
        PAGE: lambda: game_page.game_page(reading, turn),
        PICTURE: lambda: moments.position_picture(reading, turn),
        TURN: lambda: moments.turn_picture(reading, turn),
        TEXT: lambda: moments.game_text(reading, turn),
        SERVED: lambda: game_page.game_page(reading, turn, is_served=True),
    }
    if kind not in made:
        raise UserError(tr("a game is shared as one of {kinds}", kinds=" ".join(KINDS)))
    count = len(reading.record.turns)
    if turn > count:
        raise UserError(tr_n("the game has {n} turn", "the game has {n} turns", count))
    return made[kind]()
