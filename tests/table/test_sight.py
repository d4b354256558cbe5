"""What a person makes of lights: rhythms are known after a second, wherever it begins."""

from __future__ import annotations

import pytest

from chronotable.doctor import lamps
from chronotable.hardware.sensors import SENSORS
from chronotable_host.virtual.faulty.eyes import BLINKING, BREATHING, LOOK_MS, STEADY, look
from chronotable_host.virtual.faulty.table import View

FRAME_MS = 50
RHYTHMS = {lamps.WHITE: STEADY, lamps.BREATH: BREATHING, lamps.BLINK: BLINKING}


def seen(lamp: int, from_ms: int, dark_ms: int = 0) -> list[View]:
    """The frames of a second at which one LED is looked at, dark in the beginning."""
    views = []
    for at_ms in range(from_ms, from_ms + int(LOOK_MS), FRAME_MS):
        lit = bytearray(SENSORS)
        lit[0] = lamp if at_ms - from_ms >= dark_ms else lamps.OFF
        frame = bytearray(3 * SENSORS)
        lamps.fill(lit, "RGB", at_ms, 10_000, frame)
        lights = [tuple(frame[3 * at : 3 * at + 3]) for at in range(SENSORS)]
        views.append(View(at_ms, lights))
    return views


@pytest.mark.parametrize("from_ms", range(0, 1024, 64))
@pytest.mark.parametrize("lamp", RHYTHMS)
def test_a_rhythm_is_known_wherever_the_look_begins(lamp: int, from_ms: int) -> None:
    assert look(seen(lamp, from_ms))[0].rhythm == RHYTHMS[lamp]


@pytest.mark.parametrize("from_ms", range(0, 1024, 64))
@pytest.mark.parametrize("lamp", [lamps.WHITE, lamps.BREATH])
def test_a_light_that_comes_on_does_not_blink(lamp: int, from_ms: int) -> None:
    assert look(seen(lamp, from_ms, 200))[0].rhythm == RHYTHMS[lamp]
