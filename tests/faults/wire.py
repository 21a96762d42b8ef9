"""A client's connection that may break at any moment: a reply that came whole, or none."""

import http.client
import json
from typing import Any

SILENT_S = 40.0  # more than the server gives any of its own waits
BASE = "/v1/orgs/local/playbooks/default"


class Wire:
    """One connection to a local server, made anew after each break. A server that keeps silent is a fault."""

    def __init__(self, port: int) -> None:
        self._connection = _connection(port)

    def turn_to(self, port: int) -> None:
        """Send to the server at this port from now on."""
        if port != self._connection.port:
            self.close()
            self._connection = _connection(port)

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any] | None:
        """Status and document of the reply; None if the connection broke before all of it had come."""
        content = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, BASE + path, content, {"content-type": "application/json"})
            reply = self._connection.getresponse()
            return reply.status, json.loads(reply.read())
        except TimeoutError:
            raise AssertionError(f"no reply to {method} {path} within {SILENT_S} s") from None
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return None

    def get(self, path: str) -> Any:
        """The document at a path that must be there. An idle connection may have been closed: then once more."""
        reply = self.send("GET", path) or self.send("GET", path)
        assert reply is not None
        assert reply[0] == 200, reply
        return reply[1]

    def all(self, path: str, member: str) -> list[Any]:
        """Every page of a list."""
        found, cursor = [], ""
        while True:
            page = self.get(f"{path}?limit=100{cursor}")
            found += page[member]
            if not page["has_more"]:
                return found
            cursor = f"&cursor={page['next_cursor']}"

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def _connection(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=SILENT_S)
