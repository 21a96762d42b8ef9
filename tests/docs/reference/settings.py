"""The settings of a server: the variable, what it takes, and what counts without it."""

from sayso import settings
from sayso.core.durations import in_words
from sayso.settings import Settings
from tests.docs.reference.table import code, table

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
    "ALLOWED_ORIGINS": ("The origins whose pages may use the server from a browser", "origins with commas between", ""),
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
}


def listed() -> str:
    """The variables in the order in which they are read. One without words here is an error."""
    unknown = settings._READERS.keys() ^ SAYS.keys()
    if unknown:
        raise LookupError(f"settings and their words differ: {sorted(unknown)}")
    rows = (_row(name, field) for name, (field, _) in settings._READERS.items())
    return table(("Variable", "Option", "What it says", "Takes", "Without it"), rows)


def _row(name: str, field: str) -> tuple[str, ...]:
    says, takes, option = SAYS[name]
    return code(name), code(option) if option else "", says, takes, _default(field)


def _default(field: str) -> str:
    value = getattr(Settings(), field)
    if field == "data":
        return "in local mode `$XDG_DATA_HOME/sayso`, else `~/.local/share/sayso`"
    if field == "shards":
        return "as many as the store has, 1 in a new one"
    if value is None:
        return code("SAYSO_DATABASE") if field == "database_direct" else ""
    if field.endswith("_ms"):
        return in_words(value)
    if value is False or value == ():
        return "no"
    return f"{value:,}" if field == "open_requests" else code(value)
