"""A reload: what the configuration says now counts from now on, or nothing of it does and the log says why."""

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from sayso.cli.refusals import Refused

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.http.tls import Certificate
    from sayso.live import Live
    from sayso.settings import Settings

log = logging.getLogger("sayso.reload")


class Reloading:
    """Reads the settings anew as the start read them, whole or not at all. One reload at a time.

    ``count`` is told of those that count from now on.
    """

    def __init__(
        self,
        read: "Callable[[], Settings]",
        live: "Live",
        app: "App",
        count: "Callable[[Settings], None]" = lambda _settings: None,
        certificate: "Certificate | None" = None,
    ) -> None:
        self._read = read
        self._live = live
        self._app = app
        self._told = count
        self._certificate = certificate
        self._turn = asyncio.Lock()
        self._under_way: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Reload, on the running loop; a fault of the configuration is one line of the log."""
        task = asyncio.ensure_future(self.reload())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def reload(self) -> None:
        """Read, check all, then let all count."""
        from sayso.config import changes
        from sayso.http.tls import BadCertificate
        from sayso.settings import BadSetting

        async with self._turn:
            try:
                found = changes.between(self._live.settings, self._read())
                await refuse_keys_of_store(self._app, found.settings)
                if self._certificate is not None:
                    self._certificate.renew()
            except (BadSetting, BadCertificate, Refused) as fault:
                log.error("the configuration stays as it was: %s", fault)
                return
            except Exception as fault:
                log.exception("the configuration stays as it was: %s", type(fault).__name__)
                return
            self._count(found.settings)
        changed = ", ".join(found.changed) or "nothing that a reload takes has changed"
        log.info("the configuration was read: %s", changed)
        if found.waiting:
            log.warning("these wait for a restart, and count as before until then: %s", ", ".join(found.waiting))

    def _count(self, settings: "Settings") -> None:
        from sayso import logs

        self._live.change(settings)
        logs.set_level(settings.log_level)
        self._told(settings)


async def refuse_keys_of_store(app: "App", settings: "Settings") -> None:
    """Refuse a configured key whose id is that of a key of the store: histories could not tell who was who."""
    from sayso.settings import BadSetting

    if not settings.api_keys:
        return
    held = {one["id"] for one in await app.keys.list()}
    for number, key in enumerate(settings.api_keys):
        if key.id in held:
            raise BadSetting("API_KEYS", "is the id of a key in the store: choose another", (number, "id"))
