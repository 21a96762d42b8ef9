"""A webhook: a notice is posted as a CloudEvent, signed as Standard Webhooks says.

Nothing is followed: a redirect is a failure. The body that comes back is not read.
"""

import asyncio
import base64
import hashlib
import hmac
import ssl
from typing import Final

import httpx2

from sayso.app.notices.notice import NotBrought, Notice
from sayso.core import values
from sayso.notify.addresses import resolved
from sayso.ports import Clock
from sayso.target import WebhookTarget

TIMEOUT_S: Final = 15.0
CONNECT_S: Final = 5.0
WAIT_MAX_S: Final = 86_400.0
CONTENT_TYPE: Final = "application/cloudevents+json; charset=utf-8"
# What another try may change: the receiver is away, busy, or does not know us yet. Other 4xx are about this notice.
_LATER: Final = frozenset({401, 403, 404, 407, 408, 410, 421, 425, 429})


def secret_of(store_secret: bytes, target: WebhookTarget) -> bytes:
    """The secret that a place shares with a store: made of the store's own, so that nobody has to make one up."""
    return hmac.digest(store_secret, f"notify {target.url}".encode(), hashlib.sha256)


def written(secret: bytes) -> str:
    """The secret as libraries of Standard Webhooks take it."""
    return f"whsec_{base64.b64encode(secret).decode()}"


class Webhook:
    """Posts to one URL."""

    def __init__(self, target: WebhookTarget, secret: bytes, clock: Clock, *, allows_private: bool) -> None:
        self._target = target
        self._secret = secret
        self._clock = clock
        self._allows_private = allows_private
        # No proxy of the environment: where it leads, no address could be looked at.
        self._client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(TIMEOUT_S, connect=CONNECT_S), follow_redirects=False, trust_env=False
        )

    @property
    def target(self) -> str:
        """The URL without its query."""
        return self._target.shown

    async def bring(self, notice: Notice) -> None:
        """Post a notice. Any 2xx says that it was taken."""
        body = values.compact(notice.document).encode(errors="replace")
        try:
            async with asyncio.timeout(TIMEOUT_S):
                status, asked_for = await self._posted(body, self._headers(notice.id, body))
        except TimeoutError:
            raise NotBrought(f"{self._target.host} did not answer in time") from None
        except (ssl.SSLError, httpx2.HTTPError, OSError) as fault:
            raise NotBrought(f"{self._target.host} could not be reached: {type(fault).__name__}") from None
        if 200 <= status < 300:
            return
        where = "leads elsewhere, which is not followed" if 300 <= status < 400 else f"answered {status}"
        refused = 400 <= status < 500 and status not in _LATER
        raise NotBrought(f"{self._target.host} {where}", refused=refused, retry_after_s=asked_for)

    def _headers(self, id_: str, body: bytes) -> dict[str, str]:
        at = str(self._clock.now() // 1_000_000)
        signed = hmac.digest(self._secret, b".".join((id_.encode(), at.encode(), body)), hashlib.sha256)
        return {
            "content-type": CONTENT_TYPE,
            "user-agent": "sayso",
            "webhook-id": id_,
            "webhook-timestamp": at,
            "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
        }

    async def _posted(self, body: bytes, headers: dict[str, str]) -> tuple[int, float]:
        """The status that came back, and for how many seconds we are asked to wait."""
        target = self._target
        address = await resolved(target.host, target.port, allows_private=self._allows_private)
        url = httpx2.URL(target.url)
        request = self._client.build_request(
            "POST",
            url.copy_with(host=address),
            content=body,
            headers=headers | {"host": url.netloc.decode()},
            extensions={"sni_hostname": target.host} if target.is_encrypted else None,
        )
        response = await self._client.send(request, stream=True)
        try:
            return response.status_code, _seconds(response.headers.get("retry-after", ""))
        finally:
            await response.aclose()

    async def close(self) -> None:
        """Let connections go."""
        await self._client.aclose()


def _seconds(text: str) -> float:
    """A Retry-After in seconds, at most a day; a date is passed over."""
    return min(float(text), WAIT_MAX_S) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0
