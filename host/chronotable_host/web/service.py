"""What the page may ask for, and who does it: what can be wanted at any table, and of this page.

One rule: everything is checked before anything is done, and refused with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from chronotable.hardware.sensors import BUTTONS, SENSORS
from chronotable.link.frames import LocalLinkError
from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.engine.analysis import LEAST_LEVEL
from chronotable_host.engine.levels import LEVELS
from chronotable_host.errors import UserError
from chronotable_host.fields import Fields, RequestField, one_of, short_text, whole_number, word
from chronotable_host.language import speaking, tr
from chronotable_host.learning.puzzles.puzzle import PuzzleBox
from chronotable_host.learning.puzzles.standing import Tries
from chronotable_host.learning.puzzles.trial import ON, SOLVED
from chronotable_host.live.wishes import (
    AT_TABLE,
    GAME,
    HERE,
    MOST_TURNS,
    NAME,
    PUZZLE_NO,
    SIDE,
    WISHES,
    Wish,
    guest_fields,
)
from chronotable_host.rules.notation import parse_player
from chronotable_host.web.hand import PageHand
from chronotable_host.web.study.games import vary
from chronotable_host.web.study.judging import Judging
from chronotable_host.web.study.puzzles import judge

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.players.negotiation import Asker
    from chronotable_host.web.http.requests import Commands, Request

_MOST_LINE_TURNS = 100
_MOST_LINE = 33 * _MOST_LINE_TURNS
_TURN = re.compile(r"[A-Za-z0-9:* ]{0,24}>[a-z]{4,7}")


class Doors(Protocol):
    """From where guests come in: `http/server.py` has a server's."""

    def view(self) -> dict[str, Any]:
        """Return what the page shows."""

    def switch(self) -> None:
        """Have links begin with the next address; raises UserError."""

    def open(self) -> None:
        """Let others in the network in; raises UserError."""

    def shut(self) -> None:
        """Let nobody else in any more; raises UserError."""


class Service:
    """Does what a page can want besides: with a hand, in the archive, of the server.

    `hand` is None where a real table is mirrored; `reach` says where guests' links lead, once the
    page is served.
    """

    def __init__(self, desk: Desk, archive: Path | None, hand: PageHand | None) -> None:
        self.desk = desk
        self.archive = archive
        self.hand = hand
        self.judging = Judging(archive)
        self.reach: Doors | None = None
        self.is_at_boards = False
        """Whether who has control of the page sees its boards."""

    def obey(self, request: Request) -> None:
        """Do what is asked for, and answer."""
        obey(self.desk, request, None, self)

    @property
    def reached(self) -> Doors:
        """Where guests' links lead; raises UserError."""
        if self.reach is None:
            raise UserError(tr("the page is not served"))
        return self.reach

    @property
    def hands(self) -> PageHand:
        """The hand; raises UserError."""
        if self.hand is None:
            raise UserError(tr("there is nothing to be moved here: the pieces lie on the table"))
        return self.hand


def obey(desk: Desk, request: Request, by: Asker, service: Service | None = None) -> None:
    """Do what somebody asks for, who may, and answer."""
    wish = WISHES.get(request.do)
    try:
        if wish is not None:
            wish.grant(desk, by, request.values)
        else:
            OF_PAGE[request.do].does(service, by, **request.values)
    except (UserError, LocalLinkError) as error:
        with speaking(request.language):
            request.refuse(str(error))
    else:
        request.accept()


def _tried(page: Service, _by: Asker, number: int, player: str, turns: str, hinted: int) -> None:
    """Keep how a try on the page ended, at a puzzle that the table has nothing to do with."""
    folder = Archive(page.archive).folder
    puzzle = PuzzleBox(folder).get(number)
    verdict = judge(puzzle, turns).verdict
    if verdict == ON and not hinted:
        raise UserError(tr("this puzzle is neither solved nor missed yet"))
    Tries(folder).note(player, puzzle, verdict == SOLVED and not hinted, bool(hinted))


def _judge(page: Service, _by: Asker, game: str, level: int) -> None:
    file = page.desk.mirror.file
    is_on = file is not None and file.record.headers["Result"] == "*"
    if file is not None and is_on and game in (file.id, file.path.stem):
        raise UserError(tr("this game is still being played; it is analysed when it is over"))
    page.judging.begin(game, level)


def _press(page: Service, by: Asker, button: str, side: str) -> None:
    """Press a button; where somebody who is not at the table has a say, ask them instead."""
    page.hands.check_answer(button)
    if button in WISHES and page.desk.negotiation.is_with_others:
        wish = WISHES[button]
        wish.grant(page.desk, by, {"side": side} if wish.fields else {})
    else:
        page.hands.top.table.press(button, parse_player(side))


def _watch(page: Service, _by: Asker, boards: int) -> None:
    page.is_at_boards = bool(boards)


def _clumsy(page: Service, _by: Asker, percent: int) -> None:
    page.hands.top.clumsy = percent / 100


def _vary(is_kept: bool) -> Callable[..., None]:
    def does(page: Service, _by: Asker, game: str, turn: int, line: str) -> None:
        vary(page.archive, game, turn, line, is_kept)

    return does


def _are_turns(value: Any) -> bool:
    """Tell whether it is a text of turns; each is looked at for itself, so none is read twice."""
    if not isinstance(value, str) or len(value) > _MOST_LINE:
        return False
    turns = value.removesuffix(";").split(";")
    return len(turns) <= _MOST_LINE_TURNS and all(map(_TURN.fullmatch, turns))


_AT = {"at": whole_number(0, SENSORS - 1)}
_PIECE = {"piece": word(r"[a-z+-]{1,24}", tr("a short word of small letters"))}
_VARIATION: Fields = {
    "game": GAME,
    "turn": whole_number(1, MOST_TURNS),
    "line": RequestField(tr("turns, parted by semicolons"), _are_turns),
}
_TRY: Fields = {
    "number": PUZZLE_NO,
    "player": NAME,
    "turns": short_text(0, 120),
    "hinted": whole_number(0, 1),
}

OF_PAGE: Mapping[str, Wish] = {
    "tried": Wish(_tried, _TRY),
    "judge": Wish(_judge, {"game": GAME, "level": whole_number(LEAST_LEVEL, len(LEVELS))}),
    "stop_judging": Wish(lambda page, _by: page.judging.stop()),
    "keep_variation": Wish(_vary(is_kept=True), _VARIATION),
    "drop_variation": Wish(_vary(is_kept=False), _VARIATION),
    "lift": Wish(lambda page, _by, at: page.hands.lift(at), _AT),
    "place": Wish(lambda page, _by, at, piece: page.hands.place(at, piece), {**_AT, **_PIECE}),
    "put_away": Wish(lambda page, _by, piece: page.hands.put_away(piece), _PIECE),
    "tap": Wish(lambda page, _by, at: page.hands.top.tap(at), _AT),
    "press": Wish(_press, {"button": one_of(*dict(BUTTONS)), "side": SIDE}),
    "clumsy": Wish(_clumsy, {"percent": whole_number(0, 100)}),
    "reed": Wish(
        lambda page, _by, at, how: page.hands.top.break_reed(at, how),
        {**_AT, "how": one_of("good", "open", "closed", "flicker")},
    ),
    "tidy": Wish(lambda page, _by: page.hands.tidy()),
    "unlock": Wish(lambda _page, _by: chapters.unlock_next()),
    "watch": Wish(_watch, {"boards": whole_number(0, 1)}),
    "address": Wish(lambda page, _by: page.reached.switch()),
    "open": Wish(
        lambda page, _by, to: (page.reached.open if to == "network" else page.reached.shut)(),
        {"to": one_of("network", "nobody")},
        may=(HERE,),
    ),
}
"""What can be wanted of a page alone; `does` gets its `Service` in the desk's place."""

_ALL = {**WISHES, **OF_PAGE}
CONTROL: Commands = {"take_control": {}, "release_control": {}}
"""What the hub itself does."""
COMMANDS: Commands = {
    **CONTROL,
    **{do: wish.fields for do, wish in _ALL.items() if {AT_TABLE, HERE} & {*wish.may}},
}
"""What the page may ask for; every field is needed, there are no others."""
HERE_ONLY = frozenset(do for do, wish in _ALL.items() if wish.may == (HERE,))
"""What only who sits at this computer may ask for."""
GUEST_COMMANDS: Commands = {**guest_fields(), "take_control": {}}
"""What a guest may ask for, and of the hub who looks on once the guest has gone."""
