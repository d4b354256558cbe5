"""The chips that the firmware is made for: what each has alone stands in a file of the firmware."""

from collections.abc import Mapping
from types import ModuleType

from chronotable.hardware import rp2040, rp2350
from chronotable_host.language import tr

RP2040, RP2350 = "rp2040", "rp2350"
"""As a board file names them, in `mcu`."""

CHIPS: Mapping[str, ModuleType] = {RP2040: rp2040, RP2350: rp2350}


def chip_of(machine: str) -> str:
    """Return the chip of what MicroPython calls a board, "" for one that we do not know."""
    return next((name for name in CHIPS if machine.endswith(f" with {name.upper()}")), "")


def untried(chip: str) -> list[str]:
    """Return what is to be said wherever a chip is offered that nobody has tried."""
    if chip != RP2350:
        return []
    return [tr("Untried on hardware: what is known of the RP2350 is from its data sheet alone.")]
