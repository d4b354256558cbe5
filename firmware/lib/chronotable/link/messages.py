"""What the link can say: one table, which drives encoding, decoding, the document and the fuzzer.

Two rules: every message is a line of MESSAGES, and its fields stand in the payload one behind the
other as the row spells them, `name:kind`:

| kind | in the payload | as a value |
|---|---|---|
| `xN` | N hex digits | int, 0 to 16**N - 1 |
| `oN` | N hex digits, or N times `-` | int, or None for nothing |
| `pN` | N hex digits (something packed) | the same text, lower case |
| `lN` | N letters of LED_ALPHABET (`pack_leds`) | the same text |
| `cABC` | one of the letters A, B, C; without any, any character | the same text |
| `f` | `0` or `1` | int, 0 or 1 |
| `tN` | at most N characters, no `,`; a comma ends it if another field follows | the same text |

Every EVENT begins with EVENT_FIELDS besides. A text that the peer wrote is data, never trusted.
"""

from chronotable.link.frames import LocalLinkError, RemoteLinkError, crc_of_plain
from ttykm.mp import const, micropython, ptr8

if False:
    from typing import Any

    Value = int | str | None
    Values = dict[str, Value]
    Row = tuple[str, str, str, str, tuple[Any, ...]]  # as a line of MESSAGES

PROTOCOL_MAJOR = const(1)  # another number: the two sides do not understand each other
PROTOCOL_MINOR = const(8)
"""Another number: one side may know messages that the other answers with `unsupported`."""

TO_HOST = const("host")
TO_TABLE = const("table")
BOTH = const("both")

EVENT = const("event")  # numbered, kept, resent, in order
STATE = const("state")  # absolute, the latest wins
COMMAND = const("command")  # reliable, in order, executed once
BULK = const("bulk")  # reliable, in order, kept by nobody: made when there is room (`Link.serve`)
LINK = const("link")  # the link's own; the application never sends it

EVENT_FIELDS = const("number:x4 time_ms:x8")

MESSAGES = """
H hello both link kind:cqra major:x2 minor:x2 rules:x2 session:x4 boot:x4 last:x4 board_hash:x8 \
unique_id:p12 board_name:t12
K ack both link -
? unsupported both link letter:c
X gap host link first:x4 last:x4
G game host event position:p29 options:x2 game_id:x8
P provisional host event turn:x5
O reopened host event -
T turn host event turn_no:x4 turn:x5 digest:x8 understood:ccax
B taken_back host event turn_no:x4
Q question host event a:o5 b:o5 c:o5
U guide host event take:p14 put:p14 why:x2
F fault host event sensor:x2 kind:cocfghwt
E edge host event sensor:x2 closed:f
W over host event winner:cwbd- by:c
R refused host event why:x2
L leds host state leds:l45
S snapshot host state position:p29 turn_no:x4 digest:x8 phase:c settings:x2 game_id:x8
D objects host state objects:p51
C counters host state scan_max_us:x4 loop_max_ms:x4 heap_free:x8 crc_errors:x4 overlong:x4 \
resends:x4 gaps:x4 rx_overflow:x4 tx_dropped:x4 reset_cause:x2 duplicates:x4 violations:x4
A about host state firmware:t24 micropython:t24
I installed host state build:x8 slot:cab trial:f
1 seats host state white:x1 black:x1
2 reeds host state surface:f closed:p14
J journal host state first:x4 current:x4 kept:x4 full:f
M failure host state boots:x2 reason:t48
V step host state step:x1 asks:cdplzamcrgbw about:x2 done:x2 of:x2 put:p14 ma:x4 left_s:x1
N finding host event kind:x2 sensor:x2 other:x2
Y learned host event sensor:x2 cell:x2 led:x2
Z examined host event findings:x2 stored:f complete:f
p page host bulk index:x4 units:t48
e page_end host bulk game:x4 units:x4 crc:x8 next:x4
o lay table command objects:p51
n new_game table command position:p29 options:x2
a answer table command choice:cabcn
u undo table command -
r resign table command side:cwb
d draw table command side:cwb
s set table command setting:x2 value:x4
q resync table command -
b button table command button:x2
f fetch table command game:x4
x forget table command game:x4 units:x4 crc:x8
z doctor table command say:csnex
w want table command turn_no:x4 turn:o5 digest:x8
l surface table command on:f leds:l45
"""
"""Letter, name, who hears it, class, fields or `-`, in a line for each message.

A text, of which a row is read when it is used first: the rows themselves would take four times the
table's memory, and few of them are ever used.
"""

_NAME = const(1)
_DIRECTION = const(2)
_CLASS = const(3)

_rows: "dict[str, Row]" = {}  # those that were used, by letter and by name


def row_of(name: str, kind: str = "") -> "Row":
    """Return the row of a message, of a class if given; raises LocalLinkError without one."""
    row = _rows.get(name)
    if row is None:
        at = MESSAGES.find(" %s " % name) - 1  # behind the letter that a line begins with
        if at < 0 or MESSAGES[at - 1] != "\n":
            raise LocalLinkError("there is no message %r" % name)
        row = _read_row(at)
    if kind and row[_CLASS] != kind:
        raise LocalLinkError("%s is no %s but a %s" % (name, kind, row[_CLASS]))
    return row


def row_for(letter: str, direction: str) -> "Row | None":
    """Return the row of the type `letter` if it exists and travels in this direction."""
    row = _rows.get(letter) if len(letter) == 1 else None
    if row is None:
        at = MESSAGES.find("\n%s " % letter) + 1 if len(letter) == 1 else 0
        if not at:
            return None
        row = _read_row(at)
    return row if row[_DIRECTION] in (direction, BOTH) else None


def _read_row(at: int) -> "Row":
    """Return the row that begins at a place of MESSAGES.

    Its fields are name, kind and size of each one behind the other, for a tuple per field would
    take three times the memory; in the place of the size, kind c has its letters.
    """
    letter, name, direction, kind, fields = MESSAGES[at : MESSAGES.find("\n", at)].split(" ", 4)
    if kind == EVENT:
        fields = EVENT_FIELDS + " " + fields
    parts: list[str | int] = []
    for word in fields.split():
        field, _, spelt = word.partition(":")
        if spelt:
            of = spelt[0]
            parts += (field, of, spelt[1:] if of == "c" else int(spelt[1:] or 1))
    row = _rows[letter] = _rows[name] = (letter, name, direction, kind, tuple(parts))
    return row


def encode_fields(row: "Row", values: "Values") -> str:
    """Return the payload of the message `row` with these values.

    Raises: LocalLinkError naming the message and the field that is missing, unknown or out of
    its range.
    """
    layout = row[-1]
    payload = ""
    comma = ""
    for at in range(0, len(layout), 3):
        name, kind, size = layout[at], layout[at + 1], layout[at + 2]
        if name not in values:
            raise LocalLinkError("%s: the field %s is missing" % (row[_NAME], name))
        value = values[name]
        text = None
        if isinstance(value, int):
            if kind in "xo" and value >= 0 and value >> (4 * size) == 0:
                text = "%0*x" % (size, value)
            elif kind == "f" and 0 <= value <= 1:
                text = "%d" % value
        elif isinstance(value, str):
            text = _checked(value, kind, size)
        elif kind == "o" and value is None:
            text = "-" * size
        if text is None:
            raise LocalLinkError("%s: %s cannot be %r" % (row[_NAME], name, value))
        payload += comma + text
        comma = "," if kind == "t" else ""
    if 3 * len(values) != len(layout):
        raise LocalLinkError("%s: unknown field among %s" % (row[_NAME], ", ".join(values)))
    return payload


def encode(name: str, **fields: "Value") -> str:
    """Return letter and payload of the message `name`, as `Link.serve` takes them.

    >>> encode("answer", choice="a")
    'aa'

    Raises: LocalLinkError if there is no such message or a field does not fit.
    """
    row = row_of(name)
    return row[0] + encode_fields(row, fields)


def decode_fields(row: "Row", payload: str) -> "Values":
    """Return the values of the message `row` by field name; `payload` is that of a frame.

    Raises: RemoteLinkError naming the message and the field that does not fit its kind.
    """
    values: Values = {}
    at = 0
    layout = row[-1]
    last = len(layout) - 3
    for index in range(0, len(layout), 3):
        name, kind, size = layout[index], layout[index + 1], layout[index + 2]
        end = at + (1 if kind == "c" else size)
        if kind == "t":
            comma = payload.find(",", at)
            end = len(payload) if comma < 0 or index == last else comma
        text = payload[at:end]
        value: Value = None
        if kind not in "xof":
            value = _checked(text, kind, size)
        elif len(text) == size and is_hex(text):
            value = int(text, 16)
        is_nothing = kind == "o" and text == "-" * size
        if (value is None and not is_nothing) or (kind == "f" and value not in (0, 1)):
            raise RemoteLinkError("%s: %s cannot be %r" % (row[_NAME], name, text))
        values[name] = value
        at = end
        if kind == "t" and index < last:
            if payload[at : at + 1] != ",":
                raise RemoteLinkError("%s: nothing follows %s" % (row[_NAME], name))
            at += 1
    if at != len(payload):
        raise RemoteLinkError("%s: %r is too much" % (row[_NAME], payload[at:]))
    return values


def _checked(text: str, kind: str, size: "Any") -> "str | None":
    """Return the text as a field of kind p, l, c or t has it, or None if it cannot."""
    if kind == "c":
        is_letter = len(text) == 1 and (text in size if size else _is_plain(text))
        return text if is_letter else None
    if kind == "t":
        return text if len(text) <= size and "," not in text and _is_plain(text) else None
    if len(text) != size:
        return None
    if kind == "p":
        return text.lower() if is_hex(text) else None
    return text if kind == "l" and is_led_text(text) else None


def _is_plain(text: str) -> bool:
    try:
        raw = text.encode()
    except UnicodeError:
        return False
    return crc_of_plain(raw, 0, len(raw)) >= 0  # type: ignore[arg-type]  # any buffer


def is_hex(text: str) -> bool:
    """Say whether all of the text is hex digits; `int(text, 16)` would take more."""
    return not text.strip("0123456789abcdefABCDEF")


LED_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"
"""Six bits each: what `leds` is written in."""
LEDS = const(54)
LED_TEXT = const(45)
_LED_BYTES = LED_ALPHABET.encode()


def is_led_text(text: str) -> bool:
    """Say whether all of the text is of LED_ALPHABET."""
    return not text.strip(LED_ALPHABET)


@micropython.viper
def _pack(meanings: ptr8, size: int, alphabet: ptr8, out: ptr8) -> int:
    """Write the letters to `out`; return how many, or -1 if a meaning is over 31."""
    bits = 0
    count = 0
    end = 0
    for at in range(size):
        meaning = int(meanings[at])
        if meaning > 31:
            return -1
        bits = (bits << 5) | meaning
        count += 5
        if count >= 6:
            count -= 6
            out[end] = alphabet[bits >> count]
            end += 1
            bits &= (1 << count) - 1
    return end


def pack_leds(meanings: "bytes | bytearray") -> str:
    """Return 54 meanings of 5 bits each as 45 letters, first meaning first, high bit first.

    Raises: LocalLinkError if there are not 54 or one is over 31.
    """
    if len(meanings) != LEDS:
        raise LocalLinkError("%d meanings for %d LEDs" % (len(meanings), LEDS))
    out = bytearray(LED_TEXT)
    if _pack(meanings, LEDS, _LED_BYTES, out) < 0:  # type: ignore[arg-type]  # any buffers
        raise LocalLinkError("an LED cannot say more than 31")
    return str(out, "ascii")
