"""What fits a line of the link: positions and sensors in hex digits, on both interpreters."""

from array import array

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable.link.packed import has_objects, pack_objects, pack_position, pack_sensors
from chronotable.link.unpacked import unpack_position
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.link.unpacking import unpack_sensors
from tests.table.tools import Dice, random_state, sample
from ttykm import layout, objects
from ttykm.game import Game, is_conserved

CAPACITY = sample(14000, 400)


def test_positions_come_back():
    for seed in range(sample(200, 20)):
        state = random_state(Dice(seed), 20)
        text = pack_position(state)
        assert len(text) == 29, seed
        assert list(unpack_position(text)) == list(state), seed


def test_wrong_positions_are_refused():
    good = pack_position(layout.new_state())
    for text in (
        good[:-1],
        good + "0",
        "x" + good[1:],
        good[:24] + "00800",  # a bit beyond the mover
        good[:24] + "000c0",  # white's focus in era 3
        "0001" * 6 + good[24:],  # two copies on one space
    ):
        try:
            unpack_position(text)
        except ValueError:
            continue
        raise AssertionError(text)


def random_positions(modules, seed, turns):
    """Yield the start of a set of modules, and what random turns make of it."""
    dice = Dice(100 * modules + seed)
    game = Game(8, CAPACITY)
    game.start(objects.new_state(modules, dice.roll(2)))
    for _ in range(turns):
        yield game.state
        legal = list(game.legal_turns())
        if not legal:
            break
        game.apply(dice.pick(legal))


def test_positions_with_modules_come_back():
    for modules in range(1, objects.ALL_MODULES + 1):
        for seed in range(sample(4, 1)):
            for state in random_positions(modules, seed, sample(40, 5)):
                text = pack_position(state)
                things = pack_objects(state, text)
                assert len(text) == 29, (modules, seed)
                assert (len(things) == 51) == has_objects(text), (modules, seed)
                assert unpack_position(text, things) == state, (modules, seed)
                assert is_conserved(state), (modules, seed)


def test_the_start_of_modules_needs_no_objects():
    for modules in range(objects.ALL_MODULES + 1):
        state = objects.new_state(modules)
        text = pack_position(state)
        assert not has_objects(text), modules
        assert pack_objects(state, text) == ""
        assert unpack_position(text, "f" * 51) == state, "whatever was laid before"


def moved(state):
    """Have the neutral statue of the past elsewhere, so that the objects are told apart."""
    objects.put(state, 0, 6, objects.NOTHING)
    objects.put(state, 0, 5, objects.STATUE)


def put(era, space, kind):
    return lambda state: objects.put(state, era, space, kind)


def hat_on_nobody(state):
    objects.put(state, 2, 3, objects.NOTHING)
    objects.put_hat(state, 2, 0, 1)


def two_hats_of_white(state):
    objects.put_hat(state, 1, 0, 0)
    objects.put_hat(state, 1, 1, 0)


def hat_of_a_third(state):
    objects.put_hat(state, 1, 0, 2)


def no_growth(state):
    objects.put(state, 1, 9, objects.TREE)
    set_modules(state, objects.INFLUENCE | objects.MEMORY)
    state[layout.META] &= ~(7 << objects.SEEDS_SHIFT) & 0xFFFF


def seeds_without_growth(state):
    set_modules(state, objects.INFLUENCE | objects.MEMORY)


def statues_without_influence(state):
    for era in range(3):
        for space in range(16):
            if objects.kind_at(state, era, space) >> 2 == objects.STATUE >> 2:
                objects.put(state, era, space, objects.NOTHING)
    set_modules(state, objects.GROWTH | objects.MEMORY)


def set_modules(state, modules):
    hats = layout.STATE_WORDS + objects.HATS
    state[hats] = state[hats] & 0xFFF | modules << objects.MODULES_SHIFT


UNSOUND = {
    "second statue": put(0, 9, objects.STATUE),
    "unknown statue": put(1, 9, objects.STATUE + 3),
    "unknown elephant": put(1, 9, objects.ELEPHANT + 2),
    "shrub on a copy": put(2, 0, objects.SHRUB),
    "tree without roots": put(2, 14, objects.FALLEN),  # it fell north, from a row that is none
    "hat on nobody": hat_on_nobody,
    "two hats of white": two_hats_of_white,
    "hat of a third": hat_of_a_third,
    "built and still held": put(0, 9, objects.STATUE + 1),
    "no growth": no_growth,
    "seeds without growth": seeds_without_growth,
    "statues without influence": statues_without_influence,
}


def is_refused(text, things):
    try:
        unpack_position(text, things)
    except ValueError:
        return True
    return False


def test_objects_that_cannot_be_are_refused():
    for name, spoil in UNSOUND.items():
        state = objects.new_state(objects.ALL_MODULES)
        moved(state)
        text = pack_position(state)
        assert unpack_position(text, pack_objects(state, text)) == state
        spoil(state)
        text = pack_position(state)
        assert is_refused(text, pack_objects(state, text)), name


def test_objects_that_are_missing_or_not_told_apart_are_refused():
    state = objects.new_state(objects.INFLUENCE)
    usual = pack_position(state)
    moved(state)
    text = pack_position(state)
    things = pack_objects(state, text)
    for wrong in ("", things[:-1], things + "0", "g" + things[1:], "-" + things[1:]):
        assert is_refused(text, wrong), wrong
    start = "".join([f"{word:04x}" for word in objects.new_state(2)[7:19]]) + "000"
    apart = usual[:24] + "%05x" % (int(usual[24:], 16) | 0x80000)
    assert is_refused(apart, start), "two texts for one position"
    assert is_refused(usual[:24] + "80000", things), "objects of no modules"


def test_a_box_has_so_many_of_each():
    def sixth_seed(state):
        objects.put(state, 0, 9, objects.SEED)

    def six_shrubs(state):
        for space in range(4, 10):
            objects.put(state, 1, space, objects.SHRUB)

    def six_trees(state):
        for space in range(8, 14):
            objects.put(state, 2, space, objects.TREE if space & 1 else objects.FALLEN + 2)

    for take in (sixth_seed, six_shrubs, six_trees):
        state = objects.new_state(objects.GROWTH | objects.INFLUENCE)
        if take in (six_shrubs, six_trees):
            for era in range(3):
                objects.put(state, era, 6, objects.NOTHING)
        take(state)
        text = pack_position(state)
        assert unpack_position(text, pack_objects(state, text)) == state, take
        assert not is_conserved(state), take
    eight = array("H", objects.new_state(objects.MEMORY))
    eight[0] |= 2
    assert not is_conserved(eight), "eight copies"


def test_sensors_come_back():
    for seed in range(sample(100, 10)):
        dice = Dice(seed)
        flags = bytearray([dice.roll(2) for _ in range(SENSORS)])
        text = pack_sensors(flags)
        assert len(text) == 14, seed
        assert unpack_sensors(text) == [s for s in range(SENSORS) if flags[s]], seed


def test_sensor_names_come_back():
    for sensor in range(64):
        assert parse_sensor(sensor_name(sensor)) == sensor
