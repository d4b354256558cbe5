"""Invitations: where two tables meet, and the words that only they know.

Nine words of any language, told as a link or one by one. They are the secret of a room: what it is
called at the broker, and what its messages are sealed with, comes from them alone. Words are chosen
so that they carry a check: a mistyped one is noticed, and not waited with for ever.
"""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_far.broker.sealing import KEY_BYTES, derived
from chronotable_far.entries import ENDS, INVITER, JOINER, cleaned_line
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_n
from chronotable_host.language.names import CODE_WORDS

SCHEME = "chronotable"
OWN_SCHEME = f"{SCHEME}-own"
"""Begins the link by which who invited goes on at another computer."""
WORDS_OF_ROOM = 9

_KINDS = ("mqtt", "mqtts", "ws", "wss")
_ROOM_BYTES = 16
_CHECKS = 256  # one code in so many carries its check
_SALT = b"chronotable far 1"
_COST, _BLOCK = 1 << 15, 8  # of scrypt: 32 MB, and a tenth of a second
_QUOTED = 40
_LETTERS = re.compile(r"[^\W\d_]+")
_WRAPPED = "<>\"'`„“”«»()[],.;\u201a\u2018\u2019"  # what mail and chat put around a link
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})


class Invitation(NamedTuple):
    """The broker's URL, the words, and which end reads them. As text it has none of the words."""

    broker: str
    words: str
    end: str

    @property
    def address(self) -> BrokerAddress:
        """Where the broker is."""
        return parse_broker(self.broker)

    @property
    def link(self) -> str:
        """The whole invitation as one word, for a shell in quotes."""
        kind, _, place = self.broker.partition("://")
        return f"{SCHEME}://{place.partition('?')[0].rstrip('/')}/{kind}#{self.words}"

    @property
    def own_link(self) -> str:
        """The link by which the same end goes on at another computer."""
        own = self.link
        return own if self.end == JOINER else own.replace(SCHEME, OWN_SCHEME, 1)

    @property
    def room(self) -> str:
        """What the room is called at the broker."""
        return _secret_of(self.words)[0]

    @property
    def key(self) -> bytes:
        """What its messages are sealed with."""
        return _secret_of(self.words)[1]

    def of(self, end: str) -> "Invitation":
        """Return the same invitation for one of both ends."""
        return self._replace(end=end)

    def __repr__(self) -> str:
        """Return what may be printed."""
        return f"Invitation({self.address}, {self.end})"


def new_invitation(
    broker: str, choose: Callable[[Sequence[str]], str] = secrets.choice
) -> Invitation:
    """Return an invitation for the inviter; raises UserError where there can be no such broker."""
    words = [word for word in CODE_WORDS if not chapters.gives_away(word)]
    while True:
        code = "-".join(choose(words) for _ in range(WORDS_OF_ROOM))
        if _has_check(code):
            return Invitation(parse_broker(broker).url, code, INVITER)


def parse_invitation(text: str, broker: str | None = None, end: str = JOINER) -> Invitation:
    """Read a link, or the words and where the broker is; raises UserError.

    Any case will do, and anything between the words. A broker that is named beside a link is taken
    instead of the link's.
    """
    assert end in ENDS
    text = text.strip().strip(_WRAPPED).strip()
    scheme, slashes, rest = text.partition("://")
    if slashes:
        if scheme.strip().lower() != SCHEME:
            raise UserError(
                tr(
                    "'{text}' is no invitation; one begins with {scheme}://, or is nine words",
                    text=_quoted(scheme + slashes),
                    scheme=SCHEME,
                )
            )
        place, mark, text = rest.partition("#")
        if not mark:
            raise UserError(
                tr("this link has no words; copy all of it, with what stands behind the #")
            )
        broker = broker or _broker_of_link(place)
    if not broker:
        raise UserError(
            tr("nine words do not say where the broker is; name it with --broker, or use the link")
        )
    return Invitation(parse_broker(broker).url, _code(unquote(text)), end)


def typed_invitation(text: str, broker: str | None) -> Invitation:
    """Return the invitation of a link, which may be one's own, or of words; raises UserError."""
    scheme, slashes, rest = text.strip().partition("://")
    if slashes and scheme.strip().lower() == OWN_SCHEME:
        return parse_invitation(f"{SCHEME}://{rest}", broker, INVITER)
    return parse_invitation(text, broker, JOINER)


def _broker_of_link(place: str) -> str:
    place = "".join(place.split())  # a mail may have broken the line
    address, _, kind = place.rstrip("/").rpartition("/")
    if not address or kind.lower() not in _KINDS:
        raise UserError(
            tr("this link does not say where the broker is; copy all of it, or name --broker")
        )
    return f"{kind.lower()}://{address}"


def _code(text: str) -> str:
    """Return the words of a text as a room has them; raises UserError."""
    words = [_plain(word) for word in _LETTERS.findall(unicodedata.normalize("NFC", text))]
    if len(words) != WORDS_OF_ROOM:
        raise UserError(
            tr_n(
                "an invitation has nine words; there is {n}",
                "an invitation has nine words; there are {n}",
                len(words),
            )
        )
    code = "-".join(words)
    if not _has_check(code):
        strange = [word for word in words if word not in CODE_WORDS]
        if 1 <= len(strange) <= 2:
            raise UserError(
                tr(
                    "these are not the words of an invitation; is '{word}' spelled as it was told?",
                    word=_quoted(strange[0]),
                )
            )
        raise UserError(
            tr("these are not the words of an invitation; compare them, and their order, once more")
        )
    return code


def _plain(word: str) -> str:
    """Return a word in small letters without accents."""
    letters = unicodedata.normalize("NFKD", word.lower().translate(_UMLAUTS))
    return "".join(letter for letter in letters if letter.isalpha()).lower()


def _has_check(code: str) -> bool:
    return hashlib.sha256(code.encode()).digest()[0] % _CHECKS == 0


@lru_cache(maxsize=64)
def _secret_of(words: str) -> tuple[str, bytes]:
    """Return what a room is called, and its key."""
    most = 256 * _COST * _BLOCK
    cost = {"n": _COST, "r": _BLOCK, "p": 1, "maxmem": most, "dklen": KEY_BYTES}
    secret = hashlib.scrypt(words.encode(), salt=_SALT, **cost)
    return derived(secret, "room", _ROOM_BYTES).hex(), derived(secret, "messages")


def _quoted(text: str) -> str:
    return cleaned_line(text, _QUOTED)
