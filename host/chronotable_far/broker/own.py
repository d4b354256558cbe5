"""The broker that this machine runs for a room, found again at the port where it was.

One rule: whichever program of ours runs it, there is one. Another program's is used as long as that
runs, and then opened here; what is none of ours keeps its port, and has no part in this.
"""

from __future__ import annotations

import contextlib
import threading
import time

from chronotable_far.broker.address import BrokerAddress
from chronotable_far.broker.client import BrokerClient, BrokerLost, Message
from chronotable_far.broker.embedded import KIND, KIND_TOPIC, EmbeddedBroker
from chronotable_host.errors import UserError

LOOPBACK = "127.0.0.1"
_ANSWERS_S = 2.0  # in which a broker of this machine has said what it is
_LOOKS_S = 0.5


class OwnBroker:
    """A broker of this machine until it is closed, at `port`; with 0, or what is taken, at another.

    Raises UserError where none can be opened.
    """

    def __init__(self, port: int = 0) -> None:
        self._closing = threading.Event()
        self._broker: EmbeddedBroker | None = None
        self._thread: threading.Thread | None = None
        self.port = port
        try:
            self._open()
        except UserError:
            if not port:
                raise
            if _is_ours(port):
                self._thread = threading.Thread(target=self._stand_by, name="own", daemon=True)
                self._thread.start()
            else:
                self.port = 0
                self._open()

    def close(self) -> None:
        """End the broker, unless it is another program's."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        if self._broker is not None:
            self._broker.close()

    def _open(self) -> None:
        self._broker = EmbeddedBroker(port=self.port)
        self.port = self._broker.port

    def _stand_by(self) -> None:
        """Open one as soon as the other program's port can be had: it has ended."""
        while self._broker is None and not self._closing.wait(_LOOKS_S):
            with contextlib.suppress(UserError):
                self._open()


def _is_ours(port: int) -> bool:
    """Tell whether what answers at a port of this machine is a broker of ours, as it says."""
    until = time.monotonic() + _ANSWERS_S
    with contextlib.closing(BrokerClient(BrokerAddress(LOOPBACK, port))) as client:
        client.subscribe(KIND_TOPIC)
        while (left_s := until - time.monotonic()) > 0:
            for event in client.wait(left_s):
                if isinstance(event, Message | BrokerLost):
                    return isinstance(event, Message) and event.payload == KIND
    return False
