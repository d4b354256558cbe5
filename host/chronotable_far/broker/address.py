"""Where a broker is: `mqtt://`, `mqtts://`, `ws://` and `wss://` URLs, read and written.

One rule: a password is in the URL that connects or invites, and in nothing that is printed.
"""

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr

PORT, TLS_PORT = 1883, 8883
"""Where brokers listen, and where those with TLS do."""

_USUAL_PORTS = {"mqtt": PORT, "mqtts": TLS_PORT, "ws": 80, "wss": 443}

_MOST_PORT = 65535
_QUOTED = 40  # characters of a stranger's word in a sentence
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{0,9})://"
    r"(?:(?P<user>[^@/?#]{0,400})@)?"
    r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]{2,45})\]|(?P<host>[^]\[@:/?#\s]{1,255}))"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[^?#\s]{0,200})?"
    r"(?:\?(?P<query>[^#]{0,1000}))?"
)


class BrokerAddress(NamedTuple):
    """A broker, and as whom to come to it; `ca` is the file with the authority that it is of.

    One that is reached by WebSockets has a path, which begins with "/". As text it has no password.
    """

    host: str
    port: int
    has_tls: bool = False
    user: str = ""
    password: str = ""
    ca: str = ""
    path: str = ""

    @property
    def scheme(self) -> str:
        """How its URL begins."""
        return ("ws" if self.path else "mqtt") + ("s" if self.has_tls else "")

    @property
    def url(self) -> str:
        """The whole URL, password and all: to connect, and for links, never to print."""
        return self._url(quote(self.password, safe=""))

    @property
    def place(self) -> str:
        """Host and port, for sentences."""
        return f"{self._named_host}:{self.port}"

    def __str__(self) -> str:  # noqa: D105 - as the class says
        return self._url("***")

    def __repr__(self) -> str:  # noqa: D105
        return str(self)

    @property
    def _named_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    def _url(self, password: str) -> str:
        user = quote(self.user, safe="")
        user = f"{user}:{password}@" if self.password else f"{user}@" if user else ""
        port = "" if self.port == _USUAL_PORTS[self.scheme] else f":{self.port}"
        ca = f"?ca={quote(self.ca, safe='/')}" if self.ca else ""
        return f"{self.scheme}://{user}{self._named_host}{port}{self.path.rstrip('/')}{ca}"


def parse_broker(text: str) -> BrokerAddress:
    """Return the broker of a URL such as `mqtts://user:password@host:port?ca=FILE`.

    Raises UserError.
    """
    match = _URL.fullmatch(text.strip())
    scheme, path = (match["scheme"].lower(), match["path"] or "/") if match else ("", "")
    has_path = scheme.startswith("ws")
    if match is None or scheme not in _USUAL_PORTS or (path != "/" and not has_path):
        raise UserError(
            tr(
                "'{text}' is no broker; write mqtt://HOST, mqtts://USER:PASSWORD@HOST:PORT or "
                "wss://HOST/PATH",
                text=_without_password(text),
            )
        )
    has_tls = scheme in ("mqtts", "wss")
    port = int(match["port"] or _USUAL_PORTS[scheme])
    if not 1 <= port <= _MOST_PORT:
        raise UserError(
            tr(
                "'{text}': a port is a number from 1 to {most}",
                text=_without_password(text),
                most=_MOST_PORT,
            )
        )
    user, _, password = (match["user"] or "").partition(":")
    if password and not user:
        raise UserError(tr("'{text}' has a password but no user", text=_without_password(text)))
    ca = _authority(match["query"] or "", text)
    if ca and not has_tls:
        raise UserError(
            tr("'{text}': only mqtts:// has an authority (ca)", text=_without_password(text))
        )
    host, path = match["ipv6"] or match["host"], path.rstrip("/") or "/"
    at = unquote(user), unquote(password), ca, path if has_path else ""
    return BrokerAddress(host, port, has_tls, *at)


def _authority(query: str, text: str) -> str:
    """Return the file that `?ca=` names, "" for none."""
    values = dict(parse_qsl(query, keep_blank_values=True))
    ca = values.pop("ca", "")
    if values:
        raise UserError(
            tr(
                "'{text}': a broker's address can have ?ca=FILE, and nothing else there",
                text=_without_password(text),
            )
        )
    return str(Path(ca).expanduser()) if ca else ""


def _without_password(text: str) -> str:
    """Return what somebody wrote, for a sentence: whatever may be a password is left out."""
    scheme, slashes, rest = printable(text).rpartition("//")
    user, _, place = rest.rpartition("@")
    shown = f"{scheme}{slashes}***@{place}" if user else f"{scheme}{slashes}{place}"
    return shown if len(shown) <= _QUOTED else f"{shown[:_QUOTED]}..."
