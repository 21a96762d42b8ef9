"""Tokens for one request: whoever holds one may answer that request, and nothing else.

A token is nowhere stored. It says what it is good for, under a code that only this store's secret makes.
"""

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import dataclass

from sayso.core import bounds, values

_MAC_BYTES = 32
# Tells what a code was made for: no cursor, and no token of another form, is ever taken for one.
_PURPOSE = b"token for one request 1"


@dataclass(frozen=True, kw_only=True)
class Token:
    """The answer to a run's request, as it was put when its event ``seen_seq`` was the last, until ``expires_at``.

    ``maker`` is the caller that made it.
    """

    org: str
    playbook: str
    run_id: str
    seen_seq: int
    expires_at: int
    maker: str


class Tokens:
    """Writes and reads tokens with the store's own secret, the same in every process that serves it."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def write(self, token: Token) -> str:
        """The text of a token, of letters, digits, hyphens and underscores alone."""
        said = [token.org, token.playbook, token.run_id, token.seen_seq, token.expires_at, token.maker]
        claim = values.compact(said).encode()
        return base64.urlsafe_b64encode(self._mac(claim) + claim).decode().rstrip("=")

    def read(self, text: str) -> Token | None:
        """The token of a text; None for one that was not written here. Whether it is still good is another matter."""
        if len(text) > bounds.TOKEN_CHARACTERS:
            return None
        try:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        mac, claim = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(claim)):
            return None
        org, playbook, run_id, seen_seq, expires_at, maker = json.loads(claim)
        return Token(org=org, playbook=playbook, run_id=run_id, seen_seq=seen_seq, expires_at=expires_at, maker=maker)

    def _mac(self, claim: bytes) -> bytes:
        return hmac.digest(self._secret, _PURPOSE + b"\0" + claim, hashlib.sha256)
