"""What the firmware of a virtual table runs on: CPython, or an emulated RP2040."""
