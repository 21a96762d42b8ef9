"""The one table of settings: the variable, the field, what it takes, and whether a reload changes it.

A key of the configuration file is a variable in lower case. ``SAYSO_DATABASE`` and its like hold a password, which a
file may only name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sayso.config.api_keys import ApiKeys
from sayso.config.kinds import PORT_MAX, Address, Choice, DatabaseUrl, Duration, File, Kind, Text, Truth, Whole
from sayso.config.lists import Networks, Texts
from sayso.config.notified import Notified

OPEN_REQUESTS_MAX = 1_000_000
SWEEP_MIN_MS = 10
SWEEP_MAX_MS = 60_000
SHARDS_MAX = 256
RATE_MAX = 100_000
RETENTION_MIN_MS = 3_600_000
RETENTION_MAX_MS = 3_650 * 86_400_000

LOG_FORMATS = ("json", "pretty")
LOG_LEVELS = ("debug", "info", "warning", "error")

_ORIGIN = r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?"
_SEGMENT = r"/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting: its name in the environment, its field in Settings, and what it takes."""

    name: str
    field: str
    kind: Kind
    reloads: bool = False
    is_secret: bool = False

    @property
    def key(self) -> str:
        """Its name in the file."""
        return self.name.lower()


_DATABASE = DatabaseUrl()
_SWEEP = Duration(SWEEP_MIN_MS, SWEEP_MAX_MS, "must be an ISO 8601 duration from PT0.01S to PT1M")
_RETENTION = Duration(RETENTION_MIN_MS, RETENTION_MAX_MS, "must be an ISO 8601 duration from PT1H to P3650D")
_BASE = Text(r"https?://[!-~]+/", "must be an http or https URL that ends in /")
_ORIGINS = Texts(_ORIGIN, "must be an origin such as https://app.example.com, without a path and without *")
_PREFIX = Text(f"(?:{_SEGMENT}){{1,8}}", "must be a path such as /sayso, without a / at its end")

TABLE = (
    Setting(name="SAYSO_DATA", field="data", kind=File()),
    Setting(name="SAYSO_DATABASE", field="database", kind=_DATABASE, is_secret=True),
    Setting(name="SAYSO_DATABASE_DIRECT", field="database_direct", kind=_DATABASE, is_secret=True),
    Setting(name="SAYSO_DATABASE_POOLED", field="database_pooled", kind=Truth()),
    Setting(name="SAYSO_SHARDS", field="shards", kind=Whole(1, SHARDS_MAX)),
    Setting(name="HOST", field="host", kind=Text()),
    Setting(name="PORT", field="port", kind=Whole(0, PORT_MAX)),
    Setting(name="LOCAL_MODE", field="local", kind=Truth()),
    Setting(name="API_KEYS", field="api_keys", kind=ApiKeys(), reloads=True),
    Setting(name="ALLOWED_ORIGINS", field="allowed_origins", kind=_ORIGINS, reloads=True),
    Setting(name="INTERACTION_OPEN_REQUESTS", field="open_requests", kind=Whole(1, OPEN_REQUESTS_MAX), reloads=True),
    Setting(name="ORCHESTRATION_SWEEP_INTERVAL", field="sweep_interval_ms", kind=_SWEEP),
    Setting(name="PROBLEM_BASE", field="problem_base", kind=_BASE),
    Setting(name="RATE_LIMIT", field="rate_limit", kind=Whole(1, RATE_MAX), reloads=True),
    Setting(name="RATE_BURST", field="rate_burst", kind=Whole(1, RATE_MAX), reloads=True),
    Setting(name="LOG_FORMAT", field="log_format", kind=Choice(LOG_FORMATS)),
    Setting(name="LOG_LEVEL", field="log_level", kind=Choice(LOG_LEVELS), reloads=True),
    Setting(name="METRICS_ADDRESS", field="metrics_address", kind=Address()),
    Setting(name="TLS_CERTIFICATE", field="tls_certificate", kind=File()),
    Setting(name="TLS_KEY", field="tls_key", kind=File()),
    Setting(name="TRUSTED_PROXIES", field="trusted_proxies", kind=Networks()),
    Setting(name="PATH_PREFIX", field="path_prefix", kind=_PREFIX),
    Setting(name="NOTIFY", field="notify", kind=Notified(), is_secret=True),
    Setting(name="NOTIFY_PRIVATE", field="notify_private", kind=Truth()),
    Setting(name="RETENTION", field="retention_ms", kind=_RETENTION),
)
BY_NAME: Mapping[str, Setting] = {one.name: one for one in TABLE}
BY_KEY: Mapping[str, Setting] = {one.key: one for one in TABLE}
