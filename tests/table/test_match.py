"""The comparing loops against slow and obvious versions, on random positions and observations."""

from array import array

from chronotable.core.match import (
    COUNTED,
    MAGNETS,
    OCCUPIED,
    POPULATION,
    TOUCHED,
    TRUSTED,
    best_exact,
    clear,
    compare,
    lies_there,
    nearest,
    needed,
    observation,
    paint_actions,
    paint_difference,
    rival,
)
from chronotable.lights.hints import ALL_EFFECTS, MEANINGS
from tests.table.tools import ON_CHIP, Dice, popcount, random_state, sample
from ttykm import layout
from ttykm.layout import (
    ACTIVE,
    BARRED,
    COMPLETE,
    EFFECTS,
    GONE,
    PARENT,
    RECORD_WORDS,
    SEQUENCE,
    STATUS,
    TARGET,
)
from ttykm.turns import TurnTree

SEEDS = sample(40, 4)
COPIES = sample(11, 4)
TABLE = TurnTree()
MOVE, PUSH, SQUISH, PARADOX, OWN_DEATH, FORWARD, BACK = 7, 8, 9, 10, 11, 6, 5
COPY, LIFTED, TODO_TAKE, PUT_WHITE, PUT_BLACK = 2, 3, 13, 19, 20


class Record:
    """One record in friendly words: sets of places."""

    def __init__(self, tree, index):
        words = tree.records[index * RECORD_WORDS : (index + 1) * RECORD_WORDS]
        root = tree.records[:RECORD_WORDS]
        self.words = words
        self.position = list(words[:7])
        self.lies = places(words, 0, root, 0, lambda a, b: a)
        self.changed = {
            place for place in range(48) if colours(words, place) != colours(root, place)
        }
        self.touched = {
            place for place in range(48) if words[11 + (place >> 4)] >> (place & 15) & 1
        }
        self.barred = bool(words[STATUS] & BARRED)
        self.whole = bool(words[STATUS] & COMPLETE)


def colours(words, place):
    era, space = place >> 4, place & 15
    return words[era] >> space & 1, words[3 + era] >> space & 1


def places(words, *_):
    return {place for place in range(48) if colours(words, place) != (0, 0)}


def in_masks(seen, first):
    return {place for place in range(48) if seen[first + (place >> 4)] >> (place & 15) & 1}


def scene(seed):
    """Return a table, its records and an observation near one of them."""
    dice = Dice(seed)
    tree = TABLE
    state = random_state(dice, COPIES)
    era, bit = layout.focus(state, layout.mover(state)), 1 << dice.roll(16)
    if not (state[era] | state[3 + era]) & bit:
        state[3 * layout.mover(state) + era] |= bit  # somebody to act
    tree.build(state, dice.roll(2) * layout.STRICT_TWO_ACTIONS)
    records = [Record(tree, index) for index in range(tree.end)]
    seen = observation()
    target = dice.pick(records)
    for place in target.lies:
        seen[OCCUPIED + (place >> 4)] |= 1 << (place & 15)
    for place in target.changed if dice.roll(4) else target.touched | target.changed:
        seen[TOUCHED + (place >> 4)] |= 1 << (place & 15)
    for _ in range(dice.roll(3)):  # a reed more or less
        place = dice.roll(48)
        seen[dice.pick((OCCUPIED, TOUCHED)) + (place >> 4)] ^= 1 << (place & 15)
    for era in range(3):
        seen[COUNTED + era] = seen[TOUCHED + era]
    if dice.roll(2):  # a brushed space, and one that cannot be felt
        place = dice.roll(48)
        seen[COUNTED + (place >> 4)] &= ~(1 << (place & 15))
        place = dice.roll(48)
        seen[TRUSTED + (place >> 4)] &= ~(1 << (place & 15))
        seen[TOUCHED + (place >> 4)] |= 1 << (place & 15)
        seen[COUNTED + (place >> 4)] &= ~(1 << (place & 15))
    costs = bytearray(2 * tree.capacity)
    assert compare(tree.records, tree.objects, 0, 0, tree.end, seen, POPULATION, costs) == tree.end
    return dice, tree, records, seen, costs


def test_population():
    assert list(POPULATION) == [popcount(byte) for byte in range(256)]


def test_compare():
    for seed in range(SEEDS):
        _, tree, records, seen, costs = scene(seed)
        lies, touched = in_masks(seen, OCCUPIED), in_masks(seen, TOUCHED)
        counted, trusted = in_masks(seen, COUNTED), in_masks(seen, TRUSTED)
        for index in range(tree.end):
            record = records[index]
            where = (seed, index)
            if record.barred:
                expected = (255, 255)
            else:
                missed = len(record.changed - touched)
                needless = len(counted - record.changed - record.touched)
                differing = (record.lies ^ lies) & trusted
                expected = (len(differing), 16 * min(15, missed) + min(15, needless))
            assert (costs[2 * index], costs[2 * index + 1]) == expected, where


def test_compare_counts_to_fifteen_and_no_further():
    tree = TABLE
    tree.build(layout.new_state())
    seen = observation()
    for era in range(3):
        seen[TOUCHED + era] = seen[COUNTED + era] = 0xFFFF
    costs = bytearray(2 * tree.capacity)
    compare(tree.records, tree.objects, 0, 0, tree.end, seen, POPULATION, costs)
    assert costs[0] == 6 and costs[1] == 15


def exact_ones(records, costs, whole):
    return [
        index
        for index in range(len(records))
        if costs[2 * index] == 0
        and costs[2 * index + 1] < 255
        and (records[index].whole or not whole)
    ]


def test_best_exact():
    found = 0
    for seed in range(SEEDS):
        dice, tree, records, _, costs = scene(seed)
        begin = dice.roll(tree.end)
        for whole in (0, 1):
            candidates = [i for i in exact_ones(records, costs, whole) if i >= begin]
            first = dice.roll(16)
            best = best_exact(tree.records, begin, tree.end, whole, costs, first)
            if candidates:
                found += 1
                ranks = []
                for index in candidates:
                    is_first = tree.records[index * 16 + layout.SEQUENCE] >> 12 == first
                    ranks.append((costs[2 * index + 1], not is_first, index))
                assert best == min(ranks)[2], seed
            else:
                assert best == -1, seed
    assert found or ON_CHIP


def test_rival():
    found = 0
    for seed in range(SEEDS * 4):
        dice, tree, records, seen, costs = scene(seed)
        if dice.roll(2):  # make it likelier that several lie there
            for word in range(3):
                seen[word] = tree.records[word] | tree.records[3 + word]
            compare(tree.records, tree.objects, 0, 0, tree.end, seen, POPULATION, costs)
        known = layout.new_state()  # an array of the right kind
        candidates = exact_ones(records, costs, True)
        taken = []
        for count in range(3):
            left = [
                i
                for i in candidates
                if not any(records[i].position == records[k].position for k in taken)
            ]
            other = rival(tree.records, tree.objects, 0, tree.end, known, count, costs)
            if not left:
                assert other == -1, (seed, count)
                break
            least = min([costs[2 * i + 1] for i in left])
            assert other == next(i for i in left if costs[2 * i + 1] == least), (seed, count)
            known[count] = other
            taken.append(other)
            found += count > 0
    assert found or ON_CHIP


def test_nearest():
    found = 0
    for seed in range(SEEDS):
        dice, tree, records, _, costs = scene(seed)
        begin = dice.roll(2)
        for whole in (0, 1):
            fitting = [
                i
                for i in range(begin, tree.end)
                if costs[2 * i] < 255
                and costs[2 * i + 1] % 16 == 0
                and (records[i].whole or not whole)
            ]
            expected = -1
            if fitting:
                found += 1
                least = min([costs[2 * i] for i in fitting])
                expected = next(i for i in fitting if costs[2 * i] == least)
            assert nearest(tree.records, begin, tree.end, whole, costs) == expected, seed
    assert found or ON_CHIP


def meaning_of(record, consequences):
    sequence = record.words[SEQUENCE]
    action = sequence & 63 or sequence >> 6 & 63
    if action > 4:
        return FORWARD if action == layout.FORWARD else BACK
    effects = record.words[EFFECTS] if consequences else 0
    for bit, meaning in (
        (layout.OWN_DEATH, OWN_DEATH),
        (layout.PARADOX, PARADOX),
        (layout.SQUISH, SQUISH),
        (layout.PUSH, PUSH),
    ):
        if effects & bit:
            return meaning
    return MOVE


def test_paint_actions():
    painted = 0
    for seed in range(SEEDS):
        dice, tree, records, seen, _ = scene(seed)
        if tree.firsts > 1 and dice.roll(2):  # what hints are for: one copy was lifted
            place = records[1 + dice.roll(tree.firsts - 1)].words[ACTIVE]
            for era in range(3):
                seen[COUNTED + era] = 1 << (place & 15) if era == place >> 4 else 0
        touched = in_masks(seen, COUNTED)
        if dice.roll(2):
            first, end, parents = tree.firsts, tree.seconds, range(1, tree.firsts)
        else:
            first, end, parents = tree.seconds, tree.end, range(tree.firsts, tree.seconds)
        if len(parents) == 0:
            continue
        parent = dice.pick(parents) if dice.roll(2) else -1
        consequences = dice.roll(2)
        leds, expected = bytearray(64), bytearray(64)
        fitting = []
        for index in range(first, end):
            record = records[index]
            source = record.words[PARENT]
            if record.barred or parent not in (-1, source):
                continue
            if touched - record.touched - record.changed:
                continue
            fitting.append(index)
            target, place = record.words[TARGET], records[source].words[ACTIVE]
            expected[target] = max(expected[target], meaning_of(record, consequences))
            if seen[OCCUPIED + (place >> 4)] >> (place & 15) & 1:
                expected[place] = max(expected[place], COPY)
        count = paint_actions(
            tree.records,
            tree.objects,
            0,
            first,
            end,
            parent,
            seen,
            leds,
            MEANINGS,
            ALL_EFFECTS * consequences,
        )
        assert count == (len(fitting) << 10 | (fitting[-1] if fitting else 0)), seed
        assert leds == expected, seed
        painted += len(fitting)
    assert painted


def test_paint_difference():
    for seed in range(SEEDS):
        dice, tree, records, seen, _ = scene(seed)
        index = dice.roll(tree.end)
        lies = in_masks(seen, OCCUPIED)
        for lifted in (0, 1):
            leds = bytearray([dice.roll(14) for _ in range(64)])
            expected = bytearray(leds)
            differing = (lies ^ records[index].lies) & in_masks(seen, TRUSTED)
            for place in differing:
                missing = place not in lies
                if lifted:
                    if missing and leds[place] < LIFTED:
                        expected[place] = LIFTED
                elif leds[place] < BACK:
                    white, _ = colours(records[index].words, place)
                    expected[place] = PUT_BLACK - white if missing else TODO_TAKE
            count = paint_difference(tree.records, tree.objects, 0, index, seen, leds, lifted)
            assert count == len(differing), seed
            assert leds == expected, seed


def test_the_meanings_are_those_of_the_list():
    from chronotable.lights import meanings  # noqa: PLC0415

    assert (meanings.MOVE, meanings.PUSH, meanings.SQUISH) == (MOVE, PUSH, SQUISH)
    assert (meanings.PARADOX, meanings.OWN_DEATH) == (PARADOX, OWN_DEATH)
    assert (meanings.FORWARD, meanings.BACK) == (FORWARD, BACK)
    assert (meanings.COPY, meanings.LIFTED) == (COPY, LIFTED)
    assert (meanings.TODO_PUT, meanings.TODO_TAKE) == (12, TODO_TAKE)
    assert (meanings.PUT_WHITE, meanings.PUT_BLACK) == (PUT_WHITE, PUT_BLACK)
    assert GONE == 63


def test_lies_there():
    for seed in range(SEEDS):
        _, tree, records, seen, _ = scene(seed)
        lies, trusted = in_masks(seen, OCCUPIED), in_masks(seen, TRUSTED)
        for index in range(tree.end):
            expected = not (records[index].lies ^ lies) & trusted
            assert lies_there(tree.records, tree.objects, 0, index, seen) == expected, (seed, index)


def test_clear():
    numbers = bytearray(range(64))
    assert clear(numbers, 60) == 60
    assert list(numbers) == [0] * 60 + [60, 61, 62, 63]


def test_needed():
    for seed in range(SEEDS):
        _, tree, records, _, _ = scene(seed)
        for index in range(tree.end):
            record = records[index]
            found = set()
            for era in range(3):
                mask = needed(tree.records, tree.objects, 0, index, era)
                found |= {16 * era + space for space in range(16) if mask >> space & 1}
            assert found == record.touched | record.changed, (seed, index)


def test_an_object_that_comes_or_goes_is_needed():
    records = array("H", [0] * (2 * RECORD_WORDS))
    objects = array("H", [0] * MAGNETS + [1, 2, 4] + [0] * MAGNETS + [1, 8, 4])
    assert [needed(records, objects, 1, 1, era) for era in range(3)] == [0, 2 | 8, 0]
