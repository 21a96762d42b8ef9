"""Settings: what the operator chose, from the environment and the command line, as one frozen value.

The only reader of ``os.environ``. A setting that cannot be is refused by its name and never by its value, which may be
a secret pasted into the wrong place.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self

from sayso import address
from sayso.core import bounds, durations
from sayso.target import NotATarget, Target, target

OPEN_REQUESTS_MAX = 1_000_000
SWEEP_MIN_MS = 10
SWEEP_MAX_MS = 60_000
PORT_MAX = 65_535
SHARDS_MAX = 256
RETENTION_MIN_MS = 3_600_000
RETENTION_MAX_MS = 3_650 * 86_400_000

_ORIGIN = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_BASE = re.compile(r"https?://[!-~]+/")


class BadSetting(Exception):
    """A setting that stops the start. ``setting`` is its name in the environment."""

    def __init__(self, setting: str, needs: str) -> None:
        super().__init__(f"{setting} {needs}.")
        self.setting = setting


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How this process serves. The store is a folder, ``data``, or a ``database`` of PostgreSQL, by its URL.

    Neither is a store in memory: for tests and nothing else. ``database_direct`` is the database's own address where
    ``database`` is a pooler's, ``database_pooled`` says that the pooler lends a connection for a transaction alone.
    ``port`` 0 takes any free one. ``local`` lets whoever reaches the loopback address do everything, without a key.
    ``shards`` counts for a new store alone: None is 1 there, and whatever an older one has. ``notify`` is told of each
    new request; ``notify_private`` lets a webhook lead into this network. What was written in a run is erased
    ``retention_ms`` after it has ended.
    """

    data: Path | None = None
    database: str | None = field(default=None, repr=False)
    database_direct: str | None = field(default=None, repr=False)
    database_pooled: bool = False
    host: str = "127.0.0.1"
    port: int = 8080
    local: bool = False
    allowed_origins: tuple[str, ...] = ()
    open_requests: int = bounds.OPEN_REQUESTS
    sweep_interval_ms: int = 1_000
    problem_base: str = "https://on.auto/problems/"
    shards: int | None = None
    notify: Target | None = None
    notify_private: bool = False
    retention_ms: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no server can be, wherever the values came from."""
        self._check_store()
        _within("PORT", self.port, 0, PORT_MAX)
        _within("INTERACTION_OPEN_REQUESTS", self.open_requests, 1, OPEN_REQUESTS_MAX)
        if not SWEEP_MIN_MS <= self.sweep_interval_ms <= SWEEP_MAX_MS:
            raise BadSetting("ORCHESTRATION_SWEEP_INTERVAL", _SWEEP_NEEDS)
        if not all(_ORIGIN.fullmatch(origin) for origin in self.allowed_origins):
            raise BadSetting("ALLOWED_ORIGINS", _ORIGINS_NEED)
        if not _BASE.fullmatch(self.problem_base):
            raise BadSetting("PROBLEM_BASE", "must be an http or https URL that ends in /")
        if self.local and not is_loopback(self.host):
            raise BadSetting(
                "LOCAL_MODE", "needs a loopback HOST, since it lets everyone in: 127.0.0.1, ::1, localhost"
            )

    def _check_store(self) -> None:
        if self.data is not None and self.database is not None:
            raise BadSetting("SAYSO_DATABASE", "and SAYSO_DATA name two stores: set one of them")
        for setting, url in (("SAYSO_DATABASE", self.database), ("SAYSO_DATABASE_DIRECT", self.database_direct)):
            if url is not None and not address.is_address(url):
                raise BadSetting(setting, _DATABASE_NEEDS)
        if self.shards is not None:
            _within("SAYSO_SHARDS", self.shards, 1, SHARDS_MAX)

    @property
    def store(self) -> str:
        """Where the store is: its folder, or its database by host and name, without user or password."""
        return address.shown(self.database) if self.database is not None else str(self.data)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """The settings of an environment (the process's own, if none is given); what is empty in it is not set.

        ``overrides`` are fields from the command line, and win; one that is None was not given there. A store that
        they name sets aside whichever the environment names. Outside local mode a start needs a store.
        """
        environ = os.environ if environ is None else environ
        given = {
            name: read(setting, environ[setting]) for setting, (name, read) in _READERS.items() if environ.get(setting)
        }
        chosen = {name: value for name, value in overrides.items() if value is not None}
        if chosen.keys() & _STORES:
            given = {name: value for name, value in given.items() if name not in _STORES}
        settings = cls(**given | chosen)
        if settings.data is None and settings.database is None and not settings.local:
            raise BadSetting("SAYSO_DATA", _STORE_NEEDED)
        return settings


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on ``host``."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


_STORES = {"data", "database"}
_STORE_NEEDED = (
    "must name the folder that keeps the data (or use --data DIR), or SAYSO_DATABASE a PostgreSQL database "
    "(--database URL)"
)
_DATABASE_NEEDS = (
    "must be a URL such as postgresql://USER:PASSWORD@HOST/NAME, with every character of the password that is no "
    "letter and no digit written as %XX"
)
_SWEEP_NEEDS = "must be an ISO 8601 duration from PT0.01S to PT1M"
_RETENTION_NEEDS = "must be an ISO 8601 duration from PT1H to P3650D"
_ORIGINS_NEED = "must list origins such as https://app.example.com, with commas between, without paths and without *"


def _within(setting: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise BadSetting(setting, f"must be a whole number from {least:,} to {most:,}")


def _whole(setting: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadSetting(setting, "must be a whole number")
    return int(text)


def _truth(setting: str, text: str) -> bool:
    if text not in {"true", "false"}:
        raise BadSetting(setting, "must be true or false")
    return text == "true"


def _text(_setting: str, text: str) -> str:
    return text


def _folder(_setting: str, text: str) -> Path:
    return Path(text)


def _origins(_setting: str, text: str) -> tuple[str, ...]:
    return tuple(origin.strip().lower() for origin in text.split(",") if origin.strip())


def _milliseconds(setting: str, text: str) -> int:
    try:
        return durations.milliseconds(text)
    except durations.NotADuration:
        raise BadSetting(setting, _SWEEP_NEEDS) from None


def _kept(setting: str, text: str) -> int:
    try:
        kept = durations.milliseconds(text)
    except durations.NotADuration:
        raise BadSetting(setting, _RETENTION_NEEDS) from None
    if not RETENTION_MIN_MS <= kept <= RETENTION_MAX_MS:
        raise BadSetting(setting, _RETENTION_NEEDS)
    return kept


def _target(setting: str, text: str) -> Target:
    try:
        return target(text)
    except NotATarget as fault:
        raise BadSetting(setting, str(fault)) from None


# The name in the environment: the field, and what reads its text.
_READERS: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    "SAYSO_DATA": ("data", _folder),
    "SAYSO_DATABASE": ("database", _text),
    "SAYSO_DATABASE_DIRECT": ("database_direct", _text),
    "SAYSO_DATABASE_POOLED": ("database_pooled", _truth),
    "SAYSO_SHARDS": ("shards", _whole),
    "HOST": ("host", _text),
    "PORT": ("port", _whole),
    "LOCAL_MODE": ("local", _truth),
    "ALLOWED_ORIGINS": ("allowed_origins", _origins),
    "INTERACTION_OPEN_REQUESTS": ("open_requests", _whole),
    "ORCHESTRATION_SWEEP_INTERVAL": ("sweep_interval_ms", _milliseconds),
    "PROBLEM_BASE": ("problem_base", _text),
    "NOTIFY": ("notify", _target),
    "NOTIFY_PRIVATE": ("notify_private", _truth),
    "RETENTION": ("retention_ms", _kept),
}
