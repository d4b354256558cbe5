"""MQTT's packets as a stranger sends them: whole ones, and what they name; all else is none.

Of 3.1.1 what our clients send: a session that ends with its connection, and no reserved bit.
"""

from __future__ import annotations

from typing import NamedTuple

CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE = 1, 3, 8, 10

_ACKNOWLEDGEMENTS = (0x40, 0x50, 0x62, 0x70)
_PING, _LEAVE = 0xC0, 0xE0
_MOST_LENGTH_BYTES = 4
_VERSION = 4
_CLEAN, _WILL, _PASSWORD, _USER = 2, 4, 64, 128
_MOST_QOS = 2
_MOST_TOPIC = 256  # characters, several times what ours have


class BadPacketError(Exception):
    """What came is no packet, or not one that a client sends."""


class Packet(NamedTuple):
    """What kind it is, the topics or filters that it names, and a client's seconds to be heard of.

    A last will names one, too. Without a bound `alive_s` is 0.
    """

    kind: int
    topics: list[str]
    alive_s: int = 0


def size_of(received: bytes | bytearray, most: int) -> int:
    """Return how many bytes the first packet has, 0 where that is not known yet.

    Raises BadPacketError, also for more than `most`.
    """
    size = 0
    for at in range(1, 1 + _MOST_LENGTH_BYTES):
        if at >= len(received):
            return 0
        size |= (received[at] & 0x7F) << (7 * (at - 1))
        if size > most:
            raise BadPacketError
        if received[at] < 0x80:
            return 1 + at + size
    raise BadPacketError


def read_packet(packet: bytes) -> Packet:
    """Read a whole packet; raises BadPacketError."""
    head = packet[0]
    rest = _Rest(packet, 1)
    while rest.take(1)[0] >= 0x80:  # its length goes on
        pass
    kind = head >> 4
    topics: list[str] = []
    alive_s = 0
    if head == CONNECT << 4:
        topics, alive_s = _read_connect(rest)
    elif kind == PUBLISH and (qos := head >> 1 & 3) <= _MOST_QOS:
        topics = [rest.topic()]
        if qos:
            rest.number()
        if not topics[0] or set("+#") & set(topics[0]):
            raise BadPacketError
        return Packet(kind, topics)
    elif head in (SUBSCRIBE << 4 | 2, UNSUBSCRIBE << 4 | 2):
        rest.number()
        while not topics or not rest.is_over:
            topics.append(rest.topic())
            if kind == SUBSCRIBE and rest.take(1)[0] > _MOST_QOS:
                raise BadPacketError
    elif head in _ACKNOWLEDGEMENTS:
        rest.number()
    elif head not in (_PING, _LEAVE):
        raise BadPacketError
    if not rest.is_over:
        raise BadPacketError
    return Packet(kind, topics, alive_s)


def _read_connect(rest: _Rest) -> tuple[list[str], int]:
    name, (version, flags) = rest.text(), rest.take(2)
    if (name, version) != ("MQTT", _VERSION) or flags & 1 or not flags & _CLEAN:
        raise BadPacketError
    alive_s = rest.number()
    rest.text()
    topics = []
    if flags & _WILL:
        topics.append(rest.topic())
        rest.take(rest.number())
        if flags >> 3 & 3 > _MOST_QOS or not topics[0] or set("+#") & set(topics[0]):
            raise BadPacketError
    for flag in (_USER, _PASSWORD):
        if flags & flag:
            rest.text()
    return topics, alive_s


class _Rest:
    """What is still to be read of a packet."""

    def __init__(self, packet: bytes, at: int) -> None:
        self._packet = packet
        self._at = at

    @property
    def is_over(self) -> bool:
        return self._at == len(self._packet)

    def take(self, count: int) -> bytes:
        taken = self._packet[self._at : self._at + count]
        if len(taken) < count:
            raise BadPacketError
        self._at += count
        return taken

    def number(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def topic(self) -> str:
        if len(topic := self.text()) > _MOST_TOPIC:
            raise BadPacketError
        return topic

    def text(self) -> str:
        try:
            text = self.take(self.number()).decode()
        except UnicodeDecodeError as error:
            raise BadPacketError from error
        if "\0" in text:
            raise BadPacketError
        return text
