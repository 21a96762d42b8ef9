"""The head of a request, bounded: uvicorn with httptools would keep a request line or headers of any length."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sayso.core import bounds


class BoundedHead(HttpToolsProtocol):
    """Refuses a request whose line and headers pass 64 KiB, by at most what two reads bring, and closes."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._in_head = True
        self._head_bytes = 0
        self._requests = 0

    def data_received(self, data: bytes) -> None:
        """Take what came, and count it if all of it was of a head that is not complete.

        What came with the end of the request before is not counted: most of it was that request's body.
        """
        requests = self._requests
        super().data_received(data)
        if not self._in_head or requests != self._requests:
            return
        self._head_bytes += len(data)
        if self._head_bytes > bounds.HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        """The head is read: what follows is the body, which the door bounds."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """What follows is the head of another request."""
        self._in_head, self._head_bytes = True, 0
        self._requests += 1
        super().on_message_complete()
