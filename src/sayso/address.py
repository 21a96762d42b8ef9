"""The address of a PostgreSQL database: a URL, which may hold a password, and what of it may be shown.

It is taken more strictly than asyncpg takes it: where a password holds an ``@``, a ``/`` or a ``?`` that is not
written as ``%XX``, parts of it would be read as the host or the name of the database, and those are shown.
"""

import re

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._%-]*)"
_PORT = r"(?::[0-9]{1,5})?"
_OPTION = r"[a-z_]+=[^&#@\s]*"
_URL = re.compile(
    rf"postgres(?:ql)?://(?:(?P<user>[^/?#@:\s]*)(?::[^/?#@\s]*)?@)?(?P<hosts>{_HOST}{_PORT}(?:,{_HOST}{_PORT})*)"
    rf"(?:/(?P<database>[^/?#@\s]*))?(?:\?{_OPTION}(?:&{_OPTION})*)?"
)
_ENDING_PORT = re.compile(r":[0-9]+$")


def is_address(text: str) -> bool:
    """Whether the text is a URL of a database, and reads in one way only."""
    return _URL.fullmatch(text) is not None


def shown(url: str) -> str:
    """The URL with its hosts and its database alone: no user, no password, no option."""
    found = _URL.fullmatch(url)
    assert found is not None, "settings hold addresses"
    hosts = ",".join(_ENDING_PORT.sub("", host) for host in found["hosts"].split(","))
    return f"postgresql://{hosts}/{found['database'] or ''}"


def bare(url: str) -> str:
    """The URL as a command line may show it to everybody on the machine: without password and options."""
    found = _URL.fullmatch(url)
    assert found is not None, "settings hold addresses"
    user = f"{found['user']}@" if found["user"] else ""
    return f"postgresql://{user}{found['hosts']}/{found['database'] or ''}"
