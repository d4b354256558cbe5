"""Where a server listens: `--listen` read, and the socket bound."""

import errno
import ipaddress
import re
import socket

from chronotable_host.errors import UserError
from chronotable_host.fields import quoted
from chronotable_host.language import tr
from chronotable_host.limits import LOG

PORT = 8484
"""Tried first where no port is named."""
LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"

_KEPT_BYTES = 1 << 16  # of what is sent, by the system: what waits there gets stale
_MOST_PORT = 65535
_LISTEN = re.compile(r"(?:\[(?P<ipv6>[^]]*)\]|(?P<host>[^]:[]*))(?::(?P<port>[0-9]{1,5}))?")
_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")

_BIND_ERRORS = {
    errno.EADDRINUSE: tr("port {port} of {host} is in use; name another one, or end what uses it"),
    errno.EADDRNOTAVAIL: tr("{host} is no address of this machine"),
    errno.EACCES: tr("port {port} of {host} is not open to you; name one above 1023"),
}
_TRY_ANOTHER = (errno.EADDRINUSE, errno.EACCES)


def parse_listen(text: str) -> tuple[str, int]:
    """Return host and port of `HOST`, `HOST:PORT` or `:PORT`; the port is 0 where none is named.

    An IPv6 address with a port is in brackets; without a host it is every address of this machine.
    Raises UserError.
    """
    text = text.strip()
    parts = {"ipv6": text} if _is_address(text, 6) else _parts(text)
    host = parts.get("ipv6") or parts.get("host") or (EVERYWHERE if parts.get("port") else "")
    if parts.get("ipv6") is not None:
        is_good = _is_address(host, 6)
    else:
        is_good = _is_address(host, 4) or _NAME.fullmatch(host) is not None
    if not is_good:
        raise UserError(
            tr(
                "'{text}' is nothing to listen at; write HOST, HOST:PORT or :PORT, as {example}",
                text=quoted(text),
                example=f"{EVERYWHERE}:{PORT}",
            )
        )
    port = parts.get("port")
    if port is not None and not 1 <= int(port) <= _MOST_PORT:
        raise UserError(
            tr("'{text}': a port is a number from 1 to {most}", text=quoted(text), most=_MOST_PORT)
        )
    return host, int(port or 0)


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; with port 0 at PORT or, where that is taken, at any.

    Raises UserError.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise UserError(
            tr("'{host}' is no address, and no name known here", host=quoted(host))
        ) from error
    family, address = found[0][0], str(found[0][4][0])
    if port == 0:
        try:
            return _listen(family, address, PORT)
        except OSError as error:
            if error.errno not in _TRY_ANOTHER:
                raise _bind_problem(error, address, PORT) from error
            LOG.info(tr("port {port} is taken; this page is at another one", port=PORT))
    try:
        return _listen(family, address, port)
    except OSError as error:
        raise _bind_problem(error, address, port) from error


def _parts(text: str) -> dict[str, str | None]:
    match = _LISTEN.fullmatch(text)
    return {} if match is None else match.groupdict()


def _is_address(text: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(text).version == version and "%" not in text
    except ValueError:
        return False


def _listen(family: int, address: str, port: int) -> socket.socket:
    is_dual = (
        family == socket.AF_INET6
        and ipaddress.ip_address(address).is_unspecified
        and socket.has_dualstack_ipv6()
    )
    listening = socket.create_server((address, port), family=family, dualstack_ipv6=is_dual)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KEPT_BYTES)
    # asyncio does this for sockets that name their protocol, which those of create_server do not;
    # else the second part of an answer waits 40 ms for the client to acknowledge the first
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _bind_problem(error: OSError, host: str, port: int) -> UserError:
    problem = _BIND_ERRORS.get(
        error.errno or 0, tr("port {port} of {host} cannot be had: {reason}")
    )
    return UserError(problem.format(host=host, port=port, reason=error.strerror))
