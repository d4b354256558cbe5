"""What `invite` and `join` do: they come to the room, and have the table play in it.

That is a real one, mirrored and shown, or a virtual one on the page, whose hand carries out what
the log has.
"""

from __future__ import annotations

import contextlib
import sys
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import segno

from chronotable_far.broker.address import BrokerAddress
from chronotable_far.broker.client import BrokerClient
from chronotable_far.broker.client import Message as BrokerMessage
from chronotable_far.broker.embedded import LOOPBACK, OwnBroker
from chronotable_far.entries import INVITER, JOINER
from chronotable_far.invitation import Invitation, new_invitation, typed_invitation
from chronotable_far.news import presence
from chronotable_far.page import FarPage, FarPageView, Meeting
from chronotable_far.room import FarRoom
from chronotable_far.room_records import TableGames
from chronotable_far.store import Store, kept, path_of
from chronotable_far.table import FarTable, Here
from chronotable_host import chapters
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common.page_server import serve
from chronotable_host.commands.common.terminal import is_terminal, option_bits
from chronotable_host.commands.common.typed_lines import TypedLines
from chronotable_host.commands.play_work import GameScreen, PlayControl, TypedWishes, asking
from chronotable_host.errors import UserError, printable
from chronotable_host.game_choice import choose_drawn_game
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.clocks import OFF, format_controls, parse_controls
from chronotable_host.live.settings import parse_settings
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.output import say
from chronotable_host.rules.record import DRAW
from chronotable_host.virtual.desk import Pace
from chronotable_host.web.http.addresses import in_url, lan_addresses
from chronotable_host.web.page import MirroredPage
from ttykm.layout import BLACK, WHITE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chronotable_far.commands.far import InviteArguments, JoinArguments
    from chronotable_far.invitation import Invitation


def found_at(port: int) -> BrokerAddress:
    """Return how others in this network find a broker of this machine."""
    host = next((in_url(each) for each in lan_addresses()), LOOPBACK)
    return BrokerAddress(host.strip("[]"), port)


def note_port(archive: Path, invitation: Invitation, port: int) -> None:
    """Note that this machine runs the broker of a room; raises OSError."""
    path = _note_path(archive, invitation)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(path, f"{port}\n")


def noted_port(archive: Path, invitation: Invitation) -> int:
    """Return the port of the broker that this machine runs for a room, 0 where it runs none."""
    with suppress(OSError, ValueError):
        port = int(regular_files.read(_note_path(archive, invitation))[:6])
        if 0 < port < 1 << 16:
            return port
    return 0


def _note_path(archive: Path, invitation: Invitation) -> Path:
    return path_of(archive, invitation).with_suffix(".broker")


def tell_invitation(invitation: Invitation, is_embedded: bool) -> None:
    """Print an invitation: as a link, as words, and in a terminal as a QR code."""
    link = invitation.of(JOINER).link
    words = invitation.words.replace("-", " ")
    say(tr("Invite with this link, which `chronotable join` asks for:"))
    say(f"  {link}")
    say(
        tr(
            "or with the broker and these words, which `chronotable join --broker -` asks for: "
            "{words}",
            words=words,
        )
    )
    say(f"  {invitation.broker}")
    if is_embedded:
        say(
            tr(
                "The broker is this computer, for whoever is in the same network, and as long as "
                "this runs; --broker names one for everybody."
            )
        )
    say(tr("Whoever has this plays, so give it to nobody else."))
    if is_terminal():
        segno.make(link, micro=False).terminal(out=sys.stderr, compact=True)
    tell_own_link(invitation)


def tell_own_link(invitation: Invitation) -> None:
    """Print how to go on at another computer, once somebody has come."""
    say(
        tr(
            "On another computer of yours `chronotable join` asks for this link: {link}",
            link=invitation.own_link,
        )
    )


def invite_to(arguments: InviteArguments) -> int:
    """Invite as the arguments say, play, and return the exit status."""
    begin = _begin(arguments)
    with ExitStack() as closing:
        archive = closing.enter_context(Archive(arguments.archive))
        if arguments.resume:
            invitation = _last(archive.folder)
            own = _broker_again(closing, archive, invitation)
        elif arguments.broker is not None:
            invitation, own = new_invitation(arguments.broker), None
        else:
            own = closing.enter_context(contextlib.closing(OwnBroker()))
            invitation = new_invitation(found_at(own.port).url)
        return _play(arguments, closing, archive, invitation, own, begin)


def join_by(arguments: JoinArguments) -> int:
    """Join as the arguments say, play, and return the exit status."""
    invitation = typed_invitation(arguments.link, arguments.broker)
    with ExitStack() as closing:
        archive = closing.enter_context(Archive(arguments.archive))
        own = _broker_again(closing, archive, invitation)
        return _play(arguments, closing, archive, invitation, own, None)


def _begin(arguments: InviteArguments) -> dict[str, Any]:
    """Return what the room begins with; raises UserError for what no game can begin with."""
    chosen = choose_drawn_game(arguments.modules, arguments.draw)
    controls = parse_controls(arguments.clock or OFF)
    return {
        "start": chosen.start(),
        "options": option_bits(arguments.option),
        "colour": BLACK if arguments.white is False else WHITE,
        "clock": "" if controls is None else format_controls(controls, 1),
        "draw": chosen.headers.get(DRAW, ""),
    }


def _last(folder: Path) -> Invitation:
    """Return the invitation of the room that was played in last; raises UserError."""
    for _, invitation, _ in kept(folder):
        return invitation
    raise UserError(tr("no game far apart was begun here; `chronotable invite` begins one"))


def _broker_again(closing: ExitStack, archive: Archive, invitation: Invitation) -> OwnBroker | None:
    """Have the broker run that this machine ran for a room; None where it ran none."""
    port = noted_port(archive.folder, invitation)
    return closing.enter_context(contextlib.closing(OwnBroker(port))) if port else None


def _play(
    arguments: InviteArguments | JoinArguments,
    closing: ExitStack,
    archive: Archive,
    invitation: Invitation,
    own: OwnBroker | None,
    begin: dict[str, Any] | None,
) -> int:
    """Play in a room; `own` is its broker where that is this machine's."""
    wanted = parse_settings(arguments.settings or ())
    store = Store.open(archive.folder, invitation)
    closing.callback(store.close)
    address = invitation.address
    has_moved = False
    if own is not None:
        former = noted_port(archive.folder, invitation)
        has_moved = former not in (0, own.port)
        note_port(archive.folder, invitation, own.port)
        at = found_at(own.port)
        invitation, address = invitation._replace(broker=at.url), at._replace(host=LOOPBACK)
        if has_moved:
            says = tr(
                "Something else is at port {port} of this computer by now, so the broker is at "
                "port {own}: whoever plays with you joins once more, by a new link.",
                port=former,
                own=own.port,
            )
            say(says)
    room = FarRoom(invitation, store)
    here = Here(arguments.name, arguments.chat)
    if begin is not None and room.course.begin is None:
        if invitation.end != INVITER:
            raise UserError(tr("nothing of that game is here; join with its link once more"))
        room.append("begin", name=here.name, chat=here.chats, **begin)

    def tell_link() -> None:
        course = room.course
        is_needed = course.begin is not None and (course.join is None or has_moved)
        if is_needed and invitation.end == INVITER:
            tell_invitation(invitation, is_embedded=own is not None)
        else:
            tell_own_link(invitation)

    tell_link()
    will = room.will
    client = BrokerClient(address, will=BrokerMessage(will.topic, will.payload, will.retain))
    closing.callback(client.close)
    # who leaves says so; the broker says it of who breaks off
    closing.callback(client.publish, will.topic, will.payload, will.retain)
    say(tr("The broker: {broker}", broker=address))
    link = invitation.of("joiner").link if invitation.end == INVITER else ""
    games = TableGames(store.path.with_suffix(".laid"))
    meeting = Meeting(room, client, archive, games, here, link)
    play = play_at_table if arguments.table else play_on_page
    return play(arguments, meeting, wanted, tell_link)


def own_words(far: FarTable, tell_link: Callable[[], None]) -> dict[str, Callable[[], None]]:
    """Return what can be typed in a game far apart besides wishes, and what does it."""
    return {"there": lambda: say(presence(far)), "link": tell_link}


def play_at_table(
    arguments: InviteArguments | JoinArguments,
    meeting: Meeting,
    settings: dict[str, int],
    tell_link: Callable[[], None],
) -> int:
    """Play at the table on the USB cable until that is ended; return the exit status."""
    typed = TypedLines(sys.stdin)
    search = PortSearch(arguments.port, "", asking(typed) if is_terminal() else None)
    has_page = arguments.page
    if has_page is None:
        has_page = is_terminal() or arguments.listen is not None
    with Desk(meeting.archive, resumes=True, lock=chapters) as desk:
        desk.connect(search)
        screen = GameScreen(desk, False)
        desk.seat()
        far = FarTable(
            desk,
            meeting.room,
            meeting.client,
            board=partial(_board_of, desk.mirror),
            here=meeting.here,
            table_games=meeting.table_games,
        )
        desk.session.settings = settings
        if has_page:
            page = MirroredPage(desk, arguments.archive)
            page.play_far(FarPageView(far, desk.mirror, meeting.link))
            serve(page, arguments.archive, arguments.listen, arguments.no_browser)
        desk.run(PlayControl(desk, screen, typed, False, own_words(far, tell_link)).is_done)
    return 0


def _board_of(mirror: Mirror) -> str:
    peer = mirror.table.peer
    return "?" if peer is None else peer.board_name


_PAUSE_S = 0.004


def play_on_page(
    arguments: InviteArguments | JoinArguments,
    meeting: Meeting,
    settings: dict[str, int],
    tell_link: Callable[[], None],
) -> int:
    """Serve the page of a virtual table until that is ended; return the exit status.

    Raises UserError where it cannot be served, or this end cannot play what it is invited to.
    """
    how: dict[str, Any] = {"runtime": arguments.runtime, "image": arguments.image}
    with FarPage(meeting, arguments.board, settings, **how) as at:
        at.listeners.append(_tell)
        control = TypedWishes(at, TypedLines(sys.stdin), own_words(at.far, tell_link))
        serve(at.page, arguments.archive, arguments.listen, arguments.no_browser)
        pace = Pace(at.table.now_ms)
        with suppress(KeyboardInterrupt):
            while not control.obey():
                at.run_until(pace.due_ms(at.table.now_ms))
                time.sleep(_PAUSE_S)
    return 0


def _tell(happening: Happening) -> None:
    """Print what is said of no moment at the table: it comes from far away."""
    if isinstance(happening, Notice):
        for _, line in sentences(happening, None):
            say(printable(line.strip()))
