"""Every game of the shelf in a room: played to its end, taken up again, nothing told too much."""

import json
from random import Random

import pytest

from chronotable_host.games.bots import by_chance
from chronotable_host.games.interface import SPECTATOR
from chronotable_host.games.record import GameRecord, format_record, game_of, parse_record, replayed
from chronotable_host.games.shelf import kinds
from chronotable_host.night.journal import record_of
from chronotable_host.night.messages import Door, state_of
from tests.night.rooms import room_of

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")
every_kind = pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))


def messages(room):
    return [json.dumps(state_of(room, seat, Door())) for seat in range(SPECTATOR, len(room.people))]


@every_kind
@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_played_to_its_end_and_tells_no_seat_what_it_cannot_know(kind, seed):
    chance = Random(seed)
    room = room_of(*NAMES[: chance.choice(list(kind.players))], kind=kind)
    while room.phase == "play":
        play = room.play
        told = messages(room)
        if len(play.steps) % 5 == 0:
            for seat in range(len(room.people)):
                real = play.state
                play.state = room.game.possible(room.game.view(real, seat), seat, chance)
                assert json.dumps(state_of(room, seat, Door())) == told[seat + 1], f"seed {seed}"
                play.state = real
        seat = room.game.to_decide(play.state)
        action = by_chance(room.game, room.game.view(play.state, seat), seat, chance)
        room.act(seat, action, play.moment)
    over = json.loads(messages(room)[0])
    assert over["outcome"]["says"], f"seed {seed}"
    text = format_record(record_of(room, room.play, "2026-01-01"))
    record = parse_record(text)
    assert isinstance(record, GameRecord)
    assert replayed(record, game_of(record))[-1].state == room.play.state


@every_kind
def test_answers_that_waited_are_as_good_as_those_in_turn(kind):
    """Where several decide at once, all but the first seal; the game goes the same way."""
    chance = Random(3)
    in_turn, sealed = (room_of(*NAMES[: kind.players[-1]], kind=kind) for _ in range(2))
    for _ in range(150):
        if in_turn.phase != "play":
            break
        deciding = list(in_turn.play.deciding())
        chosen = {}
        for _ in deciding:
            seat = in_turn.game.to_decide(in_turn.play.state)
            if seat not in deciding or seat in chosen:
                break
            view = in_turn.game.view(in_turn.play.state, seat)
            chosen[seat] = by_chance(in_turn.game, view, seat, chance)
            in_turn.act(seat, chosen[seat], in_turn.play.moment)
            if in_turn.phase != "play":
                break
        moment = sealed.play.moment
        for seat, action in reversed(chosen.items()):
            sealed.act(seat, action, moment)
        assert sealed.play.state == in_turn.play.state
