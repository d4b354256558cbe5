"""What players agree on: asked, answered, withdrawn and out of date, by every kind of seat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from types import SimpleNamespace

import pytest

from chronotable_host.commands import play_work
from chronotable_host.errors import UserError
from chronotable_host.link.pc_link import COMMANDS_MAX
from chronotable_host.live.players.negotiation import NOTHING_ASKED, accepts_draw
from chronotable_host.live.players.person import Guest
from chronotable_host.live.wishes import WISHES
from chronotable_host.rules.notation import parse_position, parse_turn
from tests.host.archives import Output
from tests.page.evening import EAST_AND_FORWARD, EAST_EAST, WEST_AND_BACK, Evening
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

NEITHER = "w..............b/w..............b/................ 0 2 0 0 w"
"""A position of which it is known that nobody has to lose it."""
KINDS = {"undo": "take_back"}
ASKED = {
    "undo": "White would like to take 2 turns back.",
    "draw": "White offers a draw.",
    "new": "White would like to begin another game.",
}


class Round(Evening):
    """A table at which people want something of each other."""

    def wish(self, do: str, by: int | None = None, **values: object) -> None:
        WISHES[do].grant(self, by, values)

    def invite(self, side: int) -> None:
        """Have a guest at a side, who has opened the link."""
        self.hand.seats.seat(side, "guest")
        guest = self.seats.thinkers[side]
        assert isinstance(guest, Guest)
        guest.is_there = True

    def shows(self, *people: int | None) -> list[tuple[bool, bool]]:
        """Return of each whether a question is to be answered, and whether one is waited with."""
        views = map(self.negotiation.view, people)
        return [(view["asks"] is not None, view["asked"] is not None) for view in views]

    def comes_to(self, turns: int) -> None:
        self.wait_until(lambda: len(self.mirror.game.turns) == turns, 60_000)
        self.wait(1500)

    def is_done(self, do: str) -> bool:
        """Tell whether it has come to what was asked for, a moment later."""
        self.wait(1000)
        return self.heard("game_over") == ["draw"] if do == "draw" else not self.mirror.game.turns


@pytest.fixture
def at() -> Iterator[Round]:
    """Hands have made a turn for each side."""
    with Round() as table:
        table.do(*EAST_AND_FORWARD, *WEST_AND_BACK)
        table.comes_to(2)
        yield table


@pytest.fixture
def guest(at: Round) -> Round:
    at.invite(BLACK)
    return at


@pytest.mark.parametrize("kind", ASKED)
def test_a_question_is_withdrawn_refused_and_granted(guest: Round, kind: str) -> None:
    ends = (
        ("withdraw", None, "White withdraws the question."),
        ("decline", BLACK, "Black "),
        ("agree", BLACK, ""),
    )
    for number, (end, by, said) in enumerate(ends, 1):
        guest.wish(kind)
        told = {"no": number, "kind": KINDS.get(kind, kind), "says": ASKED[kind]}
        assert guest.negotiation.view(BLACK)["asks"] == told
        assert guest.shows(BLACK, None) == [(True, False), (False, True)]
        with pytest.raises(UserError, match="a question already"):
            guest.wish("new")
        for do, whose, other in (("agree", None, 0), ("withdraw", BLACK, 0), (end, by, 1)):
            with pytest.raises(UserError, match=NOTHING_ASKED):
                guest.wish(do, whose, question=number + other)
        assert not guest.is_done(kind)
        guest.wish(end, by, question=number)
        assert guest.negotiation.said.startswith(said)
        assert guest.shows(BLACK, None) == [(False, False)] * 2
        assert guest.is_done(kind) == (end == "agree")


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("is_gone", [False, True], ids=["turn", "gone"])
def test_a_question_is_over_once_the_game_goes_on_or_who_is_asked_has_gone(
    guest: Round, kind: str, is_gone: bool
) -> None:
    guest.wish(kind)
    if is_gone:
        guest.hand.seats.seat(BLACK, "hands")
        guest.wait()
    else:
        guest.do(*EAST_EAST)
        guest.comes_to(3)
    assert guest.shows(BLACK, None) == [(False, False)] * 2
    with pytest.raises(UserError, match=NOTHING_ASKED):
        guest.wish("agree", BLACK)
    assert not guest.is_done(kind)


@pytest.mark.parametrize(("black", "turns"), [("hands", 1), ("level:3", 0)])
def test_where_no_guest_plays_nobody_waits(at: Round, black: str, turns: int) -> None:
    """Hands take their own turns back, and a program's with them, which answers by itself."""
    at.hand.seats.seat(BLACK, black)
    at.wish("draw", side="white")
    if black == "hands":
        assert at.negotiation.view(None)["asks"]["says"] == ASKED["draw"]
        at.wish("decline")
    at.wait()
    assert at.negotiation.said == "Black plays on."
    at.wish("undo")
    at.comes_to(turns)


def test_a_program_takes_a_draw_once_there_is_nothing_to_be_won() -> None:
    """At first it plays on, whoever stands better; so it does late in a game that it may win."""
    known = Game()
    known.start(parse_position(NEITHER))
    assert accepts_draw(known, BLACK)
    quiet = Game()
    steps = map(parse_turn, ("1 E W >present", "16 W E >present", "1 E W >past", "16 W E >past"))
    for turn in islice(cycle(steps), 40):
        assert accepts_draw(quiet, BLACK) == (len(quiet.turns) >= 30), len(quiet.turns)
        quiet.apply(turn)


def test_a_guest_goes_back_to_the_own_decision_before_a_program_s_turn(guest: Round) -> None:
    guest.hand.seats.seat(WHITE, "level:3")
    guest.comes_to(3)
    guest.wish("undo", BLACK)
    assert guest.shows(BLACK, None) == [(False, False)] * 2
    guest.comes_to(1)


def test_of_two_turns_back_the_second_waits_where_the_line_takes_one(guest: Round) -> None:
    """It was granted with one yes: another one takes nothing more."""
    guest.do(*EAST_EAST)
    guest.comes_to(3)
    guest.wish("undo", BLACK)
    for _ in range(COMMANDS_MAX - 1):
        guest.session.set({"brightness": 1})
    guest.wish("agree")
    with pytest.raises(UserError, match=NOTHING_ASKED):
        guest.wish("agree")
    guest.comes_to(1)


def test_one_s_own_turn_goes_back_with_the_other_s_yes_who_is_there(guest: Round) -> None:
    guest.do(*EAST_EAST)
    guest.comes_to(3)
    guest.wish("undo")
    guest.wait(1000)
    assert guest.shows(BLACK, None) == [(True, False), (False, True)]
    assert len(guest.mirror.game.turns) == 3
    guest.wish("agree", BLACK)
    guest.comes_to(2)
    assert guest.negotiation.said == "Black says yes."
    guest.hand.lay(guest.mirror.game.state)
    guest.wait(1500)
    guest.do(*EAST_EAST)
    guest.comes_to(3)
    black = guest.seats.thinkers[BLACK]
    assert isinstance(black, Guest)
    black.is_there = False
    guest.wish("undo")
    guest.comes_to(2)


def test_who_resigns_in_a_terminal_is_asked_and_says_so_once_more(
    at: Round, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_work, "is_terminal", lambda: True)
    typed = ["resign black", "draw white", "resign black", "resign white"]
    source = SimpleNamespace(take=lambda: typed.pop(0) if typed else None)
    control = play_work.TypedWishes(at, source, {})
    control.obey()
    assert capsys.readouterr().err == 3 * "Really resign? Then type it once more.\n"
    at.wait()
    assert at.heard("game_over") == []
    typed.append("resign white")
    control.obey()
    at.wait()
    assert at.heard("game_over") == ["black"]


def test_another_game_waits_for_every_guest_and_a_draw_for_the_other_one(guest: Round) -> None:
    guest.invite(WHITE)
    guest.wish("draw", WHITE)
    assert guest.shows(WHITE, BLACK, None) == [(False, True), (True, False), (False, False)]
    with pytest.raises(UserError, match="for who plays black to say"):
        guest.negotiation.draw(WHITE, "black")
    guest.wish("decline", BLACK)
    guest.wish("new")
    guest.wish("agree", WHITE)
    assert guest.shows(WHITE, BLACK) == [(False, False), (True, False)]
    assert not guest.is_done("new")
    guest.wish("agree", BLACK)
    assert guest.is_done("new")
