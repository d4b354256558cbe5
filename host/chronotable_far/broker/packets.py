"""MQTT's packets: whole ones as a stranger sends them, all else is none; and the answers to them.

Of 3.1.1 what our clients send: a session that ends with its connection, no message that is to come
exactly once, and no reserved bit.
"""

import io
from typing import NamedTuple

CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING, LEAVE = 1, 3, 8, 10, 12, 14

ACCEPTED, OTHER_VERSION = b"\x20\x02\0\0", b"\x20\x02\0\1"
PONG = b"\xd0\0"

_MOST_LENGTH_BYTES = 4
_VERSION = 4
_CLEAN, _WILL, _RETAIN, _PASSWORD, _USER = 2, 4, 32, 64, 128
_MOST_QOS = 2
_MOST_TOPIC = 256  # characters, several times what ours have


class BadPacketError(Exception):
    """What came is no packet, or not one that a client sends; its argument is an answer to that."""


class Packet(NamedTuple):
    """What kind it is, the topics or filters that it names, and its number if it has one.

    CONNECT has a client's seconds to be heard of, 0 for no bound, and its last will, if that names
    a topic: what is to be published as if it came in a PUBLISH.
    """

    kind: int
    topics: list[str]
    number: int = 0
    payload: bytes = b""
    is_retained: bool = False
    alive_s: int = 0


def published(topic: str, payload: bytes, is_retained: bool) -> bytes:
    """Return a message for a subscriber: sent once, for its line loses nothing while it lasts."""
    name = topic.encode()
    return _written(PUBLISH << 4 | is_retained, len(name).to_bytes(2, "big") + name + payload)


def acknowledged(packet: Packet) -> bytes:
    """Return the answer to what has a number."""
    codes = bytes(len(packet.topics)) if packet.kind == SUBSCRIBE else b""
    return _written((packet.kind + 1) << 4, packet.number.to_bytes(2, "big") + codes)


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
    kind = head >> 4
    rest = _Rest(packet)
    rest.read(1)
    while rest.take(1)[0] >= 0x80:  # its length goes on
        pass
    if head == CONNECT << 4:
        read = _read_connect(rest)
    elif kind == PUBLISH and (qos := head >> 1 & 3) < _MOST_QOS:
        topic = rest.topic()
        read = Packet(kind, [topic], rest.number() if qos else 0, rest.read(), bool(head & 1))
    elif head in (SUBSCRIBE << 4 | 2, UNSUBSCRIBE << 4 | 2):
        read = Packet(kind, [], rest.number())
        while not read.topics or rest.tell() < len(packet):
            read.topics.append(rest.filter())
            if kind == SUBSCRIBE and rest.take(1)[0] > _MOST_QOS:
                raise BadPacketError
    elif head in (PING << 4, LEAVE << 4):
        read = Packet(kind, [])
    else:
        raise BadPacketError
    if rest.read():
        raise BadPacketError
    return read


def _read_connect(rest: "_Rest") -> Packet:
    name, (version, flags) = rest.text(), rest.take(2)
    if (name, version) != ("MQTT", _VERSION):
        raise BadPacketError(OTHER_VERSION if name in ("MQTT", "MQIsdp") else b"")
    if flags & 1 or not flags & _CLEAN or flags >> 3 & 3 > _MOST_QOS:
        raise BadPacketError
    read = Packet(CONNECT, [], alive_s=rest.number())
    rest.text()
    if flags & _WILL:
        topic, payload = rest.topic(), rest.take(rest.number())
        read = read._replace(topics=[topic], payload=payload, is_retained=bool(flags & _RETAIN))
    for flag in (_USER, _PASSWORD):
        if flags & flag:
            rest.take(rest.number())
    return read


def _written(head: int, body: bytes) -> bytes:
    length, size = bytearray(), len(body)
    while not length or size:
        length.append(size & 0x7F | (0x80 if size > 0x7F else 0))
        size >>= 7
    return bytes((head,)) + length + body


class _Rest(io.BytesIO):
    """What is still to be read of a packet."""

    def take(self, count: int) -> bytes:
        if len(taken := self.read(count)) < count:
            raise BadPacketError
        return taken

    def number(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def text(self) -> str:
        try:
            text = self.take(self.number()).decode()
        except UnicodeDecodeError as error:
            raise BadPacketError from error
        if "\0" in text:
            raise BadPacketError
        return text

    def filter(self) -> str:
        text = self.text()
        *above, last = text.split("/")
        wild = any(set(word) & set("+#") for word in (*above, last) if len(word) > 1)
        if not 0 < len(text) <= _MOST_TOPIC or wild or "#" in above:
            raise BadPacketError
        return text

    def topic(self) -> str:
        if set("+#") & set(topic := self.filter()):
            raise BadPacketError
        return topic
