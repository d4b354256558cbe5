"""Results that games themselves bring: which pairing a game belongs to, and whether it counts."""

from typing import NamedTuple

from chronotable_club.tournament import events
from chronotable_club.tournament.cards import GAME_RESULTS
from chronotable_club.tournament.state import Board, Tournament
from chronotable_host.errors import printable
from chronotable_host.language import tr


class FinishedGame(NamedTuple):
    """A game as its record tells it: who it is, which pairing it was played for, and its end.

    The `result` is "" of a game that goes on.
    """

    id: str
    pairing: str
    white: str
    black: str
    result: str


class GameEffect(NamedTuple):
    """The kind and the fields of the event that a game leads to; "" for none, and then why not."""

    kind: str
    fields: dict[str, int | str]
    why: str = ""


def pairing_id(tournament: str, round_number: int, board: int) -> str:
    """Return how tables and records name a pairing."""
    return f"{tournament}/{round_number}/{board}"


def parse_pairing(text: str) -> tuple[str, int, int] | None:
    """Return tournament, round and board of what names a pairing, None where nothing does."""
    tournament, _, rest = text.partition("/")
    numbers = rest.split("/")
    if len(numbers) != 2 or not all(it.isascii() and it.isdecimal() for it in numbers):
        return None
    if max(map(len, numbers)) > 4 or not tournament:
        return None
    return tournament, int(numbers[0]), int(numbers[1])


def effect_of(tournament: Tournament, game: FinishedGame) -> GameEffect:
    """Return what a game changes: nothing unless it is the game of a pairing that is being played.

    The same game may come again while its round goes on, also with another end, or with none where
    its last turn was taken back; another game of the same pairing counts for nothing, nor does any
    against the director's word.
    """
    why = _objection(tournament, game)
    if why:
        return GameEffect("", {}, why)
    found = parse_pairing(game.pairing)
    assert found is not None
    _, round_number, board = found
    fields: dict[str, int | str] = {
        "round": round_number,
        "board": board,
        "result": game.result,
        "game": game.id,
    }
    return GameEffect(events.RESULT, fields)


def _objection(tournament: Tournament, game: FinishedGame) -> str:
    """Return why a game changes nothing, "" where it does."""
    found = parse_pairing(game.pairing)
    if found is None or found[0] != tournament.id:
        return tr("the game belongs to no pairing of '{name}'", name=tournament.name)
    board = tournament.board(*found[1:])
    if board is None:
        return tr("round {round} has no board {board}", round=found[1], board=found[2])
    playing = tournament.rounds[found[1] - 1]
    if playing.is_closed or not playing.is_started:
        return tr("round {number} is not being played", number=playing.number)
    if game.result not in GAME_RESULTS and (game.result or not board.result):
        return tr("the game has no result")
    if game.id in tournament.annulled:
        return tr("the director has annulled that game")
    if board.is_corrected:
        return tr("the director has entered the result of board {board}", board=board.number)
    if board.result and board.game != game.id:
        return tr("board {board} has a result already", board=board.number)
    if board.result == game.result:
        return tr("the result is known")
    return _wrong_names(tournament, board, game)


def _wrong_names(tournament: Tournament, board: Board, game: FinishedGame) -> str:
    """Return what is wrong with who played, "" for nothing."""
    due = [_folded(tournament.players[it].name) for it in (board.white, board.black)]
    played = [_folded(game.white), _folded(game.black)]
    if due == played:
        return ""
    if due == played[::-1]:
        return tr("the players of board {board} have exchanged colours", board=board.number)
    return tr("others than those of board {board} have played", board=board.number)


def _folded(name: str) -> str:
    return " ".join(printable(name).split()).casefold()  # as a table's record has it
