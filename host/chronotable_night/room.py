"""A room: its people, the game that they choose, and what becomes of what they ask for.

Pure: chance and tokens are arguments, nothing is sent. Whoever asks is a seat, or the SPECTATOR
of the big screen. What cannot be done is a UserError with one sentence, and has changed nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from chronotable_host.errors import UserError, why_failed
from chronotable_host.language import tr
from chronotable_night.boxes import Boxes
from chronotable_night.games.bots import BOTS
from chronotable_night.games.interface import SPECTATOR, Game, Kind, State
from chronotable_night.games.shelf import defaults, option_value
from chronotable_night.people import People, Seat
from chronotable_night.play import ActionLog, Play

LOBBY, PLAY, OVER = "lobby", "play", "over"
"""The phases of a room."""

_MOST_NOTICES = 10


class Journal(ActionLog, Protocol):
    """Where a game is kept while it goes on; each raises OSError where it cannot be."""

    def begin(self, room: "NightRoom") -> None:
        """Begin to keep a game."""

    def people(self, people: People) -> None:
        """Keep who sits where by now."""

    def back(self, actions: int) -> None:
        """Keep that only so many actions count."""

    def end(self, room: "NightRoom", play: Play) -> None:
        """Put the game, which is over, with the others."""


@dataclass
class TakeBack:
    """Somebody's wish to go back to before the own last action, and who agrees."""

    by: int
    agreed: set[int] = field(default_factory=set)


class ChosenGame(NamedTuple):
    """The game that is played next, or now, its owner's data or None, and a note on its data."""

    kind: Kind
    data: Mapping[str, Any] | None
    game: Game
    note: str


class BotDue(NamedTuple):
    """A bot that is to decide: what it may know, the moment of that, and of which game it is."""

    seat: int
    bot: str
    view: State
    moment: int
    game: str
    data: Mapping[str, Any] | None


class NightRoom:
    """One room, where one game is played after the other, by the same people.

    `shelf` are the games that may be chosen, by their names, `boxes` what their owner has of them.
    None is `chosen` at first. People who are too many for a game have the last seats: they look
    on, and are the first in the next one. `here` are the seats whose phone is connected.
    `new_token` makes secrets, `new_seed` the seeds of games. `notices` are the latest of what
    became of the room, for all to read once, numbered from 1; `at_table` is what hands are to do
    at the table of lights. The seats that are `knowing` need no introduction to the game.
    """

    def __init__(
        self,
        shelf: Mapping[str, Kind],
        boxes: Boxes,
        journal: Journal,
        new_token: Callable[[], str],
        new_seed: Callable[[], int],
        players: int | None = None,
    ) -> None:
        self.shelf = shelf
        self.boxes = boxes
        self.chosen: ChosenGame | None = None
        self.options: dict[str, Any] = {}
        self.people = People(players or max(each.players[-1] for each in shelf.values()))
        self.play: Play | None = None
        self.here: set[int] = set()
        self.take_back: TakeBack | None = None
        self.remarks = True
        self.notices: list[tuple[int, str]] = []
        self.at_table = ""
        self.knowing: set[int] = set()
        self.seed = 0
        self._wanted = players
        self._looked_on: set[str] = set()  # the tokens of those who looked on at the last game
        self._journal = journal
        self._new_token = new_token
        self._new_seed = new_seed

    @property
    def phase(self) -> str:
        """Return LOBBY, PLAY or OVER."""
        return LOBBY if self.play is None else OVER if self.play.is_over else PLAY

    # ---- which game

    @property
    def kind(self) -> Kind:
        """Return the game as it comes from its box; raises UserError where none is chosen."""
        return self._choice().kind

    @property
    def data(self) -> Mapping[str, Any] | None:
        """Return its owner's data, None if it has none."""
        return self._choice().data

    @property
    def game(self) -> Game:
        """Return the game with its data."""
        return self._choice().game

    @property
    def note(self) -> str:
        """Return what players should know of that data, "" if nothing."""
        return self._choice().note

    @property
    def least(self) -> int:
        """Return how many have to play."""
        return self._fitting(self.kind)[0]

    @property
    def most(self) -> int:
        """Return how many can play."""
        return self._fitting(self.kind)[1]

    def choose(self, name: str) -> None:
        """Choose what is played next, by the same people; also when a game is over."""
        if self.phase == PLAY:
            raise UserError(tr("the game goes on; choose another one when it is over"))
        kind = self.on_shelf(name)
        if self.phase == OVER:
            self.again()
        if self.chosen is None or self.chosen.kind is not kind:
            self.chosen = self._opened(kind)
            self.options = defaults(kind.options)
        self._rearrange(self._seat_all)
        self._changed()

    def on_shelf(self, name: str) -> Kind:
        """Return a game; raises UserError for one that there is not."""
        if name not in self.shelf:
            games = ", ".join(self.shelf)
            raise UserError(tr("there is no such game; there are {names}", names=games))
        return self.shelf[name]

    def open_box(self) -> None:
        """Have the game that is played next be that of its box as it is by now."""
        if self.chosen is not None and self.phase == LOBBY:
            self.chosen = self._opened(self.chosen.kind)

    def _opened(self, kind: Kind) -> ChosenGame:
        data, note = self.boxes.opened(kind)
        game = kind.game(data)
        return ChosenGame(kind, data, game, note or game.data_note)

    def _seat_all(self) -> None:
        """Have as many seats as can play; where there are more people who looked on come first."""
        self.people.resize(self.most)
        if len(self.people) > self.most:
            self.people.seats.sort(key=lambda each: each.token not in self._looked_on)

    def plays(self, seat: int) -> bool:
        """Tell whether a seat is one of the game, or of somebody who looks on."""
        if self.play is not None:
            return seat < self.play.players
        return self.chosen is None or seat < self.most

    def _fitting(self, kind: Kind) -> tuple[int, int]:
        """Return how many play a game at least and at most: as many as are wanted if that fits."""
        if self._wanted is not None and self._wanted in kind.players:
            return self._wanted, self._wanted
        return kind.players[0], kind.players[-1]

    def _choice(self) -> ChosenGame:
        if self.chosen is None:
            raise UserError(tr("choose a game first"))
        return self.chosen

    # ---- before the game

    def join(self, name: str) -> str:
        """Seat somebody who comes; return the token of the seat.

        In a game a bot hands its seat and its cards over; a person's seat is the person's. Where
        all have one, or the game is over, who comes looks on and plays the next.
        """
        seat = None if self.phase == OVER else self.people.free() or self.people.of_a_bot()
        seat = seat or self.people.one_more()
        before, name = seat.name, self.people.good_name(name, seat)
        seat.empty()
        seat.name, seat.token = name, self._new_token()
        self._changed()
        if before and self.play is not None:
            self.play.hand_over(self.people.seats.index(seat))
        if before:
            self._tell(tr("{name} plays on for {bot}.", name=seat.name, bot=before))
        return seat.token

    def rename(self, by: int, name: str) -> None:
        """Give a person another name."""
        seat = self._seated(by)
        seat.name = self.people.good_name(name, seat)
        self._changed()

    def sit(self, by: int, to: int) -> None:
        """Have a person change to a free seat: seats play in their order.

        Who plays and who looks on change places, too.
        """
        self._only_in_lobby()
        self._seated(by)
        if not self.people.numbered(to).is_free and self.plays(by) == self.plays(to):
            raise UserError(tr("this seat is taken"))
        seats = self.people.seats

        def swap() -> None:
            seats[by], seats[to] = seats[to], seats[by]

        self._rearrange(swap)
        self._changed()

    def leave(self, by: int) -> None:
        """Have a person go before the game begins."""
        seat = self._seated(by)
        if not self.plays(by):
            self._rearrange(lambda: self.people.seats.remove(seat))
            self._changed()
            return
        if self.phase == PLAY:
            raise UserError(tr("the game goes on; give your seat to a bot or to another phone"))
        seat.empty()
        self.here.discard(by)
        self._changed()

    def set_option(self, name: str, value: Any) -> None:
        """Choose a value of an option of the game."""
        self._only_in_lobby()
        self.options[name] = option_value(self.kind.options, name, value)
        self._changed()

    def set_remarks(self, on: bool) -> None:
        """Have decisions explained to those who make them first, or not."""
        self.remarks = on

    def start(self) -> None:
        """Begin the game with those who sit here."""
        self._only_in_lobby()
        players = sum(not each.is_free for each in self.people)
        if players < self.least:
            raise UserError(tr("this game needs {least} players", least=self.least))
        self.open_box()
        self._rearrange(self.people.seat_only_players)
        self.knowing.clear()
        self._begin(self._new_seed(), min(len(self.people), self.most))
        try:
            self._journal.begin(self)
        except OSError:
            self.play = None
            self.people.resize(self.most)
            raise

    def skip_minute(self, by: int) -> None:
        """Have the big screen tell no more of the game in one minute, if nobody wants it."""
        self._seated(by)
        self.knowing.add(by)

    def knows(self, seat: int) -> bool:
        """Tell whether a seat needs no introduction, or of the SPECTATOR whether all say so.

        All are those whose phone is here; who is asked already ends it by the answer.
        """
        if seat != SPECTATOR or not self.knowing:
            return seat in self.knowing
        asked = () if self.play is None else self.play.deciding()
        return all(not self.plays(each) or each in asked for each in self.here - self.knowing)

    def _rearrange(self, change: Callable[[], None]) -> None:
        """Have people sit otherwise; whose phone is here stays so."""
        here = {self.people[seat].token for seat in self.here}
        change()
        self.here = {seat for seat, each in enumerate(self.people) if each.token in here}

    def again(self) -> None:
        """Go back to the lobby with the same people, after a game."""
        if self.phase != OVER:
            raise UserError(tr("this game is not over yet"))
        self._looked_on = {
            each.token for number, each in enumerate(self.people) if not self.plays(number)
        }
        self.play = self.take_back = None
        self._rearrange(self._seat_all)

    def resume(
        self,
        data: Mapping[str, Any] | None,
        people: Sequence[dict[str, Any]],
        players: int,
        seed: int,
        actions: Sequence[tuple[int, str]],
        sealed: Mapping[int, tuple[str, int]],
    ) -> None:
        """Go on with a game that was on disk; raises UserError where its actions are illegal.

        `data` is what it is played with, whatever the box has by now; `sealed` are the answers that
        wait, by seat, each with the number of actions before it.
        """
        game = self.kind.game(data)
        self.chosen = ChosenGame(self.kind, data, game, game.data_note)
        self.people.keep(people)
        play = self._begin(seed, players)
        play.resume(actions, sealed)
        if play.is_over:
            self._end(play)

    def _begin(self, seed: int, players: int) -> Play:
        self.seed = seed
        state = self.game.new(seed, players, self.options)
        self.play = Play(self.game, state, players, self._journal)
        return self.play

    # ---- seats that change hands

    def give_to_bot(self, by: int, seat: int, bot: str | None) -> None:
        """Have a bot play a seat, or nobody, or its person again, with None.

        In a game anybody may have a bot play for who is not here; a person's seat is the person's.
        """
        given = self.people.numbered(seat)
        if bot is not None and bot not in BOTS:
            raise UserError(tr("there is no such bot; there are {names}", names=", ".join(BOTS)))
        if given.token and by != seat and seat in self.here:
            raise UserError(tr("{name} sits there", name=given.name))
        if self.phase == LOBBY:
            given.empty()
            if bot is not None:
                given.name, given.bot = self.people.bots_name(), bot
            self._changed()
            return
        if bot is None and not given.bot:
            raise UserError(tr("no bot sits there"))
        if bot is None and not given.token:
            raise UserError(tr("nobody else has this seat; ask for a link to it"))
        given.bot = bot or ""
        if self.play is not None:
            self.play.hand_over(seat)
        self._changed()
        self._tell(
            tr("A bot plays for {name}.", name=given.name)
            if bot
            else tr("{name} plays again.", name=given.name)
        )

    def hand_over(self, by: int, seat: int) -> str:
        """Return a new token for a seat; the old one leads nowhere any more.

        For oneself, and by anybody for who is not here: all are told.
        """
        given = self.people.numbered(seat)
        if given.is_free:
            raise UserError(tr("this seat is free; join the room to have it"))
        if by != seat and seat in self.here:
            raise UserError(tr("{name} sits there", name=given.name))
        given.token, given.bot = self._new_token(), ""
        self.here.discard(seat)
        self._changed()
        self._tell(tr("{name}'s seat has a new link; the old one has ended.", name=given.name))
        return given.token

    def note_here(self, seat: int, is_here: bool) -> None:
        """Note whether the phone of a seat is connected."""
        (self.here.add if is_here else self.here.discard)(seat)

    # ---- in the game

    def act(self, by: int, action: str, moment: int) -> None:
        """Play a seat's action, or keep it until it is due; see `Play.act`. Raises OSError, too."""
        play = self._playing()
        self._seated(by)
        play.act(by, action, moment)
        self.take_back = None
        if play.is_over:
            self._end(play)

    def _end(self, play: Play) -> None:
        outcome = self.game.outcome(play.state)
        for winner in () if outcome is None else outcome.winners:
            self.people[winner].wins += 1
        try:
            self._journal.end(self, play)
        except OSError as error:  # it is over all the same; `--resume` puts it there later
            self._tell(tr("The game could not be kept: {why}", why=why_failed(error)))

    def let_pass(self, by: int, on: bool) -> None:
        """Have a seat let pass what it may, from now on, or be asked again."""
        play = self._playing()
        self._seated(by)
        play.let_pass(by, on)
        if play.is_over:
            self._end(play)

    def unseal(self, by: int) -> None:
        """Take a sealed answer back, which nobody has seen."""
        play = self._playing()
        self._seated(by)
        play.unseal(by)

    def may_take_back(self, seat: int) -> bool:
        """Tell whether a seat may ask for its last action back."""
        return self.phase == PLAY and self._playing().may_take_back(seat)

    def ask_back(self, by: int) -> None:
        """Ask all others for one's last action back."""
        play = self._playing()
        self._seated(by)
        if not play.may_take_back(by):
            raise UserError(
                tr("only your own last action is taken back, and only if it revealed nothing")
            )
        self.take_back = TakeBack(by, {by})
        self._take_back_if_all_agree()

    def agree(self, by: int) -> None:
        """Agree to what somebody wants to take back."""
        self._asked(by).agreed.add(by)
        self._take_back_if_all_agree()

    def refuse(self, by: int) -> None:
        """Have something stay as it was played."""
        self._asked(by)
        self.take_back = None

    def explained(self, by: int, kind: str) -> None:
        """Note that a kind of decision was explained to a seat."""
        told = self._seated(by).told
        if len(told) < 100:
            told.add(self._told_as(kind))

    def is_explained(self, to: int, kind: str) -> bool:
        """Tell whether a kind of decision needs no explanation to a seat."""
        return not self.remarks or self._told_as(kind) in self.people[to].told

    def _told_as(self, kind: str) -> str:
        return f"{self.kind.name} {kind}"

    def bots_due(self) -> list[BotDue]:
        """Return the bots that are to decide now: one, or none."""
        if self.phase != PLAY or self.take_back is not None:
            return []
        play = self._playing()
        seat = self.game.to_decide(play.state)
        bot = self.people[seat].bot
        view = self.game.view(play.state, seat)
        due = BotDue(seat, bot, view, play.moment, self.kind.name, self.data)
        return [due] if bot else []

    def waits_for(self) -> str:
        """Return whom the game waits for though their phone is not here, in a sentence; or ""."""
        if self.phase != PLAY:
            return ""
        play = self._playing()
        for seat in play.deciding():
            person = self.people[seat]
            if not person.bot and seat not in self.here and seat not in play.sealed:
                return tr("The table waits for {name}'s phone.", name=person.name)
        return ""

    def _asked(self, by: int) -> TakeBack:
        self._playing()
        self._seated(by)
        if self.take_back is None:
            raise UserError(tr("nobody wants to take anything back"))
        return self.take_back

    def _take_back_if_all_agree(self) -> None:
        wish = self.take_back
        people = {
            seat for seat, each in enumerate(self.people) if self.plays(seat) and not each.bot
        }
        if wish is None or not people <= wish.agreed:
            return
        play = self._playing()
        self._journal.back(len(play.steps) - 1)
        play.take_back()
        self.take_back = None
        self._tell(tr("{name} has taken an action back.", name=self.people[wish.by].name))

    # ---- who and when

    def _only_in_lobby(self) -> None:
        if self.phase != LOBBY:
            raise UserError(tr("the game has begun already"))

    def _playing(self) -> Play:
        if self.play is None:
            raise UserError(tr("the game has not begun yet"))
        return self.play

    def _seated(self, by: int) -> Seat:
        if by == SPECTATOR:
            raise UserError(tr("only who has a seat can do this"))
        return self.people[by]

    def _tell(self, notice: str) -> None:
        """Have each page tell something once: what is asked for next does not hide it."""
        number = self.notices[-1][0] + 1 if self.notices else 1
        self.notices = [*self.notices, (number, notice)][-_MOST_NOTICES:]

    def _changed(self) -> None:
        if self.play is not None and not self.play.is_over:
            self._journal.people(self.people)
