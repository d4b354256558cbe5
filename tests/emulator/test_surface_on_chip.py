"""Games of a night on the emulated chip, by hands that see the lights alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable.core.surface import GONE_MS, SAID_MS
from chronotable.hardware.sensors import SENSORS, SPACES
from chronotable.lights.meanings import COPY
from chronotable_host.live.texts.light_names import NO_PC
from chronotable_host.virtual.table import RP2040
from tests.night.at_table import PLACES, night

pytestmark = pytest.mark.emulator

BOOT_MS = 3000
GONE = bytes(SPACES) + bytes([NO_PC]) * (SENSORS - SPACES)


@pytest.mark.parametrize(("name", "players"), [("timechase", 3), ("timemit", 2)])
def test_a_whole_game(image: Path, name: str, players: int) -> None:
    """No piece lies wrong when the lights are content; a wrong move now and then is led back."""
    with night(name, players, seed=4, runtime=RP2040, image=image) as here:
        here.waits(BOOT_MS)
        while True:
            here.follows(rough=True)
            assert here.lying == PLACES[name](here.state), here.says
            if here.is_over:
                break
            here.plays()
            here.waits(60)
        print(here.gestures, "gestures,", here.slips, "of them wrong")
        assert here.slips
        assert not here.at.heard("mismatch", "refused", "log")


def test_a_pc_that_is_gone_and_the_own_game_behind_it(image: Path) -> None:
    with night("timechase", 3, runtime=RP2040, image=image, set_up=True) as here:
        here.is_there = False
        here.waits(BOOT_MS)
        assert here.picture[0] == COPY
        own = sorted(here.lying)
        here.is_there = True
        here.follows()
        for _ in range(2):
            here.is_there = False
            here.waits(GONE_MS + 500)
            assert here.picture == GONE
            here.pc_comes_back()
            here.waits(500)
            assert here.lying == PLACES[here.name](here.state)
        here.is_there = False
        here.waits(GONE_MS + SAID_MS + 1000)
        for place in here.lying:
            here.at.table.lift(place)
            here.waits(300)
        for place in own:
            here.at.table.place(place)
            here.waits(300)
        here.waits(1500)
        assert here.at.mirror.table.phase == "turn"
        assert here.picture[0] == COPY
        assert not here.at.heard("mismatch", "refused", "log")
