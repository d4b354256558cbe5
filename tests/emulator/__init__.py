"""What the emulated RP2040 does: it proves the runtime first, then the firmware on it."""
