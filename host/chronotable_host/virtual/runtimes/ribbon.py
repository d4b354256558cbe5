"""The ribbon from the Pico to the switches: how fast a pad's pull-up brings one of its wires up."""

from __future__ import annotations

from math import log

RIBBON_PF = 330.0
"""The capacitance of one wire of the guide's ribbon: 3 m with 110 pF each."""

# RP2040 data sheet, pin electricals: the weakest pull-up, and what reads as high for certain
_PULL_UP_OHM = 80e3
_SUPPLY_V, _HIGH_V = 3.3, 2.0


def rise_us(wire_pf: float) -> float:
    """Return how long a pad's weakest pull-up needs to bring a wire from 0 V to a high level."""
    return _PULL_UP_OHM * wire_pf * 1e-6 * log(_SUPPLY_V / (_SUPPLY_V - _HIGH_V))
