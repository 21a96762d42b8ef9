"""The door of the metrics: GET /metrics at an address of its own, without a key and with no other path."""

from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.types import Receive, Scope, Send

from sayso.app.runtime import App
from sayso.metrics.figures import Figures
from sayso.metrics.standing import Standing

PATH = "/metrics"
# However many ask, the store is read so often.
FRESH_S = 1.0


class MetricsDoor:
    """Answers whoever reads metrics, and nobody else."""

    def __init__(self, app: App, figures: Figures, *, fresh_s: float = FRESH_S) -> None:
        self._figures = figures
        self._standing = Standing(app, figures.registry, fresh_s)

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        status, body, kind = await self._reply(scope)
        headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
        if status == 405:
            headers.append((b"allow", b"GET, HEAD"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def _reply(self, scope: Scope) -> tuple[int, bytes, str]:
        if scope["path"] != PATH:
            return 404, b"The metrics are at /metrics.\n", "text/plain"
        if scope["method"] not in {"GET", "HEAD"}:
            return 405, b"The metrics are read with GET.\n", "text/plain"
        await self._standing.read()
        return 200, generate_latest(self._figures.registry), CONTENT_TYPE_LATEST
