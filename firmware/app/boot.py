"""Runs before main.py, and alone when mpremote takes over; stops a watchdog that still runs."""

from machine import mem32

mem32[0x4005B000] = 1 << 30  # clears ENABLE of WATCHDOG_CTRL, which a soft reset does not
