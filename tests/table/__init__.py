"""What the table makes of reeds: the machinery of firmware/lib/chronotable.

Modules that import nothing but it and ttykm also run on MicroPython, on the emulated chip
(tests/emulator/test_suite_on_chip.py): plain functions, plain asserts, no pytest.
"""
