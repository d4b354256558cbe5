"""Hints in a game, for who asks: first which copy acts, asked again in that turn the whole turn.

Two rules: a hint is a sentence and a light, and forces nobody (`_ShownTurn`); and how far one was
given stands in the record of that turn, also if it was taken back and made anew. Who plays against
a program may ask; between people nobody may, unless they say otherwise.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable.lights import meanings
from chronotable.lights.hints import HINT_LEVELS
from chronotable.link.frames import LocalLinkError
from chronotable_host.archive.comments import hint_comment
from chronotable_host.engine.client import EngineError
from chronotable_host.engine.games import passed
from chronotable_host.engine.levels import rules_of
from chronotable_host.engine.thinkers import COPY, TURN, adviser
from chronotable_host.errors import UserError
from chronotable_host.language import kept_by_language, names, tr, tr_n
from chronotable_host.live.happenings import Happening, Joined, Notice, Started
from chronotable_host.live.players.person import Guest, Position, position_of
from chronotable_host.live.session import Press, Presses
from chronotable_host.live.texts.table_texts import plays_itself
from chronotable_host.rules.notation import ERAS, PLAYERS, format_turn
from chronotable_host.rules.turn_builder import offers_of
from chronotable_host.rules.turn_story import TurnStory, plan_of, story_of
from ttykm import layout
from ttykm.game import Game, winner
from ttykm.layout import NOBODY

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.session import Session

BOTH, NONE = "both", "none"
SIDES = (*PLAYERS, BOTH, NONE)
"""Who may ask for hints, as it is typed."""

HELD_MS = 1000
"""How long *action* is held for a hint."""

_ASKING = frozenset(
    (
        *(meanings.TODO_TAKE, meanings.TODO_PUT, meanings.PUT_WHITE, meanings.PUT_BLACK),
        *(meanings.CONFIRM_WHITE, meanings.CONFIRM_BLACK, meanings.PLANT, meanings.DIG),
        *(meanings.BUILD, meanings.TRAIN, meanings.COMMAND),
    )
)
"""Lights that ask hands to touch a sensor."""

_LIT_MINOR = 7  # of the protocol, from which on tables can light the copy of a hint


def parse_hints(sides: str) -> dict[int, bool]:
    """Return whether each side may ask, for one of SIDES; raises UserError."""
    if sides not in SIDES:
        known = ", ".join(SIDES)
        raise UserError(tr("'{name}': hints are for {known}", name=sides, known=known))
    return {side: sides in (player, BOTH) for side, player in enumerate(PLAYERS)}


def hint_view(game: Game, turn: int, step: int = TURN) -> dict[str, Any]:
    """Return a packed turn that is legal in the position as the page shows a hint.

    `copy` is the place 0..47 of the copy that acts; of the whole `turn`, behind the first `step`,
    there are path, dead and focus, why the focus goes there, and the lights that offer its actions.
    """
    shown = _turn_view(game.state.tobytes(), game.options, turn)
    copy = shown["path"][0] if shown["path"] else None
    whole = shown if step == TURN else None
    return {"step": step, "says": "", "thinking": False, "copy": copy, "turn": whole}


@kept_by_language(8)  # a page shows it many times a second
def _turn_view(position: bytes, options: int, turn: int) -> dict[str, Any]:
    game = Game()
    game.start(array("H", position), options)
    story = story_of(game.state, turn, options)
    died = [{"at": at, "look": PLAYERS[player]} for at, player in story.died]
    kinds = offers_of(game, turn)
    why = why_focus(game, turn)
    shown = {"path": [*story.path], "died": died, "focus": ERAS[story.focus], "kinds": kinds}
    return {**shown, "why": why}


def why_focus(game: Game, turn: int) -> str:
    """Return what it is good for that a packed turn, legal in the position, has its focus there."""
    mover, state = game.mover, array("H", game.state)
    game.after(turn, state)
    if winner(state) == mover:
        return tr("That wins, whichever era the focus goes to.")
    focus = layout.turn_focus(turn)
    other = next(
        era for era in range(len(ERAS)) if era not in (focus, layout.focus(game.state, mover))
    )
    here, there = names.ERAS[focus], names.ERAS[other]
    player = names.PLAYERS[mover]
    count, elsewhere = (state[3 * mover + era].bit_count() for era in (focus, other))
    if not count and elsewhere:
        return tr(
            "{player} has nobody there, and so need not act in the {era} next.",
            era=there,
            player=player,
        )
    if not count:
        return tr("{player} has nobody there, nor in the {era}.", era=there, player=player)
    rules = rules_of(state, game.options)
    if rules.can_win(rules.node(passed(state))):
        return tr("It is a threat: from the {era} the next turn could win.", era=here)
    if not elsewhere:
        return tr("{player} acts there next, having nobody in the {era}.", era=there, player=player)
    return tr_n(
        "{player} has {n} copy there to act next.",
        "{player} has {n} copies there to act next.",
        count,
        player=player,
    )


def why_wrong(game: Game, turn: int, answer: int | None) -> str:
    """Return what is wrong with a packed turn, legal in the position; "" where nobody knows.

    `answer` is the best one to it, if that is known: how it wins or kills comes before where the
    focus went.
    """
    mover = game.mover
    after = Game()
    after.start(game.state, game.options)
    after.apply(turn)
    if after.winner() != NOBODY:
        return ""
    says, is_worse, out = "", False, array("H", after.state)
    # who moves nobody does no harm; a record may have been written by anybody
    if answer and answer & 0xFFFF and after.after(answer, out):
        player = names.PLAYERS[1 - mover]
        plan = plan_of(after.state, answer, game.options)
        is_worse = winner(out) == 1 - mover
        if is_worse:
            says = tr("Then {player} wins: {plan}.", player=player, plan=plan)
        else:
            says = tr("Then {player} can {plan}.", player=player, plan=plan)
            died = story_of(after.state, answer, game.options).died
            is_worse = mover in (of for _, of in died)
    is_empty = not after.state[3 * mover + layout.turn_focus(turn)]
    return why_focus(game, turn) if is_empty and not is_worse else says


class _ShownTurn:
    """Shows a turn to hands which may make another one, as long as its position lasts.

    It is a hint, or the best turn. One rule: it forces nobody. The lights lead through it as they
    do through the turn of a player without hands; as soon as something else is touched than they
    ask for they stop, and what lies there counts as the hands' own turn.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: tuple[int, Position] | None = None  # with the position that it is for
        self._told_at = -1  # the snapshot after which it was told
        self._asked: frozenset[int] = frozenset()  # the sensors that it lights
        session.mirror.table.listeners.append(self._touch)

    @property
    def turn(self) -> int | None:
        """The turn that is shown, packed."""
        return None if self._shown is None else self._shown[0]

    def show(self, turn: int) -> None:
        """Show a turn of the position that the game is in."""
        game = self._session.mirror.game
        self._shown = turn, position_of(game)
        self._told_at = -1
        self._session.mirror.table.is_hinted = True

    def clear(self) -> None:
        """Show none any more."""
        was_shown, self._shown = self._shown is not None, None
        table = self._session.mirror.table
        table.is_hinted = False
        if was_shown and table.is_turn_wanted:
            with suppress(LocalLinkError):
                self._session.want(None)

    def step(self) -> None:
        """Have the table know what it is to show, also after it forgot it."""
        if self._shown is None:
            return
        mirror = self._session.mirror
        table, game = mirror.table, mirror.game
        turn, position = self._shown
        if position != position_of(game):
            self._shown = None  # it was made, or the table has let go of it with the position
            table.is_hinted = False
            return
        self._asked = frozenset(at for at, says in enumerate(table.leds) if says in _ASKING)
        is_due = self._session.link.connected and table.phase == "turn" and mirror.is_in_step
        if is_due and not table.is_turn_wanted and self._told_at != table.snapshots:
            with suppress(LocalLinkError):  # too much waits for the table: a moment later
                self._session.want(turn)
                self._told_at = table.snapshots

    def _touch(self, sensor: int, _closed: bool, _at_ms: int) -> None:
        is_lit = self._shown is not None and self._session.mirror.table.is_turn_wanted
        if is_lit and sensor < SENSORS and sensor not in self._asked:
            self.clear()


class Hinter:
    """Gives hints at a desk's table; `tell` hears them, else all at the desk do.

    In a lesson the tutor's are given. As long as it `is_free`, in an analysis, it shows whole turns
    at once, also to who presses *action*. `think` makes who thinks of the turns.
    """

    def __init__(
        self,
        desk: Desk,
        think: Callable[[], Thinker] = adviser,
        tell: Callable[[Happening], None] | None = None,
    ) -> None:
        session = desk.session
        self.is_free = False
        self._desk = desk
        self._session = session
        self._tell = tell or desk.tell
        self._think = think
        self._thinker: Thinker | None = None
        self._sides: dict[int, bool] = {}  # who may ask, where somebody said so
        self._position: Position | None = None  # that a hint was asked for
        self._asked = self._told = 0  # steps of the hint
        self._turn = 0  # of the hint, packed, once it is found, and what happens in it
        self._story: TurnStory | None = None
        self._is_thinking = False
        self._given: dict[Position, int] = {}  # of this game, taken back turns included
        self._lit: int | None = None  # the side to which the lights show one copy
        self._level = 0  # how much they said to it before
        self._shown = _ShownTurn(session)
        self._presses = Presses(session, self._press)
        session.mirror.recorder.remarks.append(self._remark)

    # ---- who may ask

    def choose(self, sides: str) -> None:
        """Have one of SIDES ask for hints, and nobody else; raises UserError."""
        self._sides = parse_hints(sides)

    def is_on(self, side: int) -> bool:
        """Tell whether a side may ask for hints; by itself who plays against a program."""
        if side in self._desk.seats.programs or self._plays_itself(side):
            return False
        if self.is_free:
            return True
        other = 1 - side
        is_program = other in self._desk.seats.programs or self._plays_itself(other)
        return self._sides.get(side, is_program)

    def sides(self) -> dict[str, bool]:
        """Return who may ask for hints, white first."""
        return {player: self.is_on(side) for side, player in enumerate(PLAYERS)}

    def _plays_itself(self, side: int) -> bool:
        return plays_itself(self._session.mirror.table.own_levels[side])

    # ---- what is asked for

    def ask(self, guest: int | None = None) -> None:
        """Give a hint, or the next step of it, to who is to move; raises UserError.

        `guest` is the side of the guest who asks; else somebody at the table does, or at its page.
        """
        tutor = self._desk.tutor
        if guest is None and tutor is not None and tutor.is_on:
            tutor.hint()
            return
        mover = self._session.mirror.game.mover
        is_guest = isinstance(self._desk.seats.thinkers.get(mover), Guest)
        if not self._is_at_turn() or is_guest != (guest is not None) or guest not in (None, mover):
            raise UserError(tr("there is no turn to be made here just now"))
        if not self.is_on(mover):
            raise UserError(
                tr(
                    "there are no hints for {player}: type `hints {side}`, or allow them in the "
                    "page's menu",
                    player=names.PLAYERS_WITHIN[mover],
                    side=PLAYERS[mover],
                )
            )
        self._look()
        self._asked = TURN if self.is_free else min(self._asked + 1, TURN)
        self._told = min(self._told, COPY)  # who has the whole turn hears it again
        if self._lit is None:
            self._level = self._session.mirror.table.hints[mover]

    def lead(self, turn: int) -> None:
        """Have the lights lead through a turn of the position, in the place of any hint."""
        self._look()
        self._asked = self._told = 0
        self._shown.clear()
        self._shown.show(turn)

    def _press(self, press: Press) -> None:
        """Give a hint for the *action* button that was held; in an analysis for any press of it."""
        mover = self._session.mirror.game.mover
        is_asked = self.is_free or (press.side == mover and press.held_ms >= HELD_MS)
        if press.name != "action" or not is_asked or mover in self._desk.seats.thinkers:
            return
        if self._lit is None and (self.is_free or self.is_on(mover)):
            self._presses.set_level(press.side, press.level)
        if press.mover == mover and self._is_at_turn() and self.is_on(mover):
            self.ask()
            if press.side == mover and self._lit is None:
                self._level = press.level

    def _is_at_turn(self) -> bool:
        mirror = self._session.mirror
        is_still = mirror.table.phase == "turn" and mirror.is_in_step
        return is_still and mirror.game.winner() == NOBODY and (mirror.is_played or self.is_free)

    # ---- what happens

    def hear(self, happening: Happening) -> None:
        """Take what a mirror tells."""
        if isinstance(happening, (Started, Joined)):
            self._given.clear()

    def step(self, _now_ms: int = 0) -> None:
        """Think, and show what was found."""
        self._look()
        self._shown.step()
        if self._asked == self._told:
            return
        try:
            story = self._find()
        except EngineError as error:
            self._asked = self._told
            self._forget_thoughts()
            self._tell(Notice(None, str(error)))
            return
        if story is not None:
            self._give(story)

    def _look(self) -> None:
        """Forget the hint of another position."""
        game = self._session.mirror.game
        position = position_of(game)
        if position == self._position:
            return
        self._position = position
        self._asked = self._told = 0
        self._story = None
        if self._is_thinking:
            self._forget_thoughts()
        self._unlight()  # the whole turn the table lets go of by itself

    def _find(self) -> TurnStory | None:
        """Return what the hint is about, None while that is thought about; raises EngineError."""
        game = self._session.mirror.game
        if self._story is None:
            if self._thinker is None:
                self._thinker = self._think()
            if not self._is_thinking:
                self._thinker.begin(game)
                self._is_thinking = True
            turn = self._thinker.poll()
            if turn is not None:
                self._is_thinking = False
                self._turn = turn
                self._story = story_of(game.state, turn, game.options)
        return self._story

    def _give(self, story: TurnStory) -> None:
        """Tell and light the step that was asked for; who has nobody to move gets the turn."""
        if not story.path:
            self._asked = TURN
        self._told = self._asked
        assert self._position is not None
        self._given[self._position] = max(self._told, self._given.get(self._position, 0))
        self._tell(Notice(None, self.says))
        mover = self._session.mirror.game.mover
        if mover in self._desk.seats.thinkers:
            return  # who chooses turns sees no lights
        if self._told == TURN:
            self._unlight()
            self._shown.show(self._turn)
        elif self._knows_copies():
            self._lit = mover
            self._presses.set_level(mover, HINT_LEVELS + story.path[0])

    def _knows_copies(self) -> bool:
        """Tell whether the table can light one copy."""
        peer = self._session.mirror.table.peer
        return peer is not None and peer.minor >= _LIT_MINOR

    def _unlight(self) -> None:
        """Have the lights of the side that was shown a copy say as much as before."""
        if self._lit is not None:
            self._presses.set_level(self._lit, self._level)
            self._lit = None

    def _forget_thoughts(self) -> None:
        if self._thinker is not None:
            self._thinker.close()
        self._thinker = None
        self._is_thinking = False

    def close(self) -> None:
        """Think no more, and light nothing any more."""
        self._unlight()
        self._shown.clear()
        self._forget_thoughts()

    # ---- what is told

    @property
    def lit(self) -> int | None:
        """The whole turn that the lights show, packed, None for none."""
        return self._shown.turn if self._session.mirror.table.is_turn_wanted else None

    @property
    def says(self) -> str:
        """What was told last of this position, "" for nothing."""
        story = self._story
        if story is None or not self._told:
            return ""
        if self._told == COPY:
            place = names.place(sensor_name(story.path[0]))
            return tr("Hint: the copy on {place} is the one to choose.", place=place)
        turn, did = format_turn(self._turn), names.within(story.says)
        why = why_focus(self._session.mirror.game, self._turn)
        return tr("Hint: {turn} ({did}). {why}", turn=turn, did=did, why=why)

    def view(self) -> dict[str, Any] | None:
        """Return the hint as the page shows it; None where who is to move may ask for none.

        `step` is how far it was given, 0 where it was not yet, and `says` what was told; it is
        `thinking` about what was asked for. The rest is that of `hint_view`.
        """
        if not self.is_on(self._session.mirror.game.mover) or not self._is_at_turn():
            return None
        thinking = self._asked != self._told
        if self._story is None or not self._told:
            return {"step": 0, "says": "", "thinking": thinking, "copy": None, "turn": None}
        hint = hint_view(self._session.mirror.game, self._turn, self._told)
        return {**hint, "says": self.says, "thinking": thinking}

    def _remark(self) -> str:
        """Return what the record says of the turn that is written."""
        game = self._session.mirror.game
        before = game.past[-len(game.state) :]
        return hint_comment(self._given.get((len(game.turns) - 1, before.tobytes()), 0))
