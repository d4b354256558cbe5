"""The program: `chronotable`, and `python -m chronotable_host`.

Ctrl-C ends it quietly from the first moment on, while its modules are still being loaded. So does
SIGTERM, as a service manager or a closing session sends it: what a command does to be left tidy
when it is interrupted (temporary folders, ports, records) is done then, too.
"""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

_INTERRUPTED = 130


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not end the tidying up
    raise KeyboardInterrupt


def _open_closed() -> None:
    """Have what a shell has closed, as by `>&-`, read nothing or write nowhere.

    Otherwise the next file that is opened takes its place, and has what is printed written into it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for good


def main() -> NoReturn:
    """Run the command of the process's arguments and exit."""
    try:
        _open_closed()
        signal.signal(signal.SIGTERM, _interrupt)
        from chronotable_host.cli import run  # noqa: PLC0415 - most of the time of a start

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
