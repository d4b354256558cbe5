"""The ring of events against a list: whatever is told, however long, the latest are all there."""

from random import Random

import pytest

from chronotable.link.messages import EVENT_FIELDS
from chronotable.link.ring import _RING_BYTES, EventRing

LONGEST = 44


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_is_what_was_told(seed: int) -> None:
    rng = Random(seed)
    ring, told = EventRing(), []
    letter = next(iter(EVENT_FIELDS))
    for number in range(1, 2500):
        text = "x" * rng.choice((rng.randint(0, LONGEST), rng.randint(0, 3)))
        told.append(f"{letter}{number:04x}{rng.getrandbits(32):08x}{text}")
        ring.append(letter, told[-1][1:])
        assert ring._used <= _RING_BYTES
        if rng.random() < 0.1:
            kept = (ring.next_number - ring._oldest) & 0xFFFF
            ring.rewind(number - kept)
            assert [ring.take() for _ in range(kept)] == told[-kept:], (seed, number)
            assert not ring.has_next()
