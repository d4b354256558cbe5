"""Invitations as they are printed and typed, and the broker that this computer runs for them."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import segno

from chronotable_far.broker.address import BrokerAddress
from chronotable_far.broker.own import LOOPBACK
from chronotable_far.entries import INVITER, JOINER
from chronotable_far.invitation import SCHEME, Invitation, parse_invitation
from chronotable_far.store import path_of
from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.commands.common.terminal import is_terminal
from chronotable_host.language import tr
from chronotable_host.output import say
from chronotable_host.own_addresses import in_url, lan_addresses

OWN_SCHEME = f"{SCHEME}-own"
"""Begins the link by which who invited goes on at another computer."""


def typed(text: str, broker: str | None) -> Invitation:
    """Return the invitation of a link or of words; raises UserError."""
    scheme, slashes, rest = text.strip().partition("://")
    if slashes and scheme.strip().lower() == OWN_SCHEME:
        return parse_invitation(f"{SCHEME}://{rest}", broker, INVITER)
    return parse_invitation(text, broker, JOINER)


def own_link(invitation: Invitation) -> str:
    """Return the link by which the same end goes on at another computer."""
    link = invitation.link
    return link if invitation.end == JOINER else link.replace(SCHEME, OWN_SCHEME, 1)


def found_at(port: int) -> BrokerAddress:
    """Return how others in this network find a broker of this machine."""
    host = next((in_url(each) for each in lan_addresses()), LOOPBACK)
    return BrokerAddress(host.strip("[]"), port)


def note_broker(archive: Path, invitation: Invitation, port: int) -> None:
    """Note that this machine runs the broker of a room; raises OSError."""
    path = _note_path(archive, invitation)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(path, f"{port}\n")


def noted_broker(archive: Path, invitation: Invitation) -> int:
    """Return the port of the broker that this machine runs for a room, 0 where it runs none."""
    with suppress(OSError, ValueError):
        port = int(regular_files.read(_note_path(archive, invitation))[:6])
        if 0 < port < 1 << 16:
            return port
    return 0


def _note_path(archive: Path, invitation: Invitation) -> Path:
    return path_of(archive, invitation).with_suffix(".broker")


def tell(invitation: Invitation, is_embedded: bool) -> None:
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
    tell_own(invitation)


def tell_own(invitation: Invitation) -> None:
    """Print how to go on at another computer, once somebody has come."""
    say(
        tr(
            "On another computer of yours `chronotable join` asks for this link: {link}",
            link=own_link(invitation),
        )
    )
