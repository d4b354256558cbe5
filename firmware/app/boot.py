"""Runs before main.py, and alone when mpremote takes over: no old watchdog is left running."""

from machine import mem32

mem32[0x4005B000] = 1 << 30  # clears ENABLE of WATCHDOG_CTRL, which a soft reset does not
