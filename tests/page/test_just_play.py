"""Games that are played on the page by choosing: its hand moves pieces, the table feels them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from chronotable.lights import meanings
from chronotable_host.archive.store import Archive
from chronotable_host.rules.notation import format_position, format_turn, parse_position, parse_turn
from chronotable_host.virtual.tabletop import looks_in
from tests import lanes
from tests.page.evening import Evening
from tests.page.looker import NEW, Looker
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import BLACK, NOBODY, WHITE, new_state

BOTH = (WHITE, BLACK)
LONG_MS = 60_000
TURN = ("1", "E", "F", ">future")


@pytest.fixture
def looker(tmp_path: Path) -> Iterator[Looker]:
    with closing(Evening(built_in=BOTH, seat="page", folder=tmp_path)) as evening:
        yield Looker(evening, tmp_path)


def waits(looker: Looker) -> None:
    """Wait until there is something to choose."""
    looker.evening.wait_until(lambda: looker.look()["builder"], LONG_MS)


def plays(looker: Looker, *texts: str) -> None:
    """Choose a turn, and wait until it is final."""
    waits(looker)
    turns = looker.evening.mirror.game.turns
    before = len(turns)
    for text in texts:
        assert looker.ask("choose", text=text) == ""
    looker.evening.wait_until(lambda: len(turns) > before, LONG_MS)


def test_a_turn_is_chosen_and_the_hand_makes_it(looker: Looker) -> None:
    waits(looker)
    assert looker.view["says"] == "Choose a copy"
    assert looker.ask("choose", text="1") == ""
    assert looker.view["says"] == "Where to? 2 actions"
    assert looker.view["builder"]["active"] == 0
    assert looker.view["leds"][1] == meanings.MOVE
    assert looker.ask("choose", text="E") == ""
    assert looker.view["says"] == "Where to? 1 action"
    assert {piece["at"]: piece["look"] for piece in looker.view["pieces"]}[1] == "white"
    assert 0 in looker.evening.top.there  # nothing was touched yet
    assert looker.ask("choose", text="F") == ""
    assert looker.view["says"] == "Move the focus"
    assert looker.view["note"].startswith("In the present or the future?")
    assert looker.ask("choose", text=">future") == ""
    assert looker.view["says"] == "White moves"
    assert {piece["at"]: piece["look"] for piece in looker.look()["pieces"]}[17] == "white"
    game = looker.evening.mirror.game
    looker.evening.wait_until(lambda: game.turns, LONG_MS)
    assert format_turn(game.turns[0]) == " ".join(TURN)
    assert looker.evening.mirror.how == ["certain"]
    assert looker.evening.top.there == looks_in(game.state)


def test_who_meets_himself_is_told_before_and_after(tmp_path: Path) -> None:
    start = parse_position("ww.............b/...............b/w..............b 0 2 4 4 w")
    with closing(Evening(start, built_in=BOTH, seat="page", folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        waits(looker)
        assert looker.ask("choose", text="1") == ""
        told = dict(looker.view["builder"]["tips"])
        assert "both would die" in told["meets"]
        assert looker.ask("choose", text="E") == ""
        assert looker.view["says"] == "Move the focus"
        assert looker.view["note"] == "Two copies met in one space: both died."
        assert looker.view["builder"]["tips"] == []  # none covers it


def test_who_goes_back_has_one_fewer_while_the_turn_stands(tmp_path: Path) -> None:
    start = parse_position("w..............b/w..............b/w..............b 1 2 4 4 w")
    with closing(Evening(start, built_in=BOTH, seat="page", folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        waits(looker)
        for text in ("1", "E", "B", ">future"):
            assert looker.ask("choose", text=text) == ""
        assert looker.view["says"] == "White moves"
        assert looker.view["game"]["supply"] == [3, 4]


def test_who_has_won_is_told_so_and_that_either_focus_ends_the_game(tmp_path: Path) -> None:
    start = parse_position("..wb............/w.............../w..............b 0 2 4 4 w")
    with closing(Evening(start, built_in=BOTH, seat="page", folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        waits(looker)
        for text in ("3", "E", "S"):
            assert looker.ask("choose", text=text) == ""
        assert looker.view["says"] == "This turn wins"
        assert looker.view["note"] == (
            "Black is left in one era or none. Your focus ends the game: present or future."
        )
        assert looker.view["builder"]["tips"] == [], "nobody acts there next"
        assert looker.ask("choose", text=">future") == ""
        looker.evening.wait_until(lambda: looker.look()["game"]["over"], LONG_MS)
        assert looker.view["game"]["over"]["winner"] == "white"


def test_choices_are_taken_back_one_by_one(looker: Looker) -> None:
    waits(looker)
    for text in TURN[:3]:
        assert looker.ask("choose", text=text) == ""
    for due in ("action", "action", "copy"):
        assert looker.ask("back") == ""
        assert looker.view["builder"]["due"] == due
    assert looker.ask("back") == "nothing is chosen yet"


def test_a_turn_that_is_taken_back_is_laid_back(looker: Looker) -> None:
    plays(looker, *TURN)
    plays(looker, "16", "N", "N", ">present")
    game, top = looker.evening.mirror.game, looker.evening.top
    assert looker.ask("undo") == ""
    looker.evening.wait_until(lambda: len(game.turns) == 1 and top.there == looks_in(game.state))
    waits(looker)
    assert looker.view["builder"]["side"] == BLACK
    assert looker.ask("undo") == ""
    looker.evening.wait_until(lambda: not game.turns and top.there == looks_in(game.state))
    plays(looker, *TURN)


@lanes.gate
def test_what_a_program_answered_is_taken_back_with_it(looker: Looker) -> None:
    """A person's *undo* is at the person's own decision, whatever the program does meanwhile."""
    assert looker.ask("sit", side="black", who="random") == ""
    mirror, top = looker.evening.mirror, looker.evening.top
    game = mirror.game
    when = [
        lambda: len(game.turns) == 2,  # it has answered
        lambda: len(game.turns) == 1 and mirror.provisional is not None,  # not final yet
        lambda: len(game.turns) == 1 and looker.evening.hand.opponent.is_busy,  # under way
    ]
    for is_due in when:
        waits(looker)
        for text in TURN:
            assert looker.ask("choose", text=text) == ""
        looker.evening.wait_until(is_due, LONG_MS)
        assert looker.ask("undo") == ""
        looker.evening.wait_until(lambda: not game.turns and top.there == looks_in(game.state))
    waits(looker)
    assert looker.view["builder"]["due"] == "copy"


def test_from_pieces_in_the_hand_to_choosing_and_back(looker: Looker) -> None:
    """Whoever lifts a piece and then chooses after all has the board as the game has it."""
    for side in ("white", "black"):
        assert looker.ask("sit", side=side, who="hands") == ""
    assert looker.look()["builder"] is None
    assert (
        looker.ask("choose", text="1")
        == "whose turn it is plays it elsewhere, not here on the page"
    )
    assert looker.ask("lift", at=0) == ""
    looker.evening.wait(500)
    for side in ("white", "black"):
        assert looker.ask("sit", side=side, who="page") == ""
    plays(looker, *TURN)
    assert looker.evening.hand.held == []


@pytest.mark.parametrize("modules", lanes.once(range(objects.ALL_MODULES + 1), 7))
def test_whole_games_by_choosing(modules: int, tmp_path: Path) -> None:
    """Of every set of modules: what was chosen is what is played, and everything is certain."""
    seed = 19 + modules
    rng = Random(seed)
    print(f"seed {seed}")
    start = objects.new_state(modules, WHITE, 0, 0) if modules else new_state()
    chosen = []
    with closing(Evening(start, built_in=BOTH, seat="page", folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        game = evening.mirror.game
        while game.winner() == NOBODY and len(game.turns) < 12:
            waits(looker)
            before, texts = len(game.turns), []
            while looker.view["builder"] and looker.view["says"] != "White moves":
                texts.append(rng.choice(looker.view["builder"]["choices"])["text"])
                assert looker.ask("choose", text=texts[-1]) == ""
                if texts[-1].startswith(">"):
                    break
            chosen.append(" ".join(texts))
            evening.wait_until(lambda: len(game.turns) > before, LONG_MS)  # noqa: B023
    replayed = Game()
    replayed.start(start, 0)
    with Archive(tmp_path) as archive:
        (record,) = (archive.read(entry).record for entry in archive.games())
    for text, after in zip(chosen, islice(record.replay(), 1, None), strict=True):
        replayed.apply(parse_turn(text))  # another turn may lead to the same position
        assert format_position(replayed.state) == format_position(after.state)


@pytest.mark.parametrize("seed", range(3))
def test_a_new_game_takes_no_turn_back(tmp_path: Path, seed: int) -> None:
    """Its pieces are laid, which are those of before the last turn after a first one."""
    with closing(Evening(seed=seed, built_in=BOTH, seat="page", folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        for _ in range(2):
            plays(looker, "1", "E", "W", ">future")
            assert looker.ask("new", **{**NEW, "first": "white"}) == ""
            evening.wait_until(lambda: not looker.evening.mirror.game.turns, LONG_MS)
        assert not [each for each in evening.told if "taken_back" in each]
        with Archive(tmp_path) as archive:
            assert [entry.turns for entry in archive.games()] == [1, 1]


def test_nothing_is_kept_of_a_game_whose_turns_were_taken_back(
    looker: Looker, tmp_path: Path
) -> None:
    plays(looker, *TURN)
    assert looker.ask("undo") == ""
    looker.evening.wait_until(lambda: not looker.evening.mirror.game.turns, LONG_MS)
    waits(looker)
    assert looker.ask("new", **NEW) == ""
    looker.evening.wait_until(lambda: looker.look()["game"]["mover"] == "black", LONG_MS)
    assert not [*tmp_path.glob("*.ttykm")]


def test_a_new_game_after_one_that_was_resigned(looker: Looker) -> None:
    plays(looker, *TURN)
    assert looker.ask("resign", side="black") == ""
    looker.evening.wait_until(lambda: looker.look()["game"]["over"], LONG_MS)
    assert looker.view["builder"] is None
    assert looker.ask("new", **{**NEW, "handicap": [0, 0]}) == ""
    looker.evening.wait_until(lambda: not looker.evening.mirror.game.turns, LONG_MS)
    waits(looker)
    assert looker.view["builder"]["side"] == BLACK
