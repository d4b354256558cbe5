"""Where a server listens: `--listen` read, and the socket bound; and what others call this machine.

One rule: who we are is asked of this machine alone; nothing is sent to find it out.
"""

import contextlib
import errno
import ipaddress
import re
import socket
from collections.abc import Iterator

import psutil

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


# ---- how others in the network call this machine

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses for documentation, and private ones: which way would the system go to reach them?
_FAR = {
    socket.AF_INET: ("203.0.113.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
_DISCARD_PORT = 9
_WITHIN = ("br-", "docker", "vboxnet", "veth", "virbr", "vmnet")
"""How interfaces begin that lead to nothing but this machine's own guests."""


def lan_addresses(ipv6: bool = False) -> list[Address]:
    """Return the addresses of all interfaces, at which others may find us, the likeliest first.

    A tunnel leads away from the house, whatever the system would rather send through it: whoever
    sits at the same table is found by an interface that is none.
    """
    families = [socket.AF_INET, *([socket.AF_INET6] if ipv6 else [])]
    used = [each for family in families for each in _towards_far(family)]
    states = psutil.net_if_stats()
    found: dict[str, tuple[bool, bool, bool, int]] = {}
    for name, addresses in psutil.net_if_addrs().items():
        if name in states and not states[name].isup:
            continue
        is_tunnel = name in states and "pointopoint" in states[name].flags.split(",")
        for family, text in ((each.family, each.address) for each in addresses):
            if family not in families:
                continue
            rank = used.index(text) if text in used else len(used)
            is_public = not ipaddress.ip_address(text.partition("%")[0]).is_private
            found[text] = name.startswith(_WITHIN), is_tunnel, is_public, rank
    for rank, text in enumerate(used):
        found.setdefault(text, (False, False, False, rank))
    ordered = [ipaddress.ip_address(each) for each in sorted(found, key=lambda each: found[each])]
    return [each for each in ordered if not (each.is_loopback or each.is_link_local)]


def in_url(address: Address) -> str:
    """Return an address as links have it."""
    return f"[{address}]" if address.version == 6 else str(address)


def _towards_far(family: socket.AddressFamily) -> Iterator[str]:
    """Yield our own addresses on the way to far ones; a datagram socket sends nothing for that."""
    for far in _FAR[family]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((far, _DISCARD_PORT))
            yield asked.getsockname()[0]
