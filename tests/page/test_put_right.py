"""Pieces that are not where the game has them: that is said on the page, and the way out works."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from chronotable_host import chapters
from chronotable_host.commands.play_work import GameScreen
from chronotable_host.pieces import pieces_of
from chronotable_host.rulebook.book import SIGNS
from chronotable_host.rules.notation import format_turn, parse_position, parse_turn
from chronotable_host.virtual.hand import due_pieces
from chronotable_host.virtual.tabletop import look_of, looks_in
from tests.page.evening import EAST_AND_FORWARD, Evening
from tests.page.looker import Looker, told
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

BESIDE = "w..............b/..............b./wb.............b 2 1 4 3 w"
"""White, in the future, has a black copy beside its own."""
STATUE_AND_SHRUB = (
    "w..............b/.....w.........b/w..............b 1 2 3 4 w growth+influence"
    " *7/nN7,sh12/nN7 seeds=4 statues=wb"
)
SWAPPED_PUSH = (("lift", 32), ("lift", 33), ("place", 34, "white"), ("place", 33, "black"))
LONG_MS = 60_000

Opens = Callable[..., Looker]
Output = pytest.CaptureFixture[str]


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    with ExitStack() as evenings:

        def at(
            position: str | array[int] = BESIDE,
            built_in: tuple[int, ...] = (BLACK,),
            is_real: bool = False,
        ) -> Looker:
            start = parse_position(position) if isinstance(position, str) else position
            evening = Evening(start, built_in=built_in, folder=tmp_path)
            evenings.callback(evening.close)
            return Looker(evening, tmp_path, is_real)

        yield at


def plays(looker: Looker, *gestures: tuple[str, int] | tuple[str, int, str]) -> None:
    """Lift and place, and wait until that is a final turn."""
    turns = looker.evening.mirror.game.turns
    looker.evening.do(*gestures)
    looker.evening.wait_until(lambda: len(turns) == 1)


@pytest.mark.parametrize("seat", ["level:1", "hands"])
def test_colours_that_were_swapped_are_noticed_and_put_right(opens: Opens, seat: str) -> None:
    """Every reed is as the game has it, and no built-in player would move there."""
    looker = opens(built_in=())
    assert looker.ask("sit", side="black", who=seat) == ""
    south = (("lift", 33), ("place", 37, "black"), ("lift", 50), ("place", 49, "white-focus"))
    plays(looker, *SWAPPED_PUSH, *south)
    game, top = looker.evening.mirror.game, looker.evening.top
    assert top.there.keys() == looks_in(game.state).keys()
    view = looker.look()
    assert view["says"] == ("Put this right" if seat == "hands" else "Black waits for the pieces")
    assert view["note"] == "The pieces lie otherwise than in the game."
    assert told(view) == ["Put a white piece on future 6.", "Put a black piece on future 3."]
    assert looker.ask("tidy") == ""
    assert top.there == looks_in(game.state)
    looker.evening.wait_until(lambda: not looker.look()["todo"])
    if seat != "hands":
        looker.evening.wait_until(lambda: len(game.turns) == 2, LONG_MS)


def test_who_waits_for_a_piece_that_somebody_took_says_so(opens: Opens) -> None:
    looker = opens()
    looker.evening.do(*EAST_FROM_FUTURE)
    looker.evening.do(("lift", 0))  # before black has done anything
    looker.evening.wait(3000)
    assert looker.look()["says"] == "Black waits for the pieces"
    assert told(looker.view) == ["Put a white piece on past 1."]
    assert looker.ask("tidy") == ""
    looker.evening.wait_until(lambda: len(looker.evening.mirror.game.turns) == 2, LONG_MS)
    assert looker.evening.hand.held == []


EAST_FROM_FUTURE = (
    ("lift", 32), ("place", 36, "white"), ("lift", 36), ("place", 40, "white"),
    ("lift", 50), ("place", 49, "white-focus"),
)  # fmt: skip


def test_a_half_push_is_finished_not_undone(opens: Opens) -> None:
    looker = opens()
    looker.evening.do(("lift", 32), ("lift", 33), ("place", 33, "white"))
    assert told(looker.look()) == ["Put a black piece on future 3."]
    assert looker.ask("tidy") == ""
    looker.evening.wait(500)
    there = looker.evening.top.there
    assert (there.get(32), there[33], there[34]) == (None, "white", "black")
    assert looker.evening.hand.held == []
    assert looker.look()["making"] == "1 E"


def test_what_a_half_push_misses_is_named_at_a_real_table(opens: Opens) -> None:
    """Reeds tell no colours, but of what the rules allow only one piece can belong there."""
    evening = opens(built_in=()).evening
    page = Looker(evening, real=True)
    evening.do(("lift", 32), ("lift", 33), ("place", 33, "white"))
    evening.wait(300)
    assert told(page.look()) == ["Put a black piece on future 3."]


def test_only_what_is_asked_for_is_moved(opens: Opens) -> None:
    """With both copies in the hand the light asks for the pushed one alone."""
    looker = opens()
    looker.evening.do(("lift", 32), ("lift", 33))
    before = dict(looker.evening.top.there)
    assert looker.ask("tidy") == ""
    assert looker.evening.top.there == before | {34: "black"}
    assert looker.evening.hand.held == ["white"]


def test_where_nothing_is_asked_for_nothing_moves(opens: Opens) -> None:
    looker = opens()
    looker.evening.do(("lift", 32), ("place", 36, "white"))
    before = dict(looker.evening.top.there)
    assert looker.ask("tidy") == "there is nothing to be put right"
    assert looker.evening.top.there == before


def test_a_second_copy_that_is_missing_accuses_no_reed(opens: Opens) -> None:
    """White travels back and leaves no copy behind; the table asks which turn it was."""
    looker = opens()
    looker.evening.do(
        ("lift", 32), ("place", 16, "white"), ("lift", 16), ("place", 17, "white"),
        ("lift", 50), ("place", 49, "white-focus"),
    )  # fmt: skip
    looker.evening.wait_until(lambda: looker.look()["question"])
    asked = ";".join(each["turn"] for each in looker.view["question"])
    for other in ("", "1 E F >future", f"{asked};1 E F >future"):
        why = looker.ask("answer", choice="none", turns=other)
        assert why == "the table asks something else by now"
    why = looker.ask("answer", choice="a")
    assert "Put a white piece on future 1." in why
    assert looker.ask("press", button="a", side="white") == why
    assert looker.ask("answer", choice="none") == ""
    looker.evening.do(("place", 32, "white"))
    game = looker.evening.mirror.game
    looker.evening.wait_until(lambda: game.turns)
    assert format_turn(game.turns[0]) == "1 B E >present"
    assert looker.evening.heard("fault") == []


def test_a_second_copy_is_put_where_the_light_asks(opens: Opens) -> None:
    looker = opens()
    looker.evening.do(("lift", 32), ("place", 16, "white"))
    assert looker.ask("tidy") == ""
    assert looker.evening.top.there[32] == "white"
    looker.evening.wait(500)
    assert looker.look()["making"] == "1 B"


def test_after_a_plant_what_is_asked_for_is_done(opens: Opens) -> None:
    chapters.unlock_to(1)
    looker = opens(objects.new_state(objects.GROWTH), ())
    looker.evening.do(("lift", 0), ("place", 1, "white"))
    assert looker.ask("press", button="action", side="white") == ""
    looker.evening.wait(200)
    assert looker.ask("tap", at=2) == ""
    looker.evening.wait(500)
    assert told(looker.look()) == ["Put the shrub on present 3."]
    while looker.look()["todo"]:
        assert looker.ask("tidy") == ""
        looker.evening.wait(500)
    there = looker.evening.top.there
    assert (there[1], there[18], there[34]) == ("white", "shrub", "tree")


def test_what_belongs_where_another_piece_lies_is_said(opens: Opens, capsys: Output) -> None:
    """By the page and in the terminal: the table asks for it by light alone."""
    chapters.unlock_to(3)
    looker = opens(parse_position(STATUE_AND_SHRUB), (), is_real=True)
    evening = looker.evening
    GameScreen(evening, as_json=False)
    for at in (15, 22, 27, 32):  # a sleeve
        evening.hand.lift(at)
    evening.wait(1000)
    capsys.readouterr()
    pieces = ((15, "black"), (22, "shrub"), (27, "statue-neutral"), (32, "white"))
    evening.do(*(("place", at, piece) for at, piece in pieces))
    evening.wait(3000)
    asked = ["Put the neutral statue on present 7.", "Put the shrub on present 12."]
    assert told(looker.look())[:2] == asked
    assert looker.view["guide"]["put"] == []
    said = capsys.readouterr().out.splitlines()
    assert [f"  {line}" for line in asked] == said[-2:]


def test_which_of_a_chapter_s_pieces_belongs_where_is_said(opens: Opens, capsys: Output) -> None:
    """By the page and in the terminal, in a turn and where a position is set up."""
    chapters.unlock_to(2)
    looker = opens(objects.new_state(objects.INFLUENCE), (), is_real=True)
    evening = looker.evening
    GameScreen(evening, as_json=False)
    evening.do(("lift", 6), ("place", 5, "statue-neutral"))
    evening.wait(2500)
    assert told(looker.look()) == [
        "Take away what lies on past 6.",
        "Put the neutral statue on past 7.",
    ]
    assert looker.view["signs"] == [SIGNS[1]], "how the table's light says it"
    told_there = "put past 7: That copy has no part in this turn (T7, T8); put it back.\n"
    assert told_there + "  Put the neutral statue on past 7.\n" in capsys.readouterr().out
    evening.do(("lift", 5), ("place", 6, "statue-neutral"))
    plays(looker, *EAST_AND_FORWARD)
    evening.do(("lift", 38))
    evening.table.press("undo", BLACK)
    evening.wait_until(lambda: evening.mirror.table.phase == "set-up")
    evening.wait(1000)
    assert "Put the neutral statue on future 7." in told(looker.look())
    assert "  Put the neutral statue on future 7.\n" in capsys.readouterr().out


@pytest.mark.parametrize("is_early", [True, False])
def test_a_turn_that_is_taken_back_is_put_back(opens: Opens, is_early: bool) -> None:
    """Whether the built-in player has answered or is at it: one reason, and the hands rest."""
    looker = opens()
    game, opponent = looker.evening.mirror.game, looker.evening.hand.opponent
    plays(looker, *EAST_FROM_FUTURE)
    is_due = (lambda: opponent.held) if is_early else (lambda: len(game.turns) == 2)
    looker.evening.wait_until(is_due, LONG_MS)
    assert looker.ask("undo") == ""
    looker.evening.wait(1500)
    view = looker.look()
    assert view["says"] == "Put the last turn back"
    assert view["note"] == "It was taken back; the pieces lay otherwise before."
    assert not opponent.is_busy
    assert looker.ask("tidy") == ""
    looker.evening.wait(2000)
    view = looker.look()
    assert (view["says"], view["note"], view["todo"]) == ("White to move", "", [])
    assert looker.evening.top.there == looks_in(parse_position(BESIDE))


def test_a_reason_ends_with_what_it_asked_for(opens: Opens) -> None:
    looker = opens()
    looker.evening.do(
        ("lift", 32), ("place", 36, "white"), ("lift", 50), ("place", 49, "white-focus")
    )
    looker.evening.wait(500)
    assert "(T11)" in looker.look()["note"]
    assert told(looker.view) == ["Move White's focus marker from the present to the future."]
    looker.evening.do(
        ("lift", 49), ("place", 50, "white-focus"), ("lift", 36), ("place", 32, "white")
    )
    looker.evening.wait(500)
    looker.evening.do(("lift", 32), ("lift", 33))
    looker.evening.wait(500)
    assert looker.look()["todo"]
    assert looker.view["guide"] is None
    assert "T11" not in looker.view["note"]


def test_while_a_built_in_player_moves_nobody_is_asked_for_anything(opens: Opens) -> None:
    looker = opens("w..............b/w..............b/w..............b 0 2 4 4 w")
    plays(looker, *EAST_AND_FORWARD)
    opponent, seen = looker.evening.hand.opponent, []

    def look() -> None:
        looker.page.step(looker.evening.table.now_ms)
        looker.hear()
        if opponent.is_busy:
            seen.append((looker.view["says"], looker.view["todo"]))

    looker.evening.each_step = look
    looker.evening.wait_until(lambda: len(looker.evening.mirror.game.turns) == 2, LONG_MS)
    assert "Black moves" in {says for says, _ in seen}
    assert [todo for _, todo in seen if todo] == []


def test_two_built_in_players_ask_nobody(opens: Opens) -> None:
    looker = opens(built_in=(WHITE, BLACK))
    looker.evening.do(("lift", 0))
    assert looker.look()["todo"] == []
    looker.evening.wait_until(lambda: len(looker.evening.mirror.game.turns) == 1, LONG_MS)


def test_what_is_due_in_a_turn_that_is_wanted_is_of_that_turn() -> None:
    """A white copy may come to future 1 in others; after this plant a shrub belongs there."""
    game = Game()
    game.start(
        parse_position(
            "....w..........b/w..............b/....w..b........ 1 0 4 4 w growth+memory "
            "eD4,*7,*12,eL13,*15/eD4,sh7,sh12,eL13,sh15/eD4,*5,F6<7,T12,eL13,T15 seeds=1"
        )
    )
    there = {at: look_of(piece, at) for at, piece in pieces_of(game.state).items()}
    turn = parse_turn("1 po B >future")
    assert due_pieces(game, there, {32}) == {32: "white"}
    assert due_pieces(game, there, {32}, turn) == {32: "shrub"}
