"""The serial port of a table: its name, opening it, moving bytes. Nothing here waits.

One rule: whatever pyserial or the system says becomes a PortError, one sentence with what to do.
"""

import errno
import os
import re
import socket
import stat
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.language import tr

_BAUD = 115200  # USB does not care, but 1200 would restart some boards
_CHUNK = 4096
_MOST_BYTES = 1 << 16  # read at once: a device that never stops sending must not keep us reading
_WRITE_TIMEOUT_S = 0.2
_WINDOWS_NAME = re.compile(r"(?:[\\/]{2}[.?][\\/])?(COM[0-9]+):?", re.IGNORECASE)
_MAC_DIAL_IN = "/dev/tty."
_MAC_CALL_OUT = "/dev/cu."

_FAILURES: tuple[type[Exception], ...] = (
    OSError,
    ValueError,
    TypeError,
    LookupError,  # some of its code for error texts raises it
    ImportError,
)
try:
    import termios

    _FAILURES += (termios.error,)  # which is no OSError
except ImportError:  # Windows
    pass


class PortError(UserError):
    """A port cannot be found, opened or used any more."""


class PortInUseError(PortError):
    """Another program has the port open."""


class Port:
    """An open serial port; of `name` for messages."""

    def __init__(self, name: str, line: Any) -> None:
        self.name = name
        self.unsent = 0  # bytes that the device did not take in time
        self._line = line

    def read(self) -> bytes:
        """Return what has come, without waiting; raises PortError when the port is gone."""
        data = b""
        try:
            while len(data) < _MOST_BYTES:
                chunk = self._line.read(_CHUNK)
                data += chunk
                if not chunk:
                    break
        except _FAILURES as error:
            if not data:
                raise vanished(self.name) from error
        return data

    def write(self, data: bytes) -> None:
        """Send bytes; what a device that reads nothing leaves over is dropped: the link repeats it.

        Raises PortError when the port is gone.
        """
        import serial  # type: ignore[import-untyped] # noqa: PLC0415 - not every table has a port

        try:
            self._line.write(data)
        except serial.SerialTimeoutException:
            self.unsent += len(data)
        except _FAILURES as error:
            raise vanished(self.name) from error

    def close(self) -> None:
        """Close the port, also one that is gone."""
        inner = getattr(self._line, "_socket", None)
        try:
            self._line.close()
        except _FAILURES:
            pass  # it was gone already
        finally:
            if inner is not None:  # pyserial leaves it open when the other end hung up first
                inner.close()


def vanished(name: str) -> PortError:
    """Return what is raised where a port is gone."""
    return PortError(tr("{port} vanished: the cable was pulled or the table restarted", port=name))


def plain_name(name: str) -> str:
    """Return the name by which a port is opened and listed.

    On a Mac /dev/cu.X, where the person names /dev/tty.X, which is for being called; of the ways to
    write a port of Windows the plain one.
    """
    windows = _WINDOWS_NAME.fullmatch(name)
    if windows:
        return windows[1].upper()
    if name.startswith(_MAC_DIAL_IN):
        call_out = _MAC_CALL_OUT + name.removeprefix(_MAC_DIAL_IN)
        if os.path.exists(call_out):
            return call_out
    return name


def is_in_use(name: str) -> bool:
    """Tell whether another program has a port open; it is opened for that, and nothing is sent."""
    try:
        open_port(name).close()
    except PortInUseError:
        return True
    except PortError:
        pass
    return False


def open_port(name: str) -> Port:
    """Open a port by its name: a device, COM3, a pty, or any URL that pyserial knows.

    The other end sees that somebody listens (DTR). Raises PortError.
    """
    import serial  # noqa: PLC0415

    try:
        line = serial.serial_for_url(
            name, baudrate=_BAUD, timeout=0, write_timeout=_WRITE_TIMEOUT_S, exclusive=True
        )
        inner = getattr(line, "_socket", None)
        if isinstance(inner, socket.socket):  # lines of 64 bytes are not to wait for each other
            inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except _FAILURES as error:
        if _is_busy(error):
            raise PortInUseError(
                tr(
                    "{port} is in use: close the other program that has it open (another "
                    "`chronotable play`, a terminal, an editor for MicroPython; ModemManager lets "
                    "go after some seconds)",
                    port=name,
                )
            ) from error
        raise PortError(_why_not(name, error)) from error
    return Port(name, line)


def _is_busy(error: Exception) -> bool:
    """Tell whether a port cannot be opened because another program has it.

    Windows calls it no permission, and pyserial hands on no number of it.
    """
    number = _errno(error) or _errno(error.__context__)
    return number in (errno.EBUSY, errno.EAGAIN) or "PermissionError(13" in str(error)


def _why_not(name: str, error: Exception) -> str:
    """Return the sentence about a port that cannot be opened, and what to do."""
    number = _errno(error) or _errno(error.__context__)
    text = str(error)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in text:
        return tr(
            "{port} does not exist: is the table plugged in? `--port auto` looks for it", port=name
        )
    if number in (errno.EACCES, errno.EPERM):
        return tr("{port} may not be opened by you: {advice}", port=name, advice=_permission(name))
    if number == errno.ECONNREFUSED:
        return tr("{port} does not answer: no table is served there", port=name)
    if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR) and "://" not in name:
        return tr("{port} is no serial port", port=name)
    reason = getattr(error, "strerror", None) or text
    if "://" in name:
        return tr("{port} cannot be opened: {reason}", port=name, reason=reason)
    return tr(
        "{port} cannot be opened: {reason}; pull the table's cable and plug it in again",
        port=name,
        reason=reason,
    )


def _errno(error: BaseException | None) -> int:
    """Return the number of the system's error, 0 where there is none."""
    number = getattr(error, "errno", None) or next(iter(getattr(error, "args", ())), None)
    return number if isinstance(number, int) else 0


def _permission(name: str) -> str:
    """Return how to get the permission for a device."""
    try:
        info = os.stat(name)
        if os.name == "posix" and stat.S_ISCHR(info.st_mode):
            import grp  # noqa: PLC0415 - Windows has none

            group = grp.getgrgid(info.st_gid).gr_name
            if group != "root":
                return tr(
                    "it belongs to the group {group}; join it with `{command}` and log in again",
                    group=group,
                    command=f"sudo usermod -a -G {group} $USER",
                )
    except (OSError, KeyError):
        pass
    return tr("ask for the permission to read and write it")
