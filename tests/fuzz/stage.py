"""The stage: the real app on a real store, with the clock and the chance that a seed gives."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from starlette.types import ASGIApp

from sayso import compose
from sayso.app.runtime import App
from sayso.settings import Settings
from tests import stores
from tests.beside import beside
from tests.fuzz.requests import Request

ORIGIN = "https://app.example.com"
START = 1_790_000_000_000_000
# Few enough that some requests meet the limit.
OPEN_REQUESTS = 4


class Clock:
    """A clock that only its tests move."""

    def __init__(self, at: int) -> None:
        self._at = at

    def now(self) -> int:
        return self._at

    def move(self, seconds: float) -> None:
        self._at += int(seconds * 1_000_000)

    def set(self, at: int) -> None:
        self._at = at


class SeededChance:
    """The app's chance, the same again from the same seed."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def bits(self, count: int) -> int:
        return self._random.getrandbits(count)


class Errors(logging.Handler):
    """Keeps what is logged as an error, and what the loop could tell nobody."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        cause = f": {record.exc_info[1]!r}" if record.exc_info else ""
        self.said.append(record.getMessage() + cause)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """An app behind a door: in local mode, or one that wants keys; then ``keys`` are headers by org, and the first of
    an org may do everything in it."""

    app: App
    clock: Clock
    door: ASGIApp
    keys: dict[str, tuple[bytes, ...]]
    errors: Errors
    folder: Path

    @property
    def secrets(self) -> frozenset[bytes]:
        """What no response may hold."""
        return frozenset(key[-43:] for keys in self.keys.values() for key in keys)

    def signed(self, request: Request) -> Request:
        """The request with the key that may do everything in its org, where the door wants one."""
        if request.place.org not in self.keys:
            return request
        return replace(request, headers=(*request.headers, (b"authorization", self.keys[request.place.org][0])))

    def rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """What the store says, read past the app."""
        with beside(self.folder) as run:
            return run(query, *values)


@asynccontextmanager
async def stage(
    folder: Path, seed: str, *, local: bool = True, start: int = START, open_requests: int = OPEN_REQUESTS
) -> AsyncIterator[Stage]:
    """A started stage on a new store of the folder."""
    settings = Settings(data=folder, local=local, open_requests=open_requests, allowed_origins=(ORIGIN,))
    clock, errors = Clock(start), Errors()
    logging.getLogger().addHandler(errors)
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.said.append(str(context)))
    try:
        async with stores.running(settings, clock=clock, entropy=SeededChance(seed), work=False) as app:
            yield Stage(
                app=app,
                clock=clock,
                door=compose.http_app(app, settings),
                keys={} if local else await _keys(app),
                errors=errors,
                folder=folder,
            )
    finally:
        logging.getLogger().removeHandler(errors)


async def _keys(app: App) -> dict[str, tuple[bytes, ...]]:
    """The keys that the requests come with, the one that may do all first."""
    limits: dict[str, tuple[dict[str, Any], ...]] = {
        "acme": (
            {},
            {"permissions": ["playbook:read"]},
            {"permissions": ["interaction:answer"], "playbooks": ["sales"]},
            {"permissions": ["org:write", "org:read", "playbook:write"], "playbooks": ["sales", "default"]},
        ),
        "other": ({},),
    }
    made = {org: [(await app.keys.create(org, **one))["key"] for one in its] for org, its in limits.items()}
    return {org: tuple(f"Bearer {key}".encode() for key in keys) for org, keys in made.items()}
