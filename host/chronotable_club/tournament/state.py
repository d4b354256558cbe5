"""A tournament as its log says: what its events come to, and which of them fit.

`Tournament` is never changed: `after` returns another one, or says in a sentence why an event does
not fit. So a log that was written by `after` alone can always be read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from chronotable_club.tournament import events
from chronotable_club.tournament.cards import (
    COLOURS,
    DRAW,
    ENTRIES,
    GAME_RESULTS,
    LOSS,
    OPEN,
    PAIRING_BYE,
    REQUESTED_BYE,
    REST,
    WIN,
    CardRound,
    Cards,
)
from chronotable_club.tournament.events import TournamentEvent, event
from chronotable_club.tournament.round_robin import rounds_of
from chronotable_club.tournament.standings import KNOWN, Row, standings
from chronotable_host.errors import UserError
from chronotable_host.language import tr

MOST_ROUNDS = 99
MOST_PLAYERS = 500


class Participant(NamedTuple):
    """Who takes part; `number` is the place in which they came, by which the log knows them."""

    number: int
    name: str
    rating: int
    """0 for none."""
    since: int
    """The round they came for, counted from 1."""
    is_there: bool = True
    """Whether the next rounds are paired with them."""


class Board(NamedTuple):
    """A pairing, and its result once there is one."""

    number: int
    white: int
    black: int
    table: str = ""
    result: str = OPEN
    game: str = ""
    """Which game gave the result; none of one that the director entered."""
    is_corrected: bool = False
    """Whether the director entered it: no game changes it any more."""


@dataclass(frozen=True)
class Round:
    """A round that was paired."""

    number: int
    boards: tuple[Board, ...]
    bye: int
    """Who is left over, or free in a round robin; 0 for nobody."""
    away: Mapping[int, int]
    """Who was not there, with the half points that they have for it."""
    is_started: bool = False
    is_closed: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether all results are in."""
        return all(board.result != OPEN for board in self.boards)


class Correction(NamedTuple):
    """What the director changed, and why."""

    at: str
    by: str
    round: int
    board: int
    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class Tournament:
    """All there is to know of one; `id` is how tables and pages call it."""

    id: str
    name: str = ""
    system: str = events.SWISS
    rounds_wanted: int = 0
    initial: str = COLOURS[0]
    bye_points: int = WIN
    tie_breaks: tuple[str, ...] = ()
    players: Mapping[int, Participant] = field(default_factory=dict)
    byes: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """Half points that were promised, by player and round."""
    rounds: tuple[Round, ...] = ()
    corrections: tuple[Correction, ...] = ()
    annulled: frozenset[str] = frozenset()
    """Games whose results the director changed: they count for nothing any more."""
    last: int = 0
    """The number of the last event."""

    # ---- what it says

    @property
    def is_swiss(self) -> bool:
        """Whether each round's pairing follows from the results."""
        return self.system == events.SWISS

    @property
    def cycles(self) -> int:
        """How often everybody meets everybody in a round robin."""
        return 2 if self.system == events.DOUBLE_ROUND_ROBIN else 1

    @property
    def round_count(self) -> int:
        """How many rounds there will be."""
        if self.is_swiss:
            return self.rounds_wanted
        return rounds_of(len(self.players), self.cycles)

    @property
    def current(self) -> Round | None:
        """The round that was paired last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_over(self) -> bool:
        """Whether the last round is closed."""
        return len(self.rounds) >= self.round_count and all(it.is_closed for it in self.rounds)

    @property
    def pairing_numbers(self) -> dict[int, int]:
        """Return each player's pairing number: by rating, then by name (C.04.2 2).

        Who comes when rounds were paired already is behind those who were there before.
        """
        ranked = sorted(
            self.players.values(),
            key=lambda it: (it.since, -it.rating, it.name.casefold(), it.number),
        )
        return {player.number: number for number, player in enumerate(ranked, 1)}

    def board(self, round_number: int, board: int) -> Board | None:
        """Return a pairing, None where there is none."""
        if not 1 <= round_number <= len(self.rounds):
            return None
        boards = self.rounds[round_number - 1].boards
        return boards[board - 1] if 1 <= board <= len(boards) else None

    def cards(self, rounds: int | None = None) -> Cards:
        """Return the cards of all players, by their numbers of the log; rounds with results only.

        A game that goes on stands on no card: all rounds that are closed do, and the one that is
        being played when it is complete.
        """
        counted = [it for it in self.rounds if it.is_complete][:rounds]
        cards: dict[int, list[CardRound]] = {number: [] for number in self.players}
        for each in counted:
            entries = self._entries(each)
            for number, card in cards.items():
                card.append(entries.get(number, CardRound(REQUESTED_BYE, LOSS)))
        return cards

    def numbered_cards(self, rounds: int | None = None) -> Cards:
        """Return the cards by pairing numbers, opponents too."""
        numbers = self.pairing_numbers
        return {
            numbers[player]: [
                entry._replace(opponent=numbers.get(entry.opponent, 0)) for entry in card
            ]
            for player, card in self.cards(rounds).items()
        }

    def _entries(self, each: Round) -> dict[int, CardRound]:
        kind, points = (PAIRING_BYE, self.bye_points) if self.is_swiss else (REST, LOSS)
        found = {number: CardRound(REQUESTED_BYE, given) for number, given in each.away.items()}
        if each.bye:
            found[each.bye] = CardRound(kind, points)
        for board in each.boards:
            white, black = ENTRIES[board.result]
            found[board.white] = CardRound(*white, board.black, COLOURS[0])
            found[board.black] = CardRound(*black, board.white, COLOURS[1])
        return found

    def standings(self, rounds: int | None = None) -> list[Row]:
        """Return the standings after so many rounds, or after all that are complete.

        Level players stand by pairing number.
        """
        back = {number: player for player, number in self.pairing_numbers.items()}
        rows = standings(self.numbered_cards(rounds), self.tie_breaks, self.is_swiss)
        return [row._replace(number=back[row.number]) for row in rows]

    # ---- what happens to it

    def after(self, event: TournamentEvent) -> Tournament:
        """Return the tournament after an event; raises UserError where it does not fit."""
        if event.number != self.last + 1:
            raise UserError(
                tr(
                    "the log of '{name}' goes on with number {due}, not {number}",
                    name=self.name or self.id,
                    due=self.last + 1,
                    number=event.number,
                )
            )
        if (event.kind == events.CREATED) != (self.last == 0):
            raise UserError(tr("a log begins with the tournament that is made, once"))
        return replace(_CHANGES[event.kind](self, event), last=event.number)

    def _created(self, event: TournamentEvent) -> Tournament:
        said = event.fields
        name, system, rounds = said["name"].strip(), said["system"], said["rounds"]
        if not name:
            raise UserError(tr("a tournament needs a name"))
        if system not in events.SYSTEMS:
            known = ", ".join(events.SYSTEMS)
            raise UserError(tr("'{system}' is none of {known}", system=system, known=known))
        if system == events.SWISS and not 1 <= rounds <= MOST_ROUNDS:
            raise UserError(tr("a Swiss has 1 to {most} rounds", most=MOST_ROUNDS))
        if said["initial"] not in COLOURS or not LOSS <= said["bye_points"] <= WIN:
            raise UserError(tr("a bye gives 0, a half or 1 point, and the colour is W or B"))
        strange = [it for it in said["tie_breaks"] if it not in KNOWN]
        if strange or len(set(said["tie_breaks"])) < len(said["tie_breaks"]):
            known = ", ".join(KNOWN)
            raise UserError(tr("tie-breaks are some of {known}, each once", known=known))
        return replace(
            self,
            name=name,
            system=system,
            rounds_wanted=rounds,
            initial=said["initial"],
            bye_points=said["bye_points"],
            tie_breaks=tuple(said["tie_breaks"]),
        )

    def _player_added(self, event: TournamentEvent) -> Tournament:
        number, name = event.fields["player"], " ".join(event.fields["name"].split())
        if number != len(self.players) + 1 or number > MOST_PLAYERS:
            raise UserError(tr("the next player has number {due}", due=len(self.players) + 1))
        if not name:
            raise UserError(tr("a player needs a name"))
        if any(it.name.casefold() == name.casefold() for it in self.players.values()):
            raise UserError(tr("'{name}' takes part already", name=name))
        if self.rounds and not self.is_swiss:
            raise UserError(tr("nobody can join a round robin that has begun"))
        if self.is_over and self.rounds:
            raise UserError(tr("'{name}' is over", name=self.name))
        rating = event.fields["rating"]
        if rating < 0:
            raise UserError(tr("a rating is 0 or more"))
        added = Participant(number, name, rating, len(self.rounds) + 1)
        return replace(self, players={**self.players, number: added})

    def _player(self, number: int) -> Participant:
        if number not in self.players:
            raise UserError(tr("no player has number {number}", number=number))
        return self.players[number]

    def _presence_changed(self, event: TournamentEvent) -> Tournament:
        player, comes = self._player(event.fields["player"]), event.kind == events.PLAYER_RETURNED
        if player.is_there and comes:
            raise UserError(tr("'{name}' takes part already", name=player.name))
        if not player.is_there and not comes:
            raise UserError(tr("'{name}' has left already", name=player.name))
        changed = player._replace(is_there=comes)
        return replace(self, players={**self.players, player.number: changed})

    def _bye_requested(self, event: TournamentEvent) -> Tournament:
        said = event.fields
        player, number = self._player(said["player"]), said["round"]
        if not self.is_swiss:
            raise UserError(tr("a round robin has no byes to ask for"))
        if not len(self.rounds) < number <= self.round_count:
            raise UserError(tr("round {number} is not to come", number=number))
        if said["points"] not in (LOSS, DRAW):
            raise UserError(tr("a bye that is asked for gives 0 or a half point"))
        return replace(self, byes={**self.byes, (player.number, number): said["points"]})

    def away(self, number: int) -> dict[int, int]:
        """Return who is not there for a round, with the half points that they have for it."""
        asked = {player: points for (player, at), points in self.byes.items() if at == number}
        left = {it.number: LOSS for it in self.players.values() if not it.is_there}
        return {**asked, **left} if self.is_swiss else {}

    def _round_paired(self, event: TournamentEvent) -> Tournament:
        said = event.fields
        number = said["round"]
        if number != len(self.rounds) + 1 or number > self.round_count:
            raise UserError(tr("round {number} is not the next one", number=number))
        if self.current is not None and not self.current.is_closed:
            raise UserError(tr("round {number} is not closed yet", number=self.current.number))
        boards = tuple(self._board_of(at, pair) for at, pair in enumerate(said["pairs"], 1))
        away = self.away(number)
        named = [player for it in boards for player in (it.white, it.black)]
        named += [said["bye"]] if said["bye"] else []
        if sorted([*named, *away]) != sorted(self.players) or not boards:
            raise UserError(tr("everybody who is there is paired once, or has the bye"))
        tables = [it.table for it in boards if it.table]
        if len(set(tables)) < len(tables):
            raise UserError(tr("two pairs cannot sit at one table"))
        return replace(self, rounds=(*self.rounds, Round(number, boards, said["bye"], away)))

    def _board_of(self, number: int, pair: object) -> Board:
        kinds = [type(it) for it in pair] if isinstance(pair, (list, tuple)) else []
        if kinds != [int, int, str] or not isinstance(pair, (list, tuple)):
            raise UserError(tr("a pair is two players and a table"))
        white, black, table = pair
        self._player(white)
        self._player(black)
        return Board(number, white, black, table)

    def _open_round(self, number: int) -> Round:
        """Return the round that is paired and not closed, which has to be this one."""
        if self.current is None or self.current.is_closed or self.current.number != number:
            raise UserError(tr("round {number} is not being played", number=number))
        return self.current

    def _with_round(self, changed: Round) -> Tournament:
        at = changed.number - 1
        return replace(self, rounds=(*self.rounds[:at], changed, *self.rounds[at + 1 :]))

    def _with_board(self, number: int, board: Board) -> Tournament:
        before = self.rounds[number - 1]
        boards = (*before.boards[: board.number - 1], board, *before.boards[board.number :])
        return self._with_round(replace(before, boards=boards))

    def _pairing_taken_back(self, event: TournamentEvent) -> Tournament:
        taken = self._open_round(event.fields["round"])
        _needs_reason(event.fields)
        if any(board.result for board in taken.boards):
            raise UserError(tr("round {number} has results already", number=taken.number))
        return replace(self, rounds=self.rounds[:-1])

    def _table_changed(self, event: TournamentEvent) -> Tournament:
        said = event.fields
        playing = self._open_round(said["round"])
        board = self._board(said)
        if said["table"] and any(
            it.table == said["table"] and it.number != board.number for it in playing.boards
        ):
            raise UserError(tr("two pairs cannot sit at one table"))
        return self._with_board(playing.number, board._replace(table=said["table"]))

    def _board(self, said: Mapping[str, Any]) -> Board:
        found = self.board(said["round"], said["board"])
        if found is None:
            raise UserError(
                tr("round {round} has no board {board}", round=said["round"], board=said["board"])
            )
        return found

    def _round_started(self, event: TournamentEvent) -> Tournament:
        playing = self._open_round(event.fields["round"])
        if playing.is_started:
            raise UserError(tr("round {number} has begun already", number=playing.number))
        return self._with_round(replace(playing, is_started=True))

    def _result(self, event: TournamentEvent) -> Tournament:
        said = event.fields
        playing = self._open_round(said["round"])
        board = self._board(said)
        if not playing.is_started:
            raise UserError(tr("round {number} has not begun", number=playing.number))
        goes_on = said["result"] == OPEN and board.game == said["game"]
        if not (goes_on or said["result"] in GAME_RESULTS) or not said["game"]:
            raise UserError(tr("'{result}' is no result of a game", result=said["result"]))
        if board.is_corrected or (board.result and board.game != said["game"]):
            raise UserError(tr("board {board} has a result already", board=board.number))
        scored = board._replace(result=said["result"], game="" if goes_on else said["game"])
        return self._with_board(playing.number, scored)

    def _corrected(self, event: TournamentEvent) -> Tournament:
        said = event.fields
        board = self._board(said)
        _needs_reason(said)
        after = said["result"]
        if after not in (*ENTRIES, OPEN):
            known = ", ".join(ENTRIES)
            raise UserError(tr("'{result}' is none of {known}", result=after, known=known))
        if after == OPEN and self.rounds[said["round"] - 1].is_closed:
            raise UserError(tr("a closed round has all results"))
        noted = Correction(
            event.at, event.by, said["round"], board.number, board.result, after, said["reason"]
        )
        scored = board._replace(result=after, is_corrected=after != OPEN, game="")
        changed = self._with_board(said["round"], scored)
        annulled = self.annulled | {board.game} if board.game else self.annulled
        return replace(changed, corrections=(*self.corrections, noted), annulled=annulled)

    def _round_closed(self, event: TournamentEvent) -> Tournament:
        playing = self._open_round(event.fields["round"])
        if not playing.is_complete:
            missing = ", ".join(str(it.number) for it in playing.boards if not it.result)
            raise UserError(tr("results are missing of board {missing}", missing=missing))
        return self._with_round(replace(playing, is_closed=True, is_started=True))


def _needs_reason(said: Mapping[str, Any]) -> None:
    if not said["reason"].strip():
        raise UserError(tr("a correction needs a reason"))


_CHANGES: Mapping[str, Callable[[Tournament, TournamentEvent], Tournament]] = {
    events.CREATED: Tournament._created,
    events.PLAYER_ADDED: Tournament._player_added,
    events.PLAYER_WITHDRAWN: Tournament._presence_changed,
    events.PLAYER_RETURNED: Tournament._presence_changed,
    events.BYE_REQUESTED: Tournament._bye_requested,
    events.ROUND_PAIRED: Tournament._round_paired,
    events.PAIRING_TAKEN_BACK: Tournament._pairing_taken_back,
    events.TABLE_CHANGED: Tournament._table_changed,
    events.ROUND_STARTED: Tournament._round_started,
    events.RESULT: Tournament._result,
    events.CORRECTED: Tournament._corrected,
    events.ROUND_CLOSED: Tournament._round_closed,
}


# ---- a log that is being written


class TournamentLog:
    """The events of a tournament, and what they come to."""

    def __init__(self, tournament: str, entries: Iterable[TournamentEvent] = ()) -> None:
        """Begin with events that are there already; raises UserError where they do not fit."""
        self.state = Tournament(tournament)
        self.entries: list[TournamentEvent] = []
        for entry in entries:
            self.take(entry)

    def take(self, entry: TournamentEvent) -> None:
        """Go on with an event; raises UserError where it does not fit, and changes nothing."""
        self.state = self.state.after(entry)
        self.entries.append(entry)

    def append(self, at: str, by: str, kind: str, **fields: Any) -> TournamentEvent:
        """Make the next event and go on with it; raises UserError where it does not fit."""
        entry = event(self.state.last + 1, at, by, kind, **fields)
        self.take(entry)
        return entry
