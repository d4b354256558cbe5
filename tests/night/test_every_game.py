"""Every game of the shelf in a room: played to its end, taken up again, nothing told too much."""

import json
import os
import subprocess
import sys
from random import Random

import pytest

from chronotable_host.archive.nights import GameRecord, format_record, parse_record
from chronotable_host.language import speaking
from chronotable_host.web.http.viewers import text_of
from chronotable_night.games.bots import by_chance
from chronotable_night.games.interface import SPECTATOR
from chronotable_night.games.record import game_of, replayed
from chronotable_night.games.shelf import kinds
from chronotable_night.journal import record_of
from chronotable_night.messages import Door, state_of
from tests import lanes
from tests.night.rooms import play_on, room_of

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")
MOST_GAMES = 30  # until each seat has won one
every_kind = pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))


def messages(room):
    return [json.dumps(state_of(room, seat, Door())) for seat in range(SPECTATOR, len(room.people))]


def told_in(name, *languages):
    """Return all that is told of a game by chance, to each seat in each of these languages."""
    kind, chance, told = kinds()[name], Random(6), []
    room = room_of(*NAMES[: kind.players[0]], kind=kind)
    while True:
        for language in languages:
            with speaking(language):
                told += [text_of(state_of(room, seat, Door())) for seat in (SPECTATOR, 0, 1)]
        if room.phase != "play":
            return told
        play_on(room, chance, actions=1)


@every_kind
def test_a_viewer_s_language_is_spoken_as_by_a_program_of_that_language(kind):
    said = f"told_in({kind.name!r}, 'de', 'en')"
    asked = f"import json; from {__name__} import told_in; print(json.dumps({said}))"
    environment = {**os.environ, "LANGUAGE": "de"}
    other = subprocess.run(
        [sys.executable, "-c", asked], env=environment, stdout=subprocess.PIPE, check=True
    )
    for ours, theirs in zip(told_in(kind.name, "de", "en"), json.loads(other.stdout), strict=True):
        assert json.loads(ours) == json.loads(theirs)


@lanes.gate
@every_kind
@pytest.mark.parametrize("seed", lanes.first([1, 2]))
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


@pytest.mark.parametrize(
    ("kind", "option", "value"),
    [
        pytest.param(kind, option.name, value, id=f"{name}-{option.name}-{value}")
        for name, kind in kinds().items()
        for option in kind.options
        for value in option.values
    ],
)
def test_with_each_option_it_is_played_to_its_end(kind, option, value):
    room = room_of(*NAMES[: kind.players[0]], kind=kind, begun=False)
    room.set_option(option, value)
    room.start()
    play_on(room, Random(4))
    record = parse_record(format_record(record_of(room, room.play, "2026-01-01")))
    assert isinstance(record, GameRecord)
    assert replayed(record, game_of(record))[-1].state == room.play.state
    over = json.loads(messages(room)[0])
    assert (over["phase"], bool(over["outcome"]["says"])) == ("over", True)


@every_kind
def test_each_seat_wins_some_of_the_games_of_a_night(kind):
    """Whoever won before, the next game has the same people, and a headline for its winner."""
    room, chance = room_of(*NAMES[: kind.players[0]], kind=kind), Random(5)
    won = set()
    for _ in range(MOST_GAMES):
        play_on(room, chance)
        winners = room.game.outcome(room.play.state).winners
        headline = json.loads(messages(room)[0])["headline"]
        assert all(NAMES[seat] in headline for seat in winners), headline
        won.update(winners)
        if len(won) == len(room.people):
            return
        room.again()
        room.start()
    raise AssertionError(f"only {won} have won in {MOST_GAMES} games")


@every_kind
def test_answers_that_waited_are_as_good_as_those_in_turn(kind):
    """Where several are asked the same, all but the first seal; the game goes the same way."""
    chance = Random(3)

    def asked(seat):
        view = in_turn.game.view(in_turn.play.state, seat)
        return in_turn.game.decision(view, seat, NAMES)

    in_turn, sealed = (room_of(*NAMES[: kind.players[-1]], kind=kind) for _ in range(2))
    for _ in range(150):
        if in_turn.phase != "play":
            break
        deciding = list(in_turn.play.deciding())
        chosen, first = {}, {seat: asked(seat) for seat in deciding}
        for _ in deciding:
            seat = in_turn.game.to_decide(in_turn.play.state)
            if seat not in deciding or seat in chosen or asked(seat) != first[seat]:
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
