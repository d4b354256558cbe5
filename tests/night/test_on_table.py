"""Games of a night on the table: led by lights, checked by reeds, and never in the players' way."""

from __future__ import annotations

from random import Random

import pytest

from chronotable.core.surface import GONE_MS
from chronotable.hardware.sensors import SENSORS, SPACES
from chronotable.lights.meanings import COPY, MOVE, TODO_PUT, TODO_TAKE
from chronotable_host.live.texts.light_names import NAMES, NO_PC
from chronotable_night.games.interface import SPECTATOR
from chronotable_night.games.shelf import kinds
from chronotable_night.games.surface import place, surface_of
from chronotable_night.on_table import RoomView, follow
from tests import lanes, sweep
from tests.night.at_table import PLACES, Night, night

GAMES = (
    ("timechase", 3, {}),
    ("timechase", 4, {"jumble": True}),
    ("timemit", 2, {}),
)
PLAYERS = {"timechase": 4, "timemit": 2, "timebreaker": 4}
BOARDS = ("reference", "tiles")


def seed_of_chance() -> int:
    seed = Random().randrange(1 << 32)
    print("seed", seed)
    return seed


def is_right(here: Night) -> bool:
    return here.lying == PLACES[here.name](here.state)


@pytest.mark.parametrize(("name", "players", "options"), lanes.once(GAMES, 1))
@pytest.mark.parametrize("board", lanes.once(BOARDS))
@pytest.mark.parametrize("rough", lanes.once([False, True], 1))
def test_a_whole_game_that_waits_for_the_hands(
    name: str, players: int, options: dict[str, object], board: str, rough: bool
) -> None:
    with night(name, players, seed_of_chance(), options, board=board) as here:
        while True:
            here.follows(rough)
            assert is_right(here), here.says
            if here.is_over:
                break
            here.plays()
            here.waits(60)


@lanes.gate
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_a_whole_game_that_waits_for_nobody(
    name: str, players: int, options: dict[str, object]
) -> None:
    with night(name, players, seed_of_chance(), options) as here:
        while not here.is_over:
            for _ in range(here.chance.randrange(6)):
                if not here.is_over:
                    here.plays()
            if not here.obeys():
                here.waits(100)
        here.follows()
        assert is_right(here)


def in_play(here: Night, decisions: int) -> None:
    """Have so many decisions made, and the pieces stand where they should."""
    for _ in range(decisions):
        here.plays()
    here.follows()
    assert is_right(here)


def test_the_set_up_leads_one_traveler_after_the_other() -> None:
    with night("timechase", 3) as here:
        here.waits(300)
        says = [f"{name}'s traveler goes to event 1." for name in here.names]
        for lane, sentence in enumerate(says):
            assert here.says == sentence
            assert here.asked(TODO_PUT) == [1 + 4 * lane]
            assert here.asked(TODO_TAKE) == []
            here.moves(1 + 4 * lane, True)
        assert here.says == ""


def test_what_another_game_left_there_is_taken_away_first() -> None:
    with night("timechase", 3, set_up=True) as here:
        here.waits(300)
        assert here.says == "Take away what does not belong to this game."
        assert here.asked(TODO_TAKE) == [15, 31, 47], "in no lane"
        here.follows()
        assert is_right(here)


def test_a_wrong_move_is_led_back() -> None:
    """Another place in the own lane, and another lane: only what is in the hand is asked for."""
    with night("timechase", 3, seed=3) as here:
        in_play(here, 3)
        lane = [place(0, column) for column in range(11)]
        start = next(iter(here.lying & set(lane)))
        for wrong in (place(0, 9), place(1, 9), place(3, 3)):
            here.moves(start, False)
            assert (here.asked(TODO_TAKE), here.asked(TODO_PUT)) == ([], [start])
            here.moves(wrong, True)
            assert here.asked(TODO_TAKE) == [wrong]
            here.moves(wrong, False)
            assert (here.asked(TODO_TAKE), here.asked(TODO_PUT)) == ([], [start])
            here.moves(start, True)
            assert here.says == ""


def test_a_disc_may_lie_on_what_one_controls() -> None:
    with night("timechase", 3, seed=3) as here:
        while not any(owner >= 0 for owner in here.state["control"]):
            here.plays()
        here.follows()
        here.plays()  # somebody is asked where to go; all stand at the new present
        owner = here.state["control"][0]
        disc = place(owner, 1)
        here.held += 1
        here.moves(disc, True)
        assert here.says == ""
        other = place((owner + 1) % 3, 1)
        here.held += 1
        here.moves(other, True)
        assert here.asked(TODO_TAKE) == [other]
        here.moves(other, False)
        here.moves(disc, False)
        assert here.says == ""


@lanes.gate
@pytest.mark.parametrize("name", ["timechase", "timemit"])
def test_a_pc_that_is_killed_and_comes_back(name: str) -> None:
    with night(name, PLAYERS[name], seed_of_chance()) as here:
        in_play(here, 5)
        for away_ms in (1000, GONE_MS + 1000, GONE_MS + 6000):
            here.is_there = False
            here.plays()
            here.waits(away_ms)
            gone = bytes(SPACES) + bytes([NO_PC]) * (SENSORS - SPACES)
            assert (here.picture == gone) == (away_ms == GONE_MS + 1000)
            here.pc_comes_back()
            in_play(here, 3)


@pytest.mark.parametrize("power", lanes.once([False, True], 1))
@pytest.mark.parametrize("board", lanes.once(BOARDS, 1))
def test_a_cable_that_is_pulled(board: str, power: bool) -> None:
    """Pieces are moved meanwhile, and the game goes on."""
    with night("timemit", 2, seed_of_chance(), board=board) as here:
        in_play(here, 5)
        if power:
            here.at.table.power(False)
        here.at.table.plug(False)
        here.waits(5000)
        assert here.says == ""
        lifted = sorted(here.lying)[0]
        here.at.table.lift(lifted)
        here.at.table.place(place(3, 0))
        here.plays()
        if power:
            here.at.table.power(True)
        here.at.table.plug(True)
        here.waits(4000)
        here.follows()
        assert is_right(here)


def test_a_broken_reed_is_believed_no_more_than_the_hands() -> None:
    with night("timechase", 3, seed=3) as here:
        in_play(here, 3)
        at = next(iter(here.lying & {place(0, column) for column in range(11)}))
        here.at.table.set_stuck(at, False)
        here.waits(400)
        assert here.asked(TODO_PUT) == [at]
        here.at.table.press("a", 0)
        here.waits(600)
        assert here.says == ""
        in_play(here, 9)


def test_the_table_goes_back_to_its_own_game_behind_the_night() -> None:
    with night("timechase", 3, set_up=True) as here:
        own = here.picture
        here.waits(500)
        follow(here.room._replace(view=None), here.table)
        here.is_there = False
        for _ in range(20):
            here.table.picture.step(here.at.table.now_ms)
            here.waits(50)
        here.waits(600)
        assert here.picture[0] == own[0] == COPY


def test_more_travelers_than_lanes_stay_on_the_screen() -> None:
    with night("timechase", 5) as here:
        here.waits(500)
        assert here.says == "the table has lanes for 4 travelers, not for 5"
        assert here.table.picture.closed is None


def test_lights_say_who_controls_what_and_who_decides() -> None:
    with night("timechase", 4, seed=1) as here:
        while len(here.state["timeline"]) < 3 or here.state["phase"] != "event":
            here.plays()
        here.follows()
        for event, owner in zip(here.state["timeline"], here.state["control"], strict=True):
            if owner >= 0 and here.picture[place(owner, event)] != NAMES.index("lifted"):
                assert here.picture[place(owner, event)] == MOVE
        seat = here.game.to_decide(here.state)
        at = here.state["travelers"][seat]
        assert NAMES[here.picture[place(seat, at)]] == "lifted"


def test_nothing_is_shown_of_what_is_chosen_secretly() -> None:
    with night("timechase", 4, seed=1) as here:
        while here.state["phase"] != "move":
            here.plays()
        here.follows()
        before = here.picture
        while here.state["secret"] == [] or len(here.state["secret"]) < 3:
            here.plays()
            here.waits(300)
            assert here.picture == before


def test_time_breaker_shows_whose_turn_it_is() -> None:
    with night("timebreaker", 3, seed_of_chance()) as here:
        for _ in range(10):
            here.waits(300)
            seat = here.state["active"]
            field = range(4 * seat, 4 * seat + 4)
            lit = {column for column in range(12) if here.picture[place(0, column)] == MOVE}
            assert lit == set(field)
            assert here.says == ""
            here.plays()


@lanes.gate
@pytest.mark.parametrize("name", ["timechase", "timemit", "timebreaker"])
def test_lights_and_places_are_those_that_there_are(name: str) -> None:
    """In whole games: a light has a word of the list, a piece one place, a track room for all."""
    shows = surface_of(name)
    assert shows is not None
    chance = Random(seed := seed_of_chance())
    for number in range(sweep.size(2, 10, 50)):
        with_names = ("Ann", "Ben", "Cleo", "Dan")[: PLAYERS[name]]
        kind = kinds()[name]
        game = kind.game()
        options = {each.name: chance.choice([*each.values]) for each in kind.options}
        state = game.new(seed + number, len(with_names), options)
        while True:
            surface = shows(game, game.view(state, SPECTATOR), with_names)
            assert set(surface.lights.values()) <= set(NAMES)
            assert set(surface.lights) <= set(range(SENSORS))
            places = [at for track in surface.tracks for at in track.places]
            assert len(places) == len(set(places))
            assert set(places) <= set(range(SPACES))
            for track in surface.tracks:
                assert set(track.taken) | set(track.spare) <= set(track.places)
            taken = {at for track in surface.tracks for at in track.taken}
            if name in PLACES:
                assert taken == PLACES[name](state)
            if game.outcome(state) is not None:
                break
            seat = game.to_decide(state)
            action = game.sensible(game.view(state, seat), seat, chance)
            state = game.apply(state, seat, action)


def test_a_longer_track_than_the_table_has_is_refused() -> None:
    kind = kinds()["timemit"]
    assert kind.default_data is not None
    data = {**kind.default_data, "track": {**kind.default_data["track"], "spaces_each_side": 13}}
    game = kind.game(data)
    view = game.view(game.new(1, 2, {}), SPECTATOR)
    with night("timemit", 2) as here:
        says = follow(RoomView("timemit", game, view, ("Ann", "Ben")), here.table)
    assert says == "the table has room for a track of 12 spaces to each side, not of 13"
