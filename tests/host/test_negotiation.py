"""What players agree on: asked, answered, withdrawn and out of date, by every kind of seat."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronotable_host.engine.person import Guest
from chronotable_host.errors import UserError
from chronotable_host.live.players.negotiation import DRAW, NEW, NOTHING_ASKED, TAKE_BACK
from tests.page.evening import EAST_AND_FORWARD, WEST_AND_BACK, Evening
from ttykm.layout import BLACK, WHITE

ASKED = {
    TAKE_BACK: "White would like to take 2 turns back: yes or no?",
    DRAW: "White offers a draw: yes or no?",
    NEW: "White would like to begin another game: yes or no?",
}


class Round(Evening):
    """A table at which somebody asks; `is_new` once it came to another game."""

    is_new = False

    def guest_plays(self, side: int, *choices: str) -> None:
        guest = self.seats.thinkers[side]
        assert isinstance(guest, Guest)
        self.wait_until(lambda: guest.builder)
        for count, text in enumerate(choices):
            guest.choose(text, " ".join(choices[:count]))
        self.comes_to(1 + side)

    def comes_to(self, turns: int) -> None:
        self.wait_until(lambda: len(self.mirror.game.turns) == turns, 60_000)
        self.wait(1500)

    def ask(self, kind: str, by: int | None = None) -> None:
        if kind == TAKE_BACK:
            self.negotiation.undo(by)
        elif kind == DRAW:
            self.negotiation.draw(by, "white" if by is None else "")
        else:
            self.negotiation.begin(by, lambda: setattr(self, "is_new", True))

    def shows(self, *people: int | None) -> list[tuple[bool, bool]]:
        """Return of each whether a question is to be answered, and whether one is waited with."""
        views = map(self.negotiation.view, people)
        return [(view["asks"] is not None, view["asked"] is not None) for view in views]

    def is_done(self, kind: str) -> bool:
        """Tell whether it has come to what was asked for, a moment later."""
        self.wait(500)
        turns, over = self.mirror.game.turns, self.heard("game_over")
        return {TAKE_BACK: not turns, DRAW: over == ["draw"], NEW: self.is_new}[kind]


@pytest.fixture
def guest() -> Iterator[Round]:
    """Hands and a guest have made a turn each."""
    with Round(built_in=(BLACK,), seat="guest") as at:
        at.do(*EAST_AND_FORWARD)
        at.guest_plays(BLACK, "16", "N", "N", ">present")
        yield at


@pytest.mark.parametrize("kind", ASKED)
def test_a_question_is_withdrawn_refused_and_granted(guest: Round, kind: str) -> None:
    talks = guest.negotiation
    ends = (
        (lambda number, by: talks.withdraw(by, number), None, "White withdraws the question."),
        (lambda number, by: talks.answer(by, number, is_yes=False), BLACK, "Black "),
        (lambda number, by: talks.answer(by, number, is_yes=True), BLACK, None),
    )
    for number, (end, whose, said) in enumerate(ends, 1):
        guest.ask(kind)
        assert talks.view(BLACK)["asks"] == {"no": number, "says": ASKED[kind]}
        assert guest.shows(BLACK, None) == [(True, False), (False, True)]
        with pytest.raises(UserError, match="a question already"):
            guest.ask(NEW)
        for wrong in ((number, None if whose else BLACK), (number + 1, whose)):
            with pytest.raises(UserError, match=NOTHING_ASKED):
                end(*wrong)
        assert not guest.is_done(kind)
        end(number, whose)
        assert guest.shows(BLACK, None) == [(False, False)] * 2
        assert said is None or talks.said.startswith(said)
        guest.wait_until(lambda said=said: guest.is_done(kind) == (said is None))


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("is_gone", [False, True], ids=["turn", "gone"])
def test_a_question_is_over_once_the_game_goes_on_or_who_is_asked_has_gone(
    guest: Round, kind: str, is_gone: bool
) -> None:
    guest.ask(kind)
    if is_gone:
        guest.hand.seats.seat(BLACK, "hands")
        guest.wait()
    else:
        guest.do(("lift", 32), ("place", 33, "white"), ("lift", 33), ("place", 34, "white"))
        guest.do(("lift", 50), ("place", 49, "white-focus"))
        guest.comes_to(3)
    assert guest.shows(BLACK, None) == [(False, False)] * 2
    with pytest.raises(UserError, match=NOTHING_ASKED):
        guest.negotiation.answer(BLACK, None, is_yes=True)
    assert not guest.is_done(kind)


@pytest.mark.parametrize("is_program", [False, True], ids=["hands", "program"])
def test_where_no_guest_plays_nobody_waits(is_program: bool) -> None:
    """Hands take their own turns back, and a program's with them, which answers by itself."""
    with Round(built_in=(BLACK,) if is_program else ()) as at:
        at.do(*EAST_AND_FORWARD, *(() if is_program else WEST_AND_BACK))
        at.comes_to(2)
        at.ask(NEW)
        assert at.is_new
        at.ask(DRAW)
        if not is_program:
            assert at.negotiation.view(None)["asks"]["says"] == ASKED[DRAW]
            at.negotiation.answer(None, None, is_yes=False)
        at.wait()
        assert at.negotiation.said == "Black declines the draw and plays on."
        at.ask(TAKE_BACK)
        at.comes_to(0 if is_program else 1)


def test_a_guest_goes_back_to_the_own_decision_before_a_program_s_turn(guest: Round) -> None:
    guest.hand.seats.seat(WHITE, "level:3")
    guest.comes_to(3)
    guest.ask(TAKE_BACK, BLACK)
    assert guest.shows(BLACK, None) == [(False, False)] * 2
    guest.comes_to(1)


def test_another_game_waits_for_every_guest_and_a_draw_for_the_other_one() -> None:
    with Round(built_in=(WHITE, BLACK), seat="guest") as at:
        at.guest_plays(WHITE, "1", "E", "E", ">present")
        at.ask(NEW)
        at.negotiation.answer(WHITE, None, is_yes=True)
        assert not at.is_done(NEW)
        assert at.shows(WHITE, BLACK) == [(False, False), (True, False)]
        at.negotiation.answer(BLACK, None, is_yes=True)
        assert at.is_done(NEW)
        at.ask(DRAW, WHITE)
        assert at.shows(WHITE, BLACK, None) == [(False, True), (True, False), (False, False)]
        with pytest.raises(UserError, match="for who plays black to say"):
            at.negotiation.draw(WHITE, "black")
        at.ask(DRAW, BLACK)
        assert at.is_done(DRAW)
