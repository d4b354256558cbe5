"""What `invite` and `join` do: they come to the room, and have the table play in it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable_far.broker.client import BrokerClient
from chronotable_far.broker.client import Message as BrokerMessage
from chronotable_far.commands import invitation as far_invitation
from chronotable_far.entries import INVITER
from chronotable_far.invitation import new_invitation
from chronotable_far.presence_texts import presence
from chronotable_far.room import FarRoom
from chronotable_far.store import Store, kept
from chronotable_far.table import FarTable, Here
from chronotable_far.table_games import TableGames
from chronotable_host.archive.store import Archive
from chronotable_host.commands.common.shared import option_bits
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_drawn_game
from chronotable_host.language import tr
from chronotable_host.live.players.clocks import OFF, format_controls, parse_controls
from chronotable_host.live.settings import parse_settings
from chronotable_host.output import say
from chronotable_host.rules.record import DRAW
from ttykm.layout import BLACK, WHITE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chronotable_far.broker.address import BrokerAddress
    from chronotable_far.commands.far import InviteArguments, JoinArguments
    from chronotable_far.invitation import Invitation


class Meeting(NamedTuple):
    """A room and the line to it, and what is said of this end.

    `tell_link` prints how others come here, `link` is what the other end needs, "" for nothing.
    """

    room: FarRoom
    client: BrokerClient
    archive: Archive
    laid: TableGames
    here: Here
    tell_link: Callable[[], None]
    link: str


def invite_to(arguments: InviteArguments) -> int:
    """Invite as the arguments say, play, and return the exit status."""
    begin = _begin(arguments)
    with ExitStack() as closing:
        archive = closing.enter_context(Archive(arguments.archive))
        if arguments.resume:
            invitation = _last(archive.folder)
            port = far_invitation.noted_broker(archive.folder, invitation)
        elif arguments.broker is not None:
            invitation, port = new_invitation(arguments.broker), 0
        else:
            address = _own_broker(closing, 0)
            invitation, port = new_invitation(address.url), address.port
        return _play(arguments, closing, archive, invitation, port, begin)


def join_by(arguments: JoinArguments) -> int:
    """Join as the arguments say, play, and return the exit status."""
    invitation = far_invitation.typed(arguments.link, arguments.broker)
    with ExitStack() as closing:
        archive = closing.enter_context(Archive(arguments.archive))
        port = far_invitation.noted_broker(archive.folder, invitation)
        return _play(arguments, closing, archive, invitation, port, None)


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


def _own_broker(closing: ExitStack, port: int) -> BrokerAddress:
    """Have a broker run on this machine, and return where others find it."""
    broker, address = far_invitation.own_broker(port)
    if broker is not None:
        closing.callback(broker.close)
    return address


def _play(
    arguments: InviteArguments | JoinArguments,
    closing: ExitStack,
    archive: Archive,
    invitation: Invitation,
    port: int,
    begin: dict[str, Any] | None,
) -> int:
    """Play in a room; with a `port` its broker is this machine's, and runs there."""
    wanted = parse_settings(arguments.settings or ())
    store = Store.open(archive.folder, invitation)
    closing.callback(store.close)
    address = invitation.address
    if port:
        far_invitation.note_broker(archive.folder, invitation, port)
        at = address if begin is not None and not store.entries else _own_broker(closing, port)
        invitation = invitation._replace(broker=at.url)
        address = far_invitation.from_here(at)
    room = FarRoom(invitation, store)
    here = Here(arguments.name, arguments.chat)
    if begin is not None and room.course.begin is None:
        if invitation.end != INVITER:
            raise UserError(tr("nothing of that game is here; join with its link once more"))
        room.append("begin", name=here.name, chat=here.chats, **begin)

    def tell_link() -> None:
        course = room.course
        if course.begin is not None and course.join is None and invitation.end == INVITER:
            far_invitation.tell(invitation, is_embedded=bool(port))
        else:
            far_invitation.tell_own(invitation)

    tell_link()
    will = room.will
    client = BrokerClient(address, will=BrokerMessage(will.topic, will.payload, will.retain))
    closing.callback(client.close)
    # who leaves says so; the broker says it of who breaks off
    closing.callback(client.publish, will.topic, will.payload, will.retain)
    say(tr("The broker: {broker}", broker=address))
    link = invitation.of("joiner").link if invitation.end == INVITER else ""
    meeting = Meeting(
        room, client, archive, TableGames(store.path.with_suffix(".laid")), here, tell_link, link
    )
    if arguments.table:
        from chronotable_far.commands.play import play_at_table  # noqa: PLC0415

        return play_at_table(arguments, meeting, wanted)
    from chronotable_far.commands.try_out import play_on_page  # noqa: PLC0415

    return play_on_page(arguments, meeting, wanted)


def own_words(far: FarTable, meeting: Meeting) -> dict[str, Callable[[], None]]:
    """Return what can be typed in a game far apart besides wishes, and what does it."""
    return {"there": lambda: say(presence(far)), "link": meeting.tell_link}
