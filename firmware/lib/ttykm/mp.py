"""MicroPython's names on CPython, so that one source serves both.

On the device the compiler itself knows `@micropython.viper` and the pointer types of a viper
function's signature; nothing here runs in a hot path. On CPython the decorators return the
function as it is and a pointer is the buffer that was passed.
"""

ptr8 = ptr16 = ptr32 = object

try:
    import micropython
    from micropython import const
except ImportError:

    class micropython:
        """Stand-in for the module of the same name."""

        @staticmethod
        def viper(function):
            """Return the function: CPython runs it as plain Python."""
            return function

    def const(value):
        """Return the value: MicroPython folds it at compile time."""
        return value

    def ptr32(buffer):
        """Return the words of a buffer of bytes."""
        return memoryview(buffer).cast("I")
