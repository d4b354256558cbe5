"""What a user did wrong, as opposed to what we did wrong."""

import sys

from ttykm.notation import NotationError

_MOST = 400
"""Characters of a line about an error."""


class UserError(Exception):
    """The input cannot be used; the message says what is wrong with it and what to do."""


def one_line(error: BaseException) -> str | None:
    """Return the line that tells a user about an error, or None where it is a fault of ours."""
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename is not None else ""
        text = f"{name}{error.strerror or error}"
    elif isinstance(error, (UserError, NotationError)) or _is_board_error(error):
        text = str(error)
    else:
        return None
    line = " ".join(printable(text).split())
    if len(line) > _MOST:  # somebody's whole file, quoted: its ends tell what it was
        line = f"{line[: _MOST // 2]} ... {line[-_MOST // 2 :]}"
    return line


def printable(text: str) -> str:
    """Return text without what would steer a terminal: names and comments come from strangers."""
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)


def _is_board_error(error: BaseException) -> bool:
    # Who raised it has imported the module already; nobody else should pay for it.
    module = sys.modules.get("chronotable.board")
    return module is not None and isinstance(error, module.BoardError)
