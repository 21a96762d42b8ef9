"""Settings: what the operator chose, by command line, environment and configuration file, as one frozen value.

The only reader of ``os.environ``. A setting that cannot be is refused by its name and never by its value, which may be
a secret pasted into the wrong place.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self

from sayso import address
from sayso.app.configured import ConfiguredKey
from sayso.config import file as config_file
from sayso.config.file import Look
from sayso.config.lists import Network
from sayso.config.refusal import BadSetting, Unfit
from sayso.config.table import BY_NAME, OPEN_REQUESTS_MAX, SHARDS_MAX, TABLE
from sayso.core import bounds
from sayso.target import Target

__all__ = ["OPEN_REQUESTS_MAX", "SHARDS_MAX", "BadSetting", "Settings", "is_loopback"]

CONFIG_FILE = "CONFIG_FILE"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How this process serves. The store is a folder, ``data``, or a ``database`` of PostgreSQL, by its URL.

    Neither is a store in memory: for tests and nothing else. ``database_direct`` is the database's own address where
    ``database`` is a pooler's, ``database_pooled`` says that the pooler lends a connection for a transaction alone.
    ``port`` 0 takes any free one. ``local`` lets whoever reaches the loopback address do everything, without a key.
    ``shards`` counts for a new store alone: None is 1 there, and whatever an older one has. ``notify`` is told of each
    new request; ``notify_private`` lets a webhook lead into this network. What was written in a run is erased
    ``retention_ms`` after it has ended. ``sources`` says of each setting that was given where: by its name, in words.
    """

    data: Path | None = None
    database: str | None = field(default=None, repr=False)
    database_direct: str | None = field(default=None, repr=False)
    database_pooled: bool = False
    host: str = "127.0.0.1"
    port: int = 8080
    local: bool = False
    api_keys: tuple[ConfiguredKey, ...] = field(default=(), repr=False)
    allowed_origins: tuple[str, ...] = ()
    open_requests: int = bounds.OPEN_REQUESTS
    sweep_interval_ms: int = 1_000
    problem_base: str = "https://on.auto/problems/"
    shards: int | None = None
    rate_limit: int | None = None
    rate_burst: int | None = None
    log_format: str | None = None
    log_level: str = "info"
    metrics_address: str | None = None
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    trusted_proxies: tuple[Network, ...] = ()
    path_prefix: str | None = None
    notify: Target | None = None
    notify_private: bool = False
    retention_ms: int | None = None
    config_file: Path | None = None
    sources: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what no server can be, wherever the values came from."""
        for setting in TABLE:
            value = getattr(self, setting.field)
            if value is not None:
                _checked(setting.name, setting.kind.check, value)
        self._check_store()
        self._check_local()
        if (self.tls_certificate is None) != (self.tls_key is None):
            missing = "TLS_KEY" if self.tls_key is None else "TLS_CERTIFICATE"
            raise BadSetting(missing, "is missing: TLS needs TLS_CERTIFICATE and TLS_KEY")
        if self.rate_burst is not None and self.rate_limit is None:
            raise BadSetting("RATE_BURST", "needs RATE_LIMIT beside it")

    def _check_store(self) -> None:
        if self.data is not None and self.database is not None:
            raise BadSetting("SAYSO_DATABASE", "and SAYSO_DATA name two stores: set one of them")
        for setting, url in (("SAYSO_DATABASE", self.database), ("SAYSO_DATABASE_DIRECT", self.database_direct)):
            if url is not None and not address.is_address(url):
                raise BadSetting(setting, _DATABASE_NEEDS)

    def _check_local(self) -> None:
        """Local mode lets everyone in, so nothing may let anyone in who is not at this machine."""
        if not self.local:
            return
        if not is_loopback(self.host):
            raise BadSetting(
                "LOCAL_MODE", "needs a loopback HOST, since it lets everyone in: 127.0.0.1, ::1, localhost"
            )
        for setting in ("API_KEYS", "TLS_CERTIFICATE", "TRUSTED_PROXIES"):
            if getattr(self, BY_NAME[setting].field):
                raise BadSetting(setting, "is for a server with keys: LOCAL_MODE serves this machine, without any")

    @property
    def store(self) -> str:
        """Where the store is: its folder, or its database by host and name, without user or password."""
        return address.shown(self.database) if self.database is not None else str(self.data)

    def shown(self, setting: str) -> str | None:
        """A setting as anybody may see it; None where it has no value."""
        chosen = BY_NAME[setting]
        value = getattr(self, chosen.field)
        if value is None or value == ():
            return None
        return chosen.kind.shown(value)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """The settings of an environment (the process's own, if none is given); what is empty in it is not set.

        Below it stands the file that it names, key by key. ``overrides`` are fields from the command line, and win;
        one that is None was not given there. A store that they name sets aside whichever the others name. Outside
        local mode a start needs a store.
        """
        settings = cls.given(environ, **overrides)
        if settings.data is None and settings.database is None and not settings.local:
            raise BadSetting("SAYSO_DATA", _STORE_NEEDED)
        return settings

    @classmethod
    def given(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """What ``from_environment`` gives, whether or not there is a store."""
        environ = os.environ if environ is None else environ
        chosen = {name: value for name, value in overrides.items() if value is not None}
        file = chosen.setdefault("config_file", Path(environ[CONFIG_FILE]) if environ.get(CONFIG_FILE) else None)
        written = Look() if file is None else config_file.read(file, environ)
        told = {
            setting.field: _checked(setting.name, setting.kind.from_text, environ[setting.name])
            for setting in TABLE
            if environ.get(setting.name)
        }
        aside = _STORES if chosen.keys() & _STORES else frozenset[str]()
        values = {name: value for name, value in (written.values | told).items() if name not in aside} | chosen
        sources = {
            setting.name: _source(setting.field, chosen, told, str(written.places.get(setting.name)))
            for setting in TABLE
            if setting.field in values
        }
        try:
            return cls(**values, sources=sources)
        except BadSetting as fault:
            is_of_file = sources.get(fault.setting, "").startswith(f"{file}:")
            raise fault.at(written.places[fault.setting] if is_of_file else None) from None


def _source(name: str, chosen: Mapping[str, Any], told: Mapping[str, Any], place: str) -> str:
    """Where a value came from, in words."""
    return "the command line" if name in chosen else "the environment" if name in told else place


def _checked(setting: str, read: Callable[[Any], Any], value: Any) -> Any:
    """What ``read`` makes of a value; a setting that it does not fit is refused by its name."""
    try:
        return read(value)
    except Unfit as fault:
        raise BadSetting(setting, fault.needs, fault.path) from None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on ``host``."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


_STORES = frozenset({"data", "database"})
_STORE_NEEDED = (
    "must name the folder that keeps the data (or use --data DIR), or SAYSO_DATABASE a PostgreSQL database "
    "(--database URL)"
)
_DATABASE_NEEDS = (
    "must be a URL such as postgresql://USER:PASSWORD@HOST/NAME, with every character of the password that is no "
    "letter and no digit written as %XX"
)
