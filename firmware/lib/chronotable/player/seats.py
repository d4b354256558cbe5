"""Who plays the sides: hands, the table itself in one of three levels, or somebody elsewhere.

The table loads this when somebody asks for it, with the *undo* button before a game or over the
link, and lets it go once hands play both sides again. The table's turns are wanted ones
(wanting.py): the lights ask the hands for them. It thinks a little in each round of the loop.
A side is played elsewhere as long as the session of the PC that says so goes on.
"""

from chronotable.core.progress import OVER, QUESTION, TURN
from chronotable.core.tracker import BOTH_OFFER, NONE_OF_THESE
from chronotable.core.wanting import want
from chronotable.hardware.sensors import FOCUS, SENSORS, SHARED
from chronotable.journal.units import SEATS
from chronotable.lights.hints import HINTS_OFF
from chronotable.lights.meanings import CONFIRM_WHITE, OFF, THINKING, WHOSE_TURN
from ttykm.mp import const

if False:
    from chronotable.journal.journal import Journal
    from chronotable.lights.hints import Hints
    from chronotable.link.link import Link
    from chronotable.player.search import Search
    from chronotable.player.search_modules import ModuleSearch

HANDS = const(0)
EASY = const(1)
MEDIUM = const(2)
STRONG = const(3)
ELSEWHERE = const(4)  # by somebody whose turns the PC tells; the journal has HANDS for it

_OWN = const(3)  # the bits of a level that are the table's own player

LEVELS = ((0, 0, 0), (40, 1, 165), (120, 2, 130), (1900, 7, 0))
"""By level: at how many positions to look, how deep, and the chance in 256 to overlook things."""

_OFFER = bytes((BOTH_OFFER, 2, 1, BOTH_OFFER))  # with the button, by who has no hands here
_SHOWN_MS = const(2000)
_REST_MS = const(4)  # of the loop between rounds, and while it thinks
_THINKING_MS = const(1)
_WORSE = const(60)  # by so much twice, for a draw: a start with the focus elsewhere is no reason
_PAUSE_MS = const(400)  # without thoughts behind what hands did last
_LOAD_MS = const(1000)  # of rest, then what thinks is loaded before its turn: half a second
_AT_ONCE = const(10)  # positions in a round, some 11 ms; the rest of the round takes 10


class Seats:
    """Has sides played without hands; `levels` says by side how, as HANDS or EASY.

    `rest_ms` is how long the loop may rest between two rounds, `modules` are those that nobody
    needs without this.
    """

    modules = (
        "chronotable.player.seats chronotable.player.search chronotable.player.search_modules"
        " chronotable.player.evaluation chronotable.player.weights chronotable.player.advantage"
        " chronotable.core.wanting chronotable.core.wanted"
    )

    def __init__(self, hints: "Hints", journal: "Journal", link: "Link") -> None:
        self.levels = bytearray(2)
        self.rest_ms = _REST_MS
        self._track = hints.tracker
        self._hints = hints
        self._journal = journal
        self._link = link
        self._saved = bytearray(2)  # the hint levels of sides that hands do not play
        self._session = 0  # of the PC, when it said last that a side is played elsewhere
        self._offers = 0  # of a draw, as the PC was told
        self._search: Search | ModuleSearch | None = None
        self._for = -1  # how many turns there were when it began to think
        self._turns = 0
        self._written = 0
        self._shown = -1  # whose level is shown
        self._shown_ms = 0

    @property
    def packed(self) -> int:
        """Both levels, as the journal has them."""
        return self.levels[0] & _OWN | (self.levels[1] & _OWN) << 2

    @property
    def is_idle(self) -> bool:
        """Whether hands play both sides, and nothing is left to be done here."""
        return not any(self.levels) and self._shown < 0 and not self._written

    # ---- who plays

    def press(self, name: str, side: int, now_ms: int) -> None:
        """Take a player's *undo* button: before a game's first turn and behind it the next level
        plays, but not where that turn was taken back.

        In a game, while the other side is the table's, that is this player's last decision.
        """
        track = self._track
        game = track.game
        if name != "undo":
            return
        if not track.has_begun or track.phase == OVER:
            self.seat(side, (self.levels[side] + 1) % len(LEVELS))
            self._shown = side
            self._shown_ms = now_ms
        elif self.levels[game.mover] & _OWN and not self.levels[side]:
            track.undo(SHARED)

    def seat(self, side: int, level: int) -> None:
        """Have a side played by a level, or by hands.

        Whose hands decide for one side alone offer that side's draws.
        """
        hints, levels = self._hints.levels, self.levels
        is_own = (level | levels[side]) & _OWN
        if level and not levels[side]:
            self._saved[side] = hints[side]
            hints[side] = HINTS_OFF
        elif levels[side] and not level:
            hints[side] = self._saved[side]
        levels[side] = level
        self._track.hands = _OFFER[(levels[0] > 0) + 2 * (levels[1] > 0)]
        self._session = self._link.hello.session
        if is_own:
            self._for = -1
            self._track.want_nothing()
        self._tell()

    def _tell(self) -> None:
        """Tell the PC who plays, and who offers a draw."""
        self._offers = offers = self._track.turn.offers
        white, black = self.levels
        self._link.send("seats", white=white | (offers & 1) << 3, black=black | offers >> 1 << 3)

    def resume(self, packed: int) -> None:
        """Have the sides of the game that goes on after a power cut played as before."""
        self._written = packed
        for side in range(2):
            self.seat(side, packed >> 2 * side & 3)

    def paint(self, leds: bytearray) -> None:
        """Show that the side to move is thought for, at its marker.

        For a moment show who plays a side instead: so many of its three focus spots are lit.
        """
        track = self._track
        side = self._shown
        if side >= 0:
            for spot in range(3):
                is_lit = spot < self.levels[side] & _OWN
                leds[FOCUS + 3 * side + spot] = CONFIRM_WHITE + side if is_lit else OFF
        elif track.phase == TURN and track.wanted is None and self.levels[track.game.mover]:
            for spot in range(FOCUS, SENSORS):
                if leds[spot] in WHOSE_TURN:
                    leds[spot] = THINKING

    # ---- what is due

    def step(self, now_ms: int, game_id: int) -> bool:
        """Do what is due, or think for a moment; return whether anything has changed."""
        self.rest_ms = _REST_MS
        link = self._link
        if not link.connected or self._session != link.hello.session:
            if self._leave_elsewhere():
                return True
        track = self._track
        game = track.game
        rested_ms = now_ms - (self._shown_ms if self._shown >= 0 else track.turn.since_ms)
        if rested_ms >= _LOAD_MS and track.phase == TURN and self.packed:
            self._load()
        if self._shown >= 0:
            if rested_ms < _SHOWN_MS:
                return False
            self._shown = -1
            return True
        count = len(game.turns)
        is_own = self.levels[game.mover] & _OWN
        if count < self._turns and is_own and not self.levels[1 - game.mover] and count:
            self._turns = count - 1
            return track.undo(SHARED)  # its turn was taken back: the hands' own one before it, too
        self._turns = count
        if count and self._written != self.packed:
            self._written = self.packed
            self._journal.add(SEATS, bytes((self._written, 0, 0)), now_ms)
        if not count:
            self._written = 0  # of a game that begins nothing is written yet
        if track.turn.offers and track.phase not in (OVER, QUESTION) and self.packed:
            self._answer(now_ms)
        if track.turn.offers != self._offers:
            self._tell()
        if track.phase != TURN or track.wanted is not None or not is_own or track.turn.won >= 0:
            return False
        return self._think(now_ms, count, game_id)

    def _leave_elsewhere(self) -> bool:
        """Have hands play what a PC that is gone said is played elsewhere; tell whether it did."""
        was_any = False
        for side in range(2):
            if self.levels[side] == ELSEWHERE:
                self.seat(side, HANDS)
                was_any = True
        return was_any

    def _answer(self, now_ms: int) -> None:
        """Agree to a draw where the side that the table plays has less than the other."""
        from chronotable.player.advantage import advantage

        track = self._track
        side = 0 if self.levels[0] & _OWN else 1
        if advantage(track.game.state, side) < -_WORSE:
            track.offer_draw(side)
        else:
            track.answer(NONE_OF_THESE, now_ms)

    def _think(self, now_ms: int, count: int, game_id: int) -> bool:
        """Think about the turn of the side to move; return True once it is wanted."""
        game = self._track.game
        search = self._load()
        if self._for != count:
            seed = (game_id ^ 7919 * count) & 0xFFFFF
            search.begin(game, seed, LEVELS[self.levels[game.mover]])
            self._for = count
        if now_ms - self._track.turn.since_ms < _PAUSE_MS:
            return False  # hands are at the table: the lights first
        self.rest_ms = _THINKING_MS
        turn = -1
        until = search.looked + (0 if search.knows_modules else _AT_ONCE)
        while turn < 0:
            turn = search.step()
            if search.looked >= until:
                break
        if turn < 0:
            return False
        self._for = -1
        return self._want(turn)

    def _load(self) -> "Search | ModuleSearch":
        """Return a search of the kind that the game needs: the one that there is, or a new one."""
        has_modules = len(self._track.game.state) > 7
        search = self._search
        if search is not None and search.knows_modules == has_modules:
            return search
        self._search = None  # its memory first
        if has_modules:
            from chronotable.player.search_modules import ModuleSearch

            search = ModuleSearch()
        else:
            from chronotable.player.search import Search

            search = Search()
        self._search = search
        self._for = -1
        return search

    def _want(self, turn: int) -> bool:
        """Have the hands carry out a turn; another legal one where it is none after all."""
        if want(self._track, turn):
            return True
        for other in self._track.game.legal_turns():
            if want(self._track, other):
                return True
        return False
