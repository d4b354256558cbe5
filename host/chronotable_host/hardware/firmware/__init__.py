"""The firmware as the PC has it: its files, compiled, their manifest, and UF2 images."""
