"""A conversation on the link, byte for byte, as `transcript.txt` has it.

What is written there is what an older firmware or an older PC says and expects: where this differs,
PROTOCOL_MINOR or PROTOCOL_MAJOR has to change. `python -m tests.link.test_transcript` prints it.
"""

from pathlib import Path

from chronotable.link.frames import encode
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable.link.messages import encode as encode_message
from chronotable.link.packed import DRAWN, pack_objects, pack_position
from chronotable_host.link.pc_link import PcLink
from ttykm import layout, objects
from ttykm.game import digest

FILE = Path(__file__).with_name("transcript.txt")


class Conversation:
    """Both ends, and what they say, with the time and why."""

    def __init__(self) -> None:
        self.table = Link(TABLE, Identity("reference", 0x12345678, "e66038b71353", boot=7))
        self.pc = PcLink(Identity("pc", 0, "c0ffee", session=40))
        self.now_ms = 0
        self.lines: list[str] = []

    def note(self, text: str) -> None:
        self.lines += ["", f"# {text}"]

    def let(self, passed_ms: int, lost: str = "") -> None:
        """Let time pass and carry what is said, but for the lines of the end that is `lost`."""
        self.now_ms += passed_ms
        is_quiet = False
        while not is_quiet:
            is_quiet = True
            for name, end, peer in (("pc", self.pc, self.table), ("table", self.table, self.pc)):
                end.tick(self.now_ms)
                for line in end.data_to_send().splitlines(keepends=True):
                    is_quiet = False
                    fate = " (lost)" if name == lost else ""
                    self.lines.append(f"{self.now_ms:5} {name:5} {line.decode().rstrip()}{fate}")
                    if not fate:
                        peer.receive(line, self.now_ms)
                while (event := end.next_event()) is not None:
                    what = {name: of for name, of in vars(event).items() if name != "info"}
                    told = " ".join(f"{name}={of}" for name, of in what.items())
                    self.lines.append(f"            {name} hears {type(event).__name__} {told}")


def conversation() -> str:
    """Return the whole conversation as text."""
    talk = Conversation()
    pc, table = talk.pc, talk.table
    talk.note("the port is opened")
    table.open(0)
    pc.open(0)
    table.send("about", firmware="0.1.0", micropython="1.26.1")
    talk.let(0)
    talk.let(70)
    talk.note("a lift, and the picture that answers it")
    table.post_event("edge", 70, sensor=5, closed=0)
    table.send("leds", leds="0" * 44 + "k")
    talk.let(5)
    talk.note("a turn whose line is lost, and comes again after the round trip")
    table.post_event("turn", 75, turn_no=1, turn=0x12345, digest=0xCAFEBABE, understood="c")
    talk.let(5, lost="table")
    talk.let(60)
    talk.note("a command; one that the table does not know; one with a wrong field")
    pc.send("answer", choice="a")
    talk.let(5)
    table.receive(encode(1, pc._expected, "y", "what?"), talk.now_ms)
    table.receive(encode(2, pc._expected, "d", "x"), talk.now_ms)
    talk.let(5)
    talk.note("the turn that a player without hands wants, and none any more")
    pc.send("want", turn_no=2, turn=0x12345, digest=0xCAFEBABE)
    pc.send("want", turn_no=2, turn=None, digest=0)
    talk.let(5)
    talk.note("the picture of another game, and what the reeds say then; and none any more")
    pc.send("surface", on=1, leds="0" * 44 + "k")
    talk.let(5)
    table.send("reeds", surface=1, closed="00000000000021")
    talk.let(5)
    pc.send("surface", on=0, leds="0" * 45)
    talk.let(5)
    talk.note("a broken line is asked for again, a log line is not")
    table.receive(b"$0000x*0000\n", talk.now_ms)
    pc.receive(b"MPY: soft reboot\r\n", talk.now_ms)
    talk.let(5)
    talk.note("pages on demand")
    pages = [encode_message("page", index=2 * at, units=f"{at:048x}") for at in range(5)]
    pages.append(encode_message("page_end", game=1, units=10, crc=0x12345678, next=0))
    table.serve(lambda: pages.pop(0) if pages else "")
    talk.let(5)
    talk.note("nothing to say: a heartbeat each")
    talk.let(900)
    talk.note("the cable is out while more happens than the ring keeps")
    pc.close()
    for _ in range(300):
        table.post_event("reopened", talk.now_ms)
    talk.let(5000)
    talk.note("it is back: a new session, a gap, what is kept")
    pc.open(talk.now_ms)
    said = len(talk.lines)
    talk.let(0)
    talk.let(70)
    del talk.lines[said + 20 :]
    talk.lines.append("            ...")
    talk.note("a game with modules, as its start and as a position with objects of its own")
    pc.close()
    talk.table = table = Link(TABLE, Identity("reference", 0x12345678, "e66038b71353", boot=8))
    table.open(talk.now_ms)
    pc.open(talk.now_ms)
    talk.let(0)
    start = objects.new_state(objects.convergence(0xCAFE))
    position = objects.new_state(objects.MEMORY)
    objects.put_hat(position, layout.PRESENT, 1, layout.WHITE)
    for state in (start, position):
        packed = pack_position(state)
        things = pack_objects(state, packed)
        if things:
            pc.send("lay", objects=things)
            table.send("objects", objects=things)
        pc.send("new_game", position=packed, options=4)
        options = 4 | DRAWN if state is start else 4
        table.post_event("game", 9000, position=packed, options=options, game_id=0xCAFE)
        table.send(
            "snapshot",
            position=packed,
            turn_no=0,
            digest=digest(state),
            phase="t",
            settings=0x2E,
            game_id=0xCAFE,
        )
        talk.let(70)
    talk.note("a PC of another protocol")
    talk.pc = PcLink(Identity("pc", 0, "bad", session=90))
    talk.pc.hello.major = 2
    talk.pc.open(talk.now_ms)
    talk.let(70)
    return "\n".join(talk.lines).strip() + "\n"


def test_the_conversation_is_as_written() -> None:
    assert conversation().splitlines() == FILE.read_text("ascii").splitlines()


if __name__ == "__main__":
    print(conversation(), end="")
