"""The table's machinery, for MicroPython and CPython alike: bytes and times in, bytes out."""
