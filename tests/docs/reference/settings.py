"""The settings of a server: the variable, what it takes, what counts without it; and the schema of its file."""

import json
import re

from sayso.config import published
from sayso.config import table as settings
from sayso.config.table import BY_NAME, Setting
from sayso.core.durations import in_words
from sayso.settings import Settings
from tests.docs.reference.table import code, table

_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")

# What each variable says, what it takes, and the option that says the same.
SAYS = {
    "SAYSO_DATA": ("The folder of the store. Without local mode this or a database is needed", "a path", "--data"),
    "SAYSO_DATABASE": (
        "The PostgreSQL database of the store, in place of a folder. Shown anywhere by host and name alone",
        "a URL, `postgresql://USER:PASSWORD@HOST/NAME`",
        "--database",
    ),
    "SAYSO_DATABASE_DIRECT": (
        "The database's own address, where `SAYSO_DATABASE` is a pooler's: others are heard through it",
        "a URL",
        "",
    ),
    "SAYSO_DATABASE_POOLED": (
        "Whether `SAYSO_DATABASE` is a pooler that lends a connection for a transaction alone",
        "`true` or `false`",
        "",
    ),
    "SAYSO_SHARDS": (
        "The number of shards of a new store, for good. A store that has another is refused",
        f"1 to {settings.SHARDS_MAX}",
        "--shards",
    ),
    "HOST": ("The address to listen at", "an address or a name", "--host"),
    "PORT": (
        "The port; 0 takes any free one. In local mode a taken port gives way to the first free one of the next ten",
        "a port",
        "--port",
    ),
    "LOCAL_MODE": (
        "Whether everybody at this machine may do everything, without a key",
        "`true` or `false`",
        "--local",
    ),
    "API_KEYS": (
        "[Keys](../how-to/operate.md#keys-in-the-configuration) beside those of the store",
        "a list of entries; in the environment as JSON",
        "",
    ),
    "ALLOWED_ORIGINS": (
        "The origins whose pages may use the server from a browser",
        "origins; in the environment with commas between",
        "",
    ),
    "INTERACTION_OPEN_REQUESTS": (
        "How many requests of one playbook may wait at once",
        f"1 to {settings.OPEN_REQUESTS_MAX:,}",
        "",
    ),
    "ORCHESTRATION_SWEEP_INTERVAL": (
        "How long the worker sleeps at most before it looks at what is due",
        "a duration, `PT0.01S` to `PT1M`",
        "",
    ),
    "NOTIFY": (
        "Who is told of each new request: a webhook, or addresses by a mail server. Shown without password and query",
        "a URL, `https://…` or `smtps://…?from=…&to=…`",
        "",
    ),
    "NOTIFY_PRIVATE": (
        "Whether that webhook may lead to this machine or into a private network",
        "`true` or `false`",
        "",
    ),
    "RETENTION": (
        "How long after a run has ended what was written in it is erased; without it, never",
        "a duration, `PT1H` to `P3650D`",
        "",
    ),
    "PROBLEM_BASE": ("What the type of every problem begins with", "a URL that ends in `/`", ""),
    "RATE_LIMIT": (
        "How many requests a second a caller may send, and how often an address may fail to say who it is",
        f"1 to {settings.RATE_MAX:,}",
        "",
    ),
    "RATE_BURST": ("How many of those may come at once", f"1 to {settings.RATE_MAX:,}", ""),
    "LOG_FORMAT": ("How a line of the log is written", "`json` or `pretty`", ""),
    "LOG_LEVEL": (
        "Which lines are written: those of a request are `info`",
        "`debug`, `info`, `warning` or `error`",
        "",
    ),
    "METRICS_ADDRESS": (
        "Where `GET /metrics` is answered, without a key and without TLS",
        "a host and a port, `127.0.0.1:9090`",
        "",
    ),
    "TLS_CERTIFICATE": (
        "The certificate of the server and those above it; it speaks TLS then",
        "a file in PEM form",
        "",
    ),
    "TLS_KEY": ("The private key of the certificate, without a password", "a file in PEM form", ""),
    "TRUSTED_PROXIES": (
        "The proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed",
        "addresses or ranges; in the environment with commas between",
        "",
    ),
    "PATH_PREFIX": ("What stands before every path, as a proxy passes it on", "a path such as `/sayso`", ""),
}


# What counts where nothing is set, and the field does not say it.
WITHOUT = {
    "shards": "as many as the store has, 1 in a new one",
    "rate_limit": "no limit",
    "rate_burst": "as `RATE_LIMIT`",
    "log_format": "`pretty` at a terminal, else `json`",
    "metrics_address": "no metrics",
    "tls_certificate": "no TLS",
}


def listed() -> str:
    """The variables in the order in which they are read. One without words here is an error."""
    unknown = BY_NAME.keys() ^ SAYS.keys()
    if unknown:
        raise LookupError(f"settings and their words differ: {sorted(unknown)}")
    return table(("Variable", "Option", "What it says", "Takes", "Without it", "Reload"), map(_row, settings.TABLE))


def schema() -> str:
    """The schema of the configuration file."""
    words = {name: _LINK.sub(r"\1", says) for name, (says, _, _) in SAYS.items()}
    return json.dumps(published.schema(words), indent=2) + "\n"


def _row(setting: Setting) -> tuple[str, ...]:
    says, takes, option = SAYS[setting.name]
    shown = code(option) if option else ""
    return code(setting.name), shown, says, takes, _default(setting.field), "yes" if setting.reloads else ""


def _default(field: str) -> str:
    value = getattr(Settings(), field)
    if field == "data":
        return "in local mode `$XDG_DATA_HOME/sayso`, else `~/.local/share/sayso`"
    if field in WITHOUT:
        return WITHOUT[field]
    if value is None:
        return code("SAYSO_DATABASE") if field == "database_direct" else ""
    if field.endswith("_ms"):
        return in_words(value)
    if value is False or value == ():
        return "no"
    return f"{value:,}" if field == "open_requests" else code(value)
