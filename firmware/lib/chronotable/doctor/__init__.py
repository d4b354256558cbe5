"""The doctor: a wizard that leads a person through every reed, LED and button of a table.

It is pure: raw edges of cells and the time in ms come in, lamps by place in the LED chain and
messages go out. Only the firmware's mode `doctor` loads it. `wizard` is the machine; each step is a
file of its own: a generator that is gone on with whenever something may have happened.
"""
