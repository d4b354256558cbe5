"""The link over a bad cable: nothing lost, nothing doubled, whatever happens.

Every random test takes its seed as a parameter, so that a failure prints it.
"""

import pytest

from chronotable.identity import HOST, TABLE
from chronotable.window import since
from tests import lanes, sweep
from tests.link.channel import LinkPair
from tests.link.ends import kind_of

SEEDS = range(sweep.size(2, 6))


def test_time_differences_wrap() -> None:
    assert since(5, 2**30 - 5) == 10
    assert since(2**30 + 5, 5) == 0
    assert since(4, 5) == 0
    assert since(7, 7) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_session_lives_through_the_wrap_of_the_clock(seed: int) -> None:
    pair = LinkPair(seed, start_ms=2**30 - 3000)
    busy(pair, 6000)
    settle(pair)
    assert pair.now_ms > 2**30
    assert [kind_of(event) for event in pair.host_events].count("connected") == 1


# -- the bad cable


def busy(pair: LinkPair, duration_ms: int) -> None:
    """Let both sides work for this time, now and then in a burst."""
    rng = pair.rng
    end = pair.now_ms + duration_ms
    while pair.now_ms < end:
        pair.step()
        dice = rng.random()
        if dice < 0.02:
            for _ in range(rng.choice((1, 1, 2, 10))):
                pair.post("edge", sensor=rng.randrange(54), closed=rng.randrange(2))
        elif dice < 0.025:
            pair.post("turn", turn_no=1, turn=rng.randrange(2**20), digest=3, understood="a")
        elif dice < 0.03:
            pair.post("guide", take="0" * 14, put="f" * 14, why=rng.randrange(256))
        elif dice < 0.04:
            pair.show("leds", leds=rng.choice("0abc-") * 45)
        elif dice < 0.045:
            pair.show("about", firmware=str(rng.random()), micropython="1")
        elif dice < 0.05 and len(pair.host._backlog.commands) < 8:
            pair.command()


def settle(pair: LinkPair) -> None:
    """Let the cable be good and everybody quiet, then look at the truth."""
    pair.set_faults(0.0)
    pair.host_stalls_until = pair.table_stalls_until = 0
    if not pair.is_plugged:
        pair.plug()
    pair.run(8000)
    pair.check()


FAULTS = {
    "none": (0.0,),
    "flips": (0.001,),
    "drops": (0.0, 0.1),
    "doubles": (0.0, 0.0, 0.2),
    "cuts": (0.0, 0.0, 0.0, 0.1),
    "garbage": (0.0, 0.0, 0.0, 0.0, 0.1),
    "awful": (0.003, 0.1, 0.1, 0.05, 0.05),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("faults", FAULTS)
def test_a_bad_cable(faults: str, seed: int) -> None:
    pair = LinkPair(seed)
    pair.set_faults(*FAULTS[faults])
    busy(pair, 15000)
    settle(pair)
    assert pair.sent and len(pair.boots) == 1
    if faults == "none":
        for link in (pair.host, pair.table):
            assert all(count == 0 for name, count in link.counters.items() if name != "gaps"), (
                link.counters
            )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stall_ms", [500, 30000])
@pytest.mark.parametrize("who", [HOST, TABLE])
def test_one_side_stalls(who: str, stall_ms: int, seed: int) -> None:
    pair = LinkPair(seed)
    pair.set_faults(0.001)
    for _ in range(2):
        busy(pair, 1500)
        if who == HOST:
            pair.host_stalls_until = pair.now_ms + stall_ms
        else:
            pair.table_stalls_until = pair.now_ms + stall_ms
        busy(pair, stall_ms if stall_ms < 1000 else 6000)
        pair.run(stall_ms)
    settle(pair)


@pytest.mark.parametrize("seed", SEEDS)
def test_unplugged_again_and_again(seed: int) -> None:
    pair = LinkPair(seed)
    for _ in range(12):
        pair.set_faults(0.001, 0.02, 0.02)
        busy(pair, pair.rng.randrange(2000))
        pair.unplug()
        busy(pair, pair.rng.choice((10, 500, 4000)))
        pair.plug()
    settle(pair)


SCRIPT = (
    ("game", {"position": "0" * 29, "options": 0, "game_id": 7}),
    ("edge", {"sensor": 3, "closed": 0}),
    ("edge", {"sensor": 4, "closed": 1}),
    ("provisional", {"turn": 1}),
    ("turn", {"turn_no": 1, "turn": 1, "digest": 2, "understood": "c"}),
    ("taken_back", {"turn_no": 1}),
    ("over", {"winner": "w", "by": "r"}),
)


def play_scripted(pair: LinkPair) -> None:
    """Let a short game pass, with lines both ways."""
    for name, values in SCRIPT:
        pair.post(name, **values)
        pair.show("leds", leds="0a"[len(pair.sent) % 2] * 45)
        pair.command()
        pair.run(30)


def scripted_bytes() -> "list[int]":
    """Return how many bytes the scripted game sends to the PC and to the table."""
    pair = LinkPair(1)
    play_scripted(pair)
    return [wire.carried for wire in (pair.to_host, pair.to_table)]


@lanes.gate
@pytest.mark.parametrize("way", ["to_host", "to_table"])
def test_the_cable_is_pulled_at_every_byte(way: str) -> None:
    count = scripted_bytes()[way == "to_table"]
    assert count > 200
    for offset in sweep.some(range(count), count // 5):
        pair = LinkPair(1)
        wire = getattr(pair, way)
        wire.limit = offset
        play_scripted(pair)
        assert wire.is_torn, f"offset {offset}"
        wire.limit, wire.is_torn = None, False
        pair.unplug()
        pair.run(50)
        pair.plug()
        pair.run(1500)
        try:
            pair.check()
        except AssertionError as error:
            raise AssertionError(f"offset {offset}") from error


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_restarts(seed: int) -> None:
    pair = LinkPair(seed)
    for _ in range(8):
        pair.set_faults(0.001)
        busy(pair, pair.rng.randrange(3000))
        pair.reboot()
    busy(pair, 1000)
    settle(pair)


@pytest.mark.parametrize("seed", range(sweep.size(8, 20)))
def test_everything_at_once(seed: int) -> None:
    pair = LinkPair(seed, start_ms=pair_start(seed))
    rng = pair.rng
    for _ in range(15):
        pair.set_faults(rng.choice((0, 0.001, 0.01)), rng.choice((0, 0.1)), rng.choice((0, 0.1)))
        busy(pair, rng.randrange(2000))
        dice = rng.randrange(6)
        if dice == 0:
            pair.reboot()
        elif dice == 1 and pair.is_plugged:
            pair.unplug()
        elif not pair.is_plugged:
            pair.plug()
        elif dice == 2:
            pair.host_stalls_until = pair.now_ms + rng.choice((500, 4000))
        elif dice == 3:
            pair.table_stalls_until = pair.now_ms + rng.choice((100, 4000))
    settle(pair)


def pair_start(seed: int) -> int:
    """Return a start time; some lie just before the device's clock wraps."""
    return 2**30 - 5000 if seed % 3 == 0 else seed
