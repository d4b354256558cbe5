"""A table at the cable of who looks at a page: the browser's port is a fake, its other end a line.

The fake does what Web Serial says of a port: it is chosen once and known from then on, also to a
page that is opened again; its streams fail when it is lost, and it tells when it is back.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

FAKE = """(() => {
  const ADDRESS = WHERE;
  const Socket = WebSocket;
  const KNOWN = "known to the fake";
  const serial = new EventTarget();
  const tell = (kind) => {
    const event = new Event(kind);
    Object.defineProperty(event, "target", { value: port });
    serial.dispatchEvent(event);
  };
  const lost = () => new DOMException("The device has been lost.", "NetworkError");
  let socket = null;
  const port = {
    readable: null,
    writable: null,
    async open({ baudRate }) {
      if (socket) throw new DOMException("The port is already open.", "InvalidStateError");
      const opening = (socket = new Socket(ADDRESS));
      opening.binaryType = "arraybuffer";
      await new Promise((resolve, reject) => {
        opening.onmessage = resolve; // the line is taken
        opening.onclose = () => reject(lost());
      }).catch((error) => { socket = null; throw error; });
      if (baudRate !== 115200) throw new TypeError("not as a table's");
      let reading, writing;
      this.readable = new ReadableStream({
        start: (controller) => void (reading = controller),
        cancel: () => {},
      });
      this.writable = new WritableStream({
        start: (controller) => void (writing = controller),
        write: (bytes) => opening.readyState === Socket.OPEN && opening.send(bytes),
      });
      opening.onmessage = ({ data }) => reading.enqueue(new Uint8Array(data));
      opening.onclose = async () => {
        if (socket !== opening) return;
        this.readable = this.writable = socket = null;
        reading.error(lost());
        writing.error(lost());
        tell("disconnect");
        await plugged();
        tell("connect");
      };
    },
    async setSignals({ dataTerminalReady }) {
      if (!dataTerminalReady) throw new TypeError("nobody listens");
    },
    async close() {
      if (this.readable?.locked || this.writable?.locked) throw new TypeError("locked");
      const open = socket;
      this.readable = this.writable = socket = null;
      open?.close();
    },
  };
  const plugged = () =>
    new Promise((resolve) => (new Socket(`${ADDRESS}plugged`).onclose = resolve));
  serial.requestPort = async ({ filters }) => {
    if (!filters.some(({ usbVendorId }) => usbVendorId === 0x2e8a)) throw new TypeError("no Pico");
    sessionStorage.setItem(KNOWN, "yes");
    return port;
  };
  serial.getPorts = async () => (sessionStorage.getItem(KNOWN) ? [port] : []);
  Object.defineProperty(navigator, "serial", { value: serial });
})()"""


class BrowserLine:
    """The end of the line that a table has; `script` gives pages the other, at `navigator.serial`.

    See `SerialLine`. Whoever serves the table is in another thread than the fake's sockets.
    """

    def __init__(self) -> None:
        self.name = "the browser's port"
        self._is_plugged = threading.Event()
        self._is_plugged.set()
        self._held: ServerConnection | None = None
        self._came = bytearray()
        self._server = serve(self._serve, "127.0.0.1", 0, compression=None, close_timeout=1)
        port = self._server.socket.getsockname()[1]
        self.script = FAKE.replace("WHERE", json.dumps(f"ws://127.0.0.1:{port}/"))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _serve(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        if socket.request.path != "/":
            self._is_plugged.wait()
            return
        if self._held is not None or not self._is_plugged.is_set():
            return
        self._came.clear()
        socket.send(b"")
        self._held = socket
        with suppress(ConnectionClosed):
            for data in socket:
                assert isinstance(data, bytes)
                self._came += data
        if self._held is socket:
            self._held = None

    def plug(self, is_there: bool) -> None:
        if is_there:
            self._is_plugged.set()
            return
        self._is_plugged.clear()
        held, self._held = self._held, None
        if held is not None:
            held.close()

    def is_plugged(self) -> bool:
        return self._is_plugged.is_set()

    def is_held(self) -> bool:
        return self._held is not None

    def read(self) -> bytes:
        data = bytes(self._came)
        del self._came[: len(data)]
        return data

    def write(self, data: bytes) -> int:
        if self._held is not None:
            with suppress(ConnectionClosed):
                self._held.send(data)
        return len(data)

    def close(self) -> None:
        self.plug(False)
        self._is_plugged.set()
        self._server.shutdown()
        self._thread.join()
