"""Settings: what the operator chose, from the environment and the command line, as one frozen value.

The only reader of ``os.environ``. A setting that cannot be is refused by its name and never by its value, which may be
a secret pasted into the wrong place.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self

from sayso.core import bounds, durations

OPEN_REQUESTS_MAX = 1_000_000
SWEEP_MIN_MS = 10
SWEEP_MAX_MS = 60_000
PORT_MAX = 65_535
SHARDS_MAX = 256

_ORIGIN = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_BASE = re.compile(r"https?://[!-~]+/")


class BadSetting(Exception):
    """A setting that stops the start. ``setting`` is its name in the environment."""

    def __init__(self, setting: str, needs: str) -> None:
        super().__init__(f"{setting} {needs}.")
        self.setting = setting


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How this process serves. ``data`` None is a store in memory: for tests, the demo and nothing else.

    ``port`` 0 takes any free one. ``local`` lets whoever reaches the loopback address do everything, without a key.
    ``shards`` counts for a new store alone: None is 1 there, and whatever an older one has.
    """

    data: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    local: bool = False
    allowed_origins: tuple[str, ...] = ()
    open_requests: int = bounds.OPEN_REQUESTS
    sweep_interval_ms: int = 1_000
    problem_base: str = "https://on.auto/problems/"
    shards: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no server can be, wherever the values came from."""
        _within("PORT", self.port, 0, PORT_MAX)
        _within("INTERACTION_OPEN_REQUESTS", self.open_requests, 1, OPEN_REQUESTS_MAX)
        if not SWEEP_MIN_MS <= self.sweep_interval_ms <= SWEEP_MAX_MS:
            raise BadSetting("ORCHESTRATION_SWEEP_INTERVAL", _SWEEP_NEEDS)
        if self.shards is not None:
            _within("SHARDS", self.shards, 1, SHARDS_MAX)
        if not all(_ORIGIN.fullmatch(origin) for origin in self.allowed_origins):
            raise BadSetting("ALLOWED_ORIGINS", _ORIGINS_NEED)
        if not _BASE.fullmatch(self.problem_base):
            raise BadSetting("PROBLEM_BASE", "must be an http or https URL that ends in /")
        if self.local and not is_loopback(self.host):
            raise BadSetting(
                "LOCAL_MODE", "needs a loopback HOST, since it lets everyone in: 127.0.0.1, ::1, localhost"
            )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """The settings of an environment (the process's own, if none is given); what is empty in it is not set.

        ``overrides`` are fields from the command line, and win; one that is None was not given there. Outside local
        mode a start needs ``data``.
        """
        environ = os.environ if environ is None else environ
        given = {field: read(name, environ[name]) for name, (field, read) in _READERS.items() if environ.get(name)}
        given.update((field, value) for field, value in overrides.items() if value is not None)
        settings = cls(**given)
        if settings.data is None and not settings.local:
            raise BadSetting("SAYSO_DATA", "must name the folder that keeps the data (or use --data DIR)")
        return settings


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on ``host``."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


_SWEEP_NEEDS = "must be an ISO 8601 duration from PT0.01S to PT1M"
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


# The name in the environment: the field, and what reads its text.
_READERS: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    "SAYSO_DATA": ("data", _folder),
    "HOST": ("host", _text),
    "PORT": ("port", _whole),
    "LOCAL_MODE": ("local", _truth),
    "ALLOWED_ORIGINS": ("allowed_origins", _origins),
    "INTERACTION_OPEN_REQUESTS": ("open_requests", _whole),
    "ORCHESTRATION_SWEEP_INTERVAL": ("sweep_interval_ms", _milliseconds),
    "PROBLEM_BASE": ("problem_base", _text),
}
