"""Putting the firmware on a Pico: what is there, what will change, the steps, and the proof.

Two rules. The firmware that runs is not touched: the new one is written into the other folder (see
firmware/app/main.py) and named only when every byte of it was read back. And what a Pico says is
data: a line that is not expected ends the matter, it is not guessed at.
"""
