"""Cursors of pages: opaque, and signed, so that nobody learns or makes up a position."""

import base64
import binascii
import hashlib
import hmac

from sayso.errors import Problem, invalid_input

_MAC_BYTES = 12


class Cursors:
    """Writes and reads cursors with the store's own secret, the same in every process that serves it."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def write(self, listing: str, place: str, position: bytes) -> str:
        """The cursor of a listing in a place (a playbook, a run) that goes on after ``position``."""
        return base64.urlsafe_b64encode(self._mac(listing, place, position) + position).decode().rstrip("=")

    def read(self, listing: str, place: str, cursor: str) -> bytes:
        """The position that a cursor of this listing in this place holds; ``invalid_input`` at ``/cursor`` else."""
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise _unreadable() from None
        mac, position = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if not position:
            raise _unreadable()
        if not hmac.compare_digest(mac, self._mac(listing, place, position)):
            raise invalid_input("The cursor belongs to another listing or to another playbook.", "/cursor")
        return position

    def _mac(self, listing: str, place: str, position: bytes) -> bytes:
        text = b"\0".join((listing.encode(), place.encode(), position))
        return hmac.digest(self._secret, text, hashlib.sha256)[:_MAC_BYTES]


def _unreadable() -> Problem:
    return invalid_input("The cursor cannot be read: pass next_cursor of the page before, as it was given.", "/cursor")
